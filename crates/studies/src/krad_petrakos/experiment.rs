//! The experiment: complexity-driven search against alpha-beta at one budget after another.
//!
//! At small budgets, where games are cheap, two choices are made for each game: the alpha-beta that is the reference, among
//! those with and without a table and an order by evaluation, by its points against the plain one; and the local escape
//! function, by its points against alpha-beta with both. At larger budgets the chosen ones meet again, in games that
//! had no part in the choice.
//!
//! All contenders spend the usual share of what is left on a move, so that searches are compared and nothing else;
//! the sloping global function is centred: at a score of 0 it lets a move cost the same.

use std::sync::atomic::AtomicBool;

use game::rng::mix;
use jungle::{Jungle, Rules};
use lab::stats::Pentanomial;
use serde::Serialize;

use super::ledger::{Ledger, Pair, Playing};
use super::{Board, Contender, SmallAmazons, play};
use crate::StudyError;

/// The study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// Games a cell, an even number.
    pub games: u64,
    /// Decides the openings.
    pub seed: u64,
    /// The nodes of each side for a game, ascending.
    pub budgets: Vec<u64>,
    /// The largest budget of the comparisons that are not with the reference.
    pub sidelines: u64,
    /// On how many threads to play.
    pub threads: usize,
}

/// The subject of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// What a table and an order of moves are worth to alpha-beta.
    Baseline,
    /// Local escape functions against alpha-beta with both.
    Local,
    /// The best of them against alpha-beta.
    Escape,
    /// Another best-first search.
    Uct,
    /// A global escape function against a fixed share, in the same search.
    Time,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The game.
    pub board: &'static str,
    /// What it is about.
    pub family: Family,
    /// The contender whose Elo is reported.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// The nodes of each for a game.
    pub nodes: u64,
    /// The pairs by the points of `a`.
    pub score: Pentanomial,
    /// The pairs themselves.
    pub pairs: Vec<Pair>,
}

/// What was chosen on a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chosen {
    /// The game.
    pub board: &'static str,
    /// The alpha-beta that the others are compared with.
    pub reference: String,
    /// The local escape function.
    pub local: String,
}

/// All results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Found {
    /// The comparisons.
    pub cells: Vec<Cell>,
    /// The choices, one a game.
    pub chosen: Vec<Chosen>,
}

/// Alpha-beta as the board lists its moves.
pub const PLAIN: &str = "alphabeta";
/// Alpha-beta with all that it can have.
pub const ORDERED: &str = "alphabeta:table,ordered,partial";
/// What alpha-beta may have beside the board's order.
const AIDED: [&str; 3] = ["alphabeta:table,partial", "alphabeta:ordered", ORDERED];
const LOCALS: [&str; 7] =
    ["step(0.5)", "step(0.75)", "linear", "power(0.5)", "power(4)", "sigmoid(0.5,12)", "never"];

/// The largest budget at which all contenders are tried, and at which the best are chosen; the smallest there is, if all
/// are larger.
pub const TRIALS: u64 = 30_000;
impl Experiment {
    /// Plays what is not on file, and gathers everything. `watch` is called at each step.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or the run is stopped.
    pub fn run(
        &self,
        ledger: &mut Ledger,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&str),
    ) -> Result<Found, StudyError> {
        let mut found = Found::default();
        Table { study: self, board: &Jungle::new(Rules::TUFTS), ledger, stop, watch }
            .run(&mut found)?;
        Table { study: self, board: &SmallAmazons, ledger, stop, watch }.run(&mut found)?;
        Ok(found)
    }
}

/// Where the games of one board are played.
struct Table<'a, B> {
    study: &'a Experiment,
    board: &'a B,
    ledger: &'a mut Ledger,
    stop: &'a AtomicBool,
    watch: &'a mut dyn FnMut(&str),
}

impl<B: Board> Table<'_, B> {
    fn run(&mut self, found: &mut Found) -> Result<(), StudyError> {
        let (mut reference, mut local) = (ORDERED, LOCALS[0]);
        let slope = slope(self.board);
        let sidelines = self.study.sidelines.max(TRIALS);
        let first = self.study.budgets.first().copied().unwrap_or(TRIALS);
        for &nodes in &self.study.budgets {
            let mut cells: Vec<Cell> = Vec::new();
            let mut cell = |family: Family, a: &str, b: &str| {
                let known = cells.iter().find(|cell| cell.a == a && cell.b == b);
                if let Some(known) = known {
                    return Ok::<f64, StudyError>(known.score.score());
                }
                let new = self.cell(family, a, b, nodes)?;
                let points = new.score.score();
                cells.push(new);
                Ok(points)
            };
            if nodes <= TRIALS.max(first) {
                let mut best = 0.5;
                reference = PLAIN;
                for aided in AIDED {
                    let points = cell(Family::Baseline, aided, PLAIN)?;
                    if points > best {
                        (best, reference) = (points, aided);
                    }
                }
                let mut best = f64::NEG_INFINITY;
                for tried in LOCALS {
                    let points = cell(Family::Local, &format!("escape:local={tried}"), ORDERED)?;
                    if points > best {
                        (best, local) = (points, tried);
                    }
                }
            }
            let escape = format!("escape:local={local}");
            cell(Family::Escape, &escape, reference)?;
            if nodes <= sidelines {
                cell(Family::Escape, &escape, PLAIN)?;
                cell(Family::Escape, &escape, ORDERED)?;
                cell(Family::Baseline, ORDERED, PLAIN)?;
                cell(Family::Uct, "uct", reference)?;
                let joint = if reference.contains(':') { ',' } else { ':' };
                cell(Family::Time, &format!("{reference}{joint}global={slope}"), reference)?;
                cell(Family::Time, &format!("{escape},global={slope}"), &escape)?;
            }
            found.cells.append(&mut cells);
        }
        found.chosen.push(Chosen {
            board: self.board.name(),
            reference: reference.to_owned(),
            local: local.to_owned(),
        });
        Ok(())
    }

    fn cell(&mut self, family: Family, a: &str, b: &str, nodes: u64) -> Result<Cell, StudyError> {
        let Experiment { games, seed, threads, .. } = *self.study;
        let board = self.board;
        (self.watch)(&format!("{} with {nodes} nodes: {a} against {b}", board.name()));
        let playing = Playing { threads, stop: self.stop };
        let pairs = pairs(board, self.ledger, [a, b], nodes, seed, games / 2, playing)?;
        let score = score(&pairs);
        let (a, b) = (a.to_owned(), b.to_owned());
        Ok(Cell { board: board.name(), family, a, b, nodes, score, pairs })
    }
}

/// A global function that falls gradually, and is at 0 at the usual share.
fn slope<B: Board>(board: &B) -> String {
    format!("linear(0,{:.4})", 2.0 * board.usual_share())
}

fn read(text: &str) -> Contender {
    text.parse().expect("the study names contenders that there are")
}

/// Plays pairs that are not on file.
fn pairs<B: Board>(
    board: &B,
    ledger: &mut Ledger,
    [a, b]: [&str; 2],
    nodes: u64,
    seed: u64,
    count: u64,
    playing: Playing<'_>,
) -> Result<Vec<Pair>, StudyError> {
    let contenders = [a, b].map(read);
    ledger.pairs([board.name(), a, b], nodes, seed, count, playing, |pair| {
        let opening = board.opening(mix(seed), pair);
        let games = [0, 1]
            .map(|first| play(board, &opening, [&contenders[0], &contenders[1]], first, nodes));
        let [one, other] = &games;
        Pair {
            board: board.name().to_owned(),
            a: a.to_owned(),
            b: b.to_owned(),
            nodes,
            seed,
            pair,
            half_points: one.half_points + other.half_points,
            plies: one.steps.len() + other.steps.len(),
            spent: [one.spent[0] + other.spent[0], one.spent[1] + other.spent[1]],
            moves: games.each_ref().map(|game| {
                game.steps.iter().filter(|step| step.by == 0).map(|step| step.spent).collect()
            }),
        }
    })
}

fn score(pairs: &[Pair]) -> Pentanomial {
    let mut score = Pentanomial::default();
    pairs.iter().for_each(|pair| score.count(pair.half_points));
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::escape::Curve;

    #[test]
    fn sloping_functions_are_centred_and_can_be_read() {
        fn check<B: Board>(board: &B) {
            let text = slope(board);
            let curve: Curve = text.parse().unwrap();
            let (found, usual) = (curve.last_share(0.0), board.usual_share());
            assert!((found / usual - 1.0).abs() < 0.01, "{text}: {found} for {usual}");
        }
        check(&Jungle::new(Rules::TUFTS));
        check(&SmallAmazons);
    }

    #[test]
    fn pairs_are_played_once_and_follow_from_the_seed() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let stop = AtomicBool::new(false);
        let mut threads = 0;
        let [one, other] = folders.each_ref().map(|folder| {
            let mut ledger = Ledger::open(folder.path()).unwrap();
            threads += 1;
            let playing = Playing { threads, stop: &stop };
            let names = ["escape:local=never", ORDERED];
            pairs(&SmallAmazons, &mut ledger, names, 800, 5, 2, playing).unwrap()
        });
        assert_eq!(one, other);
        assert_eq!(score(&one).pairs(), 2);
        for pair in &one {
            let spent: u64 = pair.moves.iter().flatten().sum();
            assert_eq!(spent, pair.spent[0]);
        }
    }

    #[test]
    fn a_small_experiment_chooses_and_compares_at_every_budget() {
        let study = Experiment {
            games: 2,
            seed: 3,
            budgets: vec![300, 600, 40_000, 50_000],
            sidelines: 40_000,
            threads: 2,
        };
        let mut found = Found::default();
        let mut ledger = Ledger::default();
        let stop = AtomicBool::new(false);
        let board = &SmallAmazons;
        Table { study: &study, board, ledger: &mut ledger, stop: &stop, watch: &mut |_| () }
            .run(&mut found)
            .unwrap();
        let chosen = &found.chosen[0];
        let escape = format!("escape:local={}", chosen.local);
        for &nodes in &study.budgets {
            let at = |family| {
                found.cells.iter().filter(move |cell| cell.nodes == nodes && cell.family == family)
            };
            let wanted = nodes <= study.sidelines || chosen.reference == PLAIN;
            assert_eq!(at(Family::Escape).any(|cell| cell.b == PLAIN), wanted);
            assert!(at(Family::Escape).any(|cell| cell.b == chosen.reference) || nodes < 600);
            assert_eq!(at(Family::Local).count(), if nodes > TRIALS { 0 } else { LOCALS.len() });
            // What was chosen at the last trial is what meets the reference from then on.
            if nodes >= 600 {
                assert!(at(Family::Escape).all(|cell| cell.a == escape));
                assert!(at(Family::Uct).all(|cell| cell.b == chosen.reference));
            }
            assert!(at(Family::Time).all(|cell| cell.a.starts_with(&cell.b)));
        }
    }
}
