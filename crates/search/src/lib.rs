//! The published searches, plain and exact, for any [`Game`].
//!
//! [`Minimax`] is the definition; [`AlphaBeta`] finds the same value sooner, with an [`Order`] of the
//! moves and a transposition [`Table`] if it is given them. Both are a [`Searcher`]: they search to a
//! given depth, and [`deepen`] makes iterative deepening of either. For games whose positions
//! [fall into parts](game::decompose), [`Subproblems`] searches the parts as Burnett does, and
//! [`sum`] adds them up exactly. [`escape`] is a best-first search that weighs a score
//! against what has been spent on it, over a budget for the whole game; [`Uct`] is a plain best-first
//! search to compare it with.
//!
//! # What a value is
//!
//! For the player to move, searched `d` plies deep along a path of earlier positions:
//!
//! 1. a position that is already on the path is worth a draw, if [`PathRepetition::Draw`] is asked for;
//! 2. a finished game is worth a win, a loss or a draw in 0 plies;
//! 3. at `d = 0` it is worth what the evaluation says;
//! 4. otherwise it is worth the best of its moves, searched `d - 1` plies deep, each
//!    [one ply deeper](game::score::Score::deeper) seen from here. So sooner wins are better.
//!
//! Every searcher returns exactly this number at every depth, whatever it does to get there.
//!
//! ```
//! use game::limits::Limits;
//! use game::score::Score;
//! use game::tree::{At, Tree, leaf, node};
//! use search::{AlphaBeta, Report, fixed};
//!
//! let tree = Tree::new(node([node([leaf(3), leaf(-1)]), node([leaf(2), node([leaf(5)])])]));
//! let evaluate = |tree: &Tree, at: &At| tree.evaluate(at);
//! let mut search = AlphaBeta::new(&tree, &evaluate);
//! let report = fixed(&mut search, &tree.root(), 3, &Limits::none()).expect("nothing stops it");
//! assert_eq!(report.score, Score::win_in(3));
//! ```

pub mod alphabeta;
mod deepening;
pub mod escape;
mod minimax;
mod of_part;
mod order;
mod path;
pub mod shared_table;
mod subproblems;
pub mod sum;
mod table;
mod uct;

pub use alphabeta::AlphaBeta;
pub use deepening::{
    Interrupted, ParseInterruptedError, Report, Schedule, deepen, deepen_until, fixed,
};
pub use minimax::{Minimax, static_line};
pub use order::{AsListed, Order};
pub use path::PathRepetition;
pub use subproblems::{PartReport, SearchPart, SplitReport, Subproblems};
pub use table::Table;
pub use uct::{Uct, UctAnswer};

use game::Game;
use game::limits::{Meter, Stopped};
use game::score::Score;

/// A value and the play that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// The value for the player to move.
    pub score: Score,
    /// The best play of both sides, as far as it is known: up to the end of the game or of the
    /// search, or to where a table answered.
    pub pv: Vec<M>,
}

/// A search to a given depth.
pub trait Searcher<G: Game> {
    /// The value of `position`, searched `depth` plies deep.
    ///
    /// # Errors
    ///
    /// If a limit is met first.
    fn search(
        &mut self,
        position: &G::Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<G::Move>, Stopped>;

    /// The static evaluation of `position`, and any legal move: the answer when there is no time to search.
    fn static_line(&self, position: &G::Position) -> Line<G::Move>;

    /// The best of the root's moves that the last search had finished when a limit stopped it, if it knows.
    fn unfinished(&self) -> Option<Line<G::Move>> {
        None
    }
}
