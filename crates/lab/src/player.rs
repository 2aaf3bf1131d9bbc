//! What a player is: something that chooses moves, and can fail at it.

use std::fmt;
use std::time::Duration;

use jungle::{Jungle, Move, Play};
use serde::{Deserialize, Serialize};

use crate::Limit;

/// Something that chooses moves.
///
/// A player is used for many games, one after another, by one thread. Whatever it learnt in one
/// game it forgets before the next, so that a game depends on its seed and not on what was played
/// before it.
pub trait Player: Send {
    /// Forgets the last game and gets ready for another one.
    ///
    /// # Errors
    ///
    /// If it cannot play; the game is lost.
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault>;

    /// Chooses a move for the side to move. The game is not over.
    ///
    /// # Errors
    ///
    /// If it cannot; the game is lost.
    fn choose(&mut self, play: &Play, limit: &Limit) -> Result<Choice, Fault>;
}

/// What a player is told when a game begins.
#[derive(Clone, Copy, Debug)]
pub struct NewGame<'a> {
    /// The rules.
    pub jungle: &'a Jungle,
    /// Where a player that throws dice gets them from.
    pub seed: u64,
    /// How long anyone waits for it to get ready.
    pub patience: Duration,
}

/// A chosen move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// What the player says about it.
    pub info: Info,
}

/// What a player says about its choice, as far as it does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// How deep it looked, in plies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// What it thinks of its prospects.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<Score>,
    /// How many nodes it looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// How many pieces each part had, if it cut the board into parts to choose.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub parts: Vec<usize>,
}

/// What a player thinks of its prospects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// In hundredths of the unit of its evaluation; positive is good.
    Cp(i32),
    /// It wins, or loses if negative, in so many moves (its own, as in UCI).
    Mate(i32),
}

/// As in `+0.35`, `-12.00`, `+M3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Cp(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            Score::Mate(moves) if moves < 0 => write!(f, "-M{}", moves.unsigned_abs()),
            Score::Mate(moves) => write!(f, "+M{moves}"),
        }
    }
}

/// Why a player loses a game other than on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It cannot be started, has gone, or says nonsense.
    Crash(String),
    /// It did not answer in time.
    Timeout {
        /// How long it took, at least.
        took: Duration,
        /// How long it had.
        had: Duration,
    },
    /// It wants to make an illegal move.
    Illegal(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Crash(why) => f.write_str(why),
            Fault::Timeout { took, had } => {
                let (took, had) = (took.as_secs_f64(), had.as_secs_f64());
                write!(f, "no move after {took:.3} s, where {had:.3} s were allowed")
            }
            Fault::Illegal(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Fault {}
