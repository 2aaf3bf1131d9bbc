//! Symmetries: turns and reflections of a board, or of a part of one.

use game::Side;

use crate::{Bitboard, Move, Position, Size, Square};

/// One of the eight turns and reflections of a rectangle: first the axes are exchanged, or not, then
/// each is reversed, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transpose: bool,
    reverse_files: bool,
    reverse_ranks: bool,
}

/// The smallest rectangle around some squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    file: u8,
    rank: u8,
    files: u8,
    ranks: u8,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all =
            [Symmetry { transpose: false, reverse_files: false, reverse_ranks: false }; 8];
        let mut index = 0;
        while index < 8 {
            all[index].transpose = index & 4 != 0;
            all[index].reverse_files = index & 2 != 0;
            all[index].reverse_ranks = index & 1 != 0;
            index += 1;
        }
        all
    };

    /// Where a square of `frame` goes when the frame is turned and put into the corner at a1.
    #[inline]
    pub fn square(self, frame: Frame, square: Square) -> Square {
        let (mut file, mut rank) = (square.file() - frame.file, square.rank() - frame.rank);
        let (mut files, mut ranks) = (frame.files, frame.ranks);
        if self.transpose {
            (file, rank) = (rank, file);
            (files, ranks) = (ranks, files);
        }
        if self.reverse_files {
            file = files - 1 - file;
        }
        if self.reverse_ranks {
            rank = ranks - 1 - rank;
        }
        Square::new(file, rank).expect("a square of the frame stays in it")
    }

    /// Where the squares of a set go; all lie in `frame`.
    pub fn squares(self, frame: Frame, squares: Bitboard) -> Bitboard {
        squares.into_iter().map(|square| self.square(frame, square)).collect()
    }

    /// Where a move goes.
    pub fn mv(self, frame: Frame, mv: Move) -> Move {
        Move {
            from: self.square(frame, mv.from),
            to: self.square(frame, mv.to),
            arrow: self.square(frame, mv.arrow),
        }
    }

    /// The move that [`mv`](Symmetry::mv) takes to `image`.
    pub fn preimage(self, frame: Frame, image: Move) -> Move {
        let back = |square: Square| {
            let (mut file, mut rank) = (square.file(), square.rank());
            let (files, ranks) = self.turned(frame.files, frame.ranks);
            if self.reverse_files {
                file = files - 1 - file;
            }
            if self.reverse_ranks {
                rank = ranks - 1 - rank;
            }
            if self.transpose {
                (file, rank) = (rank, file);
            }
            Square::new(file + frame.file, rank + frame.rank)
                .expect("an image comes from a square of the frame")
        };
        Move { from: back(image.from), to: back(image.to), arrow: back(image.arrow) }
    }

    /// Whether files stay files.
    pub(crate) const fn keeps_axes(self) -> bool {
        !self.transpose
    }

    const fn turned(self, files: u8, ranks: u8) -> (u8, u8) {
        if self.transpose { (ranks, files) } else { (files, ranks) }
    }

    /// The position turned as a whole; a quarter turn exchanges files and ranks of the board.
    pub fn position(self, position: &Position) -> Position {
        let (frame, size) = (Frame::of_board(position.size()), position.size());
        let (files, ranks) = self.turned(size.files(), size.ranks());
        let turn = |squares| self.squares(frame, squares);
        Position::new(
            Size::new(files, ranks).expect("a turned board is as large as before"),
            turn(position.amazons(Side::First)),
            turn(position.amazons(Side::Second)),
            turn(position.empty()),
            position.turn(),
        )
        .expect("a turned board is a board")
    }
}

impl Frame {
    /// The frame of a whole board.
    pub const fn of_board(size: Size) -> Frame {
        Frame { file: 0, rank: 0, files: size.files(), ranks: size.ranks() }
    }

    /// The smallest frame around some squares; `None` if there are none.
    pub fn around(squares: Bitboard) -> Option<Frame> {
        let bits = squares.bits();
        let (low, high) = (squares.first()?, Square::from_index(127 - bits.leading_zeros() as u8)?);
        let mut files = 0_u128;
        let mut rank = low.rank();
        let row = (1_u128 << Square::MAX) - 1;
        let a1 = Bitboard::ALL.bits().trailing_zeros();
        while rank <= high.rank() {
            files |= bits >> (a1 + u32::from(rank) * u32::from(Square::UP)) & row;
            rank += 1;
        }
        let file = files.trailing_zeros() as u8;
        Some(Frame {
            file,
            rank: low.rank(),
            files: 128 - files.leading_zeros() as u8 - file,
            ranks: high.rank() - low.rank() + 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::rng::Rng;

    #[test]
    fn frames_are_tight_and_symmetries_can_be_undone() {
        let mut rng = Rng::new(8);
        let all: Vec<Square> = Bitboard::ALL.into_iter().collect();
        for _ in 0..500 {
            let set: Bitboard = (0..1 + rng.below(5)).map(|_| *rng.choose(&all).unwrap()).collect();
            let frame = Frame::around(set).unwrap();
            let files = || set.into_iter().map(Square::file);
            let ranks = || set.into_iter().map(Square::rank);
            assert_eq!((Some(frame.file), Some(frame.rank)), (files().min(), ranks().min()));
            assert_eq!(Some(frame.file + frame.files - 1), files().max());
            assert_eq!(Some(frame.rank + frame.ranks - 1), ranks().max());
            for symmetry in Symmetry::ALL {
                for square in set {
                    let mv = Move { from: square, to: square, arrow: set.first().unwrap() };
                    assert_eq!(symmetry.preimage(frame, symmetry.mv(frame, mv)), mv);
                }
            }
        }
        assert_eq!(Frame::around(Bitboard::EMPTY), None);
    }

    #[test]
    fn the_eight_symmetries_differ() {
        let corner = Square::new(1, 0).unwrap();
        let frame = Frame::of_board(Size::USUAL);
        let images: Bitboard = Symmetry::ALL.iter().map(|s| s.square(frame, corner)).collect();
        assert_eq!(images.len(), 8);
    }
}
