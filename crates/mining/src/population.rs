//! Labelled positions of a class: squares in, outcome (the class label) out.
//!
//! A class is named as a player would (`EL-RT`), White to move. The table that knows it may be kept
//! under another name, with the colours exchanged; a [`Population`] hides that. It goes through the
//! table row by row, puts the pieces in the order of the class's name (White's first, strongest
//! first), and turns the board round where the table has it the other way. Mirror images share a
//! number in the table: each position comes with its weight, so that sums count placements.
//!
//! Nothing is kept for a position: whoever needs to know more goes through the rows again.

use std::sync::Arc;

use game::truth::{Truth, Wdl};
use jungle::{Color, Piece, Position, Rules, Square};
use rayon::prelude::*;
use tablebase::grid::{MAX_PIECES, ROW};
use tablebase::material::Material;
use tablebase::probe::ProbeError;
use tablebase::scan::{row_positions, weight};
use tablebase::solved::Solved;
use tablebase::stats::mapping;
use tablebase::truth::Truths;

pub use tablebase::export::pieces_of;

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
pub struct Population {
    material: Material,
    rules: Rules,
    pieces: Vec<Piece>,
    solved: Arc<Solved>,
    /// For each of the table's pieces, its place in `pieces`.
    places: Vec<usize>,
    swapped: bool,
}

/// A labelled position, lent for the length of a visit.
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
    pub fn load(truths: &mut Truths<'_>, material: Material) -> Result<Population, ProbeError> {
        let tablebase = truths.tablebase();
        let rules = *tablebase.rules();
        let Some(mapping) = mapping(tablebase.classes(), &rules, material) else {
            let most = tablebase.classes().list().last().map_or(0, |class| class.material.pieces());
            return Err(ProbeError::TooManyPieces { found: material.pieces(), most });
        };
        let solved = truths.load(mapping.class)?;
        let pieces: Vec<Piece> = pieces_of(material);
        let place = |slot: &usize| {
            // Exchanging the names of wolf and dog twice changes nothing.
            let slot = mapping.pieces[*slot];
            let named = Piece { animal: rules.by_strength(slot.animal), ..slot };
            pieces.iter().position(|&piece| piece == named).expect("the material is the same")
        };
        let places = solved.grid.slots().iter().map(place).collect();
        Ok(Population { material, rules, pieces, solved, places, swapped: mapping.swapped })
    }

    /// The class.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The rules of the tables, as the user gave them.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The pieces, White's first, on each side the strongest first.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The table behind it.
    pub fn solved(&self) -> &Solved {
        &self.solved
    }

    /// How many rows there are to go through.
    pub fn rows(&self) -> usize {
        self.solved.grid.rows()
    }

    /// Visits the positions of a row.
    pub fn row(&self, row: usize, mut visit: impl FnMut(Sample<'_>)) {
        let grid = &self.solved.grid;
        let turn = if self.swapped { Color::Black } else { Color::White };
        let weight = weight(grid, row);
        let mut squares = [Square::A1; MAX_PIECES];
        for (own, runner) in row_positions(grid, row) {
            for (square, &place) in own.iter().zip(&self.places) {
                squares[place] = if self.swapped { square.rotate() } else { *square };
            }
            let outcome = match self.solved.value(turn, row * ROW + runner.index()) {
                Truth::Win(_) => 0,
                Truth::Draw => 1,
                Truth::Loss(_) => 2,
            };
            visit(Sample { squares: &squares[..self.pieces.len()], outcome, weight });
        }
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
        let placed = squares.iter().copied().zip(self.pieces.iter().copied());
        Position::from_pieces(placed, Color::White).ok()
    }
}

/// An outcome for the player to move, White, as an index into [`OUTCOMES`].
pub fn outcome_index(wdl: Wdl) -> usize {
    match wdl {
        Wdl::Win => 0,
        Wdl::Draw => 1,
        Wdl::Loss => 2,
    }
}
