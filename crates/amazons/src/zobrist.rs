//! Zobrist keys. What is blocked has no key: then the parts of a board have keys of their own that
//! need only their own squares.

use game::Side;
use game::rng::Rng;

use crate::Square;

/// Flipped in the key when Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = KEYS.1;

static SQUARES: [[u64; 128]; 3] = KEYS.0;

/// The word of a player's amazon on a square.
#[inline]
pub(crate) fn amazon(player: Side, square: Square) -> u64 {
    SQUARES[player as usize][square.index()]
}

/// The word of an empty square.
#[inline]
pub(crate) fn empty(square: Square) -> u64 {
    SQUARES[2][square.index()]
}

/// The seed is fixed for ever: keys are printed in reports.
const KEYS: ([[u64; 128]; 3], u64) = {
    let mut rng = Rng::new(0x416d_617a_6f6e_7321);
    let mut keys = [[0; 128]; 3];
    let mut index = 0;
    while index < 3 * 128 {
        keys[index / 128][index % 128] = rng.next_u64();
        index += 1;
    }
    (keys, rng.next_u64())
};
