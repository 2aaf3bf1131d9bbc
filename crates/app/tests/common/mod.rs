//! Running the program and reading what it prints.

#![allow(dead_code, reason = "no test needs all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::UNIX_EPOCH;

use serde_json::Value;

/// A folder that tests share even if each is a process of its own. A new build of the program finds it
/// empty; those of older builds are removed.
pub fn shared_folder(name: &str) -> PathBuf {
    let program = std::fs::metadata(env!("CARGO_BIN_EXE_mousetrap")).expect("the program");
    let built = program.modified().expect("files have times").duration_since(UNIX_EPOCH);
    let own = format!("{name}-{}", built.expect("it is after 1970").as_nanos());
    let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for entry in std::fs::read_dir(all).expect("a folder for tests").filter_map(Result::ok) {
        let other = entry.file_name().into_string().unwrap_or_default();
        if other.starts_with(&format!("{name}-")) && other != own {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    all.join(own)
}

/// What the program printed, which must have succeeded.
pub fn printed(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "failed: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// What the program complained about, which must have ended with this code and printed nothing.
pub fn complaint(output: Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stdout.is_empty(), "printed something: {output:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// One JSON value a line.
pub fn json_rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Runs the program.
pub fn mousetrap(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mousetrap")).args(args).output().expect("it starts")
}

/// Runs a command that must succeed and gives what it prints.
pub fn stdout(args: &[&str]) -> String {
    printed(mousetrap(args))
}

/// The same with `--json`, for one value.
pub fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[args, &["--json"]].concat())).expect("JSON")
}

/// Runs a command that must be refused and gives its complaint.
pub fn refused(args: &[&str]) -> String {
    complaint(mousetrap(args), 2)
}
