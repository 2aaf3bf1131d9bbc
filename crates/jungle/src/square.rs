//! The 63 squares, a1 to g9.
//!
//! ```text
//! rank 9   56 57 58 59 60 61 62
//!   …
//! rank 2    7  8  9 10 11 12 13
//! rank 1    0  1  2  3  4  5  6
//!           a  b  c  d  e  f  g
//! ```

use std::fmt;
use std::str::FromStr;

use crate::Bitboard;

/// A square of the board. Its index is `7 * (rank - 1) + file`, with file a as 0.
///
/// ```
/// use jungle::Square;
///
/// let square: Square = "d3".parse()?;
/// assert_eq!(square, Square::D3);
/// assert_eq!((square.file(), square.rank(), square.index()), (3, 2, 17));
/// assert_eq!(square.mirror(), Square::D3);
/// assert_eq!(square.rotate(), Square::D7);
/// # Ok::<(), jungle::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "the names say it")]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1,
    A2, B2, C2, D2, E2, F2, G2,
    A3, B3, C3, D3, E3, F3, G3,
    A4, B4, C4, D4, E4, F4, G4,
    A5, B5, C5, D5, E5, F5, G5,
    A6, B6, C6, D6, E6, F6, G6,
    A7, B7, C7, D7, E7, F7, G7,
    A8, B8, C8, D8, E8, F8, G8,
    A9, B9, C9, D9, E9, F9, G9,
}

// The 63rd value is free, so that "no square" costs nothing.
const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 63;
    /// How many files there are.
    pub const FILES: u8 = 7;
    /// How many ranks there are.
    pub const RANKS: u8 = 9;

    /// All squares, from a1 along the ranks to g9.
    pub const ALL: [Square; Square::COUNT] = {
        let mut all = [Square::A1; Square::COUNT];
        let mut index = 0;
        while index < Square::COUNT {
            // SAFETY: the loop keeps `index` below 63.
            all[index] = unsafe { Square::from_index_unchecked(index as u8) };
            index += 1;
        }
        all
    };

    /// The square with this index, if it is below 63.
    pub const fn from_index(index: u8) -> Option<Square> {
        if (index as usize) < Square::COUNT { Some(Square::ALL[index as usize]) } else { None }
    }

    /// The square with this index.
    ///
    /// # Safety
    ///
    /// `index` must be below 63.
    pub const unsafe fn from_index_unchecked(index: u8) -> Square {
        debug_assert!((index as usize) < Square::COUNT);
        // SAFETY: `Square` is `repr(u8)` with the values 0 to 62, and the caller keeps to them.
        // Squares are popped off bitboards in the innermost loops; a check costs a branch there.
        unsafe { std::mem::transmute::<u8, Square>(index) }
    }

    /// The square on this file (0–6) and rank (0–8), if both are on the board.
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < Square::FILES && rank < Square::RANKS {
            Square::from_index(rank * Square::FILES + file)
        } else {
            None
        }
    }

    /// The index, 0 to 62.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file: 0 for a to 6 for g.
    pub const fn file(self) -> u8 {
        self as u8 % Square::FILES
    }

    /// The rank, counted from 0: rank 1 is 0, rank 9 is 8.
    pub const fn rank(self) -> u8 {
        self as u8 / Square::FILES
    }

    /// The set of just this square.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// The square on the other wing: a3 and g3 are mirror images.
    pub const fn mirror(self) -> Square {
        Square::ALL[(self.rank() * Square::FILES + Square::FILES - 1 - self.file()) as usize]
    }

    /// The square seen from the other side of the board: a1 and g9 change places.
    pub const fn rotate(self) -> Square {
        Square::ALL[Square::COUNT - 1 - self as usize]
    }

    /// The neighbour `files` to the right and `ranks` up, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || rank < 0 { None } else { Square::new(file as u8, rank as u8) }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square: expected a file a–g and a rank 1–9, as in d3")]
pub struct ParseSquareError(pub(crate) String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let square = match text.as_bytes() {
            &[file @ b'a'..=b'g', rank @ b'1'..=b'9'] => Square::new(file - b'a', rank - b'1'),
            _ => None,
        };
        square.ok_or_else(|| ParseSquareError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices_round_trip() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.mirror().mirror(), square);
            assert_eq!(square.rotate().rotate(), square);
            assert_eq!(Square::new(square.file(), square.rank()), Some(square));
        }
        assert_eq!(Square::from_index(63), None);
        assert_eq!(Square::A1.mirror(), Square::G1);
        assert_eq!(Square::A1.rotate(), Square::G9);
        for bad in ["", "a", "a0", "h1", "a10", "A1", "é1", "1a"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        assert_eq!(Square::A1.offset(-1, 0), None);
        assert_eq!(Square::G9.offset(1, 0), None);
        assert_eq!(Square::G9.offset(0, 1), None);
        assert_eq!(Square::D4.offset(0, 1), Some(Square::D5));
    }
}
