//! Game-theoretic values: what a position is worth with best play by both sides.
//!
//! A [`Truth`] is the distance-to-win value that endgame tables hold (win, draw or loss, and in how
//! many plies); a [`Wdl`] is the same without the distance. Both are for the player to move, and both
//! are ordered: what is better for that player is greater, a sooner win than a later one, a later
//! loss than a sooner one.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Game, Outcome};

/// A game-theoretic value, for the player to move.
///
/// ```
/// use game::truth::{Truth, Wdl};
///
/// assert!(Truth::Win(3) > Truth::Win(5) && Truth::Draw > Truth::Loss(200));
/// assert!(Truth::Loss(8) > Truth::Loss(2));
/// assert_eq!(Truth::Loss(2).one_ply_earlier(), Truth::Win(3));
/// assert_eq!((Truth::Win(3).outcome(), Truth::Win(3).plies()), (Wdl::Win, Some(3)));
/// assert_eq!(Truth::Loss(4).to_string(), "loss in 4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Truth {
    /// Won in this many plies against the longest defence.
    Win(u32),
    /// Neither side can force a win.
    Draw,
    /// Lost in this many plies at the longest; 0 if the game is over.
    Loss(u32),
}

/// Who wins, for the player to move: win, draw or loss without the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Truth {
    /// The value of a finished game, for the player who would be to move.
    #[inline]
    pub fn of_outcome<G: Game>(game: &G, position: &G::Position, outcome: Outcome) -> Truth {
        match outcome {
            Outcome::Draw => Truth::Draw,
            Outcome::Win(side) if side == game.side_to_move(position) => Truth::Win(0),
            Outcome::Win(_) => Truth::Loss(0),
        }
    }

    /// Who wins.
    #[inline]
    pub const fn outcome(self) -> Wdl {
        match self {
            Truth::Win(_) => Wdl::Win,
            Truth::Draw => Wdl::Draw,
            Truth::Loss(_) => Wdl::Loss,
        }
    }

    /// In how many plies the game ends; none for a draw.
    #[inline]
    pub const fn plies(self) -> Option<u32> {
        match self {
            Truth::Win(plies) | Truth::Loss(plies) => Some(plies),
            Truth::Draw => None,
        }
    }

    /// What the position is worth to the player who moves into it: the other side's value, a ply
    /// further from the end.
    #[inline]
    pub const fn one_ply_earlier(self) -> Truth {
        match self {
            Truth::Win(plies) => Truth::Loss(plies + 1),
            Truth::Draw => Truth::Draw,
            Truth::Loss(plies) => Truth::Win(plies + 1),
        }
    }

    /// Greater is better for the player to move.
    #[inline]
    const fn rank(self) -> i64 {
        match self {
            Truth::Win(plies) => u32::MAX as i64 + 1 - plies as i64,
            Truth::Draw => 0,
            Truth::Loss(plies) => plies as i64 - u32::MAX as i64 - 1,
        }
    }
}

impl Ord for Truth {
    #[inline]
    fn cmp(&self, other: &Truth) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Truth {
    #[inline]
    fn partial_cmp(&self, other: &Truth) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Truth {
    /// `win in 3`, `draw`, `loss in 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.outcome()),
            None => fmt::Display::fmt(&self.outcome(), f),
        }
    }
}

/// As data, the two keys that every answer has: `{"outcome": "win", "plies": 3}`, with null for a draw.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct Keys {
    /// Who wins.
    outcome: Wdl,
    /// The distance in plies; null for every draw, 0 for a game that is decided.
    plies: Option<u32>,
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Truth {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        Keys::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Truth {
    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        Keys::schemas(schemas);
    }
}

impl Serialize for Truth {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Keys { outcome: self.outcome(), plies: self.plies() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Truth {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Truth, D::Error> {
        match Keys::deserialize(deserializer)? {
            Keys { outcome: Wdl::Win, plies: Some(plies) } => Ok(Truth::Win(plies)),
            Keys { outcome: Wdl::Draw, plies: None } => Ok(Truth::Draw),
            Keys { outcome: Wdl::Loss, plies: Some(plies) } => Ok(Truth::Loss(plies)),
            _ => Err(serde::de::Error::custom("a win or a loss has plies, and a draw has none")),
        }
    }
}

/// A number of plies in words: `1 ply`, `3 plies`.
///
/// ```
/// use game::truth::Plies;
///
/// assert_eq!([Plies(1), Plies(12)].map(|plies| plies.to_string()), ["1 ply", "12 plies"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plies(pub u32);

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 ply"),
            plies => write!(f, "{plies} plies"),
        }
    }
}

impl Wdl {
    /// The same for the other player.
    #[inline]
    #[must_use]
    pub const fn reversed(self) -> Wdl {
        match self {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        }
    }

    /// `win`, `draw` or `loss`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASCENDING: [Truth; 7] = [
        Truth::Loss(0),
        Truth::Loss(1),
        Truth::Loss(u32::MAX),
        Truth::Draw,
        Truth::Win(u32::MAX),
        Truth::Win(1),
        Truth::Win(0),
    ];

    #[test]
    fn sooner_wins_and_later_losses_are_greater() {
        assert!(ASCENDING.is_sorted_by(|one, other| one < other));
        assert!(ASCENDING.is_sorted_by_key(|truth| truth.outcome()));
    }

    #[test]
    fn a_ply_earlier_turns_the_order_round() {
        let finite = ASCENDING.into_iter().filter(|truth| truth.plies() != Some(u32::MAX));
        let earlier: Vec<Truth> = finite.map(Truth::one_ply_earlier).collect();
        assert!(earlier.is_sorted_by(|one, other| one > other));
    }
}
