//! The Python package: the wheel, installed in a fresh environment, and everything that is tested there.
//!
//! Python comes from the system (`$PYTHON`, else `python3`), everything else from PyPI by name; uv installs it, in a
//! tenth of pip's time. The wheel is
//! built with the profile and the features of the Rust tests, whose crates are then there already; `cargo xtask dist`
//! makes those to use.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{install, root, step};

/// What the tests need beside the wheel and what it brings along.
const PACKAGES: [&str; 6] = ["pytest", "mypy", "pyarrow", "pandas", "duckdb", "scikit-learn"];

/// Everything about the package that CI runs.
pub fn test() -> Result<(), String> {
    let home = root().join("target/python");
    let tools = environment(&home.join("tools"), false)?;
    if !tools.join("maturin").exists() {
        step("installing maturin", pip(&tools).arg("maturin>=1.16,<2"))?;
    }
    let wheels = home.join("wheels");
    clear(&wheels)?;
    step(
        "the Python wheel",
        Command::new(tools.join("maturin"))
            .args(["build", "--profile", "dev", "--features", "workspace"])
            .args(["--strip", "--locked", "--out"])
            .arg(&wheels)
            .current_dir(package()),
    )?;
    let wheel = only(&wheels)?;
    let fresh = environment(&home.join("fresh"), true)?;
    step("installing the wheel in a fresh environment", pip(&fresh).arg(&wheel))?;
    step("what its tests need", pip(&fresh).args(PACKAGES))?;
    let python = fresh.join("python");
    step(
        "types of the package",
        Command::new(&python)
            .args(["-m", "mypy", "--config-file", "pyproject.toml", "-p", "mousetrap"])
            .args(["--cache-dir", "../../target/python/types"])
            .current_dir(package()),
    )?;
    step(
        "stubs against the package",
        Command::new(&python)
            .args(["-m", "mypy.stubtest", "mousetrap", "--ignore-disjoint-bases"])
            .current_dir(&home),
    )?;
    step(
        "tests of the package",
        Command::new(&python)
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(package()),
    )
}

fn package() -> PathBuf {
    root().join("bindings/python")
}

/// The folder of programs of a virtual environment, created if it is not there, or always if `fresh`.
pub fn environment(folder: &Path, fresh: bool) -> Result<PathBuf, String> {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    if fresh || !folder.join("bin/python").exists() {
        clear(folder)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut venv = Command::new(uv()?);
        venv.args(["venv", "--quiet", "--no-project", "--python"]).arg(&python).arg(folder);
        step(&format!("a Python environment: {name}"), venv)?;
    }
    Ok(folder.join("bin"))
}

/// Installs packages, named by further arguments, into an environment.
pub fn pip(programs: &Path) -> Command {
    let mut pip = Command::new(uv_program());
    pip.args(["pip", "install", "--quiet", "--python"]).arg(programs.join("python"));
    pip
}

fn uv_program() -> PathBuf {
    root().join("target/python/uv/bin/uv")
}

/// The program that makes environments, in one of its own that `venv` and pip make.
fn uv() -> Result<PathBuf, String> {
    let program = uv_program();
    if program.exists() {
        return Ok(program);
    }
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let folder = root().join("target/python/uv");
    let venv = || {
        let mut command = Command::new(&python);
        command.args(["-m", "venv"]).arg(&folder);
        command
    };
    if step("a Python environment: uv", venv()).is_err() {
        // Debian has it in a package of its own.
        install(&["python3-venv"])?;
        step("a Python environment: uv", venv())?;
    }
    let mut pip = Command::new(folder.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv>=0.7,<1"]);
    step("installing uv", pip)?;
    Ok(program)
}

fn clear(folder: &Path) -> Result<(), String> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{}: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// The one file in a folder.
fn only(folder: &Path) -> Result<PathBuf, String> {
    let listing =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = listing.filter_map(|entry| Some(entry.ok()?.path()));
    files.next().ok_or_else(|| format!("there is no wheel in {}", folder.display()))
}
