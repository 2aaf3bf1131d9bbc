//! Zobrist keys: one random word for each piece on each square, made at compile time.

use game::rng::Rng;

use crate::{Animal, Piece, Square};

/// Flipped in the key when Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = KEYS.1;

/// The word of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.color as usize][piece.animal.index()][square.index()]
}

type PieceKeys = [[[u64; Square::COUNT]; Animal::COUNT]; 2];

static PIECES: PieceKeys = KEYS.0;

/// The seed is fixed for ever: keys are stored in files and printed in reports.
const KEYS: (PieceKeys, u64) = {
    let mut rng = Rng::new(0x4d6f_7573_6574_7261);
    let mut keys = [[[0; Square::COUNT]; Animal::COUNT]; 2];
    let mut index = 0;
    while index < 2 * Animal::COUNT * Square::COUNT {
        let (piece, square) = (index / Square::COUNT, index % Square::COUNT);
        keys[piece / Animal::COUNT][piece % Animal::COUNT][square] = rng.next_u64();
        index += 1;
    }
    (keys, rng.next_u64())
};
