//! How far a build is, kept from its events.

use std::time::{Duration, Instant};

use super::Event;

/// How far a build is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    begun: Instant,
    /// How many classes are wanted.
    pub classes: usize,
    /// How many of them are there.
    pub present: usize,
    /// How much work all of them are.
    pub total: u64,
    /// How much of it is done, by whomever.
    pub done: u64,
    /// How much of it was done before this build began.
    before: u64,
    /// How much of it this build has done.
    pub built: u64,
    /// How many bytes the tables that were there and those built here have.
    pub bytes: u64,
    /// How many bytes those that were missing will have, roughly.
    expected: u64,
}

impl Progress {
    /// Nothing is known yet; the time runs from now on.
    pub fn new() -> Progress {
        Progress {
            begun: Instant::now(),
            classes: 0,
            present: 0,
            total: 0,
            done: 0,
            before: 0,
            built: 0,
            bytes: 0,
            expected: 0,
        }
    }

    /// Keeps account of an event.
    pub fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Planned { classes, present, work, total, bytes, expected } => {
                (self.classes, self.present) = (*classes, *present);
                (self.total, self.before) = (*total, total - work);
                (self.bytes, self.expected) = (*bytes, *expected);
                self.done = self.before;
            }
            Event::Built { report, work } => {
                self.bytes += report.bytes;
                self.built += work;
                self.advance(*work);
            }
            Event::Found { work, .. } => self.advance(*work),
            Event::Started { .. } | Event::Waiting { .. } => {}
        }
    }

    fn advance(&mut self, work: u64) {
        self.present += 1;
        self.done += work;
    }

    /// How long it has been going on.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// How long it will still take if it goes on like this; `None` while that is unknown. The first classes are small,
    /// and most of their time is spent on opening files, so they say nothing of the others.
    pub fn left(&self) -> Option<Duration> {
        let (so_far, rest) = (self.done - self.before, self.total - self.done);
        if so_far == 0 || so_far < (self.total - self.before) / 100 {
            return None;
        }
        let seconds = self.elapsed().as_secs_f64() / so_far as f64 * rest as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// How many bytes all tables will have, roughly: those that are there, and the missing share of what was expected.
    pub fn size(&self) -> u64 {
        let missing = self.total - self.before;
        let rest = (self.total - self.done) as f64 / missing.max(1) as f64;
        self.bytes + (self.expected as f64 * rest) as u64
    }
}

impl Default for Progress {
    fn default() -> Progress {
        Progress::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_before_says_nothing_of_the_pace() {
        let mut progress = Progress::new();
        let [classes, present] = [4, 2];
        let [work, total, bytes, expected] = [40, 100, 6, 4];
        progress.event(&Event::Planned { classes, present, work, total, bytes, expected });
        assert_eq!((progress.done, progress.left(), progress.size()), (60, None, 10));
        let class = "E-R".parse().unwrap();
        progress.event(&Event::Found { class, work: 20 });
        assert_eq!((progress.present, progress.done, progress.size()), (3, 80, 8));
        let (elapsed, left) = (progress.elapsed(), progress.left().unwrap());
        assert!(left >= elapsed, "half is done: {left:?} after {elapsed:?}");
        progress.event(&Event::Found { class, work: 20 });
        assert_eq!(progress.left(), Some(Duration::ZERO));
    }
}
