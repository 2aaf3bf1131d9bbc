//! The program as other programs start it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn talk(args: &[&str], lines: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_mousetrap"))
        .args(args)
        .env("MOUSETRAP_TABLES", folder.path().join("none"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_first_word_tells_the_protocol() {
    let output = talk(&[], "uci\nquit\n");
    assert!(output.status.success());
    assert!(said(&output).contains("uciok"));
    let output = talk(&[], "\nxboard\nprotover 2\nquit\n");
    assert!(output.status.success());
    assert!(said(&output).contains("feature done=1"));
    let output = talk(&[], "hello\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected 'uci' or 'xboard'"));
    assert_eq!(talk(&[], "").status.code(), Some(2), "help for an empty input");
}

#[test]
fn a_piped_search_is_answered_before_the_end() {
    let output = talk(&["uci"], "position startpos moves a3b3\ngo depth 5");
    assert!(output.status.success());
    let said = said(&output);
    assert!(said.contains("info depth 5 "), "{said}");
    assert!(said.trim_end().lines().last().unwrap().starts_with("bestmove "), "{said}");
}

#[test]
fn bytes_that_are_no_text_are_refused_politely() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mousetrap"))
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"\xff\xfe\x00\n\nd\nquit\n").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = said(&output);
    assert!(said.starts_with("info string unknown command"), "{said}");
    assert!(said.contains("Fen: "), "{said}");
}
