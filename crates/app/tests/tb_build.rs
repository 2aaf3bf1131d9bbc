//! `mousetrap tb build` and `tb list` from outside: killed, doubled, starved and misused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn mousetrap(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mousetrap"));
    command.arg("tb").args(args).arg("--dir").arg(dir);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(dir: &Path, args: &[&str]) -> Output {
    mousetrap(dir, args).output().unwrap()
}

fn ok(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The message of a command that has to fail with this code.
fn error(output: &Output, code: i32) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}

fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(files) = fs::read_dir(dir.join("standard")) else { return BTreeMap::new() };
    let files = files.map(|entry| entry.unwrap());
    files
        .map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()))
        .collect()
}

/// How many lines tell of a class that was built.
fn built(text: &str) -> usize {
    text.lines().filter(|line| line.contains("bits/position")).count()
}

const THREE: &[&str] = &["build", "--pieces", "3"];

#[test]
fn killed_at_any_moment_a_build_carries_on_to_the_same_bytes() {
    let whole = tempfile::tempdir().unwrap();
    let start = std::time::Instant::now();
    let text = ok(&run(whole.path(), THREE));
    let time = start.elapsed();
    let expected = contents(whole.path());
    assert_eq!(built(&text), expected.len() - 1, "all but the manifest");

    let killed = tempfile::tempdir().unwrap();
    let mut finished = 0;
    for part in 1..=8 {
        let mut child = mousetrap(killed.path(), THREE).spawn().unwrap();
        std::thread::sleep(time * part / 16 + Duration::from_millis(3));
        child.kill().unwrap();
        child.wait().unwrap();
        let tables = contents(killed.path()).into_iter().filter(|(name, _)| name.ends_with("mtb"));
        let tables: Vec<(String, Vec<u8>)> = tables.collect();
        assert!(tables.len() >= finished, "finished tables stay");
        finished = tables.len();
        for (name, bytes) in tables {
            assert!(bytes == expected[&name], "{name} is half or other");
        }
    }
    ok(&run(killed.path(), THREE));
    assert!(contents(killed.path()) == expected);
}

#[test]
fn two_builders_share_the_classes() {
    let whole = tempfile::tempdir().unwrap();
    let classes = built(&ok(&run(whole.path(), THREE)));
    let shared = tempfile::tempdir().unwrap();
    let builders = [0, 1].map(|_| mousetrap(shared.path(), THREE).spawn().unwrap());
    let texts = builders.map(|child| ok(&child.wait_with_output().unwrap()));
    assert_eq!(built(&texts[0]) + built(&texts[1]), classes, "{texts:?}");
    assert!(contents(shared.path()) == contents(whole.path()));
}

#[test]
fn the_claim_of_another_builder_is_respected() {
    let dir = tempfile::tempdir().unwrap();
    // Nothing is known of the process; its untouched claim counts as abandoned only after
    // a minute.
    let folder = dir.path().join("standard");
    fs::create_dir_all(&folder).unwrap();
    let name = "E-R";
    let text = ok(&run(dir.path(), &["build", "--class", name]));
    let table = text.split_once("] ").unwrap().1.split(':').next().unwrap().to_owned();
    fs::remove_file(folder.join(format!("{table}.mtb"))).unwrap();
    let claim = folder.join(format!("{table}.claim"));
    fs::write(&claim, "host elsewhere\npid 7\nsince 0\nserial 0\n").unwrap();
    let mut waiting = mousetrap(dir.path(), &["build", "--class", name]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(waiting.try_wait().unwrap(), None);
    fs::remove_file(&claim).unwrap();
    let text = ok(&waiting.wait_with_output().unwrap());
    assert!(text.contains(&format!("waiting for {table}, which process 7 on elsewhere")), "{text}");
    assert_eq!(built(&text), 1);
}

#[test]
fn a_class_is_built_with_what_it_leads_to_and_listed() {
    let dir = tempfile::tempdir().unwrap();
    let empty = ok(&run(dir.path(), &["list"]));
    assert!(empty.contains("no tables"), "{empty}");
    let one = ok(&run(dir.path(), &["build", "--class", "EL-R", "--threads", "1"]));
    assert_eq!(built(&one), 3, "{one}");
    let again = ok(&run(dir.path(), &["build", "--class", "R-EL", "--memory", "1.5G"]));
    assert!(built(&again) == 0 && again.contains("3 of 3 classes are there already"), "{again}");

    let list = ok(&run(dir.path(), &["list"]));
    assert!(list.contains("1 of ") && list.contains(" classes of 3 pieces"), "{list}");
    let json = ok(&run(dir.path(), &["list", "--json"]));
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3 + 2);
    assert_eq!(lines[2]["pieces"], 3);
    assert!(lines[2]["positions"].as_u64().unwrap() > 100_000);
    assert_eq!(lines[4]["present"], 1);
}

#[test]
fn damaged_tables_are_told_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    ok(&run(dir.path(), &["build", "--pieces", "2"]));
    let (name, good) =
        contents(dir.path()).into_iter().find(|(name, _)| name != "manifest.json").unwrap();
    let path = dir.path().join("standard").join(&name);
    fs::write(&path, &good[..good.len() / 2]).unwrap();
    let message = error(&run(dir.path(), THREE), 1);
    assert!(message.contains(&name) && message.contains("delete"), "{message}");
    assert_eq!(fs::read(&path).unwrap(), good[..good.len() / 2]);
    let list = run(dir.path(), &["list"]);
    assert!(error(&list, 1).contains("delete"));
    let text = String::from_utf8(list.stdout).unwrap();
    assert!(text.contains("damaged"), "{text}");
    fs::remove_file(&path).unwrap();
    ok(&run(dir.path(), &["build", "--pieces", "2"]));
    assert_eq!(fs::read(&path).unwrap(), good);
}

#[test]
fn misuse_is_explained() {
    let dir = tempfile::tempdir().unwrap();
    for (args, hint) in [
        (&["build", "--pieces", "4", "--memory", "1M"][..], "--memory"),
        (&["build", "--pieces", "3", "--memory", "lots"], "as in 8G"),
        (&["build", "--pieces", "3", "--memory", "-5G"], "--memory"),
        (&["build", "--pieces", "3", "--memory", "0"], "as in 8G"),
        (&["build", "--pieces", "3", "--threads", "0"], "--threads"),
        (&["build", "--pieces", "9"], "--pieces"),
        (&["build"], "--pieces"),
        (&["build", "--class", "EX-R"], "as in EL-RT"),
        (&["build", "--class", "ELTW-RCD"], "7 pieces"),
        (&["build", "--class", "EL-RT", "--pieces", "3"], "leave out --pieces"),
    ] {
        let message = error(&run(dir.path(), args), 2);
        assert!(message.contains(hint), "{args:?}: {message}");
    }
    assert!(contents(dir.path()).is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "x").unwrap();
    let message = error(&run(&file, THREE), 1);
    assert!(message.contains(file.to_str().unwrap()) && message.contains("folder"), "{message}");
    assert_eq!(fs::read(&file).unwrap(), b"x");
}
