//! The players of Burnett's thesis (2010, chapter 11), by name.
//!
//! All four search with alpha-beta and the thesis' evaluation, to depths 2, 4, 6 and so on, without a
//! table and without regard to repetition: `plain` does no more; `ordering` tries captures first, then
//! the lion's, tiger's, elephant's and rat's moves; `split` cuts the board into parts where it can; `both`
//! does both. The thesis plays under the rules `tufts`, with a splitting threshold of 4.
//!
//! ```
//! use jungle::{Position, Rules};
//! use players::{Algorithm, Player};
//! use search::Limits;
//!
//! let player = Player::new("both,threshold=3".parse()?, Rules::TUFTS);
//! let position: Position = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w".parse()?;
//! let choice = player.choose(&position, &Limits::depth(4));
//! assert_eq!(choice.parts, [3, 4]);
//! assert_eq!(choice.depth, 4);
//! assert!(choice.best.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithm;
mod apart;
mod parts;
mod statistics;

pub use algorithm::{Algorithm, ParseAlgorithmError};
pub use parts::{Cut, Part, PartedJungle};
pub use statistics::SplitStatistics;

use game::score::Score;
use jungle::thesis::Thesis;
use jungle::{Animal, Jungle, Move, Position, Rules};
use search::{AlphaBeta, AsListed, Limits, Order, Report, Schedule, Subproblems, deepen};

/// An algorithm with the rules it plays by.
#[derive(Clone, Debug)]
pub struct Player {
    algorithm: Algorithm,
    game: PartedJungle,
}

/// What a player would play, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move; none only when the game is over.
    pub best: Option<Move>,
    /// What it is worth to the player to move.
    pub score: Score,
    /// How deep was searched; 0 if there was no time for anything.
    pub depth: u32,
    /// How many positions were visited.
    pub nodes: u64,
    /// The line of play that is expected.
    pub pv: Vec<Move>,
    /// The number of pieces in each part that was searched by itself; a single number means that the
    /// board was searched as a whole.
    pub parts: Vec<usize>,
}

impl Choice {
    /// Whether the board was cut into parts.
    pub fn is_split(&self) -> bool {
        self.parts.len() > 1
    }
}

impl Player {
    /// A player by these rules.
    pub fn new(algorithm: Algorithm, rules: Rules) -> Player {
        let threshold = algorithm.threshold().unwrap_or(Algorithm::DEFAULT_THRESHOLD);
        Player { algorithm, game: PartedJungle::new(rules, Cut::Threshold(threshold)) }
    }

    /// Which algorithm it uses.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Chooses a move.
    pub fn choose(&self, position: &Position, limits: &Limits) -> Choice {
        if self.algorithm.orders() {
            self.choose_with(StrongestFirst, position, limits)
        } else {
            self.choose_with(AsListed, position, limits)
        }
    }

    fn choose_with(
        &self,
        order: impl Order<PartedJungle>,
        position: &Position,
        limits: &Limits,
    ) -> Choice {
        let whole = vec![position.occupied().len() as usize];
        let (report, parts) = if self.algorithm.threshold().is_some() {
            let split = Subproblems::new(&self.game, &Thesis).order(order).search(position, limits);
            let sizes = split.parts.iter().map(|part| part.size).collect();
            (split.report, if split.parts.len() > 1 { sizes } else { whole })
        } else {
            let mut search = AlphaBeta::new(&self.game, &Thesis).order(order);
            let schedule = Schedule::EVERY_MOVE;
            (deepen(&mut search, position, schedule, limits, |_| ()), whole)
        };
        let best = report.best();
        let Report { score, pv, depth, nodes, .. } = report;
        Choice { best, score, depth, nodes, pv, parts }
    }
}

/// The thesis' order: captures, then lion, tiger, elephant and rat, then the rest.
#[derive(Clone, Copy, Debug, Default)]
pub struct StrongestFirst;

impl StrongestFirst {
    #[inline]
    fn rank_of(mv: Move) -> i32 {
        match mv.animal {
            _ if mv.is_capture() => 0,
            Animal::Lion => 1,
            Animal::Tiger => 2,
            Animal::Elephant => 3,
            Animal::Rat => 4,
            _ => 5,
        }
    }
}

impl Order<PartedJungle> for StrongestFirst {
    #[inline]
    fn rank(&self, _: &PartedJungle, _: &Position, mv: Move) -> i32 {
        StrongestFirst::rank_of(mv)
    }
}

impl Order<Jungle> for StrongestFirst {
    #[inline]
    fn rank(&self, _: &Jungle, _: &Position, mv: Move) -> i32 {
        StrongestFirst::rank_of(mv)
    }
}
