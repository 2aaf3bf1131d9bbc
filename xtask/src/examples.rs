//! The examples of the library crates: built by the tests, run here.

use std::path::PathBuf;

use crate::shell::{cargo, root, step, target, tool};

/// Builds and runs every example.
pub fn run() -> Result<(), String> {
    let build = ["build", "--workspace", "--all-features", "--examples", "--quiet"];
    step("examples", cargo(build))?;
    for name in names()? {
        let program = target().join("debug/examples").join(&name);
        step(&format!("example {name}"), tool(program))?;
    }
    Ok(())
}

/// `crates/*/examples/NAME.rs`, sorted.
fn names() -> Result<Vec<String>, String> {
    let list = |folder: PathBuf| -> Result<Vec<PathBuf>, String> {
        let listing =
            std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(listing.filter_map(|entry| Some(entry.ok()?.path())).collect())
    };
    let mut names = Vec::new();
    for folder in list(root().join("crates"))?.iter().map(|path| path.join("examples")) {
        if folder.exists() {
            let files = list(folder)?;
            names.extend(
                files.iter().filter_map(|path| path.file_stem()?.to_str().map(str::to_owned)),
            );
        }
    }
    names.sort();
    Ok(names)
}
