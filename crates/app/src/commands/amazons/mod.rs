//! `mousetrap amazons`: the Game of the Amazons.

mod analyse;
pub mod args;
mod bench;
mod duel;
mod exactness;
mod perft;
mod play;
mod reasons;
mod show;

use amazons::{Position, Size};

use crate::commands::amazons::args::{AmazonsArgs, AmazonsCommand, PositionArgs};
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &AmazonsArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.command {
        AmazonsCommand::Play(args) => play::run(args, output),
        AmazonsCommand::Analyse(args) => analyse::run(args, output),
        AmazonsCommand::Perft(args) => perft::run(args, output),
        AmazonsCommand::Show(args) => show::run(args, output),
        AmazonsCommand::Exactness(args) => exactness::run(args, output),
        AmazonsCommand::Match(args) => duel::run(args, output),
        AmazonsCommand::Bench(args) => bench::run(args, output),
    }
}

/// The position asked for.
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
