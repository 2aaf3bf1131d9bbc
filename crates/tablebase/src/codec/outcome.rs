//! Who wins, row by row.
//!
//! Neighbouring rows are much alike. Where the runner's surroundings in the reference row are all of
//! one colour (won, drawn or lost throughout), the new row almost always agrees, so one flag a row
//! says that it does and those squares are not coded at all. The others are coded one by one, given
//! the reference row around the square, the second reference row, and the squares to the left and
//! below, which are already known.

use jungle::{Bitboard, Square};

use super::block::{Block, DOWN, LEFT, MAX_ROWS, PADDED, RIGHT, UP, padded};
use super::model::{Context, Symbols};

/// Outcomes are small numbers here.
pub const WON: u8 = 0;
/// Neither won nor lost.
pub const DRAWN: u8 = 1;
/// Lost.
pub const LOST: u8 = 2;
/// Not a position.
const OUTSIDE: u8 = 3;

/// The first contexts are for the flag that says whether a row has surprises, the rest for cells.
const CELLS: usize = 4;
const COARSE_CELLS: usize = 4 * 16;
const FINE_CELLS: usize = 4 * 4 * 4 * 4 * 16 * 16;

/// How many coarse contexts there are.
pub const COARSE: usize = CELLS + COARSE_CELLS + COARSE_CELLS;
/// How many fine contexts there are.
pub const FINE: usize = CELLS + FINE_CELLS + COARSE_CELLS;

/// The coarse form of a fine context.
pub fn coarse_of(fine: usize) -> usize {
    match fine {
        fine if fine < CELLS => fine,
        fine if fine < CELLS + FINE_CELLS => {
            let fine = fine - CELLS;
            let reference = fine / (FINE_CELLS / 4);
            CELLS + reference * 16 + fine % 16
        }
        fine => fine - FINE_CELLS + COARSE_CELLS,
    }
}

/// The outcomes of a row.
#[derive(Clone, Copy)]
pub struct Row {
    /// By padded square.
    pub cells: [u8; PADDED],
    /// The squares of each outcome.
    pub sets: [Bitboard; 3],
}

impl Row {
    const EMPTY: Row = Row { cells: [OUTSIDE; PADDED], sets: [Bitboard::EMPTY; 3] };

    #[inline]
    fn put(&mut self, square: Square, outcome: u8) {
        self.cells[padded(square)] = outcome;
        self.sets[outcome as usize] |= square.bitboard();
    }

    /// Squares whose whole surroundings have one outcome.
    #[inline]
    fn plain(&self) -> Bitboard {
        let [won, drawn, lost] = self.sets;
        let inside = |set: Bitboard, others: Bitboard| set.without(others.neighbours());
        inside(won, drawn | lost) | inside(drawn, won | lost) | inside(lost, won | drawn)
    }
}

/// The rows of a block; rows whose pieces collide stay empty.
pub struct Rows {
    rows: [Row; MAX_ROWS],
}

impl Rows {
    /// Rows of a block that needs none.
    pub fn empty() -> Rows {
        Rows { rows: [Row::EMPTY; MAX_ROWS] }
    }

    /// A row.
    #[inline]
    pub fn row(&self, row: usize) -> &Row {
        &self.rows[row]
    }
}

/// Walks a block up to and including the row `until`. `truth` gives the outcome of a square in a row
/// to a pass that counts or writes; a reader's is never asked in earnest.
#[inline]
pub fn walk<S: Symbols<3>>(
    block: &Block<'_>,
    until: usize,
    symbols: &mut S,
    truth: impl Fn(usize, Square) -> u8,
) -> Rows {
    let mut rows = Rows::empty();
    for at in 0..=until {
        let Some(free) = block.free(at) else { continue };
        if block.is_won_at_once(at) {
            let row = &mut rows.rows[at];
            free.into_iter().for_each(|square| row.put(square, WON));
            continue;
        }
        let [below, left, _] = block.references(at);
        let (earlier, later) = rows.rows.split_at_mut(at);
        let around = Around {
            first: below.or(left).map(|at| &earlier[at]),
            second: below.and(left).map(|at| &earlier[at]),
            contacts: block.contacts(at),
            change: usize::from(block.is_last_attacked(at)) * 2
                + usize::from(below.or(left).is_some_and(|at| block.is_last_attacked(at))),
        };
        walk_row(&mut later[0], free, &around, symbols, |square| truth(at, square));
    }
    rows
}

/// What is known about a row before it is read.
struct Around<'a> {
    first: Option<&'a Row>,
    second: Option<&'a Row>,
    /// Where the runner could be taken, and where it could take something.
    contacts: [Bitboard; 2],
    /// Whether the last fixed piece could be taken in this row, and in the first reference.
    change: usize,
}

#[inline]
fn walk_row<S: Symbols<3>>(
    row: &mut Row,
    free: Bitboard,
    around: &Around<'_>,
    symbols: &mut S,
    truth: impl Fn(Square) -> u8,
) {
    let mut plain = Bitboard::EMPTY;
    let mut surprise = false;
    if let Some(first) = around.first {
        plain = first.plain() & free.without(around.contacts[0] | around.contacts[1]);
        if let Some(second) = around.second {
            let agree = (0..3).fold(Bitboard::EMPTY, |all, outcome| {
                all | (first.sets[outcome] & second.sets[outcome])
            });
            let known = second.sets[0] | second.sets[1] | second.sets[2];
            plain &= agree | !known;
        }
        let differs = |square: Square| truth(square) != first.cells[padded(square)];
        let flag = Context { coarse: around.change, fine: around.change };
        let surprising = !S::READS && plain.into_iter().any(differs);
        surprise = symbols.symbol(flag, usize::from(surprising)) != 0;
        if !surprise {
            for outcome in 0..3 {
                row.sets[outcome] = first.sets[outcome] & plain;
            }
            // The coded ones are put right below, the others agree; the two squares where the last
            // piece stands, then and now, are never plain.
            row.cells = first.cells;
            (!free).into_iter().for_each(|square| row.cells[padded(square)] = OUTSIDE);
        }
    }
    let coded = if surprise { free } else { free.without(plain) };
    for square in coded {
        let context = context(row, around, square, plain.contains(square));
        let outcome = symbols.symbol(context, usize::from(truth(square))) as u8;
        row.put(square, outcome);
    }
}

#[inline(always)]
fn context(row: &Row, around: &Around<'_>, square: Square, plain: bool) -> Context {
    let at = padded(square);
    let cell = |cells: &[u8; PADDED], way: isize| usize::from(cells[at.wrapping_add_signed(way)]);
    let known = cell(&row.cells, LEFT) * 4 + cell(&row.cells, DOWN);
    let reference = around.first.map_or(usize::from(OUTSIDE), |first| cell(&first.cells, 0));
    let coarse = CELLS + reference * 16 + known;
    if plain {
        return Context { coarse: coarse + COARSE_CELLS, fine: coarse + FINE_CELLS };
    }
    let contact = usize::from(around.contacts[0].contains(square)) * 2
        + usize::from(around.contacts[1].contains(square));
    // With a reference row: who wins with the last piece moved the other way, and next to whom the
    // outcome changes. Without: the corners.
    let (other, pattern) = match around.first {
        Some(first) => {
            let other = around.second.map_or(3, |second| cell(&second.cells, 0));
            let pattern = [LEFT, DOWN, RIGHT, UP].into_iter().fold(0, |pattern, way| {
                let next = cell(&first.cells, way);
                pattern * 2 + usize::from(next != reference && next != usize::from(OUTSIDE))
            });
            (other, pattern)
        }
        None => (around.change, cell(&row.cells, DOWN + LEFT) * 4 + cell(&row.cells, DOWN + RIGHT)),
    };
    let fine = (((reference * 4 + other) * 4 + contact) * 4 + around.change) * 16 + pattern;
    Context { coarse, fine: CELLS + fine * 16 + known }
}
