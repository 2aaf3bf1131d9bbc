//! What this program is: recorded with everything it makes. The commit is found when it is built.

use lab::record::MadeBy;

/// The version, the commit and a digest of the program, and the machine, as far as they are known.
pub fn made_by() -> MadeBy {
    let program = std::env::current_exe().ok().and_then(|path| std::fs::read(path).ok());
    MadeBy {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("MOUSETRAP_COMMIT").map(str::to_owned),
        program: program.map(|bytes| blake3::hash(&bytes).to_hex()[..16].to_owned()),
        host: std::fs::read_to_string("/etc/hostname").ok().map(|name| name.trim().to_owned()),
    }
}
