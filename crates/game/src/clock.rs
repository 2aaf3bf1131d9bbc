//! Clocks, and the one policy of what a move may take of them.
//!
//! A [`Clock`] is what a player's chess clock shows. [`Clock::allot`] divides it among the moves to come: an
//! equal share of what is left, most of the increment, and a ceiling that no single move breaks. Players
//! without a time manager spend the share ([`Clock::time_for_move`]); the engine's time manager stretches it
//! where the position is unsettled, up to the ceiling.
//!
//! A [`NodeClock`] is the same for games limited by nodes instead of time.

use std::time::Duration;

/// A player's clock.
///
/// ```
/// use std::time::Duration;
/// use game::clock::Clock;
///
/// let clock = Clock::new(Duration::from_secs(70), Duration::from_secs(1));
/// assert_eq!(clock.time_for_move(), Duration::from_millis(2800));
/// let last = Clock { moves_to_go: Some(1), ..clock };
/// assert_eq!(last.allot().most, Duration::from_secs(70));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left for the rest of the game, or until the next time control.
    pub remaining: Duration,
    /// What is added after every move.
    pub increment: Duration,
    /// How many moves are left until more time is added, if that happens.
    pub moves_to_go: Option<u32>,
}

/// The time a clock allots to one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// The time a move takes if all moves to come are to take the same.
    pub share: Duration,
    /// The most that any move takes.
    pub most: Duration,
}

impl Clock {
    /// How many more moves a game is expected to last when the clock does not say.
    pub const MOVES_EXPECTED: u32 = 35;
    /// The part of the increment that a move spends beside its share; the rest is saved.
    pub const INCREMENT_SPENT: f64 = 0.8;
    /// The part of what is left that a move never exceeds, unless it is the last before more is added.
    pub const CEILING: f64 = 0.4;

    /// The longest wait for the next time control that is taken into account, in moves.
    const MOST_MOVES: u32 = 60;
    /// A clock that has run out still allows a move this much.
    const LEAST: Duration = Duration::from_millis(1);

    /// A clock for the rest of the game.
    pub const fn new(remaining: Duration, increment: Duration) -> Clock {
        Clock { remaining, increment, moves_to_go: None }
    }

    /// The same clock when this much of it is lost in transit on every move.
    #[must_use]
    pub fn less(self, overhead: Duration) -> Clock {
        Clock { remaining: self.remaining.saturating_sub(overhead), ..self }
    }

    /// Divides what is left among the moves to come.
    pub fn allot(&self) -> Allotment {
        let left = self.remaining.max(Clock::LEAST);
        let moves = self.moves_to_go.unwrap_or(Clock::MOVES_EXPECTED).clamp(1, Clock::MOST_MOVES);
        Allotment {
            share: left / moves + self.increment.mul_f64(Clock::INCREMENT_SPENT),
            most: if moves == 1 { left } else { left.mul_f64(Clock::CEILING) },
        }
    }

    /// What a player that does not manage its time spends on a move.
    pub fn time_for_move(&self) -> Duration {
        let Allotment { share, most } = self.allot();
        share.min(most)
    }
}

/// A clock that counts nodes: what is left to a player of the nodes for a whole game.
///
/// ```
/// use game::clock::NodeClock;
///
/// let mut clock = NodeClock::new(100);
/// clock.charge(30);
/// assert_eq!(clock.left(), 70);
/// clock.charge(1000);
/// assert_eq!((clock.left(), clock.spent()), (0, 1030));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeClock {
    total: u64,
    spent: u64,
}

impl NodeClock {
    /// How many more moves a game is expected to last, at any point of it. Games by nodes can be
    /// repeated to the move, so this number stays what it was when the first of them were played.
    pub const MOVES_EXPECTED: u64 = 30;

    /// A clock of this many nodes for the game.
    pub const fn new(total: u64) -> NodeClock {
        NodeClock { total, spent: 0 }
    }

    /// What is left.
    pub const fn left(&self) -> u64 {
        self.total.saturating_sub(self.spent)
    }

    /// What has been spent, as the player reports it.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Takes off what a move has cost.
    pub const fn charge(&mut self, nodes: u64) {
        self.spent = self.spent.saturating_add(nodes);
    }

    /// What a player that does not manage its nodes spends on a move when `left` are left: an equal
    /// share, and one at least.
    pub const fn share(left: u64) -> u64 {
        let share = left / NodeClock::MOVES_EXPECTED;
        if share == 0 { 1 } else { share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_never_runs_out() {
        for remaining in [0, 1, 9, 11, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(1000)] {
                    let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
                    let clock = Clock { remaining, increment, moves_to_go };
                    let most = remaining.max(Duration::from_millis(1));
                    assert!(clock.time_for_move() <= most, "{clock:?}");
                    assert!(clock.time_for_move() > Duration::ZERO, "{clock:?}");
                }
            }
        }
    }

    #[test]
    fn an_overhead_is_taken_off_what_is_left() {
        let seconds = Duration::from_secs;
        let clock = Clock::new(seconds(10), seconds(1));
        assert_eq!(clock.less(seconds(3)), Clock::new(seconds(7), seconds(1)));
        assert_eq!(clock.less(seconds(30)).remaining, Duration::ZERO);
    }

    #[test]
    fn a_share_of_nodes_is_never_nothing() {
        assert_eq!(NodeClock::share(90_000), 3000);
        assert_eq!(NodeClock::share(29), 1);
        assert_eq!(NodeClock::share(0), 1);
    }
}
