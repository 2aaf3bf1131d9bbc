//! Endgame tables as a user or another program meets them.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use jungle::{EndReason, Jungle, Position, Rules, parse_move};
use serde_json::Value;
use tablebase::build::{Options, Wanted};
use tablebase::set_folder;
use tempfile::TempDir;

/// A folder with the tables of up to this many pieces.
fn build(rules: &Rules, pieces: u32) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let folder = set_folder(dir.path(), rules);
    let wanted = Wanted::Pieces(pieces);
    tablebase::build::build(rules, &folder, &wanted, &Options::default(), &mut |_| ()).unwrap();
    dir
}

/// Three pieces under `leiden`, built once and never written to.
fn leiden() -> &'static Path {
    static SET: OnceLock<TempDir> = OnceLock::new();
    SET.get_or_init(|| build(&Rules::LEIDEN, 3)).path()
}

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mousetrap"));
    command.args(args).arg("--dir").arg(dir);
    command
}

/// `mousetrap tb` under `leiden`.
fn tb(dir: &Path, args: &[&str]) -> Output {
    let args = [&["tb"], args, &["--rules", "leiden"]].concat();
    command(dir, &args).output().unwrap()
}

fn text(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).expect("JSON");
    String::from_utf8_lossy(&output.stdout).lines().map(parse).collect()
}

fn complaint(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Figure 3 of van Rijn & Vis (2014).
const FIGURE_3: [(&str, &str, Option<u32>); 4] = [
    ("7/7/3e3/7/7/7/3E3/7/7 w - - 0 1", "loss", Some(12)),
    ("t6/7/T6/7/7/7/7/7/7 w - - 0 1", "win", Some(19)),
    ("d6/7/7/7/7/7/5C1/7/7 w - - 0 1", "draw", None),
    ("7/7/3e3/7/6L/7/7/7/7 w - - 0 1", "loss", Some(16)),
];

#[test]
fn probe_knows_the_published_endgames() {
    for (fen, outcome, plies) in FIGURE_3 {
        let probed = &json(&tb(leiden(), &["probe", fen, "--json"]))[0];
        assert_eq!(probed["fen"], fen);
        assert_eq!(probed["outcome"], outcome);
        assert_eq!(probed["plies"].as_u64(), plies.map(u64::from));
        let moves = probed["moves"].as_array().unwrap();
        let legal = Jungle::new(Rules::LEIDEN);
        let position: Position = fen.parse().unwrap();
        assert_eq!(moves.len(), game::Game::moves(&legal, &position).len());
        assert_eq!(moves[0]["outcome"], outcome);
        assert_eq!(moves[0]["plies"], probed["plies"]);
        for probed in moves {
            parse_move(&legal, &position, probed["move"].as_str().unwrap()).unwrap();
        }
    }
    let words = text(&tb(leiden(), &["probe", FIGURE_3[1].0]));
    assert!(words.contains("Red to move wins in 19 plies"), "{words}");
    assert!(words.contains("9  t"), "{words}");
}

#[test]
fn finished_games_have_no_plies_left() {
    for (fen, outcome) in [("3C3/7/7/7/7/7/7/7/6r b", "loss"), ("7/7/7/7/7/7/7/7/C6 w", "win")] {
        let probed = &json(&tb(leiden(), &["probe", fen, "--json"]))[0];
        assert_eq!((&probed["outcome"], &probed["plies"]), (&outcome.into(), &0.into()), "{fen}");
        assert_eq!(probed["moves"].as_array().unwrap().len(), 0);
    }
}

#[test]
fn a_stream_goes_on_after_bad_lines() {
    let mut child = command(leiden(), &["tb", "probe", "--stdin", "--json", "--rules", "leiden"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    // Every answer comes before the next question is asked.
    for (fen, outcome, plies) in FIGURE_3 {
        for question in ["nonsense", "l5t/7/7/7/7/7/7/7/T4RL w", "\u{0}"] {
            writeln!(input, "{question}").unwrap();
            let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
            assert!(answer["error"].is_string() && answer["outcome"].is_null(), "{answer}");
        }
        writeln!(input, "{fen}").unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["outcome"], outcome);
        assert_eq!(answer["plies"].as_u64(), plies.map(u64::from));
    }
    drop(input);
    assert!(answers.next().is_none());
    let output = child.wait_with_output().unwrap();
    assert!(complaint(&output, 2).contains("12 of 16 lines"));
}

#[test]
fn lines_end_when_they_promise_to() {
    let jungle = Jungle::new(Rules::LEIDEN);
    let more = ["7/1t5/7/7/3E3/7/2R4/7/7 b - - 0 1", "7/7/4r2/7/7/7/1D1C3/7/7 b - - 0 1"];
    for fen in FIGURE_3.iter().map(|row| row.0).chain(more) {
        let line = &json(&tb(leiden(), &["line", fen, "--json"]))[0];
        let mut position: Position = fen.parse().unwrap();
        for mv in line["line"].as_array().unwrap() {
            assert!(jungle.ending(&position).is_none());
            let mv = parse_move(&jungle, &position, mv.as_str().unwrap()).unwrap();
            game::Game::make(&jungle, &mut position, mv);
        }
        if line["outcome"] == "draw" {
            assert!(!line["drawing"].as_array().unwrap().is_empty() && line["ending"].is_null());
            continue;
        }
        let plies = line["line"].as_array().unwrap().len();
        assert_eq!(line["plies"], plies, "{fen}");
        let ending = jungle.ending(&position).expect("played to the end");
        assert!(matches!(ending.reason, EndReason::Den | EndReason::Annihilation));
        let start: Position = fen.parse().unwrap();
        let is_won = ending.winner == Some(start.turn());
        assert_eq!(line["outcome"], if is_won { "win" } else { "loss" });
        assert_eq!(line["ending"]["text"], ending.to_string());
    }
    let words = text(&tb(leiden(), &["line", FIGURE_3[1].0]));
    assert!(words.contains("\n1. T") && words.contains("10. T"), "{words}");
    assert!(words.contains("Red wins by"), "{words}");
    assert!(text(&tb(leiden(), &["line", FIGURE_3[2].0])).contains("keep the draw"));
}

#[test]
fn stats_are_the_published_ones() {
    let rows = json(&tb(leiden(), &["stats", "--json"]));
    let columns = ["pieces", "placements", "stalemates", "wins", "losses", "draws", "longest"];
    let expected: [[u64; 7]; 2] = [
        [2, 160_068, 0, 82_852, 64_501, 12_715, 34],
        [3, 54_355_896, 1_212, 30_297_857, 23_369_820, 687_007, 67],
    ];
    assert_eq!(rows.len(), 2);
    for (row, expected) in rows.iter().zip(expected) {
        assert_eq!(columns.map(|column| row[column].as_u64().unwrap()), expected);
    }
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let args = ["repro", "table2", "--pieces", "3", "--json", "--out", folder];
    let output = command(leiden(), &args).output();
    let compared = &json(&output.unwrap())[0];
    assert_eq!(compared["equal"], true);
    assert!(out.path().join("table2.csv").exists());
    assert!(
        complaint(&command(leiden(), &["repro", "table3"]).output().unwrap(), 2).contains("table2")
    );
}

/// Where having no legal move loses, such positions are losses like any other and also counted separately; the
/// small tables are built when they are first needed.
#[test]
fn stats_add_up_where_having_no_move_loses() {
    let dir = tempfile::tempdir().unwrap();
    let output = command(dir.path(), &["tb", "stats", "--json"]).output().unwrap();
    let rows = json(&output);
    assert_eq!(rows.len(), 2, "{output:?}");
    for row in rows {
        let number = |key: &str| row[key].as_u64().unwrap();
        assert_eq!(number("placements"), number("wins") + number("losses") + number("draws"));
        assert!(number("stalemates") <= number("losses"));
    }
    // Under these rules the dog is the weaker, so that it wins less often against the wolf.
    let args = ["tb", "stats", "--pieces", "2", "--per-class", "--json"];
    let rows = json(&command(dir.path(), &args).output().unwrap());
    let wins = |class: &str| {
        rows.iter().find(|row| row["class"] == class).unwrap()["wins"].as_u64().unwrap()
    };
    assert!(wins("D-W") < wins("W-D"));
    let stronger = "7/7/3d3/7/7/7/3W3/7/7 w";
    let probed = command(dir.path(), &["tb", "line", stronger, "--json"]).output().unwrap();
    assert_ne!(json(&probed)[0]["outcome"], "loss");
}

#[test]
fn isomorphic_classes_have_equal_stats() {
    let rows = json(&tb(leiden(), &["stats", "--per-class", "--json"]));
    assert_eq!(rows.len(), 64 + 448);
    let counts = |class: &str| {
        let row =
            rows.iter().find(|row| row["class"] == class).unwrap_or_else(|| panic!("{class}"));
        let mut row = row.as_object().unwrap().clone();
        row.remove("class");
        row
    };
    for class in ["C-D", "C-P", "C-E"] {
        assert_eq!(counts("C-W"), counts(class));
    }
    assert_eq!(counts("EC-W"), counts("EC-D"));
    assert_ne!(counts("C-W"), counts("W-C"));
    assert_ne!(counts("C-W"), counts("C-L"));
    let sum: u64 = rows.iter().map(|row| row["wins"].as_u64().unwrap()).sum();
    assert_eq!(sum, 82_852 + 30_297_857);
}

#[test]
fn records_are_as_long_as_the_stats_say() {
    let rows = json(&tb(leiden(), &["longest", "--pieces", "2", "--json"]));
    let longest = rows.iter().map(|row| row["plies"].as_u64().unwrap()).max();
    assert_eq!(longest, Some(34));
    for class in ["E-R", "D-C", "LC-T"] {
        let row = &json(&tb(leiden(), &["longest", "--class", class, "--json"]))[0];
        assert_eq!(row["class"], class);
        let probed = &json(&tb(leiden(), &["probe", row["fen"].as_str().unwrap(), "--json"]))[0];
        assert_eq!(probed["plies"], row["plies"]);
        assert_eq!(probed["outcome"], row["outcome"]);
        let fens = row["fens"].as_array().unwrap();
        assert_eq!(fens[0], row["fen"]);
        assert!(fens.len() <= 3 && fens.len() as u64 <= row["count"].as_u64().unwrap());
    }
    assert!(text(&tb(leiden(), &["longest", "--class", "T-T"])).contains("to move"));
}

#[test]
fn verify_passes_and_names_damage() {
    let dir = build(&Rules::LEIDEN, 2);
    let rows = json(&tb(dir.path(), &["verify", "--full", "--json"]));
    assert!(rows.iter().all(|row| row["ok"] == true && row["positions"].as_u64() > Some(0)));
    assert!(text(&tb(dir.path(), &["verify"])).contains("tables are good"));

    let file: PathBuf = dir.path().join("leiden/E-R.mtb");
    let file = if file.exists() { file } else { dir.path().join("leiden/C-R.mtb") };
    let name = file.file_name().unwrap().to_str().unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&file, bytes).unwrap();
    for more in [&[][..], &["--full"]] {
        let output = tb(dir.path(), &[&["verify"], more].concat());
        assert!(complaint(&output, 1).contains(name));
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(printed.contains(name) && printed.contains("rebuild it"), "{printed}");
    }
}

/// What was verified stands in a ledger; what was replaced since counts no more, nor does what relies on it.
#[test]
fn verified_tables_stand_in_a_ledger() {
    let dir = tempfile::tempdir().unwrap();
    text(&tb(dir.path(), &["build", "--class", "EC-R"]));
    let folder = dir.path().join("leiden");
    let ledger = folder.join("verified.jsonl");
    let files = |rows: &[Value], is_wanted: fn(&Value) -> bool| -> Vec<String> {
        let wanted = rows.iter().filter(|row| is_wanted(row));
        wanted.map(|row| row["file"].as_str().unwrap().to_owned()).collect()
    };
    let verify = |more: &[&str]| {
        let classes = ["--class", "C-R", "--class", "E-R", "--class", "EC-R"];
        let rows =
            json(&tb(dir.path(), &[&["verify", "--full", "--json"], &classes[..], more].concat()));
        assert!(rows.len() == 3 && rows.iter().all(|row| row["ok"] == true), "{rows:?}");
        files(&rows, |row| row["seconds"].is_number())
    };
    let listed = || {
        let rows = json(&tb(dir.path(), &["list", "--json"]));
        files(&rows, |row| {
            row["verified"]["good"] == true && row["verified"]["version"].is_string()
        })
    };
    assert!(listed().is_empty());
    assert_eq!(verify(&[]).len(), 3);
    assert_eq!(listed().len(), 3);
    assert!(text(&tb(dir.path(), &["list"])).contains("3 of "));
    assert!(verify(&[]).is_empty());
    assert_eq!(verify(&["--again"]).len(), 3);

    // Killed while it wrote the line of the last table.
    let lines = std::fs::read_to_string(&ledger).unwrap();
    let lines: String = lines.split_inclusive('\n').take(3).collect();
    std::fs::write(&ledger, &lines[..lines.len() - 20]).unwrap();
    assert_eq!(listed().len(), 2);
    assert_eq!(verify(&[]).len(), 1);
    assert_eq!(listed().len(), 3);

    // The same table in another form is another table.
    std::fs::remove_file(folder.join("C-R.mtb")).unwrap();
    text(&tb(dir.path(), &["build", "--class", "C-R", "--both-sides"]));
    assert_eq!(listed(), ["E-R.mtb"]);
    assert_eq!(verify(&[]).len(), 2);
    assert_eq!(listed().len(), 3);
}

#[test]
fn exported_text_agrees_with_probing() {
    let exported = text(&tb(leiden(), &["export", "LC-T", "--sample", "200", "--seed", "3"]));
    assert_eq!(exported.lines().count(), 200);
    let mut child = command(leiden(), &["tb", "probe", "--stdin", "--json", "--rules", "leiden"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let columns: Vec<Vec<&str>> = exported.lines().map(|line| line.split('\t').collect()).collect();
    for row in &columns {
        writeln!(input, "{}", row[0]).unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    for (row, probed) in columns.iter().zip(json(&output)) {
        assert_eq!(probed["outcome"], row[1]);
        assert_eq!(probed["moves"][0]["move"], row[2]);
        assert_eq!(probed["plies"].as_u64(), row[3].parse().ok());
    }
}

#[test]
fn exports_list_every_placement_once() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (plain, columns) = (file("a.txt"), file("a.parquet"));
    text(&tb(leiden(), &["export", "E-R", "--out", &plain]));
    let exported = std::fs::read_to_string(plain).unwrap();
    let lines: std::collections::HashSet<&str> = exported.lines().collect();
    assert_eq!((lines.len(), exported.lines().count()), (49 * 60, 49 * 60));
    text(&tb(leiden(), &["export", "E-R", "--format", "parquet", "--out", &columns]));
    let bytes = std::fs::read(columns).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "nothing else is left behind");
    assert!(
        complaint(&tb(leiden(), &["export", "E-R", "--format", "parquet"]), 2).contains("--out")
    );
}

#[test]
fn what_is_missing_is_named_with_a_remedy() {
    let four = "l5t/7/7/7/7/7/7/7/T5L w";
    for args in [&["probe", four][..], &["line", four], &["stats", "--pieces", "4"]] {
        let message = complaint(&tb(leiden(), args), 1);
        assert!(message.contains(".mtb"), "{message}");
        assert!(
            message.contains("mousetrap tb build --pieces 4 --rules leiden --dir"),
            "{message}"
        );
    }
    let five = complaint(&tb(leiden(), &["probe", "l5t/7/7/7/7/7/7/7/T4RL w"]), 2);
    assert!(five.contains("5 pieces") && five.contains("--pieces 5"), "{five}");
    let four = complaint(&tb(leiden(), &["longest", "--pieces", "4"]), 1);
    assert!(four.contains("no tables of 4 pieces"), "{four}");
    let empty = tempfile::tempdir().unwrap();
    assert!(complaint(&tb(empty.path(), &["verify"]), 1).contains("mousetrap tb build"));
    assert!(complaint(&tb(leiden(), &["probe", "7/7 w"]), 2).contains("nine ranks"));
    assert!(complaint(&tb(leiden(), &["export", "EE-R"]), 2).contains("is not a class"));
}

/// Finished classes are kept; a later run takes them from the file and checks the rest.
#[test]
fn races_go_on_where_they_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("races.jsonl");
    let args = ["races", "--pieces", "2", "--json", "--out", path.to_str().unwrap()];
    let all = text(&tb(leiden(), &args));
    let kept = std::fs::read_to_string(&path).unwrap();
    assert_eq!(kept.lines().count() + 1, all.lines().count(), "all classes, and the sum");
    // As after a kill in the middle of the second line.
    let end = kept.find('\n').unwrap();
    std::fs::write(&path, &kept[..end + 20]).unwrap();
    assert_eq!(text(&tb(leiden(), &args)), all);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), kept);
    std::fs::write(&path, kept.replace("leiden", "tufts")).unwrap();
    let refused = tb(leiden(), &args);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is about tufts"));
}
