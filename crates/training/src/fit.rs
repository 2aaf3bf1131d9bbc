//! Fitting the weights of the evaluation by logistic regression (Texel's method).
//!
//! The weights for which 1 / (1 + exp(−value / [`SCALE`](engine::eval::features::SCALE))) comes closest to the targets of
//! the [lessons](crate::lessons), by AdaGrad over the positions in random order, drawn towards the weights it began
//! with where the data say little.

use std::cmp::Ordering;

use engine::eval::features::{self, DISTANCES, FOLDED, PAIRS, PLACES, Term, Weights, pair};
use game::rng::Rng;
use jungle::rules::WolfOrDog;
use jungle::{Animal, Jungle, Position, Rules};

use crate::lesson::{Lesson, sigmoid};

/// Options of the fit.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// The number of epochs.
    pub epochs: u32,
    /// Regularisation: how strongly weights are drawn back to their start.
    pub pull: f32,
    /// A term to leave out: its weights are 0, and the others make up for it as far as they can.
    pub without: Option<Term>,
    /// The seed of the order of the lessons.
    pub seed: u64,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit { epochs: 6, pull: 1e-6, without: None, seed: 1 }
    }
}

/// Fitted weights and how well they fit.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// One for each feature.
    pub weights: Vec<f32>,
    /// The mean squared error on the lessons held back, before and after.
    pub error: (f64, f64),
}

/// Shared parts of a feature's weight besides its own: parts shared with features that mean nearly
/// the same, so that few games suffice for many places and pairs.
struct Parents(Vec<[Option<(usize, f32)>; 2]>);

impl Parents {
    /// How many shared parts there are: animals in two phases, groups of animals on squares, kinds of
    /// pairs at distances, and pairs at any distance.
    const COUNT: usize = PAIR_AT_ANY + Animal::COUNT * Animal::COUNT;

    fn new() -> Parents {
        // Features identify animals by strength.
        let jungle = Jungle::new(Rules { weaker: WolfOrDog::Wolf, ..Rules::STANDARD });
        let mut parents = vec![[None; 2]; features::COUNT];
        for phase in 0..2 {
            for animal in Animal::ALL {
                for square in 0..FOLDED {
                    let at = (phase * Animal::COUNT + animal.index()) * FOLDED + square;
                    let material = phase * Animal::COUNT + animal.index();
                    let group = GROUPS + group(animal) * FOLDED + square;
                    parents[PLACES + at] = [Some((material, 1.0)), Some((group, 1.0))];
                }
            }
        }
        for ours in Animal::ALL {
            for theirs in Animal::ALL {
                let takes = jungle.takes(ours).contains(theirs);
                let taken = jungle.takes(theirs).contains(ours);
                let victim = if takes { theirs } else { ours };
                let relation = match (takes, taken) {
                    (true, false) => 0,
                    (true, true) => 1,
                    (false, _) => 2,
                };
                let precious = usize::from(group(victim) != 1);
                for distance in 0..DISTANCES {
                    let kind = KINDS + (relation * 2 + precious) * DISTANCES + distance;
                    // A pair seen from the other side is worth the opposite.
                    let any = match ours.cmp(&theirs) {
                        Ordering::Less => Some((ours, theirs, 1.0)),
                        Ordering::Equal => None,
                        Ordering::Greater => Some((theirs, ours, -1.0)),
                    };
                    let any = any.map(|(one, other, sign)| {
                        (PAIR_AT_ANY + one.index() * Animal::COUNT + other.index(), sign)
                    });
                    let at = pair(ours, theirs, distance as u8 + 1);
                    parents[PAIRS + at] = [Some((kind, 1.0)), any];
                }
            }
        }
        Parents(parents)
    }
}

const GROUPS: usize = 2 * Animal::COUNT;
const KINDS: usize = GROUPS + 4 * FOLDED;
const PAIR_AT_ANY: usize = KINDS + 6 * DISTANCES;

/// Animals with similar roles.
fn group(animal: Animal) -> usize {
    match animal {
        Animal::Rat => 0,
        Animal::Cat | Animal::Wolf | Animal::Dog | Animal::Panther => 1,
        Animal::Tiger | Animal::Lion => 2,
        Animal::Elephant => 3,
    }
}

/// Fits weights to lessons of games under these rules, beginning with `start`, reporting to `progress` the error
/// on those held back (one in ten) after every epoch.
pub fn fit(
    rules: &Rules,
    start: &Weights,
    lessons: &[Lesson],
    options: Fit,
    mut progress: impl FnMut(u32, f64),
) -> Fitted {
    let parents = Parents::new();
    let used = |feature: usize| options.without != Some(Term::of(feature));
    let start = start.iter().enumerate();
    let start: Vec<f32> =
        start.map(|(at, &weight)| if used(at) { f32::from(weight) } else { 0.0 }).collect();
    // The features' own parts, then the shared ones.
    let mut parts = start.clone();
    parts.resize(features::COUNT + Parents::COUNT, 0.0);
    let list = |position: &Position, present: &mut Vec<(usize, f32)>| {
        present.clear();
        features::for_each(rules, position, |feature, amount| {
            if !used(feature) {
                return;
            }
            present.push((feature, amount));
            for &(parent, sign) in parents.0[feature].iter().flatten() {
                present.push((features::COUNT + parent, amount * sign));
            }
        });
    };
    let value = |parts: &[f32], present: &[(usize, f32)]| -> f32 {
        present.iter().map(|&(part, amount)| amount * parts[part]).sum()
    };
    // Held back in stretches: positions of one game are alike.
    let (mut train, held): (Vec<usize>, Vec<usize>) =
        (0..lessons.len()).partition(|&at| at / 200 % 10 != 9);
    let error_of = |parts: &[f32]| {
        let mut present = Vec::with_capacity(512);
        let mut sum = 0.0;
        for &at in &held {
            list(&lessons[at].position, &mut present);
            let error = sigmoid(value(parts, &present)) - lessons[at].target;
            sum += f64::from(error * error);
        }
        sum / held.len().max(1) as f64
    };
    let before = error_of(&parts);
    let mut squares = vec![1e-3_f32; parts.len()];
    let mut rng = Rng::new(options.seed);
    let mut present: Vec<(usize, f32)> = Vec::with_capacity(512);
    for epoch in 1..=options.epochs {
        for at in (1..train.len()).rev() {
            train.swap(at, rng.below(at + 1));
        }
        let rate = 4.0 / (1.0 + epoch as f32 / 4.0);
        for &at in &train {
            let lesson = &lessons[at];
            list(&lesson.position, &mut present);
            let guess = sigmoid(value(&parts, &present));
            let slope = (guess - lesson.target) * guess.mul_add(-guess, guess).max(0.02);
            for &(part, amount) in &present {
                let (origin, pull) = match start.get(part) {
                    Some(&weight) => (weight, options.pull),
                    None => (0.0, options.pull / 100.0),
                };
                let gradient = slope * amount + pull * (parts[part] - origin);
                squares[part] += gradient * gradient;
                parts[part] -= rate * gradient / squares[part].sqrt();
            }
        }
        progress(epoch, error_of(&parts));
    }
    let after = error_of(&parts);
    let mut weights = parts[..features::COUNT].to_vec();
    for (feature, (weight, parents)) in weights.iter_mut().zip(&parents.0).enumerate() {
        if !used(feature) {
            continue;
        }
        for &(parent, sign) in parents.iter().flatten() {
            *weight += sign * parts[features::COUNT + parent];
        }
    }
    Fitted { weights, error: (before, after) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SelfPlay, lessons};
    use engine::eval::features::USUAL;
    use engine::eval::text;

    #[test]
    fn fitting_lowers_the_error() {
        let rules = Rules::STANDARD;
        let self_play = SelfPlay::new(rules, 60);
        let mut engine = self_play.engine().unwrap();
        let games = (0..12).map(|number| self_play.play_with(&mut engine, number));
        let taught: Vec<Lesson> = games.flat_map(|game| lessons(&game, 1.0)).collect();
        let options = Fit { epochs: 5, ..Fit::default() };
        // Evaluated on its own training data: here the question is only whether the slope is right.
        let fitted = fit(&rules, USUAL, &taught, options, |_, _| ());
        let error = |weights: &[f32]| -> f64 {
            let errors = taught.iter().map(|lesson| {
                let mut value = 0.0;
                features::for_each(&rules, &lesson.position, |f, amount| {
                    value += amount * weights[f];
                });
                f64::from(sigmoid(value) - lesson.target).powi(2)
            });
            errors.sum()
        };
        let start: Vec<f32> = USUAL.iter().map(|&weight| f32::from(weight)).collect();
        assert!(error(&fitted.weights) < error(&start));
        let rounded = fitted.weights.iter().map(|weight| weight.round() as i16);
        assert!(text::parse(&text::source(&fitted.weights)).unwrap().into_iter().eq(rounded));
    }
}
