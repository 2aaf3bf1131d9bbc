//! Indexing: the number of each canonical position of a class.
//!
//! The pieces of a class are put in an order. The last of them, the *runner*, is special: a *row*
//! holds all its 63 squares, so that sets of them are bitboards and one word operation treats them
//! all. The squares of the others number the rows. The first piece is kept on files a–d by mirroring
//! the board; positions with it on file d appear twice, which costs little and keeps everything
//! else simple.
//!
//! ```text
//! position number = 64 * row + square of the runner
//! row             = mixed-radix number of the other pieces' squares, the first piece highest
//! ```

use jungle::board::{DENS, LAND};
use jungle::rules::Jumps;
use jungle::{Animal, Bitboard, Color, Jungle, Piece, Square};

/// How many cells a row has: the 63 squares and one that is never used.
pub const ROW: usize = 64;

/// The most pieces a grid can have.
pub const MAX_PIECES: usize = 8;

/// The numbering of a class.
#[derive(Clone, Debug)]
pub struct Grid {
    pieces: Vec<Piece>,
    slots: Vec<usize>,
    domains: Vec<Bitboard>,
    /// For each piece but the runner, what each square adds to the row; `None` where it never
    /// stands.
    offsets: Vec<[Option<u32>; Square::COUNT]>,
    /// For each piece but the runner, its squares in order and its stride.
    radixes: Vec<(Vec<Square>, u32)>,
    rows: usize,
    /// Whether the values of both sides to move are stored, also where one side's follow from the other's.
    both_sides: bool,
}

/// The squares of a row's pieces, in the grid's order, without the runner.
pub type RowSquares = [Square; MAX_PIECES];

/// Where an animal can stand while the game goes on.
pub fn domain(animal: Animal) -> Bitboard {
    let squares = if animal == Animal::Rat { Bitboard::ALL } else { LAND };
    squares.without(DENS)
}

impl Grid {
    /// The grid of a class whose slots hold these pieces.
    ///
    /// # Panics
    ///
    /// If there are fewer than two pieces or more than eight.
    pub fn new(jungle: &Jungle, slots: &[Piece]) -> Grid {
        assert!((2..=MAX_PIECES).contains(&slots.len()), "a grid has two to eight pieces");
        // The side with fewer pieces goes last, so that its moves stay within a few rows. Within a
        // side rats go last: they use a row best. Among equals, slot order.
        let count = |color| slots.iter().filter(|piece| piece.color == color).count();
        let fewer =
            if count(Color::White) < count(Color::Black) { Color::White } else { Color::Black };
        let mut order: Vec<usize> = (0..slots.len()).collect();
        order.sort_by_key(|&slot| {
            let movement = match slots[slot].animal {
                Animal::Rat => 2,
                animal if jungle.jumps(animal) == Jumps::None => 1,
                _ => 0,
            };
            (slots[slot].color == fewer, movement)
        });
        let pieces: Vec<Piece> = order.iter().map(|&slot| slots[slot]).collect();
        let domains: Vec<Bitboard> = pieces.iter().map(|piece| domain(piece.animal)).collect();

        let mut stride: u32 = 1;
        let mut radixes = Vec::new();
        for (at, domain) in domains.iter().enumerate().take(pieces.len() - 1).rev() {
            let kept = |square: &Square| at > 0 || square.file() <= 3;
            let squares: Vec<Square> = domain.into_iter().filter(kept).collect();
            let radix = squares.len() as u32;
            radixes.push((squares, stride));
            stride *= radix;
        }
        radixes.reverse();
        let offsets = radixes
            .iter()
            .map(|(squares, stride)| {
                let mut offsets = [None; Square::COUNT];
                for (index, square) in squares.iter().enumerate() {
                    offsets[square.index()] = Some(index as u32 * stride);
                }
                offsets
            })
            .collect();
        Grid {
            pieces,
            slots: order,
            domains,
            offsets,
            radixes,
            rows: stride as usize,
            both_sides: false,
        }
    }

    /// The same numbering for a table that stores both sides to move.
    #[must_use]
    pub fn with_both_sides(self, both_sides: bool) -> Grid {
        Grid { both_sides, ..self }
    }

    /// The pieces in the grid's order; the last is the runner.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The slot of the class that each piece of the grid fills.
    pub fn slots(&self) -> &[usize] {
        &self.slots
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The runner.
    pub fn runner(&self) -> Piece {
        self.pieces[self.pieces.len() - 1]
    }

    /// The side whose values are not stored, because they follow from the other's by moves of the runner and the
    /// last fixed piece alone: the one with fewer pieces, if it has no others.
    pub fn rebuilt(&self) -> Option<Color> {
        let color = self.runner().color;
        let pieces = self.pieces.iter().filter(|piece| piece.color == color).count();
        (pieces <= 2 && !self.both_sides).then_some(color)
    }

    /// The squares of the last fixed piece, in the order of the rows.
    pub fn last_fixed_squares(&self) -> &[Square] {
        &self.radixes[self.radixes.len() - 1].0
    }

    /// Where the runner can stand.
    pub fn runner_domain(&self) -> Bitboard {
        self.domains[self.domains.len() - 1]
    }

    /// What a square of a piece other than the runner adds to the row number.
    #[inline]
    pub fn offset(&self, piece: usize, square: Square) -> Option<u32> {
        self.offsets[piece][square.index()]
    }

    /// The squares of a row's pieces.
    #[inline]
    pub fn squares(&self, row: usize) -> RowSquares {
        let mut squares = [Square::A1; MAX_PIECES];
        let mut rest = row as u32;
        for (at, (domain, stride)) in self.radixes.iter().enumerate() {
            squares[at] = domain[(rest / stride) as usize];
            rest %= stride;
        }
        squares
    }

    /// The row of these pieces, the first being on files a–d.
    #[inline]
    pub fn row(&self, squares: &[Square]) -> Option<usize> {
        let mut row = 0;
        for (offsets, square) in self.offsets.iter().zip(squares) {
            row += offsets[square.index()]?;
        }
        Some(row as usize)
    }

    /// The position number of pieces standing on `squares` (in the grid's order), mirrored if need
    /// be; `None` if a piece stands where it cannot.
    #[inline]
    pub fn number(&self, squares: &[Square]) -> Option<usize> {
        let runner = *squares.last()?;
        if squares[0].file() <= 3 {
            return Some(self.row(squares)? * ROW + runner.index());
        }
        let mut mirrored = [Square::A1; MAX_PIECES];
        for (to, from) in mirrored.iter_mut().zip(squares) {
            *to = from.mirror();
        }
        Some(self.row(&mirrored[..squares.len()])? * ROW + runner.mirror().index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Classes;
    use jungle::Rules;

    #[test]
    fn rows_and_squares_round_trip() {
        let rules = Rules::LEIDEN;
        let jungle = Jungle::new(rules);
        for class in Classes::new(&rules, 4).list() {
            let grid = Grid::new(&jungle, &class.slots);
            let count = grid.pieces().len() - 1;
            for row in (0..grid.rows()).step_by(97) {
                assert_eq!(grid.row(&grid.squares(row)[..count]), Some(row));
            }
        }
    }

    #[test]
    fn mirrored_positions_share_a_number() {
        let jungle = Jungle::new(Rules::LEIDEN);
        let classes = Classes::new(&Rules::LEIDEN, 3);
        let class = &classes.list()[30];
        let grid = Grid::new(&jungle, &class.slots);
        let squares = [Square::F3, Square::A7, Square::B2];
        let mirrored = squares.map(Square::mirror);
        assert_eq!(grid.number(&squares), grid.number(&mirrored));
        assert_eq!(grid.number(&[Square::D1, Square::A7, Square::B2]), None);
    }
}
