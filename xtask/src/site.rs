//! The board as a folder of static files: the program as WebAssembly, the page, the small tables.
//!
//! There are three modules: the rules alone, for the first move; the whole program; and the same with threads, for pages
//! that may share memory. All are for WASI, which gives the standard library its clock and its threads; a worker of the page provides the rest.

use std::path::PathBuf;
use std::process::Command;

use crate::board::{npm, prepare, program};
use crate::shell::{cargo, root, step, target};

const PLAIN: &str = "wasm32-wasip1";
const THREADED: &str = "wasm32-wasip1-threads";
/// Frames of the search hold a list of moves each. No vector instructions: they gained nothing (docs/reports/site.md), and
/// browsers before 2023 have none.
const FLAGS: &str = "-C link-arg=-zstack-size=8388608";
/// What `web/src/local/worker.ts` makes.
const MEMORY: &str = "-C link-arg=--initial-memory=67108864 -C link-arg=--max-memory=1073741824 -C link-arg=--import-memory";
/// Presets whose small tables come with the site.
const PRESETS: [&str; 3] = ["standard", "leiden", "tufts"];

/// Writes the site; with the sets in a folder of tables, or the small ones alone.
pub fn write(folder: &str, tables: Option<&str>) -> Result<(), String> {
    prepare(&[("node", "nodejs"), ("npm", "npm")])?;
    let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
    let tables = match tables {
        Some(tables) => std::path::absolute(tables).map_err(|error| error.to_string())?,
        None => small_tables()?,
    };
    step("targets", Command::new("rustup").args(["target", "add", PLAIN, THREADED]))?;
    let rules = module(PLAIN, FLAGS, &["--no-default-features"])?;
    let whole = module(PLAIN, FLAGS, &[])?;
    let threaded = module(THREADED, &format!("{FLAGS} {MEMORY}"), &["--features", "threads"])?;
    let mut site = Command::new("node");
    site.arg("site.mjs").arg(folder).current_dir(root().join("web"));
    site.arg("--rules").arg(rules).arg("--module").arg(whole).arg("--threaded").arg(threaded);
    step("the site", site.arg("--tables").arg(tables))
}

/// Writes a site into the target folder and tries it in a browser: against the native program, without a network, with
/// threads, with tables read by ranges from nginx.
pub fn test() -> Result<(), String> {
    prepare(&[("chromium", "chromium"), ("nginx", "nginx")])?;
    write_for_tests()?;
    let example = ["build", "--workspace", "--all-features", "--example", "conformance"];
    step("the numbers to compare with", cargo(example))?;
    step("the site in a browser", npm(&["test", "--", "--site"]))
}

/// All tests of the page, on every host: a plain static server, the same with the headers that allow threads, and without
/// a network after one visit.
pub fn hosts() -> Result<(), String> {
    prepare(&[("chromium", "chromium"), ("nginx", "nginx")])?;
    write_for_tests()?;
    for host in ["static", "isolated", "offline"] {
        step(&format!("the page from another host: {host}"), npm(&["test"]).env("HOST", host))?;
    }
    Ok(())
}

/// Measures the site in a browser beside the native program; prints a report.
pub fn report() -> Result<(), String> {
    prepare(&[("chromium", "chromium")])?;
    write_for_tests()?;
    let example = ["build", "--release", "--package", "mousetrap-web", "--example", "conformance"];
    step("the native program", cargo(example))?;
    step("the site in a browser", npm(&["test", "--silent", "--", "--site-report"]))
}

fn write_for_tests() -> Result<(), String> {
    let folder = target().join("site");
    write(folder.to_str().ok_or("the target folder has a strange name")?, None)
}

/// The small tables of all presets, built if they are not there.
fn small_tables() -> Result<PathBuf, String> {
    program()?;
    let folder = target().join("site-tables");
    for preset in PRESETS {
        let mut build = Command::new(target().join("debug/mousetrap"));
        build.args(["tb", "build", "--pieces", "3", "--rules", preset, "--dir"]);
        step("small tables", build.arg(&folder))?;
    }
    Ok(folder)
}

/// A module, compiled. Binaryen's optimiser was tried: it gains nothing on what rustc and its linker do, and takes a
/// minute.
fn module(triple: &str, flags: &str, features: &[&str]) -> Result<PathBuf, String> {
    let variable = format!("CARGO_TARGET_{}_RUSTFLAGS", triple.to_uppercase().replace('-', "_"));
    let build =
        ["build", "--profile", "site", "--package", "mousetrap-web", "--lib", "--target", triple];
    step("the program as WebAssembly", cargo(build).args(features).env(variable, flags))?;
    let compiled = target().join(triple).join("site/mousetrap_web.wasm");
    let name =
        if features.contains(&"--no-default-features") { "rules.wasm" } else { "whole.wasm" };
    let kept = compiled.with_file_name(name);
    std::fs::copy(&compiled, &kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    Ok(kept)
}
