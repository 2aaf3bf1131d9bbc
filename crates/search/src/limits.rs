//! When a search has to stop, and the counting that tells it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use game::score::Score;

/// When a search stops: at the first limit it meets. Without any it goes on until it has found a
/// win or a loss.
///
/// ```
/// use search::Limits;
///
/// let limits = Limits::depth(8).with_nodes(1_000_000);
/// assert_eq!(limits.depth, Some(8));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// How many plies deep.
    pub depth: Option<u32>,
    /// How many positions may be visited.
    pub nodes: Option<u64>,
    /// How long it may take.
    pub time: Option<Duration>,
    /// Set by somebody else, at any time, to stop the search.
    pub stop: Option<Arc<AtomicBool>>,
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

    /// Only a number of positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Only a time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Also a depth.
    #[must_use]
    pub fn with_depth(self, depth: u32) -> Limits {
        Limits { depth: Some(depth), ..self }
    }

    /// Also a number of positions.
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
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Limits {
        Limits { stop: Some(stop), ..self }
    }

    /// The depth to stop at: the limit, or the longest win that a score can tell.
    pub fn last_depth(&self) -> u32 {
        self.depth.unwrap_or(Score::MAX_PLIES).min(Score::MAX_PLIES)
    }
}

/// A search was stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What a search has used so far, measured against its limits. The clock starts when it is made;
/// several searches may draw on one budget.
#[derive(Debug)]
pub struct Budget {
    nodes: u64,
    leaves: u64,
    node_limit: u64,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
}

/// How many nodes pass between two looks at the clock and the flag.
const PATIENCE: u64 = 1 << 10;

impl Budget {
    /// A fresh budget; the depth is the searcher's own business.
    pub fn new(limits: &Limits) -> Budget {
        Budget {
            nodes: 0,
            leaves: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            // A time too long for the clock is no limit.
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop.clone(),
        }
    }

    /// How many positions were visited.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many of them were valued on the spot: finished, repeated, or at the last ply.
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
        if self.nodes.is_multiple_of(PATIENCE) {
            self.look_up()?;
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
        if self.nodes >= self.node_limit { Err(Stopped) } else { self.look_up() }
    }

    /// Counts visits that were made elsewhere and are past stopping.
    pub fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Counts the position just visited as a leaf.
    #[inline]
    pub fn leaf(&mut self) {
        self.leaves += 1;
    }

    fn look_up(&self) -> Result<(), Stopped> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed));
        if late || stopped { Err(Stopped) } else { Ok(()) }
    }
}
