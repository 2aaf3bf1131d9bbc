//! The codec: the values of a class compressed in blocks that can be read one at a time.
//!
//! Only one side to move is stored. The other one, the side with fewer pieces, owns the runner and
//! the last fixed piece and nothing else, so all its quiet moves stay within one plane of the grid:
//! its values follow from one ply of search in rows that are close together in the file. (A class in
//! which both sides have more than two pieces stores both, and any other if it is told to.)
//!
//! A payload has three parts, their lengths in front: the models, an index of the blocks, and groups of
//! blocks, each with its outcomes and its distances side by side: see `parts` and `index`, also for how older
//! payloads differ.

mod block;
mod compress;
mod decode;
mod distance;
mod encode;
mod index;
mod model;
mod outcome;
mod parts;
mod rans;
mod rebuild;

use jungle::Color;

pub use self::decode::Decoder;
pub use self::encode::encode;
use crate::grid::Grid;

/// The sides to move whose values are stored.
fn stored_turns(grid: &Grid) -> Vec<Color> {
    match grid.rebuilt() {
        Some(color) => vec![!color],
        None => Color::ALL.to_vec(),
    }
}

/// How many bytes the parts of a table take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The models of both.
    pub models: u64,
    /// Who wins, with the index.
    pub outcomes: u64,
    /// How soon, with an index of their own in files of version 2.
    pub distances: u64,
}
