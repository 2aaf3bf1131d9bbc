//! The players of Burnett's thesis (2010, chapter 11), by name, and what was tried beyond it.
//!
//! All of them search with alpha-beta and Burnett's evaluation, to depths 2, 4, 6 and so on, without a
//! table and without regard to repetition. Burnett's four: `plain` does no more; `ordering` tries
//! captures first, then the lion's, tiger's, elephant's and rat's moves; `split` cuts the board into parts
//! where it can; `both` does both. Burnett plays under the rules `tufts`, with a splitting threshold of
//! 4; here the [threshold](Threshold) may be a function.
//!
//! Three more use parts in other ways, to find out whether any of them gains: `sum` adds parts up without
//! error, `verified` asks the whole board whether it agrees with the parts, and `guided` searches the whole
//! board and looks at its parts at every node. The results are in `docs/reports/splitting.md`.
//!
//! ```
//! use jungle::{Position, Rules};
//! use players::{Algorithm, BurnettPlayer};
//! use game::limits::Limits;
//!
//! let player = BurnettPlayer::new("both,threshold=3".parse()?, Rules::TUFTS);
//! let position: Position = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w".parse()?;
//! let chosen = player.choose(&position, &Limits::depth(4));
//! assert_eq!(chosen.parts, [3, 4]);
//! assert_eq!(chosen.report.depth, 4);
//! assert!(chosen.report.best().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithm;
pub mod exact;
mod guided;
mod statistics;
mod style;
mod table_search;
mod verified;

pub use algorithm::{Algorithm, Guides, ParseAlgorithmError};
pub use guided::Guided;
pub use search::{Interrupted, ParseInterruptedError};
pub use statistics::SplitStatistics;
pub use style::{Depths, ParseStyleError, Style, Ties};
use table_search::TableSearch;

use game::Game;
use game::decompose::{Decompose, Independent};
use game::limits::Limits;
use game::rng::Rng;
use jungle::decompose::{Cut, PartedJungle, Threshold};
use jungle::{Animal, BurnettEval, Jungle, Move, Position, Repetition, Rules};
use search::sum::Sum;
use search::{
    AlphaBeta, AsListed, Order, PathRepetition, Report, Searcher, SplitReport, Subproblems,
    deepen_until,
};

/// A player: an algorithm with the rules it plays by.
#[derive(Clone, Debug)]
pub struct BurnettPlayer {
    algorithm: Algorithm,
    game: PartedJungle,
    /// The size of the transposition table in MiB; 0 for none.
    hash: usize,
    style: Style,
    /// By which ties are broken.
    seed: u64,
    /// The game so far, where `sum` has to know it.
    history: Vec<Position>,
}

/// The report of a player's search, with the parts it searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// What was found.
    pub report: Report<Move>,
    /// The number of pieces in each part that was searched by itself; a single number means that the
    /// board was searched as a whole.
    pub parts: Vec<usize>,
}

impl Chosen {
    /// Whether the board was cut into parts.
    pub fn is_split(&self) -> bool {
        self.parts.len() > 1
    }
}

impl BurnettPlayer {
    /// A player by these rules.
    pub fn new(algorithm: Algorithm, rules: Rules) -> BurnettPlayer {
        let threshold = algorithm.threshold().unwrap_or_default();
        BurnettPlayer {
            algorithm,
            game: PartedJungle::new(rules, Cut::at(threshold, algorithm.edges())),
            hash: 0,
            style: Style::default(),
            seed: 0,
            history: Vec::new(),
        }
    }

    /// Searches in this style; only Burnett's four have one. With a table, which is for games at fixed depths, only the
    /// depths of a style count.
    #[must_use]
    pub fn with_style(self, style: Style) -> BurnettPlayer {
        BurnettPlayer { style, ..self }
    }

    /// The style in which it searches.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Breaks ties by this seed, if the style leaves them to chance.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The positions of the game so far, without the one to choose a move in. Only `sum` asks, under rules by
    /// which repeated positions are draws; Burnett's players ignore repetition.
    pub fn remember(&mut self, history: impl IntoIterator<Item = Position>) {
        self.history = history.into_iter().collect();
    }

    /// What `sum` takes repeated positions for.
    fn repetition(&self) -> PathRepetition {
        match self.rules().repetition {
            Repetition::Draw => PathRepetition::Draw,
            _ => PathRepetition::Ignored,
        }
    }

    /// The seed of ties, if they are left to chance.
    fn ties(&self) -> Option<u64> {
        (self.style.ties == Ties::Random).then_some(self.seed)
    }

    /// Stores positions in a transposition table of this many MiB, which Burnett's players do not have. At a
    /// given depth the choice and its score are the same, found many times sooner; but limits of nodes or time
    /// then buy more, so this is for games at fixed depths.
    #[must_use]
    pub fn with_table(self, mebibytes: usize) -> BurnettPlayer {
        BurnettPlayer { hash: mebibytes, ..self }
    }

    /// Which algorithm it uses.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The rules it plays by.
    pub fn rules(&self) -> &Rules {
        self.game.jungle().rules()
    }

    /// Chooses a move.
    pub fn choose(&self, position: &Position, limits: &Limits) -> Chosen {
        self.choose_watched(position, limits, |_| ())
    }

    /// Chooses a move; `watch` sees the choice at every depth as it is finished.
    pub fn choose_watched(
        &self,
        position: &Position,
        limits: &Limits,
        mut watch: impl FnMut(&Chosen),
    ) -> Chosen {
        let pieces = position.occupied().len() as usize;
        let whole = |report: Report<Move>| Chosen { report, parts: vec![pieces] };
        let split = |split: SplitReport<PartedJungle>| {
            let sizes: Vec<usize> = split.parts.iter().map(|part| part.size).collect();
            let parts = if split.is_split() { sizes } else { vec![pieces] };
            Chosen { report: split.report, parts }
        };
        let mut watch_whole = |report: &Report<Move>| watch(&whole(report.clone()));
        let with_table = self.searches_whole_with_table(position);
        match self.algorithm {
            Algorithm::Plain => whole(self.search_whole(AsListed, position, limits, watch_whole)),
            Algorithm::Ordering => {
                whole(self.search_whole(StrongestFirst, position, limits, watch_whole))
            }
            Algorithm::Split { .. } if with_table => {
                whole(self.search_whole(AsListed, position, limits, watch_whole))
            }
            Algorithm::Both { .. } if with_table => {
                whole(self.search_whole(StrongestFirst, position, limits, watch_whole))
            }
            Algorithm::Split { .. } => {
                let watch = |found: &SplitReport<PartedJungle>| watch(&split(found.clone()));
                split(self.search_parts(AsListed, position, limits, watch))
            }
            Algorithm::Both { .. } => {
                let watch = |found: &SplitReport<PartedJungle>| watch(&split(found.clone()));
                split(self.search_parts(StrongestFirst, position, limits, watch))
            }
            Algorithm::Verified { margin, .. } => {
                let watch = |found: &SplitReport<PartedJungle>| watch(&split(found.clone()));
                split(verified::search(&self.game, margin, position, limits, watch))
            }
            Algorithm::Exact => {
                let exact = |report: Report<Move>| {
                    let parts = match report.pv.is_empty() {
                        true => Vec::new(),
                        false => self.game.independent_parts(position, report.depth),
                    };
                    let sizes: Vec<usize> =
                        parts.iter().map(|part| part.position.occupied().len() as usize).collect();
                    Chosen { report, parts: if sizes.len() > 1 { sizes } else { vec![pieces] } }
                };
                let mut sum = Sum::new(&self.game, &BurnettEval)
                    .order(StrongestFirst)
                    .repetition(self.repetition(), &self.history);
                let watch = |report: &Report<Move>| watch(&exact(report.clone()));
                exact(self.deepen(&mut sum, position, limits, watch))
            }
            Algorithm::Guided { by, threshold } => {
                let mut guided = Guided::new(&self.game, by, threshold);
                whole(self.deepen(&mut guided, position, limits, &mut watch_whole))
            }
        }
    }

    /// Whether the position is to be searched as a whole, at any depth, with a table.
    fn searches_whole_with_table(&self, position: &Position) -> bool {
        let constant = matches!(self.algorithm.threshold(), Some(Threshold::Plies(_)));
        let whole =
            || self.game.outcome(position).is_some() || self.game.parts(position, 1).len() == 1;
        self.hash > 0 && constant && whole()
    }

    fn search_whole(
        &self,
        order: impl Order<PartedJungle>,
        position: &Position,
        limits: &Limits,
        watch: impl FnMut(&Report<Move>),
    ) -> Report<Move> {
        if self.hash > 0 {
            let mut search = TableSearch::new(&self.game, order, self.hash);
            return self.deepen(&mut search, position, limits, watch);
        }
        let mut moves = self.game.moves(position);
        if let Some(seed) = self.ties() {
            let mut rng = Rng::new(seed);
            for at in (1..moves.len()).rev() {
                moves.swap(at, rng.below(at + 1));
            }
        }
        moves.sort_by_key(|mv| order.rank(&self.game, position, *mv));
        let mut search = AlphaBeta::new(&self.game, &BurnettEval)
            .order(order)
            .leaves_when_stopped(self.style.interrupted == Interrupted::Static)
            .only_in_order(&moves);
        self.deepen(&mut search, position, limits, watch)
    }

    fn search_parts(
        &self,
        order: impl Order<PartedJungle> + Copy,
        position: &Position,
        limits: &Limits,
        watch: impl FnMut(&SplitReport<PartedJungle>),
    ) -> SplitReport<PartedJungle> {
        let search = Subproblems::new(&self.game, &BurnettEval)
            .order(order)
            .schedule(self.style.depths.schedule());
        if self.hash > 0 {
            let mut searcher = TableSearch::new(&self.game, order, self.hash);
            return search.search_with(&mut searcher, position, limits, watch);
        }
        let search = search.interrupted(self.style.interrupted).ties(self.ties());
        search.search_watched(position, limits, watch)
    }

    fn deepen(
        &self,
        searcher: &mut impl Searcher<PartedJungle>,
        position: &Position,
        limits: &Limits,
        watch: impl FnMut(&Report<Move>),
    ) -> Report<Move> {
        let (schedule, interrupted) = (self.style.depths.schedule(), self.style.interrupted);
        deepen_until(searcher, position, schedule, interrupted, limits, watch)
    }
}

/// Searches a position in parts, with Burnett's order: the value of each part with a move in it and without.
pub fn search_parts(
    game: &PartedJungle,
    position: &Position,
    limits: &Limits,
) -> SplitReport<PartedJungle> {
    Subproblems::new(game, &BurnettEval).order(StrongestFirst).search(position, limits)
}

/// Burnett's order: captures, then lion, tiger, elephant and rat, then the rest.
#[derive(Clone, Copy, Debug, Default)]
pub struct StrongestFirst;

impl StrongestFirst {
    /// The lower, the sooner.
    #[inline]
    pub fn rank(mv: Move) -> i32 {
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
        StrongestFirst::rank(mv)
    }
}

impl Order<Jungle> for StrongestFirst {
    #[inline]
    fn rank(&self, _: &Jungle, _: &Position, mv: Move) -> i32 {
        StrongestFirst::rank(mv)
    }
}
