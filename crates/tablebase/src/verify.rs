//! Verification: tables against their checksums, against the rules, and against the race rule.
//!
//! The checksums show that a file is what was once written. That what was written is *true* is shown
//! by [`full`], a recomputation without the solver: every position's value and distance is recomputed from its
//! successors, a row at a time (`ply.rs`), and the counts in the header with it. Moves are those of the ordinary move
//! generator; a test recomputes position by position with nothing else, and compares. A table that agrees everywhere is
//! right: wins and losses are grounded by their distances, which fall by one from ply to ply down to
//! the end of a game; and a position that is neither has a move that keeps it so.
//!
//! [`fn@races`] checks the race rule against the tables.

pub mod ledger;
mod races;

use std::ops::Range;

use game::truth::Truth;
use jungle::{ByColor, Color, Jungle, Position};
use rayon::prelude::*;

use crate::cell::Cell;
use crate::class::{Loader, weight};
use crate::grid::MAX_PIECES;
use crate::material::Material;
use crate::ply::{Ply, RowAt, TooNarrow, line};
use crate::probe::{self, ProbeError, Tablebase};
use crate::solved::Cells;
use crate::table::{self, Counts};

pub use races::{RaceReport, races};

/// How many rows are verified between two reports of progress.
const STRIDE: usize = 1 << 16;

/// How many rows a thread takes at a time.
const CHUNK: usize = 256;

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
    let at = tablebase.mapping(class)?.class;
    let stored = tablebase.table(at)?.header().counts;
    let jungle = Jungle::new(*tablebase.class_list().rules());
    let solved = loader.solved(at)?;
    let ply = Ply::new(loader, &jungle, &solved.grid)?;
    let narrow = match &solved.cells {
        Cells::Narrow(cells) => recompute(&ply, cells, &mut progress).ok(),
        Cells::Wide(_) => None,
    };
    let found = match narrow {
        Some(found) => found,
        // What follows from the successors does not fit a byte, whatever is stored.
        None => recompute(&ply, &solved.cells.wide(), &mut progress)
            .expect("no game of so few pieces takes a hundred thousand plies"),
    };
    let ByColor { white, black } = found;
    let pair = |color| CountsPair {
        stored: stored[color],
        counted: if color == Color::White { white.counts } else { black.counts },
    };
    Ok(VerifyReport {
        positions: white.positions + black.positions,
        mismatches: white.mismatches + black.mismatches,
        counts: ByColor::from_fn(pair),
        mismatch: white.first.or(black.first),
    })
}

/// Recomputes all rows for both sides to move.
fn recompute<C: Cell>(
    ply: &Ply,
    cells: &ByColor<Vec<C>>,
    progress: &mut impl FnMut(u64),
) -> Result<ByColor<Tally>, TooNarrow> {
    let longest = C::loss(C::MAX_HALF);
    if Color::ALL.iter().any(|&turn| cells[turn].par_iter().any(|cell| *cell == longest)) {
        return Err(TooNarrow);
    }
    let mut found = ByColor::<Tally>::default();
    let mut done = 0;
    for turn in Color::ALL {
        for start in (0..ply.grid().rows()).step_by(STRIDE) {
            let end = ply.grid().rows().min(start + STRIDE);
            let chunks: Vec<usize> = (start..end).step_by(CHUNK).collect();
            let chunk = |&from: &usize| rows(ply, cells, turn, from..end.min(from + CHUNK));
            let sum = chunks.par_iter().map(chunk);
            let sum = sum.try_reduce(Tally::default, |one, two| Ok(one.plus(two)))?;
            done += sum.positions;
            found[turn] = std::mem::take(&mut found[turn]).plus(sum);
            progress(done);
        }
    }
    Ok(found)
}

game::multiversion! {
    /// Recomputes some rows.
    fn rows<C: Cell>(
        ply: &Ply,
        cells: &ByColor<Vec<C>>,
        turn: Color,
        rows: Range<usize>,
    ) -> Result<Tally, TooNarrow> = rows_of::<C>;
}

#[inline(always)]
fn rows_of<C: Cell>(
    ply: &Ply,
    cells: &ByColor<Vec<C>>,
    turn: Color,
    rows: Range<usize>,
) -> Result<Tally, TooNarrow> {
    let mut tally = Tally::default();
    for row in rows {
        let Some(at) = ply.row(row) else { continue };
        let mut best = [C::NONE; _];
        ply.best(row, &at, turn, &cells[!turn], &mut best)?;
        tally.row(ply, &at, turn, weight(ply.grid(), row), &best, &line(&cells[turn], row));
    }
    Ok(tally)
}

/// The findings in some rows.
#[derive(Default)]
struct Tally {
    positions: u64,
    counts: Counts,
    mismatches: u64,
    first: Option<Mismatch>,
}

impl Tally {
    /// Compares a row with what was recomputed.
    #[inline(always)]
    fn row<C: Cell>(
        &mut self,
        ply: &Ply,
        at: &RowAt,
        turn: Color,
        weight: u64,
        best: &crate::ply::Cells<C>,
        stored: &crate::ply::Cells<C>,
    ) {
        let stuck = C::from_value(ply.without_moves()).expect("a draw or a loss at once");
        let (mut wins, mut losses, mut stalemates, mut wrong) = (0, 0, 0, 0);
        // The longest win is the largest of its cells, the longest loss the smallest.
        let (mut won, mut lost) = (C::win(1), C::NONE);
        for square in at.free {
            let mut cell = best[square.index()];
            if cell == C::NONE {
                stalemates += 1;
                cell = stuck;
            }
            let (is_won, is_lost) = (cell < C::DRAW, cell > C::DRAW);
            wins += u64::from(is_won);
            losses += u64::from(is_lost);
            won = if is_won { won.max(cell) } else { won };
            lost = if is_lost { lost.min(cell) } else { lost };
            wrong += u64::from(cell != stored[square.index()]);
        }
        let positions = u64::from(at.free.len());
        self.positions += positions;
        self.counts.wins += weight * wins;
        self.counts.losses += weight * losses;
        self.counts.draws += weight * (positions - wins - losses);
        self.counts.stalemates += weight * stalemates;
        let longest = [(wins, won), (losses, lost)].map(|(count, cell)| match count {
            0 => 0,
            _ => cell.value().plies().unwrap_or(0),
        });
        self.counts.longest = self.counts.longest.max(longest[0]).max(longest[1]);
        if wrong > 0 {
            self.mismatches += wrong;
            self.first = self.first.take().or_else(|| first_wrong(ply, at, turn, best, stored));
        }
    }

    /// The findings of both, `self` first.
    fn plus(self, later: Tally) -> Tally {
        Tally {
            positions: self.positions + later.positions,
            counts: self.counts.plus(later.counts),
            mismatches: self.mismatches + later.mismatches,
            first: self.first.or(later.first),
        }
    }
}

/// The first position of a row that has the wrong value.
#[cold]
fn first_wrong<C: Cell>(
    ply: &Ply,
    at: &RowAt,
    turn: Color,
    best: &crate::ply::Cells<C>,
    stored: &crate::ply::Cells<C>,
) -> Option<Mismatch> {
    at.free.into_iter().find_map(|square| {
        let recomputed = match best[square.index()] {
            cell if cell == C::NONE => ply.without_moves(),
            cell => cell.value(),
        };
        let stored = stored[square.index()].value();
        if stored == recomputed {
            return None;
        }
        let pieces = ply.grid().pieces();
        let mut squares: [_; MAX_PIECES] = at.squares;
        squares[pieces.len() - 1] = square;
        let placed = squares.iter().copied().zip(pieces.iter().copied());
        let position = Position::from_pieces(placed, turn).ok()?;
        Some(Mismatch { position, stored, recomputed })
    })
}
