//! Releases: `cargo xtask dist` makes every file of one and tries it.
//!
//! Static binaries (musl, linked by Zig from PyPI) as tarballs, as a Debian package and as an OCI image; manylinux
//! wheels; a bill of materials; checksums. Everything comes from the commit that is checked out: times are the
//! commit's, paths are removed, archives are sorted, so that a second run gives the same bytes.
//!
//! A [draft](Kind::Draft) is made the same way, but quicker, for `cargo xtask test`: one processor, default
//! features, not optimised, and no wheel, because the tests of the Python package make one anyway.

mod pack;
mod trial;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::python::{environment, pip};
use crate::shell::{cargo, need_tool, root, step, target, tool};

/// Processors that a release is for.
pub struct Processor {
    /// Rust's name of the target with musl.
    pub triple: &'static str,
    /// Rust's name of the target of wheels.
    pub wheel: &'static str,
    /// Debian's name of the architecture.
    pub debian: &'static str,
    /// The emulator, where it is not the processor at hand.
    pub emulator: Option<&'static str>,
}

const PROCESSORS: [Processor; 2] = [
    Processor {
        triple: "x86_64-unknown-linux-musl",
        wheel: "x86_64-unknown-linux-gnu",
        debian: "amd64",
        emulator: None,
    },
    Processor {
        triple: "aarch64-unknown-linux-musl",
        wheel: "aarch64-unknown-linux-gnu",
        debian: "arm64",
        emulator: Some("qemu-aarch64-static"),
    },
];

/// Packages that the profile of tests optimises. A draft has that profile, to share the tests' procedural macros, but
/// need not be fast.
const OPTIMISED: [&str; 12] = [
    "mousetrap-amazons",
    "mousetrap-engine",
    "mousetrap-gadgets",
    "mousetrap-game",
    "mousetrap-jungle",
    "mousetrap-mining",
    "mousetrap-puzzles",
    "mousetrap-search",
    "mousetrap-tablebase",
    "rayon",
    "rayon-core",
    "zstd-sys",
];

/// What is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Everything a release has, as fast as can be.
    Release,
    /// What a test needs.
    Draft,
}

/// A release: what it is made of, and where its files go.
pub struct Release {
    kind: Kind,
    /// From the manifest of the workspace.
    version: String,
    /// The time of the commit, in seconds since 1970.
    epoch: String,
    /// Where the files go.
    folder: PathBuf,
    /// Programs of Python packages.
    tools: PathBuf,
}

/// Makes the files and tries them.
pub fn run(kind: Kind) -> Result<(), String> {
    let start = Instant::now();
    let release = Release::new(kind)?;
    for processor in release.processors() {
        release.build(processor)?;
    }
    for processor in release.processors() {
        pack::tarball(&release, processor)?;
    }
    pack::debian(&release)?;
    pack::image(&release)?;
    if kind == Kind::Release {
        for processor in release.processors() {
            release.wheel(processor)?;
        }
        pack::materials(&release)?;
    }
    pack::checksums(&release)?;
    trial::all(&release)?;
    eprintln!("\nxtask: {} made and tried in {:.0?}", release.folder.display(), start.elapsed());
    Ok(())
}

impl Release {
    /// The release of the commit that is checked out, in an empty folder.
    fn new(kind: Kind) -> Result<Release, String> {
        let version = version()?;
        if kind == Kind::Release {
            let changes = output(tool("git").args(["status", "--porcelain"]))?;
            if !changes.is_empty() {
                return Err(format!(
                    "a release is made from a clean tree; commit or remove:\n{changes}"
                ));
            }
        }
        let log = std::fs::read_to_string(root().join("CHANGELOG.md"))
            .map_err(|error| format!("CHANGELOG.md: {error}"))?;
        if !log.lines().any(|line| line.starts_with("## [") && line.contains(&version)) {
            return Err(format!("CHANGELOG.md has no entry for {version}: write one first"));
        }
        let epoch = output(tool("git").args(["log", "-1", "--format=%ct"]))?;
        let folder = target().join(if kind == Kind::Release { "dist" } else { "dist-draft" });
        fresh(&folder)?;
        let release =
            Release { kind, version, epoch, folder, tools: target().join("dist-tools/bin") };
        release.install_tools()?;
        if kind == Kind::Release {
            release.forget_builds();
        }
        Ok(release)
    }

    /// Removes what was compiled before: a build script that runs twice in one folder may leave other files there.
    fn forget_builds(&self) {
        let triples = PROCESSORS.iter().flat_map(|processor| [processor.triple, processor.wheel]);
        for folder in triples.map(|triple| target().join(triple)).chain([target()]) {
            let _ = std::fs::remove_dir_all(folder.join(self.profile()));
        }
    }

    /// The first is that of the package and the image.
    fn processors(&self) -> &'static [Processor] {
        if self.kind == Kind::Release { &PROCESSORS } else { &PROCESSORS[..1] }
    }

    fn profile(&self) -> &'static str {
        if self.kind == Kind::Release { "optimised" } else { "dev" }
    }

    fn install_tools(&self) -> Result<(), String> {
        need_tool("cargo-deb", &[])?;
        if self.kind == Kind::Release {
            need_tool("cargo-cyclonedx", &[])?;
        }
        let mut targets = tool("rustup");
        targets.args(["target", "add"]);
        targets.args(self.processors().iter().map(|processor| processor.triple));
        if self.kind == Kind::Release {
            targets.args(self.processors().iter().map(|processor| processor.wheel));
        }
        step("Rust's targets", targets)?;
        if self.tools.join("cargo-zigbuild").exists() {
            return Ok(());
        }
        let folder = self.tools.parent().expect("programs are in a folder");
        let tools = environment(folder, false)?;
        step("Zig and maturin", pip(&tools).args(["ziglang", "cargo-zigbuild", "maturin>=1.16,<2"]))
    }

    fn build(&self, processor: &Processor) -> Result<(), String> {
        let mut build =
            self.reproducible(cargo(["zigbuild", "--locked", "--package", "mousetrap-app"]));
        build.args(["--profile", self.profile(), "--target", processor.triple]);
        if self.kind == Kind::Release {
            build.args(["--features", "full"]);
        } else {
            // Procedural macros have the features that the Python package adds, as in the tests.
            build.args(["--package", "mousetrap-python", "--bins"]);
            build.args(["--config", "profile.dev.opt-level=0"]);
            for package in OPTIMISED {
                build.args(["--config", &format!("profile.dev.package.{package}.opt-level=0")]);
            }
        }
        step(&format!("the program for {}", processor.triple), build)
    }

    /// The Python package, for every Linux since 2014.
    fn wheel(&self, processor: &Processor) -> Result<(), String> {
        let mut build = self.reproducible(tool(self.tools.join("maturin")));
        build
            .args(["build", "--profile", self.profile(), "--locked", "--zig"])
            .args(["--compatibility", "manylinux2014", "--target", processor.wheel, "--out"])
            .arg(&self.folder)
            .current_dir(root().join("bindings/python"));
        step(&format!("the wheel for {}", processor.wheel), build)
    }

    /// A command of cargo's that gives the same bytes wherever and whenever it runs.
    fn reproducible(&self, mut command: Command) -> Command {
        let home = std::env::var("CARGO_HOME")
            .unwrap_or_else(|_| format!("{}/.cargo", std::env::var("HOME").unwrap_or_default()));
        let flags = format!(
            "--remap-path-prefix={}=mousetrap --remap-path-prefix={home}=cargo",
            root().display()
        );
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env("RUSTFLAGS", flags)
            .env("SOURCE_DATE_EPOCH", &self.epoch)
            .env("PATH", format!("{}:{path}", self.tools.display()));
        command
    }

    /// The program for a processor.
    fn program(&self, processor: &Processor) -> PathBuf {
        let profile = if self.kind == Kind::Release { "optimised" } else { "debug" };
        target().join(processor.triple).join(profile).join("mousetrap")
    }

    /// The beginning of the names of files.
    fn name(&self) -> String {
        format!("mousetrap-{}", self.version)
    }
}

/// The version of everything: that of the workspace's manifest.
fn version() -> Result<String, String> {
    let id = output(&mut cargo(["pkgid", "--package", "mousetrap-app"]))?;
    Ok(id.rsplit(['#', '@']).next().unwrap_or_default().to_owned())
}

/// What a command prints.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: cannot start: {error}"))?;
    if !output.status.success() {
        return Err(format!("{name} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The file in a folder whose name ends so.
fn file_ending_in(folder: &Path, ending: &str) -> Result<PathBuf, String> {
    let listing =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths = listing.filter_map(|entry| Some(entry.ok()?.path()));
    paths
        .find(|path| path.to_string_lossy().ends_with(ending))
        .ok_or_else(|| format!("there is no *{ending} in {}", folder.display()))
}

/// An empty folder.
fn fresh(folder: &Path) -> Result<(), String> {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}
