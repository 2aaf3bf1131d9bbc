//! `mousetrap bench parts`: searching parts separately beside searching the board as a whole.
//!
//! The figures of `docs/decisions/0007-searching-parts.md`. They are counts, the same on every machine.

use std::io::Write;

use game::Game;
use game::rng::Rng;
use jungle::{BurnettEval, Color, Position, Rules, Setup, Square};
use players::{Cut, PartedJungle, StrongestFirst};
use search::decompose::Decompose;
use search::sum::Sum;
use search::{AlphaBeta, Limits, Schedule, Subproblems, fixed};
use serde::Serialize;

use crate::cli::BenchPartsArgs;
use crate::failure::Failure;
use crate::output::Output;

/// What came out at a depth; the names are a contract with other programs.
#[derive(Default, Serialize)]
struct Row {
    depth: u32,
    positions: u32,
    /// How many fall into parts that cannot touch within the depth.
    cut: u32,
    /// For how many of those the implied score is the value.
    implied_equal: u32,
    /// For how many it is less, for how many it is more.
    implied_less: u32,
    implied_more: u32,
    /// For how many its move has the best value.
    implied_move_best: u32,
    /// Positions visited, all in all.
    whole_nodes: u64,
    exact_nodes: u64,
    implied_nodes: u64,
}

pub fn run(args: &BenchPartsArgs, output: &mut Output) -> Result<(), Failure> {
    let rules = args.rules.rules;
    let mut rng = Rng::new(args.seed);
    let positions: Vec<Position> =
        (0..args.positions).map(|_| scattered(&mut rng, rules, args.pieces as usize)).collect();
    if !args.json {
        writeln!(
            output,
            "{} random positions of {} pieces, {rules}, seed {}",
            args.positions, args.pieces, args.seed
        )?;
        writeln!(
            output,
            "{:>5} {:>6} {:>8} {:>6} {:>6} {:>10}   {:>12} {:>12} {:>12}",
            "depth", "cut", "implied=", "<", ">", "move best", "whole nodes", "exact", "implied"
        )?;
    }
    for depth in 1..=args.depth {
        let row = row(rules, &positions, depth)?;
        if args.json {
            output.json(&row)?;
        } else {
            writeln!(
                output,
                "{:>5} {:>6} {:>8} {:>6} {:>6} {:>10}   {:>12} {:>12} {:>12}",
                depth,
                row.cut,
                row.implied_equal,
                row.implied_less,
                row.implied_more,
                row.implied_move_best,
                row.whole_nodes,
                row.exact_nodes,
                row.implied_nodes
            )?;
        }
        output.flush()?;
    }
    Ok(())
}

fn row(rules: Rules, positions: &[Position], depth: u32) -> Result<Row, Failure> {
    let game = PartedJungle::new(rules, Cut::Independent(depth));
    let unlimited = Limits::none();
    let mut row = Row { depth, positions: positions.len() as u32, ..Row::default() };
    for position in positions {
        if game.parts(position, depth).len() < 2 {
            continue;
        }
        row.cut += 1;
        let mut whole = AlphaBeta::new(&game, &BurnettEval).order(StrongestFirst);
        let whole = fixed(&mut whole, position, depth, &unlimited).expect("there is no limit");
        let mut exact = Sum::new(&game, &BurnettEval);
        let exact = fixed(&mut exact, position, depth, &unlimited).expect("there is no limit");
        if exact.score != whole.score {
            return Err(Failure::Outside(format!(
                "the parts say {} and the whole board {}, {depth} plies deep on {position}: this must \
                 not happen, please report it",
                exact.score, whole.score
            )));
        }
        let implied = Subproblems::new(&game, &BurnettEval)
            .order(StrongestFirst)
            .schedule(Schedule { first: depth, step: 1 })
            .search(position, &Limits::depth(depth))
            .report;
        match implied.score.cmp(&whole.score) {
            std::cmp::Ordering::Less => row.implied_less += 1,
            std::cmp::Ordering::Equal => row.implied_equal += 1,
            std::cmp::Ordering::Greater => row.implied_more += 1,
        }
        if let Some(mv) = implied.best() {
            let mut only = AlphaBeta::new(&game, &BurnettEval).order(StrongestFirst).only(&[mv]);
            let value = fixed(&mut only, position, depth, &unlimited).expect("there is no limit");
            row.implied_move_best += u32::from(value.score == whole.score);
        }
        row.whole_nodes += whole.nodes;
        row.exact_nodes += exact.nodes;
        row.implied_nodes += implied.nodes;
    }
    Ok(row)
}

/// A random position of so many pieces, of both sides, in which the game goes on.
fn scattered(rng: &mut Rng, rules: Rules, pieces: usize) -> Position {
    let game = PartedJungle::new(rules, Cut::Independent(0));
    let all: Vec<_> = Setup::from(&Position::start()).pieces().map(|(_, piece)| piece).collect();
    loop {
        let mut left = all.clone();
        let mut setup = Setup::empty();
        while setup.pieces().count() < pieces {
            let piece = left.swap_remove(rng.below(left.len()));
            let before = setup.clone();
            // Squares are tried until the piece may stand there.
            loop {
                let square = Square::ALL[rng.below(Square::COUNT)];
                if before.board[square.index()].is_some() {
                    continue;
                }
                setup.board[square.index()] = Some(piece);
                if setup.position().is_ok() {
                    break;
                }
                setup = before.clone();
            }
        }
        if rng.below(2) == 0 {
            setup.turn = Color::Black;
        }
        match setup.position() {
            Ok(position) if game.outcome(&position).is_none() => return position,
            _ => {}
        }
    }
}
