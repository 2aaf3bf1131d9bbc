//! Checks too long for CI, and the one that takes another toolchain.

use std::process::Command;

use crate::shell::{cargo, root, step, target};

/// Leaves of perft 7 from the start, under rules that close the shore.
const CLOSED_SHORE: u64 = 1_908_199_299;

/// Tables solved twice, ten thousand endgames, perft to depth 7 under every preset.
pub fn deep() -> Result<(), String> {
    let mut classes = cargo(["test", "--release", "-p", "mousetrap-tablebase"]);
    classes.args(["--lib", "isomorphism", "--", "--ignored"]);
    step("classes that share a table", classes)?;
    let mut remote = cargo(["test", "--release", "-p", "mousetrap-tablebase"]);
    remote.args(["--lib", "remote", "--", "--ignored"]);
    step("five pieces over a network", remote)?;
    endgames()?;
    perft("standard", &[], CLOSED_SHORE)?;
    perft("tufts", &[], CLOSED_SHORE)?;
    perft("leiden", &["--repetition-leaves"], 1_890_415_534)
}

fn endgames() -> Result<(), String> {
    let tables = target().join("deep-tables");
    for rules in ["standard", "tufts", "leiden"] {
        let mut build =
            cargo(["run", "--release", "--quiet", "--", "tb", "build", "--pieces", "4"]);
        build.args(["--rules", rules, "--dir"]).arg(&tables);
        step(&format!("tables of four pieces, {rules}"), build)?;
    }
    let mut endgames = cargo(["test", "--release", "-p", "mousetrap-engine", "--test", "endgames"]);
    endgames.args(["--", "--ignored", "--nocapture"]).env("MOUSETRAP_TB_DIR", &tables);
    step("ten thousand endgames", endgames)
}

fn perft(rules: &str, flags: &[&str], leaves: u64) -> Result<(), String> {
    let mut perft = cargo(["run", "--release", "--quiet", "--", "perft", "7", "--rules", rules]);
    perft.args(flags);
    eprintln!("\n== perft 7, {rules}");
    let output = perft.output().map_err(|error| format!("cannot start cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    eprint!("{text}");
    let counted = text.lines().last().and_then(|line| line.split_whitespace().nth(1));
    if counted != Some(&leaves.to_string()) {
        return Err(format!("perft 7 under {rules} should be {leaves}, not {counted:?}"));
    }
    Ok(())
}

/// Data races in the table shared by all threads of a search would be undefined behaviour; Miri sees
/// them. It takes a nightly toolchain with the components `miri` and `rust-src`, installed if missing.
pub fn miri() -> Result<(), String> {
    // Not through `cargo`, which is the pinned toolchain's; rustup finds the other one.
    let on_nightly = |arguments: &[&str]| {
        let mut run = Command::new("rustup");
        run.current_dir(root()).args(["run", "nightly", "cargo", "miri"]).args(arguments);
        run
    };
    if !on_nightly(&["--version"]).output().is_ok_and(|output| output.status.success()) {
        let mut install = Command::new("rustup");
        install.args(["toolchain", "install", "nightly", "--profile", "minimal"]);
        install.args(["--component", "miri", "--component", "rust-src"]);
        step("installing Miri", install)?;
    }
    let mut run = on_nightly(&["test", "--target-dir", "target/miri"]);
    run.args(["--package", "mousetrap-engine", "--lib", "table::"]);
    run.env_remove("RUSTUP_TOOLCHAIN").env("MIRIFLAGS", "-Zmiri-disable-isolation");
    step("the transposition table under Miri", run)
}
