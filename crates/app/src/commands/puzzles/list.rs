//! `mousetrap puzzles list` and `show`.

use std::io::Write;

use answers::PuzzleDocument;
use jungle::Jungle;
use jungle::picture::Terminal;
use puzzles::mine::report::Kept;
use puzzles::{Goal, Puzzle, Theme};

use super::args::{ListArgs, ShowArgs};
use super::{book, find};
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &ListArgs, output: &mut Output) -> Result<(), Failure> {
    let book = args.choice.book()?;
    let chosen = book.puzzles().iter().filter(|puzzle| args.choice.admits(puzzle));
    if args.count {
        let chosen: Vec<Puzzle> = chosen.cloned().collect();
        return Ok(write!(output, "{}", Kept::of(&chosen))?);
    }
    for puzzle in chosen {
        if args.json {
            output.json(&PuzzleDocument::of(puzzle))?;
        } else {
            let (id, rating, plies) = (&puzzle.id, puzzle.rating, puzzle.solution.len());
            let (goal, fen) = (puzzle.goal.name(), puzzle.fen());
            writeln!(
                output,
                "{id}  {rating:>4}  {goal:<4}  {plies} plies  {fen}  {}",
                themes(puzzle)
            )?;
        }
    }
    Ok(())
}

pub fn show(args: &ShowArgs, output: &mut Output) -> Result<(), Failure> {
    let book = book(args.file.as_deref())?;
    let puzzle = find(&book, &args.id)?;
    let document = PuzzleDocument::of(puzzle);
    if args.json {
        return output.json(&document);
    }
    heading(puzzle, output)?;
    let notated =
        answers::Notated::new(&Jungle::new(puzzle.rules), &puzzle.start, &puzzle.solution);
    writeln!(output, "Solution: {}", notated.algebraic.join(" "))?;
    writeln!(output, "Themes: {}", themes(puzzle))?;
    let proved = puzzle.proof.name();
    writeln!(output, "Rated {}; proved by {proved}", puzzle.rating)?;
    Ok(())
}

/// The board, and what is asked.
pub fn heading(puzzle: &Puzzle, output: &mut Output) -> Result<(), Failure> {
    write!(output, "{}", Terminal::of(&puzzle.start))?;
    writeln!(output, "{}", puzzle.fen())?;
    let side = puzzle.start.turn();
    let goal = match puzzle.goal {
        Goal::Win => "win",
        Goal::Draw => "hold the draw",
    };
    writeln!(output, "Puzzle {}: {side} to move and {goal}", puzzle.id)?;
    Ok(())
}

fn themes(puzzle: &Puzzle) -> String {
    let names: Vec<&str> = puzzle.themes.iter().map(Theme::name).collect();
    names.join(", ")
}
