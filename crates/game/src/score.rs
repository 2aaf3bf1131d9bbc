//! Scores: what a search says about a position, an estimate or a win or loss in a number of plies.
//!
//! All of it is one number, so that comparing two scores is comparing two numbers: estimates lie in the
//! middle, wins above them (the sooner the higher), losses below (the later the higher). Every score
//! fits sixteen bits, which is what transposition tables have room for.
//!
//! ```text
//! -32000        -30000                 0                 30000        32000
//!    |  lost in n  |      estimates, 0 is a draw           |  won in n  |
//! lost in 0                                                        won in 0
//! ```

mod reported;
mod verdict;
mod window;

use std::fmt;
use std::ops::Neg;

use serde::Serialize;

pub use reported::ReportedScore;
pub use verdict::Verdict;
pub use window::{Bound, Window};

use crate::truth::Truth;
use crate::{Game, Outcome};

/// A score, for the player to move.
///
/// ```
/// use game::score::{Score, Verdict};
/// use game::truth::Truth;
///
/// assert!(Score::win_in(3) > Score::win_in(5));
/// assert!(Score::win_in(5) > Score::estimate(12_345));
/// assert_eq!(-Score::win_in(3), Score::loss_in(3));
/// assert_eq!(Score::win_in(3).deeper(), Score::loss_in(4));
/// assert_eq!(Score::loss_in(4).verdict(), Verdict::Known(Truth::Loss(4)));
/// ```
///
/// As data it is its [`Verdict`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
#[serde(into = "Verdict")]
pub struct Score(i16);

impl Score {
    /// Neither side is better.
    pub const DRAW: Score = Score(0);
    /// Larger than the score of any position.
    pub const INFINITE: Score = Score(32_001);
    /// Smaller than the score of any position.
    pub const MINUS_INFINITE: Score = Score(-Score::INFINITE.0);
    /// The longest win or loss that can be distinguished from a longer one.
    pub const MAX_PLIES: u32 = 1_999;
    /// The largest estimate.
    pub const MAX_ESTIMATE: i32 = 30_000;

    const WIN: i16 = 32_000;

    /// An estimate in the units of the evaluation, cut off at the largest.
    #[inline]
    pub const fn estimate(value: i32) -> Score {
        Score::cut_off(value, Score::MAX_ESTIMATE)
    }

    /// A win in `plies`; in [`MAX_PLIES`](Score::MAX_PLIES) if that is less.
    #[inline]
    pub const fn win_in(plies: u32) -> Score {
        let plies = if plies > Score::MAX_PLIES { Score::MAX_PLIES } else { plies };
        Score(Score::WIN - plies as i16)
    }

    /// A loss in `plies`; in [`MAX_PLIES`](Score::MAX_PLIES) if that is less.
    #[inline]
    pub const fn loss_in(plies: u32) -> Score {
        Score(-Score::win_in(plies).0)
    }

    /// The score of a game that is over, for the player who would be to move.
    #[inline]
    pub fn of_outcome<G: Game>(game: &G, position: &G::Position, outcome: Outcome) -> Score {
        Truth::of_outcome(game, position, outcome).into()
    }

    /// The same position's score seen from one ply earlier, by the player who moves there: the sign
    /// changes, and a win or loss is a ply further away.
    #[inline]
    pub const fn deeper(self) -> Score {
        if self.is_win() && self.0 > Score::WIN - Score::MAX_PLIES as i16 {
            Score(1 - self.0)
        } else if self.is_loss() && self.0 < Score::MAX_PLIES as i16 - Score::WIN {
            Score(-1 - self.0)
        } else {
            Score(-self.0)
        }
    }

    /// The bound on a reply that corresponds to this bound on a move: the inverse of
    /// [`deeper`](Score::deeper).
    #[inline]
    pub const fn shallower(self) -> Score {
        if self.is_win() {
            Score::from_value(-self.value() - 1)
        } else if self.is_loss() {
            Score::from_value(-self.value() + 1)
        } else {
            Score(-self.0)
        }
    }

    /// The same win or loss, `plies` plies further away: turns a score that counts from a position into one
    /// that counts from the root. Estimates stay as they are.
    #[inline]
    pub const fn later(self, plies: u32) -> Score {
        let (plies, most) = (plies as i32, Score::MAX_ESTIMATE + 1);
        if self.is_win() {
            let value = self.value() - plies;
            Score(if value < most { most } else { value } as i16)
        } else if self.is_loss() {
            let value = self.value() + plies;
            Score(if value > -most { -most } else { value } as i16)
        } else {
            self
        }
    }

    /// The same win or loss, `plies` plies nearer: the inverse of [`later`](Score::later).
    #[inline]
    pub const fn sooner(self, plies: u32) -> Score {
        if self.is_win() {
            Score::from_value(self.value() + plies as i32)
        } else if self.is_loss() {
            Score::from_value(self.value() - plies as i32)
        } else {
            self
        }
    }

    /// How far from even it is, for either side.
    #[inline]
    pub const fn abs(self) -> Score {
        Score(self.0.abs())
    }

    /// Sixteen bits, for storage.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.cast_unsigned()
    }

    /// The score that [`to_bits`](Score::to_bits) stored.
    #[inline]
    pub const fn from_bits(bits: u16) -> Score {
        Score(bits.cast_signed())
    }

    /// The score plus a margin, never beyond infinity.
    #[inline]
    pub const fn plus(self, difference: i32) -> Score {
        Score::from_value(self.value() + difference)
    }

    /// Whether this is a win in some number of plies.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 as i32 > Score::MAX_ESTIMATE
    }

    /// Whether this is a loss in some number of plies.
    #[inline]
    pub const fn is_loss(self) -> bool {
        (self.0 as i32) < -Score::MAX_ESTIMATE
    }

    /// Whether this is a win or a loss.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The truth that the score tells, if it is a win or a loss; an estimate of 0 does not prove a draw.
    ///
    /// ```
    /// use game::score::Score;
    /// use game::truth::Truth;
    ///
    /// assert_eq!(Score::from(Truth::Loss(4)).truth(), Some(Truth::Loss(4)));
    /// assert_eq!(Score::from(Truth::Draw).truth(), None);
    /// ```
    pub const fn truth(self) -> Option<Truth> {
        if self.is_win() {
            Some(Truth::Win((Score::WIN - self.0) as u32))
        } else if self.is_loss() {
            Some(Truth::Loss((Score::WIN + self.0) as u32))
        } else {
            None
        }
    }

    /// In how many plies the game ends, if the score is a win or a loss.
    pub const fn plies(self) -> Option<u32> {
        match self.truth() {
            Some(truth) => truth.plies(),
            None => None,
        }
    }

    /// What the score means.
    pub const fn verdict(self) -> Verdict {
        match self.truth() {
            Some(truth) => Verdict::Known(truth),
            None => Verdict::Estimate(self.0 as i32),
        }
    }

    /// The number itself, for arithmetic and storage.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0 as i32
    }

    /// The score that [`value`](Score::value) gave; numbers beyond the range are cut off.
    #[inline]
    pub const fn from_value(value: i32) -> Score {
        Score::cut_off(value, Score::INFINITE.0 as i32)
    }

    /// A number no further from 0 than a bound. (`Ord::clamp` is not `const`.)
    const fn cut_off(value: i32, bound: i32) -> Score {
        let value = if value > bound {
            bound
        } else if value < -bound {
            -bound
        } else {
            value
        };
        Score(value as i16)
    }
}

impl From<Score> for Verdict {
    fn from(score: Score) -> Verdict {
        score.verdict()
    }
}

impl From<Truth> for Score {
    /// The truth as a score; a draw is an even estimate.
    #[inline]
    fn from(truth: Truth) -> Score {
        match truth {
            Truth::Win(plies) => Score::win_in(plies),
            Truth::Draw => Score::DRAW,
            Truth::Loss(plies) => Score::loss_in(plies),
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Score {
    /// `win in 3`, `-42`, `loss in 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdict().fmt(f)
    }
}

/// A static evaluation of positions that are not over.
///
/// The value is for the player to move, in any unit as long as it is the same everywhere; what lies
/// beyond [`Score::MAX_ESTIMATE`] is cut off.
pub trait Evaluate<G: Game> {
    /// The value of `position` for the player to move.
    fn evaluate(&self, game: &G, position: &G::Position) -> i32;
}

impl<G: Game, F: Fn(&G, &G::Position) -> i32> Evaluate<G> for F {
    fn evaluate(&self, game: &G, position: &G::Position) -> i32 {
        self(game, position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_wins_and_later_losses_are_better() {
        let ascending = [
            Score::loss_in(0),
            Score::loss_in(7),
            Score::loss_in(Score::MAX_PLIES),
            Score::estimate(-1_000_000),
            Score::estimate(-1),
            Score::DRAW,
            Score::estimate(1_000_000),
            Score::win_in(Score::MAX_PLIES),
            Score::win_in(7),
            Score::win_in(0),
            Score::INFINITE,
        ];
        assert!(ascending.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn verdicts_come_back() {
        for plies in [0, 1, 2, 127, 128, 1000, Score::MAX_PLIES] {
            assert_eq!(Score::win_in(plies).verdict(), Verdict::Known(Truth::Win(plies)));
            assert_eq!(Score::loss_in(plies).verdict(), Verdict::Known(Truth::Loss(plies)));
        }
        for value in [-30_000, -1, 0, 1, 30_000] {
            assert_eq!(Score::estimate(value).verdict(), Verdict::Estimate(value));
            assert_eq!(Score::from_value(value).value(), value);
        }
    }

    #[test]
    fn scores_from_the_root_and_from_the_position_are_the_same_wins() {
        for ply in [0, 1, 7, 200] {
            assert_eq!(Score::win_in(5).later(ply), Score::win_in(5 + ply));
            assert_eq!(Score::loss_in(4).later(ply).sooner(ply), Score::loss_in(4));
            assert_eq!(Score::estimate(77).later(ply), Score::estimate(77).sooner(ply));
        }
        assert_eq!(Score::win_in(Score::MAX_PLIES).later(9), Score::win_in(Score::MAX_PLIES));
        assert_eq!(Score::from_bits(Score::loss_in(3).to_bits()), Score::loss_in(3));
        assert_eq!(Score::loss_in(3).abs(), Score::win_in(3));
    }

    #[test]
    fn a_ply_deeper_never_leaves_the_scale() {
        for value in -32_000..=32_000 {
            let score = Score::from_value(value);
            let expected = match score.verdict() {
                Verdict::Known(truth) => truth.one_ply_earlier().into(),
                Verdict::Estimate(value) => Score::estimate(-value),
            };
            assert_eq!(score.deeper(), expected);
        }
    }
}
