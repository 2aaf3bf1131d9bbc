//! Events: what can happen in a duel, as it is kept. Names and fields are a format: they are never changed, only added to.

use jungle::{Color, EndReason, Ending};
use serde::{Deserialize, Serialize};

use crate::key::{DuelId, Key, KeyHash};
use crate::terms::{Millis, Pace, Terms};

/// How a duel began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Its name.
    pub id: DuelId,
    /// The rules, as text.
    pub rules: String,
    /// How much time there is.
    pub pace: Pace,
    /// The side of the host.
    pub host: Color,
    /// The host's key.
    pub host_key: KeyHash,
    /// The key with which the other seat is taken; none in a rematch.
    pub invitation: Option<KeyHash>,
    /// The guest's key; none before somebody joined.
    pub guest_key: Option<KeyHash>,
    /// When.
    pub at: Millis,
}

impl Opening {
    /// An invitation by the holder of a key, who takes this side.
    pub fn invite(host: &Key, terms: Terms, side: Color, at: Millis) -> Opening {
        let invitation = host.invitation();
        Opening {
            id: invitation.duel(),
            rules: terms.rules.to_string(),
            pace: terms.pace,
            host: side,
            host_key: host.hash(),
            invitation: Some(invitation.hash()),
            guest_key: None,
            at,
        }
    }
}

/// A numbered event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number; the first is 1.
    pub version: u32,
    /// When.
    pub at: Millis,
    /// What.
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// Somebody took the other seat.
    Joined {
        /// The guest's key.
        key: KeyHash,
    },
    /// The side to move moved.
    Moved {
        /// Coordinates, as in `a3a4`.
        #[serde(rename = "move")]
        mv: String,
    },
    /// Moves were taken back.
    TakenBack {
        /// How many.
        plies: u8,
    },
    /// Somebody offers something.
    Offered {
        /// Who.
        by: Color,
        /// What.
        offer: Offer,
    },
    /// Somebody does not want what was offered.
    Declined {
        /// Who declines.
        by: Color,
    },
    /// Somebody said something.
    Said {
        /// Who.
        by: Color,
        /// What.
        phrase: Phrase,
    },
    /// Clocks stood still, because no server was there.
    Paused {
        /// For how long.
        time: Millis,
    },
    /// It ended.
    Ended(Finish),
    /// Both want another: it has this name.
    Rematched {
        /// The name.
        id: DuelId,
    },
}

/// What can be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Offer {
    /// To call it a draw.
    Draw,
    /// To take back the last move of who asks.
    Takeback,
    /// To play again, with sides exchanged.
    Rematch,
}

/// What can be said: children play here, so that nobody can say anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Phrase {
    /// Hello!
    Hello,
    /// Good luck!
    GoodLuck,
    /// Good move!
    GoodMove,
    /// Oops!
    Oops,
    /// Let me think.
    Thinking,
    /// Your move!
    YourMove,
    /// I am back in a moment.
    Moment,
    /// Well played!
    WellPlayed,
    /// Thank you!
    Thanks,
    /// Goodbye!
    Bye,
}

/// How a duel ended. As data: `{"winner": "white", "reason": "time", "text": "Red wins: Blue ran out of time"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finish {
    /// Who won; null for a draw, and if it was not played.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

/// Why a duel is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Reason {
    /// On the board, or by a rule of the game.
    Board(EndReason),
    /// By the players or their clocks.
    Table(Call),
}

/// What ends a duel beside the rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Call {
    /// Somebody resigned.
    Resign,
    /// Somebody's time was up.
    Time,
    /// Both wanted a draw.
    Agreed,
    /// It is longer than anybody plays.
    Length,
    /// It was called off before both had moved.
    Aborted,
}

impl Reason {
    /// Somebody resigned.
    pub const RESIGN: Reason = Reason::Table(Call::Resign);
    /// Somebody's time was up.
    pub const TIME: Reason = Reason::Table(Call::Time);
    /// Both wanted a draw.
    pub const AGREED: Reason = Reason::Table(Call::Agreed);
    /// It is longer than anybody plays.
    pub const LENGTH: Reason = Reason::Table(Call::Length);
    /// It was called off before both had moved.
    pub const ABORTED: Reason = Reason::Table(Call::Aborted);
}

impl Finish {
    /// In words, as in `Red wins: Blue resigned`.
    pub fn words(&self) -> String {
        let loses = |how: &str| match self.winner {
            Some(winner) => format!("{winner} wins: {} {how}", !winner),
            None => format!("over: a player {how}"),
        };
        match self.reason {
            Reason::Board(reason) => Ending { winner: self.winner, reason }.to_string(),
            Reason::Table(Call::Resign) => loses("resigned"),
            Reason::Table(Call::Time) => loses("ran out of time"),
            Reason::Table(Call::Agreed) => "draw by agreement".to_owned(),
            Reason::Table(Call::Length) => "draw by the length of the game".to_owned(),
            Reason::Table(Call::Aborted) => "called off before both had moved".to_owned(),
        }
    }

    /// As PGN has it.
    pub fn result(&self) -> &'static str {
        match (self.winner, self.reason) {
            (Some(Color::White), _) => "1-0",
            (Some(Color::Black), _) => "0-1",
            (None, Reason::ABORTED) => "*",
            (None, _) => "1/2-1/2",
        }
    }
}

impl From<Ending> for Finish {
    fn from(ending: Ending) -> Finish {
        Finish { winner: ending.winner, reason: Reason::Board(ending.reason) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was written once has to be read for ever.
    #[test]
    fn the_format_of_events_stays() {
        let key = Key::from_bytes([1; 16]).hash();
        for (event, text) in [
            (Event::Joined { key }, format!(r#"{{"event":"joined","key":"{key}"}}"#)),
            (Event::Moved { mv: "a3a4".into() }, r#"{"event":"moved","move":"a3a4"}"#.into()),
            (Event::TakenBack { plies: 2 }, r#"{"event":"taken-back","plies":2}"#.into()),
            (
                Event::Offered { by: Color::Black, offer: Offer::Takeback },
                r#"{"event":"offered","by":"black","offer":"takeback"}"#.into(),
            ),
            (Event::Declined { by: Color::White }, r#"{"event":"declined","by":"white"}"#.into()),
            (
                Event::Said { by: Color::White, phrase: Phrase::GoodLuck },
                r#"{"event":"said","by":"white","phrase":"good-luck"}"#.into(),
            ),
            (Event::Paused { time: 9 }, r#"{"event":"paused","time":9}"#.into()),
            (
                Event::Ended(Finish { winner: None, reason: Reason::AGREED }),
                r#"{"event":"ended","winner":null,"reason":"agreed"}"#.into(),
            ),
            (
                Event::Ended(Finish {
                    winner: Some(Color::White),
                    reason: Reason::Board(EndReason::NoLegalMove),
                }),
                r#"{"event":"ended","winner":"white","reason":"no-legal-move"}"#.into(),
            ),
        ] {
            assert_eq!(serde_json::to_string(&event).unwrap(), text);
            assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event);
        }
    }
}
