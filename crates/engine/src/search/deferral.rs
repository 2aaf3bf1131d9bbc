//! ABDADA-style deferral of moves that another thread is searching.
//!
//! A thread that is about to search such a move defers it until it has searched the others; by then the
//! answer is mostly in the transposition table. This is ABDADA (Weill 1996) with the marks in a small table
//! of their own, in Kerrigan's simplified form. Marks may overwrite each other and may be read too late:
//! they affect only the order of the work.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use game::rng::mix;
use jungle::Move;

/// Closer to the leaves than this, it is not worth its cost.
pub const LEAST_DEPTH: i32 = 5;

const SLOTS: usize = 1 << 12;

/// The moves that threads are searching.
pub struct Searching(Box<[AtomicU64]>);

impl Searching {
    /// None so far.
    pub fn new() -> Searching {
        Searching((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
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

    /// Whether another thread is searching it.
    #[inline]
    pub fn has(&self, mark: u64) -> bool {
        self.slot(mark).load(Relaxed) == mark
    }

    /// A thread begins to search it.
    #[inline]
    pub fn begin(&self, mark: u64) {
        self.slot(mark).store(mark, Relaxed);
    }

    /// The thread is done.
    #[inline]
    pub fn end(&self, mark: u64) {
        if self.has(mark) {
            self.slot(mark).store(0, Relaxed);
        }
    }
}

/// Moves deferred, with their numbers in the order of the picker.
#[derive(Default)]
pub struct Deferred {
    moves: [Option<(Move, usize)>; 32],
    end: usize,
    next: usize,
}

impl Deferred {
    /// Defers a move; says whether there was room for it.
    #[inline]
    pub fn push(&mut self, mv: Move, number: usize) -> bool {
        let Some(slot) = self.moves.get_mut(self.end) else { return false };
        *slot = Some((mv, number));
        self.end += 1;
        true
    }

    /// The first that was deferred and has not been taken up.
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
    fn a_move_is_marked_while_it_is_searched() {
        let moves = Jungle::new(Rules::STANDARD).moves(&Position::start());
        let searching = Searching::new();
        let marks: Vec<u64> = moves.iter().map(|&mv| Searching::mark(77, mv)).collect();
        assert!(!searching.has(marks[0]));
        searching.begin(marks[0]);
        assert!(searching.has(marks[0]) && !searching.has(marks[1]));
        searching.end(marks[0]);
        assert!(!searching.has(marks[0]));
    }

    #[test]
    fn what_was_deferred_comes_back_in_order() {
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
