//! Matches, tournaments and openings as a user meets them.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use common::{json, refused, stdout};

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

const MATCH: [&str; 9] =
    ["match", "--a", "sparring", "--b", "greedy", "--nodes", "300", "--games", "6"];

#[test]
fn a_match_prints_what_fastchess_prints() {
    let text = stdout(&[&MATCH[..], &["--sprt", "0,400"]].concat());
    for start in
        ["Results of sparring vs greedy", "Elo: ", "LOS: ", "Games: ", "Ptnml(0-2): [", "LLR: "]
    {
        assert!(text.lines().any(|line| line.starts_with(start)), "{start} is missing: {text}");
    }
    assert!(!text.contains('\u{1b}'), "no colours when not on a terminal");
}

#[test]
fn json_has_the_promised_keys_and_the_same_seed_the_same_games() {
    let one = json(&MATCH);
    assert_eq!(one["games"], 6);
    let pairing = &one["pairings"][0];
    let total: u64 =
        ["wins", "draws", "losses"].iter().map(|key| pairing[key].as_u64().unwrap()).sum();
    assert_eq!(total, 6);
    let pairs: u64 =
        pairing["pentanomial"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(pairs, 3);
    for key in ["elo", "elo_error", "nelo", "nelo_error", "los", "draw_ratio", "pairs_ratio"] {
        assert!(pairing.get(key).is_some_and(|value| value.is_f64() || value.is_null()), "{key}");
    }
    assert_eq!(json(&[&MATCH[..], &["--concurrency", "3"]].concat()), one);
    assert_ne!(json(&[&MATCH[..], &["--seed", "2"]].concat())["digest"], one["digest"]);
}

#[test]
fn a_killed_match_is_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let out_text = out.to_str().unwrap();
    let args = ["match", "--a", "sparring", "--b", "sparring:depth=2", "--nodes", "400"];
    let args = [&args[..], &["--games", "40", "--concurrency", "2"]].concat();
    let kept = [&args[..], &["--out", out_text]].concat();
    let expected = json(&args);

    let mut child = Command::new(env!("CARGO_BIN_EXE_mousetrap"))
        .args(&kept)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while lines(&out.join("games.jsonl")) < 5 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = fs::read_to_string(out.join("games.jsonl")).unwrap();
    let whole: String = before.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
    assert!(whole.lines().count() >= 5);

    assert!(refused(&kept).contains("--resume"));
    let resumed = [&kept[..], &["--resume"]].concat();
    let changed = [&resumed[..], &["--seed", "9"]].concat();
    assert!(refused(&changed).contains("seed (1 there, 9 here)"));
    assert_eq!(json(&resumed), expected);
    let after = fs::read_to_string(out.join("games.jsonl")).unwrap();
    assert!(after.starts_with(&whole), "no finished game is lost or played again");
    assert_eq!(after.lines().count(), 40);
    let result: Value =
        serde_json::from_str(&fs::read_to_string(out.join("result.json")).unwrap()).unwrap();
    assert_eq!(result, expected);
    let settings: Value =
        serde_json::from_str(&fs::read_to_string(out.join("settings.json")).unwrap()).unwrap();
    assert_eq!((&settings["rules"], &settings["seed"]), (&"standard".into(), &1.into()));
    assert!(settings["made_by"]["program"].is_string());
    assert_eq!(fs::read_to_string(out.join("games.pgn")).unwrap().matches("[Event ").count(), 40);
}

#[test]
fn parts_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    for shard in ["2/2", "1/2"] {
        let text = stdout(&[&MATCH[..], &["--out", out, "--shard", shard]].concat());
        assert!(text.contains("lab merge"), "{text}");
        let merged = stdout(&["lab", "merge", out]);
        assert_eq!(merged.contains("of 6 games are missing"), shard == "2/2", "{merged}");
    }
    assert_eq!(json(&["lab", "merge", out]), json(&MATCH));
    assert!(refused(&["lab", "merge", "/no/such/folder"]).contains("settings.json"));
}

#[test]
fn a_file_stands_for_the_options_and_options_go_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.toml");
    let text = "a = 'sparring'\nb = 'greedy'\nnodes = 300\ngames = 6\nrules = 'standard'\n";
    fs::write(&file, text).unwrap();
    let path = file.to_str().unwrap();
    assert_eq!(json(&["match", path]), json(&MATCH));
    assert_eq!(json(&["match", path, "--games", "2"])["games"], 2);
    assert_eq!(json(&["match", path, "--depth", "1"])["limit"], "depth 1");
    fs::write(&file, "a = 'greedy'\nb = 'random'\nnode = 3\n").unwrap();
    assert!(refused(&["match", path]).contains("unknown field `node`"));
    fs::write(&file, "rules = 'chess'\n").unwrap();
    assert!(refused(&["match", path]).contains("chess"));
}

#[test]
fn a_tournament_has_a_table() {
    let players = ["--players", "random", "--players", "greedy", "--players", "sparring:depth=2"];
    let args = [&["tournament", "--games", "4"][..], &players].concat();
    let table = json(&args);
    assert_eq!(table["games"], 12);
    assert_eq!(table["table"][0]["player"], "sparring:depth=2");
    assert_eq!(table["table"][0]["against"][0], Value::Null);
    let text = stdout(&args);
    assert!(text.lines().nth(1).unwrap().starts_with("Rank Player"), "{text}");
    assert!(refused(&["tournament", "--players", "random"]).contains("two players"));
}

#[test]
fn openings_are_written_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    let path = book.to_str().unwrap();
    let printed = stdout(&["openings", "--count", "4", "--plies", "6", "--seed", "3"]);
    let made = stdout(&["openings", "--count", "4", "--plies", "6", "--seed", "3", "--out", path]);
    assert!(made.contains("4 openings"));
    assert_eq!(fs::read_to_string(&book).unwrap(), printed);
    let out = folder.path().join("run");
    let players = ["match", "--a", "greedy", "--b", "random", "--games", "8", "--openings", path];
    stdout(&[&players[..], &["--out", out.to_str().unwrap()]].concat());
    let record = fs::read_to_string(out.join("games.jsonl")).unwrap();
    assert!(printed.lines().all(|fen| record.matches(fen).count() == 2), "two games from each");
    for named in ["burnett", "thesis", "start"] {
        stdout(&["match", "--a", "greedy", "--b", "random", "--games", "2", "--openings", named]);
    }
    let unwritten = folder.path().join("none.epd");
    let few = ["openings", "--count", "1000", "--plies", "1", "--out", unwritten.to_str().unwrap()];
    assert!(refused(&few).contains("use more plies"));
    assert!(!unwritten.exists());
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    let with =
        |more: &[&str]| refused(&[&["match", "--a", "greedy", "--b", "random"], more].concat());
    assert!(refused(&["match", "--a", "stockfish", "--b", "random"]).contains("sparring"));
    assert!(refused(&["match", "--a", "random"]).contains("--b"));
    assert!(refused(&["match", "--a", "uci:/no/engine", "--b", "random"]).contains("/no/engine"));
    assert!(with(&["--games", "3"]).contains("4 will do"));
    assert!(with(&["--games", "0"]).contains("2 or more"));
    assert!(with(&["--nodes", "5", "--depth", "3"]).contains("cannot be used with"));
    assert!(with(&["--nodes", "0"]).contains("1 or more"));
    assert!(with(&["--tc", "soon"]).contains("10+0.1"));
    assert!(with(&["--time=-1"]).contains("try 0.1"));
    assert!(with(&["--sprt", "5,0"]).contains("below elo1"));
    assert!(with(&["--sprt-model", "logistic"]).contains("--sprt"));
    assert!(with(&["--resume"]).contains("--out"));
    assert!(with(&["--shard", "3/2", "--out", "x"]).contains("1/8"));
    assert!(with(&["--concurrency", "0"]).contains("1 or more"));
    assert!(with(&["--openings", "/no/file"]).contains("burnett"));
}

/// An engine that hides a process in a session of its own, and never answers `go`.
const HIDER: &str = "setsid sleep 600 & echo $! > \"$1/hidden\"; sleep 600 & echo $! > \"$1/child\"
echo $$ > \"$1/engine\"
while read -r line; do case $line in
uci) echo uciok;; isready) echo readyok;; quit) exit;; go*) echo > \"$1/asked\";; esac; done";

#[cfg(target_os = "linux")]
#[test]
fn no_engine_outlives_its_match() {
    // Whether the match is killed, or gives up on the engine.
    for (name, is_killed) in [("killed", true), ("forfeit", false)] {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("engine.sh");
        fs::write(&script, HIDER).unwrap();
        let engine = format!("uci:sh {} {}", script.display(), folder.path().display());
        let mut running = Command::new(env!("CARGO_BIN_EXE_mousetrap"))
            .args(["match", "--a", &engine, "--b", "random", "--games", "2"])
            .args(["--time", if is_killed { "600" } else { "0.01" }])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let patience = Duration::from_secs(30);
        let wait_until = |what: &str, is_so: &dyn Fn() -> bool| {
            let start = Instant::now();
            while !is_so() {
                assert!(start.elapsed() < patience, "{name}: {what}");
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        wait_until("the engine is asked", &|| folder.path().join("asked").exists());
        let processes = ["engine", "hidden", "child"].map(|file| {
            let text = fs::read_to_string(folder.path().join(file)).unwrap();
            (file, text.trim().to_owned())
        });
        if is_killed {
            running.kill().unwrap();
        }
        running.wait().unwrap();
        for (file, process) in processes {
            // A process that has ended may wait for its new parent to notice.
            let ended = || {
                let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
                stat.rsplit_once(')').is_none_or(|(_, rest)| rest.starts_with(" Z"))
            };
            wait_until(&format!("the {file} has ended"), &ended);
        }
    }
}
