//! What every chore uses: the repository's folders, commands as named and timed steps, and tools that are
//! installed where they are missing.

use std::borrow::BorrowMut;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the repository").into()
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that runs this program, in the repository's folder.
pub fn cargo<'a>(args: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = tool(std::env::var_os("CARGO").as_deref().unwrap_or(OsStr::new("cargo")));
    command.args(args);
    command
}

/// A program, in the repository's folder.
pub fn tool(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// Installs a program from crates.io unless it is there, where `cargo install` puts programs: it takes
/// minutes, and other clones find it there.
pub fn need_tool(name: &str, options: &[&str]) -> Result<(), String> {
    let there = tool(name).arg("--version").output().is_ok_and(|output| output.status.success());
    if there {
        return Ok(());
    }
    let mut install = cargo(["install", name, "--locked"]);
    install.args(options);
    step(&format!("installing {name}"), install)
}

/// Installs Debian's packages.
pub fn install(packages: &[&str]) -> Result<(), String> {
    // A new machine may not have the list of packages yet.
    step("the list of Debian's packages", Command::new("apt-get").arg("update"))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "-y"]).args(packages).env("DEBIAN_FRONTEND", "noninteractive");
    step(&format!("installing {}", packages.join(", ")), install)
}

/// Runs a command to its end, with its name before and its time after.
pub fn step(name: &str, mut command: impl BorrowMut<Command>) -> Result<(), String> {
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
