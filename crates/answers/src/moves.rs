//! Legal moves: a position in a game, with its legal moves.

use jungle::{Animal, Color, Ending, IllegalMove, Move, Play};
use serde::Serialize;

use crate::notation::algebraic;

/// Legal moves of a position in a game, and how it came about.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameState {
    /// The position, with its counters.
    pub fen: String,
    /// The rules, in their shortest form.
    pub rules: String,
    /// Who is to move.
    pub turn: Color,
    /// The hash of the pieces and the side to move, in hexadecimal.
    pub key: String,
    /// The legal moves; none when the game is over.
    pub moves: Vec<LegalMove>,
    /// How the game ended, if it is over.
    pub ending: Option<Ending>,
    /// How often the position has occurred in this game.
    pub occurrences: usize,
    /// The moves that led here.
    pub played: Vec<PlayedMove>,
}

/// A legal move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LegalMove {
    /// Coordinates, as in `a3b3`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form, as in `Eb3`.
    pub san: String,
    /// The letter of the animal taken, if one is.
    pub captures: Option<char>,
}

/// A move that was made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayedMove {
    /// Coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form.
    pub san: String,
    /// The letter of the animal taken, if one was.
    pub captures: Option<char>,
    /// The position after it.
    pub fen: String,
}

fn captures(mv: Move) -> Option<char> {
    mv.captured.map(Animal::letter)
}

impl GameState {
    /// The state of a game.
    pub fn of(play: &Play) -> GameState {
        let (jungle, position) = (play.jungle(), play.position());
        let legal = |mv: Move| LegalMove {
            mv: mv.to_string(),
            san: algebraic(jungle, position, mv),
            captures: captures(mv),
        };
        GameState {
            fen: play.setup().to_string(),
            rules: jungle.rules().to_string(),
            turn: position.turn(),
            key: format!("{:016x}", position.key()),
            moves: play.legal_moves().into_iter().map(legal).collect(),
            ending: play.ending(),
            occurrences: play.occurrences(),
            played: played(play).expect("moves of a game are legal"),
        }
    }
}

/// The moves of a game, made again one by one.
fn played(play: &Play) -> Result<Vec<PlayedMove>, IllegalMove> {
    let jungle = play.jungle();
    let replay = Play::new(jungle.clone(), &play.initial_setup());
    let mut replay = replay.expect("a game begins at a position");
    let mut played = Vec::with_capacity(play.moves().len());
    for &mv in play.moves() {
        let san = algebraic(jungle, replay.position(), mv);
        replay.play(mv)?;
        let fen = replay.setup().to_string();
        played.push(PlayedMove { mv: mv.to_string(), san, captures: captures(mv), fen });
    }
    Ok(played)
}
