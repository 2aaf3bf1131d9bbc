//! An efficiently updated neural network (NNUE): a correction to the sum of the [features].
//!
//! One hidden layer sees the board as each player does: an input is one of our or their animals on a square (1008 of
//! them, by strength, the board turned so that our den is at the bottom) or, where it sees pairs, one of ours and one of theirs
//! at a distance. It is computed four times with the same weights: for either player, on the board as it is and on its mirror
//! image; so the value does not change when the board is mirrored or the colours are exchanged, and half the data suffice.
//! A unit's output is its sum, clipped to [0, 1] and squared; the value is their weighted sum, with weights for the player
//! to move and for the other, in buckets by the number of pieces:
//!
//! ```text
//! places of our and their animals ─→ hidden layer of the player to move, and of the mirror image ─┐
//!                                                                                                 ├→ value
//! the same as the other player sees them ─→ hidden layer of the other player, and mirrored ───────┘
//! ```
//!
//! All is in whole numbers. A hidden 1 is 181, because 181² is the largest square in sixteen bits: squares are multiplied
//! pairwise by the processor's widest multiply-and-add. This is the network itself, as numbers in a file, which
//! `docs/network-format.md` describes; [`Networked`](super::Networked) evaluates with it.

use std::sync::{Arc, LazyLock};

use jungle::{Animal, Color, Square};

use crate::eval::features::{self, DISTANCES, Weights, pair};

/// What the hidden layer sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Where our and their animals stand.
    Places,
    /// And how far each of ours is from each of theirs, as the [pairs](super::features) among the features.
    Pairs,
}

impl Inputs {
    /// All of them with their names.
    pub const NAMES: [(&'static str, Inputs); 2] =
        [("places", Inputs::Places), ("pairs", Inputs::Pairs)];
    /// Ours and theirs, animals, squares.
    pub const PLACES: usize = 2 * Animal::COUNT * Square::COUNT;

    /// How many inputs there are.
    pub const fn count(self) -> usize {
        match self {
            Inputs::Places => Inputs::PLACES,
            Inputs::Pairs => Inputs::PLACES + Animal::COUNT * Animal::COUNT * DISTANCES,
        }
    }

    /// The input of a pair: the viewer's animal, the other's, how far apart they are.
    #[inline]
    pub fn pair(ours: Animal, theirs: Animal, distance: u8) -> usize {
        Inputs::PLACES + pair(ours, theirs, distance)
    }
}

/// Output weights are in buckets by the number of pieces.
pub const BUCKETS: usize = 8;
/// The widest hidden layer.
pub const MOST_UNITS: usize = 128;
/// Units come in multiples of this, for the widest registers.
pub const UNIT_STEP: usize = 16;
/// A hidden 1.
pub const HIDDEN_ONE: i32 = 181;
/// An output weight of 1.
pub const OUTPUT_ONE: i32 = 128;
/// The most that the output weights of a bucket add up to, without their signs: four times as much cannot overflow.
const MOST_OUTPUT: i64 = i32::MAX as i64 / (HIDDEN_ONE as i64 * HIDDEN_ONE as i64) / 2;
/// What one unit of the logistic function is worth, in hundredths.
pub(super) const SCALE_HUNDREDTHS: i64 = 17_372;

const MAGIC: [u8; 5] = *b"MTNET";
/// The version that is written. Version 1 had places alone and a bucket for two of today's.
const VERSION: u8 = 2;

/// So many units, or weights of them, as go into a register.
pub(super) type Block = [i16; UNIT_STEP];

/// A network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    pub(super) inputs: Inputs,
    units: usize,
    /// The weights of the features that it corrects.
    pub(super) features: Arc<Weights>,
    /// A row of units for each input.
    pub(super) rows: Vec<Block>,
    /// The units with no input.
    pub(super) bias: Vec<Block>,
    /// For each bucket the weights of the player to move, then those of the other.
    pub(super) output: [Vec<Block>; BUCKETS],
    /// For each bucket, in the scale of sums.
    pub(super) output_bias: [i32; BUCKETS],
}

/// A file that is not a network of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a network of this version ({0})")]
pub struct NotANetwork(&'static str);

/// Weights before they are rounded.
#[derive(Clone, Debug)]
pub struct Floats {
    /// What the hidden layer sees.
    pub inputs: Inputs,
    /// A row of units for each input.
    pub rows: Vec<f32>,
    /// The units with no input.
    pub bias: Vec<f32>,
    /// For each bucket the weights of the player to move, then those of the other.
    pub output: Vec<f32>,
    /// For each bucket.
    pub output_bias: Vec<f32>,
    /// The weights of the features that it corrects.
    pub features: Arc<Weights>,
}

impl Network {
    /// A network of rounded weights.
    ///
    /// # Errors
    ///
    /// If the numbers do not fit: too many units, or weights too large.
    pub fn quantised(floats: &Floats) -> Result<Network, NotANetwork> {
        let round = |one: i32| {
            move |&weight: &f32| (weight * one as f32).round().clamp(-32_000.0, 32_000.0) as i16
        };
        let (hidden, output) = (round(HIDDEN_ONE), round(OUTPUT_ONE));
        let units = floats.bias.len();
        let scale = (HIDDEN_ONE * HIDDEN_ONE * OUTPUT_ONE) as f32;
        let network = Network {
            inputs: floats.inputs,
            units,
            features: Arc::clone(&floats.features),
            rows: blocks(floats.rows.iter().map(&hidden)),
            bias: blocks(floats.bias.iter().map(&hidden)),
            output: std::array::from_fn(|bucket| {
                let from = bucket * 2 * units;
                let weights = floats.output.get(from..from + 2 * units).unwrap_or_default();
                blocks(weights.iter().map(&output))
            }),
            output_bias: std::array::from_fn(|bucket| {
                floats.output_bias.get(bucket).map_or(0, |bias| (bias * scale).round() as i32)
            }),
        };
        network.checked()
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    ///
    /// If they are something else, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NotANetwork> {
        let (start, rest) = bytes.split_first_chunk::<12>().ok_or(NotANetwork("it is short"))?;
        let (version, inputs) = (start[5], start[6]);
        let in_file = match version {
            1 => BUCKETS / 2,
            VERSION => BUCKETS,
            _ => return Err(NotANetwork("its version")),
        };
        let (_, inputs) =
            *Inputs::NAMES.get(usize::from(inputs)).ok_or(NotANetwork("its inputs"))?;
        if start[..5] != MAGIC || start[7] != 0 {
            return Err(NotANetwork("it begins differently"));
        }
        let units = usize::from(u16::from_le_bytes([start[8], start[9]]));
        let buckets = usize::from(u16::from_le_bytes([start[10], start[11]]));
        if units == 0 || units > MOST_UNITS || buckets != in_file {
            return Err(NotANetwork("its size"));
        }
        let features_in_file = if version == 1 { 0 } else { features::COUNT };
        let words = features_in_file + inputs.count() * units + units + buckets * 2 * units;
        if rest.len() != words * 2 + buckets * 4 {
            return Err(NotANetwork("its length"));
        }
        let (words, biases) = rest.split_at(words * 2);
        let mut words = words.as_chunks::<2>().0.iter().map(|&word| i16::from_le_bytes(word));
        let mut features = Arc::new(*features::USUAL);
        for weight in &mut Arc::make_mut(&mut features)[..features_in_file] {
            *weight = words.next().unwrap_or_default();
        }
        let mut take = |count: usize| blocks(words.by_ref().take(count));
        let (rows, bias) = (take(inputs.count() * units), take(units));
        let outputs: Vec<Vec<Block>> = (0..buckets).map(|_| take(2 * units)).collect();
        let biases = biases.as_chunks::<4>().0;
        let of = |bucket: usize| bucket * buckets / BUCKETS;
        let output = std::array::from_fn(|bucket| outputs[of(bucket)].clone());
        let output_bias = std::array::from_fn(|bucket| i32::from_le_bytes(biases[of(bucket)]));
        Network { inputs, units, features, rows, bias, output, output_bias }.checked()
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.inputs as u8, 0]);
        bytes.extend((self.units as u16).to_le_bytes());
        bytes.extend((BUCKETS as u16).to_le_bytes());
        bytes.extend(self.features.iter().flat_map(|word| word.to_le_bytes()));
        let words = self.rows.iter().chain(&self.bias).chain(self.output.iter().flatten());
        bytes.extend(words.flatten().flat_map(|word| word.to_le_bytes()));
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes
    }

    /// The network that the program comes with.
    pub fn usual() -> &'static Arc<Network> {
        static USUAL: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let network = Network::from_bytes(include_bytes!("usual.mtn"));
            Arc::new(network.expect("the network is of this version"))
        });
        &USUAL
    }

    /// The weights of the features that it corrects.
    pub fn features(&self) -> &Arc<Weights> {
        &self.features
    }

    /// How many units the hidden layer has.
    pub fn units(&self) -> usize {
        self.units
    }

    /// Checks that no sum can overflow.
    fn checked(self) -> Result<Network, NotANetwork> {
        let units = self.units;
        let fits = (1..=MOST_UNITS).contains(&units)
            && units.is_multiple_of(UNIT_STEP)
            && self.rows.len() == self.inputs.count() * self.blocks()
            && self.output.iter().all(|weights| weights.len() == 2 * self.blocks());
        if !fits {
            return Err(NotANetwork("its size"));
        }
        let size = |weights: &[Block]| -> i64 {
            weights.iter().flatten().map(|&weight| i64::from(weight).abs()).sum()
        };
        if self.output_bias.iter().any(|bias| bias.unsigned_abs() > (i32::MAX / 2).unsigned_abs()) {
            return Err(NotANetwork("its output biases are too large"));
        }
        // Each weight is used for the board and for its mirror image.
        if self.output.iter().any(|weights| 2 * size(weights) > MOST_OUTPUT) {
            return Err(NotANetwork("its output weights are too large"));
        }
        // A piece is on one square, a pair at one distance.
        let (places, pairs) = self.rows.as_flattened().split_at(Inputs::PLACES * units);
        for unit in 0..units {
            let most = |rows: &[i16], alternatives: usize| -> i32 {
                let largest = |rows: &[i16]| {
                    let weights = rows.iter().skip(unit).step_by(units);
                    weights.map(|&weight| i32::from(weight).abs()).max().unwrap_or(0)
                };
                rows.chunks(alternatives * units).map(largest).sum()
            };
            let most = most(places, Square::COUNT) + most(pairs, DISTANCES);
            if most + i32::from(self.bias.as_flattened()[unit]).abs() > i32::from(i16::MAX) {
                return Err(NotANetwork("its hidden weights are too large"));
            }
        }
        Ok(self)
    }

    /// How many blocks of units there are.
    #[inline]
    pub(super) fn blocks(&self) -> usize {
        self.bias.len()
    }

    #[inline]
    pub(super) fn row(&self, input: usize) -> &[Block] {
        &self.rows[input * self.blocks()..][..self.blocks()]
    }
}

fn blocks(numbers: impl Iterator<Item = i16>) -> Vec<Block> {
    numbers.collect::<Vec<i16>>().as_chunks().0.to_vec()
}

/// The bucket of a position with this many pieces.
#[inline]
pub const fn bucket(pieces: u32) -> usize {
    match pieces {
        0..=2 => 0,
        3..=16 => (pieces as usize - 1) / 2,
        _ => BUCKETS - 1,
    }
}

/// The input of a piece as `viewer` sees it; `animal` is by strength.
#[inline]
pub const fn input(viewer: Color, owner: Color, animal: Animal, square: Square) -> usize {
    let (theirs, square) = match (viewer, owner) {
        (Color::White, Color::White) => (0, square),
        (Color::White, Color::Black) => (1, square),
        (Color::Black, Color::Black) => (0, square.rotate()),
        (Color::Black, Color::White) => (1, square.rotate()),
    };
    (theirs * Animal::COUNT + animal.index()) * Square::COUNT + square.index()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use game::rng::Rng;

    pub fn random_network(inputs: Inputs, units: usize, rng: &mut Rng) -> Network {
        let mut numbers = |count: usize, most: f32| -> Vec<f32> {
            let unit = |rng: &mut Rng| (rng.below(2001) as f32 - 1000.0) / 1000.0;
            (0..count).map(|_| unit(rng) * most).collect()
        };
        Network::quantised(&Floats {
            inputs,
            rows: numbers(inputs.count() * units, 0.4),
            bias: numbers(units, 0.5),
            output: numbers(BUCKETS * 2 * units, 0.7),
            output_bias: numbers(BUCKETS, 0.2),
            features: Arc::new(features::USUAL.map(|weight| weight / 2)),
        })
        .unwrap()
    }

    #[test]
    fn networks_round_trip_and_others_are_refused() {
        let network = random_network(Inputs::Pairs, 32, &mut Rng::new(8));
        let bytes = network.to_bytes();
        assert_eq!(Network::from_bytes(&bytes).as_ref(), Ok(&network));
        assert!(bytes.len() < 1 << 20);
        for cut in [0, 5, 11, 100, bytes.len() - 1] {
            assert!(Network::from_bytes(&bytes[..cut]).is_err());
        }
        // Weights that could overflow a sum.
        let mut loud = bytes.clone();
        let output = 12 + 2 * (features::COUNT + Inputs::Pairs.count() * 32 + 32);
        for weight in loud[output..output + 128].as_chunks_mut::<2>().0 {
            *weight = i16::MAX.to_le_bytes();
        }
        assert!(Network::from_bytes(&loud).is_err());
    }
}
