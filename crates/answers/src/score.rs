//! Scores and winning chances as data.

use std::fmt;

use game::score::Verdict;
use serde::Serialize;

/// A score, for the side to move: an estimate, or a win, draw or loss that is certain.
///
/// ```
/// use answers::Score;
///
/// let json = |score| serde_json::to_string(&score).unwrap();
/// assert_eq!(json(Score::Cp(35)), r#"{"cp":35}"#);
/// assert_eq!(json(Score::Loss(4)), r#"{"loss":4}"#);
/// assert_eq!(json(Score::Draw), r#"{"draw":true}"#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Keys")]
pub enum Score {
    /// An estimate, in hundredths of the evaluation's unit.
    Cp(i32),
    /// Won in this many plies.
    Win(u32),
    /// Certainly drawn.
    Draw,
    /// Lost in this many plies.
    Loss(u32),
}

impl Score {
    /// The score of a line, which may be known to be drawn.
    pub fn new(score: game::score::Score, is_drawn: bool) -> Score {
        match score.verdict() {
            _ if is_drawn => Score::Draw,
            Verdict::Win(plies) => Score::Win(plies),
            Verdict::Loss(plies) => Score::Loss(plies),
            Verdict::Estimate(value) => Score::Cp(value),
        }
    }
}

impl From<game::score::Score> for Score {
    fn from(score: game::score::Score) -> Score {
        Score::new(score, false)
    }
}

impl fmt::Display for Score {
    /// `win in 3`, `-42`, `draw`, `loss in 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(value) => write!(f, "{value}"),
            Score::Win(plies) => write!(f, "win in {plies}"),
            Score::Draw => f.write_str("draw"),
            Score::Loss(plies) => write!(f, "loss in {plies}"),
        }
    }
}

/// A score as its one key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
enum Keys {
    /// An estimate, in hundredths of the evaluation's unit.
    Cp(i32),
    /// Won in this many plies.
    Win(u32),
    /// Lost in this many plies.
    Loss(u32),
    /// Always true.
    Draw(bool),
}

impl From<Score> for Keys {
    fn from(score: Score) -> Keys {
        match score {
            Score::Cp(value) => Keys::Cp(value),
            Score::Win(plies) => Keys::Win(plies),
            Score::Draw => Keys::Draw(true),
            Score::Loss(plies) => Keys::Loss(plies),
        }
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Score {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        Keys::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Score {}

/// Winning chances of the side to move, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Chances {
    /// Of winning.
    pub win: u16,
    /// Of drawing.
    pub draw: u16,
    /// Of losing.
    pub loss: u16,
}

impl From<engine::Chances> for Chances {
    fn from(chances: engine::Chances) -> Chances {
        let engine::Chances { win, draw, loss } = chances;
        Chances { win, draw, loss }
    }
}
