//! Examples for a network: positions as the player to move sees them, twenty bytes each, so that a hundred million fit
//! in memory.

use std::path::Path;

use engine::eval::features::{USUAL, Weights};
use engine::eval::{Champion, Evaluator};
use game::rng::mix;
use jungle::{Animal, Color, Jungle, Position, Rules};

use crate::file::{GameFile, GameFileError};
use crate::lesson::lessons;

/// In place of the square of a piece that is not there.
pub(crate) const ABSENT: u8 = 255;
/// One game in so many is held back, to measure the error on.
const HELD_BACK: u64 = 40;
/// Bits of the filter of positions seen before.
const FILTER_BITS: u32 = 33;

/// A position and what to expect of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Where our animals stand, by strength, then theirs; our den at the bottom.
    pub(crate) squares: [u8; 16],
    /// What the features say.
    pub(crate) base: i16,
    /// What to expect, from 0 to 65535.
    pub(crate) target: u16,
}

impl Example {
    pub(crate) fn new(rules: &Rules, position: &Position, base: i32, target: f32) -> Example {
        let us = position.turn();
        let mut squares = [ABSENT; 16];
        for (square, piece) in position.pieces() {
            let theirs = if piece.color == us { 0 } else { Animal::COUNT };
            let seen = if us == Color::White { square } else { square.rotate() };
            squares[theirs + rules.by_strength(piece.animal).index()] = seen.index() as u8;
        }
        let target = (target.clamp(0.0, 1.0) * f32::from(u16::MAX)).round() as u16;
        Example { squares, base: base.clamp(i16::MIN.into(), i16::MAX.into()) as i16, target }
    }

    /// How many pieces there are.
    pub(crate) fn pieces(&self) -> u32 {
        self.squares.iter().filter(|&&square| square != ABSENT).count() as u32
    }
}

/// Examples to learn from, and others to measure the error on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// To learn from.
    pub train: Vec<Example>,
    /// Held back, in whole games.
    pub held: Vec<Example>,
    /// How many positions were left out because they, or their mirror images, had been seen before.
    pub repeated: u64,
    /// How many games.
    pub games: u64,
}

impl Examples {
    /// The quiet positions of all games of these files, each once, with TD(λ) targets and what these weights of
    /// the features say.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn read(
        files: &[impl AsRef<Path>],
        weights: Option<&Weights>,
        lambda: f32,
        mut progress: impl FnMut(&Examples),
    ) -> Result<Examples, GameFileError> {
        let weights = std::sync::Arc::new(*weights.unwrap_or(USUAL));
        let mut filter = Filter::new(FILTER_BITS);
        let mut examples = Examples::default();
        for file in files {
            let (description, games) = GameFile::read(file.as_ref())?;
            let rules = description.rules;
            let jungle = Jungle::new(rules);
            let mut judge = Champion::new(&rules, Some(std::sync::Arc::clone(&weights)));
            for game in games {
                let held = mix(game.number).is_multiple_of(HELD_BACK);
                examples.games += 1;
                for lesson in lessons(&game, lambda) {
                    let position = &lesson.position;
                    if !filter.insert(position.key().min(position.mirror().key())) {
                        examples.repeated += 1;
                        continue;
                    }
                    judge.reset(position);
                    let base = judge.evaluate(&jungle, position);
                    let example = Example::new(&rules, position, base, lesson.target);
                    if held { &mut examples.held } else { &mut examples.train }.push(example);
                }
            }
            progress(&examples);
        }
        Ok(examples)
    }
}

/// A Bloom filter with one bit a key: some keys are taken for seen that were not, but few.
struct Filter {
    bits: Vec<u64>,
    shift: u32,
}

impl Filter {
    fn new(bits: u32) -> Filter {
        Filter { bits: vec![0; 1 << (bits - 6)], shift: 64 - bits }
    }

    /// Whether the key is new.
    fn insert(&mut self, key: u64) -> bool {
        let at = mix(key) >> self.shift;
        let (word, bit) = (&mut self.bits[(at >> 6) as usize], 1 << (at & 63));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}
