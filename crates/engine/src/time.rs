//! Time management: how long to think about a move.
//!
//! Two limits follow from a clock: a soft one, after which no new depth is begun, and a hard one, at
//! which the search is broken off. Both are multiples of what the [clock allots](game::clock) to a move,
//! under its ceiling. The soft one stretches when the best move keeps changing or its score falls, and
//! shrinks when nothing changes. Nodes counted over the game are divided in the same way, where a stretch that was fitted
//! to what moves give away has proved better than an equal share ([`crate::pacing`]).

use std::time::Duration;

use game::clock::{Allotment, Clock, NodeClock};
use game::limits::Limits;

use crate::control::Control;
use crate::pacing::{Pacing, Signs, StoppingRule};
use crate::request::Request;

/// The time for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeManager {
    /// The soft limit: no new depth is begun after it.
    soft: Option<Duration>,
    /// The hard limit: the search is broken off.
    hard: Option<Duration>,
    /// The same two in nodes. Without a soft one all nodes are used.
    soft_nodes: Option<u64>,
    hard_nodes: Option<u64>,
    pacing: Pacing,
}

/// The soft limit as a multiple of a move's share of the clock: what is saved is there for unsettled
/// positions.
const SOFT: f64 = 0.7;
/// The same for the fitted rule, whose stretch makes moves take their share on average: what the usual rule makes
/// them take, so that the clock lasts as long.
const FITTED: f64 = 1.08;
/// The hard limit as a multiple of a move's share of the clock.
const HARD: f64 = 4.0;

impl TimeManager {
    /// The time for a request, if answering costs `overhead` besides thinking.
    pub fn new(request: &Request, overhead: Duration, pacing: Pacing) -> TimeManager {
        let Limits { clock, time, nodes, game_nodes, .. } = request.limits;
        let own = TimeManager { hard_nodes: request.limits.nodes_for_move(), ..Default::default() };
        if request.infinite {
            return own;
        }
        let (soft, hard) = clock.map(|clock| of_clock(clock, overhead, pacing)).unzip();
        let hard = hard.into_iter().chain(time).min();
        let managed = game_nodes.filter(|_| pacing != Pacing::Share).map(of_nodes);
        let (soft_nodes, most) = managed.unzip();
        let hard_nodes = match most {
            Some(most) => nodes.into_iter().chain([most]).min(),
            None => own.hard_nodes,
        };
        TimeManager { soft, hard, soft_nodes, hard_nodes, pacing }
    }

    /// Whether the search has to be broken off.
    pub fn exhausted(&self, control: &Control) -> bool {
        self.hard.is_some_and(|hard| control.since().is_some_and(|since| since.elapsed() >= hard))
    }

    /// Whether to begin no new depth after this long, with these signs.
    pub fn enough(&self, control: &Control, thought: Duration, signs: &Signs) -> bool {
        if control.pondering() || !self.saves() {
            return false;
        }
        let enough_time = |soft: Duration| thought >= soft.mul_f64(self.pacing.stretch(signs));
        let enough_nodes =
            |soft: u64| signs.nodes as f64 >= soft as f64 * StoppingRule::FITTED.stretch(signs);
        self.soft.is_some_and(enough_time) || self.soft_nodes.is_some_and(enough_nodes)
    }

    /// Whether a clock is running, so that what is not used is worth saving.
    pub fn saves(&self) -> bool {
        self.soft.is_some() || self.soft_nodes.is_some()
    }

    /// How many nodes may be visited.
    pub fn nodes(&self) -> Option<u64> {
        self.hard_nodes
    }
}

/// The limits on a clock.
fn of_clock(clock: Clock, overhead: Duration, pacing: Pacing) -> (Duration, Duration) {
    let Allotment { share, most } = clock.less(overhead).allot();
    let multiple = |factor| share.mul_f64(factor).min(most);
    let soft = match pacing {
        Pacing::Usual | Pacing::Share => SOFT,
        Pacing::Fitted => FITTED,
    };
    (multiple(soft), multiple(HARD))
}

/// The limits of a move when so many nodes are left for the game.
fn of_nodes(left: u64) -> (u64, u64) {
    let share = NodeClock::share(left);
    let ceiling = (left as f64 * Clock::CEILING) as u64;
    (share, ((share as f64 * HARD) as u64).min(ceiling.max(1)))
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
                    let left = remaining.saturating_sub(overhead);
                    for pacing in [Pacing::Usual, Pacing::Fitted] {
                        let time = TimeManager::new(&Limits::clock(clock).into(), overhead, pacing);
                        let (soft, hard) = (time.soft.unwrap(), time.hard.unwrap());
                        assert!(soft <= hard && hard <= left.max(Duration::from_millis(1)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_minute_gives_a_move_its_multiples() {
        let clock = Clock::new(Duration::from_millis(70_010), Duration::from_secs(1));
        let time = TimeManager::new(
            &Limits::clock(clock).into(),
            Duration::from_millis(10),
            Pacing::Usual,
        );
        // 70 s for 35 moves and four fifths of a second: 2.8 s.
        assert_eq!(time.soft, Some(Duration::from_millis(1960)));
        assert_eq!(time.hard, Some(Duration::from_millis(11_200)));
    }

    #[test]
    fn a_fixed_time_is_used_up_and_infinity_has_no_end() {
        let fixed = Request::from(Limits::time(Duration::from_secs(3)));
        let time = TimeManager::new(&fixed, Duration::from_millis(10), Pacing::Usual);
        let expected = TimeManager { hard: Some(Duration::from_secs(3)), ..Default::default() };
        assert_eq!(time, expected);
        assert!(!time.saves());
        let infinite = Request { infinite: true, ..fixed };
        assert_eq!(
            TimeManager::new(&infinite, Duration::ZERO, Pacing::Usual),
            TimeManager::default()
        );
    }

    #[test]
    fn nodes_of_a_game_are_shared_out_or_paced() {
        let manage = |limits: &Limits, pacing| {
            TimeManager::new(&limits.clone().into(), Duration::ZERO, pacing)
        };
        let game = Limits::game_nodes(30_000);
        let share = manage(&game, Pacing::Share);
        assert_eq!((share.nodes(), share.saves()), (Some(1000), false));
        assert!(manage(&game, Pacing::Usual).saves());
        let fitted = manage(&game, Pacing::Fitted);
        assert_eq!((fitted.nodes(), fitted.soft_nodes), (Some(4000), Some(1000)));
        assert!(fitted.saves());
        let tight = manage(&game.with_nodes(50), Pacing::Fitted);
        assert_eq!(tight.nodes(), Some(50));
        for left in 0..100 {
            let fitted = manage(&Limits::game_nodes(left), Pacing::Fitted);
            assert!((1..=left.max(1)).contains(&fitted.nodes().unwrap()), "{left}");
        }
        let nodes = Limits::nodes(700);
        assert_eq!(manage(&nodes, Pacing::Fitted).nodes(), Some(700));
    }
}
