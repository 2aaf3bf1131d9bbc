//! Training a network by stochastic gradient descent (Adam), on the processor.
//!
//! The network learns what the features miss: its output is added to their value before the logistic function, and the
//! squared difference from the target is made small. A batch is cut into a fixed number of parts whose gradients are
//! added in a fixed order, so that the same seed gives the same network on any number of threads. After every epoch the
//! state is a checkpoint, from which training goes on.

use std::sync::Arc;

use engine::eval::features::{HUNTER, SCALE, Weights};
use engine::eval::geometry::GEOMETRY;
use engine::eval::network::{
    BUCKETS, Floats, Inputs, Network, NotANetwork, OUTPUT_ONE, UNIT_STEP, bucket,
};
use game::rng::Rng;
use jungle::{Animal, Square};
use rayon::prelude::*;

use crate::examples::{ABSENT, Example};
use crate::lesson::sigmoid;

/// Positions a step.
const BATCH: usize = 16_384;
/// Parts of a batch, each with a gradient of its own.
const PARTS: usize = 8;
/// Adam's usual constants.
const BETA: (f32, f32) = (0.9, 0.999);

/// Options of the training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Train {
    /// What the hidden layer sees.
    pub inputs: Inputs,
    /// Units of the hidden layer.
    pub units: usize,
    /// How often to go through the examples.
    pub epochs: u32,
    /// The learning rate at the beginning; it falls to a hundredth along a cosine.
    pub rate: f32,
    /// The seed of the first weights and of the order of the examples.
    pub seed: u64,
}

impl Default for Train {
    fn default() -> Train {
        Train { inputs: Inputs::Places, units: 32, epochs: 10, rate: 0.002, seed: 1 }
    }
}

/// What an epoch came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Which, from 1.
    pub number: u32,
    /// The mean squared error on the examples, while learning from them.
    pub train: f64,
    /// On those held back.
    pub held: Errors,
}

/// Mean squared errors of a network on examples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// On all of them.
    pub all: f64,
    /// By bucket of the number of pieces.
    pub by_pieces: [f64; BUCKETS],
    /// By how many animals more than the other player's the player to move has: two or more fewer, one fewer, as many, one
    /// more, two or more.
    pub by_material: [f64; MATERIALS],
}

/// How many kinds of material balance errors are told apart by.
pub const MATERIALS: usize = 5;

/// A network being trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Trainer {
    options: Train,
    /// Rows, biases of units, output weights, output biases.
    weights: Vec<f32>,
    /// Adam's means of the gradient and of its square.
    first: Vec<f32>,
    second: Vec<f32>,
    steps: u64,
    epoch: u32,
}

impl Trainer {
    /// A network with small random weights and an output of 0.
    pub fn new(options: Train) -> Trainer {
        let mut rng = Rng::new(options.seed);
        let (units, at) = (options.units, Layout::of(&options));
        let mut random = |most: f32| (rng.below(200_001) as f32 / 100_000.0 - 1.0) * most;
        let mut weights = vec![0.0; at.end];
        weights[..Inputs::PLACES * units].fill_with(|| random(0.1));
        weights[Inputs::PLACES * units..at.bias].fill_with(|| random(0.03));
        weights[at.bias..at.output].fill_with(|| random(0.1) + 0.2);
        let (first, second) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
        Trainer { options, weights, first, second, steps: 0, epoch: 0 }
    }

    /// How many epochs are done.
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Goes through the examples once.
    pub fn train(&mut self, train: &[Example], held: &[Example]) -> Epoch {
        let mut order: Vec<u32> = (0..train.len() as u32).collect();
        let mut rng = Rng::new(self.options.seed ^ u64::from(self.epoch + 1) << 32);
        for at in (1..order.len()).rev() {
            order.swap(at, rng.below(at + 1));
        }
        let batches = order.len().div_ceil(BATCH).max(1);
        let mut error = 0.0;
        for (at, batch) in order.chunks(BATCH).enumerate() {
            let done = (f64::from(self.epoch) + at as f64 / batches as f64)
                / f64::from(self.options.epochs.max(1));
            let cosine = (1.0 + (std::f64::consts::PI * done.min(1.0)).cos()) / 2.0;
            let rate = self.options.rate * (0.01 + 0.99 * cosine as f32);
            error += self.step(train, batch, rate);
        }
        self.epoch += 1;
        let train = error / order.len().max(1) as f64;
        Epoch { number: self.epoch, train, held: self.errors(held) }
    }

    /// One batch; the sum of its squared errors.
    fn step(&mut self, examples: &[Example], batch: &[u32], rate: f32) -> f64 {
        let options = &self.options;
        let part = batch.len().div_ceil(PARTS).max(1);
        let parts: Vec<(f64, Vec<f32>)> = batch
            .par_chunks(part)
            .map(|part| {
                let mut gradient = vec![0.0; self.weights.len()];
                let error = learn(options, &self.weights, examples, part, &mut gradient);
                (error, gradient)
            })
            .collect();
        self.steps += 1;
        let share = 1.0 / batch.len() as f32;
        let correction = |beta: f32| 1.0 - beta.powi(self.steps.min(i32::MAX as u64) as i32);
        let (first_correction, second_correction) = (correction(BETA.0), correction(BETA.1));
        let at = Layout::of(options);
        let output = at.output..at.output_bias;
        let pairs = Inputs::PLACES * options.units..at.bias;
        let rows = if options.inputs == Inputs::Places { 10.0 } else { 4.0 };
        // Sums of output weights must fit their registers.
        let most = 62.0 * 128.0 / OUTPUT_ONE as f32 / options.units as f32;
        let state = self.weights.par_iter_mut().zip(&mut self.first).zip(&mut self.second);
        state.with_min_len(4096).enumerate().for_each(|(at, ((weight, first), second))| {
            let gradient: f32 = parts.iter().map(|(_, gradient)| gradient[at]).sum::<f32>() * share;
            *first = BETA.0 * *first + (1.0 - BETA.0) * gradient;
            *second = BETA.1 * *second + (1.0 - BETA.1) * gradient * gradient;
            let (mean, square) = (*first / first_correction, *second / second_correction);
            *weight -= rate * mean / (square.sqrt() + 1e-8);
            let most = match () {
                _ if output.contains(&at) => most,
                _ if pairs.contains(&at) => 1.5,
                _ => rows,
            };
            *weight = weight.clamp(-most, most);
        });
        parts.iter().map(|(error, _)| error).sum()
    }

    /// The mean squared errors on examples.
    pub fn errors(&self, examples: &[Example]) -> Errors {
        // By bucket and material.
        let sums = examples
            .par_chunks(4096)
            .map(|part| {
                let mut sums = [[(0.0, 0_u64); MATERIALS]; BUCKETS];
                let mut pass = Pass::new(&self.options);
                for example in part {
                    let difference = pass.forward(&self.weights, example) - target(example);
                    let sum = &mut sums[pass.bucket][(example.balance() + 2).clamp(0, 4) as usize];
                    *sum = (sum.0 + f64::from(difference * difference), sum.1 + 1);
                }
                sums
            })
            .collect::<Vec<_>>();
        let mean = |wanted: &dyn Fn(usize, usize) -> bool| {
            let mut all = (0.0, 0_u64);
            for sums in &sums {
                for (bucket, sums) in sums.iter().enumerate() {
                    for (material, sum) in sums.iter().enumerate() {
                        if wanted(bucket, material) {
                            all = (all.0 + sum.0, all.1 + sum.1);
                        }
                    }
                }
            }
            all.0 / all.1.max(1) as f64
        };
        Errors {
            all: mean(&|_, _| true),
            by_pieces: std::array::from_fn(|bucket| mean(&|found, _| found == bucket)),
            by_material: std::array::from_fn(|material| mean(&|_, found| found == material)),
        }
    }

    /// The network in whole numbers, which corrects these weights of the features.
    ///
    /// # Errors
    ///
    /// If the weights are too large for it.
    pub fn network(&self, features: &Arc<Weights>) -> Result<Network, NotANetwork> {
        let at = Layout::of(&self.options);
        Network::quantised(&Floats {
            inputs: self.options.inputs,
            rows: self.weights[..at.bias].to_vec(),
            bias: self.weights[at.bias..at.output].to_vec(),
            output: self.weights[at.output..at.output_bias].to_vec(),
            output_bias: self.weights[at.output_bias..].to_vec(),
            features: Arc::clone(features),
        })
    }

    /// The state as bytes, to go on from.
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut bytes = CHECKPOINT.to_vec();
        bytes.extend((self.options.units as u32).to_le_bytes());
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        for numbers in [&self.weights, &self.first, &self.second] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Goes on from a checkpoint of a network of the same width; none if it is something else.
    pub fn resume(options: Train, bytes: &[u8]) -> Option<Trainer> {
        let (bytes, sum) = bytes.split_last_chunk::<4>()?;
        let count = Layout::of(&options).end;
        let (start, numbers) = bytes.split_first_chunk::<24>()?;
        let word = |at: usize| {
            u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]])
        };
        let matches = start[..8] == CHECKPOINT
            && word(8) as usize == options.units
            && numbers.len() == 3 * 4 * count
            && crc32fast::hash(bytes) == u32::from_le_bytes(*sum);
        if !matches {
            return None;
        }
        let mut numbers =
            numbers.as_chunks::<4>().0.iter().map(|&number| f32::from_le_bytes(number));
        let mut take = || numbers.by_ref().take(count).collect::<Vec<f32>>();
        let steps = u64::from(word(16)) | u64::from(word(20)) << 32;
        let (weights, first, second) = (take(), take(), take());
        Some(Trainer { options, weights, first, second, steps, epoch: word(12) })
    }
}

const CHECKPOINT: [u8; 8] = *b"MTTRAIN\x01";

/// Where each kind of weight begins.
struct Layout {
    bias: usize,
    output: usize,
    output_bias: usize,
    end: usize,
}

impl Layout {
    fn of(options: &Train) -> Layout {
        let units = options.units;
        let bias = options.inputs.count() * units;
        let output = bias + units;
        let output_bias = output + BUCKETS * 2 * units;
        Layout { bias, output, output_bias, end: output_bias + BUCKETS }
    }
}

fn target(example: &Example) -> f32 {
    f32::from(example.target) / f32::from(u16::MAX)
}

game::multiversion! {
    wide,
    fn learn(options: &Train, weights: &[f32], examples: &[Example], part: &[u32], gradient: &mut [f32]) -> f64
        = descend;
}

/// Adds the gradient of a part of a batch; the sum of its squared errors.
#[inline(always)]
fn descend(
    options: &Train,
    weights: &[f32],
    examples: &[Example],
    part: &[u32],
    gradient: &mut [f32],
) -> f64 {
    let mut pass = Pass::new(options);
    let mut error = 0.0;
    for &at in part {
        let example = &examples[at as usize];
        let guess = pass.forward(weights, example);
        let difference = guess - target(example);
        error += f64::from(difference * difference);
        pass.backward(weights, 2.0 * difference * guess * (1.0 - guess), gradient);
    }
    error
}

/// So many weights or units as are summed at a time, in registers.
type Block = [f32; UNIT_STEP];

/// A pass through the network.
struct Pass {
    options: Train,
    at: Layout,
    bucket: usize,
    /// The places that are on, in each of the four views: ours, mirrored, theirs, mirrored.
    places: [List<{ 2 * Animal::COUNT }>; 4],
    /// The pairs that are on, as we and they see them; mirrored they are the same.
    pairs: [List<{ Animal::COUNT * Animal::COUNT }>; 2],
    /// The hidden layers of the views, clipped.
    hidden: [Vec<Block>; 4],
}

/// Inputs that are on: where their rows begin, in blocks.
struct List<const MOST: usize> {
    rows: [u32; MOST],
    count: usize,
}

impl<const MOST: usize> List<MOST> {
    const EMPTY: Self = List { rows: [0; MOST], count: 0 };

    #[inline(always)]
    fn push(&mut self, row: usize) {
        self.rows[self.count] = row as u32;
        self.count += 1;
    }

    #[inline(always)]
    fn all(&self) -> &[u32] {
        &self.rows[..self.count]
    }
}

/// The sum of the list's rows, in one block.
#[inline(always)]
fn add_rows(sum: &mut Block, weights: &[Block], rows: &[u32], block: usize) {
    for &row in rows {
        add(sum, &weights[row as usize + block]);
    }
}

#[inline(always)]
fn add(sum: &mut Block, more: &Block) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more;
    }
}

impl Pass {
    fn new(options: &Train) -> Pass {
        let blocks = options.units / UNIT_STEP;
        Pass {
            options: *options,
            at: Layout::of(options),
            bucket: 0,
            places: [List::EMPTY; 4],
            pairs: [List::EMPTY; 2],
            hidden: std::array::from_fn(|_| vec![[0.0; UNIT_STEP]; blocks]),
        }
    }

    /// What to expect of a position.
    #[inline(always)]
    fn forward(&mut self, weights: &[f32], example: &Example) -> f32 {
        self.list(example);
        let at = &self.at;
        self.bucket = bucket(example.pieces());
        let bias = weights[at.output_bias + self.bucket];
        let weights = weights.as_chunks::<UNIT_STEP>().0;
        let blocks = self.options.units / UNIT_STEP;
        let mut sum = [0.0; UNIT_STEP];
        for viewer in 0..2 {
            let output = at.output / UNIT_STEP + (self.bucket * 2 + viewer) * blocks;
            for block in 0..blocks {
                let mut shared = weights[at.bias / UNIT_STEP + block];
                add_rows(&mut shared, weights, self.pairs[viewer].all(), block);
                for view in [2 * viewer, 2 * viewer + 1] {
                    let mut units = shared;
                    add_rows(&mut units, weights, self.places[view].all(), block);
                    for ((unit, weight), sum) in
                        units.iter_mut().zip(&weights[output + block]).zip(&mut sum)
                    {
                        *unit = unit.clamp(0.0, 1.0);
                        *sum += *unit * *unit * weight;
                    }
                    self.hidden[view][block] = units;
                }
            }
        }
        let value = f32::from(example.base) / SCALE + bias + sum.iter().sum::<f32>();
        sigmoid(value * SCALE)
    }

    /// Adds the gradient, given that of the value.
    #[inline(always)]
    fn backward(&mut self, weights: &[f32], slope: f32, gradient: &mut [f32]) {
        let at = &self.at;
        gradient[at.output_bias + self.bucket] += slope;
        let weights = weights.as_chunks::<UNIT_STEP>().0;
        let gradient = gradient.as_chunks_mut::<UNIT_STEP>().0;
        let blocks = self.options.units / UNIT_STEP;
        for viewer in 0..2 {
            let output = at.output / UNIT_STEP + (self.bucket * 2 + viewer) * blocks;
            for block in 0..blocks {
                let mut both = [0.0; UNIT_STEP];
                for view in [2 * viewer, 2 * viewer + 1] {
                    let mut back = [0.0; UNIT_STEP];
                    let units = self.hidden[view][block].iter().zip(&weights[output + block]);
                    let sums = gradient[output + block].iter_mut().zip(&mut back);
                    for ((&clipped, weight), (sum, back)) in units.zip(sums) {
                        *sum += slope * clipped * clipped;
                        // Clipped at 0 the factor is 0; at 1 it must not move.
                        let inside = if clipped < 1.0 { 2.0 * clipped } else { 0.0 };
                        *back = slope * weight * inside;
                    }
                    for &row in self.places[view].all() {
                        add(&mut gradient[row as usize + block], &back);
                    }
                    add(&mut both, &back);
                }
                for &row in self.pairs[viewer].all() {
                    add(&mut gradient[row as usize + block], &both);
                }
                add(&mut gradient[at.bias / UNIT_STEP + block], &both);
            }
        }
    }

    /// Lists the inputs that are on.
    #[inline(always)]
    fn list(&mut self, example: &Example) {
        let blocks = self.options.units / UNIT_STEP;
        (self.places, self.pairs) = ([List::EMPTY; 4], [List::EMPTY; 2]);
        for (piece, &square) in example.squares.iter().enumerate() {
            if square == ABSENT {
                continue;
            }
            let square = usize::from(square);
            let mirrored = square / 7 * 7 + 6 - square % 7;
            let turned = |square: usize| Square::COUNT - 1 - square;
            let ours = piece * Square::COUNT;
            let theirs = (piece + 8) % 16 * Square::COUNT;
            let inputs = [
                ours + square,
                ours + mirrored,
                theirs + turned(square),
                theirs + turned(mirrored),
            ];
            for (list, input) in self.places.iter_mut().zip(inputs) {
                list.push(input * blocks);
            }
        }
        if self.options.inputs == Inputs::Places {
            return;
        }
        let geometry = &*GEOMETRY;
        let (ours, theirs) = example.squares.split_at(Animal::COUNT);
        let square = |at: u8| Square::ALL.get(usize::from(at)).copied();
        for (ours, here) in Animal::ALL.into_iter().zip(ours) {
            let Some(here) = square(*here) else { continue };
            for (theirs, there) in Animal::ALL.into_iter().zip(theirs) {
                let Some(there) = square(*there) else { continue };
                let gait = HUNTER[ours.index()][theirs.index()];
                let distance = geometry.between(gait, here, there);
                self.pairs[0].push(Inputs::pair(ours, theirs, distance) * blocks);
                self.pairs[1].push(Inputs::pair(theirs, ours, distance) * blocks);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::Examples;
    use crate::{Description, GameFile, SelfPlay};
    use engine::eval::features::USUAL;
    use engine::eval::{Champion, Evaluator, Networked};
    use jungle::{Jungle, Rules};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn training_lowers_the_error_and_play_agrees_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let how = SelfPlay::new(Rules::STANDARD, 40);
        let mut file = GameFile::open(&path, &Description::of(&how)).unwrap();
        let numbers: Vec<u64> = (0..60).collect();
        file.play(&numbers, &how, 2, &AtomicBool::new(false), |_| ()).unwrap();
        drop(file);
        let examples = Examples::read(&[&path], None, 0.9, None, |_| ()).unwrap();
        assert!(examples.games == 60 && examples.train.len() > 1000, "{}", examples.train.len());
        for inputs in [Inputs::Places, Inputs::Pairs] {
            learns_and_agrees(
                Train { inputs, units: 16, epochs: 6, ..Train::default() },
                &examples,
            );
        }
    }

    fn learns_and_agrees(options: Train, examples: &Examples) {
        let how = SelfPlay::new(Rules::STANDARD, 40);
        let mut trainer = Trainer::new(options);
        let before = trainer.errors(&examples.train).all;
        trainer.train(&examples.train, &examples.held);
        // A checkpoint goes on as if nothing had happened.
        let mut resumed = Trainer::resume(options, &trainer.checkpoint()).unwrap();
        assert_eq!(resumed, trainer);
        assert!(Trainer::resume(Train { units: 32, ..options }, &trainer.checkpoint()).is_none());
        for _ in 1..6 {
            trainer.train(&examples.train, &examples.held);
            resumed.train(&examples.train, &examples.held);
        }
        assert_eq!(resumed, trainer);
        let after = trainer.errors(&examples.train).all;
        assert!(after < before, "{before} to {after}");

        // The engine, in whole numbers, says what the trainer says.
        let network = Arc::new(trainer.network(&Arc::new(*USUAL)).unwrap());
        let rules = Rules::STANDARD;
        let jungle = Jungle::new(rules);
        let mut judge = Networked::new(&rules, None, Arc::clone(&network));
        let mut features = Champion::new(&rules, None);
        let mut pass = Pass::new(&options);
        let game = how.play(3).unwrap();
        game.for_each(|position, _| {
            judge.reset(position);
            features.reset(position);
            let base = features.evaluate(&jungle, position);
            let example = Example::new(&rules, position, base, 0.5);
            let floats = pass.forward(&trainer.weights, &example);
            let whole = sigmoid(judge.evaluate(&jungle, position) as f32);
            assert!((floats - whole).abs() < 0.01, "{floats} and {whole}");
        });
    }

    #[test]
    fn gradients_are_slopes() {
        let units = 16;
        let options = Train { inputs: Inputs::Pairs, units, ..Train::default() };
        let mut trainer = Trainer::new(options);
        let mut rng = Rng::new(2);
        for weight in &mut trainer.weights {
            *weight += (rng.below(2001) as f32 / 1000.0 - 1.0) * 0.05;
        }
        let position = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L b".parse().unwrap();
        let example = Example::new(&Rules::STANDARD, &position, 20, 0.9);
        let mut gradient = vec![0.0; trainer.weights.len()];
        descend(&options, &trainer.weights, &[example], &[0], &mut gradient);
        let error = |weights: &[f32]| {
            let difference = Pass::new(&options).forward(weights, &example) - target(&example);
            difference * difference
        };
        let steep: Vec<usize> =
            (0..gradient.len()).filter(|&at| gradient[at].abs() > 2e-4).collect();
        assert!(steep.len() > 50);
        for &at in steep.iter().step_by(7) {
            let mut weights = trainer.weights.clone();
            // Small: units must not be clipped on the way.
            weights[at] += 0.002;
            let above = error(&weights);
            weights[at] -= 0.004;
            let slope = (above - error(&weights)) / 0.004;
            assert!((slope - gradient[at]).abs() < 0.1 * gradient[at].abs() + 1e-5, "{at}");
        }
    }
}
