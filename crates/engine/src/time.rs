//! Time management: how long to think about a move.
//!
//! Two limits follow from a clock: a soft one, after which no new depth is begun, and a hard one, at
//! which the search is broken off. Both are multiples of what the [clock allots](game::clock) to a move,
//! under its ceiling. The soft one stretches when the best move keeps changing or its score falls, and
//! shrinks when nothing changes.

use std::time::Duration;

use game::clock::{Allotment, Clock};

use crate::control::Control;
use crate::request::Request;

/// The time for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeManager {
    /// The soft limit: no new depth is begun after it.
    soft: Option<Duration>,
    /// The hard limit: the search is broken off.
    hard: Option<Duration>,
}

/// The soft limit as a multiple of a move's share of the clock: what is saved is there for unsettled
/// positions.
const SOFT: f64 = 0.7;
/// The hard limit as a multiple of a move's share of the clock.
const HARD: f64 = 4.0;

impl TimeManager {
    /// The time for a request, if answering costs `overhead` besides thinking.
    pub fn new(request: &Request, overhead: Duration) -> TimeManager {
        if request.infinite {
            return TimeManager::default();
        }
        let managed = request.limits.clock.map(|clock| TimeManager::of_clock(clock, overhead));
        let TimeManager { soft, hard } = managed.unwrap_or_default();
        TimeManager { soft, hard: hard.into_iter().chain(request.limits.time).min() }
    }

    fn of_clock(clock: Clock, overhead: Duration) -> TimeManager {
        let Allotment { share, most } = clock.less(overhead).allot();
        let multiple = |factor| Some(share.mul_f64(factor).min(most));
        TimeManager { soft: multiple(SOFT), hard: multiple(HARD) }
    }

    /// Whether the search has to be broken off.
    pub fn exhausted(&self, control: &Control) -> bool {
        self.hard.is_some_and(|hard| control.since().is_some_and(|since| since.elapsed() >= hard))
    }

    /// Whether to begin no new depth, where `stretch` says how unsettled the position is: 1 is ordinary.
    pub fn enough(&self, control: &Control, thought: Duration, stretch: f64) -> bool {
        !control.pondering() && self.soft.is_some_and(|soft| thought >= soft.mul_f64(stretch))
    }

    /// Whether a clock is running, so that time is worth saving.
    pub fn saves(&self) -> bool {
        self.soft.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::limits::Limits;

    #[test]
    fn the_clock_never_runs_out() {
        let overhead = Duration::from_millis(10);
        for remaining in [0, 1, 9, 11, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(1000)] {
                    let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
                    let clock = Clock { remaining, increment, moves_to_go };
                    let time = TimeManager::new(&Limits::clock(clock).into(), overhead);
                    let (soft, hard) = (time.soft.unwrap(), time.hard.unwrap());
                    let left = remaining.saturating_sub(overhead);
                    assert!(soft <= hard && hard <= left.max(Duration::from_millis(1)));
                }
            }
        }
    }

    #[test]
    fn a_minute_gives_a_move_its_multiples() {
        let clock = Clock::new(Duration::from_millis(70_010), Duration::from_secs(1));
        let time = TimeManager::new(&Limits::clock(clock).into(), Duration::from_millis(10));
        // 70 s for 35 moves and four fifths of a second: 2.8 s.
        assert_eq!(time.soft, Some(Duration::from_millis(1960)));
        assert_eq!(time.hard, Some(Duration::from_millis(11_200)));
    }

    #[test]
    fn a_fixed_time_is_used_up_and_infinity_has_no_end() {
        let fixed = Request::from(Limits::time(Duration::from_secs(3)));
        let time = TimeManager::new(&fixed, Duration::from_millis(10));
        assert_eq!(time, TimeManager { soft: None, hard: Some(Duration::from_secs(3)) });
        let infinite = Request { infinite: true, ..fixed };
        assert_eq!(TimeManager::new(&infinite, Duration::ZERO), TimeManager::default());
    }
}
