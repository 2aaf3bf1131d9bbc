//! Chores of the repository: `cargo xtask test` runs everything that CI runs.
//!
//! No dependencies, so that it builds at once on a new machine; what a step needs beyond the Rust
//! toolchain it installs itself.
#![expect(clippy::print_stderr, reason = "a tool for the terminal")]

mod board;
mod python;
mod slurm;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
usage: cargo xtask CHORE

  test            formatting, lints, all tests, documentation, the page, the Python package, a short
                  fuzz run: what CI runs
  fuzz [SECONDS]  fuzz every target for so long (default 120)
  deep            checks too long for CI: perft to depth 7 under every preset, all classes of three
                  pieces that share a table solved separately, ten thousand endgames played
  slurm           the job template of docs/cluster.md against a real Slurm on this host, as root
  miri            the engine's lock-free table under Miri, on a nightly toolchain (for data races)
  board           the page: its format and types, that the built one is up to date, and the tests in a
                  real browser
  python          the Python package: the wheel in a fresh environment, its tests, types and examples
  shots FOLDER    pictures of every view of the page, on a phone and on a desk
  load            load on the server of a release build; prints a report
  soak MINUTES    mixed load for so long, and the server's memory from minute to minute
";

/// How long each fuzz target runs within `test`.
const SHORT_FUZZ_SECONDS: u32 = 10;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test"] => test(),
        ["fuzz"] => fuzz(120),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => fuzz(seconds),
            Err(_) => Err(format!("'{seconds}' is not a number of seconds")),
        },
        ["miri"] => miri(),
        ["board"] => board::test(),
        ["python"] => python::test(),
        ["shots", folder] => board::shots(folder),
        ["load"] => board::load(),
        ["soak", minutes] => board::soak(minutes),
        ["deep"] => deep(),
        ["slurm"] => slurm::slurm(),
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nxtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    let start = Instant::now();
    step("formatting", cargo(["fmt", "--all", "--check"]))?;
    let clippy =
        ["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    step("lints", cargo(clippy))?;
    step("tests", cargo(["test", "--workspace", "--all-features"]))?;
    let doc = ["doc", "--workspace", "--all-features", "--no-deps", "--document-private-items"];
    step("documentation", cargo(doc).env("RUSTDOCFLAGS", "-D warnings"))?;
    board::test()?;
    python::test()?;
    fuzz(SHORT_FUZZ_SECONDS)?;
    eprintln!("\nxtask: everything passed in {:.0?}", start.elapsed());
    Ok(())
}

/// Data races in the table shared by all threads of a search would be undefined behaviour; Miri sees
/// them. It takes a nightly toolchain with the components `miri` and `rust-src`, installed if missing.
fn miri() -> Result<(), String> {
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

fn deep() -> Result<(), String> {
    let mut classes = cargo(["test", "--release", "-p", "mousetrap-tablebase"]);
    classes.args(["--test", "isomorphism", "--", "--ignored"]);
    step("classes that share a table", classes)?;
    let tables = root().join("target/deep-tables");
    for rules in ["standard", "tufts", "leiden"] {
        let mut build =
            cargo(["run", "--release", "--quiet", "--", "tb", "build", "--pieces", "4"]);
        build.args(["--rules", rules, "--dir"]).arg(&tables);
        step(&format!("tables of four pieces, {rules}"), build)?;
    }
    let mut endgames = cargo(["test", "--release", "-p", "mousetrap-engine", "--test", "endgames"]);
    endgames.args(["--", "--ignored", "--nocapture"]).env("MOUSETRAP_TB_DIR", &tables);
    step("ten thousand endgames", endgames)?;
    const CLOSED_SHORE: u64 = 1_908_199_299;
    for (rules, flags, leaves) in [
        ("standard", &[][..], CLOSED_SHORE),
        ("tufts", &[], CLOSED_SHORE),
        ("leiden", &["--repetition-leaves"], 1_890_415_534),
    ] {
        let mut perft =
            cargo(["run", "--release", "--quiet", "--", "perft", "7", "--rules", rules]);
        perft.args(flags);
        eprintln!("\n== perft 7, {rules}");
        let output = perft.output().map_err(|error| format!("cannot start cargo: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        eprint!("{text}");
        let counted = text.lines().last().and_then(|line| line.split_whitespace().nth(1));
        if counted != Some(&leaves.to_string()) {
            return Err(format!("perft 7 under {rules} should be {leaves}, not {counted:?}"));
        }
    }
    Ok(())
}

/// Installs Debian's packages.
fn install(packages: &[&str]) -> Result<(), String> {
    // A new machine may not know yet what packages there are.
    step("the list of Debian's packages", Command::new("apt-get").arg("update"))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "-y"]).args(packages).env("DEBIAN_FRONTEND", "noninteractive");
    step(&format!("installing {}", packages.join(", ")), install)
}

fn fuzz(seconds: u32) -> Result<(), String> {
    if !cargo(["fuzz", "--version"]).output().is_ok_and(|output| output.status.success()) {
        step("installing cargo-fuzz", cargo(["install", "cargo-fuzz", "--locked"]))?;
    }
    let targets = root().join("fuzz/fuzz_targets");
    let listing =
        std::fs::read_dir(&targets).map_err(|error| format!("{}: {error}", targets.display()))?;
    let mut names: Vec<String> = listing
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    // New finds go to a scratch corpus; the committed one is only read.
    let scratch = root().join("fuzz/target/corpus");
    for name in names {
        let found = scratch.join(&name);
        std::fs::create_dir_all(&found).map_err(|error| error.to_string())?;
        // The pinned toolchain can fuzz when asked nicely; no second toolchain is needed. The code
        // under test has next to no `unsafe`, so the sanitiser would only slow it down.
        let mut run = cargo(["fuzz", "run", "--sanitizer", "none", &name]);
        run.env("RUSTC_BOOTSTRAP", "1").arg(&found).arg(root().join("fuzz/corpus").join(&name));
        run.arg("--").arg(format!("-max_total_time={seconds}"));
        run.arg(format!("-dict={}", root().join("fuzz/text.dict").display()));
        run.args([
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-verbosity=0",
            "-print_funcs=0",
            "-print_final_stats=1",
        ]);
        step(&format!("fuzzing {name} for {seconds} s"), &mut run)?;
    }
    Ok(())
}

fn cargo<'a>(args: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command =
        Command::new(std::env::var_os("CARGO").as_deref().unwrap_or(OsStr::new("cargo")));
    command.args(args).current_dir(root());
    command
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the repository").into()
}

fn step(name: &str, mut command: impl std::borrow::BorrowMut<Command>) -> Result<(), String> {
    eprintln!("\n== {name}");
    let start = Instant::now();
    let status =
        command.borrow_mut().status().map_err(|error| format!("{name}: cannot start: {error}"))?;
    if !status.success() {
        return Err(format!("{name} failed ({status})"));
    }
    eprintln!("== {name}: {:.1?}", start.elapsed());
    Ok(())
}
