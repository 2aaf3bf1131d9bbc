//! Lets the program know the commit it was built from: `MOUSETRAP_COMMIT`, unless whoever builds it says so
//! already, or there is no git to ask.

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

/// What git prints, if it has something to say.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
