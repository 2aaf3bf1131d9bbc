//! Searching parts separately, compared with searching the board as a whole.
//!
//! The figures of `docs/decisions/0007-searching-parts.md`. They are counts, the same on every machine.

use std::fmt::Write;

use clap::Args;
use game::Game;
use game::decompose::Decompose;
use game::limits::Limits;
use game::rng::Rng;
use jungle::decompose::{Cut, PartedJungle};
use jungle::{BurnettEval, Color, Position, Rules, Setup, Square};
use players::StrongestFirst;
use search::sum::Sum;
use search::{AlphaBeta, Schedule, Subproblems, fixed};
use serde::{Deserialize, Serialize};

use crate::parameter::{text, within};
use crate::study::each;
use crate::{Context, Draft, Study, StudyError};

/// Searching parts separately.
pub struct Parts;

/// What is searched.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many random positions
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub positions: u32,
    /// How many pieces each position has
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(2..=16))]
    pub pieces: u32,
    /// How deep to search
    #[arg(long, value_name = "PLIES", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..=10))]
    pub depth: u32,
    /// The seed of the random positions
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// A preset, or a preset with switches as in leiden,repetition=draw
    #[arg(long, value_name = "RULES", default_value = "standard")]
    #[serde(with = "text")]
    pub rules: Rules,
}

impl Default for Params {
    fn default() -> Params {
        Params { positions: 200, pieces: 6, depth: 5, seed: 1, rules: Rules::STANDARD }
    }
}

/// The results at a depth; the names are a contract with other programs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DepthRow {
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

impl Study for Parts {
    const NAME: &'static str = "bench-parts";
    const TITLE: &'static str = "Searching parts separately, and the board as a whole";
    const ABOUT: &'static str =
        "Searching parts separately: exactly, as Burnett does, and the board as a whole";
    const TAKES: &'static str = "seconds";

    type Params = Params;
    type Results = Vec<DepthRow>;

    fn run(
        params: &Params,
        context: &mut Context<'_>,
    ) -> Result<Option<Vec<DepthRow>>, StudyError> {
        within("positions", params.positions, 1..=100_000)?;
        within("pieces", params.pieces, 2..=16)?;
        within("depth", params.depth, 1..=10)?;
        let mut rng = Rng::new(params.seed);
        let pieces = params.pieces as usize;
        let positions: Vec<Position> =
            (0..params.positions).map(|_| scattered(&mut rng, params.rules, pieces)).collect();
        context.progress.begin("plies", Some(params.depth.into()));
        let mut rows = Vec::new();
        for depth in 1..=params.depth {
            rows.push(row(params.rules, &positions, depth)?);
            context.advance()?;
        }
        context.progress.end();
        Ok(Some(rows))
    }

    fn render(params: &Params, rows: &Vec<DepthRow>) -> String {
        let mut text = format!(
            "{} random positions of {} pieces, {}, seed {}\n",
            params.positions, params.pieces, params.rules, params.seed
        );
        let _ = writeln!(
            text,
            "{:>5} {:>6} {:>8} {:>6} {:>6} {:>10}   {:>12} {:>12} {:>12}",
            "depth", "cut", "implied=", "<", ">", "move best", "whole nodes", "exact", "implied"
        );
        for row in rows {
            let _ = writeln!(
                text,
                "{:>5} {:>6} {:>8} {:>6} {:>6} {:>10}   {:>12} {:>12} {:>12}",
                row.depth,
                row.cut,
                row.implied_equal,
                row.implied_less,
                row.implied_more,
                row.implied_move_best,
                row.whole_nodes,
                row.exact_nodes,
                row.implied_nodes
            );
        }
        text
    }

    fn lines(rows: &Vec<DepthRow>) -> serde_json::Result<Vec<String>> {
        each(rows)
    }

    fn record(params: &Params, rows: &Vec<DepthRow>, draft: Draft) -> Draft {
        draft
            .rules(params.rules)
            .seed(params.seed)
            .parameter("positions", params.positions)
            .parameter("pieces", params.pieces)
            .results(rows)
    }
}

fn row(rules: Rules, positions: &[Position], depth: u32) -> Result<DepthRow, StudyError> {
    let game = PartedJungle::new(rules, Cut::Independent(depth));
    let unlimited = Limits::none();
    let mut row = DepthRow { depth, positions: positions.len() as u32, ..DepthRow::default() };
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
            return Err(StudyError::Contradiction(format!(
                "the parts say {} and the whole board {}, {depth} plies deep on {position}",
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

/// A random position of this many pieces, of both sides, in which the game goes on.
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
