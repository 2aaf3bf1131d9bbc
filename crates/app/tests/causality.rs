//! `mousetrap split`, `mousetrap cone` and `mousetrap repro figures` as a user meets them.

mod common;

use serde_json::{Value, json};

use common::{refused, stdout};

const FIGURE_13: &str = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w";

#[test]
fn figure_13_falls_into_the_published_parts() {
    for threshold in ["3", "4"] {
        let text = stdout(&["split", FIGURE_13, "--threshold", threshold, "--json"]);
        let report: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(report["tree"], json!([0, 1, 1, 2, 3, 5]));
        assert_eq!(report["tmax"], 5);
        assert_eq!(report["parts"], json!([["a2", "b3", "c2"], ["b7", "c7", "e6", "e7"]]));
        let owner = report["owner"].as_object().unwrap();
        assert_eq!(owner.len(), 63);
        assert_eq!(
            (&owner["b3"], &owner["e6"], &owner["d1"]),
            (&json!(0), &json!(1), &json!(null))
        );
        assert_eq!(report["dens"], json!({ "d1": [0], "d9": [1] }));
        // The edges join the parts, except the one that is cut.
        let cut: Vec<&Value> =
            report["edges"].as_array().unwrap().iter().filter(|edge| edge["cut"] == true).collect();
        assert_eq!(cut, [&json!({ "from": "b3", "to": "b7", "plies": 5, "cut": true })]);
    }
}

#[test]
fn split_prints_times_tree_and_parts() {
    let text = stdout(&["split", FIGURE_13]);
    for line in ["   5  b3–b7  cut", "T_max 5", "   1  a2 b3 c2", "   2  b7 c7 e6 e7"] {
        assert!(text.lines().any(|printed| printed == line), "{line:?} is not in\n{text}");
    }
    // Whose move it is matters: the weights of the side that moves second are larger.
    let black = stdout(&["split", &FIGURE_13.replace(" w", " b"), "--json"]);
    let report: Value = serde_json::from_str(&black).expect("JSON");
    assert_eq!(report["first"], "black");
    assert_ne!(report["tree"], json!([0, 1, 1, 2, 3, 5]));
}

#[test]
fn cones_are_shown_in_moves_and_plies() {
    let text = stdout(&["cone", "f8", "C"]);
    assert!(text.contains("9  6  5  4  3  2  1  2"), "{text}");
    let report: Value = serde_json::from_str(&stdout(&["cone", "a1", "t", "--json"])).unwrap();
    assert_eq!(report["movement"], "jumper");
    assert_eq!((&report["moves"]["b7"], &report["a"]["b7"]), (&json!(4), &json!(7)));
    assert_eq!((&report["b"]["b7"], &report["moves"]["d9"]), (&json!(8), &json!(null)));
}

#[test]
fn pictures_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (svg, png) = (path("split.svg"), path("cone.png"));
    stdout(&["split", FIGURE_13, "--svg", &svg]);
    stdout(&["cone", "g3", "R", "--png", &png]);
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));

    let figures = stdout(&["repro", "figures", "--out", &path("figures")]);
    let drawn = figures.lines().filter(|line| line.contains(".svg  Figure ")).count();
    let files = std::fs::read_dir(path("figures")).unwrap().count();
    // One more is drawn that no figure shows, and then there is the record.
    assert_eq!((drawn + 1, files), (12, 13));
    assert!(stdout(&["repro", "--list"]).lines().any(|line| line.starts_with("figures ")));
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    assert!(refused(&["cone", "h9", "C"]).contains("'h9' is not a square"));
    assert!(refused(&["cone", "a1", "x"]).contains("expected one letter"));
    assert!(refused(&["cone", "b4", "C"]).contains("only rats swim"));
    assert!(refused(&["split", FIGURE_13, "--threshold", "-1"]).contains("-1 is not in 0"));
    assert!(refused(&["split", "7/7/7/7/7/7/7/7/3C3 w"]).contains("its own den"));
    assert!(refused(&["split", "nonsense w"]).contains("bad FEN"));
    assert!(refused(&["split"]).contains("FEN"));
    for depth in ["0", "13", "-1"] {
        let reason = format!("{depth} is not in 1..=12");
        assert!(refused(&["split", FIGURE_13, "--depth", depth]).contains(&reason), "{depth}");
    }
    assert!(refused(&["split", FIGURE_13, "--depth", "x"]).contains("invalid value 'x'"));
    let over = "7/7/7/7/7/7/7/7/C6 w";
    assert!(refused(&["split", over, "--depth", "2"]).contains("the game is over"));
}

/// Each part's scores add up to the implied ones, and the best of these is played.
#[test]
fn parts_are_scored() {
    let args = ["split", FIGURE_13, "--rules", "tufts", "--depth", "4"];
    let report: Value = serde_json::from_str(&stdout(&[&args[..], &["--json"]].concat())).unwrap();
    let search = &report["search"];
    assert_eq!(search["depth"], 4);
    let parts = search["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2);
    let estimate = |score: &Value| score["cp"].as_i64().unwrap();
    let implied: Vec<i64> = parts.iter().map(|part| estimate(&part["implied"])).collect();
    for (at, part) in parts.iter().enumerate() {
        let sum = estimate(&part["move"]) + estimate(&parts[1 - at]["non_move"]);
        assert_eq!(implied[at], sum, "{search}");
    }
    let best = implied.iter().max().unwrap();
    assert_eq!(estimate(&search["score"]), *best);
    let at = implied.iter().position(|score| score == best).unwrap();
    assert_eq!(search["best"], parts[at]["best"]);
    // The same in words.
    let text = stdout(&args);
    let chosen = text.lines().find(|line| line.ends_with("chosen")).expect("a part is chosen");
    assert!(chosen.contains(search["best"].as_str().unwrap()), "{chosen}");
    let whole = stdout(&["split", FIGURE_13, "--threshold", "5", "--depth", "2"]);
    assert!(whole.contains("one part, searched as a whole"), "{whole}");
    assert!(!stdout(&["split", FIGURE_13, "--json"]).contains("search"));
}

/// A study in small: cells are recorded, and a request with other parameters is refused.
#[test]
fn the_study_of_splitting_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("study");
    let study = |more: &[&'static str]| {
        let out = out.to_str().unwrap().to_owned();
        let args = ["repro", "splitting", "--games", "2", "--nodes", "60", "--json", "--out"];
        let mut args: Vec<String> = args.map(str::to_owned).to_vec();
        args.push(out);
        args.extend(more.iter().map(|arg| (*arg).to_owned()));
        args
    };
    let run = |args: &[String]| stdout(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let refused = |args: &[String]| refused(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let both = "both:threshold=depth";
    let first = run(&study(&["--players", both]));
    let cell: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    assert_eq!((&cell["player"], &cell["nodes"]), (&json!(both), &json!(60)));
    assert_eq!(
        cell["wins"].as_u64().unwrap()
            + cell["draws"].as_u64().unwrap()
            + cell["losses"].as_u64().unwrap(),
        2
    );
    let record: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("record.json")).unwrap()).unwrap();
    assert_eq!(record["rules"], "tufts");
    assert_eq!(record["results"]["cells"][0], cell);
    for plot in record["plots"].as_array().unwrap() {
        let svg = std::fs::read_to_string(out.join(plot["file"].as_str().unwrap())).unwrap();
        assert!(svg.starts_with("<svg"));
    }

    assert!(refused(&study(&["--players", both])).contains("--resume"));
    let other = study(&["--resume", "--players", both, "--seed", "2"]);
    assert!(refused(&other).contains("with seed 1, but 2 games with seed 2 were requested"));
    let again = run(&study(&["--resume", "--players", both, "--players", "exact"]));
    assert_eq!(again.lines().next(), first.lines().next());
    assert_eq!(std::fs::read_dir(out.join("cells")).unwrap().count(), 2);
    assert!(refused(&study(&["--resume", "--players", "clever"])).contains("no player 'clever'"));
}

#[test]
fn what_no_table_holds_is_proved_with_a_certificate() {
    let won = "7/2C4/7/7/7/7/6e/1t3l1/E4PD w";
    let proved: Value = serde_json::from_str(&stdout(&["prove", won, "--json"])).unwrap();
    assert_eq!((&proved["outcome"], &proved["plies"]), (&json!("win"), &json!(3)));
    assert_eq!(proved["by"], "race");
    assert_eq!(proved["certificate"]["part"], json!(["c8"]));
    assert_eq!(proved["certificate"]["strategy"][0]["after"], 0);
    assert!(stdout(&["prove", won]).contains("wins within 3 plies, proved and checked"));
    let start = stdout(&["prove", jungle::fen::START, "--pieces", "1", "--json"]);
    let start: Value = serde_json::from_str(&start).unwrap();
    assert_eq!((&start["outcome"], &start["certificate"]), (&Value::Null, &Value::Null));
    assert!(refused(&["prove", "3C3/7/7/7/7/7/7/7/6r b"]).contains("the game is over"));
}

#[test]
fn tempo_tables_are_counted_by_passes() {
    let table = stdout(&["tb", "tempo", "D-D", "--passes", "1", "--json"]);
    let table: Value = serde_json::from_str(&table).unwrap();
    let rows = table["rows"].as_array().unwrap();
    assert_eq!((&table["class"], rows.len()), (&json!("D-D"), 9));
    assert_eq!((&rows[2]["white"], &rows[2]["black"]), (&json!(0), &json!("any")));
    // Two pieces of equal strength never draw, unless somebody may wait.
    assert_eq!(rows[0]["draws"], json!([0, 0]));
    assert!(table["sensitive"].as_u64() > Some(0));
    assert!(stdout(&["tb", "tempo", "D-D"]).contains("have another outcome"));
    assert!(refused(&["tb", "tempo", "RC-DE"]).contains("two and three"));
}

#[test]
fn what_the_thesis_leaves_open_can_be_chosen() {
    let players = ["match", "--a", "both:threshold=4,cut=at-least", "--b", "ordering"];
    let play = |more: &[&str]| {
        let rules = ["--rules", "tufts", "--openings", "burnett-removal", "--move-limit", "6"];
        let limits = ["--nodes", "300", "--games", "4", "--json"];
        let all: Vec<&str> = [&players[..], &rules, &limits, more].concat();
        stdout(&all)
    };
    let settings = play(&["--interrupted", "root"]);
    assert!(settings.contains("both:threshold=4,cut=at-least,interrupted=root"), "{settings}");
    let error = refused(&["match", "--a", "random", "--b", "greedy", "--interrupted", "root"]);
    assert!(error.contains("plain, ordering, split and both"), "{error}");
    let error = refused(&["match", "--a", "both:cut=below", "--b", "random"]);
    assert!(error.contains("expected above or at-least"), "{error}");
}
