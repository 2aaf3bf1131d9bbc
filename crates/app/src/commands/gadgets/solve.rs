//! `mousetrap gadgets solve`: a formula's whole board, solved.

use std::io::Write;

use gadgets::circuit::Circuit;
use gadgets::layout::Layout;
use gadgets::whole::{WholeBoard, WholeError};
use indicatif::{ProgressBar, ProgressStyle};
use jungle::Color;
use serde::Serialize;

use super::args::SolveArgs;
use super::side;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Solved {
    formula: String,
    first: &'static str,
    winner: &'static str,
    plies: Option<u32>,
    states: u64,
    drawn_states: u64,
    arrangements: usize,
    formula_winner: &'static str,
}

pub fn run(args: &SolveArgs, output: &mut Output) -> Result<(), Failure> {
    let formula = super::formula(&args.formula)?;
    let first = args.first.color();
    let mut board = Layout::of(&Circuit::of(&formula)).board;
    board.set_turn(first);
    let refused = |error: WholeError| match error {
        WholeError::TooWide(_) => Failure::input("this board cannot be solved whole", error),
        WholeError::TooMany(_) => Failure::outside("solving the board (see --limit)", error),
    };
    let whole = WholeBoard::new(&board, args.rules.board_rules()).map_err(refused)?;
    let bar = ProgressBar::new_spinner().with_style(
        ProgressStyle::with_template("{human_pos} arrangements found").expect("a valid template"),
    );
    let solution = whole.solve(args.limit as usize, |found| bar.set_position(found as u64));
    bar.finish_and_clear();
    let solution = solution.map_err(refused)?;
    let white_wins = formula.game().white_wins(0, 0, first);
    let result = Solved {
        formula: formula.to_string(),
        first: side(first),
        winner: solution.winner.map_or("draw", side),
        plies: solution.plies,
        states: solution.states,
        drawn_states: solution.drawn,
        arrangements: solution.arrangements,
        formula_winner: side(if white_wins { Color::White } else { Color::Black }),
    };
    if args.json {
        return output.json(&result);
    }
    writeln!(output, "{formula}, {} first", first.chess_name())?;
    match (solution.winner, solution.plies) {
        (Some(winner), Some(plies)) => {
            writeln!(output, "{} wins the board in {plies} plies", winner.chess_name())?;
        }
        _ => writeln!(output, "neither side can win the board")?,
    }
    writeln!(
        output,
        "{} wins the formula game; {} states in {} arrangements, {} of them drawn, rules {}",
        if white_wins { "White" } else { "Black" },
        result.states,
        result.arrangements,
        result.drawn_states,
        args.rules
    )?;
    Ok(())
}
