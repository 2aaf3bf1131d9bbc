//! Limits of a search: depth, nodes, time, clock; and the meter that holds a running search to them.
//!
//! Every search of this program takes the same [`Limits`] and stops at the first one it meets. What a search
//! is asked for beyond its limits (which moves to consider, whether to ponder) is the business of the engine
//! that offers it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::clock::{Clock, NodeClock};
use crate::score::Score;

/// When a search stops: at the first limit it meets. Without any it goes on until it has found a win or
/// a loss, or is stopped.
///
/// ```
/// use game::limits::Limits;
///
/// let limits = Limits::depth(8).with_nodes(1_000_000);
/// assert_eq!((limits.depth, limits.nodes), (Some(8), Some(1_000_000)));
/// let tighter = limits.within(&Limits::nodes(500));
/// assert_eq!((tighter.depth, tighter.nodes), (Some(8), Some(500)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// How many plies deep.
    pub depth: Option<u32>,
    /// How many nodes may be visited. On one thread the number is kept exactly, and the answer is the same
    /// on every machine.
    pub nodes: Option<u64>,
    /// How long it may take; used up unless nothing is left to think about.
    pub time: Option<Duration>,
    /// What the clock of the player to move shows; the search decides how much of it to use.
    pub clock: Option<Clock>,
    /// What is left of the nodes for the whole game. A search that divides them itself may spend all on one
    /// move; the others keep to an equal [share](NodeClock::share).
    pub game_nodes: Option<u64>,
    /// Raised by another thread, at any time, to stop the search.
    pub stop: Option<StopFlag>,
}

impl Limits {
    /// No limit.
    pub fn none() -> Limits {
        Limits::default()
    }

    /// Only a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Only a time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Only a clock.
    pub fn clock(clock: Clock) -> Limits {
        Limits { clock: Some(clock), ..Limits::default() }
    }

    /// Only what is left of the nodes for the game.
    pub fn game_nodes(left: u64) -> Limits {
        Limits { game_nodes: Some(left), ..Limits::default() }
    }

    /// Also a depth.
    #[must_use]
    pub fn with_depth(self, depth: u32) -> Limits {
        Limits { depth: Some(depth), ..self }
    }

    /// Also a number of nodes.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..self }
    }

    /// Also a time.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Limits {
        Limits { time: Some(time), ..self }
    }

    /// Also a flag.
    #[must_use]
    pub fn with_stop(self, stop: impl Into<StopFlag>) -> Limits {
        Limits { stop: Some(stop.into()), ..self }
    }

    /// The tighter of both, limit by limit. Where both have a clock or a flag, that of `self` is kept.
    #[must_use]
    pub fn within(&self, other: &Limits) -> Limits {
        fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            one.into_iter().chain(other).min()
        }
        Limits {
            depth: least(self.depth, other.depth),
            nodes: least(self.nodes, other.nodes),
            time: least(self.time, other.time),
            clock: self.clock.or(other.clock),
            game_nodes: least(self.game_nodes, other.game_nodes),
            stop: self.stop.clone().or_else(|| other.stop.clone()),
        }
    }

    /// Whether nothing but a flag ends the search.
    pub fn is_endless(&self) -> bool {
        let Limits { depth, nodes, time, clock, game_nodes, stop: _ } = self;
        depth.is_none()
            && nodes.is_none()
            && time.is_none()
            && clock.is_none()
            && game_nodes.is_none()
    }

    /// The depth to stop at: the limit, or the longest win that a score can express.
    pub fn last_depth(&self) -> u32 {
        self.depth.unwrap_or(Score::MAX_PLIES).min(Score::MAX_PLIES)
    }

    /// How many nodes a move may take: the limit, and no more than its share of what is left for the game.
    pub fn nodes_for_move(&self) -> Option<u64> {
        self.nodes.into_iter().chain(self.game_nodes.map(NodeClock::share)).min()
    }

    /// How long a move of a player that does not manage its time may take: the time, and what the clock
    /// allots.
    pub fn time_for_move(&self) -> Option<Duration> {
        let allotted = self.clock.map(|clock| clock.time_for_move());
        self.time.into_iter().chain(allotted).min()
    }
}

/// A flag by which one thread asks another to stop. Clones are the same flag.
///
/// ```
/// use game::limits::StopFlag;
///
/// let flag = StopFlag::new();
/// let other = flag.clone();
/// other.raise();
/// assert!(flag.is_raised());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not raised.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Asks to stop.
    pub fn raise(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether a stop has been requested.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Relaxed)
    }
}

impl From<Arc<AtomicBool>> for StopFlag {
    fn from(flag: Arc<AtomicBool>) -> StopFlag {
        StopFlag(flag)
    }
}

impl PartialEq for StopFlag {
    /// Whether both are the same flag.
    fn eq(&self, other: &StopFlag) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for StopFlag {}

/// Nodes per second. A time that no clock can tell from none counts as a microsecond.
///
/// ```
/// use std::time::Duration;
///
/// assert_eq!(game::limits::nps(300, Duration::from_millis(2)), 150_000);
/// assert_eq!(game::limits::nps(3, Duration::ZERO), 3_000_000);
/// ```
pub fn nps(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

/// A search was stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped before it had an answer")]
pub struct Stopped;

/// Counts the nodes of a running search and holds it to its limits. Time starts when the meter is made;
/// several searches may run on one meter.
///
/// ```
/// use game::limits::{Limits, Meter, Stopped};
///
/// let mut meter = Meter::new(&Limits::nodes(2));
/// assert_eq!((meter.visit(), meter.visit(), meter.visit()), (Ok(()), Ok(()), Err(Stopped)));
/// assert_eq!(meter.nodes(), 2);
/// ```
#[derive(Debug)]
pub struct Meter {
    nodes: u64,
    leaves: u64,
    node_limit: u64,
    deadline: Option<Instant>,
    stop: Option<StopFlag>,
}

impl Meter {
    /// How many nodes pass between two looks at the time and the flag.
    pub const CHECK_INTERVAL: u64 = 1 << 10;

    /// A new meter; the depth limit is left to the search.
    pub fn new(limits: &Limits) -> Meter {
        let time = limits.time_for_move();
        Meter {
            nodes: 0,
            leaves: 0,
            node_limit: limits.nodes_for_move().unwrap_or(u64::MAX),
            // A time too long to add to now is not a limit.
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop.clone(),
        }
    }

    /// How many nodes have been visited.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many of them were leaves: finished, repeated, or at the last ply.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// Counts a visit.
    ///
    /// # Errors
    ///
    /// If a limit forbids it.
    #[inline]
    pub fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.node_limit {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(Meter::CHECK_INTERVAL) {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Counts visits that were made elsewhere.
    ///
    /// # Errors
    ///
    /// If a limit has been reached.
    pub fn spend(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.count(nodes);
        if self.nodes >= self.node_limit { Err(Stopped) } else { self.check() }
    }

    /// Counts visits that were made elsewhere, without a check of the limits.
    pub fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Whether a limit has been reached.
    pub fn is_exhausted(&self) -> bool {
        self.nodes >= self.node_limit || self.check().is_err()
    }

    /// Counts the node just visited as a leaf.
    #[inline]
    pub fn leaf(&mut self) {
        self.leaves += 1;
    }

    /// Looks at the time and the flag.
    fn check(&self) -> Result<(), Stopped> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let stopped = self.stop.as_ref().is_some_and(StopFlag::is_raised);
        if late || stopped { Err(Stopped) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tighter_limit_counts_whoever_sets_it() {
        let seconds = Duration::from_secs;
        let one = Limits { clock: Some(Clock::new(seconds(9), seconds(0))), ..Limits::depth(3) };
        let other = Limits::depth(5).with_time(seconds(2)).with_nodes(7);
        let both = one.within(&other);
        assert_eq!((both.depth, both.nodes, both.time), (Some(3), Some(7), Some(seconds(2))));
        assert_eq!(both.clock, one.clock);
        assert_eq!(both, other.within(&one));
        assert!(!both.is_endless());
        assert!(Limits::none().with_stop(StopFlag::new()).is_endless());
    }

    #[test]
    fn a_game_s_nodes_and_a_clock_give_each_move_a_share() {
        assert_eq!(Limits::game_nodes(3000).nodes_for_move(), Some(100));
        assert_eq!(Limits::game_nodes(3000).with_nodes(7).nodes_for_move(), Some(7));
        let clock = Clock::new(Duration::from_secs(35), Duration::ZERO);
        assert_eq!(Limits::clock(clock).time_for_move(), Some(Duration::from_secs(1)));
        let short = Limits::clock(clock).with_time(Duration::from_millis(5));
        assert_eq!(short.time_for_move(), Some(Duration::from_millis(5)));
    }

    #[test]
    fn a_meter_stops_at_the_flag_the_time_and_the_nodes() {
        let flag = StopFlag::new();
        let mut meter = Meter::new(&Limits::none().with_stop(flag.clone()));
        assert_eq!(meter.visit(), Ok(()));
        flag.raise();
        assert_eq!(meter.spend(1), Err(Stopped));
        assert_eq!(Meter::new(&Limits::time(Duration::ZERO)).visit(), Err(Stopped));
        assert_eq!(Meter::new(&Limits::time(Duration::MAX)).visit(), Ok(()));
        let mut meter = Meter::new(&Limits::nodes(10));
        assert_eq!((meter.spend(9), meter.spend(1)), (Ok(()), Err(Stopped)));
        meter.leaf();
        assert_eq!((meter.nodes(), meter.leaves()), (10, 1));
    }
}
