//! Pentanomial statistics: pairs of games by their scores, and the strength they show.
//!
//! With `x` the mean score of a pair (0, ¼, ½, ¾ or 1) and `v` its variance,
//!
//! - Elo is `-400 log₁₀(1/x - 1)`, and its error half the difference between the Elo at the two ends
//!   of the 95 % interval of `x`;
//! - normalised Elo is `(x - ½) / √(2v) · 800 / ln 10`: the advantage in standard deviations of one
//!   game, scaled so as to equal Elo where there are no draws; it says how many games a result
//!   takes, whatever the share of draws (Van den Bergh, "Normalized Elo");
//! - LOS, the likelihood of superiority, is the probability that `x` is above ½;
//! - the draw ratio is that of pairs that score ½, the pairs ratio that of won to lost pairs.

use serde::{Deserialize, Serialize};

use super::normal::{TWO_SIDED_95, cumulative};

/// Pentanomial counts: pairs of games by the points that a player made in them: 0, ½, 1, 1½ and 2.
///
/// ```
/// use lab::stats::Pentanomial;
///
/// let pairs = Pentanomial([34, 54, 63, 64, 75]);
/// assert_eq!(format!("{:.2}", pairs.elo().value), "55.58");
/// assert_eq!(format!("{:.2}", pairs.elo().error), "27.65");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

/// An estimate: a value and the half-width of its 95 % confidence interval. Either may be infinite, or NaN
/// where nothing is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The half-width.
    pub error: f64,
}

/// What a normalised t-value is multiplied by: 800 / ln 10.
pub(super) const NORMALISED: f64 = 347.435_585_522_601_5;

/// The score that a difference in Elo predicts.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// The difference in Elo that predicts a score.
fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

impl Pentanomial {
    /// Counts a pair in which a player made this many half points.
    ///
    /// # Panics
    ///
    /// If there are more than four.
    pub fn count(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The same pairs seen by the other player.
    #[must_use]
    pub fn reversed(mut self) -> Pentanomial {
        self.0.reverse();
        self
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Pentanomial) -> Pentanomial {
        Pentanomial(std::array::from_fn(|at| self.0[at] + other.0[at]))
    }

    /// How many pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score of a game, from 0 to 1; NaN if there are no pairs.
    pub fn score(&self) -> f64 {
        self.mean(|score| score)
    }

    /// The variance of the score of a pair, scored from 0 to 1.
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        self.mean(|score| (score - mean).powi(2))
    }

    fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let sum: f64 = self.0.iter().zip(scores).map(|(&n, score)| n as f64 * of(score)).sum();
        sum / self.pairs() as f64
    }

    /// The standard error of the score.
    pub fn standard_error(&self) -> f64 {
        (self.variance() / self.pairs() as f64).sqrt()
    }

    /// The advantage in Elo.
    pub fn elo(&self) -> Estimate {
        let (score, width) = (self.score(), TWO_SIDED_95 * self.standard_error());
        let error = (elo_of(score + width) - elo_of(score - width)) / 2.0;
        Estimate { value: elo_of(score), error }
    }

    /// The advantage in normalised Elo.
    pub fn normalised_elo(&self) -> Estimate {
        let deviation = (2.0 * self.variance()).sqrt();
        let advantage = self.score() - 0.5;
        // Pairs that are all alike have no deviation, which for a tie has no meaning.
        let value = if advantage == 0.0 { 0.0 } else { advantage / deviation * NORMALISED };
        let error = TWO_SIDED_95 * NORMALISED / (2.0 * self.pairs() as f64).sqrt();
        if self.pairs() == 0 {
            return Estimate { value: f64::NAN, error: f64::NAN };
        }
        Estimate { value, error }
    }

    /// The likelihood of superiority (LOS): how likely it is that the player is the stronger one.
    pub fn superiority(&self) -> f64 {
        let advantage = self.score() - 0.5;
        if advantage == 0.0 { 0.5 } else { cumulative(advantage / self.standard_error()) }
    }

    /// The share of pairs that score ½.
    pub fn draw_ratio(&self) -> f64 {
        self.0[2] as f64 / self.pairs() as f64
    }

    /// Won pairs for every lost one.
    pub fn pairs_ratio(&self) -> f64 {
        (self.0[3] + self.0[4]) as f64 / (self.0[0] + self.0[1]) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The unit tests of fastchess (app/tests/elo_test.cpp) publish these: pairs, then Elo and its
    /// error, normalised Elo and its error, and LOS in per cent.
    #[test]
    fn figures_are_those_that_fastchess_publishes() {
        let published = [
            ([34, 54, 31 + 32, 64, 75], [55.58, 27.65, 57.94, 28.28], Some(100.00)),
            ([332, 433, 457 + 41, 333, 334], [-8.64, 10.33, -9.17, 10.96], Some(5.05)),
            ([7895, 8757, 5485 + 200, 568, 9999], [-21.04, 2.95, -19.01, 2.65], None),
        ];
        for (pairs, figures, superiority) in published {
            let pairs = Pentanomial(pairs);
            let (elo, normalised) = (pairs.elo(), pairs.normalised_elo());
            let found = [elo.value, elo.error, normalised.value, normalised.error];
            for (found, published) in found.into_iter().zip(figures) {
                assert!((found - published).abs() < 0.0051, "{found} and {published}");
            }
            if let Some(published) = superiority {
                assert_eq!(
                    format!("{:.2}", 100.0 * pairs.superiority()),
                    format!("{published:.2}")
                );
            }
        }
    }

    #[test]
    fn the_other_player_sees_the_opposite() {
        let pairs = Pentanomial([3, 20, 50, 31, 9]);
        let other = pairs.reversed();
        assert!((pairs.elo().value + other.elo().value).abs() < 1e-9);
        assert!((pairs.elo().error - other.elo().error).abs() < 1e-9);
        assert!((pairs.superiority() + other.superiority() - 1.0).abs() < 1e-12);
        assert!((pairs.pairs_ratio() * other.pairs_ratio() - 1.0).abs() < 1e-12);
        assert_eq!(pairs.draw_ratio(), 50.0 / 113.0);
    }

    #[test]
    fn extremes_are_infinite_or_nothing_but_never_a_panic() {
        let won = Pentanomial([0, 0, 0, 0, 7]);
        assert_eq!((won.elo().value, won.superiority()), (f64::INFINITY, 1.0));
        assert_eq!(won.pairs_ratio(), f64::INFINITY);
        let tied = Pentanomial([0, 0, 7, 0, 0]);
        assert_eq!((tied.elo().value, tied.elo().error, tied.superiority()), (0.0, 0.0, 0.5));
        assert_eq!(tied.normalised_elo().value, 0.0);
        let none = Pentanomial::default();
        assert!(none.elo().value.is_nan() && none.normalised_elo().error.is_nan());
    }
}
