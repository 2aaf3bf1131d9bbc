//! Provenance: the program and machine, recorded with everything they make. The commit is found at build time.

use lab::record::Provenance;

/// The version, with the commit if it is known: `0.1.0 (4dec0b72cd1a)`.
pub fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("MOUSETRAP_COMMIT") {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    }
}

/// The version, the commit and a digest of the program, and the machine, as far as they are known.
pub fn made_by() -> Provenance {
    // Read in pieces, as the program may be large.
    let program = std::env::current_exe().ok().and_then(|path| {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(std::fs::File::open(path).ok()?).ok()?;
        Some(hasher.finalize().to_hex()[..16].to_owned())
    });
    Provenance {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("MOUSETRAP_COMMIT").map(str::to_owned),
        program,
        host: std::fs::read_to_string("/etc/hostname").ok().map(|name| name.trim().to_owned()),
    }
}
