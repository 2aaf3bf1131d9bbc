//! Two-player games of perfect information: the trait [`Game`], and the vocabulary that all crates share.
//!
//! A [`Game`] is a set of rules; a position is plain data that those rules interpret. Keeping the
//! two apart lets one position be looked at under several rule sets, lets a rule set carry tables
//! compiled from its switches, and keeps positions small enough to copy, hash and store by the
//! million.
//!
//! Beside the trait live the things that every game needs and that must be obviously right rather
//! than fast: [`perft`] counts move sequences, [`minimax`] searches without any cleverness,
//! [`solver`] solves a finite game outright, [`tree`] is a game given as an explicit tree, and
//! [`conformance`] is the suite that every implementation of the trait has to pass. [`decompose`] is
//! for games whose positions fall into parts, [`Delegate`] for games that play by another's rules.
//!
//! And the vocabulary that everything above shares: [`truth`] and [`score`] are what tables and
//! searches say about positions (a score comes with its [`Bound`](score::Bound) and its search
//! [`Window`](score::Window)), [`limits`] and [`clock`] are when a search ends, [`player`] is what
//! chooses moves.
//!
//! ```
//! use game::tree::{Tree, leaf, node};
//! use game::{Game, Outcome, Side, perft};
//!
//! // The first player chooses between a draw and a win.
//! let tree = Tree::new(node([leaf(0), leaf(1)]));
//! let root = tree.root();
//! assert_eq!(tree.side_to_move(&root), Side::First);
//! assert_eq!(perft::perft(&tree, &root, 1), 2);
//! assert_eq!(game::solver::solve(&tree, [root]).outcome(&tree, &root), Outcome::Win(Side::First));
//! ```

pub mod clock;
pub mod conformance;
pub mod cpu;
pub mod decompose;
mod delegate;
pub mod limits;
pub mod minimax;
pub mod perft;
pub mod player;
pub mod rng;
pub mod score;
pub mod solver;
mod squares;
pub mod tree;
pub mod truth;

pub use delegate::Delegate;

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Not;

use serde::{Deserialize, Serialize};

/// One of the two players, named by who moves first in the usual starting position. As data, the names of
/// the colours: `"white"` and `"black"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Side {
    /// The player who makes the first move of an ordinary game.
    #[serde(rename = "white")]
    First,
    /// The other one.
    #[serde(rename = "black")]
    Second,
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player has won.
    Win(Side),
    /// The game is drawn.
    Draw,
}

/// The rules of a two-player game of perfect information.
///
/// `Self` holds the rules, `Position` the state of play. Implementations keep these promises, and
/// [`conformance`] checks them:
///
/// - [`push_moves`](Game::push_moves) appends exactly the legal moves, each once, and none when
///   [`outcome`](Game::outcome) is `Some`; when it is `None` there is at least one.
/// - [`make`](Game::make) followed by [`unmake`](Game::unmake) restores the position exactly.
/// - [`key`](Game::key) depends on the position alone, not on how it was reached.
pub trait Game {
    /// The state of play. Equality means that the rest of the game is the same.
    type Position: Clone + Eq + Hash + Debug;
    /// A move, self-contained enough to be made in the position that generated it.
    type Move: Copy + Eq + Hash + Debug;
    /// What `make` hands to `unmake`.
    type Undo;

    /// Who is to move.
    fn side_to_move(&self, position: &Self::Position) -> Side;

    /// How the game ended in this position; `None` while it goes on.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Appends all legal moves to `moves`, in an order that is always the same.
    fn push_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// Makes a legal move.
    fn make(&self, position: &mut Self::Position, mv: Self::Move) -> Self::Undo;

    /// Takes back the move just made.
    fn unmake(&self, position: &mut Self::Position, mv: Self::Move, undo: Self::Undo);

    /// A 64-bit hash of the position, kept up to date by `make` and `unmake`.
    fn key(&self, position: &Self::Position) -> u64;

    /// The same hash computed from scratch.
    fn fresh_key(&self, position: &Self::Position) -> u64;

    /// All legal moves, in a new vector.
    fn moves(&self, position: &Self::Position) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.push_moves(position, &mut moves);
        moves
    }

    /// How many legal moves there are. Override where counting is cheaper than listing.
    fn count_moves(&self, position: &Self::Position) -> u64 {
        self.moves(position).len() as u64
    }

    /// How many sequences of two legal moves there are. Override where counting is cheaper than
    /// making every move; the position is handed back as it came.
    fn count_two_plies(&self, position: &mut Self::Position) -> u64 {
        count_by_making(self, position)
    }

    /// The position after `mv`, leaving `position` as it is.
    fn after(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        let mut next = position.clone();
        self.make(&mut next, mv);
        next
    }

    /// A lower bound on the plies that lead from `from` to `to`, if any do: 0 is always right.
    ///
    /// Hashed [`perft`] with repetition uses it to tell which earlier positions can still come
    /// back; the better the bound, the more transpositions it finds.
    fn plies_between(&self, _from: &Self::Position, _to: &Self::Position) -> u32 {
        0
    }
}

/// Counts sequences of two moves by making every first one.
fn count_by_making<G: Game + ?Sized>(game: &G, position: &mut G::Position) -> u64 {
    let mut count = 0;
    for mv in game.moves(position) {
        let undo = game.make(position, mv);
        count += game.count_moves(position);
        game.unmake(position, mv, undo);
    }
    count
}

/// A game with transformations under which everything is preserved.
pub trait Symmetric: Game {
    /// A transformation of the game onto itself.
    type Symmetry: Copy + Debug;

    /// The transformations worth testing; the identity need not be among them.
    fn symmetries(&self) -> Vec<Self::Symmetry>;

    /// Whether the transformation exchanges the players.
    fn swaps_players(&self, symmetry: Self::Symmetry) -> bool;

    /// The transformed position.
    fn transform(&self, symmetry: Self::Symmetry, position: &Self::Position) -> Self::Position;

    /// The transformed move.
    fn transform_move(&self, symmetry: Self::Symmetry, mv: Self::Move) -> Self::Move;
}
