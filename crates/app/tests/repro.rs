//! Burnett's experiments in small, and the page of all results, as a user meets them.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use common::{complaint, json_rows, printed};

/// Runs in a folder, where records and games go.
fn mousetrap(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mousetrap"));
    command.current_dir(folder).args(args).output().expect("it starts")
}

fn stdout(folder: &Path, args: &[&str]) -> String {
    printed(mousetrap(folder, args))
}

fn json(folder: &Path, args: &[&str]) -> Vec<Value> {
    let text = stdout(folder, &[args, &["--json"]].concat());
    json_rows(&text)
}

fn refused(folder: &Path, args: &[&str]) -> String {
    complaint(mousetrap(folder, args), 2)
}

fn record(folder: &Path, name: &str) -> Value {
    let path = folder.join("results").join(name).join("record.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_list_names_every_table_and_figure() {
    let dir = tempfile::tempdir().unwrap();
    let list = stdout(dir.path(), &["repro", "--list"]);
    for name in [
        "table1", "depth14", "table2", "figures", "gain", "figure19", "figure20", "figure21",
        "figure22", "depth30", "amazons",
    ] {
        let at = list.lines().position(|line| line.starts_with(&format!("{name} ")));
        let at = at.unwrap_or_else(|| panic!("{name} is missing: {list}"));
        assert!(list.lines().nth(at + 1).unwrap().contains("takes "), "{name} takes how long?");
    }
}

#[test]
fn the_list_is_data_too() {
    let dir = tempfile::tempdir().unwrap();
    let list = &json(dir.path(), &["repro", "--list"])[0];
    let studies = list.as_array().unwrap();
    let names = studies.iter().map(|study| study["name"].as_str().unwrap());
    assert!(names.eq(studies::registry::published().map(|study| study.name)));
    let table1 = studies.iter().find(|study| study["name"] == "table1").unwrap();
    assert!(table1["source"].as_str().unwrap().starts_with("van Rijn & Vis (2013)"));
    let plies = &table1["parameters"][0];
    assert_eq!((&plies["name"], &plies["kind"]), (&"plies".into(), &"integer".into()));
    assert_eq!((&plies["default"], &plies["help"]), (&"7".into(), &"How many plies".into()));
    assert!(studies.iter().all(|study| study["takes"].is_string() && study["title"].is_string()));
    assert!(refused(dir.path(), &["repro"]).contains("--list"));
}

#[test]
fn figures_are_read_off_one_set_of_games() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let small = ["--depth", "2", "--games", "6"];
    let with = |name: &'static str, more: &[&'static str]| -> Vec<&'static str> {
        [&["repro", name][..], &small, more].concat()
    };
    // In two parts, as on two machines.
    stdout(dir, &with("figure19", &["--shard", "1/2"]));
    assert!(refused(dir, &with("figure19", &["--resume"])).contains("--shard"));
    assert!(refused(dir, &with("figure19", &[])).contains("--resume"));
    stdout(dir, &with("figure19", &["--shard", "2/2"]));
    let rows = json(dir, &with("figure19", &["--resume"]));
    assert_eq!(rows.len(), 4);
    for (row, name) in rows.iter().zip([
        "ordering v plain",
        "split v plain",
        "split v ordering",
        "both v ordering",
    ]) {
        assert_eq!(row["configuration"], name);
        let total: u64 =
            ["wins", "draws", "losses"].map(|key| row[key].as_u64().unwrap()).iter().sum();
        assert_eq!(total, 6);
        let published =
            ["wins", "draws", "losses"].map(|key| row["published"][key].as_u64().unwrap());
        assert_eq!(published.iter().sum::<u64>(), 40);
        assert_eq!(row["faults"], 0);
    }
    // The same games at once, elsewhere, on two threads.
    let again = json(dir, &with("figure19", &["--games-dir", "other", "--concurrency", "2"]));
    let digests = |rows: &[Value]| rows.iter().map(|row| row["digest"].clone()).collect::<Vec<_>>();
    assert_eq!(digests(&rows), digests(&again));

    let kept = record(dir, "figure19");
    assert_eq!(kept["rules"], "tufts");
    assert_eq!(kept["parameters"]["games"], 6);
    assert_eq!(kept["results"].as_array().unwrap().len(), 4);
    for file in ["results.csv", "scores.svg", "games.svg"] {
        assert!(dir.join("results/figure19").join(file).exists(), "{file}");
    }

    let cuts = &json(dir, &with("figure21", &["--resume"]))[0];
    assert_eq!(cuts["games"], 18);
    assert!(cuts["splits"].as_u64().unwrap() > 0);
    let text = stdout(dir, &with("figure21", &["--resume"]));
    assert!(text.contains("published") && text.contains("2 parts: "), "{text}");

    let text = stdout(dir, &["report", "--out", "page.html"]);
    assert!(text.starts_with("2 records"), "{text}");
    let page = std::fs::read_to_string(dir.join("page.html")).unwrap();
    assert_eq!(page.matches("<figure>").count(), 2 + 6);
    for outside in ["src=", "href=\"http", "url(", "@import", "<script"] {
        assert!(!page.contains(outside), "{outside} refers to something outside");
    }
    assert!(page.contains("Figure 19") && page.contains("split v plain") && page.contains("tufts"));
    assert!(refused(dir, &["report", "--dir", "nowhere"]).contains("mousetrap repro"));
}

#[test]
fn depths_follow_the_effort() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let rows = json(dir, &["repro", "figure20", "--nodes", "600", "--games", "2"]);
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row["mean_depth"].as_f64().unwrap() >= 2.0));
    assert_eq!(rows[3]["published"], 9.28);

    let rows = json(dir, &["repro", "figure22", "--nodes", "3000", "--games", "2"]);
    let depth = |at: usize| rows[at]["depth_of_both"].as_f64().unwrap();
    assert!(depth(0) > depth(2), "{} {}", depth(0), depth(2));
    assert_eq!(rows[1]["limit"], "500 nodes a move");
    assert!(dir.join("results/figure22/depth.svg").exists());
    let other = refused(dir, &["repro", "figure22", "--depth", "3"]);
    assert!(other.contains("unexpected argument '--depth'"), "{other}");
    let help = stdout(dir, &["repro", "figure22", "--help"]);
    assert!(help.contains("--nodes") && !help.contains("--plies"), "{help}");
    assert!(refused(dir, &["repro", "figure19", "--games", "3"]).contains("odd"));
    assert!(refused(dir, &["repro", "figure19", "--time", "0"]).contains("0.1"));
    let two = refused(dir, &["repro", "figure19", "--nodes", "9", "--depth", "2"]);
    assert!(two.contains("give one limit"), "{two}");
}

#[test]
fn the_gain_is_predicted_and_measured() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["repro", "gain", "--positions", "6", "--depth", "3", "--nodes", "3000"];
    let results = &json(dir.path(), &args)[0];
    assert_eq!(results["positions"], 6);
    let depths = results["depths"].as_array().unwrap();
    assert_eq!(depths.len(), 3);
    assert!((depths[1]["predicted"].as_f64().unwrap() - 62.0 / 15.0 / 8.0).abs() < 1e-9);
    assert_eq!(results["gains"][0]["comparison"], "split v plain");
    assert!(dir.path().join("results/gain/gain.svg").exists());
}
