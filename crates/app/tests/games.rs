//! Games and the book as a user meets them.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{complaint, json, mousetrap, refused, stdout};

const PGN: &str = "[White \"Anna\"]\n[Date \"2026.11.18\"]\n\n1. Ea4 Ra6 0-1\n\n[White \"Bert\"]\n\n1. Ea4 Eg6 1-0\n";

/// Commands over a database of their own.
struct Games<'a>(&'a Path);

impl Games<'_> {
    fn args<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        [&["games"], args, &["--database", self.0.to_str().unwrap()]].concat()
    }

    fn print(&self, args: &[&str]) -> String {
        stdout(&self.args(args))
    }
}

#[test]
fn games_are_imported_found_explored_exported_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("new/games.sqlite");
    let games = Games(&database);
    let file = folder.path().join("a.pgn");
    fs::write(&file, PGN).unwrap();
    let file = file.to_str().unwrap();
    let said = games.print(&["import", file]);
    assert!(said.contains("2 games read, 2 new, 0 known already, 0 faulty"), "{said}");
    let said = games.print(&["import", file]);
    assert!(said.contains("2 games read, 0 new, 2 known already, 0 faulty"), "{said}");
    let all = json(&games.args(&["list"]));
    assert_eq!((all["total"].as_u64(), all["games"][0]["white"].as_str()), (Some(2), Some("Anna")));
    let anna = json(&games.args(&["find", "--player", "anna", "--since", "2026-11"]));
    assert_eq!(anna["total"], 1);
    let position = "l5t/1d3c1/r1p1w1e/7/7/E6/2W1P1R/1C3D1/T5L b";
    assert_eq!(json(&games.args(&["find", "--position", position]))["total"], 2);
    let explored = json(&games.args(&["explore", "--moves", "a3a4", "--source", "imported"]));
    let played = explored["moves"].as_array().unwrap().iter().filter(|one| one["games"] == 1);
    assert_eq!((&explored["games"], played.count()), (&2.into(), 2));
    let shown = games.print(&["show", anna["games"][0]["id"].as_str().unwrap()]);
    assert!(shown.contains("[White \"Anna\"]") && shown.contains("1. Ea4 Ra6 0-1"), "{shown}");
    let out = folder.path().join("out.pgn");
    games.print(&["export", "--out", out.to_str().unwrap()]);
    assert_eq!(games.print(&["export"]), fs::read_to_string(&out).unwrap());
    assert!(games.print(&["check"]).contains("2 games, sound"));
    let complaint = refused(&games.args(&["delete"]));
    assert!(complaint.contains("--all"), "{complaint}");
    assert_eq!(games.print(&["delete", "--player", "bert"]), "1 game deleted\n");
    assert_eq!(games.print(&["delete", "--all"]), "1 game deleted\n");
}

#[test]
fn what_is_wrong_is_said_and_the_rest_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let games = Games(&database);
    let file = folder.path().join("a.pgn");
    fs::write(&file, format!("{PGN}\n[White \"Clara\"]\n\n1. Ea4\nEa9 *\n")).unwrap();
    let output = mousetrap(&games.args(&["import", file.to_str().unwrap()]));
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("a.pgn, game 3, line 13: "), "{errors}");
    assert_eq!(json(&games.args(&["list"]))["total"], 2);
    for args in [
        &["find", "--position", "nowhere"][..],
        &["find", "--result", "won"],
        &["find", "--since", "soon"],
        &["show", "nobody"],
        &["explore", "--source", "stolen"],
        &["import", "/nowhere.pgn"],
    ] {
        refused(&games.args(args));
    }
    // What a stranger wrote does not steer the terminal, and a file of something else is refused whole.
    fs::write(&file, "[White \"Dora\"]\n\n1. Ea4 {\u{1b}[2Jhush} *\n").unwrap();
    games.print(&["import", file.to_str().unwrap()]);
    let dora = json(&games.args(&["find", "--player", "dora"]));
    let shown = games.print(&["show", dora["games"][0]["id"].as_str().unwrap()]);
    assert!(shown.contains("hush") && !shown.contains('\u{1b}'), "{shown:?}");
    fs::write(&file, b"\x7fELF\0\0[White]").unwrap();
    assert!(refused(&games.args(&["import", file.to_str().unwrap()])).contains("not a PGN file"));
    let gone = refused(&games.args(&["delete", "no-such-game"]));
    assert!(gone.contains("are not there"), "{gone}");

    // A backup that cannot be written leaves the one before.
    let backup = folder.path().join("backup.pgn");
    games.print(&["export", "--out", backup.to_str().unwrap()]);
    let before = fs::read(&backup).unwrap();
    fs::create_dir(folder.path().join("backup.pgn.part")).unwrap();
    complaint(mousetrap(&games.args(&["export", "--out", backup.to_str().unwrap()])), 1);
    assert_eq!(fs::read(&backup).unwrap(), before);

    fs::write(&database, "nonsense ".repeat(1000)).unwrap();
    let message = complaint(mousetrap(&games.args(&["list"])), 1);
    assert!(message.contains("are damaged") && message.contains("move the file away"), "{message}");
}

/// What an import has said is kept is there after a kill.
#[test]
fn a_killed_import_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let games = Games(&database);
    let many: String =
        (0..1500).map(|n| format!("[White \"{n}\"]\n\n1. Ea4 Ra6 2. Ea5 *\n\n")).collect();
    let file = folder.path().join("many.pgn");
    fs::write(&file, many).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_mousetrap"))
        .args(games.args(&["import", file.to_str().unwrap()]))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(80));
    let _ = child.kill();
    child.wait().unwrap();
    let before = json(&games.args(&["list"]))["total"].as_u64().unwrap();
    assert!(games.print(&["check"]).contains("sound"));
    let report = json(&games.args(&["import", file.to_str().unwrap()]));
    let known = report["known"].as_u64().unwrap();
    assert_eq!((known, report["read"].as_u64()), (before, Some(1500)), "batches are whole");
    assert_eq!(json(&games.args(&["list"]))["total"], 1500);
}

#[test]
fn the_book_that_is_shipped_says_how_it_was_made() {
    let shown = json(&["book", "show"]);
    assert_eq!(shown["rules"], "standard");
    assert_eq!(shown["first"].as_array().unwrap().len(), 24);
    assert!(shown["games"].as_u64().unwrap() >= 200, "{}", shown["games"]);
    let explored = json(&["games", "explore", "--database", "/nowhere/games.sqlite"]);
    assert_eq!(explored["games"], shown["games"]);
    assert_eq!(explored["latest"].as_array().unwrap().len(), 12);
}

#[test]
fn a_book_is_built_and_another_plan_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (record, out) = (folder.path().join("run"), folder.path().join("a.book"));
    let args = |seed: &'static str| {
        let args = ["book", "build", "--games", "2", "--nodes", "50", "--analyse", "30"];
        let more =
            ["--record", record.to_str().unwrap(), "--out", out.to_str().unwrap(), "--seed", seed];
        [&args[..], &more].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |seed| {
        let args = args(seed);
        mousetrap(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert!(run("1").status.success());
    let first = fs::read(&out).unwrap();
    assert!(run("1").status.success());
    assert_eq!(fs::read(&out).unwrap(), first);
    let message = complaint(run("2"), 2);
    assert!(
        message.contains("seed (1 there, 2 here)") && message.contains("--record"),
        "{message}"
    );
    let shown = json(&["book", "show", out.to_str().unwrap()]);
    assert_eq!((&shown["games"], &shown["analysed"]), (&2.into(), &24.into()));
    fs::write(&out, &first[..first.len() / 2]).unwrap();
    refused(&["book", "show", out.to_str().unwrap()]);
}
