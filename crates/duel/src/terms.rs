//! Terms: by which rules and at which pace two people play.

use jungle::Rules;
use serde::{Deserialize, Serialize};

/// A point in time, in milliseconds since 1970, or a length of time in milliseconds.
pub type Millis = u64;

/// How much time the players have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Pace {
    /// As much as they like.
    #[default]
    Free,
    /// A clock for the game, with an increment after every move.
    Clock {
        /// Seconds at the start.
        #[cfg_attr(feature = "openapi", schema(minimum = 10, maximum = 10800))]
        initial: u32,
        /// Seconds added after every move.
        #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 180))]
        increment: u32,
    },
    /// Correspondence: so many days for every move.
    Days {
        /// Days for a move.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 14))]
        days: u32,
    },
}

/// The seconds of a clock at the start.
const INITIAL: std::ops::RangeInclusive<u32> = 10..=10_800;
/// The most seconds added after a move.
const MOST_INCREMENT: u32 = 180;
/// Days for a move.
const DAYS: std::ops::RangeInclusive<u32> = 1..=14;
/// A day.
pub(crate) const DAY: Millis = 24 * 60 * 60 * 1000;

impl Pace {
    /// The same, if it is one that is played.
    ///
    /// # Errors
    ///
    /// If it is too short or too long.
    pub fn checked(self) -> Result<Pace, BadTerms> {
        let fits = match self {
            Pace::Free => true,
            Pace::Clock { initial, increment } => {
                INITIAL.contains(&initial) && increment <= MOST_INCREMENT
            }
            Pace::Days { days } => DAYS.contains(&days),
        };
        if fits { Ok(self) } else { Err(BadTerms) }
    }
}

/// A pace is too short or too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this pace is not played: a clock begins with 10 to 10800 seconds and adds up to 180 a move, or there are 1 to 14 days \
     for a move"
)]
pub struct BadTerms;

/// What two players agree on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The rules.
    pub rules: Rules,
    /// How much time there is.
    pub pace: Pace,
}
