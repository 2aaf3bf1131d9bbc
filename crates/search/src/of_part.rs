//! Evaluation and move ordering of the whole board, applied to one of its parts.

use game::decompose::{Decompose, PartGame};
use game::score::Evaluate;

use crate::Order;

/// The evaluation of the whole, applied to a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfPart<'a, T>(pub &'a T);

impl<G: Decompose, E: Evaluate<G>> Evaluate<PartGame<'_, G>> for OfPart<'_, E> {
    #[inline]
    fn evaluate(&self, game: &PartGame<'_, G>, position: &G::Position) -> i32 {
        self.0.evaluate(game.game, position)
    }
}

/// The order of the whole, non-moves last.
impl<G: Decompose, O: Order<G>> Order<PartGame<'_, G>> for OfPart<'_, O> {
    #[inline]
    fn rank(&self, game: &PartGame<'_, G>, position: &G::Position, mv: Option<G::Move>) -> i32 {
        mv.map_or(i32::MAX, |mv| self.0.rank(game.game, position, mv))
    }
}
