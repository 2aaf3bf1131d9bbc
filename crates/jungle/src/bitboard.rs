//! Bitboards: sets of squares in a 64-bit word.

use std::fmt;
use std::ops::{BitOr, Not};

use crate::Square;

/// A set of squares. Bit `n` stands for the square with index `n`; bit 63 is never set.
///
/// ```
/// use jungle::{Bitboard, Square};
///
/// let set = Square::A1 | Square::C4;
/// assert_eq!(set.len(), 2);
/// assert!(set.contains(Square::C4));
/// assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::C4]);
/// assert_eq!(Square::A1.bitboard().neighbours(), Square::A2 | Square::B1);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Bitboard(pub(crate) u64);

const ALL: u64 = (1 << Square::COUNT) - 1;
/// One bit in every seven: dividing a word of ones by seven ones leaves exactly those.
const FILE_A: u64 = ALL / 0b111_1111;
const FILE_G: u64 = FILE_A << 6;

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(ALL);

    /// The set whose bits are set in `bits`, if bit 63 is not.
    pub const fn from_bits(bits: u64) -> Option<Bitboard> {
        if bits & !ALL == 0 { Some(Bitboard(bits)) } else { None }
    }

    /// The set whose bits are set in `bits`; bit 63 is dropped.
    #[inline]
    pub const fn from_bits_truncated(bits: u64) -> Bitboard {
        Bitboard(bits & ALL)
    }

    /// The bits; bit 63 is clear.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many squares.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no square in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is a square in it.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the square is in it.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & 1 << square as u8 != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The squares of `self` that are not in `other`.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// The union; usable in constants.
    #[must_use]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square as u8)
    }

    /// The first square, if there is one.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        // SAFETY: bit 63 is never set, so a non-empty word has at most 62 trailing zeros.
        Some(unsafe { Square::from_index_unchecked(self.0.trailing_zeros() as u8) })
    }

    /// Every square moved one rank up; squares that leave the board are dropped.
    #[inline]
    #[must_use]
    pub const fn up(self) -> Bitboard {
        Bitboard(self.0 << 7 & ALL)
    }

    /// Every square moved one rank down.
    #[inline]
    #[must_use]
    pub const fn down(self) -> Bitboard {
        Bitboard(self.0 >> 7)
    }

    /// Every square moved one file to the right.
    #[inline]
    #[must_use]
    pub const fn right(self) -> Bitboard {
        Bitboard((self.0 & !FILE_G) << 1)
    }

    /// Every square moved one file to the left.
    #[inline]
    #[must_use]
    pub const fn left(self) -> Bitboard {
        Bitboard((self.0 & !FILE_A) >> 1)
    }

    /// All squares one step away from some square of the set.
    #[inline]
    #[must_use]
    pub const fn neighbours(self) -> Bitboard {
        Bitboard(self.up().0 | self.down().0 | self.left().0 | self.right().0)
    }

    /// The set on the other wing.
    #[must_use]
    pub const fn mirror(self) -> Bitboard {
        const fn swap(b: u64, low: u64, distance: u32) -> u64 {
            (b & low) << distance | b >> distance & low
        }
        let b = self.0;
        Bitboard(
            swap(b, FILE_A, 6)
                | swap(b, FILE_A << 1, 4)
                | swap(b, FILE_A << 2, 2)
                | b & FILE_A << 3,
        )
    }

    /// The set seen from the other side of the board, turned by half a turn.
    #[must_use]
    pub const fn rotate(self) -> Bitboard {
        Bitboard(self.0.reverse_bits() >> 1)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & ALL)
    }
}

impl BitOr for Square {
    type Output = Bitboard;
    fn bitor(self, other: Square) -> Bitboard {
        self.bitboard() | other.bitboard()
    }
}

impl BitOr<Square> for Bitboard {
    type Output = Bitboard;
    fn bitor(self, square: Square) -> Bitboard {
        self.with(square)
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Bitboard {
        square.bitboard()
    }
}

game::set_of_squares!(Bitboard, Square, Squares);

/// Draws the board, rank 9 on top: `X` for a square in the set, `.` for one that is not.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..Square::RANKS).rev() {
            writeln!(f)?;
            for file in 0..Square::FILES {
                let square = Square::new(file, rank).expect("the loops stay on the board");
                f.write_str(if self.contains(square) { " X" } else { " ." })?;
            }
        }
        Ok(())
    }
}

/// A set of squares drawn as a picture, rank 9 on top, for tests: `X` is in the set, `.` is not.
///
/// ```
/// use jungle::{bitboard, board};
///
/// assert_eq!(board::WATER, bitboard! {
///     . . . . . . .
///     . . . . . . .
///     . . . . . . .
///     . X X . X X .
///     . X X . X X .
///     . X X . X X .
///     . . . . . . .
///     . . . . . . .
///     . . . . . . .
/// });
/// ```
#[macro_export]
macro_rules! bitboard {
    ($($cell:tt)*) => {{
        let cells = [$($crate::__bitboard_cell!($cell)),*];
        assert!(cells.len() == $crate::Square::COUNT, "a picture has nine rows of seven cells");
        $crate::Square::ALL
            .into_iter()
            .filter(|square| cells[(8 - square.rank() as usize) * 7 + square.file() as usize])
            .collect::<$crate::Bitboard>()
    }};
}

#[doc(hidden)]
#[macro_export]
macro_rules! __bitboard_cell {
    (X) => {
        true
    };
    (.) => {
        false
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_and_rotate_move_every_square() {
        for square in Square::ALL {
            assert_eq!(square.bitboard().mirror(), square.mirror().bitboard());
            assert_eq!(square.bitboard().rotate(), square.rotate().bitboard());
        }
    }

    #[test]
    fn shifts_are_offsets() {
        for square in Square::ALL {
            let at = |files, ranks| {
                square.offset(files, ranks).map_or(Bitboard::EMPTY, Square::bitboard)
            };
            let set = square.bitboard();
            assert_eq!(set.up(), at(0, 1));
            assert_eq!(set.down(), at(0, -1));
            assert_eq!(set.right(), at(1, 0));
            assert_eq!(set.left(), at(-1, 0));
        }
    }

    #[test]
    fn bit_63_is_no_square() {
        assert_eq!(Bitboard::from_bits(1 << 63), None);
        assert_eq!(!Bitboard::EMPTY, Bitboard::ALL);
        assert_eq!(Bitboard::ALL.len(), 63);
        assert_eq!(Bitboard::EMPTY.first(), None);
    }
}
