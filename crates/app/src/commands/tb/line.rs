//! `mousetrap tb line`: best play by both sides, to the end.
//!
//! The winner takes the shortest way, the loser the longest; among equals the first in the order of
//! moves is played, so that a position has one line. A draw has no end to play to: there the moves
//! that keep it are shown.

use std::io::Write;

use game::Game;
use game::truth::Truth;
use jungle::picture::Terminal;
use jungle::{Color, Jungle, Move, Notation, Position};
use serde::Serialize;
use tablebase::Line;

use crate::cli;
use crate::commands::tb::args::LineArgs;
use crate::commands::tb::set::{Set, keys, verdict};
use crate::failure::Failure;
use crate::output::Output;

const ALGEBRAIC: Notation = Notation::Algebraic { marks: true };

/// The names are a contract with other programs.
#[derive(Serialize)]
struct LineBody {
    fen: String,
    outcome: &'static str,
    plies: Option<u32>,
    line: Vec<String>,
    /// How the game ends, in words; null for a draw that goes on.
    ending: Option<String>,
    /// The moves that keep a draw.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    drawing: Vec<String>,
}

pub fn run(args: &LineArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    let jungle = Jungle::new(*set.rules());
    let position = cli::position(Some(&args.fen.join(" ")))?;
    let Line { value, moves: played, last } = set.line(&position)?;
    let ending = jungle.ending(&last);
    let drawing = if value == Truth::Draw { drawing_moves(&set, &position)? } else { Vec::new() };

    if args.json {
        let (outcome, plies) = keys(value);
        return output.json(&LineBody {
            fen: position.to_string(),
            outcome,
            plies: if drawing.is_empty() { Some(plies.unwrap_or(0)) } else { plies },
            line: played.iter().map(Move::to_string).collect(),
            ending: ending.map(|ending| ending.to_string()),
            drawing: drawing.iter().map(Move::to_string).collect(),
        });
    }
    write!(output, "{}", Terminal::of(&position))?;
    writeln!(output, "{position}")?;
    if played.is_empty()
        && let Some(ending) = ending
    {
        writeln!(output, "The game is over: {ending}")?;
        return Ok(());
    }
    writeln!(output, "{}", verdict(position.turn(), value))?;
    if value == Truth::Draw {
        let texts: Vec<String> =
            drawing.iter().map(|&mv| ALGEBRAIC.write(&jungle, &position, mv)).collect();
        writeln!(output, "Moves that keep the draw: {}", texts.join(" "))?;
        return Ok(());
    }
    writeln!(output, "{}", numbered(&jungle, &position, &played))?;
    if let Some(ending) = ending {
        writeln!(output, "{ending}")?;
    }
    Ok(())
}

fn drawing_moves(set: &Set, position: &Position) -> Result<Vec<Move>, Failure> {
    let probed = set.tablebase().probe_position(position);
    let moves = probed.map_err(|error| set.failure(error))?.moves;
    Ok(moves.iter().filter(|probed| probed.value == Truth::Draw).map(|probed| probed.mv).collect())
}

/// `1. Ta8 tb9 2. …`, with `1... ` where Black begins.
fn numbered(jungle: &Jungle, start: &Position, moves: &[Move]) -> String {
    let mut position = start.clone();
    let mut words = Vec::new();
    let mut number = 1;
    for (at, &mv) in moves.iter().enumerate() {
        match position.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if at == 0 => words.push(format!("{number}...")),
            Color::Black => (),
        }
        if position.turn() == Color::Black {
            number += 1;
        }
        words.push(ALGEBRAIC.write(jungle, &position, mv));
        jungle.make(&mut position, mv);
    }
    words.join(" ")
}
