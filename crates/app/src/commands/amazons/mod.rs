//! `mousetrap amazons`: the Game of the Amazons.

mod analyse;
pub mod args;
mod perft;
mod play;
mod regions;
mod show;
mod solve;

use amazons::{Position, Size};
use studies::{bench, xu_xing_zuo};

use crate::commands::amazons::args::{AmazonsArgs, AmazonsCommand, PositionArgs};
use crate::commands::study::measure;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &AmazonsArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.command {
        AmazonsCommand::Play(args) => play::run(args, output),
        AmazonsCommand::Analyse(args) => analyse::run(args, output),
        AmazonsCommand::Solve(args) => solve::run(args, output),
        AmazonsCommand::Regions(args) => regions::run(args, output),
        AmazonsCommand::CheckProof(args) => solve::check(args, output),
        AmazonsCommand::Perft(args) => perft::run(args, output),
        AmazonsCommand::Show(args) => show::run(args, output),
        AmazonsCommand::Exactness(args) => measure::<xu_xing_zuo::Exactness>(args, output),
        AmazonsCommand::Match(args) => measure::<xu_xing_zuo::Duel>(args, output),
        AmazonsCommand::Bench(args) => measure::<bench::AmazonsSpeed>(args, output),
    }
}

/// The position requested.
fn position(args: &PositionArgs) -> Result<Position, Failure> {
    if args.position.is_empty() {
        return Ok(start(args.size.unwrap_or(Size::USUAL)));
    }
    args.position.join(" ").parse().map_err(|error| Failure::input("bad position", error))
}

/// The start on a board.
pub fn start(size: Size) -> Position {
    Position::start(size.files(), size.ranks()).expect("a size is a size of a board")
}
