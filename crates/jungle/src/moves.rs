//! Moves: which animal goes where, and what it captures.

use std::fmt;

use crate::{Animal, Square};

/// A move: which animal goes where, and what it takes there.
///
/// All that is needed to make the move, take it back or write it down is in it, so none of these
/// has to look at the board. It prints as coordinates, `a3b3`; [`notation`](crate::notation) has
/// the papers' algebraic form.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// What moves.
    pub animal: Animal,
    /// Where it stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What it takes, if anything.
    pub captured: Option<Animal>,
}

const _: () = assert!(size_of::<Move>() == 4);

impl Move {
    /// Whether the move takes a piece.
    pub const fn is_capture(self) -> bool {
        self.captured.is_some()
    }

    /// The move on the other wing.
    #[must_use]
    pub const fn mirror(self) -> Move {
        Move { from: self.from.mirror(), to: self.to.mirror(), ..self }
    }

    /// The move with the colours exchanged and the board turned round.
    #[must_use]
    pub const fn flip(self) -> Move {
        Move { from: self.from.rotate(), to: self.to.rotate(), ..self }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.animal.letter(), self.from)?;
        if let Some(captured) = self.captured {
            write!(f, "x{}", captured.letter())?;
        }
        write!(f, "{}", self.to)
    }
}
