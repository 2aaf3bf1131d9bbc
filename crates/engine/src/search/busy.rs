//! What the threads of a search are looking at, so that they do not all look at the same.
//!
//! A thread that is about to search a move which another is searching puts it off until it is through with
//! the others; by then the answer is mostly in the transposition table. This is ABDADA (Weill 1996) with the
//! marks in a small table of their own, as Kerrigan simplified it. Marks may overwrite each other and
//! may be read too late: nothing depends on them but who does what first.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use game::rng::mix;
use jungle::Move;

/// Nearer to the leaves than this it is not worth the while.
pub const LEAST_DEPTH: i32 = 5;

const SLOTS: usize = 1 << 12;

/// The moves being searched.
pub struct Busy(Box<[AtomicU64]>);

impl Busy {
    /// None so far.
    pub fn new() -> Busy {
        Busy((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The mark of a move in a position.
    #[inline]
    pub fn mark(key: u64, mv: Move) -> u64 {
        key ^ mix((mv.from.index() << 6 | mv.to.index()) as u64 + 1)
    }

    #[inline]
    fn slot(&self, mark: u64) -> &AtomicU64 {
        &self.0[mark as usize % SLOTS]
    }

    /// Whether somebody is at it.
    #[inline]
    pub fn has(&self, mark: u64) -> bool {
        self.slot(mark).load(Relaxed) == mark
    }

    /// Somebody begins.
    #[inline]
    pub fn begin(&self, mark: u64) {
        self.slot(mark).store(mark, Relaxed);
    }

    /// Somebody is done.
    #[inline]
    pub fn end(&self, mark: u64) {
        if self.has(mark) {
            self.slot(mark).store(0, Relaxed);
        }
    }
}

/// Moves put off, with their numbers in the order of the picker.
#[derive(Default)]
pub struct Deferred {
    moves: [Option<(Move, usize)>; 32],
    end: usize,
    next: usize,
}

impl Deferred {
    /// Puts a move off; says whether there was room for it.
    #[inline]
    pub fn push(&mut self, mv: Move, number: usize) -> bool {
        let Some(slot) = self.moves.get_mut(self.end) else { return false };
        *slot = Some((mv, number));
        self.end += 1;
        true
    }

    /// The first that was put off and has not been taken up.
    #[inline]
    pub fn take(&mut self) -> Option<(Move, usize)> {
        let found = self.moves[..self.end].get(self.next).copied().flatten();
        self.next += usize::from(found.is_some());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;
    use jungle::{Jungle, Position, Rules};

    #[test]
    fn a_move_is_busy_from_beginning_to_end() {
        let moves = Jungle::new(Rules::STANDARD).moves(&Position::start());
        let busy = Busy::new();
        let marks: Vec<u64> = moves.iter().map(|&mv| Busy::mark(77, mv)).collect();
        assert!(!busy.has(marks[0]));
        busy.begin(marks[0]);
        assert!(busy.has(marks[0]) && !busy.has(marks[1]));
        busy.end(marks[0]);
        assert!(!busy.has(marks[0]));
    }

    #[test]
    fn what_was_put_off_comes_back_in_order() {
        let moves = Jungle::new(Rules::STANDARD).moves(&Position::start());
        let mut deferred = Deferred::default();
        assert!(deferred.push(moves[1], 2) && deferred.push(moves[4], 5));
        assert_eq!(deferred.take(), Some((moves[1], 2)));
        assert!(deferred.push(moves[2], 7));
        assert_eq!(deferred.take(), Some((moves[4], 5)));
        assert_eq!(deferred.take(), Some((moves[2], 7)));
        assert_eq!(deferred.take(), None);
    }
}
