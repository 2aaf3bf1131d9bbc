//! Memory estimates: an upper bound on what solving a class takes, before it is tried.
//!
//! Solving holds, for each row and side to move, the cells, the won and the lost set, two flags and
//! two wake-up times; the views; and the classes that captures lead to. Afterwards only the cells are
//! left, while the file is made from them. The estimate is the larger of the two and meant to be an
//! upper bound; it does not count what is the same for every class, such as threads and code.

use jungle::Piece;

use crate::grid::{Grid, ROW, domain};

/// Words, flags and wake-up times of a row with one side to move.
const ROW_EXTRAS: u64 = 2 * 8 + 2 + 2 * 2;

/// A row's cells for both sides to move, of one byte.
const ROW_CELLS: u64 = 2 * ROW as u64;

/// The bytes of the finished cells of a class, at this many bytes a cell.
pub fn finished(grid: &Grid, width: u64) -> u64 {
    grid.rows() as u64 * ROW_CELLS * width
}

/// What solving a class and writing its file takes, the classes it leads to not counted.
pub fn working(grid: &Grid, width: u64) -> u64 {
    let rows = grid.rows() as u64;
    let solving = finished(grid, width) + rows * 2 * ROW_EXTRAS + views(grid.pieces()) * width;
    // One side's cells in a common width, and a file that hardly shrank.
    let writing = finished(grid, width) + rows * ROW_CELLS + rows * ROW_CELLS / 2;
    solving.max(writing)
}

/// The cells of the views: for each victim, all placements of the others.
fn views(pieces: &[Piece]) -> u64 {
    let squares = |piece: &Piece| u64::from(domain(piece.animal).len());
    (0..pieces.len())
        .map(|victim| {
            let rest: Vec<&Piece> =
                pieces.iter().enumerate().filter(|(at, _)| *at != victim).map(|(_, p)| p).collect();
            rest[..rest.len() - 1].iter().map(|piece| squares(piece)).product::<u64>() * ROW as u64
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Classes, table_rules};
    use jungle::{Jungle, Rules};

    #[test]
    fn more_pieces_and_wider_cells_need_more() {
        let rules = table_rules(&Rules::STANDARD);
        let jungle = Jungle::new(rules);
        let classes = Classes::new(&rules, 4);
        let grids: Vec<Grid> =
            classes.list().iter().map(|class| Grid::new(&jungle, &class.slots)).collect();
        for grid in &grids {
            assert!(working(grid, 2) > working(grid, 1));
            assert!(working(grid, 1) > finished(grid, 1));
            // The cells are most of it; a bound many times as large would refuse for no reason.
            assert!(working(grid, 1) < 4 * finished(grid, 1) + (1 << 16));
        }
        let most = |pieces: usize| {
            grids.iter().filter(|g| g.pieces().len() == pieces).map(|g| working(g, 1)).max()
        };
        assert!(most(2) < most(3) && most(3) < most(4));
    }
}
