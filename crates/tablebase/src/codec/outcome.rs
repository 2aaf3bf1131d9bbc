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

/// The flag that says whether a row has surprises.
const FLAG: Context = Context { coarse: 0, fine: 0 };
const CELLS: usize = 1;
const COARSE_CELLS: usize = 4 * 4 * 4;
const FINE_CELLS: usize = 4 * 4 * 256 * 16;

/// How many coarse contexts there are.
pub const COARSE: usize = CELLS + COARSE_CELLS + COARSE_CELLS;
/// How many fine contexts there are.
pub const FINE: usize = CELLS + FINE_CELLS + COARSE_CELLS;

/// The coarse form of a fine context.
pub fn coarse_of(fine: usize) -> usize {
    match fine {
        0 => 0,
        fine if fine < CELLS + FINE_CELLS => {
            let fine = fine - CELLS;
            let reference = fine / (4 * 256 * 16);
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
        let row = &mut later[0];
        let first = below.or(left).map(|at| &earlier[at]);
        let second = below.and(left).map(|at| &earlier[at]);
        walk_row(row, free, first, second, symbols, |square| truth(at, square));
    }
    rows
}

#[inline]
fn walk_row<S: Symbols<3>>(
    row: &mut Row,
    free: Bitboard,
    first: Option<&Row>,
    second: Option<&Row>,
    symbols: &mut S,
    truth: impl Fn(Square) -> u8,
) {
    let mut plain = Bitboard::EMPTY;
    let mut surprise = false;
    if let Some(first) = first {
        plain = first.plain() & free;
        if let Some(second) = second {
            let agree = (0..3).fold(Bitboard::EMPTY, |all, outcome| {
                let here = second.sets[outcome];
                all | (first.sets[outcome] & here)
            });
            let known = second.sets[0] | second.sets[1] | second.sets[2];
            plain &= agree | !known;
        }
        let differs = |square: Square| truth(square) != first.cells[padded(square)];
        surprise = symbols.symbol(FLAG, usize::from(plain.into_iter().any(differs))) != 0;
        if !surprise {
            for outcome in 0..3 {
                let same = first.sets[outcome] & plain;
                row.sets[outcome] = same;
            }
            for square in plain {
                row.cells[padded(square)] = first.cells[padded(square)];
            }
        }
    }
    let coded = if surprise { free } else { free.without(plain) };
    for square in coded {
        let context = context(row, first, second, square, plain.contains(square));
        let outcome = symbols.symbol(context, usize::from(truth(square))) as u8;
        row.put(square, outcome);
    }
}

#[inline]
fn context(
    row: &Row,
    first: Option<&Row>,
    second: Option<&Row>,
    square: Square,
    plain: bool,
) -> Context {
    let at = padded(square);
    let cell = |cells: &[u8; PADDED], way: isize| usize::from(cells[at.wrapping_add_signed(way)]);
    let known = cell(&row.cells, LEFT) * 4 + cell(&row.cells, DOWN);
    let Some(first) = first else {
        let reference = usize::from(OUTSIDE);
        return Context {
            coarse: CELLS + reference * 16 + known,
            fine: CELLS + (reference * 4 + 3) * 256 * 16 + known,
        };
    };
    let reference = cell(&first.cells, 0);
    if plain {
        let place = reference * 16 + known;
        return Context { coarse: CELLS + COARSE_CELLS + place, fine: CELLS + FINE_CELLS + place };
    }
    let other = second.map_or(usize::from(OUTSIDE), |second| cell(&second.cells, 0));
    let around = [LEFT, DOWN, RIGHT, UP]
        .into_iter()
        .fold(0, |around, way| around * 4 + cell(&first.cells, way));
    Context {
        coarse: CELLS + reference * 16 + known,
        fine: CELLS + ((reference * 4 + other) * 256 + around) * 16 + known,
    }
}
