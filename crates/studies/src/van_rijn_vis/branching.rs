//! How many moves there are: van Rijn and Vis (2013) state about twenty on average and 32 at most.
//!
//! Eight pieces with four moves each are 32, so there cannot be more under rules in which a piece moves at most one
//! way in each direction. Whether a position has as many is found by climbing: pieces are moved about at random as long as that
//! takes no move away.

use std::fmt::Write;

use clap::Args;
use game::Game;
use game::limits::Limits;
use game::rng::Rng;
use jungle::{Color, Jungle, Position, Rules, Setup, Square};
use players::{Algorithm, BurnettPlayer};
use serde::{Deserialize, Serialize};

use crate::parameter::text;
use crate::statistics::{mean, number};
use crate::study::line;
use crate::{Context, Draft, Study, StudyError, Table};

/// How many moves there are.
pub struct Branching;

/// The parameters.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many games of each kind
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// How deep the players search
    #[arg(long, value_name = "PLIES", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=8))]
    pub depth: u32,
    /// The seed of the games
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// A preset, or a preset with switches as in leiden,repetition=draw
    #[arg(long, value_name = "RULES", default_value = "leiden")]
    #[serde(with = "text")]
    pub rules: Rules,
}

impl Default for Params {
    fn default() -> Params {
        Params { games: 100, depth: 2, seed: 1, rules: Rules::LEIDEN }
    }
}

/// The results; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// Moves at the start.
    start: usize,
    /// Games of random moves, and of a search with ties at random.
    games: [Kind; 2],
    /// A position with as many moves as were found.
    most: Most,
}

#[derive(Clone, Debug, Serialize)]
struct Kind {
    /// `random` or `searched`.
    moves_are: &'static str,
    positions: usize,
    mean: f64,
    /// Of the mean.
    standard_error: f64,
    least: u32,
    greatest: u32,
}

#[derive(Clone, Debug, Serialize)]
struct Most {
    moves: usize,
    fen: String,
}

const PUBLISHED_MEAN: u32 = 20;
const PUBLISHED_MOST: u32 = 32;
/// The most plies of a game.
const MOST_PLIES: usize = 200;

impl Study for Branching {
    const NAME: &'static str = "branching";
    const TITLE: &'static str = "van Rijn & Vis (2013): how many moves there are";
    const ABOUT: &'static str =
        "van Rijn & Vis (2013), in words: about 20 moves on average, 32 at most";
    const SOURCE: Option<&'static str> = Some(super::PAPER_2013);
    const TAKES: &'static str = "a minute";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        let jungle = Jungle::new(params.rules);
        let mut rng = Rng::new(params.seed);
        context.progress.begin("games", Some(2 * u64::from(params.games)));
        let mut kinds = Vec::new();
        for searched in [false, true] {
            let mut counts = Vec::new();
            for _ in 0..params.games {
                counts.extend(game_of(params, &jungle, &mut rng, searched));
                context.advance()?;
            }
            let (of, error) = mean(counts.iter().copied());
            kinds.push(Kind {
                moves_are: if searched { "searched" } else { "random" },
                positions: counts.len(),
                mean: of,
                standard_error: error,
                least: counts.iter().copied().min().unwrap_or(0),
                greatest: counts.iter().copied().max().unwrap_or(0),
            });
        }
        context.progress.end();
        let (position, moves) = climb(&jungle, &mut rng);
        let [random, searched] = <[Kind; 2]>::try_from(kinds).expect("there are two kinds");
        Ok(Some(Results {
            start: jungle.moves(&Position::start()).len(),
            games: [random, searched],
            most: Most { moves, fen: position.to_string() },
        }))
    }

    fn render(params: &Params, results: &Results) -> String {
        let mut text = format!(
            "{}\n{}, {} games each, seed {}; {} moves at the start\n\n",
            Self::TITLE,
            params.rules,
            params.games,
            params.seed,
            results.start
        );
        for kind in &results.games {
            let _ = writeln!(
                text,
                "{:<9} {:>7} positions: mean {} ± {}, from {} to {}",
                kind.moves_are,
                kind.positions,
                number(kind.mean, 2),
                number(crate::statistics::INTERVAL * kind.standard_error, 2),
                kind.least,
                kind.greatest
            );
        }
        let _ = writeln!(
            text,
            "most found: {} in {}\npublished: about {PUBLISHED_MEAN} on average, {PUBLISHED_MOST} at most",
            results.most.moves, results.most.fen
        );
        text
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        line(results)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        let mut table = Table::new(["moves are", "positions", "mean", "least", "greatest"]);
        for kind in &results.games {
            table.row([
                kind.moves_are.to_owned(),
                kind.positions.to_string(),
                number(kind.mean, 3),
                kind.least.to_string(),
                kind.greatest.to_string(),
            ]);
        }
        draft
            .rules(params.rules)
            .seed(params.seed)
            .parameter("games", params.games)
            .parameter("depth", params.depth)
            .results(results)
            .note("Positions of a game resemble each other, so the error of a mean is larger than from independent ones.")
            .table("moves", "Legal moves", table)
    }
}

/// How many moves there were in each position of a game.
fn game_of(params: &Params, jungle: &Jungle, rng: &mut Rng, searched: bool) -> Vec<u32> {
    let style = "ties=random".parse().expect("this is a style");
    let mut player = BurnettPlayer::new(Algorithm::Ordering, params.rules).with_style(style);
    let mut position = Position::start();
    let mut counts = Vec::new();
    while counts.len() < MOST_PLIES {
        let moves = jungle.moves(&position);
        if moves.is_empty() {
            break;
        }
        counts.push(moves.len() as u32);
        player.reseed(rng.next_u64());
        let chosen = match searched {
            true => player.choose(&position, &Limits::depth(params.depth)).report.best(),
            false => rng.choose(&moves).copied(),
        };
        let Some(mv) = chosen else { break };
        position = jungle.after(&position, mv);
    }
    counts
}

const STARTS: usize = 40;
const STEPS: usize = 4000;

/// A position with many moves.
fn climb(jungle: &Jungle, rng: &mut Rng) -> (Position, usize) {
    let mut best = (Position::start(), 0);
    for _ in 0..STARTS {
        let mut setup = Setup::from(&Position::start());
        let count = |setup: &Setup| {
            let position = setup.position().ok()?;
            (position.turn() == Color::White).then(|| (jungle.moves(&position).len(), position))
        };
        let mut reached = 0;
        for _ in 0..STEPS {
            let mut changed = setup.clone();
            let (from, to) = (rng.below(Square::COUNT), rng.below(Square::COUNT));
            changed.board.swap(from, to);
            let Some((moves, position)) = count(&changed) else { continue };
            if moves >= reached {
                (setup, reached) = (changed, moves);
                if reached > best.1 {
                    best = (position, reached);
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_counted_and_the_most_is_reached() {
        let params = Params { games: 2, ..Params::default() };
        let results = Branching::run(&params, &mut Context::default()).unwrap().unwrap();
        assert_eq!(results.start, 24);
        for kind in &results.games {
            assert!(kind.positions > 20 && kind.greatest <= PUBLISHED_MOST, "{kind:?}");
            assert!(f64::from(kind.least) <= kind.mean && kind.mean <= f64::from(kind.greatest));
        }
        let position: Position = results.most.fen.parse().unwrap();
        assert_eq!(Jungle::new(params.rules).moves(&position).len(), results.most.moves);
        assert!(results.most.moves > 28, "{}", results.most.moves);
    }
}
