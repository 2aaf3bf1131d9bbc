//! What other people's code may be used, and that our crates could be published.

use crate::shell::{cargo, need_tool, step};

/// Members that are not for a registry.
const NOT_PUBLISHED: [&str; 3] = ["xtask", "mousetrap-python", "mousetrap-web"];

/// Licences, sources and versions of all dependencies, by `deny.toml`.
pub fn dependencies() -> Result<(), String> {
    need_tool("cargo-deny", &[])?;
    let mut check = cargo(["deny", "--all-features", "check", "--hide-inclusion-graph"]);
    check.args(["bans", "licenses", "sources"]);
    step("dependencies", check)
}

/// Known vulnerabilities of dependencies; asks a database on the network.
pub fn advisories() -> Result<(), String> {
    need_tool("cargo-deny", &[])?;
    step("advisories", cargo(["deny", "--all-features", "check", "advisories"]))
}

/// Packages every crate, without building the packages unless `verify`.
pub fn packages(verify: bool) -> Result<(), String> {
    let mut package = cargo(["package", "--workspace", "--allow-dirty", "--quiet"]);
    if !verify {
        package.arg("--no-verify");
    }
    for name in NOT_PUBLISHED {
        package.args(["--exclude", name]);
    }
    step("packages", package)
}
