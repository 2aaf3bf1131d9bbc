//! Chores of the repository: `cargo xtask test` runs everything that CI runs.
//!
//! No dependencies, so that it builds at once on a new machine; what a step needs beyond the Rust
//! toolchain it installs itself.
#![expect(clippy::print_stderr, reason = "a tool for the terminal")]

mod api;
mod board;
mod book;
mod deep;
mod dist;
mod examples;
mod fuzz;
mod links;
mod policy;
mod python;
mod shell;
mod site;
mod slurm;

use std::process::ExitCode;
use std::time::Instant;

use shell::{cargo, need_tool, step};

const HELP: &str = "\
usage: cargo xtask CHORE

  test            everything that CI runs: lint, all tests, examples, documentation, the book, packages,
                  the page, the Python package, the HTTP interface, a draft of a release, a short fuzz run
  lint            what needs no tests: formatting, lints, dead links, licences and sources of dependencies
  links           dead links in all Markdown files
  book            the book of docs/, built into target/book
  examples        run the examples of the library crates
  package         package every crate and build the packages, as before publishing
  advisories      known vulnerabilities of dependencies, by a database on the network
  dist            everything a release has, into target/dist, and each file tried: static binaries for
                  two processors, a Debian package, wheels, an image, a bill of materials, checksums
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
  duels GAMES     so many games between two people at once, kept in SQLite and in PostgreSQL, with a SIGKILL
                  in the middle, on a release build; prints a report
  soak MINUTES    mixed load for so long, and the server's memory from minute to minute
  chaos MINUTES   attacks at random for so long on a server, a build of tables, the protocols and matches;
                  fails on a wrong truth, a lost game, a failure, a leak or a hang
  site DIR        the board as a folder of static files, with the program as WebAssembly, for any web server;
                  with `--tables DIR`, the tables of that folder, large ones to be read by ranges
  hosts           all tests of the page, served by a plain static server, with threads, and without a network
  site-report     measures such a site in a browser beside the native program; prints a report
  api             the HTTP interface against its own description, by schemathesis
";

/// How long each fuzz target runs within `test`.
const SHORT_FUZZ_SECONDS: u32 = 10;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test"] => test(),
        ["lint"] => lint(),
        ["links"] => book::links(),
        ["book"] => book::build(),
        ["examples"] => examples::run(),
        ["package"] => policy::packages(true),
        ["advisories"] => policy::advisories(),
        ["fuzz"] => fuzz::run(120),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => fuzz::run(seconds),
            Err(_) => Err(format!("'{seconds}' is not a number of seconds")),
        },
        ["dist"] => dist::run(dist::Kind::Release),
        ["dist", "--draft"] => dist::run(dist::Kind::Draft),
        ["miri"] => deep::miri(),
        ["board"] => board::test(),
        ["python"] => python::test(),
        ["api"] => api::test(),
        ["shots", folder] => board::shots(folder),
        ["load"] => board::load(),
        ["duels", games] => board::duels(games),
        ["soak", minutes] => board::soak(minutes),
        ["chaos", minutes] => board::chaos(minutes),
        ["deep"] => deep::deep(),
        ["site", folder] => site::write(folder, None),
        ["site", folder, "--tables", tables] => site::write(folder, Some(tables)),
        ["hosts"] => site::hosts(),
        ["site-report"] => site::report(),
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
    lint()?;
    tests()?;
    examples::run()?;
    book::crates()?;
    book::build()?;
    policy::packages(false)?;
    board::test()?;
    site::test()?;
    python::test()?;
    api::test()?;
    if shell::is_root() {
        dist::run(dist::Kind::Draft)?;
    } else {
        eprintln!("\n== a draft of a release: left out, because installing a package needs root");
    }
    fuzz::run(SHORT_FUZZ_SECONDS)?;
    let minutes = shell::processor_seconds().map_or(f64::NAN, |seconds| seconds / 60.0);
    eprintln!(
        "\nxtask: everything passed in {:.0?}, {minutes:.1} minutes of processor time",
        start.elapsed()
    );
    Ok(())
}

fn lint() -> Result<(), String> {
    step("formatting", cargo(["fmt", "--all", "--check"]))?;
    book::links()?;
    let clippy =
        ["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    step("lints", cargo(clippy))?;
    policy::dependencies()
}

fn tests() -> Result<(), String> {
    need_tool("cargo-nextest", &[])?;
    shell::need_postgres()?;
    step("tests", cargo(["nextest", "run", "--workspace", "--all-features"]))?;
    step("tests in the documentation", cargo(["test", "--workspace", "--all-features", "--doc"]))
}
