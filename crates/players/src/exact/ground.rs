//! Where the exact search plays: on the whole board, or in a part of one.

use game::rng::mix;
use jungle::{Bitboard, ByColor};

/// Where a game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// On the whole board.
    Board,
    /// In a part of one that is larger. A player who does not like to move here moves elsewhere, which is
    /// a non-move.
    Part {
        /// The squares that pieces may use.
        territory: Bitboard,
        /// Whether each side has pieces elsewhere, so that it is not wiped out with those here.
        others: ByColor<bool>,
    },
}

impl Ground {
    /// Keeps the table entries of one ground apart from those of another: the same pieces are worth something else
    /// there.
    pub(super) fn salt(self) -> u64 {
        match self {
            Ground::Board => 0,
            Ground::Part { territory, others } => {
                let others = u64::from(others.white) | u64::from(others.black) << 1;
                mix(territory.bits() ^ mix(others + 1))
            }
        }
    }

    pub(super) fn territory(self) -> Bitboard {
        match self {
            Ground::Board => Bitboard::ALL,
            Ground::Part { territory, .. } => territory,
        }
    }

    pub(super) fn is_part(self) -> bool {
        self != Ground::Board
    }
}
