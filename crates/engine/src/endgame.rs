//! Tablebase probing: WDL inside the search, distance to win at the root.
//!
//! A set may have gaps. A table that is missing or damaged is noted once and not probed again, so
//! that tables never make the engine slower than it would be without.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use game::truth::{Truth, Wdl};
use jungle::{Animal, Color, Move, Play, Position, Rules};
use tablebase::{ProbedMove, Tablebase};

/// Tables, with a record of gaps.
pub struct Endgames {
    tables: Arc<Tablebase>,
    pieces: u32,
    /// A bit for each combination of animals that could not be probed.
    missing: Vec<AtomicU64>,
}

impl Endgames {
    pub fn new(tables: Arc<Tablebase>) -> Endgames {
        let pieces = tables.most_pieces();
        let missing = (0..(1 << 16) / 64).map(|_| AtomicU64::new(0)).collect();
        Endgames { tables, pieces, missing }
    }

    pub fn rules(&self) -> &Rules {
        self.tables.rules()
    }

    /// Who wins, if the position is in the tables.
    #[inline]
    pub fn outcome(&self, position: &Position) -> Option<Wdl> {
        if position.occupied().len() > self.pieces {
            return None;
        }
        let (word, bit) = self.place(position)?;
        let outcome = self.tables.probe_outcome(position);
        if outcome.is_err() {
            word.fetch_or(bit, Relaxed);
        }
        outcome.ok()
    }

    /// Where a gap is recorded; `None` if this is one.
    fn place(&self, position: &Position) -> Option<(&AtomicU64, u64)> {
        let mut animals = 0_usize;
        for animal in Animal::ALL {
            let squares = position.animal(animal);
            let white = squares.intersects(position.side(Color::White));
            let black = squares.intersects(position.side(Color::Black));
            animals |= usize::from(white) << animal.index();
            animals |= usize::from(black) << (8 + animal.index());
        }
        let (word, bit) = (&self.missing[animals / 64], 1 << (animals % 64));
        (word.load(Relaxed) & bit == 0).then_some((word, bit))
    }

    /// All legal moves with what they achieve, best first, if all of them are in the tables. Of moves
    /// that win, one that would repeat a position for the third time comes after the others.
    pub fn moves(&self, play: &Play) -> Option<Vec<ProbedMove>> {
        if play.position().occupied().len() > self.pieces {
            return None;
        }
        let legal = play.legal_moves();
        let mut moves = self.tables.probe_position(play.position()).ok()?.moves;
        moves.retain(|probed| legal.contains(&probed.mv));
        let repeats = |probed: &ProbedMove| {
            let mut after = play.clone();
            after.play(probed.mv).is_ok() && after.occurrences() >= 3
        };
        moves.sort_by_key(|probed| matches!(probed.value, Truth::Win(_)) && repeats(probed));
        Some(moves)
    }

    /// The principal variation of a position that is won or lost, as far as the tables reach. Unlike
    /// [`Tablebase::line`] it goes on from a game that is being played: a winner who would repeat a
    /// position takes another way, so that a move need not bring the end nearer, and a gap in the tables
    /// ends the line instead of failing.
    pub fn line(&self, play: &Play, first: Move) -> Vec<Move> {
        const LONGEST: usize = 400;
        let mut play = play.clone();
        let mut line = vec![first];
        while line.len() < LONGEST && line.last().is_some_and(|&mv| play.play(mv).is_ok()) {
            let moves = if play.ending().is_none() { self.moves(&play) } else { None };
            match moves.as_deref() {
                Some([best, ..]) if best.value != Truth::Draw => line.push(best.mv),
                _ => break,
            }
        }
        line
    }
}
