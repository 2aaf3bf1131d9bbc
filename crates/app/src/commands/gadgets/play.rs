//! `mousetrap gadgets play`: a formula's board, played.

use std::io::Write;

use gadgets::BoardMove;
use gadgets::circuit::Gate;
use gadgets::layout::Layout;
use gadgets::play::{Setting, play};
use jungle::Color;
use serde::Serialize;

use super::args::PlayArgs;
use super::side;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Game {
    formula: String,
    first: &'static str,
    strategist: String,
    against: &'static str,
    seed: u64,
    winner: Option<String>,
    plies: usize,
    white_variables: Vec<String>,
    left_to_run: usize,
    broken_contracts: Vec<usize>,
    moves: Vec<String>,
}

pub fn run(args: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let formula = super::formula(&args.formula)?;
    let (opponent, against) = args.adversary.opponent();
    let first = args.first.color();
    let setting = Setting { first, stepping: args.stepping, ..Setting::new(opponent, args.seed) };
    let played = play(&formula, setting);
    let names = formula.names();
    let taken = (0..names.len()).filter(|variable| played.white >> variable & 1 == 1);
    let white_variables: Vec<String> = taken.map(|variable| names[variable].clone()).collect();
    let geometry = played.board.geometry();
    if args.json {
        return output.json(&Game {
            formula: formula.to_string(),
            first: side(first),
            strategist: played.strategist.chess_name().to_owned(),
            against,
            seed: args.seed,
            winner: played.winner.map(|winner| winner.chess_name().to_owned()),
            plies: played.moves.len(),
            white_variables,
            left_to_run: played.left_to_run,
            broken_contracts: played.broken.clone(),
            moves: played.moves.iter().map(|mv| mv.name(geometry)).collect(),
        });
    }
    let strategist = played.strategist;
    writeln!(output, "{formula}")?;
    writeln!(
        output,
        "{} wins the formula game and plays by strategy; {} is {against}",
        strategist.chess_name(),
        (!strategist).chess_name()
    )?;
    if args.moves {
        let layout = super::layout(&formula, args.stepping);
        let mut board = layout.board.clone();
        board.set_turn(first);
        for (ply, mv) in played.moves.iter().enumerate() {
            let place = place(&layout, names, mv);
            let piece = board.at(mv.from).map_or('?', jungle::Piece::letter);
            let takes =
                mv.captured.map_or(String::new(), |victim| format!(" takes {}", victim.letter()));
            writeln!(
                output,
                "{:>4} {} {piece} {}{takes}  {place}",
                ply + 1,
                board.turn().chess_name(),
                mv.name(geometry)
            )?;
            game::Game::make(
                &gadgets::GeneralisedJungle::new(jungle::Rules::LEIDEN),
                &mut board,
                *mv,
            );
        }
    }
    let list =
        if white_variables.is_empty() { "none".to_owned() } else { white_variables.join(", ") };
    writeln!(output, "White took {list}")?;
    match played.winner {
        Some(Color::White) => writeln!(
            output,
            "White reaches Black's den after {} plies; Black's cat still had {} squares to run",
            played.moves.len(),
            played.left_to_run
        )?,
        Some(Color::Black) => {
            writeln!(output, "Black reaches White's den after {} plies", played.moves.len())?;
        }
        None => writeln!(output, "neither side had won after {} plies", played.moves.len())?,
    }
    Ok(())
}

/// Where a move happens, in words.
fn place(layout: &Layout, names: &[String], mv: &BoardMove) -> String {
    let block = layout.block_at(mv.to).or_else(|| layout.block_at(mv.from));
    match block.map(|block| (block, layout.blocks[block].gate)) {
        Some((_, gate @ Gate::Variable(_))) => format!("variable {}", gate.label(names)),
        Some((block, gate)) => format!("{} {block}", gate.label(names)),
        None if layout.track.contains(&mv.from) => "race".to_owned(),
        None => "meadow".to_owned(),
    }
}
