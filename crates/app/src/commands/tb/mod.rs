//! `mousetrap tb`: endgame tables.

pub mod args;
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

use tablebase::build::BuildError;

use crate::commands::study::measure;
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
        TbCommand::Bench(args) => measure::<studies::bench::Tables>(args, output),
    }
}

/// The folder of tables, with a folder for each set of rules in it: `given` if there is one, else the
/// folder named by the environment, else the user's data folder. It need not exist.
pub fn tables_folder(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    Ok(tablebase::set::tables_folder(given)?)
}

/// The folder of the set for the rules, which need not exist.
pub fn folder(set: &SetArgs) -> Result<PathBuf, Failure> {
    Ok(tablebase::set::set_folder(&set.rules.rules, set.dir.clone())?)
}

/// A failed build as the user sees it.
pub fn failure(error: BuildError) -> Failure {
    if error.is_outside() {
        Failure::Outside(error.to_string())
    } else {
        Failure::Input(error.to_string())
    }
}
