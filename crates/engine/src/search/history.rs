//! What earlier parts of a search teach about moves: which quiet moves caused cutoffs.
//!
//! All threads of a search learn together. That matters beyond the learning: how far a move is reduced depends
//! on its history, so threads with histories of their own would search the same position to different
//! depths and could not use each other's results. Nothing is locked; where two threads change a number at
//! once, one of the two lessons is lost.

use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

use jungle::{Animal, Color, Move, Square};

/// A move as histories see it: what goes where.
#[inline]
fn slot(mv: Move) -> usize {
    mv.animal.index() * Square::COUNT + mv.to.index()
}

const SLOTS: usize = Animal::COUNT * Square::COUNT;

/// The largest absolute value of a history score.
pub const MAX: i32 = 16_384;

fn zeros(count: usize) -> Vec<AtomicI16> {
    (0..count).map(|_| AtomicI16::new(0)).collect()
}

/// A quiet move as a number, never 0.
#[inline]
fn pack(mv: Move) -> u16 {
    let (animal, from, to) = (mv.animal.index(), mv.from.index(), mv.to.index());
    (1 << 15 | animal << 12 | from << 6 | to) as u16
}

/// The quiet move that is packed in a number, if it is one.
#[inline]
fn unpack(packed: u16) -> Option<Move> {
    let bits = usize::from(packed);
    let square = |bits: usize| Square::ALL.get(bits & 63).copied();
    (bits >> 15 == 1).then_some(Move {
        animal: Animal::ALL[bits >> 12 & 7],
        from: square(bits >> 6)?,
        to: square(bits)?,
        captured: None,
    })
}

/// Statistics of a search.
pub struct Histories {
    /// By side, animal and target.
    quiet: Vec<AtomicI16>,
    /// By side, by what was moved one ply (two plies) before, and by what is moved now.
    continuation: [Vec<AtomicI16>; 2],
    /// By side: what answered the other side's last move well, packed; 0 if nothing did.
    counter: Vec<AtomicU16>,
    /// Which of them are consulted: quiet, continuation.
    used: [bool; 2],
}

impl Histories {
    /// Nothing known.
    pub fn new() -> Histories {
        Histories {
            quiet: zeros(2 * SLOTS),
            continuation: [zeros(2 * SLOTS * SLOTS), zeros(2 * SLOTS * SLOTS)],
            counter: (0..2 * SLOTS).map(|_| AtomicU16::new(0)).collect(),
            used: [true; 2],
        }
    }

    /// Says which statistics are consulted: those of moves alone, those of moves after moves.
    pub fn set_used(&mut self, quiet: bool, continuation: bool) {
        self.used = [quiet, continuation];
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let [one, two] = &mut self.continuation;
        for score in self.quiet.iter_mut().chain(one).chain(two) {
            *score.get_mut() = 0;
        }
        for counter in &mut self.counter {
            *counter.get_mut() = 0;
        }
    }

    #[inline]
    fn follow(us: Color, before: Move, mv: Move) -> usize {
        (us as usize * SLOTS + slot(before)) * SLOTS + slot(mv)
    }

    /// How well a quiet move has done, given the moves one and two plies before.
    #[inline]
    pub fn score(&self, us: Color, mv: Move, before: [Option<Move>; 2]) -> i32 {
        let mut score = 0;
        if self.used[0] {
            score += i32::from(self.quiet[us as usize * SLOTS + slot(mv)].load(Relaxed));
        }
        if !self.used[1] {
            return score;
        }
        for (table, before) in self.continuation.iter().zip(before) {
            if let Some(before) = before {
                score += i32::from(table[Histories::follow(us, before, mv)].load(Relaxed));
            }
        }
        score
    }

    /// Rewards or punishes a quiet move.
    pub fn update(&self, us: Color, mv: Move, before: [Option<Move>; 2], bonus: i32) {
        let move_towards = |score: &AtomicI16| {
            let old = i32::from(score.load(Relaxed));
            score.store((old + bonus - old * bonus.abs() / MAX) as i16, Relaxed);
        };
        move_towards(&self.quiet[us as usize * SLOTS + slot(mv)]);
        for (table, before) in self.continuation.iter().zip(before) {
            if let Some(before) = before {
                move_towards(&table[Histories::follow(us, before, mv)]);
            }
        }
    }

    /// What answered this move well last time.
    #[inline]
    pub fn counter(&self, us: Color, before: Option<Move>) -> Option<Move> {
        unpack(self.counter[us as usize * SLOTS + slot(before?)].load(Relaxed))
    }

    /// This answered the move before well.
    pub fn set_counter(&self, us: Color, before: Option<Move>, mv: Move) {
        if let Some(before) = before {
            self.counter[us as usize * SLOTS + slot(before)].store(pack(mv), Relaxed);
        }
    }
}
