//! In which order moves are tried. It never changes a value, only how soon alpha-beta finds it.

use game::Game;

/// An order of moves, best first.
pub trait Order<G: Game> {
    /// Sorts the legal moves of a position.
    fn arrange(&self, game: &G, position: &G::Position, moves: &mut [G::Move]);
}

/// The order in which the game lists its moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsListed;

impl<G: Game> Order<G> for AsListed {
    #[inline]
    fn arrange(&self, _: &G, _: &G::Position, _: &mut [G::Move]) {}
}

impl<G: Game, F: Fn(&G, &G::Position, &mut [G::Move])> Order<G> for F {
    #[inline]
    fn arrange(&self, game: &G, position: &G::Position, moves: &mut [G::Move]) {
        self(game, position, moves);
    }
}
