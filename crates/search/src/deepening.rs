//! Fixed-depth search and iterative deepening.
//!
//! Iterative deepening (Slate and Atkin 1977; Korf 1985) always has the answer of the last depth
//! finished, which is what makes limits of time and nodes usable, and fills the transposition table
//! with good first moves for the next depth.

use std::fmt;
use std::str::FromStr;

use game::Game;
use game::score::Score;

use crate::{Line, Searcher};
use game::limits::{Limits, Meter};

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The value for the player to move.
    pub score: Score,
    /// The best play of both sides, as far as it is known; empty only when the game is over.
    pub pv: Vec<M>,
    /// The depth that was finished; 0 if the limits did not even allow one ply.
    pub depth: u32,
    /// The positions visited, unfinished depths included.
    pub nodes: u64,
    /// Those of them that were leaves.
    pub leaves: u64,
}

impl<M: Copy> Report<M> {
    pub(crate) fn new(line: Line<M>, depth: u32, meter: &Meter) -> Report<M> {
        let Line { score, pv } = line;
        Report { score, pv, depth, nodes: meter.nodes(), leaves: meter.leaves() }
    }

    /// The best move; none only when the game is over.
    pub fn best(&self) -> Option<M> {
        self.pv.first().copied()
    }
}

/// The depths that [`deepen`] goes through: `first`, then `step` more each time; the last is the limit
/// itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The first depth.
    pub first: u32,
    /// How much deeper each time; 0 counts as 1.
    pub step: u32,
}

impl Schedule {
    /// 1, 2, 3, …
    pub const EVERY_PLY: Schedule = Schedule { first: 1, step: 1 };
    /// 2, 4, 6, …: both sides move equally often, as in Burnett.
    pub const EVERY_MOVE: Schedule = Schedule { first: 2, step: 2 };

    /// The depths up to the last one.
    pub fn depths(self, last: u32) -> impl Iterator<Item = u32> {
        let regular = (self.first..last).step_by(self.step.max(1) as usize);
        regular.chain(std::iter::once(last))
    }
}

/// What a limit leaves of the iteration that it interrupts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interrupted {
    /// Nothing: the answer is that of the last depth finished.
    #[default]
    Discard,
    /// The best of the root's moves that were searched, if there are any.
    Root,
    /// A whole iteration, in which nodes that are met too late are leaves. Searchers have to be told too.
    Static,
}

impl Interrupted {
    /// All of them.
    pub const ALL: [Interrupted; 3] =
        [Interrupted::Discard, Interrupted::Root, Interrupted::Static];
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Interrupted::Discard => "discard",
            Interrupted::Root => "root",
            Interrupted::Static => "static",
        })
    }
}

/// A text does not say what is left of an interrupted iteration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' does not say what is left of an interrupted iteration: expected discard, root or static"
)]
pub struct ParseInterruptedError(String);

impl FromStr for Interrupted {
    type Err = ParseInterruptedError;

    fn from_str(text: &str) -> Result<Interrupted, ParseInterruptedError> {
        let known = Interrupted::ALL.into_iter().find(|one| one.to_string() == text);
        known.ok_or_else(|| ParseInterruptedError(text.to_owned()))
    }
}

/// Searches to a depth; `None` if a limit was met first.
pub fn fixed<G: Game>(
    searcher: &mut impl Searcher<G>,
    position: &G::Position,
    depth: u32,
    limits: &Limits,
) -> Option<Report<G::Move>> {
    let mut meter = Meter::new(limits);
    let line = searcher.search(position, depth, &mut meter).ok()?;
    Some(Report::new(line, depth, &meter))
}

/// Searches deeper and deeper until a limit is met or the game is decided, and reports the last
/// finished depth. `watch` sees the report of every depth as it is finished.
pub fn deepen<G: Game>(
    searcher: &mut impl Searcher<G>,
    position: &G::Position,
    schedule: Schedule,
    limits: &Limits,
    watch: impl FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    deepen_until(searcher, position, schedule, Interrupted::Discard, limits, watch)
}

/// The same, and what becomes of the iteration that a limit interrupts: its move may count, but not its depth.
/// The depth of the report is the last one finished.
pub fn deepen_until<G: Game>(
    searcher: &mut impl Searcher<G>,
    position: &G::Position,
    schedule: Schedule,
    interrupted: Interrupted,
    limits: &Limits,
    mut watch: impl FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let mut meter = Meter::new(limits);
    let mut report = Report::new(searcher.static_line(position), 0, &meter);
    for depth in schedule.depths(limits.last_depth()) {
        let searched = searcher.search(position, depth, &mut meter);
        let line = match (searched, interrupted) {
            (Ok(line), Interrupted::Static) if meter.is_exhausted() => Some(line),
            (Ok(line), _) => {
                report = Report::new(line, depth, &meter);
                watch(&report);
                None
            }
            (Err(_), Interrupted::Root) => match searcher.unfinished() {
                Some(line) => Some(line),
                None => break,
            },
            (Err(_), _) => break,
        };
        if let Some(Line { score, pv }) = line {
            (report.score, report.pv) = (score, pv);
            break;
        }
        // A win or loss in n plies is the same at every depth from n on.
        if report.score.is_decided() || report.pv.is_empty() {
            break;
        }
    }
    Report { nodes: meter.nodes(), leaves: meter.leaves(), ..report }
}
