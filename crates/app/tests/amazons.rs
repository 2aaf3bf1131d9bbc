//! `mousetrap amazons` and `mousetrap repro amazons` as a user meets them.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use common::{json_rows, mousetrap, stdout};

fn json_lines(args: &[&str]) -> Vec<Value> {
    json_rows(&stdout(args))
}

#[test]
fn perft_counts_the_known_first_moves() {
    let rows = json_lines(&["amazons", "perft", "1", "--json"]);
    assert_eq!((&rows[0]["depth"], &rows[0]["nodes"]), (&1.into(), &2176.into()));
    let small = json_lines(&["amazons", "perft", "3", "--size", "4", "--json", "--threads", "2"]);
    assert_eq!(small.len(), 3);
}

#[test]
fn show_draws_lists_and_cuts() {
    let text = stdout(&["amazons", "show", "W1xB/1x2/x1x1/2Wx", "w", "--moves", "--regions"]);
    assert!(text.contains("4  W  .  x  B") && text.contains("legal moves"), "{text}");
    assert!(text.contains("competing:"), "{text}");
    let shown = &json_lines(&["amazons", "show", "--json"])[0];
    assert_eq!(shown["moves"].as_array().unwrap().len(), 2176);
    assert_eq!(shown["regions"][0]["kind"], "competing");
    assert_eq!(shown["winner"], Value::Null);
    let dir = tempfile::tempdir().unwrap();
    let svg = dir.path().join("a.svg");
    stdout(&["amazons", "show", "--size", "6", "--svg", svg.to_str().unwrap()]);
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
}

#[test]
fn analyse_solves_an_endgame() {
    // Two squares for White, three for Black: White, to move, runs out first.
    let position = "W2x/xxxx/xxxx/B3 w";
    let analysis = &json_lines(&["amazons", "analyse", position, "--json"])[0];
    assert_eq!(analysis["winner"], "black");
    let worth: Vec<&str> = analysis["regions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["value"].as_str().unwrap())
        .collect();
    assert!(worth.contains(&"2") && worth.contains(&"-3"), "{worth:?}");
    let text = stdout(&["amazons", "analyse", "W2x/xxxx/xxxx/B1xx", "w"]);
    assert!(text.contains("solved: White wins, with a4"), "{text}");
    let over = stdout(&["amazons", "analyse", "Wxxx/xxxx/xxxx/B1xx", "w"]);
    assert!(over.contains("The game is over: Black wins"), "{over}");
}

#[test]
fn a_game_can_be_played_from_a_pipe() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mousetrap"))
        .args(["amazons", "play", "W2x/xxxx/xxxx/B1xx", "w", "--side", "white", "--seconds", "0.1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let typed = "nonsense\na4c4/d4\nundo\nmoves\na4b4/c4\nundo\na4b4/a4\nb4c4/b4\n";
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    for word in
        ["is not a move", "cannot fly from c4 to d4", "nothing to take back", "Black plays a1b1/a1"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(text.contains("The game is over: White wins"), "{text}");
}

#[test]
fn the_program_plays_itself_to_the_end() {
    let args = ["amazons", "play", "--size", "4", "--side", "none", "--seconds", "0.01"];
    assert!(stdout(&args).contains("The game is over"));
}

#[test]
fn boards_are_solved_and_proofs_are_checked() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("4x4.proof");
    let proof = file.to_str().unwrap();
    let args =
        ["amazons", "solve", "--size", "4x4", "--proof", proof, "--table-bits", "16", "--json"];
    let solved = &json_lines(&args)[0];
    assert_eq!(solved["winner"], "second");
    assert!(solved["nodes"].as_u64().unwrap() > 0 && solved["seconds"].is_number());
    let checked = &json_lines(&["amazons", "check-proof", proof, "--json"])[0];
    assert_eq!((&checked["winner"], &checked["lines"]), (&"second".into(), &solved["proof_lines"]));
    // Without its last line it is no proof, nor with the other winner.
    let text = std::fs::read_to_string(&file).unwrap();
    for broken in [text.trim_end().rsplit_once('\n').unwrap().0, &text.replace("second", "first")] {
        std::fs::write(&file, broken).unwrap();
        let output = mousetrap(&["amazons", "check-proof", proof]);
        assert_eq!(output.status.code(), Some(1));
    }
    let fen = ["amazons", "solve", "--fen", "W2x/xxxx/xxxx/B3 w", "--json"];
    assert_eq!(json_lines(&fen)[0]["winner"], "second");
    let many = mousetrap(&["amazons", "solve", "--size", "6", "--nodes", "5"]);
    assert_eq!(many.status.code(), Some(1));
}

#[test]
fn regions_are_built_verified_and_listed() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("regions.txt");
    let file = file.to_str().unwrap();
    assert!(stdout(&["amazons", "regions", file, "--build", "4"]).contains("regions of up to 4"));
    let text = stdout(&["amazons", "regions", file, "--verify", "--hottest", "2"]);
    assert!(text.contains("regions verified") && text.lines().count() == 3, "{text}");
}

#[test]
fn the_champion_plays_and_analyses() {
    let args =
        ["amazons", "analyse", "--size", "6", "--algorithm", "champion", "--depth", "2", "--json"];
    let analysis = &json_lines(&args)[0];
    assert_eq!((&analysis["algorithm"], &analysis["depth"]), (&"champion".into(), &2.into()));
    assert!(analysis["best"].is_string());
    let args = [
        "amazons",
        "match",
        "--a",
        "champion",
        "--b",
        "champion:regions=off",
        "--size",
        "5",
        "--games",
        "4",
        "--nodes",
        "500",
        "--split",
        "2",
        "--sprt",
        "0,200",
        "--json",
    ];
    let result = &json_lines(&args)[0];
    assert_eq!(result["wins"].as_u64().unwrap() + result["losses"].as_u64().unwrap(), 4);
}

#[test]
fn exactness_and_match_give_their_figures() {
    let args =
        ["amazons", "exactness", "--size", "5", "--sample", "20", "--squares", "7", "--json"];
    let figures = &json_lines(&args)[0];
    assert_eq!((&figures["solved"], &figures["disagreements"]), (&20.into(), &0.into()));
    assert_eq!(figures["rows"].as_array().unwrap().len(), 4 * 3);
    assert_eq!(figures["causes"].as_array().unwrap().len(), 4 * 3 * 9);
    assert_eq!((&figures["untraced"], &figures["mistraced"]), (&0.into(), &0.into()));
    let example = &figures["examples"][0];
    assert_ne!(example["combined"], example["minimax"]);
    let text = stdout(&args[..args.len() - 1]);
    assert!(text.contains("why values differ"), "{text}");
    assert!(text.contains(example["position"].as_str().unwrap()), "{text}");
    let args = ["amazons", "match", "--size", "4", "--games", "4", "--nodes", "200", "--json"];
    let result = &json_lines(&args)[0];
    assert_eq!(result["wins"].as_u64().unwrap() + result["losses"].as_u64().unwrap(), 4);
    assert_eq!(json_lines(&args)[0], *result, "nodes make a match reproducible");
}

#[test]
fn the_experiment_goes_on_where_it_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().to_str().unwrap();
    let repro = |more: &[&str]| {
        let mut args = vec!["repro", "amazons", "--size", "4", "--out", folder, "--json"];
        args.extend_from_slice(more);
        json_lines(&args)
    };
    let nodes = |rows: &[Value]| -> Vec<(u64, u64)> {
        let number = |row: &Value, name: &str| row[name].as_u64().unwrap();
        rows.iter().map(|row| (number(row, "plain_nodes"), number(row, "divided_nodes"))).collect()
    };
    // Half of the games in one share, half a line lost, the rest in another.
    repro(&["--games", "4", "--shard", "1/2"]);
    let file = dir.path().join("games-1-of-2.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 2);
    std::fs::write(&file, &text[..text.len() - 40]).unwrap();
    repro(&["--games", "4", "--shard", "2/2"]);
    let parts = nodes(&repro(&["--games", "4", "--shard", "1/2"]));
    assert!(std::fs::read_to_string(dir.path().join("figure3.svg")).unwrap().starts_with("<svg"));

    let whole = tempfile::tempdir().unwrap();
    let at_once = json_lines(&[
        "repro",
        "amazons",
        "--size",
        "4",
        "--games",
        "4",
        "--json",
        "--out",
        whole.path().to_str().unwrap(),
    ]);
    assert_eq!(nodes(&at_once), parts);

    std::fs::write(&file, "rubbish\n").unwrap();
    let output = mousetrap(&["repro", "amazons", "--size", "4", "--games", "4", "--out", folder]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1 of"));
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    for (args, complaint) in [
        (&["amazons", "show", "4/4/4", "w"][..], "4 to 10"),
        (&["amazons", "show", "4/4/4/3q", "w"], "means nothing"),
        (&["amazons", "show", "4/4/4/4"], "add ' w'"),
        (&["amazons", "perft", "1", "--size", "11"], "4 to 10"),
        (&["amazons", "perft", "1", "--size", "big"], "is not a size"),
        (&["amazons", "analyse", "--seconds", "0"], "above 0"),
        (&["amazons", "play", "--side", "red"], "possible values"),
        (&["amazons", "exactness", "--size", "6"], "--sample"),
        (&["amazons", "match", "--games", "3"], "even number"),
        (&["repro", "amazons", "--shard", "5/4"], "1/8"),
        (&["repro", "amazons", "--games", "0"], "--games: must be 1 or more"),
    ] {
        let output = mousetrap(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(output.stdout.is_empty(), "{args:?} printed something");
        assert!(message.contains(complaint), "{args:?}: {message}");
    }
}
