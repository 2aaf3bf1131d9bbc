//! The documents as `--json` prints them.

mod common;
#[path = "../../answers/tests/samples/mod.rs"]
mod samples;

use samples::{SAMPLES, build_tables, hold, is_leiden};

#[test]
fn answers_are_the_documents() {
    let folder = tempfile::tempdir().unwrap();
    build_tables(folder.path());
    let folder = folder.path().to_str().unwrap();
    for sample in SAMPLES.iter().filter(|sample| !sample.command.is_empty()) {
        let by_tables = ["--rules", "leiden", "--dir", folder];
        let more = if is_leiden(sample.name) { &by_tables[..] } else { &[] };
        hold(sample.name, common::json(&[sample.command, more].concat()));
    }
}

/// The result of a match is one document too: on the command line, in its folder, and in Python.
#[test]
fn a_match_is_its_document() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let args = ["match", "--a", "greedy", "--b", "random", "--games", "4", "--nodes", "100"];
    let more = ["--seed", "1", "--rules", "leiden", "--out", out.to_str().unwrap()];
    let printed = common::json(&[&args[..], &more].concat());
    let written = std::fs::read_to_string(out.join("result.json")).unwrap();
    assert_eq!(printed, serde_json::from_str::<serde_json::Value>(&written).unwrap());
    hold("match", printed);
}
