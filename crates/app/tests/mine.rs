//! `mousetrap mine` and `mousetrap repro figure2` as a user meets them. The small tables are built on
//! first use, into a scratch folder.

mod common;

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;

use common::{complaint, printed, shared_folder};

/// One folder for all tests: building tables takes longer than mining them.
static TABLES: LazyLock<PathBuf> = LazyLock::new(|| shared_folder("mine"));

fn mousetrap(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mousetrap"))
        .args(args)
        .env("MOUSETRAP_TABLES", TABLES.as_path())
        .output()
        .expect("it starts")
}

fn stdout(args: &[&str]) -> String {
    printed(mousetrap(args))
}

fn refused(args: &[&str], code: i32) -> String {
    complaint(mousetrap(args), code)
}

#[test]
fn figure_2_comes_out_as_published() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let text = stdout(&["repro", "figure2", "--json", "--out", &out]);
    assert!(folder.path().join("record.json").exists());
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let errors: Vec<(&str, u64)> = rows
        .iter()
        .map(|row| (row["tree"].as_str().unwrap(), row["errors"].as_u64().unwrap()))
        .collect();
    assert_eq!(errors, [("a", 0), ("a", 0), ("b", 0), ("c", 16)]);
    assert!(rows.iter().all(|row| row["equal"] == true));
}

#[test]
fn two_pieces_have_perfect_trees() {
    let args = ["mine", "--all", "--pieces", "2", "--rules", "leiden", "--json"];
    let text = stdout(&args);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 18);
    assert!(rows.iter().all(|row| row["verified_errors"] == 0 && row["errors"] == 0));
    let (whole, classes) = rows.split_last().unwrap();
    let names: usize = classes.iter().map(|row| row["same"].as_array().unwrap().len()).sum();
    assert_eq!(names, 64);
    assert_eq!(whole["class"], "all");
    assert_eq!(whole["positions"], 160_068);
}

#[test]
fn a_class_is_shown_in_every_format_and_always_the_same() {
    for (format, begins) in [
        ("text", "T-E (leiden), Red to move"),
        ("dot", "digraph \"T-E\""),
        ("svg", "<svg"),
        ("json", "{"),
        ("html", "<!doctype html>"),
    ] {
        let args = ["mine", "T-E", "--rules", "leiden", "--features", "table3", "--format", format];
        let text = stdout(&args);
        assert!(text.starts_with(begins), "{format}: {}", &text[..60.min(text.len())]);
        assert_eq!(text, stdout(&args), "{format}");
    }
}

#[test]
fn statements_are_sentences_with_numbers() {
    let text = stdout(&["mine", "C-C", "--statements", "--most", "4"]);
    assert!(text.contains("no exception") && text.contains("If "), "{text}");
    let json = stdout(&["mine", "C-C", "--statements", "--json"]);
    let row: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert!(
        row["sentence"].as_str().unwrap().ends_with('.') && row["positions"].as_u64() > Some(0)
    );
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    assert!(refused(&["mine", "XX"], 2).contains("as in EL-RT"));
    assert!(refused(&["mine", "C-C", "--format", "pdf"], 2).contains("html"));
    let unknown = refused(&["mine", "C-C", "--features", "table3,moonphase"], 2);
    assert!(unknown.contains("moonphase") && unknown.contains("--list-features"), "{unknown}");
    // Features of one piece a side do not exist for more.
    assert!(refused(&["mine", "EC-R", "--features", "table3"], 2).contains("no feature"));
    assert!(
        refused(&["mine", "C-C", "--features", "closest", "--without", "closest"], 2)
            .contains("no features are left")
    );
    // Tables of four pieces are not built on first use.
    let missing = refused(&["mine", "EL-RT"], 1);
    assert!(missing.contains("mousetrap tb build --pieces 4"), "{missing}");
    let missing = refused(&["mine", "--all", "--pieces", "4"], 1);
    assert!(missing.contains("mousetrap tb build --pieces 4"), "{missing}");
    assert_eq!(mousetrap(&["mine"]).status.code(), Some(2));
    assert_eq!(mousetrap(&["mine", "--all"]).status.code(), Some(2));
}

#[test]
fn features_are_explained() {
    let text = stdout(&["mine", "EL-RT", "--list-features"]);
    assert!(text.contains("gap(E,t)") && !text.contains("table3"), "{text}");
}
