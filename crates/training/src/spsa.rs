//! Simultaneous perturbation stochastic approximation (SPSA, Spall 1992), as engines are tuned by it.
//!
//! All parameters are moved at once, each up or down at random, and a short match between the two sides says which
//! was better; every parameter then takes a small step to the side it was on. One match tells hardly anything, but
//! steps that lead nowhere cancel out over thousands. Both the moves and the steps shrink as it goes on:
//! with k the iteration, n of them in all and A a tenth of that, a parameter of step size s is moved by
//! s · (n / k)^0.101 and takes steps in proportion to s · ((A + n) / (A + k))^0.602 · (k / n)^0.101.
//!
//! Engines take whole numbers, so a value is rounded up or down at random, in proportion: on average it is played as it is.
//! Everything follows from the seed and the results of the matches, so a run goes on from a list of these.

use game::rng::{Rng, mix};

/// A parameter to tune.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub start: i32,
    /// The least it may be.
    pub least: i32,
    /// The most.
    pub most: i32,
    /// By how much it is moved to either side at the end.
    pub step: f64,
}

/// What is tuned, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The number of iterations.
    pub iterations: u32,
    /// By how much of its step size a point that one side is ahead moves a parameter at the end.
    pub rate: f64,
    /// The random seed.
    pub seed: u64,
}

/// The parameters after some iterations.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// How many iterations are done.
    pub done: u32,
    /// The value of each parameter.
    pub values: Vec<f64>,
}

/// The two sides of a match: the value of each parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// One side.
    pub one: Vec<i32>,
    /// The other, moved the opposite way.
    pub other: Vec<i32>,
}

impl Spsa {
    /// Before the first iteration.
    pub fn begin(&self) -> Progress {
        let values = self.parameters.iter().map(|parameter| f64::from(parameter.start)).collect();
        Progress { done: 0, values }
    }

    /// Who plays in the next iteration.
    pub fn sides(&self, progress: &Progress) -> Sides {
        let mut rng = self.chance(progress.done, 1);
        let (signs, width) = (self.signs(progress.done), self.width(progress.done));
        let mut side = |direction: f64| -> Vec<i32> {
            let all = self.parameters.iter().zip(&progress.values).zip(&signs);
            let moved = all.map(|((parameter, value), sign)| {
                let value = value + direction * sign * width * parameter.step;
                let up = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                // At the bounds, rounding up must not leave them.
                ((value + up).floor() as i32).clamp(parameter.least, parameter.most)
            });
            moved.collect()
        };
        let one = side(1.0);
        Sides { one, other: side(-1.0) }
    }

    /// Takes the step that follows from a match: the games that the first side won less those it lost.
    pub fn learn(&self, progress: &mut Progress, ahead: f64) {
        let (signs, k) = (self.signs(progress.done), f64::from(progress.done + 1));
        let (n, shift) = (f64::from(self.iterations), f64::from(self.iterations) / 10.0);
        let rate = self.rate * ((shift + n) / (shift + k)).powf(0.602) / self.width(progress.done);
        for ((parameter, value), sign) in
            self.parameters.iter().zip(&mut progress.values).zip(signs)
        {
            let moved = *value + rate * ahead * sign * parameter.step;
            *value = moved.clamp(parameter.least.into(), parameter.most.into());
        }
        progress.done += 1;
    }

    /// How many times its step size each parameter is moved.
    fn width(&self, done: u32) -> f64 {
        (f64::from(self.iterations) / f64::from(done + 1)).powf(0.101)
    }

    /// Which way the first side is moved in an iteration.
    fn signs(&self, done: u32) -> Vec<f64> {
        let mut rng = self.chance(done, 0);
        self.parameters.iter().map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect()
    }

    fn chance(&self, done: u32, purpose: u64) -> Rng {
        Rng::new(mix(self.seed ^ mix(u64::from(done) << 1 | purpose)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, start: i32, step: f64) -> Parameter {
        Parameter { name: name.to_owned(), start, least: 0, most: 1000, step }
    }

    fn spsa() -> Spsa {
        let parameters =
            vec![parameter("a", 900, 60.0), parameter("b", 100, 60.0), parameter("c", 5, 1.0)];
        Spsa { parameters, iterations: 4000, rate: 0.05, seed: 7 }
    }

    /// How strong a player with these values is: best at 400, 600 and 3, one point an Elo.
    fn strength(values: &[i32]) -> f64 {
        let off = |at: usize, best: i32, scale: f64| (f64::from(values[at] - best) / scale).powi(2);
        -off(0, 400, 30.0) - off(1, 600, 30.0) - off(2, 3, 0.3)
    }

    #[test]
    fn noisy_games_lead_to_the_best_values() {
        let spsa = spsa();
        let mut progress = spsa.begin();
        let mut rng = Rng::new(11);
        while progress.done < spsa.iterations {
            let Sides { one, other } = spsa.sides(&progress);
            let expected = 1.0 / (1.0 + 10.0_f64.powf((strength(&other) - strength(&one)) / 400.0));
            let won = (0..4).filter(|_| (rng.below(1_000_000) as f64) < expected * 1e6).count();
            spsa.learn(&mut progress, won as f64 * 2.0 - 4.0);
        }
        let rounded: Vec<i32> = progress.values.iter().map(|value| value.round() as i32).collect();
        assert!(strength(&rounded) > -12.0, "{:?}", progress.values);
        assert!(strength(&[900, 100, 5]) < -500.0);
    }

    #[test]
    fn sides_are_opposite_and_rounded_fairly() {
        let spsa = spsa();
        let mut sum = [0.0; 3];
        for done in 0..2000 {
            let progress = Progress { done, values: vec![500.25, 500.0, 7.5] };
            let Sides { one, other } = spsa.sides(&progress);
            for at in 0..3 {
                assert_ne!(one[at], other[at]);
                sum[at] += f64::from(one[at] + other[at]) / 2.0;
            }
        }
        for (sum, wanted) in sum.into_iter().zip([500.25, 500.0, 7.5]) {
            assert!((sum / 2000.0 - wanted).abs() < 0.05, "{sum}");
        }
        // Within their bounds, whatever happens.
        let mut progress = Progress { done: 0, values: vec![1000.0, 0.0, 0.0] };
        for _ in 0..50 {
            let Sides { one, other } = spsa.sides(&progress);
            assert!(one.iter().chain(&other).all(|value| (0..=1000).contains(value)));
            spsa.learn(&mut progress, 4.0);
            assert!(progress.values.iter().all(|value| (0.0..=1000.0).contains(value)));
        }
    }
}
