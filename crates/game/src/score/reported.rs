//! Scores as UCI and PGN write them: centipawns, or a mate in a number of moves.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Score, Verdict};
use crate::truth::Truth;

/// A score as players report it. This is the one place where plies become moves.
///
/// ```
/// use game::score::{ReportedScore, Score};
///
/// assert_eq!(ReportedScore::from(Score::win_in(5)), ReportedScore::Mate(3));
/// assert_eq!(ReportedScore::from(Score::loss_in(4)), ReportedScore::Mate(-2));
/// assert_eq!(ReportedScore::from(Score::estimate(35)).to_string(), "+0.35");
/// assert_eq!(ReportedScore::Mate(3).to_string(), "+M3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportedScore {
    /// In hundredths of the unit of the evaluation; positive is good.
    Cp(i32),
    /// The player to move wins, or loses if negative, in this many of its own moves.
    Mate(i32),
}

impl From<Score> for ReportedScore {
    fn from(score: Score) -> ReportedScore {
        // The move under way counts, and 0 would have no sign.
        let moves = |plies: u32| plies.div_ceil(2).max(1) as i32;
        match score.verdict() {
            Verdict::Known(Truth::Win(plies)) => ReportedScore::Mate(moves(plies)),
            Verdict::Known(Truth::Draw) => ReportedScore::Cp(0),
            Verdict::Known(Truth::Loss(plies)) => ReportedScore::Mate(-moves(plies)),
            Verdict::Estimate(value) => ReportedScore::Cp(value),
        }
    }
}

/// As in `+0.35`, `-12.00`, `+M3`.
impl fmt::Display for ReportedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ReportedScore::Cp(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            ReportedScore::Mate(moves) if moves < 0 => write!(f, "-M{}", moves.unsigned_abs()),
            ReportedScore::Mate(moves) => write!(f, "+M{moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_become_moves_of_the_player_s_own() {
        let mate = |score| match ReportedScore::from(score) {
            ReportedScore::Mate(moves) => moves,
            ReportedScore::Cp(_) => panic!("{score} is decided"),
        };
        assert_eq!([1, 3, 5].map(|plies| mate(Score::win_in(plies))), [1, 2, 3]);
        assert_eq!([0, 2, 4].map(|plies| mate(Score::loss_in(plies))), [-1, -1, -2]);
        assert_eq!(ReportedScore::from(Score::estimate(-7)), ReportedScore::Cp(-7));
    }

    #[test]
    fn they_are_written_as_in_records() {
        let texts = [ReportedScore::Cp(-1200), ReportedScore::Cp(5), ReportedScore::Mate(-2)];
        assert_eq!(texts.map(|score| score.to_string()), ["-12.00", "+0.05", "-M2"]);
    }
}
