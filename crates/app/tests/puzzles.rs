//! `mousetrap puzzles` as a user meets it.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::{complaint, json, json_rows, mousetrap, printed, refused, stdout};

/// Runs `puzzles solve` with these lines as input.
fn solve(args: &[&str], input: &str) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mousetrap"))
        .args([&["puzzles", "solve"], args].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    program.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    printed(program.wait_with_output().unwrap())
}

#[test]
fn the_list_is_an_object_a_puzzle() {
    let rows = json_rows(&stdout(&["puzzles", "list", "--json"]));
    assert!(rows.len() >= 2_000);
    for row in &rows {
        let mut keys: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        let names = ["fen", "goal", "id", "proved", "rating", "rules", "solution", "themes"];
        assert_eq!(keys, names);
        assert!(matches!(row["proved"].as_str(), Some("tables" | "search")));
        assert_eq!(row["rules"], "standard");
    }
    let hard =
        json_rows(&stdout(&["puzzles", "list", "--from", "1800", "--theme", "defence", "--json"]));
    assert!(!hard.is_empty() && hard.len() < rows.len());
    assert!(hard.iter().all(|row| row["rating"].as_u64() >= Some(1800)));
    let id = rows[0]["id"].as_str().unwrap();
    assert_eq!(json(&["puzzles", "show", id]), rows[0]);
    assert!(stdout(&["puzzles", "show", id]).contains("Solution: "));
    assert!(stdout(&["puzzles", "list", "--count"]).contains("by theme"));
}

#[test]
fn a_puzzle_is_solved_move_by_move() {
    let row = &json_rows(&stdout(&["puzzles", "list", "--json"]))[0];
    let (id, moves) = (row["id"].as_str().unwrap(), row["solution"].as_array().unwrap());
    let own: Vec<&str> = moves.iter().step_by(2).map(|mv| mv.as_str().unwrap()).collect();
    let text = solve(&[id], &format!("{}\n", own.join("\n")));
    assert!(text.contains("Solved at the first try."), "{text}");
    let text = solve(&[id], &format!("z9\nhint\n{}\n", own.join("\n")));
    assert!(text.contains("Move the piece on") && text.contains("with help"), "{text}");
    // The input ends before it is solved.
    assert!(!solve(&[id], "").contains("Solved"));
    let days = ["2026-11-18", "2026-11-19"].map(|day| solve(&["--date", day], "quit\n"));
    assert_ne!(days[0], days[1]);
}

#[test]
fn help_says_how_they_were_made() {
    let text = stdout(&["puzzles", "mine", "--help"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in ["How the puzzles", "exact search", "same game", "levels from 0 to 20", "journal"] {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    assert!(refused(&["puzzles", "show", "nothing"]).contains("puzzles list"));
    assert!(refused(&["puzzles", "list", "--theme", "fork"]).contains("block-jump"));
    assert!(refused(&["puzzles", "solve", "--date", "today"]).contains("2026-11-18"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("puzzles.txt");
    let name = file.to_str().unwrap();
    assert!(complaint(mousetrap(&["puzzles", "list", "--file", name]), 1).contains("puzzles.txt"));
    std::fs::write(&file, "rules standard\na win\n").unwrap();
    assert!(refused(&["puzzles", "list", "--file", name]).contains("line 2"));

    // A puzzle whose name and solution are wrong does not pass.
    let dir = folder.path().join("tables");
    let verify = ["puzzles", "verify", "--file", name, "--dir", dir.to_str().unwrap()];
    std::fs::write(
        &file,
        "rules standard\naaaaaaaaaa win search 900 - 7/3T3/7/7/7/7/7/7/6c_w d8d9\n",
    )
    .unwrap();
    let output = mousetrap(&verify);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("its name should be") && text.contains("1 wrong"), "{text}");
    // Tables of four pieces have to be there first.
    let mine = ["puzzles", "mine", "--out", name, "--dir", dir.to_str().unwrap()];
    assert!(complaint(mousetrap(&mine), 1).contains("mousetrap tb build --pieces 4"));
}
