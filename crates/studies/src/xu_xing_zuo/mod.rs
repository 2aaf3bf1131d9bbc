//! Xu, Xing & Zuo: *A Region-divided Search Algorithm for Game Amazons*: the cost of a search by regions, how
//! exact its formula for values is, and whether it wins games.

mod causes;
mod classes;
pub mod duel;
pub mod exactness;
pub mod figure3;
mod formula5;
mod game;
mod reasons;

use amazons::{Position, Size};

pub use causes::{Cause, Causes, Trace};
pub use classes::{Classes, Known, Reply, TooMany};
pub use duel::Duel;
pub use exactness::Exactness;
pub use figure3::Figure3;

/// The start on a board.
pub(crate) fn start(size: Size) -> Position {
    Position::start(size.files(), size.ranks()).expect("a size is a size of a board")
}
