//! Going through the positions of a class.
//!
//! [`row_positions`] lists a row of a grid. [`find`] looks for the first position with a given truth
//! without completing the table first: cells that claim it are confirmed one by one, in parallel,
//! and almost always the first claim holds. Only if no claim does, because captures alone achieve
//! the value, is every position asked.

use game::solver::Value;
use jungle::{Color, Piece, Position, Square};
use rayon::prelude::*;

use crate::grid::{Grid, ROW, RowSquares};
use crate::probe::{ProbeError, Tablebase, rank};
use crate::table::file_name;

/// The positions of a row: the squares of all pieces in the grid's order, and the runner's, which is
/// the last of them.
#[inline]
pub fn row_positions(grid: &Grid, row: usize) -> impl Iterator<Item = (RowSquares, Square)> {
    let squares = grid.squares(row);
    let runner = grid.pieces().len() - 1;
    let mut free = grid.runner_domain();
    let mut possible = true;
    for (at, &square) in squares[..runner].iter().enumerate() {
        possible &= !squares[..at].contains(&square);
        free = free.without(square.bitboard());
    }
    let free = if possible { free } else { jungle::Bitboard::EMPTY };
    free.into_iter().map(move |square| {
        let mut squares = squares;
        squares[runner] = square;
        (squares, square)
    })
}

/// How many placements a position of this row stands for: its mirror image has no number of its own
/// unless the first piece is on the middle file.
#[inline]
pub fn weight(grid: &Grid, row: usize) -> u64 {
    if grid.squares(row)[0].file() == 3 { 1 } else { 2 }
}

/// The first position of a class, in the order of its numbers, with this truth for the player to
/// move.
///
/// # Errors
///
/// If a table is missing or damaged.
pub fn find(
    tablebase: &Tablebase,
    class: usize,
    turn: Color,
    wanted: Value,
) -> Result<Option<Position>, ProbeError> {
    let table = tablebase.table(class)?;
    let material = tablebase.classes().list()[class].material;
    let solved = table
        .load()
        .map_err(|error| ProbeError::CorruptTable { file: file_name(material), error })?;
    let grid = &solved.grid;
    let search = |claims: &(dyn Fn(Value) -> bool + Sync)| {
        (0..grid.rows()).into_par_iter().find_map_first(|row| {
            row_positions(grid, row)
                .filter(|(_, runner)| claims(solved.value(turn, row * ROW + runner.index())))
                .find_map(|(squares, _)| {
                    let position = named_position(tablebase, grid, &squares, turn)?;
                    match tablebase.probe(&position) {
                        Ok(value) if value == wanted => Some(Ok(position)),
                        Ok(_) => None,
                        Err(error) => Some(Err(error)),
                    }
                })
        })
    };
    let claimed = search(&|value| value == wanted);
    let found = claimed.or_else(|| search(&|value| rank(value) > rank(wanted)));
    found.transpose()
}

/// The position under the names that the caller's rules give the animals.
fn named_position(
    tablebase: &Tablebase,
    grid: &Grid,
    squares: &RowSquares,
    turn: Color,
) -> Option<Position> {
    let pieces = grid.pieces().iter().map(|&Piece { color, animal }| {
        // Exchanging wolf and dog twice changes nothing, so this is its own inverse.
        Piece { color, animal: crate::material::table_animal(tablebase.rules(), animal) }
    });
    Position::from_pieces(squares.iter().copied().zip(pieces), turn).ok()
}
