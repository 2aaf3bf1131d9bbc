//! History heuristics: butterfly and continuation history, and countermoves, learnt from cutoffs.

use jungle::{Animal, Color, Move, Square};

/// A move as histories see it: what goes where.
#[inline]
fn slot(mv: Move) -> usize {
    mv.animal.index() * Square::COUNT + mv.to.index()
}

const SLOTS: usize = Animal::COUNT * Square::COUNT;

/// The largest absolute value of a history score.
pub const MAX: i32 = 16_384;

/// Statistics of one thread.
pub struct Histories {
    /// By side, animal and target.
    quiet: Vec<i16>,
    /// By side, by what was moved one ply (two plies) before, and by what is moved now.
    continuation: [Vec<i16>; 2],
    /// By side: what answered the other side's last move well.
    counter: Vec<Option<Move>>,
    /// Which of them are consulted: quiet, continuation.
    used: [bool; 2],
}

impl Histories {
    /// Empty statistics.
    pub fn new() -> Histories {
        Histories {
            quiet: vec![0; 2 * SLOTS],
            continuation: [vec![0; 2 * SLOTS * SLOTS], vec![0; 2 * SLOTS * SLOTS]],
            counter: vec![None; 2 * SLOTS],
            used: [true; 2],
        }
    }

    /// Sets which statistics are consulted: those of moves alone, those of moves after moves.
    pub fn set_used(&mut self, quiet: bool, continuation: bool) {
        self.used = [quiet, continuation];
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        for table in &mut self.continuation {
            table.fill(0);
        }
        self.counter.fill(None);
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
            score += i32::from(self.quiet[us as usize * SLOTS + slot(mv)]);
        }
        if !self.used[1] {
            return score;
        }
        for (table, before) in self.continuation.iter().zip(before) {
            if let Some(before) = before {
                score += i32::from(table[Histories::follow(us, before, mv)]);
            }
        }
        score
    }

    /// Rewards or punishes a quiet move.
    pub fn update(&mut self, us: Color, mv: Move, before: [Option<Move>; 2], bonus: i32) {
        let move_towards = |score: &mut i16| {
            let old = i32::from(*score);
            *score = (old + bonus - old * bonus.abs() / MAX) as i16;
        };
        move_towards(&mut self.quiet[us as usize * SLOTS + slot(mv)]);
        for (table, before) in self.continuation.iter_mut().zip(before) {
            if let Some(before) = before {
                move_towards(&mut table[Histories::follow(us, before, mv)]);
            }
        }
    }

    /// What answered this move well last time.
    #[inline]
    pub fn counter(&self, us: Color, before: Option<Move>) -> Option<Move> {
        self.counter[us as usize * SLOTS + slot(before?)]
    }

    /// This answered the move before well.
    pub fn set_counter(&mut self, us: Color, before: Option<Move>, mv: Move) {
        if let Some(before) = before {
            self.counter[us as usize * SLOTS + slot(before)] = Some(mv);
        }
    }
}
