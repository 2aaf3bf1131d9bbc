//! The advance bonus at the root: every row that the root player's pieces have advanced is worth a little to
//! that player alone.
//!
//! To an even evaluation, a fortress that holds equals an attack that may come to nothing, and against a player
//! who sees less, an engine that is content to wait draws games that it could win: three in ten, against
//! Burnett's best. Hence the bonus, in play. Against equals no loss could be seen (`docs/experiments.md`); an
//! analysis, which is for both sides, does without it.

use jungle::{Bitboard, Color, Position, Square};

/// The squares of whose rank this bit is set, for each bit of a rank.
const RANK_BITS: [Bitboard; 4] = {
    let mut masks = [Bitboard::EMPTY; 4];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        let mut bit = 0;
        while bit < masks.len() {
            if square.rank() >> bit & 1 == 1 {
                masks[bit] = masks[bit].with(square);
            }
            bit += 1;
        }
        index += 1;
    }
    masks
};

/// How many rows the pieces of `color` have advanced from their own edge, all together.
pub fn rows_advanced(position: &Position, color: Color) -> i32 {
    let pieces = position.side(color);
    let ranks: u32 =
        RANK_BITS.iter().enumerate().map(|(bit, &mask)| (pieces & mask).len() << bit).sum();
    match color {
        Color::White => ranks as i32,
        Color::Black => (8 * pieces.len()).cast_signed() - ranks as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_from_the_own_edge() {
        let start = Position::start();
        // Elephant, rat, wolf and panther two rows, dog and cat one, lion and tiger none.
        assert_eq!(Color::ALL.map(|color| rows_advanced(&start, color)), [10, 10]);
        let position: Position = "3C3/7/7/7/7/7/7/7/r5E b".parse().unwrap();
        assert_eq!(rows_advanced(&position, Color::White), 8);
        assert_eq!(rows_advanced(&position, Color::Black), 8);
    }
}
