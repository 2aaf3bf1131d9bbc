//! The experiment: families of contenders against alpha-beta, a small search for better escape functions,
//! and the regret of moves.
//!
//! All global functions of the study are centred: at a score of 0 they let a move cost the usual share of
//! what is left, as alpha-beta's does. So what is compared is not how much is spent but how it depends on
//! the score, and, within the family of local functions, which nodes it is spent on.

use game::rng::mix;
use jungle::{Jungle, Rules};
use lab::stats::Pentanomial;
use serde::Serialize;

use super::ledger::{Ledger, Pair};
use super::{Board, Contender, SmallAmazons, play, regret};
use crate::StudyError;

/// The study: how many games a cell, and the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// Games a cell, an even number.
    pub games: u64,
    /// Decides the openings.
    pub seed: u64,
}

/// The subject of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Local escape functions, with a fixed share of what is left for each move.
    Local,
    /// Global escape functions, with the best local one.
    Global,
    /// Global escape functions as alpha-beta's time control.
    Time,
    /// Other searches.
    Baseline,
    /// What the small search found.
    Tuned,
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

/// What the small search tried on one game, best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// The game.
    pub board: &'static str,
    /// What was tried, with the pairs it played and its points in them.
    pub tried: Vec<(String, Pentanomial)>,
}

/// The regret of moves: what they gave away against a deeper search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Regrets {
    /// The game.
    pub board: &'static str,
    /// Who moved.
    pub contender: String,
    /// For each move judged: the share of what was left that it took, and what it gave away in the units of
    /// the evaluation.
    pub moves: Vec<(f64, i32)>,
}

/// All results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The comparisons.
    pub cells: Vec<Cell>,
    /// The searches for better functions, one a game.
    pub tuned: Vec<Tuned>,
    /// What moves gave away.
    pub regrets: Vec<Regrets>,
}

const REFERENCE: &str = "alphabeta";
const LOCALS: [&str; 7] =
    ["step(0.5)", "step(0.75)", "linear", "power(0.5)", "power(4)", "sigmoid(0.5,12)", "never"];

/// The nodes of each side for a game of Jungle, and of Amazons.
const NODES: [u64; 2] = [30_000, 16_000];

/// The small search: the number of pairs for all, and for the few that did best.
const ROUNDS: [(usize, u64); 2] = [(usize::MAX, 30), (3, 100)];

/// Openings of the small search differ from those of the cells.
const TUNING: u64 = 0x7475_6e65;

/// How many games are judged for what moves gave away, every how many moves in long games (in short ones,
/// all are), and with how many nodes.
const JUDGED_GAMES: u64 = 20;
const JUDGED_EVERY: usize = 4;
const SHORT: usize = 50;
const JUDGE_NODES: u64 = 60_000;

impl Experiment {
    /// Plays what is not on file, and gathers everything. `watch` is called at each step.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn run(
        &self,
        ledger: &mut Ledger,
        watch: &mut dyn FnMut(&str),
    ) -> Result<Found, StudyError> {
        let mut found = Found { cells: Vec::new(), tuned: Vec::new(), regrets: Vec::new() };
        self.run_on(&Jungle::new(Rules::TUFTS), NODES[0], ledger, watch, &mut found)?;
        self.run_on(&SmallAmazons, NODES[1], ledger, watch, &mut found)?;
        Ok(found)
    }

    /// What each side has for a game, by game.
    pub fn nodes() -> [(&'static str, u64); 2] {
        [("jungle", NODES[0]), ("amazons", NODES[1])]
    }

    fn run_on<B: Board>(
        &self,
        board: &B,
        nodes: u64,
        ledger: &mut Ledger,
        watch: &mut dyn FnMut(&str),
        found: &mut Found,
    ) -> Result<(), StudyError> {
        let mut cell = |family: Family, a: &str, b: &str, ledger: &mut Ledger| {
            let count = self.games / 2;
            watch(&format!("{}: {a} against {b}, {} games", board.name(), self.games));
            let pairs = pairs(board, ledger, [a, b], nodes, self.seed, count)?;
            let score = score(&pairs);
            let (a, b) = (a.to_owned(), b.to_owned());
            found.cells.push(Cell { board: board.name(), family, a, b, nodes, score, pairs });
            Ok::<f64, StudyError>(score.score())
        };
        let mut best = (f64::NEG_INFINITY, "");
        for local in LOCALS {
            let points = cell(Family::Local, &format!("escape:local={local}"), REFERENCE, ledger)?;
            if points > best.0 {
                best = (points, local);
            }
        }
        let local = best.1;
        for global in slopes(board) {
            let a = format!("escape:local={local},global={global}");
            cell(Family::Global, &a, REFERENCE, ledger)?;
        }
        for global in slopes(board) {
            cell(Family::Time, &format!("alphabeta:global={global}"), REFERENCE, ledger)?;
        }
        let plain = format!("escape:local={local}");
        cell(Family::Baseline, "uct", REFERENCE, ledger)?;
        cell(Family::Baseline, &plain, "uct", ledger)?;
        cell(Family::Baseline, "alphabeta:table", REFERENCE, ledger)?;
        let tuned = self.tune(board, nodes, ledger)?;
        let winner = tuned.tried[0].0.clone();
        cell(Family::Tuned, &winner, REFERENCE, ledger)?;
        cell(Family::Tuned, &winner, "alphabeta:table", ledger)?;
        // What of that is due to the share alone: alpha-beta with the same, and the two head to head.
        if let Some((_, global)) = winner.split_once("global=") {
            let same = format!("alphabeta:global={global}");
            cell(Family::Time, &same, REFERENCE, ledger)?;
            cell(Family::Tuned, &winner, &same, ledger)?;
        }
        found.tuned.push(tuned);

        let sloped = format!("escape:local={local},global={}", slopes(board)[0]);
        for contender in [REFERENCE, &plain, &sloped] {
            watch(&format!("{}: what the moves of {contender} gave away", board.name()));
            let moves = ledger.judged([board.name(), contender], nodes, self.seed, || {
                self.regrets(board, contender, nodes)
            })?;
            let contender = contender.to_owned();
            found.regrets.push(Regrets { board: board.name(), contender, moves });
        }
        Ok(())
    }

    /// Tries a grid of functions in few games, and the best of them in more.
    fn tune<B: Board>(
        &self,
        board: &B,
        nodes: u64,
        ledger: &mut Ledger,
    ) -> Result<Tuned, StudyError> {
        let share = board.usual_share();
        let mut tried: Vec<(String, Pentanomial)> = Vec::new();
        for local in
            ["step(0.65)", "step(0.85)", "power(2)", "power(8)", "sigmoid(0.8,20)", "never"]
        {
            for share in [share / 1.5, share * 1.5] {
                let a = format!("escape:local={local},global=step({share:.4})");
                tried.push((a, Pentanomial::default()));
            }
        }
        for (most, count) in ROUNDS {
            tried.truncate(most);
            for (a, result) in &mut tried {
                let seed = self.seed ^ TUNING;
                *result = score(&pairs(board, ledger, [a, REFERENCE], nodes, seed, count)?);
            }
            tried.sort_by(|one, other| other.1.score().total_cmp(&one.1.score()));
        }
        Ok(Tuned { board: board.name(), tried })
    }

    /// Judges moves of a contender in games against the reference.
    fn regrets<B: Board>(&self, board: &B, contender: &str, nodes: u64) -> Vec<(f64, i32)> {
        let contenders = [contender, REFERENCE].map(read);
        let mut moves = Vec::new();
        let every = if board.most_plies() < SHORT { 1 } else { JUDGED_EVERY };
        for pair in 0..JUDGED_GAMES {
            let opening = board.opening(self.seed, pair);
            let played =
                play(board, &opening, [&contenders[0], &contenders[1]], (pair % 2) as usize, nodes);
            let own = played.steps.iter().filter(|step| step.by == 0);
            for step in own.step_by(every).filter(|step| step.left > 0) {
                if let Some(regret) = regret(board, &step.position, step.mv, JUDGE_NODES) {
                    moves.push((step.spent as f64 / step.left as f64, regret));
                }
            }
        }
        moves
    }
}

/// Global functions that fall gradually, each at 0 at the usual share.
fn slopes<B: Board>(board: &B) -> [String; 3] {
    let share = board.usual_share();
    [
        format!("linear(0,{:.4})", 2.0 * share),
        format!("power({:.4})", 0.5_f64.ln() / share.ln()),
        format!("sigmoid({share:.4},{:.1})", 4.0 / share),
    ]
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
) -> Result<Vec<Pair>, StudyError> {
    let contenders = [a, b].map(read);
    ledger.pairs([board.name(), a, b], nodes, seed, count, |pair| {
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
            for text in slopes(board) {
                let curve: Curve = text.parse().unwrap();
                let (found, usual) = (curve.last_share(0.0), board.usual_share());
                assert!((found / usual - 1.0).abs() < 0.12, "{text}: {found} for {usual}");
                read(&format!("escape:global={text}"));
                read(&format!("alphabeta:global={text}"));
            }
        }
        check(&Jungle::new(Rules::TUFTS));
        check(&SmallAmazons);
        LOCALS.iter().for_each(|local| drop(read(&format!("escape:local={local}"))));
    }

    #[test]
    fn pairs_are_played_once_and_follow_from_the_seed() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let [one, other] = folders.each_ref().map(|folder| {
            let mut ledger = Ledger::open(folder.path()).unwrap();
            let board = SmallAmazons;
            pairs(&board, &mut ledger, ["escape:local=never", "alphabeta"], 800, 5, 2).unwrap()
        });
        assert_eq!(one, other);
        assert_eq!(score(&one).pairs(), 2);
        for pair in &one {
            let spent: u64 = pair.moves.iter().flatten().sum();
            assert_eq!(spent, pair.spent[0]);
        }
    }
}
