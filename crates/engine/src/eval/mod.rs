//! Static evaluation, updated incrementally.
//!
//! The search sees evaluations only through [`Evaluator`]: it follows every move made and taken
//! back, so that it can update sums, and gives a value when needed.

mod breakdown;
mod burnett;
mod champion;
pub mod features;
pub mod geometry;
pub mod network;
mod networked;
pub mod text;
pub(crate) mod weights;

pub use breakdown::Breakdown;
pub use burnett::BurnettSum;
pub use champion::Champion;
pub use networked::Networked;

use std::str::FromStr;

use jungle::{Jungle, Move, Position};

/// An incremental evaluation: follows a game move by move.
pub trait Evaluator: Clone + Send {
    /// Starts from this position.
    fn reset(&mut self, position: &Position);

    /// A move is about to be made in this position.
    fn make(&mut self, position: &Position, mv: Move);

    /// The move made last, before this position, was taken back.
    fn unmake(&mut self, position: &Position, mv: Move);

    /// The value of the position followed, for the player to move; 100 is about a cat.
    fn evaluate(&mut self, jungle: &Jungle, position: &Position) -> i32;
}

/// The evaluations to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The champion's: tuned, the strongest.
    #[default]
    Champion,
    /// Burnett's.
    Burnett,
}

/// There is no evaluation of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected champion or burnett")]
pub struct UnknownEvaluation;

impl FromStr for Evaluation {
    type Err = UnknownEvaluation;

    fn from_str(name: &str) -> Result<Evaluation, UnknownEvaluation> {
        match name {
            "champion" => Ok(Evaluation::Champion),
            "burnett" | "thesis" => Ok(Evaluation::Burnett),
            _ => Err(UnknownEvaluation),
        }
    }
}
