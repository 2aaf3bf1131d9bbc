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

/// Installs a program from crates.io unless it is there, where `cargo install` puts programs, and where other
/// clones find it.
pub fn need_tool(name: &str, options: &[&str]) -> Result<(), String> {
    let there = tool(name).arg("--version").output().is_ok_and(|output| output.status.success());
    if there {
        return Ok(());
    }
    // Not optimised: they run for seconds.
    let mut install = cargo(["install", name, "--locked", "--debug"]);
    install.args(options).env("CARGO_PROFILE_DEV_DEBUG", "0");
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

/// Installs PostgreSQL if it is missing: Debian puts its programs beside the path, a folder for each version.
pub fn need_postgres() -> Result<(), String> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let is_there = versions.into_iter().any(|version| version.path().join("bin/initdb").exists());
    if is_there { Ok(()) } else { install(&["postgresql"]) }
}

/// Whether packages can be installed.
pub fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Runs a command to its end, with its name before and its time after: on the clock, and of the processor.
pub fn step(name: &str, mut command: impl BorrowMut<Command>) -> Result<(), String> {
    eprintln!("\n== {name}");
    let (start, before) = (Instant::now(), processor_seconds());
    let status =
        command.borrow_mut().status().map_err(|error| format!("{name}: cannot start: {error}"))?;
    if !status.success() {
        return Err(format!("{name} failed ({status})"));
    }
    let processor = match (before, processor_seconds()) {
        (Some(before), Some(after)) => format!(" ({:.1} s of processor time)", after - before),
        _ => String::new(),
    };
    eprintln!("== {name}: {:.1?}{processor}", start.elapsed());
    Ok(())
}

/// The processor time of all commands that have ended, where the kernel tells it as Linux does.
pub fn processor_seconds() -> Option<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may have blanks; 14 fields on are those of children.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let mut seconds = || Some(fields.next()?.parse::<f64>().ok()? / TICKS_PER_SECOND);
    Some(seconds()? + seconds()?)
}
