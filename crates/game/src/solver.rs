//! A naive exhaustive solver: the oracle of every tablebase and every endgame search.
//!
//! It lists all positions that can be reached, then sweeps over them again and again until no value
//! changes: ply by ply, a position with a move to a lost one is won, a position all of whose moves
//! lead to won ones is lost, and what is never settled is drawn. Cycles are therefore draws.
//! It needs memory for every position and a sweep for every ply; its merit is that it is obviously right.

use std::collections::HashMap;

use crate::truth::Truth;
use crate::{Game, Outcome};

/// A solved set of positions, closed under legal moves.
pub struct Solution<G: Game> {
    values: HashMap<G::Position, Truth>,
}

impl<G: Game> Solution<G> {
    /// The value of a position; `None` if it is not among the solved ones.
    pub fn value(&self, position: &G::Position) -> Option<Truth> {
        self.values.get(position).copied()
    }

    /// Who wins from `position` with best play.
    ///
    /// # Panics
    ///
    /// If the position is not among the solved ones.
    pub fn outcome(&self, game: &G, position: &G::Position) -> Outcome {
        let player = game.side_to_move(position);
        match self.value(position).expect("the position was solved") {
            Truth::Win(_) => Outcome::Win(player),
            Truth::Draw => Outcome::Draw,
            Truth::Loss(_) => Outcome::Win(!player),
        }
    }

    /// All solved positions with their values, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&G::Position, Truth)> {
        self.values.iter().map(|(position, &value)| (position, value))
    }

    /// How many positions were solved.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing was solved.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// Solves every position reachable from `roots`.
///
/// A finished game that the player to move has won counts as `Win(0)`.
pub fn solve<G: Game>(game: &G, roots: impl IntoIterator<Item = G::Position>) -> Solution<G> {
    let mut positions: Vec<G::Position> = Vec::new();
    let mut index: HashMap<G::Position, usize> = HashMap::new();
    for root in roots {
        index.entry(root.clone()).or_insert_with(|| {
            positions.push(root);
            positions.len() - 1
        });
    }

    let mut successors: Vec<Vec<usize>> = Vec::new();
    while successors.len() < positions.len() {
        let position = positions[successors.len()].clone();
        let next = game.moves(&position).into_iter().map(|mv| {
            let after = game.after(&position, mv);
            *index.entry(after.clone()).or_insert_with(|| {
                positions.push(after);
                positions.len() - 1
            })
        });
        successors.push(next.collect());
    }

    let mut values: Vec<Option<Truth>> = positions
        .iter()
        .map(|position| {
            let outcome = game.outcome(position)?;
            Some(Truth::of_outcome(game, position, outcome))
        })
        .collect();

    // Values found at ply n depend only on values found at plies below n, so the first value that a
    // position gets is its shortest win or its longest loss. A win may lag behind a settled value
    // by one ply only; two empty sweeps in a row mean that nothing more can follow.
    let mut empty_sweeps = 0;
    let mut ply = 0;
    while empty_sweeps < 2 {
        ply += 1;
        let settled: Vec<(usize, Truth)> = (0..positions.len())
            .filter(|&at| values[at].is_none())
            .filter_map(|at| {
                let next = || successors[at].iter().map(|&to| values[to]);
                if next().any(|value| matches!(value, Some(Truth::Loss(n)) if n < ply)) {
                    Some((at, Truth::Win(ply)))
                } else if next().all(|value| matches!(value, Some(Truth::Win(n)) if n < ply)) {
                    Some((at, Truth::Loss(ply)))
                } else {
                    None
                }
            })
            .collect();
        empty_sweeps = if settled.is_empty() { empty_sweeps + 1 } else { 0 };
        for (at, value) in settled {
            values[at] = Some(value);
        }
    }

    let values = values.into_iter().map(|value| value.unwrap_or(Truth::Draw));
    Solution { values: positions.into_iter().zip(values).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::tree::{Tree, leaf, node};

    #[test]
    fn counts_the_longest_defence() {
        let tree = Tree::new(node([
            leaf(0),
            node([leaf(1), node([leaf(1), leaf(-1)])]), // the second player holds out for two plies
        ]));
        let solution = solve(&tree, [tree.root()]);
        assert_eq!(solution.value(&tree.root()), Some(Truth::Win(3)));
    }

    #[test]
    fn agrees_with_minimax_on_random_trees() {
        let mut rng = Rng::new(3);
        for _ in 0..50 {
            let tree = Tree::random(&mut rng, 6, 3);
            let value = crate::minimax::minimax(&tree, &tree.root(), 6, &|at, _| {
                tree.evaluate(at).signum()
            });
            let solved = match solve(&tree, [tree.root()]).value(&tree.root()) {
                Some(Truth::Win(_)) => 1,
                Some(Truth::Loss(_)) => -1,
                _ => 0,
            };
            assert_eq!(value, solved);
        }
    }
}
