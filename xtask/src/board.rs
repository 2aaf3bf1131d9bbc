//! Chores of the board: that the committed page is what its source says, the tests in a real browser,
//! pictures of every view, and load for a moment and for a long time.
//!
//! Node, Chromium, PostgreSQL and wrk come from Debian and are installed where they are missing; npm packages come
//! from the lock file.

use std::path::Path;
use std::process::Command;

use crate::shell::{cargo, install, need_postgres, root, step};

/// Everything about the page that CI runs.
pub fn test() -> Result<(), String> {
    let programs =
        [("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium"), ("nginx", "nginx")];
    prepare(&programs)?;
    need_postgres()?;
    step("formatting of the page", npm(&["run", "format:check"]))?;
    step("types of the page", npm(&["run", "check"]))?;
    up_to_date()?;
    program()?;
    step("the page in a browser", npm(&["test"]))
}

/// Pictures of every view, into a folder.
pub fn shots(folder: &str) -> Result<(), String> {
    prepare(&[("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")])?;
    program()?;
    let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
    step("pictures", npm(&["run", "shots", "--"]).arg(folder))
}

/// Load on the server; prints a report.
pub fn load() -> Result<(), String> {
    prepare(&[("node", "nodejs"), ("npm", "npm"), ("wrk", "wrk")])?;
    step("the program", cargo(["build", "--release"]))?;
    let binary = root().join("target/release/mousetrap");
    step("load", npm(&["run", "load"]).env("MOUSETRAP", binary))
}

/// Many games between two people at once, with either database; prints a report.
pub fn duels(games: &str) -> Result<(), String> {
    prepare(&[("node", "nodejs"), ("npm", "npm")])?;
    need_postgres()?;
    step("the program", cargo(["build", "--release", "--features", "postgres"]))?;
    let binary = root().join("target/release/mousetrap");
    for database in ["sqlite", "postgres"] {
        let run = &["run", "--silent", "duels", "--", games, database];
        step(&format!("{games} games, {database}"), npm(run).env("MOUSETRAP", &binary))?;
    }
    Ok(())
}

/// Mixed load for some minutes; prints how much memory the server has, and fails if it keeps growing. A
/// debug build will do: what is not given back is the same.
pub fn soak(minutes: &str) -> Result<(), String> {
    prepare(&[("node", "nodejs"), ("npm", "npm")])?;
    program()?;
    step("mixed load", npm(&["run", "soak", "--", minutes]))
}

/// Attacks at random for some minutes; prints a report.
pub fn chaos(minutes: &str) -> Result<(), String> {
    prepare(&[("node", "nodejs"), ("npm", "npm")])?;
    program()?;
    step("chaos", npm(&["run", "--silent", "chaos", "--", minutes]))
}

/// The program, with the same features as the tests have it, so that after them there is nothing to build.
pub fn program() -> Result<(), String> {
    let build = ["build", "--workspace", "--all-features", "--bin", "mousetrap"];
    step("the program", cargo(build))
}

/// Installs what is missing: each program with the Debian package that has it.
pub fn prepare(programs: &[(&str, &str)]) -> Result<(), String> {
    let missing: Vec<&str> = programs
        .iter()
        .filter(|(program, _)| Command::new(program).arg("--version").output().is_err())
        .map(|(_, package)| *package)
        .collect();
    if !missing.is_empty() {
        install(&missing)?;
    }
    let installed = web().join("node_modules/.package-lock.json");
    let newer = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    if newer(&installed) < newer(&web().join("package-lock.json")) {
        // No package needs its install script, and some of them call home.
        step("npm packages", npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))?;
    }
    Ok(())
}

/// Builds the page again and compares it with what is committed.
fn up_to_date() -> Result<(), String> {
    let fresh = root().join("target/web-dist");
    step(
        "building the page",
        Command::new("node").arg("build.mjs").arg(&fresh).current_dir(web()),
    )?;
    let same =
        Command::new("diff").arg("-rq").arg(&fresh).arg(root().join("crates/server/dist")).status();
    if same.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err("crates/server/dist differs from web/src: run `npm run build` in web/ and commit the result"
        .to_owned())
}

/// npm in the folder of the page.
pub fn npm(args: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(args).current_dir(web());
    command
}

fn web() -> std::path::PathBuf {
    root().join("web")
}
