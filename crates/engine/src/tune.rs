//! Tuning the evaluation: weights fitted to self-play by logistic regression (Texel's method).
//!
//! Games start from random moves, some with pieces taken off at random, and are played at a fixed
//! number of nodes. Of every game the quiet positions are kept: each with the result of the game and the
//! score of the search. [`lessons`] turns both into the expected result. Fitting is logistic
//! regression: the weights for which 1 / (1 + exp(−value / [`SCALE`])) comes closest to that, by AdaGrad over
//! the positions in random order, drawn towards the weights it began with where the data say little.

mod games;

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use game::limits::Limits;
use game::rng::{Rng, mix};
use jungle::rules::WolfOrDog;
use jungle::{Animal, Color, Jungle, Play, Position, Rules, Setup};

use crate::control::Control;
use crate::engine::{Engine, Options};
use crate::eval::features::{self, DISTANCES, FOLDED, PAIRS, PLACES, Term, Weights, pair};
use crate::eval::weights::WEIGHTS;

pub use games::{GameFile, GameFileError, SelfPlay};

/// What one unit of the logistic function is worth: 400 points are ten to one.
pub const SCALE: f32 = 400.0 / std::f32::consts::LN_10;

/// A position from a game, for the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The score of the search.
    pub score: i32,
    /// How the game ended: 1 won, ½ drawn, 0 lost.
    pub result: f32,
}

/// `FEN;score;result`.
impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};{};{}", self.position, self.score, self.result)
    }
}

/// A line that is not a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected FEN;score;result")]
pub struct NotASample;

impl FromStr for Sample {
    type Err = NotASample;

    fn from_str(line: &str) -> Result<Sample, NotASample> {
        let mut parts = line.split(';');
        let position = parts.next().and_then(|fen| fen.parse().ok());
        let score = parts.next().and_then(|score| score.parse().ok());
        let result = parts.next().and_then(|result| result.parse().ok());
        match (position, score, result, parts.next()) {
            (Some(position), Some(score), Some(result), None) if (0.0..=1.0).contains(&result) => {
                Ok(Sample { position, score, result })
            }
            _ => Err(NotASample),
        }
    }
}

/// A position and its TD target, what its player to move can expect: 1 a win, 0 a loss.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The position.
    pub position: Position,
    /// What to expect.
    pub target: f32,
}

/// TD(λ) targets of the positions of a game. The search scored each; its score later in the game is better
/// informed, and the result best, but the further away, the more chance is in it. So a position's target is a
/// mean of its own score and the target of the next position (in the end, the result), the latter with the
/// weight λ, from 0 to 1.
pub fn lessons(game: Vec<Sample>, lambda: f32) -> Vec<Lesson> {
    let mut next: Option<(Color, f32)> = None;
    let backwards = game.into_iter().rev().map(|Sample { position, score, result }| {
        let us = position.turn();
        let later = match next {
            None => result,
            Some((color, target)) if color == us => target,
            Some((_, target)) => 1.0 - target,
        };
        let target = lambda * later + (1.0 - lambda) * sigmoid(score as f32);
        next = Some((us, target));
        Lesson { position, target }
    });
    let mut lessons: Vec<Lesson> = backwards.collect();
    lessons.reverse();
    lessons
}

/// Plays one game and returns its quiet positions. The same seed gives the same game.
pub fn self_play(rules: Rules, nodes: u64, seed: u64) -> Vec<Sample> {
    const LONGEST: usize = 240;
    let mut rng = Rng::new(mix(seed));
    let mut engine = Engine::new();
    // A small table is quickly cleared, and large enough for this few nodes.
    if engine.set_options(Options { hash: 2, ..Options::default() }).is_err() {
        return Vec::new();
    }
    let control = Control::new(false);
    let mut play = opening(rules, &mut rng);
    let mut kept: Vec<(Color, Sample)> = Vec::new();
    let mut winner = None;
    for _ in 0..LONGEST {
        if let Some(ending) = play.ending() {
            winner = ending.winner;
            break;
        }
        let answer = engine.think(&play, Limits::nodes(nodes), &control, &mut |_| ());
        let Some(mv) = answer.best else { break };
        let score = answer.score();
        let us = play.position().turn();
        if score.is_decided() {
            winner = Some(if score.is_win() { us } else { !us });
            break;
        }
        if !mv.is_capture() && !threatened(&play) {
            let position = play.position().clone();
            kept.push((us, Sample { position, score: score.value(), result: 0.5 }));
        }
        if play.play(mv).is_err() {
            break;
        }
    }
    let judged = kept.into_iter().map(|(us, sample)| {
        let result = winner.map_or(0.5, |winner| if winner == us { 1.0 } else { 0.0 });
        Sample { result, ..sample }
    });
    judged.collect()
}

/// Whether an enemy stands in one of our traps: not a quiet position.
fn threatened(play: &Play) -> bool {
    let position = play.position();
    position.side(!position.turn()).intersects(jungle::board::TRAPS[position.turn()])
}

/// A game after a few random moves, in some cases with fewer pieces.
fn opening(rules: Rules, rng: &mut Rng) -> Play {
    loop {
        let mut setup: Setup = Setup::from(&Position::start());
        if rng.below(2) == 0 {
            // Under other rules the stronger of wolf and dog starts where here the weaker does.
            for piece in setup.board.iter_mut().flatten() {
                piece.animal = match piece.animal {
                    Animal::Wolf => Animal::Dog,
                    Animal::Dog => Animal::Wolf,
                    other => other,
                };
            }
        }
        if rng.below(2) == 0 {
            for color in Color::ALL {
                for _ in 0..rng.below(6) {
                    let square = rng.below(setup.board.len());
                    if setup.board[square].is_some_and(|piece| piece.color == color) {
                        setup.board[square] = None;
                    }
                }
            }
            // Most random placements fail: try that many again from wherever pieces stand.
            let mut standing: Vec<usize> =
                (0..setup.board.len()).filter(|&at| setup.board[at].is_some()).collect();
            for _ in 0..rng.below(9) {
                let at = standing.swap_remove(rng.below(standing.len()));
                setup.board[at] = None;
            }
        }
        let Ok(mut play) = Play::new(Jungle::new(rules), &setup) else { continue };
        for _ in 0..6 + rng.below(12) {
            if let Some(&mv) = rng.choose(&play.legal_moves()) {
                // A legal move can be made.
                let _ = play.play(mv);
            }
        }
        if play.ending().is_none() {
            return play;
        }
    }
}

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

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value / SCALE).exp())
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

/// Fits the weights to lessons of games under these rules, beginning with those in use, reporting to `progress`
/// the error on those held back (one in ten) after every epoch.
pub fn fit(
    rules: &Rules,
    lessons: &[Lesson],
    options: Fit,
    mut progress: impl FnMut(u32, f64),
) -> Fitted {
    let parents = Parents::new();
    let used = |feature: usize| options.without != Some(Term::of(feature));
    let start = WEIGHTS.iter().enumerate();
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
    // Held back in whole games: positions of one game are alike.
    let (mut train, held): (Vec<usize>, Vec<usize>) =
        (0..lessons.len()).partition(|&at| !(at / 1000).is_multiple_of(10));
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

/// The weights as the source file that the evaluation is built with.
pub fn source(weights: &[f32]) -> String {
    let mut text = String::from(
        "//! The weights of the [features](super::features), in their order: generated by \
         `mousetrap tune`.\n\nuse crate::eval::features::COUNT;\n\n\
         /// The weights; 100 is worth a score of 64 in a hundred.\n#[rustfmt::skip]\n\
         pub static WEIGHTS: [i16; COUNT] = [\n",
    );
    for row in weights.chunks(18) {
        let row: Vec<String> =
            row.iter().map(|weight| format!("{},", weight.round() as i16)).collect();
        text.push_str("    ");
        text.push_str(&row.join(" "));
        text.push('\n');
    }
    text.push_str("];\n");
    text
}

/// A text that is not what [`source`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {} weights, as this version writes them when it is tuned", features::COUNT)]
pub struct NotWeights;

/// The weights in what [`source`] wrote.
///
/// # Errors
///
/// If the text is something else, or of a version with other features.
pub fn weights(source: &str) -> Result<Weights, NotWeights> {
    let (_, list) = source.split_once("= [").ok_or(NotWeights)?;
    let (list, _) = list.split_once(']').ok_or(NotWeights)?;
    let numbers = list.split(',').map(str::trim).filter(|number| !number.is_empty());
    let weights: Vec<i16> =
        numbers.map(str::parse).collect::<Result<_, _>>().map_err(|_| NotWeights)?;
    weights.try_into().map_err(|_| NotWeights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_round_trip() {
        let samples = self_play(Rules::STANDARD, 60, 3);
        assert_eq!(samples, self_play(Rules::STANDARD, 60, 3));
        for sample in &samples {
            assert_eq!(sample.to_string().parse(), Ok(sample.clone()));
        }
        assert_eq!("7/7/7 w;3;1".parse::<Sample>(), Err(NotASample));
    }

    #[test]
    fn fitting_lowers_the_error() {
        let rules = Rules::STANDARD;
        let games = (0..12).map(|seed| self_play(rules, 60, seed));
        let taught: Vec<Lesson> = games.flat_map(|game| lessons(game, 1.0)).collect();
        let options = Fit { epochs: 5, ..Fit::default() };
        // Evaluated on its own training data: here the question is only whether the slope is right.
        let fitted = fit(&rules, &taught, options, |_, _| ());
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
        let start: Vec<f32> = WEIGHTS.iter().map(|&weight| f32::from(weight)).collect();
        assert!(error(&fitted.weights) < error(&start));
        let rounded = fitted.weights.iter().map(|weight| weight.round() as i16);
        let read = weights(&source(&fitted.weights)).unwrap();
        assert!(read.into_iter().eq(rounded));
        assert_eq!(weights("static WEIGHTS: [i16; 2] = [1, 2];"), Err(NotWeights));
    }

    #[test]
    fn what_was_thought_later_counts() {
        let start = Position::start();
        let sample = |position: &Position, score, result| {
            let position = position.clone();
            Sample { position, score, result }
        };
        let game =
            || vec![sample(&start, 0, 1.0), sample(&start.with_turn(Color::Black), -400, 0.0)];
        let targets = |lambda| lessons(game(), lambda).into_iter().map(|lesson| lesson.target);
        // Ten to one, seen from both sides; then how it ended.
        let near = |lambda, wanted: [f32; 2]| {
            assert!(targets(lambda).zip(wanted).all(|(is, should)| (is - should).abs() < 1e-3));
        };
        near(0.0, [0.5, 0.0909]);
        near(0.5, [0.7273, 0.0455]);
        near(1.0, [1.0, 0.0]);
    }
}
