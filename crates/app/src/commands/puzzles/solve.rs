//! `mousetrap puzzles solve`: a puzzle in the terminal, move by move.

use std::io::{BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use game::rng::Rng;
use jungle::picture::Terminal;
use jungle::{Jungle, parse_move};
use puzzles::{Book, Date, Puzzle};

use super::args::SolveArgs;
use super::find;
use super::list::heading;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &SolveArgs, output: &mut Output) -> Result<(), Failure> {
    let book = args.choice.book()?;
    let puzzle = choose(args, &book)?;
    heading(puzzle, output)?;
    solve(puzzle, std::io::stdin().lock(), output)
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

fn choose<'a>(args: &SolveArgs, book: &'a Book) -> Result<&'a Puzzle, Failure> {
    if let Some(id) = &args.id {
        return find(book, id);
    }
    let choice = &args.choice;
    let is_free = choice.theme.is_none() && choice.from == 0 && choice.to == 9999;
    let nothing =
        || Failure::Input("no puzzle fits; see `mousetrap puzzles list --count`".to_owned());
    if is_free || args.date.is_some() {
        return book.daily(args.date.unwrap_or_else(Date::today)).ok_or_else(nothing);
    }
    let fitting: Vec<&Puzzle> = book.puzzles().iter().filter(|one| choice.admits(one)).collect();
    Rng::new(now()).choose(&fitting).copied().ok_or_else(nothing)
}

fn solve(puzzle: &Puzzle, input: impl BufRead, output: &mut Output) -> Result<(), Failure> {
    let jungle = Jungle::new(puzzle.rules);
    let mut position = puzzle.start.clone();
    let mut moves = puzzle.solution.iter().copied();
    let Some(mut wanted) = moves.next() else { return Ok(()) };
    let (mut tries, mut helped) = (0, false);
    let mut lines = input.lines();
    loop {
        write!(output, "Your move (or hint, solution, quit): ")?;
        output.flush()?;
        let Some(line) = lines.next().transpose()? else { return Ok(writeln!(output)?) };
        match line.trim() {
            "" => continue,
            "quit" => return Ok(()),
            "help" | "?" => {
                writeln!(output, "Type a move, as in a3a4; or hint, solution, quit.")?;
                continue;
            }
            "hint" => {
                helped = true;
                writeln!(output, "Move the piece on {}.", wanted.from)?;
                continue;
            }
            "solution" => {
                helped = true;
                writeln!(output, "The move is {wanted}.")?;
                continue;
            }
            text => match parse_move(&jungle, &position, text) {
                Err(error) => {
                    writeln!(output, "{error}")?;
                    continue;
                }
                Ok(mv) if mv != wanted => {
                    tries += 1;
                    writeln!(output, "{mv} does not keep the {}. Try again.", puzzle.goal.name())?;
                    continue;
                }
                Ok(mv) => position.make(mv),
            },
        }
        let Some(reply) = moves.next() else { break };
        position.make(reply);
        write!(output, "{}", Terminal::of(&position))?;
        writeln!(output, "Right. The answer is {reply}.")?;
        let Some(next) = moves.next() else { break };
        wanted = next;
    }
    let how = match (helped, tries) {
        (true, _) => "with help".to_owned(),
        (false, 0) => "at the first try".to_owned(),
        (false, wrong) => format!("after {wrong} wrong moves"),
    };
    writeln!(output, "Solved {how}. Rated {}.", puzzle.rating)?;
    Ok(())
}
