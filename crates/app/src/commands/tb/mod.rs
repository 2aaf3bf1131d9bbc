//! `mousetrap tb`: endgame tables.

pub mod args;
mod bench;
mod build;
mod export;
mod line;
mod list;
mod longest;
mod probe;
mod races;
pub mod set;
mod size;
pub mod stats;
mod verify;

use std::path::PathBuf;

use etcetera::BaseStrategy;
use tablebase::build::BuildError;
use tablebase::material::rules_name;

use crate::commands::tb::args::{SetArgs, TbArgs, TbCommand};
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &TbArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.command {
        TbCommand::Build(args) => build::run(args, output),
        TbCommand::List(args) => list::run(args, output),
        TbCommand::Probe(args) => probe::run(args, output),
        TbCommand::Line(args) => line::run(args, output),
        TbCommand::Longest(args) => longest::run(args, output),
        TbCommand::Stats(args) => stats::run(args, output),
        TbCommand::Verify(args) => verify::run(args, output),
        TbCommand::Races(args) => races::run(args, output),
        TbCommand::Export(args) => export::run(args, output),
        TbCommand::Bench(args) => bench::run(args, output),
    }
}

/// Names a folder of tables when `--dir` does not.
const TABLES_VARIABLE: &str = "MOUSETRAP_TABLES";

/// The folder of tables, with a folder for each set of rules in it: `given` if there is one, else the
/// folder named by the environment, else the user's data folder. It need not exist.
pub fn tables_folder(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let named = || std::env::var_os(TABLES_VARIABLE).filter(|path| !path.is_empty());
    match given.or_else(|| named().map(PathBuf::from)) {
        Some(folder) => Ok(folder),
        None => Ok(etcetera::choose_base_strategy()
            .map_err(|error| {
                Failure::outside(
                    format!("finding the data folder (use --dir or set {TABLES_VARIABLE})"),
                    error,
                )
            })?
            .data_dir()
            .join("mousetrap")
            .join("tables")),
    }
}

/// The folder of the set for the rules, which need not exist.
pub fn folder(set: &SetArgs) -> Result<PathBuf, Failure> {
    Ok(tables_folder(set.dir.clone())?.join(rules_name(&set.rules.rules)))
}

/// A failed build as the user sees it.
pub fn failure(error: BuildError) -> Failure {
    match error {
        BuildError::Io { .. } | BuildError::Damaged { .. } | BuildError::Threads(_) => {
            Failure::Outside(error.to_string())
        }
        BuildError::Memory { .. } | BuildError::TooManyPieces { .. } => {
            Failure::Input(error.to_string())
        }
    }
}
