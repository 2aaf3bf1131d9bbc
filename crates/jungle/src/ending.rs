//! How and why games end.

use std::fmt;

use game::Outcome;
use serde::{Deserialize, Serialize};

use crate::Color;

/// Why a game is over. Its name in data formats is as in `no-legal-move`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EndReason {
    /// A piece entered the enemy's den.
    Den,
    /// A side has lost its last piece.
    Annihilation,
    /// The side to move has no legal move.
    NoLegalMove,
    /// A position occurred for the third time.
    Repetition,
    /// Each side has made as many moves as the rules allow.
    MoveLimit,
    /// No piece has been taken for as many plies as the rules allow.
    QuietLimit,
}

/// How and why a game ended. As data: `{"winner": "white", "reason": "den", "text": "Red wins by entering the
/// den"}`, with null for the winner of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// The winner, or `None` for a draw.
    pub winner: Option<Color>,
    /// What ended it.
    pub reason: EndReason,
}

impl Ending {
    /// The ending as the outcome of a general two-player game.
    pub fn outcome(self) -> Outcome {
        self.winner.map_or(Outcome::Draw, |color| Outcome::Win(color.player()))
    }

    /// In words, with the names that the sides have in chess programs.
    pub fn in_chess_words(self) -> String {
        self.words(|color| color.chess_name().to_owned())
    }

    fn words(self, name: impl Fn(Color) -> String) -> String {
        let Some(winner) = self.winner else {
            return format!("draw by {}", self.reason);
        };
        let (winner, loser) = (name(winner), name(!winner));
        match self.reason {
            EndReason::NoLegalMove => format!("{winner} wins: {loser} has no legal move"),
            EndReason::Repetition => {
                format!("{winner} wins: {loser} repeated the position a third time")
            }
            reason => format!("{winner} wins by {reason}"),
        }
    }
}

/// In words, as in `Red wins by entering the den` or `draw by repetition`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(|color| color.to_string()))
    }
}

/// In words that fit after "by", as in `entering the den`.
impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndReason::Den => "entering the den",
            EndReason::Annihilation => "taking the last piece",
            EndReason::NoLegalMove => "want of a legal move",
            EndReason::Repetition => "repetition",
            EndReason::MoveLimit => "the move limit",
            EndReason::QuietLimit => "the limit on moves without a capture",
        })
    }
}

/// An ending as data.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct Keys {
    /// Who won; null for a draw.
    winner: Option<Color>,
    /// What ended the game.
    reason: EndReason,
    /// In words.
    text: String,
}

impl Serialize for Ending {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Ending { winner, reason } = *self;
        Keys { winner, reason, text: self.to_string() }.serialize(serializer)
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Ending {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        Keys::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Ending {
    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        Keys::schemas(schemas);
    }
}
