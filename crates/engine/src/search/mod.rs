//! The search: iterative deepening over principal-variation search, on any number of threads.
//!
//! Threads search the same tree and meet in the transposition table (lazy SMP), in a list of what each is
//! searching, so that they defer each other's moves (ABDADA, `deferral.rs`), and whenever one has finished an
//! iteration or one aspiration window of it (`iterations.rs`). The first of them watches the clock and
//! reports.
//!
//! Scores here count wins and losses in plies from the root, so a window is turned round by negation.
//!
//! The published searches of the crate `search` have their own alpha-beta on purpose: theirs gives exactly
//! the minimax value of any game, and scores count from the position; this one prunes what is unlikely to
//! matter, extends and reduces, knows its game and shares its work among threads. They share what is the
//! same: scores, windows, bounds, limits, and the shared transposition table.

mod advance;
mod deferral;
mod history;
mod iterations;
mod node;
mod picker;
mod root;
mod tuning;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use game::limits::StopFlag;
use game::rng::mix;
use game::score::Score;
use game::truth::Wdl;
use jungle::causality::Races;
use jungle::{Color, Jungle, Move, Play, Position, Repetition, Square};
use search::shared_table::{PackedMove, SharedTable};

pub use advance::rows_advanced;
pub use deferral::Searching;
pub use history::Histories;
pub use iterations::Iterations;
use iterations::{Finished, Pass};
pub use root::RootMove;
pub use tuning::{Constant, Constants, Reductions, Selectivity, Tuning, UnknownSelectivity};

use crate::control::Control;
use crate::endgame::Endgames;
use crate::engine::Options;
use crate::eval::Evaluator;
use crate::request::Request;
use crate::time::TimeManager;

/// The longest line that is searched.
pub const MAX_PLY: usize = 200;

/// A win by the move that leads to this ply.
#[inline]
fn win_at(ply: usize) -> Score {
    Score::win_in(ply as u32)
}

/// A loss at this ply.
#[inline]
fn loss_at(ply: usize) -> Score {
    -win_at(ply)
}

/// A move in the transposition table.
#[inline]
fn packed(mv: Move) -> Option<PackedMove> {
    PackedMove::new(mv.from.index(), mv.to.index())
}

/// The squares of a move in the transposition table.
#[inline]
fn unpacked(mv: PackedMove) -> Option<(Square, Square)> {
    let (from, to) = mv.squares();
    Some((*Square::ALL.get(from)?, *Square::ALL.get(to)?))
}

/// The score of a position won in the tables within the search, where only WDL is probed: more
/// than any other estimate.
const TABLE_WIN: i32 = 29_000;

/// What all threads of a search share.
pub struct Shared<'a> {
    pub table: &'a SharedTable,
    pub tables: Option<&'a Endgames>,
    pub control: &'a Control,
    /// Set when the search is to end for an internal reason: a limit was reached.
    pub finished: AtomicBool,
    pub reductions: &'a Reductions,
    /// The nodes of each thread, published now and then.
    pub nodes: Vec<AtomicU64>,
    pub table_hits: AtomicU64,
    /// What the threads are searching, if there is more than one.
    pub searching: Option<Searching>,
    /// Where they share the iterations they have finished.
    pub iterations: Iterations,
    pub request: &'a Request,
    pub time: TimeManager,
    pub started: Instant,
}

impl Shared<'_> {
    /// The nodes of all threads, as far as published.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

/// The search stack: what a search keeps for one ply.
#[derive(Clone, Default)]
struct Frame {
    /// The move made here.
    mv: Option<Move>,
    /// The static evaluation; `None` in check.
    eval: Option<Score>,
    killers: [Option<Move>; 2],
    /// The best line from here.
    pv: Vec<Move>,
    /// The plies since the last capture, those before the root included.
    quiet_plies: u32,
}

/// One thread of a search.
pub struct Worker<'a, E> {
    pub(crate) shared: &'a Shared<'a>,
    /// 0 is the one that reports.
    pub(crate) index: usize,
    histories: &'a mut Histories,
    pub(crate) jungle: Jungle,
    races: Races,
    pub(crate) position: Position,
    pub(crate) evaluator: E,
    tuning: Tuning,
    /// The value of a draw to the player at the root: less than even by the contempt.
    draw: Score,
    /// The advance bonus: the value of a row forward to the player at the root.
    advance: i32,
    /// The player at the root.
    us: Color,
    /// Separates the table entries of one contempt, advance bonus and player from others.
    salt: u64,
    frames: Vec<Frame>,
    /// The keys of the positions since the last capture before the root, then of those on the path.
    keys: Vec<u64>,
    /// Where in `keys` the root stands.
    root_key: usize,
    /// The ply at which the move limit draws the game.
    limit_ply: usize,
    pub(crate) nodes: u64,
    next_check: u64,
    pub(crate) seldepth: usize,
    pub(crate) stopped: bool,
    /// Whether a depth is finished, so that there is something to answer.
    pub(crate) ready: bool,
    /// Whether the other threads are left to themselves.
    alone: bool,
    /// The current search of the root.
    pass: Pass,
    /// Another thread's result for it, if that was quicker.
    overtaken: Option<Finished>,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    /// A worker at the position of `play`.
    pub fn new(
        shared: &'a Shared<'a>,
        index: usize,
        play: &Play,
        mut evaluator: E,
        histories: &'a mut Histories,
        options: &Options,
    ) -> Self {
        let tuning = Tuning { without: options.without, constants: options.constants };
        let position = play.position().clone();
        evaluator.reset(&position);
        let setup = play.setup();
        let pieces = position.occupied().len();
        let same = |earlier: &&Position| earlier.occupied().len() == pieces;
        let mut keys: Vec<u64> =
            play.earlier_positions().rev().take_while(same).map(Position::key).collect();
        keys.reverse();
        keys.push(position.key());
        let limit_ply = play.jungle().rules().move_limit.map_or(usize::MAX, |limit| {
            let moves = (u64::from(limit.get()) + 1).saturating_sub(u64::from(setup.move_number));
            let half = u64::from(position.turn() == Color::Black);
            usize::try_from((2 * moves).saturating_sub(half)).unwrap_or(usize::MAX)
        });
        let mut frames = vec![Frame::default(); MAX_PLY + 2];
        frames[0].quiet_plies = setup.quiet_plies;
        let us = position.turn();
        let salt = match (options.contempt, options.advance) {
            (0, 0) => 0,
            (contempt, advance) => {
                let black = u64::from(us == Color::Black);
                let advance = u64::from(advance.cast_unsigned());
                mix(u64::from(contempt.cast_unsigned()) << 32 | advance << 1 | black)
            }
        };
        Worker {
            shared,
            index,
            histories,
            jungle: play.jungle().clone(),
            races: Races::new(play.jungle().rules()),
            root_key: keys.len() - 1,
            position,
            evaluator,
            tuning,
            draw: Score::estimate(-options.contempt),
            advance: options.advance,
            us,
            salt,
            frames,
            keys,
            limit_ply,
            nodes: 0,
            next_check: 0,
            seldepth: 0,
            stopped: false,
            ready: false,
            alone: true,
            pass: Pass::NEVER,
            overtaken: None,
        }
    }

    #[inline]
    fn make(&mut self, mv: Move, ply: usize) {
        self.evaluator.make(&self.position, mv);
        self.position.make(mv);
        self.shared.table.prefetch(self.table_key());
        self.keys.push(self.position.key());
        let quiet_plies =
            if mv.is_capture() { 0 } else { self.frames[ply].quiet_plies.saturating_add(1) };
        self.frames[ply].mv = Some(mv);
        self.frames[ply + 1].quiet_plies = quiet_plies;
    }

    #[inline]
    fn unmake(&mut self, mv: Move) {
        self.keys.pop();
        self.position.unmake(mv);
        self.evaluator.unmake(&self.position, mv);
    }

    /// The static evaluation, kept out of the range that the tables and wins use.
    #[inline]
    fn evaluate(&mut self) -> Score {
        let bound = TABLE_WIN - 2 * MAX_PLY as i32;
        let mut value = self.evaluator.evaluate(&self.jungle, &self.position);
        if self.advance != 0 {
            let bonus = self.advance * rows_advanced(&self.position, self.us);
            value += if self.position.turn() == self.us { bonus } else { -bonus };
        }
        Score::estimate(value.clamp(-bound, bound))
    }

    /// The position's key in the table.
    #[inline]
    fn table_key(&self) -> u64 {
        self.position.key() ^ self.salt
    }

    /// The value of a draw to the player to move at `ply`.
    #[inline]
    fn draw_at(&self, ply: usize) -> Score {
        if ply.is_multiple_of(2) { self.draw } else { -self.draw }
    }

    /// The moves made one and two plies before `ply`.
    #[inline]
    fn before(&self, ply: usize) -> [Option<Move>; 2] {
        let back = |plies: usize| if ply >= plies { self.frames[ply - plies].mv } else { None };
        [back(1), back(2)]
    }

    /// Makes the best line at `ply` this move followed by the best line after it.
    fn take_pv(&mut self, ply: usize, mv: Move) {
        let (here, after) = self.frames.split_at_mut(ply + 1);
        here[ply].pv.clear();
        here[ply].pv.push(mv);
        here[ply].pv.extend_from_slice(&after[0].pv);
    }

    /// What a repetition makes of the position at `ply`; `None` if it is new.
    ///
    /// Coming back to a position within the search gains nothing, so it counts as a draw at once,
    /// whatever the rules say of a third time. Positions before the root count when they make it the
    /// third time.
    #[inline]
    fn repetition(&self, ply: usize) -> Option<Score> {
        let back = self.frames[ply].quiet_plies as usize;
        if back < 4 || ply == 0 {
            return None;
        }
        let here = self.keys.len() - 1;
        let oldest = here.saturating_sub(back);
        let key = self.keys[here];
        let mut times = 0;
        let mut at = here;
        while at >= oldest + 2 {
            at -= 2;
            if self.keys[at] == key {
                times += 1;
                if times == 2 && self.jungle.rules().repetition == Repetition::Loss {
                    // The player to move is not the one who brought it about.
                    return Some(win_at(ply));
                }
                if times == 2 || at > self.root_key || self.tuning.has(Selectivity::Progress) {
                    return Some(self.draw_at(ply));
                }
            }
        }
        None
    }

    /// Whether a rule against repetition forbids a move.
    #[inline]
    fn forbidden(&self, mv: Move, ply: usize) -> bool {
        if self.jungle.rules().repetition != Repetition::Illegal || mv.is_capture() {
            return false;
        }
        let mut after = self.position.clone();
        after.make(mv);
        let key = after.key();
        let back = self.frames[ply].quiet_plies as usize;
        let here = self.keys.len() - 1;
        let oldest = here.saturating_sub(back);
        self.keys[oldest..=here].iter().filter(|&&earlier| earlier == key).count() >= 2
    }

    /// Whether a limit draws the game at this ply, if it goes on till then without a capture.
    #[inline]
    fn limit_reached(&self, ply: usize) -> bool {
        if ply >= self.limit_ply {
            return true;
        }
        self.jungle.rules().quiet_limit.is_some_and(|limit| {
            let here = self.keys.len() - 1 - self.root_key;
            let quiet = self.frames[here].quiet_plies as usize + ply.saturating_sub(here);
            quiet >= limit.get() as usize
        })
    }

    /// Whether a score from the table can be relied on this near to a limit.
    #[inline]
    fn can_trust(&self, score: Score, ply: usize) -> bool {
        let limited = self.limit_ply != usize::MAX || self.jungle.rules().quiet_limit.is_some();
        if !limited {
            return true;
        }
        score.plies().is_none_or(|end| !self.limit_reached(ply.max(end as usize)))
    }

    /// Who wins, by the endgame tables.
    #[inline]
    fn probe_tables(&mut self, ply: usize) -> Option<Score> {
        let tables = self.shared.tables?;
        let outcome = tables.outcome(&self.position)?;
        self.shared.table_hits.fetch_add(1, Relaxed);
        let win = Score::estimate(TABLE_WIN - ply as i32);
        Some(match outcome {
            Wdl::Win => win,
            Wdl::Draw => self.draw_at(ply),
            Wdl::Loss => -win,
        })
    }

    /// Looks at the limits, and says when to look again.
    fn check_limits(&mut self) {
        const BETWEEN_CHECKS: u64 = 512;
        let shared = self.shared;
        shared.nodes[self.index].store(self.nodes, Relaxed);
        self.next_check = self.nodes + BETWEEN_CHECKS;
        let limits = &shared.request.limits;
        // However little time there is, every move is looked at once.
        let unready = self.index == 0 && !self.ready;
        let stopped = shared.control.stopped()
            || shared.finished.load(Relaxed)
            || limits.stop.as_ref().is_some_and(StopFlag::is_raised);
        if stopped && !unready {
            self.stopped = true;
            return;
        }
        self.overtaken = shared.iterations.finished(self.pass);
        self.stopped = self.overtaken.is_some();
        if self.index != 0 {
            return;
        }
        if let Some(limit) = shared.time.nodes() {
            let total = shared.total_nodes();
            if total >= limit && !shared.control.pondering() {
                self.finish();
            }
            if total < limit {
                self.next_check = self.nodes + (limit - total).min(BETWEEN_CHECKS);
            }
        }
        if !unready && shared.time.exhausted(shared.control) {
            self.finish();
        }
    }

    fn finish(&mut self) {
        self.overtaken = None;
        self.shared.finished.store(true, Relaxed);
        self.stopped = true;
    }
}
