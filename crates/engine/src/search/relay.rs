//! How threads keep together: whoever is first through with a depth, or with one window of it, hands what it
//! found to the others, and they go on from there.
//!
//! What a depth costs varies a lot with the order in which things are found. Going on with whoever was lucky
//! saves more than it costs to throw away what the others have begun, most of which is in the
//! transposition table anyway.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::search::root::{INFINITE, RootMove};

/// The window in which the root is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What is to be beaten.
    pub alpha: i32,
    /// What is more than expected.
    pub beta: i32,
    /// By how much the window grows when the value is outside.
    pub width: i32,
    /// How many plies less deep the search goes, after values above the window.
    pub lowered: i32,
}

impl Window {
    /// The window to search in after this value was found; none if it is inside.
    pub fn after(self, value: i32) -> Option<Window> {
        let Window { mut alpha, mut beta, width, lowered } = self;
        let lowered = if value <= alpha && alpha > -INFINITE {
            beta = i32::midpoint(alpha, beta);
            alpha = (value - width).max(-INFINITE);
            0
        } else if value >= beta && beta < INFINITE {
            beta = (value + width).min(INFINITE);
            (lowered + 1).min(2)
        } else {
            return None;
        };
        // Half as much again, and never the same, however narrow an experiment begins.
        let width = (width + width / 2).max(width + 1);
        if width > 500 {
            (alpha, beta) = (-INFINITE, INFINITE);
        }
        Some(Window { alpha, beta, width, lowered })
    }
}

/// One search of the root: its depth, and how many windows were tried before. Ordered by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pass(u64);

impl Pass {
    /// One that nobody is ever through with.
    pub const NEVER: Pass = Pass(u64::MAX);

    /// The pass with this number at this depth.
    pub const fn new(depth: u32, attempt: u32) -> Pass {
        Pass((depth as u64) << 32 | attempt as u64)
    }
}

/// What the thread that is ahead found.
#[derive(Clone, Debug)]
pub struct Ahead {
    /// The depth.
    pub depth: u32,
    /// The windows tried before.
    pub attempt: u32,
    /// The window to try next; none if the depth is done with.
    pub window: Option<Window>,
    /// The moves, best first.
    pub moves: Vec<RootMove>,
}

impl Ahead {
    fn pass(&self) -> Pass {
        Pass::new(self.depth, if self.window.is_some() { self.attempt } else { u32::MAX })
    }
}

/// Where what is found is handed on.
#[derive(Default)]
pub struct Relay {
    /// The last pass that somebody is through with, to be looked at often.
    pass: AtomicU64,
    ahead: Mutex<Option<Ahead>>,
}

impl Relay {
    /// Hands on what was found; gives what to go on with, which is somebody else's if that was sooner.
    pub fn hand_on(&self, found: Ahead) -> Ahead {
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ahead) = ahead.as_ref().filter(|ahead| ahead.pass() >= found.pass()) {
            return ahead.clone();
        }
        self.pass.store(found.pass().0, Relaxed);
        ahead.insert(found).clone()
    }

    /// What somebody found in this pass or a later one.
    #[inline]
    pub fn take_up(&self, pass: Pass) -> Option<Ahead> {
        if self.pass.load(Relaxed) < pass.0 {
            return None;
        }
        let ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        ahead.as_ref().filter(|ahead| ahead.pass() >= pass).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(depth: u32, attempt: u32, window: Option<Window>) -> Ahead {
        Ahead { depth, attempt, window, moves: Vec::new() }
    }

    const NARROW: Window = Window { alpha: -20, beta: 20, width: 20, lowered: 0 };

    #[test]
    fn the_window_follows_the_value() {
        assert_eq!(NARROW.after(5), None);
        assert_eq!(NARROW.after(-30), Some(Window { alpha: -50, beta: 0, width: 30, lowered: 0 }));
        assert_eq!(NARROW.after(20), Some(Window { alpha: -20, beta: 40, width: 30, lowered: 1 }));
        let least = Window { width: 1, ..NARROW };
        assert_eq!(least.after(20).unwrap().width, 2);
        let wide = Window { width: 400, ..NARROW }.after(300).unwrap();
        assert_eq!((wide.alpha, wide.beta), (-INFINITE, INFINITE));
        assert_eq!(wide.after(300), None);
    }

    #[test]
    fn the_first_to_finish_is_followed() {
        let relay = Relay::default();
        assert!(relay.take_up(Pass::new(1, 0)).is_none());
        assert_eq!(relay.hand_on(found(3, 0, Some(NARROW))).window, Some(NARROW));
        // Who is at the same pass, or an earlier one, follows; who is further on does not.
        assert!(relay.take_up(Pass::new(3, 0)).is_some());
        assert!(relay.take_up(Pass::new(2, 1)).is_some());
        assert!(relay.take_up(Pass::new(3, 1)).is_none());
        assert!(relay.take_up(Pass::NEVER).is_none());
        let wider = Window { width: 30, ..NARROW };
        assert_eq!(relay.hand_on(found(3, 0, Some(wider))).window, Some(NARROW));
        // To be done with the depth is more than to need another window.
        assert_eq!(relay.hand_on(found(3, 0, None)).window, None);
        assert!(relay.take_up(Pass::new(3, 5)).is_some_and(|ahead| ahead.window.is_none()));
        assert_eq!(relay.hand_on(found(3, 7, Some(NARROW))).window, None);
        assert!(relay.take_up(Pass::new(4, 0)).is_none());
    }
}
