//! The limits of a move in the unit of the search: nodes, or time as it passes.

use std::time::{Duration, Instant};

use game::limits::{Limits, StopFlag};

use super::Ended;

/// What complexity is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Visits and expansions at fixed prices: the same on every machine.
    Nodes,
    /// Nanoseconds as they pass. The price of a child not visited yet is the mean of the visits so far.
    Time,
}

/// What a move may cost, in the unit of the search.
pub(super) struct Spending {
    pub unit: Unit,
    /// What is left for the rest of the game: the global escape function takes the share of it.
    pub left: u64,
    /// What this move may cost at most.
    pub most: u64,
    pub depth: Option<u32>,
    deadline: Option<Instant>,
    stop: Option<StopFlag>,
    /// When complexity was last booked, for [`Unit::Time`].
    since: Instant,
}

impl Spending {
    pub fn new(limits: &Limits) -> Spending {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let since = Instant::now();
        let mut deadline = None;
        let nodes = limits.game_nodes.or(limits.nodes);
        let remaining = limits.clock.map(|clock| clock.remaining).or(limits.time);
        let (unit, left, most) = match (nodes, remaining) {
            (None, Some(remaining)) => {
                let ceiling = limits.clock.map(|clock| clock.allot().most);
                let most = limits.time.or(ceiling).unwrap_or(remaining);
                (Unit::Time, nanoseconds(remaining), nanoseconds(most))
            }
            _ => {
                deadline = limits.time_for_move().and_then(|time| since.checked_add(time));
                let left = nodes.unwrap_or(u64::MAX);
                (Unit::Nodes, left, limits.nodes.unwrap_or(left))
            }
        };
        let (depth, stop) = (limits.depth, limits.stop.clone());
        Spending { unit, left, most, depth, deadline, stop, since }
    }

    /// The cost of the last step: its price, or the time it took.
    pub fn cost(&mut self, price: u64) -> u64 {
        match self.unit {
            Unit::Nodes => price,
            Unit::Time => {
                let now = Instant::now();
                let passed = now.duration_since(self.since);
                self.since = now;
                u64::try_from(passed.as_nanos()).unwrap_or(u64::MAX)
            }
        }
    }

    /// What ends the search although its budget is not used up.
    pub fn ended(&self) -> Option<Ended> {
        if self.stop.as_ref().is_some_and(StopFlag::is_raised) {
            return Some(Ended::Stopped);
        }
        self.deadline.filter(|deadline| Instant::now() >= *deadline).map(|_| Ended::Spent)
    }
}
