//! Figure 2 of van Rijn & Vis (2014): the three published trees, and the readings of Table 3 under
//! which they fit.
//!
//! Every combination of the choices in [`Reading`] is tried on every position of the classes that the
//! trees are for. One of them, and with it a few that differ only where the trees do not ask, makes
//! exactly the errors that were published: 0, 0 and 16.

use jungle::Color;
use jungle::causality::Movement;

use crate::feature::table3::{self, Crossed, Metric, PiecePair, Reading};
use crate::population::Population;

/// A tree of the figure.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// Its letter.
    pub letter: char,
    /// What it is for.
    pub about: &'static str,
    /// Classes that it is for, one of each that are isomorphic.
    pub classes: &'static [&'static str],
    /// How many positions it is wrong about, as published.
    pub errors: u64,
    judge: fn(&Reading, &PiecePair) -> usize,
}

/// The trees of the figure.
pub const FIGURE_2: [Published; 3] = [
    Published {
        letter: 'a',
        about: "equal pieces that do not jump",
        classes: &["C-C", "R-R"],
        errors: 0,
        judge: tree_a,
    },
    Published {
        letter: 'b',
        about: "Black's piece is the stronger; no rat, tiger or lion",
        classes: &["C-W"],
        errors: 0,
        judge: tree_b,
    },
    Published {
        letter: 'c',
        about: "White's tiger or lion against Black's elephant",
        classes: &["T-E"],
        errors: 16,
        judge: tree_c,
    },
];

const WHITE: usize = 0;
const DRAW: usize = 1;
const BLACK: usize = 2;

fn is_even(pair: &PiecePair) -> bool {
    table3::manhattan(pair.white, pair.black) % 2 == 0
}

fn tree_a(reading: &Reading, pair: &PiecePair) -> usize {
    let (first, outcome) =
        if reading.white_is_closest(pair) { (Color::White, WHITE) } else { (Color::Black, BLACK) };
    if reading.is_unopposed(pair, first) {
        outcome
    } else if is_even(pair) {
        BLACK
    } else {
        WHITE
    }
}

/// The right half of trees (b) and (c).
fn black_is_closest(pair: &PiecePair) -> usize {
    if table3::is_adjacent(pair) && table3::is_trapped(pair) { WHITE } else { BLACK }
}

fn tree_b(reading: &Reading, pair: &PiecePair) -> usize {
    if !reading.white_is_closest(pair) {
        black_is_closest(pair)
    } else if reading.is_unopposed(pair, Color::White) {
        WHITE
    } else if is_even(pair) {
        BLACK
    } else if reading.can_cross(pair) {
        DRAW
    } else if table3::manhattan(pair.white, pair.black) <= 10 || reading.distance_d(pair) <= 3 {
        BLACK
    } else {
        DRAW
    }
}

fn tree_c(reading: &Reading, pair: &PiecePair) -> usize {
    const TOP: u8 = 0;
    const MID: u8 = 1;
    if !reading.white_is_closest(pair) {
        black_is_closest(pair)
    } else if reading.is_unopposed(pair, Color::White) {
        WHITE
    } else if table3::sector(pair.black) == TOP {
        DRAW
    } else if table3::sector(pair.white) == MID {
        BLACK
    } else {
        DRAW
    }
}

impl Published {
    /// Who wins, according to the tree.
    pub fn judge(&self, reading: &Reading, pair: &PiecePair) -> usize {
        (self.judge)(reading, pair)
    }

    /// How many positions of a class the tree is wrong about, mirror images counted apart.
    pub fn errors_in(&self, reading: &Reading, population: &Population) -> u64 {
        let movement = |at: usize| Movement::of(population.pieces()[at].animal, population.rules());
        let (white_moves, black_moves) = (movement(0), movement(1));
        population.fold(
            || 0,
            |errors, sample| {
                let (white, black) = (sample.squares[0], sample.squares[1]);
                let pair = PiecePair { white, black, white_moves, black_moves };
                if self.judge(reading, &pair) != sample.outcome {
                    *errors += sample.weight;
                }
            },
            |one, other| one + other,
        )
    }
}

/// All readings that are tried.
pub fn all() -> Vec<Reading> {
    let mut all = Vec::new();
    for metric in [Metric::Manhattan, Metric::RoundTheDen, Metric::Walking, Metric::Moves] {
        for (white_earlier, black_earlier) in [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 2)] {
            for crossed in [Crossed::Yes, Crossed::No, Crossed::AsElsewhere] {
                for piece in Color::ALL {
                    for den in Color::ALL {
                        let distance_d = (piece, den);
                        let reading =
                            Reading { metric, white_earlier, black_earlier, crossed, distance_d };
                        all.push(reading);
                    }
                }
            }
        }
    }
    all
}
