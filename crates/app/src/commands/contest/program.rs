//! What this program is: recorded with everything it makes.

use std::path::Path;
use std::process::Command;

use lab::record::MadeBy;

/// The version, the commit and a digest of the program, and the machine, as far as they are known.
pub fn made_by() -> MadeBy {
    let executable = std::env::current_exe().ok();
    let program = executable.as_ref().and_then(|path| std::fs::read(path).ok());
    MadeBy {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("MOUSETRAP_COMMIT")
            .map(str::to_owned)
            .or_else(|| executable.as_deref().and_then(commit_around)),
        program: program.map(|bytes| blake3::hash(&bytes).to_hex()[..16].to_owned()),
        host: std::fs::read_to_string("/etc/hostname").ok().map(|name| name.trim().to_owned()),
    }
}

/// The commit of the source tree in whose build folder the program lies; `-dirty` if the tree has
/// changes. The digest says whether two programs are really the same.
fn commit_around(executable: &Path) -> Option<String> {
    let folder = executable.parent()?;
    folder.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "target"))?;
    let output = Command::new("git")
        .current_dir(folder)
        .args(["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
