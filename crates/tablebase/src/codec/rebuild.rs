//! A one-ply search for the side to move that is not stored.
//!
//! That side owns the runner and perhaps the last fixed piece. The runner's quiet moves stay in the
//! row; the other piece's lead to rows of the same plane, the runner staying where it is.

use jungle::board::{self, Axis, WATER};
use jungle::{Animal, Bitboard, Color, Jungle, Square};
use rayon::prelude::*;

use crate::cell::Cell;
use crate::grid::{Grid, ROW, domain};

/// How the side moves.
pub struct Rebuild {
    /// The animal of the last fixed piece, if it is the side's.
    last: Option<Animal>,
    runner: Animal,
    jumps: [jungle::rules::Jumps; Animal::COUNT],
}

/// Squares of the runner in a row.
pub type Target = (usize, Bitboard);

/// Where quiet moves lead: at most four rows for the last fixed piece, and the row itself.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    list: [Target; Targets::MOST],
    len: usize,
}

impl Targets {
    /// There are never more.
    pub const MOST: usize = 5;

    /// The rows, that of the position itself first if the runner can move.
    #[inline]
    pub fn as_slice(&self) -> &[Target] {
        &self.list[..self.len]
    }

    #[inline]
    fn push(&mut self, target: Target) {
        self.list[self.len] = target;
        self.len += 1;
    }
}

impl Rebuild {
    /// For the side `color` of a grid.
    pub fn new(jungle: &Jungle, grid: &Grid, color: Color) -> Rebuild {
        let last = grid.pieces()[grid.pieces().len() - 2];
        Rebuild {
            last: (last.color == color).then_some(last.animal),
            runner: grid.runner().animal,
            jumps: Animal::ALL.map(|animal| jungle.jumps(animal)),
        }
    }

    /// Where the quiet moves from a position lead.
    pub fn targets(&self, grid: &Grid, row: usize, runner: Square) -> Targets {
        let fixed = grid.pieces().len() - 1;
        let squares = grid.squares(row);
        let mut occupied = Bitboard::EMPTY;
        let mut swimmers = Bitboard::EMPTY;
        for (piece, square) in grid.pieces()[..fixed].iter().zip(squares) {
            occupied |= square.bitboard();
            if piece.animal == Animal::Rat {
                swimmers |= square.bitboard() & WATER;
            }
        }
        let reached = self.reach(self.runner, runner, swimmers).without(occupied);
        let mut targets = Targets { list: [(0, Bitboard::EMPTY); Targets::MOST], len: 0 };
        if reached.any() {
            targets.push((row, reached));
        }
        if let Some(animal) = self.last {
            let from = squares[fixed - 1];
            if self.runner == Animal::Rat {
                swimmers |= runner.bitboard() & WATER;
            }
            let reach = self.reach(animal, from, swimmers);
            let here = grid.offset(fixed - 1, from);
            for to in reach.without(occupied).without(runner.bitboard()) {
                if let (Some(here), Some(there)) = (here, grid.offset(fixed - 1, to)) {
                    targets.push((row - here as usize + there as usize, runner.bitboard()));
                }
            }
        }
        targets
    }

    fn reach(&self, animal: Animal, from: Square, swimmers: Bitboard) -> Bitboard {
        let mut reach = board::neighbours(from) & domain(animal);
        let jumps = self.jumps[animal.index()];
        let start = |axis: Axis| {
            if jumps.allow(axis) { from.bitboard() } else { Bitboard::EMPTY }
        };
        let (lengthwise, sideways) = (start(Axis::Lengthwise), start(Axis::Sideways));
        if (lengthwise | sideways).any() {
            for landing in board::landings(lengthwise, sideways, swimmers) {
                reach |= landing;
            }
        }
        reach
    }

    /// What quiet moves achieve in every position, given the other side's cells; `None` if a distance
    /// does not fit.
    pub fn all<C: Cell>(&self, grid: &Grid, other: &[C]) -> Option<Vec<C>> {
        let mut cells = vec![C::NONE; other.len()];
        let fits = cells.par_chunks_mut(ROW).enumerate().all(|(row, cells)| {
            let fixed = &grid.squares(row)[..grid.pieces().len() - 1];
            let occupied: Bitboard = fixed.iter().copied().collect();
            if (occupied.len() as usize) < fixed.len() {
                return true;
            }
            for square in grid.runner_domain().without(occupied) {
                let mut best = C::NONE;
                for &(row, squares) in self.targets(grid, row, square).as_slice() {
                    for target in squares {
                        let value = other[row * ROW + target.index()].value();
                        match C::from_value(value.one_ply_earlier()) {
                            Some(cell) => best = best.min(cell),
                            None => return false,
                        }
                    }
                }
                cells[square.index()] = best;
            }
            true
        });
        fits.then_some(cells)
    }
}
