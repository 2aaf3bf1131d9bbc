//! Actions: what a player wants to do, and why it is not done.

use jungle::{IllegalMove, ParseMoveError};
use serde::Deserialize;

use crate::event::{Finish, Offer, Phrase};

/// What a player wants to do.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Action {
    /// The version of the duel that the player saw. What was meant for another board is not done.
    pub version: u32,
    /// What to do.
    pub deed: Deed,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Deed {
    /// Move.
    Move {
        /// Coordinates, as in `a3a4`.
        #[serde(rename = "move")]
        mv: String,
    },
    /// Offer something; what the other has offered is accepted by that.
    Offer {
        /// What.
        offer: Offer,
    },
    /// Accept what the other offers.
    Accept {
        /// What.
        offer: Offer,
    },
    /// Decline everything that the other offers.
    Decline {},
    /// Resign; before both have moved, call it off.
    Resign {},
    /// Say something.
    Say {
        /// What.
        phrase: Phrase,
    },
}

impl Action {
    /// A move on the board of a version.
    pub fn moving(version: u32, mv: &str) -> Action {
        Action { version, deed: Deed::Move { mv: mv.to_owned() } }
    }
}

/// Why something is not done. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nobody has joined yet.
    #[error("nobody has joined yet: send the link of the invitation to somebody")]
    Alone,
    /// The other seat is taken.
    #[error("somebody else has joined with this link: ask for a new one")]
    Taken,
    /// It is not an invitation to this duel.
    #[error("this link invites to nothing: copy the whole of it, or ask for a new one")]
    NoInvitation,
    /// Both seats would be of one key.
    #[error("this is your own invitation: send it to somebody else")]
    Oneself,
    /// It is over.
    #[error("the game is over: {}", .0.words())]
    Over(Finish),
    /// It goes on.
    #[error("the game still goes on")]
    GoesOn,
    /// The board has changed since.
    #[error("the board has changed since: look at it again")]
    Stale,
    /// It is about a version that is not there yet.
    #[error("there is no version {0} yet")]
    Ahead(u32),
    /// It is the other one's turn.
    #[error("it is the other side's turn")]
    NotYourTurn,
    /// There is nothing to accept or decline.
    #[error("nothing of the kind is offered")]
    NoOffer,
    /// It was offered, or said, often enough.
    #[error("that was asked or said often enough: make a move first")]
    Enough,
    /// There is no move to take back.
    #[error("you have made no move that could be taken back")]
    NoMove,
    /// It is not a move.
    #[error(transparent)]
    NotAMove(#[from] ParseMoveError),
    /// It is not a legal move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}
