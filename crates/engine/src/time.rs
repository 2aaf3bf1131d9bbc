//! How long to think.
//!
//! Two limits follow from a clock: a soft one, after which no new depth is begun, and a hard one, at
//! which the search is broken off. The soft one stretches when the best move keeps changing or its
//! score falls, and shrinks when nothing changes.

use std::time::Duration;

use crate::control::Control;
use crate::limits::{Clock, Limits};

/// The time for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// When to begin nothing new.
    soft: Option<Duration>,
    /// When to break off.
    hard: Option<Duration>,
}

/// How many moves a game is expected to last still when the clock does not say.
const MOVES_EXPECTED: u32 = 35;

impl Budget {
    /// The budget under these limits, if answering costs `overhead` more than thinking.
    pub fn new(limits: &Limits, overhead: Duration) -> Budget {
        let (mut soft, mut hard) = match limits.clock {
            Some(clock) => of_clock(clock, overhead),
            None => (None, None),
        };
        if let Some(time) = limits.time {
            hard = Some(hard.map_or(time, |hard: Duration| hard.min(time)));
        }
        if limits.infinite {
            (soft, hard) = (None, None);
        }
        Budget { soft, hard }
    }

    /// Whether the search has to be broken off.
    pub fn exhausted(&self, control: &Control) -> bool {
        self.hard.is_some_and(|hard| control.since().is_some_and(|since| since.elapsed() >= hard))
    }

    /// Whether to begin nothing new, where `stretch` says how unsettled things are: 1 is ordinary.
    pub fn enough(&self, control: &Control, thought: Duration, stretch: f64) -> bool {
        !control.pondering() && self.soft.is_some_and(|soft| thought >= soft.mul_f64(stretch))
    }

    /// Whether a clock is running that is worth saving.
    pub fn saves(&self) -> bool {
        self.soft.is_some()
    }
}

fn of_clock(clock: Clock, overhead: Duration) -> (Option<Duration>, Option<Duration>) {
    let left = clock.remaining.saturating_sub(overhead).max(Duration::from_millis(1));
    let moves = clock.moves_to_go.unwrap_or(MOVES_EXPECTED).clamp(1, 60);
    let share = left / moves + clock.increment.mul_f64(0.8);
    let most = if moves == 1 { left } else { left.mul_f64(0.4) };
    let soft = share.mul_f64(0.7).min(most);
    let hard = share.mul_f64(4.0).min(most);
    (Some(soft), Some(hard))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    #[test]
    fn the_clock_never_runs_out() {
        let overhead = Duration::from_millis(10);
        for remaining in [0, 1, 9, 11, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(1000)] {
                    let budget = Budget::new(&clock(remaining, increment, moves), overhead);
                    let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                    let left = Duration::from_millis(remaining).saturating_sub(overhead);
                    assert!(soft <= hard && hard <= left.max(Duration::from_millis(1)));
                }
            }
        }
    }

    #[test]
    fn a_fixed_time_is_used_up_and_infinity_has_no_end() {
        let fixed = Limits::time(Duration::from_secs(3));
        let budget = Budget::new(&fixed, Duration::from_millis(10));
        assert_eq!(budget, Budget { soft: None, hard: Some(Duration::from_secs(3)) });
        let infinite = Limits { infinite: true, ..fixed };
        assert_eq!(Budget::new(&infinite, Duration::ZERO), Budget::default());
    }
}
