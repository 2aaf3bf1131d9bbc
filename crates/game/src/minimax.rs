//! Minimax without pruning: the oracle of every search.

use crate::{Game, Outcome};

/// The value of `position`, for the player to move, searched `depth` plies deep.
///
/// `evaluate` gives the value of any position for the player to move there: it is called where the
/// depth runs out and where the game is over, and nowhere else.
pub fn minimax<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    evaluate: &impl Fn(&G::Position, Option<Outcome>) -> i32,
) -> i32 {
    let outcome = game.outcome(position);
    if depth == 0 || outcome.is_some() {
        return evaluate(position, outcome);
    }
    game.moves(position)
        .into_iter()
        .map(|mv| -minimax(game, &game.after(position, mv), depth - 1, evaluate))
        .max()
        .expect("a game that goes on has a move")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Tree, leaf, node};

    #[test]
    fn alternates_maximum_and_minimum() {
        let tree = Tree::new(node([
            node([leaf(3), leaf(12), leaf(8)]),
            node([leaf(2), leaf(4), leaf(6)]),
            node([leaf(14), leaf(5), leaf(2)]),
        ]));
        let value = |depth| minimax(&tree, &tree.root(), depth, &|at, _| tree.evaluate(at));
        assert_eq!(value(2), 3);
        assert_eq!(value(9), 3, "leaves end the search early");
        assert_eq!(value(0), 0);
    }
}
