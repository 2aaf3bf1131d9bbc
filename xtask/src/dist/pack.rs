//! Packing a release: tarballs, the Debian package, the image, the bill of materials, checksums.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Kind, PROCESSORS, Processor, Release, fresh, output};
use crate::shell::{cargo, install, root, step, target, tool};

/// Shells that get a completion script, and the name of its file.
const SHELLS: [(&str, &str); 3] =
    [("bash", "mousetrap.bash"), ("zsh", "_mousetrap"), ("fish", "mousetrap.fish")];

/// What else goes into a tarball.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// The program with completions, manual pages and licences.
pub fn tarball(release: &Release, processor: &Processor) -> Result<(), String> {
    let name = format!("{}-{}", release.name(), processor.triple);
    let stage = target().join("dist-stage");
    let folder = stage.join(&name);
    fresh(&folder)?;
    copy(&release.program(processor), &folder.join("mousetrap"))?;
    for document in DOCUMENTS {
        copy(&root().join(document), &folder.join(document))?;
    }
    shell_files(release, &folder)?;
    let archive = release.folder.join(format!("{name}.tar.gz"));
    pack(release, &stage, &name, &archive)
}

/// Completions and manual pages, written by the program for this machine.
fn shell_files(release: &Release, folder: &Path) -> Result<(), String> {
    let program = release.program(&PROCESSORS[0]);
    let completions = folder.join("completions");
    fresh(&completions)?;
    for (shell, file) in SHELLS {
        let script = output(Command::new(&program).args(["completions", shell]))?;
        write(&completions.join(file), script + "\n")?;
    }
    output(Command::new(&program).args(["man", "--dir"]).arg(folder.join("man"))).map(drop)
}

/// An archiver whose archives depend on nothing but their files.
fn deterministic_tar(release: &Release) -> Command {
    let mut tar = tool("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"])
        .args(["--mode=u+rwX,go+rX,go-w", &format!("--mtime=@{}", release.epoch)]);
    tar
}

/// A folder as such an archive.
fn pack(release: &Release, from: &Path, name: &str, archive: &Path) -> Result<(), String> {
    let mut tar = deterministic_tar(release);
    tar.args(["--use-compress-program=gzip -n9", "--create", "--file"])
        .arg(archive)
        .arg("--directory")
        .arg(from)
        .arg(name);
    step(&format!("{name}.tar.gz"), tar)
}

/// The Debian package, of the static program.
pub fn debian(release: &Release) -> Result<(), String> {
    let processor = &PROCESSORS[0];
    // The manifest of the package names completions and manual pages by this path.
    let share = target().join("dist-share");
    fresh(&share)?;
    shell_files(release, &share)?;
    for page in files(&share.join("man"))? {
        output(Command::new("gzip").arg("-n9").arg(page))?;
    }
    let mut deb = release.reproducible(cargo(["deb", "--no-build", "--no-strip"]));
    let file = format!("mousetrap_{}_{}.deb", release.version, processor.debian);
    deb.args(["--profile", release.profile(), "--package", "mousetrap-app"])
        .args(["--target", processor.triple, "--output"])
        .arg(release.folder.join(file));
    if release.kind == Kind::Draft {
        deb.arg("--fast");
    }
    step("the Debian package", deb)
}

/// An OCI image with nothing but the program, which serves the board.
pub fn image(release: &Release) -> Result<(), String> {
    if tool("buildah").arg("--version").output().is_err() {
        install(&["buildah"])?;
    }
    let container = output(buildah().args(["from", "scratch"]))?;
    let made = fill(release, &container);
    let removed = output(buildah().args(["rm", &container]));
    made.and(removed.map(drop))
}

fn fill(release: &Release, container: &str) -> Result<(), String> {
    let program = release.program(&PROCESSORS[0]);
    output(buildah().args(["copy", "--chmod", "0755", container]).arg(program).arg("/mousetrap"))?;
    // A folder for tables, which a volume may replace, that the server may write to.
    let tables = target().join("dist-stage/tables");
    fresh(&tables)?;
    output(
        buildah().args(["copy", "--chown", "65534:65534", container]).arg(&tables).arg("/tables"),
    )?;
    output(
        buildah()
            .args(["config", "--entrypoint", r#"["/mousetrap"]"#])
            .args(["--cmd", "serve --bind 0.0.0.0", "--port", "8089", "--user", "65534:65534"])
            .args(["--env", "MOUSETRAP_TABLES=/tables"])
            .args(["--label", &format!("org.opencontainers.image.version={}", release.version)])
            .args(["--label", "org.opencontainers.image.title=Mousetrap", container]),
    )?;
    let layout = target().join("dist-stage/image");
    let _ = std::fs::remove_dir_all(&layout);
    let mut commit = buildah();
    commit.args(["commit", "--quiet", "--timestamp", &release.epoch, container]);
    commit.arg(format!("oci:{}:mousetrap:{}", layout.display(), release.version));
    step("the image", commit)?;
    // Buildah's own archives carry the time at which they are written.
    let archive = release.folder.join(format!("{}.oci.tar", release.name()));
    let mut tar = deterministic_tar(release);
    tar.arg("--create").arg("--file").arg(archive).arg("--directory").arg(layout);
    step("the image as one file", tar.args(["blobs", "index.json", "oci-layout"]))
}

/// Buildah without a daemon or special file systems.
pub fn buildah() -> Command {
    let mut command = tool("buildah");
    command.env("BUILDAH_ISOLATION", "chroot").env("STORAGE_DRIVER", "vfs");
    command
}

/// What the program is made of, as CycloneDX.
pub fn materials(release: &Release) -> Result<(), String> {
    const FILE: &str = "mousetrap-materials";
    let mut list = release.reproducible(cargo(["cyclonedx", "--format", "json", "--quiet"]));
    list.args(["--manifest-path", "crates/app/Cargo.toml", "--features", "full"]);
    list.args(["--target", PROCESSORS[0].triple, "--override-filename", FILE]);
    let made = step("the bill of materials", list);
    // The tool writes a file beside every manifest of the workspace.
    let pattern = format!("*{FILE}.json");
    let written = output(tool("git").args(["ls-files", "--others", &pattern]))?;
    for path in written.lines().map(|path| root().join(path)) {
        if path.starts_with(root().join("crates/app")) {
            let list = std::fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            // Packages of the workspace are named by their folders, which differ from machine to machine.
            let here = format!("file://{}", root().display());
            let file = release.folder.join(format!("{}.cdx.json", release.name()));
            write(&file, list.replace(&here, "file:///mousetrap"))?;
        }
        std::fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    made
}

/// The checksums of all files, as `sha256sum --check` reads them.
pub fn checksums(release: &Release) -> Result<(), String> {
    let mut names: Vec<String> = files(&release.folder)?
        .iter()
        .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    let sums = output(tool("sha256sum").args(&names).current_dir(&release.folder))?;
    eprintln!("\n{sums}");
    write(&release.folder.join("SHA256SUMS"), sums + "\n")
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listing =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(listing.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect())
}

fn write(path: &Path, text: String) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}
