//! Keys of positions up to symmetry and the players' colours.

use game::rng::Rng;

use crate::symmetry::{Frame, Symmetry};
use crate::{Position, Size};

/// Words for what stands on a square, in every image of the board.
#[derive(Debug)]
pub(super) struct Keys {
    /// For every square: the words of an amazon of the player to move, of one of the other, and of an empty square.
    words: Vec<[[u64; 8]; 3]>,
}

impl Keys {
    pub(super) fn new(size: Size) -> Keys {
        let frame = Frame::of_board(size);
        // A quarter turn of a board that is not square is another board; its images are taken twice instead.
        let images = Symmetry::ALL.map(|symmetry| {
            if size.is_square() || symmetry.keeps_axes() { symmetry } else { Symmetry::ALL[0] }
        });
        let mut rng = Rng::new(0x0b0a_2d50_17e5);
        let plain: Vec<[u64; 3]> =
            (0..128).map(|_| std::array::from_fn(|_| rng.next_u64())).collect();
        let mut words = vec![[[0; 8]; 3]; 128];
        for square in size.squares() {
            for (what, word) in words[square.index()].iter_mut().enumerate() {
                *word = images.map(|image| plain[image.square(frame, square).index()][what]);
            }
        }
        Keys { words }
    }

    /// The key of a position in which the player to move is ahead by so many settled moves; never 0.
    pub(super) fn of(&self, position: &Position, settled: i32) -> u64 {
        let mut keys = [0_u64; 8];
        let mover = position.turn();
        let sets = [position.amazons(mover), position.amazons(!mover), position.empty()];
        for (what, set) in sets.into_iter().enumerate() {
            for square in set {
                for (key, word) in keys.iter_mut().zip(&self.words[square.index()][what]) {
                    *key ^= word;
                }
            }
        }
        let least = keys.into_iter().min().unwrap_or_default();
        game::rng::mix(least ^ u64::from(settled.cast_unsigned()).rotate_left(32)).max(1)
    }
}
