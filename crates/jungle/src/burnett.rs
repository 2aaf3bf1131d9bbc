//! Static evaluation by material and piece-square tables, from J. W. Burnett's thesis (its Figure 3).
//!
//! Every animal has a material value, and a piece-square table drawn for White with rank 9 on top;
//! Black's tables are the board rotated by half a turn. A side's total is the sum over its pieces, a
//! position's value the difference of the two. Water scores 0 for the animals that cannot stand there,
//! and so does a den: entering the enemy's wins anyway.
//!
//! The published search results are reproduced by this evaluation and no other, so it is kept as printed,
//! including its lopsided rat table.

use game::score::Evaluate;

use crate::{Animal, Color, Jungle, Piece, Position, Square};

/// Burnett's evaluation: material and piece-square tables, for the side to move.
///
/// ```
/// use game::score::Evaluate;
/// use jungle::{BurnettEval, Jungle, Position, Rules};
///
/// let jungle = Jungle::new(Rules::LEIDEN);
/// assert_eq!(BurnettEval.evaluate(&jungle, &Position::start()), 0);
/// let elephant_gone = "l5t/1d3c1/r1p1w2/7/7/7/E1W1P1R/1C3D1/T5L w".parse()?;
/// assert_eq!(BurnettEval.evaluate(&jungle, &elephant_gone), 1010);
/// # Ok::<(), jungle::ParsePositionError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct BurnettEval;

impl BurnettEval {
    /// What an animal is worth wherever it stands: by its rank, but the rat, which takes the elephant, as much as
    /// the panther.
    pub const fn material(animal: Animal) -> i32 {
        MATERIAL[animal.index()] as i32
    }

    /// The material of the player to move less that of the other.
    pub fn balance(position: &Position) -> i32 {
        let side = |color: Color| -> i32 {
            position.animals_of(color).iter().map(BurnettEval::material).sum()
        };
        side(position.turn()) - side(!position.turn())
    }

    /// What a piece is worth to its owner, standing on `square`.
    #[inline]
    pub fn piece(piece: Piece, square: Square) -> i32 {
        let seen = match piece.color {
            Color::White => square,
            Color::Black => square.rotate(),
        };
        i32::from(WORTH[piece.animal.index()][seen.index()])
    }
}

impl Evaluate<Jungle> for BurnettEval {
    fn evaluate(&self, _: &Jungle, position: &Position) -> i32 {
        position
            .pieces()
            .map(|(square, piece)| {
                let worth = BurnettEval::piece(piece, square);
                if piece.color == position.turn() { worth } else { -worth }
            })
            .sum()
    }
}

/// Material and piece-square values in one table: a square's index counts from a1.
const WORTH: [[i16; 63]; Animal::COUNT] = {
    let mut worth = [[0; 63]; Animal::COUNT];
    let mut animal = 0;
    while animal < Animal::COUNT {
        let mut square = 0;
        while square < 63 {
            let drawn = PIECE_SQUARE[animal][8 - square / 7][square % 7];
            worth[animal][square] = MATERIAL[animal] + drawn as i16;
            square += 1;
        }
        animal += 1;
    }
    worth
};

/// The material value of each animal, rat first.
const MATERIAL: [i16; Animal::COUNT] = [500, 200, 300, 400, 500, 800, 900, 1000];

/// The piece-square table of each of White's animals, rat first, as drawn: rank 9 on top.
#[rustfmt::skip]
const PIECE_SQUARE: [[[u8; 7]; 9]; Animal::COUNT] = [
    // Rat
    [
        [11, 13, 50,  0, 50, 13, 13],
        [11, 12, 13, 50, 13, 13, 13],
        [10, 11, 11, 13, 13, 13, 13],
        [ 8,  9,  9, 11, 12, 12, 13],
        [ 8,  9,  9, 11, 12, 12, 12],
        [ 8,  9,  9, 10, 12, 12, 11],
        [ 8,  8,  8,  9, 10, 10, 10],
        [ 8,  8,  8,  9,  9,  9,  9],
        [ 8,  8,  8,  0,  8,  8,  8],
    ],
    // Cat
    [
        [11, 15, 50,  0, 50, 15, 11],
        [11, 11, 15, 50, 15, 11, 11],
        [10, 11, 11, 15, 11, 11, 10],
        [10,  0,  0, 10,  0,  0,  8],
        [10,  0,  0,  8,  0,  0,  8],
        [10,  0,  0,  8,  0,  0,  8],
        [10, 10, 10,  8,  8,  8,  8],
        [13, 10,  8,  8,  8,  8,  8],
        [ 8,  8,  8,  0,  8,  8,  8],
    ],
    // Wolf
    [
        [11, 15, 50,  0, 50, 15, 11],
        [10, 11, 15, 50, 15, 11, 10],
        [ 9, 10, 11, 15, 11, 10,  9],
        [ 9,  0,  0, 10,  0,  0,  9],
        [ 8,  0,  0,  8,  0,  0,  8],
        [ 8,  0,  0,  8,  0,  0,  8],
        [ 8,  8, 10,  8,  8,  8,  8],
        [ 8, 12, 13,  8,  8,  8,  8],
        [ 8, 12, 12,  0,  8,  8,  8],
    ],
    // Dog
    [
        [11, 15, 50,  0, 50, 15, 11],
        [10, 11, 15, 50, 15, 11, 10],
        [ 9, 10, 11, 15, 11, 10,  9],
        [ 9,  0,  0, 10,  0,  0,  9],
        [ 8,  0,  0,  8,  0,  0,  8],
        [ 8,  0,  0,  8,  0,  0,  8],
        [ 8,  8,  8,  8,  8,  8,  8],
        [ 8,  8,  8,  8, 13, 10,  8],
        [ 8,  8,  8,  0, 12, 12,  8],
    ],
    // Panther
    [
        [14, 15, 50,  0, 50, 15, 14],
        [13, 14, 15, 50, 15, 14, 13],
        [13, 13, 14, 15, 14, 13, 13],
        [12,  0,  0, 15,  0,  0, 12],
        [11,  0,  0, 14,  0,  0, 11],
        [10,  0,  0, 13,  0,  0, 10],
        [ 9,  9,  9, 10, 10,  9,  9],
        [ 9,  9,  9,  9,  9,  9,  9],
        [ 9,  9,  9,  0,  9,  9,  9],
    ],
    // Tiger
    [
        [25, 30, 50,  0, 50, 30, 25],
        [25, 25, 30, 50, 30, 25, 25],
        [18, 20, 20, 30, 20, 20, 18],
        [15,  0,  0, 15,  0,  0, 15],
        [15,  0,  0, 15,  0,  0, 15],
        [15,  0,  0, 15,  0,  0, 15],
        [14, 16, 16, 14, 16, 16, 14],
        [12, 14, 12, 12, 12, 12, 12],
        [10, 12, 12,  0, 12, 12, 10],
    ],
    // Lion
    [
        [25, 30, 50,  0, 50, 30, 25],
        [25, 25, 30, 50, 30, 25, 25],
        [18, 20, 20, 30, 20, 20, 18],
        [15,  0,  0, 15,  0,  0, 15],
        [15,  0,  0, 15,  0,  0, 15],
        [15,  0,  0, 15,  0,  0, 15],
        [14, 16, 16, 14, 16, 16, 14],
        [12, 12, 12, 12, 12, 14, 12],
        [10, 12, 12,  0, 12, 12, 10],
    ],
    // Elephant
    [
        [25, 30, 50,  0, 50, 30, 25],
        [25, 25, 30, 50, 30, 25, 25],
        [18, 20, 20, 30, 20, 20, 18],
        [16,  0,  0, 16,  0,  0, 16],
        [14,  0,  0, 14,  0,  0, 14],
        [12,  0,  0, 12,  0,  0, 12],
        [10, 15, 14, 14, 14, 14, 12],
        [11, 11, 11, 11, 11, 11, 11],
        [11, 11, 11,  0, 11, 11, 11],
    ],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn squares_of_the_drawing_are_squares_of_the_board() {
        let white = |animal, square: &str| {
            let piece = Piece { color: Color::White, animal };
            BurnettEval::piece(piece, square.parse().unwrap())
        };
        assert_eq!(white(Animal::Rat, "g9"), 513);
        assert_eq!(white(Animal::Rat, "a9"), 511);
        assert_eq!(white(Animal::Elephant, "b3"), 1015);
        assert_eq!(white(Animal::Elephant, "a3"), 1010);
        assert_eq!(white(Animal::Dog, "e1"), 412);
        assert_eq!(white(Animal::Cat, "a2"), 213);
    }

    #[test]
    fn colours_are_treated_alike() {
        let jungle = Jungle::new(Rules::TUFTS);
        for fen in
            ["7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w", "6t/2d3c/l2pwe1/Tr4R/3P3/7/1E4L/1CW2D1/7 b"]
        {
            let position: Position = fen.parse().unwrap();
            let value = BurnettEval.evaluate(&jungle, &position);
            assert_eq!(BurnettEval.evaluate(&jungle, &position.flip()), value);
            assert_eq!(
                BurnettEval.evaluate(&jungle, &position.with_turn(!position.turn())),
                -value
            );
        }
    }
}
