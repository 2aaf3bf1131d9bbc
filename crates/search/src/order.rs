//! Move ordering. It never changes a value, only how soon alpha-beta finds it.

use game::Game;

/// A move ordering.
pub trait Order<G: Game> {
    /// The lower, the sooner; moves of one rank stay in the order in which the game lists them.
    fn rank(&self, game: &G, position: &G::Position, mv: G::Move) -> i32;
}

/// The order in which the game lists its moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsListed;

impl<G: Game> Order<G> for AsListed {
    #[inline]
    fn rank(&self, _: &G, _: &G::Position, _: G::Move) -> i32 {
        0
    }
}

impl<G: Game, F: Fn(&G, &G::Position, G::Move) -> i32> Order<G> for F {
    #[inline]
    fn rank(&self, game: &G, position: &G::Position, mv: G::Move) -> i32 {
        self(game, position, mv)
    }
}
