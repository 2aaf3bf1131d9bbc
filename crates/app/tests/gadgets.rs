//! `mousetrap gadgets` as a user or another program meets it.

mod common;

use std::process::{Command, Output};

use serde_json::Value;

use common::{complaint, json_rows, printed};

fn mousetrap(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mousetrap"));
    command.arg("gadgets").args(args).output().expect("it starts")
}

fn stdout(args: &[&str]) -> String {
    printed(mousetrap(args))
}

fn json(args: &[&str]) -> Vec<Value> {
    json_rows(&stdout(args))
}

/// Runs a command that must be refused and gives its complaint.
fn refused(args: &[&str]) -> String {
    complaint(mousetrap(args), 2)
}

#[test]
fn every_listed_gadget_can_be_shown() {
    let listed = json(&["list", "--json"]);
    assert!(listed.len() >= 20);
    for gadget in listed {
        let name = gadget["name"].as_str().unwrap();
        let shown = &json(&["show", name, "--json"])[0];
        assert_eq!(shown["width"], gadget["width"], "{name}");
    }
}

#[test]
fn verdicts_come_with_states_and_lines() {
    let verdicts = json(&["verify", "white-edge", "mended-relay", "--json"]);
    let failing: Vec<&Value> = verdicts.iter().filter(|v| v["verdict"] == "FAILS").collect();
    assert_eq!(failing.len(), 1);
    assert_eq!(failing[0]["line"].as_array().unwrap().len(), 5);
    assert!(verdicts.iter().all(|verdict| verdict["states"].as_u64().unwrap() > 0));
}

#[test]
fn a_formula_becomes_a_board_and_is_won_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formula.cnf");
    std::fs::write(&file, "p cnf 4 2\n1 2 0\n1 3 4 0\n").unwrap();
    let text = folder.path().join("board.txt");
    let (file, text) = (file.to_str().unwrap(), text.to_str().unwrap());
    let compiled = &json(&["compile", file, "--text", text, "--json"])[0];
    assert_eq!(compiled["winner"], "White");
    assert_eq!(compiled["board_is_circuit"], true);
    let shown = &json(&["show", text, "--json"])[0];
    assert_eq!(shown["width"], compiled["width"]);
    assert_eq!(shown["board"].as_str().unwrap(), std::fs::read_to_string(text).unwrap());

    let white = &json(&["play", file, "--json"])[0];
    assert_eq!((&white["strategist"], &white["winner"]), (&"White".into(), &"White".into()));
    let search =
        &json(&["play", "x & y", "--adversary", "search", "--first", "black", "--json"])[0];
    assert_eq!((&search["strategist"], &search["winner"]), (&"Black".into(), &"Black".into()));
    let black = &json(&["play", "x & y", "--against", "random", "--json"])[0];
    assert_eq!((&black["strategist"], &black["winner"]), (&"Black".into(), &"Black".into()));
}

#[test]
fn whole_boards_are_solved_and_strategies_tried() {
    for (first, winner) in [("white", "white"), ("black", "black")] {
        let solved = &json(&["solve", "x", "--first", first, "--json"])[0];
        assert_eq!(solved["winner"], winner);
        assert_eq!(solved["states"], 41);
    }
    let wide = refused(&["solve", "(a | b | c) & (d | e | f)"]);
    assert!(wide.contains("shorter formula"), "{wide}");
    let tried = &json(&["trial", "--formulas", "2", "--stepping", "--json"])[0];
    assert_eq!((&tried["lost_by_white"], &tried["lost_by_black"]), (&0.into(), &0.into()));
    assert_eq!(tried["broken_contracts"], 0);
}

#[test]
fn the_count_of_the_published_protector_depends_on_the_strength_of_trapped_pieces() {
    let chain = |trapped: &str| {
        let lines = json(&["protector", "--trapped", trapped, "--panthers", "2", "--json"]);
        let of =
            |line: &&Value| line["edges"] == 3 && line["above"] == 2 && line["at_in"].is_null();
        lines.iter().find(of).unwrap()["leak"].clone()
    };
    assert_eq!(chain("zero"), Value::Null);
    assert_eq!(chain("full")[0], serde_json::json!([0, 0, 0, 2]));
}

#[test]
fn the_published_gadgets_make_a_board() {
    let board = &json(&["compile", "(x | y) & (y | z)", "--walking", "--json"])[0];
    assert_eq!((&board["gates"], &board["wires"]), (&8.into(), &8.into()));
    assert_eq!(board["board_is_circuit"], true);
    assert!(refused(&["compile", "(x | y) & (x | z)", "--walking"]).contains("crossings"));
}

#[test]
fn bad_input_is_refused_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.txt");
    std::fs::write(&file, "~.~\n~x~\n").unwrap();
    assert!(refused(&["show", file.to_str().unwrap()]).contains("line 2, column 2"));
    assert!(refused(&["show", "nothing"]).contains("gadgets list"));
    assert!(refused(&["compile", "(x | !y)"]).contains("line 1, column 6"));
    assert!(refused(&["play", "p cnf 1 1\n-1 0"]).contains("line 2, column 1"));
    assert!(refused(&["verify", "nothing"]).contains("gadgets list"));
}
