//! Board sizes.

use std::fmt;
use std::str::FromStr;

use crate::{Bitboard, Square};

/// The files and ranks of a board: 4 to 10 of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    files: u8,
    ranks: u8,
}

impl Size {
    /// The usual board.
    pub const USUAL: Size = Size { files: 10, ranks: 10 };
    /// The fewest files or ranks.
    pub const MIN: u8 = 4;

    /// A board of this many files and ranks.
    ///
    /// # Errors
    ///
    /// If either is below 4 or above 10.
    pub const fn new(files: u8, ranks: u8) -> Result<Size, SizeError> {
        if files < Size::MIN || files > Square::MAX || ranks < Size::MIN || ranks > Square::MAX {
            return Err(SizeError::Range);
        }
        Ok(Size { files, ranks })
    }

    /// How many files.
    pub const fn files(self) -> u8 {
        self.files
    }

    /// How many ranks.
    pub const fn ranks(self) -> u8 {
        self.ranks
    }

    /// Whether the square is on the board.
    pub const fn contains(self, square: Square) -> bool {
        square.file() < self.files && square.rank() < self.ranks
    }

    /// All squares of the board.
    pub fn squares(self) -> Bitboard {
        Bitboard::ALL.into_iter().filter(|&square| self.contains(square)).collect()
    }

    /// Whether there are as many files as ranks.
    pub const fn is_square(self) -> bool {
        self.files == self.ranks
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.files, self.ranks)
    }
}

/// Why something is not the size of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// Too small or too large.
    #[error("a board has 4 to 10 files and 4 to 10 ranks")]
    Range,
    /// Not a number, nor two with an x between them.
    #[error("'{0}' is not a size: expected a number from 4 to 10, or two as in 5x6")]
    Text(String),
}

impl FromStr for Size {
    type Err = SizeError;

    /// Reads `10` or `10x8`, files first.
    fn from_str(text: &str) -> Result<Size, SizeError> {
        let (files, ranks) = text.split_once(['x', '×']).unwrap_or((text, text));
        let number = |part: &str| part.parse().map_err(|_| SizeError::Text(text.to_owned()));
        Size::new(number(files)?, number(ranks)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_checked() {
        assert_eq!("10".parse(), Ok(Size::USUAL));
        assert_eq!("5x6".parse::<Size>().map(|size| size.to_string()), Ok("5x6".to_owned()));
        assert_eq!("3".parse::<Size>(), Err(SizeError::Range));
        assert_eq!("4x11".parse::<Size>(), Err(SizeError::Range));
        assert_eq!("x".parse::<Size>(), Err(SizeError::Text("x".to_owned())));
        assert_eq!("4x5".parse::<Size>().map(|size| size.squares().len()), Ok(20));
    }
}
