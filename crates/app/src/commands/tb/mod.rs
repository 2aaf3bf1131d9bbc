//! `mousetrap tb`: endgame tables.

pub mod args;
mod bench;
mod build;
mod export;
mod line;
mod list;
mod longest;
mod probe;
mod stats;
mod verify;

use crate::commands::tb::args::{TbArgs, TbCommand};
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
        TbCommand::Export(args) => export::run(args, output),
        TbCommand::Bench(args) => bench::run(args, output),
    }
}
