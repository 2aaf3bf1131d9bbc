//! Labelled positions of a class: squares in, outcome (the class label) out.
//!
//! A class is named as a player would (`EL-RT`), White to move. A [`Population`] goes through its decoded
//! table row by row, with the pieces in the order of the class's name (White's first, strongest first).
//! Mirror images share a number in the table: each position comes with its weight, so that sums count
//! placements.
//!
//! Nothing is stored for a position: a second look means another pass over the rows.

use game::truth::Wdl;
use jungle::{Color, Piece, Position, Rules, Square};
use rayon::prelude::*;
use tablebase::class::{ClassValues, Loader};
use tablebase::{Material, ProbeError};

/// The class distribution: how many positions are won for White, drawn, won for Black.
pub type Counts = [u64; 3];

/// The names of the outcomes, in the order of [`Counts`].
pub const OUTCOMES: [&str; 3] = ["white", "draw", "black"];

/// The sum of all three.
pub fn total(counts: &Counts) -> u64 {
    counts.iter().sum()
}

/// The outcome that most have; of equals the first.
pub fn majority(counts: &Counts) -> usize {
    (0..3).rev().max_by_key(|&outcome| counts[outcome]).unwrap_or(0)
}

/// The errors of predicting the most frequent outcome.
pub fn minority(counts: &Counts) -> u64 {
    total(counts) - counts[majority(counts)]
}

/// The sum of two distributions.
#[must_use]
pub fn plus(one: Counts, other: Counts) -> Counts {
    [one[0] + other[0], one[1] + other[1], one[2] + other[2]]
}

/// The positions of a class with White to move, labelled by its table.
#[derive(Clone)]
pub struct Population(ClassValues);

/// A labelled position, borrowed during a visit.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Where the pieces stand, in the order of [`Population::pieces`].
    pub squares: &'a [Square],
    /// Who wins, as an index into [`OUTCOMES`].
    pub outcome: usize,
    /// How many placements it stands for.
    pub weight: u64,
}

impl Population {
    /// Loads a class, whose animals are named as in the rules of the tables.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, or the class has too many pieces.
    pub fn load(loader: &mut Loader<'_>, material: Material) -> Result<Population, ProbeError> {
        loader.load(material).map(Population)
    }

    /// The class.
    pub fn material(&self) -> Material {
        self.0.class()
    }

    /// The rules of the tables, as the user gave them.
    pub fn rules(&self) -> &Rules {
        self.0.rules()
    }

    /// The pieces, White's first, on each side the strongest first.
    pub fn pieces(&self) -> &[Piece] {
        self.0.pieces()
    }

    /// The values behind it.
    pub fn values(&self) -> &ClassValues {
        &self.0
    }

    /// How many rows there are to go through.
    pub fn rows(&self) -> usize {
        self.0.rows()
    }

    /// Visits the positions of a row.
    pub fn row(&self, row: usize, mut visit: impl FnMut(Sample<'_>)) {
        self.0.row(row, Color::White, |at| {
            let outcome = outcome_index(at.value.outcome());
            visit(Sample { squares: at.squares, outcome, weight: at.weight });
        });
    }

    /// Goes through all rows on all threads: a state for each stretch of rows, joined in their order.
    /// The stretches do not depend on the number of threads, so neither does the result.
    pub fn fold<T: Send>(
        &self,
        new: impl Fn() -> T + Sync + Send,
        step: impl Fn(&mut T, Sample<'_>) + Sync,
        join: impl Fn(T, T) -> T + Sync + Send,
    ) -> T {
        /// Few, because a state may be large.
        const STRETCHES: usize = 16;
        let stretch = self.rows().div_ceil(STRETCHES).max(1);
        (0..STRETCHES)
            .into_par_iter()
            .map(|part| {
                let mut state = new();
                for row in part * stretch..((part + 1) * stretch).min(self.rows()) {
                    self.row(row, |sample| step(&mut state, sample));
                }
                state
            })
            .reduce(&new, &join)
    }

    /// The position with the pieces on these squares.
    pub fn position(&self, squares: &[Square]) -> Option<Position> {
        self.0.position(squares, Color::White)
    }
}

/// An outcome for the player to move, White, as an index into [`OUTCOMES`].
#[inline]
pub fn outcome_index(wdl: Wdl) -> usize {
    match wdl {
        Wdl::Win => 0,
        Wdl::Draw => 1,
        Wdl::Loss => 2,
    }
}
