//! `mousetrap escape`, its players and its experiment as a user meets them.

mod common;

use serde_json::Value;

use common::{json, refused, stdout};

#[test]
fn the_published_example_is_told() {
    let text = stdout(&["escape", "--published"]);
    assert!(text.contains("test    q3: +0.667 ≥ l(0.800) = -1.000, 4 of 5 visited: it escapes"));
    assert!(text.contains("judge   q3: refuted: another child of the root is better"));
    assert!(text.contains("after 31 of 120 units: good enough to move"), "{text}");
}

#[test]
fn a_search_is_explained_in_words_data_and_a_picture() {
    let dir = tempfile::tempdir().unwrap();
    let svg = dir.path().join("tree.svg");
    let text = stdout(&["escape", "--explain", "--left", "20000", "--svg", svg.to_str().unwrap()]);
    for part in ["move ", "The first steps", "Candidates at the root", "The tree", "The budget"] {
        assert!(text.contains(part), "{part} is missing from {text}");
    }
    assert!(text.contains("good enough to move"));
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("The budget curve"));

    let fen = "7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w";
    let shown = json(&["escape", fen, "--global", "linear(0,0.1)", "--left", "30000"]);
    assert_eq!(shown["global"], "linear(0,0.1)");
    assert_eq!(shown["ended"], "good enough to move");
    let last = shown["budget"].as_array().unwrap().last().unwrap();
    assert!(last["value"].as_f64() > last["threshold"].as_f64(), "{last}");
    assert_eq!(last["spent"], shown["spent"]);
    assert!(!shown["candidates"].as_array().unwrap().is_empty());
    assert_eq!(shown, json(&["escape", fen, "--global", "linear(0,0.1)", "--left", "30000"]));
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    assert!(refused(&["escape", "--local", "cubic(3)"]).contains("sigmoid(M,K)"));
    assert!(refused(&["escape", "--set", "memory=3"]).contains("from 10000"));
    assert!(refused(&["escape", "3C3/7/7/7/7/7/7/7/6r b"]).contains("the game is over"));
    assert!(refused(&["escape", "nonsense"]).contains("bad FEN"));
    assert!(refused(&["repro", "complexity", "--games", "3"]).contains("even number"));
    let contender = ["amazons", "match", "--size", "6", "--games", "2", "--a", "escape"];
    assert!(refused(&contender).contains("--game-nodes"));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, "0 1\n0.5 0\n").unwrap();
    let curve = format!("file({})", file.path().display());
    assert!(refused(&["escape", "--local", &curve]).contains("ends with '1 -1'"));
}

#[test]
fn it_plays_matches_over_a_budget_for_the_game() {
    let args = [
        "match",
        "--a",
        "escape:local=power(4),global=linear(0,0.07)",
        "--b",
        "ordering",
        "--game-nodes",
        "4000",
        "--games",
        "2",
        "--rules",
        "tufts",
        "--move-limit",
        "30",
    ];
    let played = json(&args);
    assert_eq!(played, json(&args), "the same seed, the same games");
    let args = [
        "amazons",
        "match",
        "--size",
        "5",
        "--games",
        "2",
        "--a",
        "escape:local=never",
        "--b",
        "plain",
        "--game-nodes",
        "2000",
    ];
    let played = json(&args);
    assert_eq!(played["budget"], "2000 nodes a game");
    assert_eq!(played, json(&args));
}

#[test]
fn memory_stays_flat() {
    let text = stdout(&["bench", "escape", "--expansions", "20000", "--memory", "10000", "--json"]);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 10);
    assert!(rows[9]["prunings"].as_u64() > Some(3), "{}", rows[9]);
}
