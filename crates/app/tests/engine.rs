//! The engine's commands as a user or another program meets them.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use common::printed;

fn mousetrap(data: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mousetrap"))
        .args(args)
        .env("MOUSETRAP_TABLES", data)
        .env("XDG_DATA_HOME", data)
        .output()
        .expect("it starts")
}

fn stdout(data: &Path, args: &[&str]) -> String {
    printed(mousetrap(data, args))
}

fn json(data: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&stdout(data, args)).expect("one JSON object")
}

const FIGURE: &str = "5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w";

#[test]
fn analyse_answers_in_json() {
    let data = tempfile::tempdir().unwrap();
    let answer = json(data.path(), &["analyse", FIGURE, "--nodes", "20000", "--json"]);
    assert_eq!(answer["score"], serde_json::json!({"win": 5}));
    assert_eq!(answer["pv"].as_array().unwrap().len(), 5);
    assert_eq!(answer["pv"][0], answer["bestmove"]);
    for key in ["depth", "nodes", "nps"] {
        assert!(answer[key].is_u64(), "{key}");
    }
    assert!(answer["time"].is_f64());

    let args = ["analyse", "--depth", "4", "--lines", "2", "--no-tables", "--json"];
    let answer = json(data.path(), &args);
    assert!(answer["score"]["cp"].is_i64() && answer["lines"].as_array().unwrap().len() == 2);
    // A table says what is certain.
    let lost =
        ["analyse", "7/7/3e3/7/7/7/3E3/7/7 w", "--rules", "leiden", "--json", "--nodes", "10"];
    assert_eq!(json(data.path(), &lost)["score"], serde_json::json!({"loss": 12}));
    let over = ["analyse", "3C3/7/7/7/7/7/7/7/6r b", "--json"];
    let answer = json(data.path(), &over);
    assert!(answer["bestmove"].is_null() && answer["score"] == serde_json::json!({"loss": 0}));
}

#[test]
fn analyse_speaks_plainly() {
    let data = tempfile::tempdir().unwrap();
    let text = stdout(data.path(), &["analyse", FIGURE, "--depth", "8"]);
    assert!(text.trim_end().ends_with("wins in 5 plies"), "{text}");
    let exact = ["analyse", "--algorithm", "exact", "--depth", "5", "--rules", "leiden"];
    let text = stdout(data.path(), &exact);
    assert!(text.contains("+0.03") && text.contains("Red plays"), "{text}");
    for bad in [
        &["analyse", "7/7 w"][..],
        &["analyse", "--time", "soon"],
        &["analyse", "--threads", "0"],
        &["analyse", "--hash", "0"],
        &["analyse", "--algorithm", "exact", "--lines", "2", "--depth", "2"],
        &["analyse", "--algorithm", "plain", "--threads", "2", "--depth", "2"],
        &["analyse", "--algorithm", "plain:threshold=3", "--depth", "2"],
        &["analyse", "--algorithm", "deep", "--depth", "2"],
    ] {
        assert_eq!(mousetrap(data.path(), bad).status.code(), Some(2), "{bad:?}");
    }
}

/// Figure 13 of Burnett falls into two parts at threshold 3.
#[test]
fn analyse_knows_the_published_players() {
    let data = tempfile::tempdir().unwrap();
    let figure = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w";
    let answer = |algorithm: &str| {
        let args = ["analyse", figure, "--rules", "tufts", "--depth", "4", "--json", "--algorithm"];
        let args = [&args[..], &[algorithm]].concat();
        let answer = json(data.path(), &args);
        assert_eq!(answer["depth"], 4, "{algorithm}");
        assert_eq!(answer["pv"][0], answer["bestmove"], "{algorithm}");
        answer["score"].clone()
    };
    let plain = answer("plain");
    assert!(answer("ordering") == plain && answer("guided") == plain);
    for algorithm in ["split", "both:threshold=3", "both,threshold=3", "verified"] {
        answer(algorithm);
    }
    let args = ["analyse", figure, "--depth", "4", "--algorithm", "both:threshold=3"];
    let text = stdout(data.path(), &args);
    assert!(text.contains("in parts of 3 and 4 pieces") && text.lines().count() == 5, "{text}");
}

#[test]
fn the_bench_prints_a_signature() {
    let data = tempfile::tempdir().unwrap();
    let nodes = || json(data.path(), &["bench", "--depth", "5", "--json"])["nodes"].as_u64();
    assert!(nodes().is_some() && nodes() == nodes());
}

#[test]
fn tuning_plays_fits_and_carries_on() {
    let data = tempfile::tempdir().unwrap();
    let (games, out) = (data.path().join("games.txt"), data.path().join("weights.rs"));
    let (games_text, out_text) = (games.to_str().unwrap(), out.to_str().unwrap());
    let tune = |count: &'static str| {
        ["tune", "--nodes", "50", "--epochs", "1", "--games", count, "--data"].to_vec()
    };
    let mut args = tune("6");
    args.extend([games_text, "--out", out_text]);
    assert!(stdout(data.path(), &args).contains("6 games to play"));
    let mut args = tune("8");
    args.extend([games_text, "--out", out_text]);
    assert!(stdout(data.path(), &args).contains("2 games to play"));
    assert!(std::fs::read_to_string(&out).unwrap().contains("pub static WEIGHTS"));
    // Other weights play other games, which belong into another file.
    let begun = [&args[..], &["--weights", out_text]].concat();
    let refused = mousetrap(data.path(), &begun);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("name another file"));
    std::fs::write(&games, "nonsense\n").unwrap();
    assert_eq!(mousetrap(data.path(), &args).status.code(), Some(2));
}

#[test]
fn rounds_play_fit_and_test() {
    let data = tempfile::tempdir().unwrap();
    let (folder, out) = (data.path().join("rounds"), data.path().join("weights.rs"));
    let paths = [folder.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let small = ["--nodes", "40", "--epochs", "1", "--games", "6", "--match-games", "2"];
    let args = [&["tune", "--rounds", "1"], &small[..], &["--data"], &paths[..]].concat();
    let first = stdout(data.path(), &args);
    assert!(first.contains("6 of 6 games to play") && first.contains("round 1: "), "{first}");
    let second = stdout(data.path(), &args);
    assert!(second.contains("0 of 6 games to play") && !second.contains("fitting"), "{second}");
}

#[test]
fn the_search_is_tuned_and_carries_on() {
    let data = tempfile::tempdir().unwrap();
    let journal = data.path().join("journal");
    let args = ["tune-search", "--nodes", "40", "--iterations", "3", "--games", "2", "--data"];
    let args = [&args[..], &[journal.to_str().unwrap()]].concat();
    let text = stdout(data.path(), &args);
    let player = text.lines().last().unwrap();
    assert!(player.starts_with("champion:late-base="), "{text}");
    let kept = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(kept.lines().count(), 1 + 3);
    // Nothing is played again, and the result is one that players take.
    let tuned = json(data.path(), &[&args[..], &["--json"]].concat());
    assert_eq!((tuned["iterations"].as_u64(), tuned["player"].as_str()), (Some(3), Some(player)));
    assert_eq!(std::fs::read_to_string(&journal).unwrap(), kept);
    assert_eq!(tuned["constants"][0]["name"], "late-base");
    let other = mousetrap(data.path(), &[&args[..], &["--seed", "2"]].concat());
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("name another file"));
    let unknown = mousetrap(data.path(), &[&args[..], &["--constants", "late-bas"]].concat());
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("late-base"));
}

#[test]
fn games_become_data_and_data_a_network() {
    let data = tempfile::tempdir().unwrap();
    let (games, out) = (data.path().join("games"), data.path().join("net.mtn"));
    let (games, out_text) = (games.to_str().unwrap(), out.to_str().unwrap());
    let datagen = ["datagen", "--nodes", "40", "--games", "16", "--json", "--out", games];
    for shard in ["1/2", "2/2"] {
        let made = json(data.path(), &[&datagen[..], &["--shard", shard]].concat());
        assert_eq!((made["games"].as_u64(), made["played"].as_u64()), (Some(8), Some(8)));
        let positions = made["positions"].as_u64().unwrap();
        assert!(made["bytes"].as_u64().unwrap() < 5 * positions + 200);
    }
    let again = json(data.path(), &[&datagen[..], &["--shard", "2/2"]].concat());
    assert_eq!(again["played"].as_u64(), Some(0));
    let train = |n| ["train", "--data", games, "--units", "16", "--epochs", n, "--out", out_text];
    assert!(stdout(data.path(), &train("1")).contains("of 16 games"));
    assert!(std::fs::read_to_string(out.with_extension("svg")).unwrap().contains("<svg"));
    assert!(stdout(data.path(), &train("2")).contains("1 epochs done"));
    let spec = format!("champion:nodes=50,network={out_text}");
    let result = json(
        data.path(),
        &["match", "--a", &spec, "--b", "champion:nodes=50", "--games", "2", "--json"],
    );
    assert!(result.is_object());
    let odd = ["train", "--data", games, "--units", "17", "--out", out_text];
    assert_eq!(mousetrap(data.path(), &odd).status.code(), Some(2));
}

#[test]
fn depth_in_thirty_seconds_carries_on() {
    let data = tempfile::tempdir().unwrap();
    let out = data.path().join("record");
    let args = ["repro", "depth30", "--time", "0.01", "--out", out.to_str().unwrap()];
    let first = stdout(data.path(), &args);
    assert!(first.contains("mean depth") && first.contains("published 9.28"), "{first}");
    let second = stdout(data.path(), &args);
    assert!(second.contains("20 positions were searched before"), "{second}");
}
