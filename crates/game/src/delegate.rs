//! Delegation: a game that plays by the rules of another and adds something of its own.

use crate::{Game, Outcome, Side, count_by_making};

/// A game that forwards everything to another. Every type that implements this is a [`Game`] too, with the same
/// positions, moves and counting.
///
/// ```
/// use game::tree::{Tree, leaf, node};
/// use game::{Delegate, Game, perft};
///
/// /// A tree with a name.
/// struct Named(Tree, &'static str);
///
/// impl Delegate for Named {
///     type Inner = Tree;
///     fn inner(&self) -> &Tree { &self.0 }
/// }
///
/// let named = Named(Tree::new(node([leaf(0), node([leaf(1)])])), "an example");
/// let root = named.inner().root();
/// assert_eq!(perft::perft(&named, &root, 2), 1, "{}", named.1);
/// assert_eq!(named.moves(&root), named.inner().moves(&root));
/// ```
pub trait Delegate {
    /// The game that does the work.
    type Inner: Game;

    /// How many of the last plies are counted in bulk, as the inner game does it: all it can, or fewer to see
    /// what that is worth.
    const BULK_PLIES: u32 = 2;

    /// The game that does the work.
    fn inner(&self) -> &Self::Inner;
}

impl<D: Delegate> Game for D {
    type Position = <D::Inner as Game>::Position;
    type Move = <D::Inner as Game>::Move;
    type Undo = <D::Inner as Game>::Undo;

    #[inline]
    fn side_to_move(&self, position: &Self::Position) -> Side {
        self.inner().side_to_move(position)
    }

    #[inline]
    fn outcome(&self, position: &Self::Position) -> Option<Outcome> {
        self.inner().outcome(position)
    }

    #[inline]
    fn push_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) {
        self.inner().push_moves(position, moves);
    }

    #[inline]
    fn make(&self, position: &mut Self::Position, mv: Self::Move) -> Self::Undo {
        self.inner().make(position, mv)
    }

    #[inline]
    fn unmake(&self, position: &mut Self::Position, mv: Self::Move, undo: Self::Undo) {
        self.inner().unmake(position, mv, undo);
    }

    #[inline]
    fn key(&self, position: &Self::Position) -> u64 {
        self.inner().key(position)
    }

    #[inline]
    fn fresh_key(&self, position: &Self::Position) -> u64 {
        self.inner().fresh_key(position)
    }

    #[inline]
    fn count_moves(&self, position: &Self::Position) -> u64 {
        if D::BULK_PLIES >= 1 {
            self.inner().count_moves(position)
        } else {
            self.moves(position).len() as u64
        }
    }

    #[inline]
    fn count_two_plies(&self, position: &mut Self::Position) -> u64 {
        if D::BULK_PLIES >= 2 {
            self.inner().count_two_plies(position)
        } else {
            count_by_making(self, position)
        }
    }

    #[inline]
    fn plies_between(&self, from: &Self::Position, to: &Self::Position) -> u32 {
        self.inner().plies_between(from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft::perft;
    use crate::tree::{Tree, leaf, node};

    struct Counted<const PLIES: u32>(Tree);

    impl<const PLIES: u32> Delegate for Counted<PLIES> {
        type Inner = Tree;
        const BULK_PLIES: u32 = PLIES;

        fn inner(&self) -> &Tree {
            &self.0
        }
    }

    #[test]
    fn counts_are_the_same_however_they_are_made() {
        let tree = Tree::new(node([node([leaf(1), leaf(0)]), node([node([leaf(1)]), leaf(-1)])]));
        let root = tree.root();
        for depth in 0..4 {
            let expected = perft(&tree, &root, depth);
            assert_eq!(perft(&Counted::<0>(tree.clone()), &root, depth), expected);
            assert_eq!(perft(&Counted::<1>(tree.clone()), &root, depth), expected);
            assert_eq!(perft(&Counted::<2>(tree.clone()), &root, depth), expected);
        }
    }
}
