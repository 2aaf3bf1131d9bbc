//! Squares of the largest board, numbered so that a step in any direction is a fixed distance.
//!
//! Ten ranks of ten squares, with a column of nothing after each rank and a margin below a1:
//!
//! ```text
//! rank 10 | 111 112 ... 120  -
//!  ...    |
//! rank 2  |  23  24 ...  32  -
//! rank 1  |  12  13 ...  21  -      up is +11, right is +1
//!             a   b       j
//! ```
//!
//! A shift by a step never wraps around into a square, so bitboards need no masks for the edges;
//! number 0 is free, so `Option<Square>` is one byte. Smaller boards use the corner at a1.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

/// A square, a1 to j10.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(NonZeroU8);

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// How many files, and ranks, there are at most.
    pub const MAX: u8 = 10;
    /// The distance from a square to the one above it.
    pub(crate) const UP: u8 = 11;
    const A1: u8 = 12;

    /// The square on this file and rank, counted from 0; `None` beyond j10.
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < Square::MAX && rank < Square::MAX {
            match NonZeroU8::new(Square::A1 + rank * Square::UP + file) {
                Some(index) => Some(Square(index)),
                None => None,
            }
        } else {
            None
        }
    }

    /// The square with this number, if there is one.
    pub const fn from_index(index: u8) -> Option<Square> {
        if index < Square::A1 {
            return None;
        }
        let (rank, file) = ((index - Square::A1) / Square::UP, (index - Square::A1) % Square::UP);
        Square::new(file, rank)
    }

    /// As [`from_index`](Square::from_index) for numbers that are known to be squares: those of the
    /// bits of a bitboard.
    #[inline]
    pub(crate) const fn from_bit(index: u8) -> Option<Square> {
        match NonZeroU8::new(index) {
            Some(index) => Some(Square(index)),
            None => None,
        }
    }

    /// The number, below 128.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }

    /// The file: 0 is a.
    #[inline]
    pub const fn file(self) -> u8 {
        (self.0.get() - Square::A1) % Square::UP
    }

    /// The rank: 0 is the first.
    #[inline]
    pub const fn rank(self) -> u8 {
        (self.0.get() - Square::A1) / Square::UP
    }

    /// The square this many files to the right and ranks up, if there is one.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
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

/// The text is not a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square: expected a1 to j10")]
pub struct ParseSquareError(String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let mut chars = text.chars();
        let square = match (chars.next(), chars.as_str()) {
            (Some(file @ 'a'..='j'), rank) if !rank.starts_with(['0', '+']) => rank
                .parse::<u8>()
                .ok()
                .and_then(|rank| Square::new(file as u8 - b'a', rank.checked_sub(1)?)),
            _ => None,
        };
        square.ok_or_else(|| ParseSquareError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_come_back() {
        let mut count = 0;
        for square in (0..=255).filter_map(Square::from_index) {
            assert_eq!(Square::new(square.file(), square.rank()), Some(square));
            assert_eq!(square.to_string().parse(), Ok(square));
            count += 1;
        }
        assert_eq!(count, 100);
    }

    #[test]
    fn what_is_no_square() {
        for text in ["", "a", "a0", "a11", "k1", "A1", "a01", "a+1", "a1 ", "1a", "aa", "é1"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }
}
