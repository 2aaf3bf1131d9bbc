//! `mousetrap puzzles`: solve, show, list, prove and mine puzzles.

pub mod args;
mod list;
mod mine;
mod solve;
mod verify;

use std::path::Path;

use puzzles::{Book, Puzzle};

use crate::commands::puzzles::args::{Choice, PuzzlesArgs, PuzzlesCommand};
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &PuzzlesArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.command {
        PuzzlesCommand::Solve(args) => solve::run(args, output),
        PuzzlesCommand::Show(args) => list::show(args, output),
        PuzzlesCommand::List(args) => list::run(args, output),
        PuzzlesCommand::Verify(args) => verify::run(args, output),
        PuzzlesCommand::Mine(args) => mine::run(args, output),
    }
}

/// The puzzles in a file, or those that come with the program.
fn book(file: Option<&Path>) -> Result<Book, Failure> {
    let Some(file) = file else { return Ok(Book::shipped()) };
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::outside(format!("reading {}", file.display()), error))?;
    text.parse().map_err(|error| Failure::input(file.display(), error))
}

impl Choice {
    fn book(&self) -> Result<Book, Failure> {
        book(self.file.as_deref())
    }

    fn admits(&self, puzzle: &Puzzle) -> bool {
        (self.from..=self.to).contains(&puzzle.rating)
            && self.theme.is_none_or(|theme| puzzle.themes.contains(theme))
    }
}

/// The puzzle of this name.
fn find<'a>(book: &'a Book, id: &str) -> Result<&'a Puzzle, Failure> {
    book.find(id).ok_or_else(|| {
        Failure::Input(format!(
            "there is no puzzle '{id}'; `mousetrap puzzles list` names them all"
        ))
    })
}
