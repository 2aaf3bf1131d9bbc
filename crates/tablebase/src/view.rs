//! Views: the values that captures lead to, laid out for the class that captures.
//!
//! Taking a piece leads to a smaller class, whose table has its own order of pieces, its own colours
//! and its own mirroring. A view resolves all that once: for each piece that may be taken, the worth
//! of every placement of the others, in this class's order, for the side that *took* it.

use jungle::rules::NoLegalMove;
use jungle::{Color, Piece, Square};
use rayon::prelude::*;

use crate::cell::Cell;
use crate::grid::{Grid, MAX_PIECES, ROW, RowSquares, domain};
use crate::solve::Exits;

/// Views for all pieces of a class.
pub struct Views<C> {
    views: Vec<View<C>>,
}

/// The placements left when one piece is gone.
struct View<C> {
    /// For each piece of the grid, what each square adds to the number; the victim adds nothing.
    offsets: Vec<[u32; Square::COUNT]>,
    /// The one whose squares lie side by side.
    last: usize,
    cells: Vec<C>,
}

impl<C: Cell> Views<C> {
    /// Builds the views. `worth` gives the cell, for the player to move, of the pieces `(piece,
    /// square)` with `turn` to move; both sides have pieces when it is asked. It is `None` for
    /// placements that are not positions.
    pub fn new<F>(grid: &Grid, no_pieces_left: C, worth: &F) -> Views<C>
    where
        F: Fn(usize, &[Square]) -> Option<C> + Sync,
    {
        let pieces = grid.pieces();
        let views = (0..pieces.len())
            .map(|victim| View::new(pieces, victim, no_pieces_left, worth))
            .collect();
        Views { views }
    }
}

impl<C: Cell> Exits<C> for Views<C> {
    #[inline]
    fn row(&self, victim: usize, squares: &RowSquares, taker: usize, to: Square) -> &[C] {
        let view = &self.views[victim];
        let mut squares = *squares;
        squares[taker] = to;
        let start = view.number(&squares, view.last);
        &view.cells[start..start + ROW]
    }

    #[inline]
    fn cell(&self, victim: usize, squares: &RowSquares) -> C {
        let view = &self.views[victim];
        view.cells[view.number(squares, MAX_PIECES)]
    }
}

impl<C: Cell> View<C> {
    fn new<F>(pieces: &[Piece], victim: usize, no_pieces_left: C, worth: &F) -> View<C>
    where
        F: Fn(usize, &[Square]) -> Option<C> + Sync,
    {
        let rest: Vec<usize> = (0..pieces.len()).filter(|&at| at != victim).collect();
        let last = rest[rest.len() - 1];
        let mut offsets = vec![[0; Square::COUNT]; pieces.len()];
        let mut stride = ROW as u32;
        for (index, slot) in offsets[last].iter_mut().enumerate() {
            *slot = index as u32;
        }
        let mut radixes: Vec<(usize, Vec<Square>)> = Vec::new();
        for &at in rest[..rest.len() - 1].iter().rev() {
            let squares: Vec<Square> = domain(pieces[at].animal).into_iter().collect();
            for (index, square) in squares.iter().enumerate() {
                offsets[at][square.index()] = index as u32 * stride;
            }
            stride *= squares.len() as u32;
            radixes.push((at, squares));
        }
        let mut cells = vec![C::NONE; stride as usize];
        let left = |color: Color| rest.iter().any(|&at| pieces[at].color == color);
        if !left(pieces[victim].color) {
            cells.fill(no_pieces_left);
            return View { offsets, last, cells };
        }
        let last_domain = domain(pieces[last].animal);
        cells.par_chunks_mut(ROW).enumerate().for_each(|(row, cells)| {
            let mut squares = [Square::A1; MAX_PIECES];
            let mut number = row;
            for (at, domain) in &radixes {
                squares[*at] = domain[number % domain.len()];
                number /= domain.len();
            }
            for square in last_domain {
                squares[last] = square;
                if let Some(cell) = worth(victim, &squares[..pieces.len()]) {
                    cells[square.index()] = after_capture(cell);
                }
            }
        });
        View { offsets, last, cells }
    }

    #[inline]
    fn number(&self, squares: &RowSquares, without: usize) -> usize {
        let mut number = 0;
        for (at, offsets) in self.offsets.iter().enumerate() {
            if at != without {
                number += offsets[squares[at].index()];
            }
        }
        number as usize
    }
}

/// What a position is worth to the player who moves into it.
fn after_capture<C: Cell>(cell: C) -> C {
    if let Some(half) = cell.win_half() {
        C::loss(half)
    } else if let Some(half) = cell.loss_half() {
        // One that no longer fits is never reached before the solver notices that it does not fit.
        C::win((half + 1).min(C::MAX_HALF))
    } else {
        C::DRAW
    }
}

/// What taking the last piece is worth.
pub fn annihilation<C: Cell>(rules: &jungle::Rules) -> C {
    if rules.annihilation_wins || rules.no_legal_move == NoLegalMove::Loss {
        C::win(1)
    } else {
        C::DRAW
    }
}
