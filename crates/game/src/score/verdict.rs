//! What a score means: a game-theoretic value, or an estimate.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::truth::Truth;

/// A game-theoretic value where one is known, else an estimate; for the player to move.
///
/// As data it has one key:
///
/// ```
/// use game::score::{Score, Verdict};
/// use game::truth::Truth;
///
/// let json = |verdict| serde_json::to_string(&verdict).unwrap();
/// assert_eq!(json(Score::estimate(35).verdict()), r#"{"cp":35}"#);
/// assert_eq!(json(Score::loss_in(4).verdict()), r#"{"loss":4}"#);
/// assert_eq!(json(Verdict::Known(Truth::Draw)), r#"{"draw":true}"#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "Keys", from = "Keys")]
pub enum Verdict {
    /// Won, drawn or lost. A [`Score`](super::Score) alone never means a draw, since 0 may be an estimate as well.
    Known(Truth),
    /// An estimate, in hundredths of the evaluation's unit.
    Estimate(i32),
}

impl From<Truth> for Verdict {
    fn from(truth: Truth) -> Verdict {
        Verdict::Known(truth)
    }
}

impl fmt::Display for Verdict {
    /// `win in 3`, `-42`, `draw`, `loss in 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Known(truth) => truth.fmt(f),
            Verdict::Estimate(value) => value.fmt(f),
        }
    }
}

/// The one key.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
enum Keys {
    /// An estimate, in hundredths of the evaluation's unit.
    Cp(i32),
    /// A win in this many plies.
    Win(u32),
    /// A loss in this many plies.
    Loss(u32),
    /// Always true.
    Draw(bool),
}

impl From<Verdict> for Keys {
    fn from(verdict: Verdict) -> Keys {
        match verdict {
            Verdict::Estimate(value) => Keys::Cp(value),
            Verdict::Known(Truth::Win(plies)) => Keys::Win(plies),
            Verdict::Known(Truth::Draw) => Keys::Draw(true),
            Verdict::Known(Truth::Loss(plies)) => Keys::Loss(plies),
        }
    }
}

impl From<Keys> for Verdict {
    fn from(keys: Keys) -> Verdict {
        match keys {
            Keys::Cp(value) => Verdict::Estimate(value),
            Keys::Win(plies) => Verdict::Known(Truth::Win(plies)),
            Keys::Draw(_) => Verdict::Known(Truth::Draw),
            Keys::Loss(plies) => Verdict::Known(Truth::Loss(plies)),
        }
    }
}

/// Verdicts and scores look alike, under one name.
#[cfg(feature = "openapi")]
mod openapi {
    use std::borrow::Cow;

    use utoipa::openapi::{RefOr, Schema};
    use utoipa::{PartialSchema, ToSchema};

    use super::{Keys, Verdict};
    use crate::score::Score;

    impl PartialSchema for Verdict {
        fn schema() -> RefOr<Schema> {
            Keys::schema()
        }
    }

    impl ToSchema for Verdict {
        fn name() -> Cow<'static, str> {
            Score::name()
        }
    }

    impl PartialSchema for Score {
        fn schema() -> RefOr<Schema> {
            Keys::schema()
        }
    }

    impl ToSchema for Score {}
}
