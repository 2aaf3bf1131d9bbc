//! An efficiently updated neural network (NNUE): a correction to the sum of the [features](super::features).
//!
//! One hidden layer sees the board as each player does: an input is one of our or their animals on a square (1008 of
//! them, by strength, the board turned so that our den is at the bottom). It is computed four times with the same weights:
//! for either player, on the board as it is and on its mirror image; so the value does not change when the board is
//! mirrored or the colours are exchanged, and half the data suffice. A unit's output is its sum, clipped to [0, 1] and
//! squared; the value is their weighted sum, with weights for the player to move and for the other, in buckets by the
//! number of pieces:
//!
//! ```text
//! places of our and their animals ─→ hidden layer of the player to move, and of the mirror image ─┐
//!                                                                                                 ├→ value
//! the same as the other player sees them ─→ hidden layer of the other player, and mirrored ───────┘
//! ```
//!
//! All is in whole numbers. A move changes two inputs, a capture three, so the hidden layers are kept up to date by
//! adding and subtracting rows; sums are exact, so taking a move back restores them. A hidden 1 is 181, because
//! 181² is the largest square in sixteen bits: squares are multiplied pairwise by the processor's widest
//! multiply-and-add. The loops are plain and compiled for what the processor has ([`game::multiversion!`]).
//!
//! `docs/network-format.md` describes the file.

use std::sync::Arc;

use jungle::{Animal, Color, Jungle, Move, Position, Rules, Square};

use crate::eval::features::Weights;
use crate::eval::{Champion, Evaluator};

/// Inputs: ours and theirs, animals, squares.
pub const INPUTS: usize = 2 * Animal::COUNT * Square::COUNT;
/// Output weights are in buckets by the number of pieces.
pub const BUCKETS: usize = 4;
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
const SCALE_HUNDREDTHS: i64 = 17_372;

const MAGIC: [u8; 8] = *b"MTNET\x01\0\0";

/// A network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    units: usize,
    /// A row of units for each input.
    rows: Vec<i16>,
    /// The units with no input.
    bias: Vec<i16>,
    /// For each bucket the weights of the player to move, then those of the other.
    output: [Vec<i16>; BUCKETS],
    /// For each bucket, in the scale of sums.
    output_bias: [i32; BUCKETS],
}

/// A file that is not a network of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a network of this version ({0})")]
pub struct NotANetwork(&'static str);

/// Weights before they are rounded.
#[derive(Clone, Debug, Default)]
pub struct Floats {
    /// A row of units for each input.
    pub rows: Vec<f32>,
    /// The units with no input.
    pub bias: Vec<f32>,
    /// For each bucket the weights of the player to move, then those of the other.
    pub output: Vec<f32>,
    /// For each bucket.
    pub output_bias: Vec<f32>,
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
            units,
            rows: floats.rows.iter().map(&hidden).collect(),
            bias: floats.bias.iter().map(&hidden).collect(),
            output: std::array::from_fn(|bucket| {
                let from = bucket * 2 * units;
                let weights = floats.output.get(from..from + 2 * units).unwrap_or_default();
                weights.iter().map(&output).collect()
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
        if start[..8] != MAGIC {
            return Err(NotANetwork("it begins differently"));
        }
        let units = usize::from(u16::from_le_bytes([start[8], start[9]]));
        let buckets = usize::from(u16::from_le_bytes([start[10], start[11]]));
        if units == 0 || units > MOST_UNITS || buckets != BUCKETS {
            return Err(NotANetwork("its size"));
        }
        let words = INPUTS * units + units + BUCKETS * 2 * units;
        if rest.len() != words * 2 + BUCKETS * 4 {
            return Err(NotANetwork("its length"));
        }
        let (words, biases) = rest.split_at(words * 2);
        let mut words = words.as_chunks::<2>().0.iter().map(|&word| i16::from_le_bytes(word));
        let mut take = |count: usize| words.by_ref().take(count).collect::<Vec<i16>>();
        let (rows, bias) = (take(INPUTS * units), take(units));
        let output = std::array::from_fn(|_| take(2 * units));
        let mut biases = biases.as_chunks::<4>().0.iter().map(|&word| i32::from_le_bytes(word));
        let output_bias = std::array::from_fn(|_| biases.next().unwrap_or(0));
        Network { units, rows, bias, output, output_bias }.checked()
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.units as u16).to_le_bytes());
        bytes.extend((BUCKETS as u16).to_le_bytes());
        let words = self.rows.iter().chain(&self.bias).chain(self.output.iter().flatten());
        bytes.extend(words.flat_map(|word| word.to_le_bytes()));
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes
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
            && self.rows.len() == INPUTS * units
            && self.output.iter().all(|weights| weights.len() == 2 * units);
        if !fits {
            return Err(NotANetwork("its size"));
        }
        let size = |weights: &[i16]| -> i64 {
            weights.iter().map(|&weight| i64::from(weight).abs()).sum()
        };
        if self.output_bias.iter().any(|bias| bias.unsigned_abs() > (i32::MAX / 2).unsigned_abs()) {
            return Err(NotANetwork("its output biases are too large"));
        }
        // Each weight is used for the board and for its mirror image.
        if self.output.iter().any(|weights| 2 * size(weights) > MOST_OUTPUT) {
            return Err(NotANetwork("its output weights are too large"));
        }
        // At most sixteen inputs are on.
        for unit in 0..units {
            let most = self.rows.iter().skip(unit).step_by(units);
            let most = most.map(|&weight| i32::from(weight).abs()).max().unwrap_or(0);
            if most * 16 + i32::from(self.bias[unit]).abs() > i32::from(i16::MAX) {
                return Err(NotANetwork("its hidden weights are too large"));
            }
        }
        Ok(self)
    }

    #[inline]
    fn row(&self, input: usize) -> &[i16] {
        &self.rows[input * self.units..][..self.units]
    }
}

/// The bucket of a position with this many pieces.
#[inline]
pub const fn bucket(pieces: u32) -> usize {
    match pieces {
        0..=4 => 0,
        5..=8 => 1,
        9..=12 => 2,
        _ => 3,
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

/// The hidden layers of a position: White's, White's of the mirror image, Black's, Black's of the mirror image.
type Hidden = [[i16; MOST_UNITS]; 4];

/// The champion's evaluation corrected by a network.
#[derive(Clone, Debug)]
pub struct Networked {
    champion: Champion,
    network: Arc<Network>,
    rules: Rules,
    hidden: Hidden,
}

/// Pieces that appear or disappear: the colour, the animal by strength, the square.
type Change = (Color, Animal, Square);

impl Networked {
    /// For games under these rules, with these weights of the features or the usual ones.
    pub fn new(rules: &Rules, weights: Option<Arc<Weights>>, network: Arc<Network>) -> Networked {
        let champion = Champion::new(rules, weights);
        Networked { champion, network, rules: *rules, hidden: [[0; MOST_UNITS]; 4] }
    }

    /// The network's share of the value, for the player to move.
    pub fn correction(&self, position: &Position) -> i32 {
        let us = position.turn();
        let bucket = bucket(position.occupied().len());
        let (ours, theirs) = self.network.output[bucket].split_at(self.network.units);
        let [near, far] = match us {
            Color::White => [[0, 1], [2, 3]],
            Color::Black => [[2, 3], [0, 1]],
        };
        let mut sum = self.network.output_bias[bucket];
        for (layers, weights) in [(near, ours), (far, theirs)] {
            for layer in layers {
                sum += output(&self.hidden[layer], weights);
            }
        }
        let one = i64::from(HIDDEN_ONE * HIDDEN_ONE * OUTPUT_ONE);
        (i64::from(sum) * SCALE_HUNDREDTHS / (100 * one)) as i32
    }

    /// Takes away pieces and adds others.
    #[inline]
    fn change(&mut self, away: &[Change], added: &[Change]) {
        let network = Arc::clone(&self.network);
        for (at, layer) in self.hidden.iter_mut().enumerate() {
            let viewer = Color::ALL[at / 2];
            let row = |&(owner, animal, square): &Change| {
                let square = if at % 2 == 1 { square.mirror() } else { square };
                network.row(input(viewer, owner, animal, square))
            };
            match (away, added) {
                ([from], [to]) => step(layer, row(from), row(to)),
                ([from, taken], [to]) => capture(layer, [row(from), row(taken)], row(to)),
                ([to], [from, taken]) => release(layer, row(to), [row(from), row(taken)]),
                _ => debug_assert!(false, "a move changes two or three inputs"),
            }
        }
    }

    fn pieces_of(&self, position: &Position, mv: Move) -> (Change, Change, Option<Change>) {
        let us = position.turn();
        let animal = self.rules.by_strength(mv.animal);
        let taken = mv.captured.map(|taken| (!us, self.rules.by_strength(taken), mv.to));
        ((us, animal, mv.from), (us, animal, mv.to), taken)
    }
}

impl Evaluator for Networked {
    fn reset(&mut self, position: &Position) {
        self.champion.reset(position);
        for (at, layer) in self.hidden.iter_mut().enumerate() {
            let viewer = Color::ALL[at / 2];
            layer[..self.network.units].copy_from_slice(&self.network.bias);
            for (square, piece) in position.pieces() {
                let square = if at % 2 == 1 { square.mirror() } else { square };
                let animal = self.rules.by_strength(piece.animal);
                let row = self.network.row(input(viewer, piece.color, animal, square));
                for (unit, weight) in layer.iter_mut().zip(row) {
                    *unit = unit.wrapping_add(*weight);
                }
            }
        }
    }

    #[inline]
    fn make(&mut self, position: &Position, mv: Move) {
        self.champion.make(position, mv);
        match self.pieces_of(position, mv) {
            (from, to, None) => self.change(&[from], &[to]),
            (from, to, Some(taken)) => self.change(&[from, taken], &[to]),
        }
    }

    #[inline]
    fn unmake(&mut self, position: &Position, mv: Move) {
        self.champion.unmake(position, mv);
        match self.pieces_of(position, mv) {
            (from, to, None) => self.change(&[to], &[from]),
            (from, to, Some(taken)) => self.change(&[to], &[from, taken]),
        }
    }

    fn evaluate(&mut self, jungle: &Jungle, position: &Position) -> i32 {
        self.champion.evaluate(jungle, position) + self.correction(position)
    }
}

game::multiversion! {
    fn output(layer: &[i16; MOST_UNITS], weights: &[i16]) -> i32 = weighted;
}
game::multiversion! {
    fn step(layer: &mut [i16; MOST_UNITS], away: &[i16], added: &[i16]) -> () = stepped;
}
game::multiversion! {
    fn capture(layer: &mut [i16; MOST_UNITS], away: [&[i16]; 2], added: &[i16]) -> () = captured;
}
game::multiversion! {
    fn release(layer: &mut [i16; MOST_UNITS], away: &[i16], added: [&[i16]; 2]) -> () = released;
}

/// The sum of the clipped squares, weighted.
#[inline(always)]
fn weighted(layer: &[i16; MOST_UNITS], weights: &[i16]) -> i32 {
    let chunks = layer.as_chunks::<UNIT_STEP>().0.iter().zip(weights.as_chunks::<UNIT_STEP>().0);
    let mut sums = [0_i32; UNIT_STEP / 2];
    for (units, weights) in chunks {
        // Pairs of products, as the processor adds them.
        for (pair, sum) in sums.iter_mut().enumerate() {
            let product = |at: usize| {
                let unit = units[at].clamp(0, HIDDEN_ONE as i16);
                i32::from(unit * unit) * i32::from(weights[at])
            };
            *sum += product(2 * pair) + product(2 * pair + 1);
        }
    }
    sums.iter().sum()
}

#[inline(always)]
fn stepped(layer: &mut [i16; MOST_UNITS], away: &[i16], added: &[i16]) {
    for ((unit, away), added) in layer.iter_mut().zip(away).zip(added) {
        *unit = unit.wrapping_add(added.wrapping_sub(*away));
    }
}

#[inline(always)]
fn captured(layer: &mut [i16; MOST_UNITS], away: [&[i16]; 2], added: &[i16]) {
    let rows = away[0].iter().zip(away[1]).zip(added);
    for (unit, ((from, taken), added)) in layer.iter_mut().zip(rows) {
        *unit = unit.wrapping_add(added.wrapping_sub(*from).wrapping_sub(*taken));
    }
}

#[inline(always)]
fn released(layer: &mut [i16; MOST_UNITS], away: &[i16], added: [&[i16]; 2]) {
    let rows = added[0].iter().zip(added[1]).zip(away);
    for (unit, ((from, taken), away)) in layer.iter_mut().zip(rows) {
        *unit = unit.wrapping_add(from.wrapping_add(*taken).wrapping_sub(*away));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;
    use game::rng::Rng;

    fn random_network(units: usize, rng: &mut Rng) -> Network {
        let mut numbers = |count: usize, most: f32| -> Vec<f32> {
            let unit = |rng: &mut Rng| (rng.below(2001) as f32 - 1000.0) / 1000.0;
            (0..count).map(|_| unit(rng) * most).collect()
        };
        Network::quantised(&Floats {
            rows: numbers(INPUTS * units, 0.5),
            bias: numbers(units, 0.5),
            output: numbers(BUCKETS * 2 * units, 0.7),
            output_bias: numbers(BUCKETS, 0.2),
        })
        .unwrap()
    }

    /// The same value by loops over the definition, in wide numbers.
    fn plain(network: &Network, rules: &Rules, position: &Position) -> i32 {
        let us = position.turn();
        let bucket = bucket(position.occupied().len());
        let mut sum = i64::from(network.output_bias[bucket]);
        for (view, viewer) in [us, !us].into_iter().enumerate() {
            for board in [position.clone(), position.mirror()] {
                for unit in 0..network.units {
                    let mut hidden = i64::from(network.bias[unit]);
                    for (square, piece) in board.pieces() {
                        let animal = rules.by_strength(piece.animal);
                        let input = input(viewer, piece.color, animal, square);
                        hidden += i64::from(network.rows[input * network.units + unit]);
                    }
                    let clipped = hidden.clamp(0, 181);
                    let weight = network.output[bucket][view * network.units + unit];
                    sum += clipped * clipped * i64::from(weight);
                }
            }
        }
        (sum * 17_372 / (100 * 181 * 181 * 128)) as i32
    }

    #[test]
    fn following_a_game_gives_what_the_definition_says() {
        let mut rng = Rng::new(4);
        for (rules, units) in [(Rules::STANDARD, 16), (Rules::TUFTS, 48), (Rules::LEIDEN, 128)] {
            let network = Arc::new(random_network(units, &mut rng));
            let jungle = Jungle::new(rules);
            let fresh = |position: &Position| {
                let mut judge = Networked::new(&rules, None, Arc::clone(&network));
                judge.reset(position);
                judge
            };
            for _ in 0..6 {
                let mut position = Position::start();
                let mut judge = fresh(&position);
                let start = judge.hidden;
                let mut made = Vec::new();
                while let Some(&mv) = rng.choose(&jungle.moves(&position))
                    && made.len() < 120
                {
                    judge.make(&position, mv);
                    position.make(mv);
                    made.push(mv);
                    let value = judge.correction(&position);
                    assert_eq!(value, plain(&network, &rules, &position), "{position}");
                    assert_eq!(value, fresh(&position.flip()).correction(&position.flip()));
                    assert_eq!(value, fresh(&position.mirror()).correction(&position.mirror()));
                }
                for &mv in made.iter().rev() {
                    position.unmake(mv);
                    judge.unmake(&position, mv);
                }
                assert_eq!(judge.hidden, start);
            }
        }
    }

    #[test]
    fn networks_round_trip_and_others_are_refused() {
        let network = random_network(32, &mut Rng::new(8));
        let bytes = network.to_bytes();
        assert_eq!(Network::from_bytes(&bytes).as_ref(), Ok(&network));
        assert!(bytes.len() < 1 << 20);
        for cut in [0, 5, 11, 100, bytes.len() - 1] {
            assert!(Network::from_bytes(&bytes[..cut]).is_err());
        }
        // Weights that could overflow a sum.
        let mut loud = bytes.clone();
        let output = 12 + 2 * (INPUTS * 32 + 32);
        for weight in loud[output..output + 128].as_chunks_mut::<2>().0 {
            *weight = i16::MAX.to_le_bytes();
        }
        assert!(Network::from_bytes(&loud).is_err());
    }
}
