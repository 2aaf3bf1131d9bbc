//! Lazy SMP, sharing iterations: the first thread to finish an iteration, or one aspiration window of it,
//! shares its result, and the others continue from there.
//!
//! What a depth costs varies a lot with the order in which things are found. Continuing from the luckiest thread
//! saves more than it costs to discard what the others have begun, most of which is in the
//! transposition table anyway.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use game::score::{Score, Window};

use crate::search::root::RootMove;

/// The aspiration window in which the root is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aspiration {
    /// The window.
    pub window: Window,
    /// By how much it grows when the value is outside.
    pub width: i32,
    /// How many plies less deep the search goes, after values above the window.
    pub lowered: i32,
}

impl Aspiration {
    /// Wider than this, the window is opened altogether.
    const WIDEST: i32 = 500;

    /// The window to search in after this value was found; none if it is inside.
    pub fn after(self, value: Score) -> Option<Aspiration> {
        let Aspiration { window: Window { mut alpha, mut beta }, width, lowered } = self;
        let lowered = if self.window.fails_low(value) && alpha > Score::MINUS_INFINITE {
            beta = Score::from_value(i32::midpoint(alpha.value(), beta.value()));
            alpha = value.plus(-width);
            0
        } else if self.window.fails_high(value) && beta < Score::INFINITE {
            beta = value.plus(width);
            (lowered + 1).min(2)
        } else {
            return None;
        };
        // Half as much again, and never the same, however narrow an experiment begins.
        let width = (width + width / 2).max(width + 1);
        let window =
            if width > Aspiration::WIDEST { Window::OPEN } else { Window::new(alpha, beta) };
        Some(Aspiration { window, width, lowered })
    }
}

/// One search of the root: its depth, and how many windows were tried before. Ordered by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pass(u64);

impl Pass {
    /// A pass that is never finished.
    pub const NEVER: Pass = Pass(u64::MAX);

    /// The pass with this number at this depth.
    pub const fn new(depth: u32, attempt: u32) -> Pass {
        Pass((depth as u64) << 32 | attempt as u64)
    }
}

/// The result of the leading thread in a pass it has finished.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The depth.
    pub depth: u32,
    /// The windows tried before.
    pub attempt: u32,
    /// The window to try next; none if the depth is finished.
    pub next: Option<Aspiration>,
    /// The moves, best first.
    pub moves: Vec<RootMove>,
}

impl Finished {
    fn pass(&self) -> Pass {
        Pass::new(self.depth, if self.next.is_some() { self.attempt } else { u32::MAX })
    }
}

/// The finished iterations, as far as the other threads need to know: the latest.
#[derive(Default)]
pub struct Iterations {
    /// The last finished pass; read often.
    pass: AtomicU64,
    latest: Mutex<Option<Finished>>,
}

impl Iterations {
    /// Shares a result; returns the result to continue from, another thread's if that was sooner.
    pub fn share(&self, found: Finished) -> Finished {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(latest) = latest.as_ref().filter(|latest| latest.pass() >= found.pass()) {
            return latest.clone();
        }
        self.pass.store(found.pass().0, Relaxed);
        latest.insert(found).clone()
    }

    /// The result of this pass or a later one, if some thread has one.
    #[inline]
    pub fn finished(&self, pass: Pass) -> Option<Finished> {
        if self.pass.load(Relaxed) < pass.0 {
            return None;
        }
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.as_ref().filter(|latest| latest.pass() >= pass).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(depth: u32, attempt: u32, next: Option<Aspiration>) -> Finished {
        Finished { depth, attempt, next, moves: Vec::new() }
    }

    fn between(alpha: i32, beta: i32) -> Window {
        Window::new(Score::estimate(alpha), Score::estimate(beta))
    }

    fn narrow() -> Aspiration {
        Aspiration { window: between(-20, 20), width: 20, lowered: 0 }
    }

    #[test]
    fn the_window_follows_the_value() {
        let after = |aspiration: Aspiration, value| aspiration.after(Score::estimate(value));
        assert_eq!(after(narrow(), 5), None);
        let low = Aspiration { window: between(-50, 0), width: 30, lowered: 0 };
        assert_eq!(after(narrow(), -30), Some(low));
        let high = Aspiration { window: between(-20, 40), width: 30, lowered: 1 };
        assert_eq!(after(narrow(), 20), Some(high));
        let least = Aspiration { width: 1, ..narrow() };
        assert_eq!(after(least, 20).unwrap().width, 2);
        let wide = after(Aspiration { width: 400, ..narrow() }, 300).unwrap();
        assert_eq!(wide.window, Window::OPEN);
        assert_eq!(after(wide, 300), None);
    }

    #[test]
    fn the_first_to_finish_is_followed() {
        let iterations = Iterations::default();
        assert!(iterations.finished(Pass::new(1, 0)).is_none());
        assert_eq!(iterations.share(found(3, 0, Some(narrow()))).next, Some(narrow()));
        // Threads at the same pass, or an earlier one, follow; those further on do not.
        assert!(iterations.finished(Pass::new(3, 0)).is_some());
        assert!(iterations.finished(Pass::new(2, 1)).is_some());
        assert!(iterations.finished(Pass::new(3, 1)).is_none());
        assert!(iterations.finished(Pass::NEVER).is_none());
        let wider = Aspiration { width: 30, ..narrow() };
        assert_eq!(iterations.share(found(3, 0, Some(wider))).next, Some(narrow()));
        // Finishing a depth counts for more than needing another window.
        assert_eq!(iterations.share(found(3, 0, None)).next, None);
        assert!(iterations.finished(Pass::new(3, 5)).is_some_and(|latest| latest.next.is_none()));
        assert_eq!(iterations.share(found(3, 7, Some(narrow()))).next, None);
        assert!(iterations.finished(Pass::new(4, 0)).is_none());
    }
}
