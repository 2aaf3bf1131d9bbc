//! The sequential probability ratio test (SPRT) on pairs of games.
//!
//! Two hypotheses say how strong a player is: by `elo0`, or by `elo1`. After every pair, the
//! generalised log-likelihood ratio (LLR) of the second to the first is computed: how much better
//! the pairs are explained by the best distribution of pair scores with the strength `elo1` than by
//! the best with `elo0`. When it leaves the interval from `ln(β / (1-α))` to `ln((1-β) / α)`, the
//! test is over; α and β bound the risks of accepting the wrong hypothesis.
//!
//! Strength is logistic Elo, which fixes the mean of the distribution, or normalised Elo, which
//! fixes its mean in standard deviations. Both follow Van den Bergh's notes for fishtest ("Comments
//! on normalized Elo", section 4). With the empirical frequencies `f`, the distribution of greatest
//! likelihood on the scores `a` whose mean is `s` is `fᵢ / (1 + x (aᵢ - s))` for the one `x` that
//! makes the mean right; the normalised case is solved by repeating this with the constraint
//! linearised at the last solution. Scores that never occurred count as a thousandth of a pair, as
//! in fishtest, so that every logarithm exists.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::pentanomial::{NORMALISED, Pentanomial, expected_score};

/// A sequential probability ratio test: two hypotheses and the error rates.
///
/// ```
/// use lab::stats::{Pentanomial, Sprt};
///
/// let sprt: Sprt = "0,5".parse()?;
/// assert_eq!(format!("{:.2}", sprt.upper()), "2.94");
/// let pairs = Pentanomial([5, 20, 60, 40, 25]);
/// assert_eq!(sprt.decide(&pairs), None, "too few pairs");
/// # Ok::<(), lab::stats::ParseSprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The strength under the first hypothesis.
    pub elo0: f64,
    /// The strength under the second hypothesis.
    pub elo1: f64,
    /// The risk of accepting the second when the first holds.
    pub alpha: f64,
    /// The risk of accepting the first when the second holds.
    pub beta: f64,
    /// What strength means.
    pub model: Model,
}

/// The Elo model: what strength means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Logistic Elo, the usual one.
    #[default]
    Logistic,
    /// Elo in standard deviations of a game.
    Normalised,
}

/// The decision of a sequential test: the hypothesis that is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum SprtDecision {
    /// The first hypothesis is accepted.
    H0,
    /// The second hypothesis is accepted.
    H1,
}

/// What a score that never occurred counts for.
const NEVER: f64 = 1e-3;

impl Sprt {
    /// Below this, the first hypothesis is accepted.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// Above this, the second hypothesis is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        // A pair varies less than a game by the root of two.
        let t_value = |elo: f64| elo / NORMALISED * std::f64::consts::SQRT_2;
        let hypotheses = match self.model {
            Model::Logistic => [self.elo0, self.elo1].map(|elo| Target::Mean(expected_score(elo))),
            Model::Normalised => [self.elo0, self.elo1].map(|elo| Target::TValue(t_value(elo))),
        };
        llr(&pairs.0.map(|count| count as f64), hypotheses)
    }

    /// The decision; `None` while the test goes on.
    pub fn decide(&self, pairs: &Pentanomial) -> Option<SprtDecision> {
        let llr = self.llr(pairs);
        if llr >= self.upper() {
            Some(SprtDecision::H1)
        } else if llr <= self.lower() {
            Some(SprtDecision::H0)
        } else {
            None
        }
    }
}

/// Why a text is not a sequential test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a test: {fault}; write elo0,elo1[,alpha,beta] as in 0,5 or 0,5,0.05,0.05")]
pub struct ParseSprtError {
    text: String,
    #[source]
    fault: SprtFault,
}

/// What is wrong with the numbers of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum SprtFault {
    #[error("these are not numbers")]
    NotNumbers,
    #[error("two numbers or four are expected")]
    Count,
    #[error("elo0 must be below elo1")]
    Order,
    #[error("the risks must be above 0 and add up to less than 1")]
    Risks,
}

/// `elo0,elo1` or `elo0,elo1,alpha,beta`; the risks are 0.05 if left out.
impl FromStr for Sprt {
    type Err = ParseSprtError;

    fn from_str(text: &str) -> Result<Sprt, ParseSprtError> {
        let wrong = |fault| ParseSprtError { text: text.to_owned(), fault };
        let numbers: Vec<f64> = text
            .split(',')
            .map(|number| number.trim().parse().ok().filter(|number: &f64| number.is_finite()))
            .collect::<Option<_>>()
            .ok_or_else(|| wrong(SprtFault::NotNumbers))?;
        let [elo0, elo1, alpha, beta] = match numbers[..] {
            [elo0, elo1] => [elo0, elo1, 0.05, 0.05],
            [elo0, elo1, alpha, beta] => [elo0, elo1, alpha, beta],
            _ => return Err(wrong(SprtFault::Count)),
        };
        if elo0 >= elo1 {
            return Err(wrong(SprtFault::Order));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(wrong(SprtFault::Risks));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model: Model::default() })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

/// What a hypothesis says about the distribution of scores.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// Its mean.
    Mean(f64),
    /// Its mean above ½, in standard deviations.
    TValue(f64),
}

/// The log-likelihood ratio of the second hypothesis to the first, for counts of equally spaced
/// scores from 0 to 1.
fn llr(counts: &[f64], hypotheses: [Target; 2]) -> f64 {
    let counts: Vec<f64> = counts.iter().map(|&n| if n == 0.0 { NEVER } else { n }).collect();
    let total: f64 = counts.iter().sum();
    let frequencies: Vec<f64> = counts.iter().map(|n| n / total).collect();
    let scores: Vec<f64> =
        (0..counts.len()).map(|at| at as f64 / (counts.len() - 1) as f64).collect();
    let [first, second] = hypotheses.map(|target| match target {
        Target::Mean(mean) => {
            let above: Vec<f64> = scores.iter().map(|score| score - mean).collect();
            with_mean_zero(&above, &frequencies)
        }
        Target::TValue(t) => with_t_value(&scores, &frequencies, t),
    });
    let logarithms =
        frequencies.iter().zip(first).zip(second).map(|((f, p0), p1)| f * (p1 / p0).ln());
    total * logarithms.sum::<f64>()
}

/// The distribution of greatest likelihood under which the values have a mean of zero.
fn with_mean_zero(values: &[f64], frequencies: &[f64]) -> Vec<f64> {
    let mean_at = |x: f64| -> f64 {
        values.iter().zip(frequencies).map(|(value, f)| f * value / (1.0 + x * value)).sum()
    };
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    // The mean falls from plus to minus infinity between the poles.
    let (mut from, mut to) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = (from + to) / 2.0;
        if middle <= from || middle >= to {
            break;
        }
        if mean_at(middle) > 0.0 { from = middle } else { to = middle }
    }
    let x = (from + to) / 2.0;
    values.iter().zip(frequencies).map(|(value, f)| f / (1.0 + x * value)).collect()
}

/// The distribution of greatest likelihood whose mean is `t` standard deviations above ½.
fn with_t_value(scores: &[f64], frequencies: &[f64], t: f64) -> Vec<f64> {
    let mut found = vec![1.0 / scores.len() as f64; scores.len()];
    for _ in 0..100 {
        let mean: f64 = scores.iter().zip(&found).map(|(score, p)| score * p).sum();
        let variance: f64 =
            scores.iter().zip(&found).map(|(score, p)| (score - mean).powi(2) * p).sum();
        let deviation = variance.sqrt();
        let linear: Vec<f64> = scores
            .iter()
            .map(|score| {
                let away = (mean - score) / deviation;
                score - 0.5 - t * deviation * (1.0 + away * away) / 2.0
            })
            .collect();
        let next = with_mean_zero(&linear, frequencies);
        let change =
            next.iter().zip(&found).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-12 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test_of(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// The unit tests of fastchess (app/tests/sprt_test.cpp) publish these. One of its cases is left out, in
    /// which only one score occurs: it gives 2.94 for 104 won pairs, and in another version for 5550, where the
    /// maximum of the likelihood is 2.09 ([`won_pairs_alone_are_worth_what_a_closed_form_says`]).
    #[test]
    fn ratios_are_those_that_fastchess_publishes() {
        use Model::{Logistic, Normalised};
        let published = [
            ([365, 16618, 36029 + 200, 16974, 390], 0.0, 2.0, Normalised, 2.25),
            ([127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25, Normalised, 3.01),
            ([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, Logistic, -3.07),
            ([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0, Logistic, -4.98),
        ];
        for (pairs, elo0, elo1, model, llr) in published {
            let found = test_of(elo0, elo1, model).llr(&Pentanomial(pairs));
            assert!((found - llr).abs() < 0.0051 * llr.abs().max(1.0), "{pairs:?}: {found}, {llr}");
        }
    }

    /// If every pair is won, nothing is likelier than a distribution on won and lost pairs alone: a share `p` of
    /// won pairs has the t-value `(p - ½) / √(p (1-p))`, so `p = ½ + t / (2 √(1+t²))`, and every pair counts for
    /// the logarithm of the ratio of the two shares. Scores that never occurred hardly change that.
    #[test]
    fn won_pairs_alone_are_worth_what_a_closed_form_says() {
        let share = |elo: f64| {
            let t = elo / NORMALISED * std::f64::consts::SQRT_2;
            0.5 + t / (2.0 * (1.0 + t * t).sqrt())
        };
        for (pairs, elo0, elo1) in [(104, 0.0, 5.0), (1000, 0.0, 5.0), (50, -2.0, 8.0)] {
            let found =
                test_of(elo0, elo1, Model::Normalised).llr(&Pentanomial([0, 0, 0, 0, pairs]));
            let expected = pairs as f64 * (share(elo1) / share(elo0)).ln();
            assert!((found - expected).abs() < 2e-3 * expected, "{pairs}: {found}, {expected}");
        }
        let found = test_of(0.0, 5.0, Model::Normalised).llr(&Pentanomial([0, 0, 0, 0, 104]));
        assert!((found - 2.095).abs() < 0.001, "{found}");
    }

    /// With three scores, the distributions that fit a hypothesis form a line, which the test
    /// simply walks along.
    fn by_walking(counts: [f64; 3], target: Target) -> f64 {
        let total: f64 = counts.iter().sum();
        let log_likelihood =
            |p: [f64; 3]| counts.iter().zip(p).map(|(n, p)| n * p.ln()).sum::<f64>() / total;
        let mut best = f64::NEG_INFINITY;
        for step in 1..400_000 {
            let draws = f64::from(step) / 400_000.0;
            let decided = 1.0 - draws;
            // Wins minus losses: twice the mean above a half.
            let surplus = match target {
                Target::Mean(mean) => 2.0 * mean - 1.0,
                // surplus/2 = t √(decided/4 - surplus²/4), solved for the surplus.
                Target::TValue(t) => t * (decided / (1.0 + t * t)).sqrt(),
            };
            let (wins, losses) = ((decided + surplus) / 2.0, (decided - surplus) / 2.0);
            if wins > 0.0 && losses > 0.0 {
                best = best.max(log_likelihood([losses, draws, wins]));
            }
        }
        best * total
    }

    #[test]
    fn ratios_are_those_of_greatest_likelihood_by_brute_force() {
        for counts in [[30.0, 50.0, 40.0], [10.0, 300.0, 11.0], [200.0, 10.0, 150.0]] {
            for hypotheses in [
                [Target::Mean(0.5), Target::Mean(0.53)],
                [Target::Mean(0.45), Target::Mean(0.6)],
                [Target::TValue(0.0), Target::TValue(0.05)],
                [Target::TValue(-0.1), Target::TValue(0.2)],
            ] {
                let expected =
                    by_walking(counts, hypotheses[1]) - by_walking(counts, hypotheses[0]);
                let found = llr(&counts, hypotheses);
                assert!((found - expected).abs() < 1e-6, "{counts:?} {hypotheses:?}");
            }
        }
    }

    #[test]
    fn the_better_hypothesis_wins() {
        let sprt: Sprt = "0,10".parse().unwrap();
        assert_eq!(sprt.decide(&Pentanomial([100, 500, 1000, 600, 200])), Some(SprtDecision::H1));
        assert_eq!(sprt.decide(&Pentanomial([200, 600, 1000, 500, 100])), Some(SprtDecision::H0));
        assert_eq!(sprt.decide(&Pentanomial::default()), None);
        assert_eq!(sprt.decide(&Pentanomial([0, 0, 3, 0, 0])), None);
        assert!((sprt.lower() + sprt.upper()).abs() < 1e-12);
    }

    #[test]
    fn nonsense_is_refused() {
        for wrong in ["", "1", "5,0", "0,5,0.05", "0,5,0,0.05", "0,5,0.5,0.5", "a,b", "0,inf"] {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
        let sprt: Sprt = " -3, 1 ,0.1,0.2".parse().unwrap();
        assert_eq!(sprt.to_string(), "-3,1,0.1,0.2");
    }
}
