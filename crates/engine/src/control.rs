//! Search control: stop and ponderhit, from another thread.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Search control: shared between a running search and the threads that may stop it.
#[derive(Debug)]
pub struct Control {
    /// Checked by the search at every node.
    stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    pondering: bool,
    /// When the time limits began to count.
    since: Instant,
}

impl Control {
    /// For a search that starts now; `pondering` as in [`Request::ponder`](crate::Request::ponder).
    pub fn new(pondering: bool) -> Control {
        Control {
            stop: AtomicBool::new(false),
            state: Mutex::new(State { pondering, since: Instant::now() }),
            changed: Condvar::new(),
        }
    }

    /// Ends the search at once; it answers with the best it has.
    pub fn stop(&self) {
        let _state = self.lock();
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Ponderhit: the expected move was made. From now on the search is an ordinary one, and its clock runs.
    pub fn ponderhit(&self) {
        let mut state = self.lock();
        if state.pondering {
            *state = State { pondering: false, since: Instant::now() };
        }
        self.changed.notify_all();
    }

    /// The time limits count from now on: what was prepared before is not the search's.
    pub(crate) fn start_clock(&self) {
        self.lock().since = Instant::now();
    }

    /// Whether the search was stopped.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The flag that [`stop`](Control::stop) sets, for work that is not a search.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether the other player's time is being used.
    pub(crate) fn pondering(&self) -> bool {
        self.lock().pondering
    }

    /// When the time limits began to count; `None` while they do not.
    pub(crate) fn since(&self) -> Option<Instant> {
        let state = self.lock();
        (!state.pondering).then_some(state.since)
    }

    /// Waits until the answer may be given: until stopped, or, unless `infinite`, until the move
    /// pondered on was made.
    pub(crate) fn wait_to_answer(&self, infinite: bool) {
        let mut state = self.lock();
        while !self.stopped() && (infinite || state.pondering) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Two plain values: a panic cannot leave them inconsistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
