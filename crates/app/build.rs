//! Lets the program know the commit it was built from: `MOUSETRAP_COMMIT`, unless it is set
//! already, or git is not available.

#![allow(clippy::print_stdout, reason = "a build script speaks to cargo on its output")]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=MOUSETRAP_COMMIT");
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var_os("MOUSETRAP_COMMIT").is_some() {
        return;
    }
    // Any of these can change what git says; sources are watched for the `-dirty` that they may add.
    println!("cargo:rerun-if-changed=..");
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file])
            && Path::new(&path).exists()
        {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    if let Some(commit) = git(&["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]) {
        println!("cargo:rustc-env=MOUSETRAP_COMMIT={commit}");
    }
}

/// The output of git, if there is any.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
