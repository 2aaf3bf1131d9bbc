//! Examples for a network: positions as the player to move sees them, twenty bytes each, so that a hundred million fit
//! in memory.

use std::path::Path;
use std::sync::Arc;

use engine::eval::features::{USUAL, Weights};
use engine::eval::{Champion, Evaluator};
use game::rng::mix;
use game::truth::Wdl;
use jungle::{Animal, Color, Jungle, Position, Rules};
use rayon::prelude::*;
use tablebase::Tablebase;

use crate::file::GameFileError;
use crate::game_record::GameRecord;
use crate::games::Games;
use crate::lesson::{Lesson, lessons_by};

/// In place of the square of a piece that is not there.
pub(crate) const ABSENT: u8 = 255;
/// One game in so many is held back, to measure the error on.
const HELD_BACK: u64 = 40;
/// Bits of the filter of positions seen before.
const FILTER_BITS: u32 = 33;
/// How many games are looked at in parallel.
const AT_A_TIME: usize = 4096;

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

    /// How many animals more than the other player's the player to move has.
    pub(crate) fn balance(&self) -> i32 {
        let (ours, theirs) = self.squares.split_at(Animal::COUNT);
        let count = |squares: &[u8]| squares.iter().filter(|&&square| square != ABSENT).count();
        count(ours) as i32 - count(theirs) as i32
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
    /// The quiet positions of all games of these files, each once, with TD(λ) targets, or the truth where these tables know
    /// it, and what these weights of the features say. Games are looked at on all threads; the order of the examples does not depend on it.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn read(
        files: &[impl AsRef<Path>],
        weights: Option<&Weights>,
        lambda: f32,
        tables: Option<&Tablebase>,
        mut progress: impl FnMut(&Examples),
    ) -> Result<Examples, GameFileError> {
        let weights = Arc::new(*weights.unwrap_or(USUAL));
        let mut filter = Filter::new(FILTER_BITS);
        let mut examples = Examples::default();
        for file in files {
            let games = Games::read(file.as_ref())?;
            let rules = games.description().rules;
            // Those of other rules say nothing.
            let tables = tables.filter(|tables| *tables.rules() == rules);
            let (jungle, judge) =
                (Jungle::new(rules), Champion::new(&rules, Some(weights.clone())));
            for first in (0..games.len()).step_by(AT_A_TIME) {
                let indices = first..games.len().min(first + AT_A_TIME);
                let seen = indices.into_par_iter().map(|index| {
                    let game = games.game(index)?;
                    Ok((game.number, of_game(&jungle, judge.clone(), &game, lambda, tables)))
                });
                for (number, found) in seen.collect::<Result<Vec<_>, GameFileError>>()? {
                    examples.add(number, &found, &mut filter);
                }
            }
            progress(&examples);
        }
        Ok(examples)
    }

    /// Adds those of the examples of a game that are new.
    fn add(&mut self, number: u64, found: &[(u64, Example)], filter: &mut Filter) {
        let held = mix(number).is_multiple_of(HELD_BACK);
        self.games += 1;
        let list = if held { &mut self.held } else { &mut self.train };
        let before = list.len();
        list.extend(
            found.iter().filter(|(key, _)| filter.insert(*key)).map(|(_, example)| example),
        );
        self.repeated += (found.len() - (list.len() - before)) as u64;
    }
}

/// The quiet positions of a game, each with a key that it shares with its mirror image.
fn of_game(
    jungle: &Jungle,
    mut judge: Champion,
    game: &GameRecord,
    lambda: f32,
    tables: Option<&Tablebase>,
) -> Vec<(u64, Example)> {
    let known = |position: &Position| {
        let tables = tables.filter(|tables| position.occupied().len() <= tables.most_pieces())?;
        Some(match tables.probe_outcome(position).ok()? {
            Wdl::Win => 1.0,
            Wdl::Draw => 0.5,
            Wdl::Loss => 0.0,
        })
    };
    let examples =
        lessons_by(game, lambda, known).into_iter().map(|Lesson { position, target }| {
            judge.reset(&position);
            let base = judge.evaluate(jungle, &position);
            let example = Example::new(jungle.rules(), &position, base, target);
            (position.key().min(position.mirror().key()), example)
        });
    examples.collect()
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
