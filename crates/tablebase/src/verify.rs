//! Verification: tables against their checksums, against the rules, and against the race rule.
//!
//! The checksums show that a file is what was once written. That what was written is *true* is shown
//! by [`full`], a recomputation without the solver: every position's value and distance is recomputed from its successors with the
//! ordinary move generator, and the counts in the header with it. A table that agrees everywhere is
//! right: wins and losses are grounded by their distances, which fall by one from ply to ply down to
//! the end of a game; and a position that is neither has a move that keeps it so.
//!
//! [`fn@races`] checks the race rule against the tables.

pub mod ledger;
mod races;

use game::truth::Truth;
use jungle::{ByColor, Color, Jungle, Position};
use rayon::prelude::*;

use crate::class::{Loader, row_positions, weight};
use crate::grid::Grid;
use crate::lookahead::Lookahead;
use crate::material::Material;
use crate::probe::{self, ProbeError, Tablebase};
use crate::table::{self, Counts};

pub use races::{RaceReport, races};

/// How many rows are verified between two reports of progress.
const STRIDE: usize = 1 << 14;

/// Checks the header and the checksums of all contents of the table of a class.
///
/// # Errors
///
/// If the table is missing, anything is not as it was written, or the class has too many pieces.
pub fn checksums(tablebase: &Tablebase, class: Material) -> Result<(), ProbeError> {
    let at = tablebase.mapping(class)?.class;
    let (file, list) = (tablebase.file(at)?, tablebase.class_list());
    table::verify(list.rules(), &list.list()[at], file)
        .map_err(|error| probe::failed(list.list()[at].material, error))?;
    // Checksums may be right and the contents not a table.
    tablebase.table(at).map(drop)
}

/// The result of verifying a class.
#[derive(Clone, Debug)]
pub struct VerifyReport {
    /// How many positions were recomputed; a mirror image that shares its number is not one more.
    pub positions: u64,
    /// The first position whose stored value does not follow from its successors.
    pub mismatch: Option<Mismatch>,
    /// How many do not.
    pub mismatches: u64,
    /// What the header says of each side to move, and what was counted.
    pub counts: ByColor<CountsPair>,
}

impl VerifyReport {
    /// Whether everything is as it should be.
    pub fn is_good(&self) -> bool {
        self.mismatch.is_none() && Color::ALL.iter().all(|&turn| self.counts[turn].agree())
    }
}

/// Counts twice.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountsPair {
    /// As the header says.
    pub stored: Counts,
    /// As the recomputed values say.
    pub counted: Counts,
}

impl CountsPair {
    /// Whether they are equal.
    pub fn agree(&self) -> bool {
        self.stored == self.counted
    }
}

/// A position with the wrong value.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The position.
    pub position: Position,
    /// What the table says.
    pub stored: Truth,
    /// What follows from the successors.
    pub recomputed: Truth,
}

/// Recomputes every position of the table of a class from its successors. `progress` is called with the number
/// of positions done.
///
/// # Errors
///
/// If a table that is needed is missing or damaged, or the class has too many pieces.
pub fn full(
    loader: &mut Loader<'_>,
    class: Material,
    mut progress: impl FnMut(u64),
) -> Result<VerifyReport, ProbeError> {
    let tablebase = loader.tablebase();
    let table = tablebase.table(tablebase.mapping(class)?.class)?;
    let (header, grid) = (table.header(), table.grid());
    let jungle = Jungle::new(*tablebase.class_list().rules());
    let ahead = Lookahead::new(loader, &jungle, grid.pieces())?;
    let mut done = 0;
    let mut mismatch: Option<Mismatch> = None;
    let mut mismatches = 0;
    let mut counts = ByColor::<CountsPair>::default();
    for turn in Color::ALL {
        let mut sum = Tally::default();
        for start in (0..grid.rows()).step_by(STRIDE) {
            let rows = start..grid.rows().min(start + STRIDE);
            let before = sum.positions;
            sum = rows
                .into_par_iter()
                .with_min_len(64)
                .fold(Tally::default, |mut tally, row| {
                    tally.row(&ahead, grid, turn, row);
                    tally
                })
                .reduce(Tally::default, Tally::plus)
                .after(sum);
            done += sum.positions - before;
            progress(done);
        }
        mismatches += sum.mismatches;
        mismatch = mismatch.or(sum.first);
        counts[turn] = CountsPair { stored: header.counts[turn], counted: sum.counts };
    }
    Ok(VerifyReport { positions: done, mismatch, mismatches, counts })
}

/// The findings in some rows.
#[derive(Default)]
struct Tally {
    positions: u64,
    counts: Counts,
    mismatches: u64,
    first: Option<Mismatch>,
    moves: Vec<jungle::Move>,
}

impl Tally {
    fn row(&mut self, ahead: &Lookahead, grid: &Grid, turn: Color, row: usize) {
        let weight = weight(grid, row);
        let count = grid.pieces().len();
        for (squares, _) in row_positions(grid, row) {
            let squares = &squares[..count];
            let Some((recomputed, best)) = ahead.recompute(squares, turn, &mut self.moves) else {
                continue;
            };
            self.positions += 1;
            let (number, plies) = match recomputed {
                Truth::Win(plies) => (&mut self.counts.wins, plies),
                Truth::Loss(plies) => (&mut self.counts.losses, plies),
                Truth::Draw => (&mut self.counts.draws, 0),
            };
            *number += weight;
            self.counts.longest = self.counts.longest.max(plies);
            if best.is_none() {
                self.counts.stalemates += weight;
            }
            let Some(stored) = ahead.stored(squares, turn) else { continue };
            if stored != recomputed {
                self.mismatches += 1;
                if self.first.is_none()
                    && let Some(position) = ahead.position(squares, turn)
                {
                    self.first = Some(Mismatch { position, stored, recomputed });
                }
            }
        }
    }

    /// The findings of both, `self` first.
    fn plus(self, later: Tally) -> Tally {
        Tally {
            positions: self.positions + later.positions,
            counts: self.counts.plus(later.counts),
            mismatches: self.mismatches + later.mismatches,
            first: self.first.or(later.first),
            moves: self.moves,
        }
    }

    /// This and the rows before it.
    fn after(self, earlier: Tally) -> Tally {
        earlier.plus(self)
    }
}
