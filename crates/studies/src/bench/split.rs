//! Cutting positions into parts: the fast implementation compared with the plain one, in one run.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use clap::Args;
use game::Game;
use game::rng::Rng;
use jungle::causality::{Causality, naive};
use jungle::{Jungle, Position, Rules};
use serde::{Deserialize, Serialize};

use crate::parameter::{text, within};
use crate::study::each;
use crate::{Context, Draft, Study, StudyError};

/// The speed of cutting positions.
pub struct Splits;

/// What is cut.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many positions from random games to split
    #[arg(long, value_name = "N", default_value_t = 2000,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub positions: u32,
    /// How many times each way goes through them
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// The threshold, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(0..=100))]
    pub threshold: u8,
    /// A preset, or a preset with switches as in leiden,repetition=draw
    #[arg(long, value_name = "RULES", default_value = "standard")]
    #[serde(with = "text")]
    pub rules: Rules,
}

impl Default for Params {
    fn default() -> Params {
        Params { positions: 2000, rounds: 5, threshold: 4, rules: Rules::STANDARD }
    }
}

/// A way of cutting; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Way {
    name: &'static str,
    positions: usize,
    /// Of one position, in the best round: noise only ever slows a run down.
    microseconds: f64,
    /// How many times faster than the plain way.
    ratio: f64,
}

/// A way of splitting; its result is used, so that it is not optimised away.
type Count<'a> = &'a dyn Fn(&Position) -> usize;

impl Study for Splits {
    const NAME: &'static str = "bench-split";
    const TITLE: &'static str = "Cutting positions into parts, fast and plain";
    const ABOUT: &'static str =
        "Cutting positions into parts: tables and words beside the plain way, in turns";
    const TAKES: &'static str = "seconds";

    type Params = Params;
    type Results = Vec<Way>;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Vec<Way>>, StudyError> {
        within("positions", params.positions, 1..=1_000_000)?;
        within("rounds", params.rounds, 1..=1000)?;
        within("threshold", params.threshold, 0..=100)?;
        let threshold = params.threshold;
        let causality = Causality::new(&params.rules);
        let positions = full_boards(params.rules, params.positions as usize);
        let ways: [(&'static str, Count<'_>); 3] = [
            ("plain: cones as matrices, Kruskal, minima of cones", &|position| {
                naive::split(&causality, position, position.turn(), threshold).1.len()
            }),
            ("tables: the complete graph alone", &|position| {
                causality.graph(position, position.turn()).nodes().len()
            }),
            ("tables and words: the whole split", &|position| {
                causality.split(position, position.turn(), threshold).parts().len()
            }),
        ];
        let mut best = [f64::INFINITY; 3];
        context.progress.begin("rounds", Some(params.rounds.into()));
        for _ in 0..params.rounds {
            for ((_, way), best) in ways.iter().zip(&mut best) {
                let clock = Instant::now();
                for position in &positions {
                    black_box(way(black_box(position)));
                }
                *best = best.min(clock.elapsed().as_secs_f64());
            }
            context.advance()?;
        }
        context.progress.end();
        // Both ways must say the same; the tests ask more closely.
        let differ = |position: &&Position| ways[0].1(position) != ways[2].1(position);
        if let Some(wrong) = positions.iter().find(differ) {
            return Err(StudyError::Contradiction(format!("the two ways disagree on {wrong}")));
        }
        let way = |((name, _), seconds): ((&'static str, Count<'_>), f64)| Way {
            name,
            positions: positions.len(),
            microseconds: seconds * 1e6 / positions.len() as f64,
            ratio: best[0] / seconds,
        };
        Ok(Some(ways.into_iter().zip(best).map(way).collect()))
    }

    fn render(params: &Params, ways: &Vec<Way>) -> String {
        let Params { positions, rounds, threshold, rules } = params;
        let mut text = format!(
            "splitting {positions} positions of 16 pieces, threshold {threshold}, {rules}, best of \
             {rounds} rounds\n"
        );
        for Way { name, microseconds, ratio, .. } in ways {
            let _ = writeln!(text, "{name:<52} {microseconds:>9.3} µs {ratio:>8.1} x");
        }
        text
    }

    fn lines(ways: &Vec<Way>) -> serde_json::Result<Vec<String>> {
        each(ways)
    }

    fn record(params: &Params, ways: &Vec<Way>, draft: Draft) -> Draft {
        draft.rules(params.rules).parameter("threshold", params.threshold).results(ways)
    }
}

/// Positions of random games without captures, so that all pieces are on the board.
fn full_boards(rules: Rules, wanted: usize) -> Vec<Position> {
    let jungle = Jungle::new(rules);
    let mut rng = Rng::new(1);
    let mut boards = Vec::with_capacity(wanted);
    let mut position = Position::start();
    while boards.len() < wanted {
        let mut moves = jungle.moves(&position);
        moves.retain(|mv| !mv.is_capture());
        match rng.choose(&moves) {
            Some(&mv) if !position.occupied().intersects(jungle::board::DENS) => {
                position.make(mv);
                boards.push(position.clone());
            }
            _ => position = Position::start(),
        }
    }
    boards
}
