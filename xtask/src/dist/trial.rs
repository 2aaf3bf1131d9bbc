//! Trying a release as its users would: the program alone in an empty root, the package installed and removed, the
//! wheel in a fresh environment, the image run, the program for another processor under emulation.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Kind, PROCESSORS, Processor, Release, file_ending_in, fresh, output, pack};
use crate::shell::{install, target, tool};

/// Leaves of the game tree to depth 4, which a program that works prints.
const LEAVES: &str = "260099";
/// Elephants that face each other, and what is printed about them.
const ENDGAME: [&str; 2] = ["7/7/3e3/7/7/7/3E3/7/7 w", "loss in 12"];

/// Tries every file.
pub fn all(release: &Release) -> Result<(), String> {
    checksums(release)?;
    empty_root(release)?;
    package(release)?;
    image(release)?;
    if release.kind == Kind::Release {
        wheel(release)?;
    }
    for processor in release.processors() {
        if let Some(emulator) = processor.emulator {
            emulated(release, processor, emulator)?;
        }
    }
    Ok(())
}

fn checksums(release: &Release) -> Result<(), String> {
    let mut check = tool("sha256sum");
    check.args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&release.folder);
    output(&mut check)?;
    succeeded("checksums", "every file is as listed");
    Ok(())
}

/// A tarball in a folder of its own.
fn unpacked(release: &Release, processor: &Processor) -> Result<PathBuf, String> {
    let folder = target().join("dist-try").join(processor.triple);
    fresh(&folder)?;
    let archive = file_ending_in(&release.folder, &format!("{}.tar.gz", processor.triple))?;
    let mut tar = tool("tar");
    tar.args(["--extract", "--strip-components=1", "--file"]).arg(archive).arg("--directory");
    output(tar.arg(&folder))?;
    Ok(folder)
}

/// There is no library, no shell, no `/proc`, no folder but the unpacked one.
fn empty_root(release: &Release) -> Result<(), String> {
    let folder = unpacked(release, &PROCESSORS[0])?;
    let program = || {
        let mut command = Command::new("chroot");
        command.arg(&folder).arg("/mousetrap");
        command
    };
    counts("an empty root", program())?;
    let [fen, truth] = ENDGAME;
    let printed =
        output(program().args(["tb", "probe", fen, "--rules", "leiden", "--dir", "/tables"]))?;
    expect("an empty root", &printed, truth)?;
    for file in ["completions/mousetrap.bash", "man/mousetrap.1", "LICENSE-MIT", "LICENSE-APACHE"] {
        if !folder.join(file).exists() {
            return Err(format!("the tarball lacks {file}"));
        }
    }
    succeeded("the tarball in an empty root", "counts moves, builds a table and probes it");
    Ok(())
}

/// Installed, used and removed again, with nothing left behind.
fn package(release: &Release) -> Result<(), String> {
    let file = file_ending_in(&release.folder, ".deb")?;
    output(Command::new("dpkg").arg("--install").arg(file))?;
    let used = counts("the Debian package", Command::new("/usr/bin/mousetrap"));
    let page = Path::new("/usr/share/man/man1/mousetrap.1.gz").exists();
    let completion = Path::new("/usr/share/bash-completion/completions/mousetrap").exists();
    output(Command::new("dpkg").args(["--purge", "mousetrap"]))?;
    used?;
    if !page || !completion {
        return Err("the Debian package lacks its manual page or its completions".to_owned());
    }
    if Path::new("/usr/bin/mousetrap").exists() {
        return Err("the Debian package leaves its program behind".to_owned());
    }
    succeeded("the Debian package", "installed, used, removed");
    Ok(())
}

fn wheel(release: &Release) -> Result<(), String> {
    let file = file_ending_in(&release.folder, "x86_64.whl")?;
    let folder = target().join("dist-try/python");
    fresh(&folder)?;
    output(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let mut pip = Command::new(folder.join("bin/pip"));
    output(pip.args(["install", "--quiet", "--disable-pip-version-check"]).arg(file))?;
    let program = "import mousetrap; print(len(mousetrap.Position().moves()))";
    // Elsewhere, so that the package cannot be found but by its installation.
    let mut python = Command::new(folder.join("bin/python"));
    let printed = output(python.args(["-c", program]).current_dir(&folder))?;
    if printed != "24" {
        return Err(format!("the wheel counts {printed} first moves"));
    }
    succeeded("the wheel", "installed in a fresh environment and used");
    Ok(())
}

/// The image counts as the program does, and serves the board as its configuration says.
fn image(release: &Release) -> Result<(), String> {
    let archive = file_ending_in(&release.folder, ".oci.tar")?;
    let source = format!("oci-archive:{}", archive.display());
    let container = output(pack::buildah().args(["from", &source]))?;
    let tried = container_counts(&container).and_then(|()| container_serves(&container));
    output(pack::buildah().args(["rm", &container]))?;
    tried?;
    succeeded("the image", "run, and its page fetched");
    Ok(())
}

fn container_counts(container: &str) -> Result<(), String> {
    let mut run = pack::buildah();
    run.args(["run", container, "--", "/mousetrap"]);
    counts("the image", run)
}

fn container_serves(container: &str) -> Result<(), String> {
    let mut serve = pack::buildah()
        .args(["run", container, "--", "/mousetrap", "serve", "--port", "0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("buildah: cannot start: {error}"))?;
    let mut lines = BufReader::new(serve.stdout.take().expect("it is piped")).lines();
    let page = fetch(lines.next().and_then(Result::ok).unwrap_or_default());
    // As from a keyboard, so that the container ends with its program.
    let _ = Command::new("kill").args(["-INT", &serve.id().to_string()]).status();
    let _ = Command::new("pkill").args(["-INT", "-f", "^/mousetrap serve"]).status();
    let _ = serve.wait();
    expect("the image", &page?, "<title>Mousetrap")
}

/// The page that the first line of a server announces.
fn fetch(announcement: String) -> Result<String, String> {
    let address = announcement
        .split_once("http://")
        .and_then(|(_, rest)| rest.split('/').next())
        .ok_or_else(|| format!("the server announces no address: {announcement}"))?;
    let get = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut page = String::new();
        stream.read_to_string(&mut page)?;
        Ok(page)
    };
    get().map_err(|error| format!("{address}: {error}"))
}

/// Another processor's program, under an emulator.
fn emulated(release: &Release, processor: &Processor, emulator: &str) -> Result<(), String> {
    if tool(emulator).arg("--version").output().is_err() {
        install(&["qemu-user-static"])?;
    }
    let program = unpacked(release, processor)?.join("mousetrap");
    let mut command = Command::new(emulator);
    command.arg(program);
    counts(processor.triple, command)?;
    succeeded(processor.triple, "counts moves under emulation");
    Ok(())
}

/// Whether a program counts as it should.
fn counts(name: &str, mut command: Command) -> Result<(), String> {
    expect(name, &output(command.args(["perft", "4"]))?, LEAVES)
}

fn expect(name: &str, printed: &str, expected: &str) -> Result<(), String> {
    if printed.contains(expected) {
        return Ok(());
    }
    Err(format!("{name}: expected {expected}, got: {printed}"))
}

fn succeeded(name: &str, what: &str) {
    eprintln!("== {name}: {what}");
}
