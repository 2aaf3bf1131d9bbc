//! What is left to fight for: the contested part of a board, and the moves that are settled.
//!
//! A region that one player fills alone is an integer, the length of her longest run, and leaves the board: what
//! is searched is the contested regions and one number, White's settled moves less Black's. By the theory of
//! sums of games the same player wins; a player who is ahead in settled moves may spend one instead of moving
//! in a contested region.

use game::Side;

use super::fill::Fills;
use super::values::{Settled, Values};
use crate::region::{self, Kind};
use crate::{Bitboard, Move, Position};

/// A board in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// The contested part.
    pub position: Position,
    /// White's settled moves less Black's: at least, and at most.
    pub settled: [i32; 2],
    /// What the contested regions are worth to White at least, and at most, where that is known better than by
    /// counting squares; and the squares where it is not.
    bounds: [i32; 2],
    open: Bitboard,
}

/// In games, regions of up to this many empty squares have a value.
const SMALL: u32 = 4;

/// What the search knows about regions.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    fills: Fills,
    /// None where everything is to be exact and countable.
    values: Option<Values>,
}

impl Knowledge {
    /// With values of small regions, and bounds of long runs.
    pub(crate) fn with_values() -> Knowledge {
        Knowledge { fills: Fills::default(), values: Some(Values::new(SMALL)) }
    }

    /// With values of regions of so many empty squares, and runs that are searched to the end: on small boards.
    pub(crate) fn exact_with_values(squares: u32) -> Knowledge {
        Knowledge { fills: Fills::exact(), values: Some(Values::new(squares)) }
    }

    fn small(&self) -> u32 {
        self.values.as_ref().map_or(0, |values| values.squares)
    }

    /// With nothing but runs, all of them searched to the end: on small boards.
    pub(crate) fn exact() -> Knowledge {
        Knowledge { fills: Fills::exact(), values: None }
    }
}

impl Board {
    /// A board as it stands.
    pub(crate) fn whole(position: &Position) -> Board {
        Board { position: *position, settled: [0; 2], bounds: [0; 2], open: position.empty() }
    }

    /// Takes out what is settled.
    pub(crate) fn settle(&mut self, known: &mut Knowledge) {
        let mut contested = Bitboard::EMPTY;
        (self.bounds, self.open) = ([0; 2], Bitboard::EMPTY);
        let (position, settled) = (self.position, &mut self.settled);
        let (bounds, open) = (&mut self.bounds, &mut self.open);
        region::executing(&position, |region| {
            let empty = position.empty() & region.squares;
            match region.kind {
                Kind::Terminating => {}
                Kind::Filling(owner) => {
                    let amazons = position.amazons(owner) & region.squares;
                    let (least, most) = known.fills.run(amazons, empty);
                    let run = match owner {
                        Side::First => [least, most],
                        Side::Second => [-most, -least],
                    };
                    *settled = [settled[0] + run[0], settled[1] + run[1]];
                }
                Kind::Competing => match known
                    .values
                    .as_mut()
                    .and_then(|values| values.of(&position, region.squares))
                {
                    Some(Settled::Integer(n)) => *settled = settled.map(|moves| moves + n),
                    Some(Settled::Between(low, high)) => {
                        contested |= region.squares;
                        *bounds = [bounds[0] + low, bounds[1] + high];
                    }
                    None => {
                        contested |= region.squares;
                        *open |= empty;
                    }
                },
            }
        });
        self.position.keep(contested);
    }

    /// After a move; what it settles is taken out if `known` is given.
    #[inline]
    pub(crate) fn after(&self, mv: Move, known: Option<&mut Knowledge>) -> Board {
        let mut next = *self;
        next.position.play(mv);
        match known {
            Some(known) if region::may_split(self.position.open(), mv.arrow) => next.settle(known),
            Some(known) if self.open.contains(mv.arrow) => {
                // The region stays whole. Large ones are bounded by their squares.
                let taken = mv.to.bitboard() | mv.arrow.bitboard();
                next.open = (self.open | mv.from.bitboard()).without(taken);
                if next.open.len() <= known.small() {
                    next.settle(known);
                }
            }
            Some(known) => next.settle(known),
            None => next.open = next.position.empty(),
        }
        next
    }

    /// After the player to move has spent a settled move.
    pub(crate) fn spent(&self) -> Board {
        let by = if self.position.turn() == Side::First { 1 } else { -1 };
        let settled = self.settled.map(|moves| moves - by);
        Board { position: self.position.passed(), settled, ..*self }
    }

    /// The settled moves of the player to move less the other's: at least, and at most.
    pub(crate) fn settled_for_mover(&self) -> [i32; 2] {
        let [low, high] = self.settled;
        match self.position.turn() {
            Side::First => [low, high],
            Side::Second => [-high, -low],
        }
    }

    /// Whether the player to move wins, if counting tells, or if every region is small enough to have a value.
    pub(crate) fn solved(&self, known: &mut Knowledge) -> Option<bool> {
        let counted = self.decided();
        if counted.is_some() || self.open.any() || self.settled[0] != self.settled[1] {
            return counted;
        }
        let values = known.values.as_mut()?;
        Some(values.mover_wins(&self.position, self.settled[0]))
    }

    /// Whether the player to move wins, if counting tells.
    pub(crate) fn decided(&self) -> Option<bool> {
        let squares = self.open.len() as i32;
        let low = self.settled[0] + self.bounds[0] - squares;
        let high = self.settled[1] + self.bounds[1] + squares;
        let (worst, best) = match self.position.turn() {
            Side::First => (low, high),
            Side::Second => (-high, -low),
        };
        if worst > 0 {
            Some(true)
        } else if best <= 0 {
            Some(false)
        } else {
            None
        }
    }

    /// The key of the contested part and the settled moves together.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        let [low, high] = self.settled;
        if low == 0 && high == 0 {
            return self.position.key();
        }
        self.position.key()
            ^ game::rng::mix(u64::from(low.cast_unsigned()) << 32 | u64::from(high.cast_unsigned()))
    }
}
