//! Players: anything that chooses moves, for any game.
//!
//! A [`Player`] is asked for a move at every [`Turn`] of a game in progress and answers with a [`Choice`],
//! or with a [`Fault`], which loses the game. Engines, published algorithms and other programs are all
//! players.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Game;
use crate::clock::Clock;
use crate::limits::Limits;
use crate::score::ReportedScore;

/// A game in progress: a position, and as much of its past as the rules ask about.
pub trait InProgress {
    /// The rules it is played by.
    type Game: Game;

    /// The rules it is played by.
    fn game(&self) -> &Self::Game;

    /// The position on the board.
    fn position(&self) -> &<Self::Game as Game>::Position;
}

/// A player: chooses moves in a game in progress.
///
/// A player is used for many games, one after another, by one thread. Whatever it learnt in one game
/// it forgets before the next, so that a game depends on its seed and not on what was played before it.
///
/// ```
/// use game::Game;
/// use game::limits::Limits;
/// use game::player::{Choice, Fault, InProgress, Info, NewGame, Player, Turn};
/// use game::tree::{At, Tree, leaf, node};
///
/// /// A tree, and where one is in it.
/// struct Walk(Tree, At);
///
/// impl InProgress for Walk {
///     type Game = Tree;
///     fn game(&self) -> &Tree { &self.0 }
///     fn position(&self) -> &At { &self.1 }
/// }
///
/// struct First;
///
/// impl Player<Walk> for First {
///     fn new_game(&mut self, _: &NewGame<'_, Tree>) -> Result<(), Fault> { Ok(()) }
///     fn choose(&mut self, walk: &Walk, _: &Turn) -> Result<Choice<<Tree as Game>::Move>, Fault> {
///         let mv = *walk.0.moves(&walk.1).first().ok_or_else(Fault::no_legal_move)?;
///         Ok(Choice { mv, info: Info::default() })
///     }
/// }
///
/// let tree = Tree::new(node([leaf(1), leaf(0)]));
/// let root = tree.root();
/// let choice = First.choose(&Walk(tree, root), &Turn::from(Limits::depth(1)))?;
/// assert_eq!(choice.info.nodes, None);
/// # Ok::<(), Fault>(())
/// ```
pub trait Player<P: InProgress>: Send {
    /// Forgets the last game and gets ready for another one.
    ///
    /// # Errors
    ///
    /// If it cannot play; the game is lost.
    fn new_game(&mut self, game: &NewGame<'_, P::Game>) -> Result<(), Fault>;

    /// Chooses a move for the side to move. The game is not over.
    ///
    /// # Errors
    ///
    /// If it cannot; the game is lost.
    fn choose(&mut self, play: &P, turn: &Turn) -> Result<Choice<<P::Game as Game>::Move>, Fault>;
}

/// The start of a game, as a player sees it.
#[derive(Clone, Copy, Debug)]
pub struct NewGame<'a, G> {
    /// The rules.
    pub game: &'a G,
    /// The seed of a player that plays at random.
    pub seed: u64,
    /// How long the player may take to get ready.
    pub patience: Duration,
}

/// A turn: what a player knows when it is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// What the move may cost; a player keeps to everything that is set.
    pub limits: Limits,
    /// What the other player's clock shows, in games on clocks.
    pub opponent_clock: Option<Clock>,
    /// How long an answer is waited for; after that, the game is lost.
    pub patience: Duration,
}

impl From<Limits> for Turn {
    /// A turn under these limits, with a minute's patience.
    fn from(limits: Limits) -> Turn {
        Turn { limits, opponent_clock: None, patience: Duration::from_secs(60) }
    }
}

/// A chosen move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice<M> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: M,
    /// What the player says about it.
    #[serde(flatten)]
    pub info: Info,
}

/// What a player reports about its choice, as far as it does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// How deep it looked, in plies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// Its score.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<ReportedScore>,
    /// How many nodes it visited.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// How many pieces each part had, if it cut the board into parts to choose.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub parts: Vec<usize>,
}

/// A fault: how a player loses a game other than on the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It cannot be started, has ended, or answers with something invalid.
    #[error("{0}")]
    Crash(String),
    /// It did not answer in time.
    #[error("no move after {:.3} s, where {:.3} s were allowed", .took.as_secs_f64(), .had.as_secs_f64())]
    Timeout {
        /// How long it took, at least.
        took: Duration,
        /// How long it had.
        had: Duration,
    },
    /// It wants to make an illegal move.
    #[error("{0}")]
    Illegal(String),
}

impl Fault {
    /// The player was asked for a move where there is none, which a referee never does.
    pub fn no_legal_move() -> Fault {
        Fault::Crash("there is no legal move to choose".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_say_what_happened() {
        let late =
            Fault::Timeout { took: Duration::from_millis(1500), had: Duration::from_secs(1) };
        assert_eq!(late.to_string(), "no move after 1.500 s, where 1.000 s were allowed");
        assert_eq!(Fault::Illegal("x".to_owned()).to_string(), "x");
    }

    #[test]
    fn a_turn_has_a_minute_unless_told_otherwise() {
        let turn = Turn::from(Limits::nodes(5));
        assert_eq!((turn.limits.nodes, turn.patience), (Some(5), Duration::from_secs(60)));
    }
}
