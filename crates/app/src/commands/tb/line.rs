//! `mousetrap tb line`: best play by both sides, to the end. A draw has no end to play to: there the moves that
//! keep it are shown.

use std::io::Write;

use answers::{Line, in_words};
use jungle::picture::Terminal;
use jungle::{Color, Jungle};

use crate::cli;
use crate::commands::tb::args::LineArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &LineArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    let position = cli::position(Some(&args.fen.join(" ")))?;
    let jungle = Jungle::new(*set.rules());
    let line = Line::of(set.tablebase(), &jungle, &position);
    let line = line.map_err(|error| set.line_failure(error))?;
    if args.json {
        return output.json(&line);
    }
    write!(output, "{}", Terminal::of(&position))?;
    writeln!(output, "{}", line.fen)?;
    if let Some(ending) = line.ending.as_ref().filter(|_| line.line.is_empty()) {
        writeln!(output, "The game is over: {ending}")?;
        return Ok(());
    }
    writeln!(output, "{}", in_words(position.turn(), line.truth))?;
    match line.ending {
        Some(ending) => {
            writeln!(output, "{}", numbered(position.turn(), &line.san))?;
            writeln!(output, "{ending}")?;
        }
        None => writeln!(output, "Moves that keep the draw: {}", line.drawing_san.join(" "))?,
    }
    Ok(())
}

/// `1. Ta8 tb9 2. …`, with `1... ` where Black begins.
fn numbered(first: Color, moves: &[String]) -> String {
    let before = usize::from(first == Color::Black);
    let word = |(at, san): (usize, &String)| match (at + before) / 2 + 1 {
        number if (at + before).is_multiple_of(2) => format!("{number}. {san}"),
        number if at == 0 => format!("{number}... {san}"),
        _ => san.clone(),
    };
    moves.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_numbered_for_either_side() {
        let moves = ["Ta8", "tb9", "Ta9"].map(str::to_owned);
        assert_eq!(numbered(Color::White, &moves), "1. Ta8 tb9 2. Ta9");
        assert_eq!(numbered(Color::Black, &moves), "1... Ta8 2. tb9 Ta9");
        assert_eq!(numbered(Color::White, &[]), "");
    }
}
