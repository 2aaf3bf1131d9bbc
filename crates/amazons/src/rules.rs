//! The rules, on bitboards.

use game::player::InProgress;
use game::{Game, Outcome, Side};

use crate::{Move, Position};

/// The rules. There is nothing to configure: the board is part of the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Amazons;

impl Game for Amazons {
    type Position = Position;
    type Move = Move;
    type Undo = ();

    #[inline]
    fn side_to_move(&self, position: &Position) -> Side {
        position.turn()
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        (!position.can_move(position.turn())).then(|| Outcome::Win(!position.turn()))
    }

    fn push_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        for from in position.amazons(position.turn()) {
            let beyond = position.empty().with(from);
            for to in from.queen_moves(position.empty()) {
                let arrows = to.queen_moves(beyond);
                moves.extend(arrows.into_iter().map(|arrow| Move { from, to, arrow }));
            }
        }
    }

    fn count_moves(&self, position: &Position) -> u64 {
        let mut count = 0;
        for from in position.amazons(position.turn()) {
            let beyond = position.empty().with(from);
            for to in from.queen_moves(position.empty()) {
                count += u64::from(to.queen_moves(beyond).len());
            }
        }
        count
    }

    #[inline]
    fn make(&self, position: &mut Position, mv: Move) {
        position.play(mv);
    }

    #[inline]
    fn unmake(&self, position: &mut Position, mv: Move, (): ()) {
        position.take_back(mv);
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn fresh_key(&self, position: &Position) -> u64 {
        position.fresh_key()
    }

    /// Every move blocks a square, and none is freed.
    fn plies_between(&self, from: &Position, to: &Position) -> u32 {
        from.empty().len().saturating_sub(to.empty().len())
    }
}

/// A position is all there is to a game in progress: nothing can be repeated.
impl InProgress for Position {
    type Game = Amazons;

    fn game(&self) -> &Amazons {
        &Amazons
    }

    fn position(&self) -> &Position {
        self
    }
}
