//! Static evaluation, updated incrementally.
//!
//! The search knows evaluations only through [`Evaluator`]: something that is told of every move made
//! and taken back, so that it can keep sums up to date, and asked for a value now and then.

mod champion;
pub mod features;
pub mod geometry;
mod thesis;
pub(crate) mod weights;

pub use champion::Champion;
pub use thesis::ThesisSum;

use std::str::FromStr;

use jungle::{Jungle, Move, Position};

/// A judge of positions who follows a game move by move.
pub trait Evaluator: Clone + Send {
    /// Starts anew from this position.
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
    /// The strongest.
    #[default]
    Champion,
    /// The thesis'.
    Thesis,
}

/// There is no evaluation of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected champion or thesis")]
pub struct UnknownEvaluation;

impl FromStr for Evaluation {
    type Err = UnknownEvaluation;

    fn from_str(name: &str) -> Result<Evaluation, UnknownEvaluation> {
        match name {
            "champion" => Ok(Evaluation::Champion),
            "thesis" => Ok(Evaluation::Thesis),
            _ => Err(UnknownEvaluation),
        }
    }
}
