//! `mousetrap tb`: endgame tables.

pub mod args;
mod build;
mod catalogue;
mod export;
mod fetch;
mod http;
mod line;
mod list;
mod longest;
mod plan;
mod probe;
mod publish;
mod races;
pub mod remedy;
pub mod set;
mod size;
mod starts;
pub mod stats;
mod tempo;
mod verify;

use std::path::PathBuf;

use etcetera::BaseStrategy;

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
        TbCommand::Catalogue(args) => catalogue::run(args, output),
        TbCommand::SolveStarts(args) => starts::run(args, output),
        TbCommand::Plan(args) => plan::run(args, output),
        TbCommand::Publish(args) => publish::run(args, output),
        TbCommand::Fetch(args) => fetch::run(args, output),
        TbCommand::Races(args) => races::run(args, output),
        TbCommand::Tempo(args) => tempo::run(args, output),
        TbCommand::Export(args) => export::run(args, output),
        TbCommand::Bench(args) => measure::<studies::bench::Tables>(args, output),
    }
}

/// The environment variable that names the folder of tables.
const TABLES_VARIABLE: &str = "MOUSETRAP_TABLES";

/// The folder of tables, with a folder for each set of rules in it: `given` if there is one, else the
/// folder named by the environment, else the user's data folder. It need not exist.
pub fn tables_folder(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let data = || etcetera::choose_base_strategy().map(|base| base.data_dir());
    tablebase::tables_folder(given, std::env::var_os(TABLES_VARIABLE), data).map_err(|error| {
        let doing = format!("finding the data folder (use --dir or set {TABLES_VARIABLE})");
        Failure::outside(doing, error)
    })
}

/// The folder of the set for the rules, which need not exist.
pub fn folder(set: &SetArgs) -> Result<PathBuf, Failure> {
    Ok(tablebase::set_folder(&tables_folder(set.dir.clone())?, &set.rules.rules))
}
