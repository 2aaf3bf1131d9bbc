//! Provenance: the program and machine, recorded with everything they make. The commit is found at build time.

use lab::record::Provenance;

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
