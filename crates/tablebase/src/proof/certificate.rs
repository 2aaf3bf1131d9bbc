//! What a proof says, as data.

use game::truth::{Truth, Wdl};
use jungle::Color;
use serde::Serialize;

/// A proof that a position is won or lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// The outcome for the player to move.
    pub outcome: Wdl,
    /// Within how many plies the game ends.
    pub plies: u32,
    /// What the proof rests on.
    pub by: By,
    /// The strategy.
    pub certificate: Certificate,
}

impl Proof {
    /// The claim: the distance is a bound.
    pub fn truth(&self) -> Truth {
        match self.outcome {
            Wdl::Win => Truth::Win(self.plies),
            Wdl::Draw => Truth::Draw,
            Wdl::Loss => Truth::Loss(self.plies),
        }
    }
}

/// What a proof rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// One piece runs, and no enemy is in time.
    Race,
    /// Some pieces of both sides; the winner moves with its own.
    Part,
    /// The same, and the winner waits with a spare piece.
    Tempo,
}

/// A strategy with what it rests on. Squares and moves are text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Certificate {
    /// The position.
    pub fen: String,
    /// Whose strategy it is.
    pub winner: Color,
    /// The squares of the pieces that decide.
    pub part: Vec<String>,
    /// Where a spare piece stands, and where it steps to and from to wait.
    pub spare: Option<[String; 2]>,
    /// Within how many plies the winner wins.
    pub plies: u32,
    /// What the winner plays.
    pub strategy: Vec<Step>,
}

/// What the winner plays in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// How many plies have been played.
    pub after: u32,
    /// The pieces of the part, as a FEN.
    pub position: String,
    /// The move, or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
}
