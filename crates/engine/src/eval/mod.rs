//! Judging positions.
//!
//! The search knows evaluations only through [`Evaluator`]: something that is told of every move made
//! and taken back, so that it can keep sums up to date, and asked for a value now and then.

mod thesis;

pub use thesis::ThesisSum;

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
