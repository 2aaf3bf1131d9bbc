//! Going through the positions of a class.
//!
//! [`row_positions`] lists a row of a grid, [`positions`] a whole class, in parallel. [`find`] counts
//! the positions with a given truth and shows the first of them.

use game::truth::Truth;
use jungle::{Color, Piece, Position, Square};
use rayon::prelude::*;

use crate::grid::{Grid, ROW, RowSquares};
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};
use crate::solved::Solved;
use crate::stats::mapping;
use crate::truth::Truths;

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

/// A position of a class, as its table has it.
#[derive(Clone, Debug)]
pub struct Scanned {
    /// Its number in the table.
    pub number: usize,
    /// The position, with the animals that lend the table its name.
    pub position: Position,
    /// What it is worth to the player to move.
    pub value: Truth,
    /// How many placements it stands for: 2 with its mirror image, or 1.
    pub weight: u64,
}

/// All positions of a class with one side to move, in parallel, in the order of their numbers. They
/// come with the truth if `solved` does, as from [`Truths::load`](crate::truth::Truths::load).
pub fn positions(solved: &Solved, turn: Color) -> impl ParallelIterator<Item = Scanned> {
    let grid = &solved.grid;
    (0..grid.rows()).into_par_iter().flat_map_iter(move |row| {
        let weight = weight(grid, row);
        row_positions(grid, row).filter_map(move |(squares, runner)| {
            let number = row * ROW + runner.index();
            let placed = squares.iter().copied().zip(grid.pieces().iter().copied());
            let position = Position::from_pieces(placed, turn).ok()?;
            Some(Scanned { number, position, value: solved.value(turn, number), weight })
        })
    })
}

/// How many placements a position of this row stands for: its mirror image has no number of its own
/// unless the first piece is on the middle file.
#[inline]
pub fn weight(grid: &Grid, row: usize) -> u64 {
    if grid.squares(row)[0].file() == 3 { 1 } else { 2 }
}

/// The positions of a class with a given truth.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// How many placements there are, mirror images counted apart.
    pub count: u64,
    /// The first of them, in the order of the table; of two mirror images often only one.
    pub first: Vec<Position>,
}

/// The positions of a named class with this truth for the player to move, the first `most` of them in
/// full. The animals are named as in the tablebase's rules, and the class need not have a table of
/// its own.
///
/// # Errors
///
/// If a table is missing or damaged, or the class has too many pieces.
pub fn find(
    tablebase: &Tablebase,
    material: Material,
    turn: Color,
    wanted: Truth,
    most: usize,
) -> Result<Found, ProbeError> {
    let Some(mapping) = mapping(tablebase.classes(), tablebase.rules(), material) else {
        let most = tablebase.classes().list().last().map_or(0, |class| class.material.pieces());
        return Err(ProbeError::TooManyPieces { found: material.pieces(), most });
    };
    let solved = Truths::new(tablebase).load(mapping.class)?;
    let grid = &solved.grid;
    // Exchanging the names of wolf and dog twice changes nothing: the way back is the way there.
    let pieces: Vec<Piece> = grid
        .slots()
        .iter()
        .map(|&slot| mapping.pieces[slot])
        .map(|piece| Piece { animal: tablebase.rules().by_strength(piece.animal), ..piece })
        .collect();
    let position = |squares: &RowSquares| {
        let turned = |square: &Square| if mapping.swapped { square.rotate() } else { *square };
        let placed = squares.iter().map(turned).zip(pieces.iter().copied());
        Position::from_pieces(placed, turn).ok()
    };
    let table_turn = if mapping.swapped { !turn } else { turn };
    let row = |row: usize| {
        let has = |(_, runner): &(RowSquares, Square)| {
            solved.value(table_turn, row * ROW + runner.index()) == wanted
        };
        let mut found = Found::default();
        for (squares, _) in row_positions(grid, row).filter(has) {
            found.count += weight(grid, row);
            if found.first.len() < most {
                found.first.extend(position(&squares));
            }
        }
        found
    };
    let join = |mut one: Found, other: Found| {
        one.count += other.count;
        one.first.extend(other.first);
        one.first.truncate(most);
        one
    };
    Ok((0..grid.rows()).into_par_iter().map(row).reduce(Found::default, join))
}
