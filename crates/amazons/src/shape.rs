//! Canonical forms of sub-boards: up to translation, rotation and reflection.
//!
//! What happens in a region depends on nothing but its squares and amazons, so a region met before,
//! elsewhere on the board, turned or reflected, has been searched already. A [`Shape`] is the one of
//! its eight images in the corner at a1 that comes first in order.

use game::Side;

use crate::symmetry::{Frame, Symmetry};
use crate::{Bitboard, Move, Position};

/// The canonical form of a sub-board, the same for all its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    empty: Bitboard,
    amazons: [Bitboard; 2],
}

/// How a sub-board was moved to become its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    frame: Frame,
    symmetry: Symmetry,
}

impl Shape {
    /// The shape of the open squares of a position, which is a part of a board; `None` if there are
    /// no open squares. `first` is the player whose amazons the shape calls White's: with the player
    /// to move, positions that differ only in colour have the same shape.
    pub fn of(position: &Position, first: Side) -> Option<(Shape, Placement)> {
        let frame = Frame::around(position.open())?;
        let parts = [position.amazons(first), position.amazons(!first)];
        Symmetry::ALL
            .into_iter()
            .map(|symmetry| {
                let image = |squares| symmetry.squares(frame, squares);
                let shape = Shape { empty: image(position.empty()), amazons: parts.map(image) };
                (shape, Placement { frame, symmetry })
            })
            .min_by_key(|(shape, _)| *shape)
    }

    /// The shape as a position on the largest board.
    pub fn position(&self, turn: Side) -> Position {
        let [white, black] = self.amazons;
        Position::new(crate::Size::USUAL, white, black, self.empty, turn)
            .expect("a shape is a part of a board")
    }

    /// The empty squares.
    pub const fn empty(&self) -> Bitboard {
        self.empty
    }

    /// Whether the player has an amazon in it.
    pub const fn has(&self, player: Side) -> bool {
        self.amazons[player as usize].any()
    }
}

impl Placement {
    /// A move on the board as the shape sees it.
    pub fn image(&self, mv: Move) -> Move {
        self.symmetry.mv(self.frame, mv)
    }

    /// A move of the shape where it lies on the board.
    pub fn preimage(&self, mv: Move) -> Move {
        self.symmetry.preimage(self.frame, mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Amazons, region};
    use game::Game;
    use game::rng::Rng;

    #[test]
    fn images_have_the_same_shape_and_moves_come_back() {
        let mut rng = Rng::new(11);
        for _ in 0..20 {
            let mut position = Position::start(6, 6).unwrap();
            while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                Amazons.make(&mut position, mv);
                for region in region::regions(&position) {
                    let part = position.restricted(region.squares);
                    let mover = part.turn();
                    let (shape, placement) = Shape::of(&part, mover).unwrap();
                    let symmetry = Symmetry::ALL[rng.below(8)];
                    let turned = symmetry.position(&part).recolored();
                    assert_eq!(Shape::of(&turned, turned.turn()).unwrap().0, shape);
                    let image = shape.position(Side::First);
                    assert_eq!(Amazons.count_moves(&image), Amazons.count_moves(&part));
                    for mv in Amazons.moves(&part) {
                        assert_eq!(placement.preimage(placement.image(mv)), mv);
                        let after = Amazons.after(&part, mv);
                        let image_after = Amazons.after(&image, placement.image(mv));
                        assert_eq!(after.key() == part.key(), image_after.key() == image.key());
                        assert_eq!(
                            Shape::of(&after, mover).map(|found| found.0),
                            Shape::of(&image_after, Side::First).map(|found| found.0)
                        );
                    }
                }
            }
        }
    }
}
