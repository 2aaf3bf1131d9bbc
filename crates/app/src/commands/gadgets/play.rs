//! `mousetrap gadgets play`: a formula's board, played.

use std::io::Write;

use gadgets::Step;
use gadgets::circuit::{Circuit, Gate};
use gadgets::layout::Layout;
use gadgets::play::{Outsider, play};
use jungle::Color;
use serde::Serialize;

use super::args::{Against, PlayArgs};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Game {
    formula: String,
    strategist: String,
    against: &'static str,
    seed: u64,
    winner: Option<String>,
    plies: usize,
    white_variables: Vec<String>,
    left_to_run: usize,
    moves: Vec<String>,
}

pub fn run(args: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let formula = super::formula(&args.formula)?;
    let (outsider, against) = match args.against {
        Against::Greedy => (Outsider::Greedy, "greedy"),
        Against::Random => (Outsider::Random, "random"),
    };
    let played = play(&formula, outsider, args.seed);
    let names = formula.names();
    let taken = (0..names.len()).filter(|variable| played.white >> variable & 1 == 1);
    let white_variables: Vec<String> = taken.map(|variable| names[variable].clone()).collect();
    let ground = played.board.ground();
    if args.json {
        return output.json(&Game {
            formula: formula.to_string(),
            strategist: played.strategist.to_string(),
            against,
            seed: args.seed,
            winner: played.winner.map(|winner| winner.to_string()),
            plies: played.steps.len(),
            white_variables,
            left_to_run: played.left_to_run,
            moves: played.steps.iter().map(|step| step.name(ground)).collect(),
        });
    }
    let strategist = played.strategist;
    writeln!(output, "{formula}")?;
    writeln!(
        output,
        "{strategist} wins the formula game and plays by strategy; {} is {against}",
        !strategist
    )?;
    if args.moves {
        let layout = Layout::of(&Circuit::of(&formula));
        let mut board = layout.board.clone();
        for (ply, step) in played.steps.iter().enumerate() {
            let place = place(&layout, names, step);
            let piece = board.at(step.from).map_or('?', jungle::Piece::letter);
            let takes =
                step.captured.map_or(String::new(), |victim| format!(" takes {}", victim.letter()));
            writeln!(
                output,
                "{:>4} {} {piece} {}{takes}  {place}",
                ply + 1,
                board.turn(),
                step.name(ground)
            )?;
            game::Game::make(&gadgets::Wilds::new(jungle::Rules::LEIDEN), &mut board, *step);
        }
    }
    let list =
        if white_variables.is_empty() { "none".to_owned() } else { white_variables.join(", ") };
    writeln!(output, "White took {list}")?;
    match played.winner {
        Some(Color::White) => writeln!(
            output,
            "White reaches Black's den after {} plies; Black's cat still had {} squares to run",
            played.steps.len(),
            played.left_to_run
        )?,
        Some(Color::Black) => {
            writeln!(output, "Black reaches White's den after {} plies", played.steps.len())?;
        }
        None => writeln!(output, "nobody had won after {} plies", played.steps.len())?,
    }
    Ok(())
}

/// Where a move happens, in words.
fn place(layout: &Layout, names: &[String], step: &Step) -> String {
    let block = layout.block_at(step.to).or_else(|| layout.block_at(step.from));
    match block.map(|block| (block, layout.blocks[block].gate)) {
        Some((_, gate @ Gate::Variable(_))) => format!("variable {}", gate.label(names)),
        Some((block, gate)) => format!("{} {block}", gate.label(names)),
        None if layout.track.contains(&step.from) => "race".to_owned(),
        None => "meadow".to_owned(),
    }
}
