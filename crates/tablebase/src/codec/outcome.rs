//! Coding outcomes (WDL), row by row.
//!
//! Neighbouring rows are much alike, so a row is first predicted, for all squares of the runner at
//! once, to be like the row that it leans on; what is coded is where that fails. One flag says
//! whether it fails at all, then one for each rank whether it fails there, and only the squares of
//! such ranks are coded one by one. Most failures are where the prediction is uncertain: next to a
//! square with another outcome, where the second row disagrees, where a capture is at hand. A rank's
//! flag also says whether all are of that kind, and then the other squares need no code.
//!
//! A row that leans on none is predicted a rank at a time, to be like the nearest square below.
//!
//! Outcomes are kept as two words a row, a bit a square, so that all that does not depend on the
//! order of squares is done for all of them together.

use jungle::{Bitboard, Square};

use super::block::{Block, Extent, MAX_ROWS};
use super::model::{Contexts, LINE, Symbols};

/// Outcomes are small numbers here.
pub const WON: u8 = 0;
/// Neither won nor lost.
pub const DRAWN: u8 = 1;
/// Lost.
pub const LOST: u8 = 2;
/// Not a position.
const OUTSIDE: usize = 3;

/// Symbols: as predicted, or one or two further on among the outcomes; for a rank, see above.
pub const SYMBOLS: usize = 3;

const AS_PREDICTED: usize = 0;
const RISKY_ONLY: usize = 1;

const FILES: usize = 7;
const RANKS: usize = 9;
const RANK: u64 = (1 << FILES) - 1;
const FILE_A: u64 = Bitboard::ALL.bits() / RANK;

/// The contexts of outcomes: rows, then ranks, then squares without and with a row to lean on.
pub struct OutcomeContexts;

const ROW_CONTEXTS: usize = 4 * 2 * 6 * 5;
const RANK_CONTEXTS: usize = 3 * 8 * 4 * 4;
/// The coarse part of a square's context: what is expected, whether the rank's failure is still to
/// come, and the outcomes to the left and below.
const COARSE_SQUARE: usize = 1 << 8;
const LOOSE_CONTEXTS: usize = COARSE_SQUARE << 5;
const LEANING_CONTEXTS: usize = COARSE_SQUARE << 7;

const RANK_START: usize = ROW_CONTEXTS;
const LOOSE_START: usize = RANK_START + RANK_CONTEXTS;
const LEANING_START: usize = LOOSE_START + LOOSE_CONTEXTS;

impl Contexts for OutcomeContexts {
    const FINE: usize = LEANING_START + LEANING_CONTEXTS;
    const COARSE: usize = 4 + 12 + 2 * COARSE_SQUARE;

    fn coarse(fine: usize) -> usize {
        match fine {
            LEANING_START.. => 4 + 12 + COARSE_SQUARE + (fine - LEANING_START) % COARSE_SQUARE,
            LOOSE_START.. => 4 + 12 + (fine - LOOSE_START) % COARSE_SQUARE,
            RANK_START.. => {
                let rank = fine - RANK_START;
                4 + rank / (RANK_CONTEXTS / 3) * 4 + rank % 4
            }
            _ => fine / (ROW_CONTEXTS / 4),
        }
    }
}

/// The outcomes of a row: a bit a square, the low and the high bit of the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    low: u64,
    high: u64,
}

impl Row {
    /// No positions.
    pub const EMPTY: Row = Row { low: u64::MAX, high: u64::MAX };

    /// Won everywhere.
    #[inline]
    pub fn won_on(squares: Bitboard) -> Row {
        Row { low: !squares.bits(), high: !squares.bits() }
    }

    /// Won and lost on these squares, drawn on the rest of `free`.
    #[inline]
    pub fn of(won: Bitboard, lost: Bitboard, free: Bitboard) -> Row {
        Row { low: !(won | lost).bits() | !free.bits(), high: lost.bits() | !free.bits() }
    }

    /// The outcome on a square.
    #[inline]
    pub fn at(self, square: Square) -> u8 {
        let at = square.index();
        ((self.low >> at & 1) | (self.high >> at & 1) << 1) as u8
    }

    /// Where it is won.
    #[inline]
    pub fn won(self) -> Bitboard {
        Bitboard::from_bits_truncated(!(self.low | self.high))
    }

    /// Where it is lost.
    #[inline]
    pub fn lost(self) -> Bitboard {
        Bitboard::from_bits_truncated(self.high & !self.low)
    }

    /// Where there is a position.
    #[inline]
    fn inside(self) -> u64 {
        !(self.low & self.high)
    }

    /// Where the two differ.
    #[inline]
    fn differs(self, other: Row) -> u64 {
        (self.low ^ other.low) | (self.high ^ other.high)
    }

    #[inline]
    fn put(&mut self, at: usize, outcome: usize) {
        let bit = 1u64 << at;
        self.low = self.low & !bit | (outcome as u64 & 1) << at;
        self.high = self.high & !bit | (outcome as u64 >> 1) << at;
    }
}

/// The rows of a block, as far as they have been read.
pub struct Rows {
    rows: [Row; MAX_ROWS],
}

impl Rows {
    /// Nothing read.
    #[inline]
    pub fn empty() -> Rows {
        Rows { rows: [Row::EMPTY; MAX_ROWS] }
    }

    /// A row.
    #[inline]
    pub fn row(&self, row: usize) -> Row {
        self.rows[row]
    }
}

game::multiversion! {
    /// Walks through both streams of a block. `truth` gives a row to a pass that counts or writes; a
    /// reader never asks.
    pub fn walk<S: Symbols<SYMBOLS>>(
        block: &Block<'_>,
        extent: Extent,
        symbols: &mut S,
        truth: impl Fn(usize) -> Row,
    ) -> Rows = walk_inlined;
}

#[inline(always)]
fn walk_inlined<S: Symbols<SYMBOLS>>(
    block: &Block<'_>,
    extent: Extent,
    symbols: &mut S,
    truth: impl Fn(usize) -> Row,
) -> Rows {
    let mut rows = Rows::empty();
    for (stream, range) in block.streams(extent).into_iter().enumerate() {
        if range.is_empty() {
            continue;
        }
        symbols.start(stream);
        for at in range {
            let Some(free) = block.free(at) else { continue };
            if block.is_won_at_once(at) {
                rows.rows[at] = Row::won_on(free);
                continue;
            }
            let [first, second] = block.references(at);
            let attacked = |row: usize| usize::from(block.is_last_attacked(row));
            let [taken, takes] = block.contacts(at);
            let surroundings = Surroundings {
                free: free.bits(),
                contacts: (taken | takes).bits() & free.bits(),
                change: attacked(at) * 2 + first.map_or(0, attacked),
                second: second.map(|row| rows.rows[row]),
            };
            let truth = if S::READS { Row::EMPTY } else { truth(at) };
            rows.rows[at] = match first {
                Some(first) => surroundings.lean(rows.rows[first], symbols, truth),
                None => surroundings.stand(symbols, truth),
            };
        }
    }
    rows
}

/// What is known about a row before it is read.
struct Surroundings {
    /// Where the runner can stand.
    free: u64,
    /// Where it could be taken, or take something.
    contacts: u64,
    /// Whether the last fixed piece could be taken in this row, and in the first it leans on.
    change: usize,
    second: Option<Row>,
}

impl Surroundings {
    /// A row that leans on another.
    #[inline(always)]
    fn lean<S: Symbols<SYMBOLS>>(&self, first: Row, symbols: &mut S, truth: Row) -> Row {
        let Surroundings { free, contacts, change, second } = *self;
        let predicted = self.predict(first);
        // Next to which neighbours the prediction changes, and how often.
        let (low, high) = (predicted.low, predicted.high);
        let edge = |shifted_low: u64, shifted_high: u64, board: u64| {
            ((low ^ shifted_low) | (high ^ shifted_high)) & !(shifted_low & shifted_high) & board
        };
        let left = edge(low << 1, high << 1, free & !FILE_A);
        let right = edge(low >> 1, high >> 1, free & !(FILE_A << (FILES - 1)));
        let down = edge(low << FILES | RANK, high << FILES | RANK, free);
        let up =
            edge(low >> FILES | !(u64::MAX >> FILES), high >> FILES | !(u64::MAX >> FILES), free);
        let disagrees = second.map_or(0, |row| predicted.differs(row) & row.inside() & free);
        let edges = left | right | down | up;
        let doubtful = disagrees | contacts & edges;
        let risky = edges | doubtful;

        let wrong = predicted.differs(truth) & free;
        let risks = (risky.count_ones().div_ceil(8).min(5) * 5
            + doubtful.count_ones().div_ceil(3).min(4)) as usize;
        let context = (change * 2 + usize::from(second.is_some())) * 30 + risks;
        if symbols.symbol(context, usize::from(wrong != 0)) == AS_PREDICTED {
            return predicted;
        }

        // The number of edges, up to 3, as two words.
        let (one, other) = (left ^ right, down ^ up);
        let (both, others) = (left & right, down & up);
        let four = both & others;
        let twos = (both ^ others ^ (one & other)) | four;
        let ones = (one ^ other) | four;
        let second = second.unwrap_or(Row::EMPTY);
        let mut row = predicted;
        let mut failed = 0;
        let kind = RANK_CONTEXTS / 3 * (1 + usize::from(self.second.is_some()));
        for rank in 0..RANKS {
            let here = RANK << (rank * FILES);
            if free & here == 0 {
                continue;
            }
            let counts =
                ((risky & here).count_ones() * 4 + (doubtful & here).count_ones().min(3)) as usize;
            let context = RANK_START + kind + counts * 4 + failed % 4;
            let fails = match wrong & here {
                0 => AS_PREDICTED,
                wrong if wrong & !risky == 0 => RISKY_ONLY,
                _ => RISKY_ONLY + 1,
            };
            let fails = symbols.symbol(context, fails);
            failed = failed * 2 + usize::from(fails != AS_PREDICTED);
            let mut coded = match fails {
                AS_PREDICTED => 0,
                RISKY_ONLY => risky & here,
                _ => free & here,
            };
            let mut must = 0;
            while coded != 0 {
                let at = coded.trailing_zeros() as usize;
                coded &= coded - 1;
                let bit = |word: u64| (word >> at & 1) as usize;
                let expected = bit(low) + bit(high) * 2;
                let must_now = if must == 2 { 2 } else { usize::from(coded != 0) };
                let known = (((change * 4 + bit(second.low) + bit(second.high) * 2) * 4
                    + bit(ones)
                    + bit(twos) * 2)
                    * 2
                    + bit(contacts))
                    * 16
                    + expected * 4
                    + must_now;
                let line = LEANING_START / LINE + known;
                let outcome = code(symbols, line, fresh(row, at), expected, row_at(truth, at));
                if outcome != expected {
                    must = 2;
                    row.put(at, outcome);
                }
            }
        }
        row
    }

    /// Like the row leant on. Where the last fixed piece stood there, like the second, or like the
    /// squares around.
    #[inline]
    fn predict(&self, first: Row) -> Row {
        let free = self.free;
        let mut predicted = Row { low: first.low | !free, high: first.high | !free };
        let mut holes = free & !first.inside();
        while holes != 0 {
            let at = holes.trailing_zeros() as usize;
            let around = Bitboard::from_bits_truncated(1 << at).neighbours().bits() & free;
            let count = |set: u64| (set & around).count_ones();
            let (low, high) = (predicted.low, predicted.high);
            let counts = [count(!low & !high), count(low & !high), count(!low & high)];
            let most = (0..3).rev().max_by_key(|&outcome| counts[outcome]).unwrap_or(0);
            let second = self.second.map_or(OUTSIDE, |row| row_at(row, at));
            predicted.put(at, if second == OUTSIDE { most } else { second });
            holes &= holes - 1;
        }
        predicted
    }

    /// A row that leans on none.
    #[inline(always)]
    fn stand<S: Symbols<SYMBOLS>>(&self, symbols: &mut S, truth: Row) -> Row {
        let Surroundings { free, contacts, .. } = *self;
        let mut row = Row::EMPTY;
        // What each file had last, in the lowest rank.
        let (mut low, mut high) = (0, 0);
        let mut failed = 0;
        for rank in 0..RANKS {
            let shift = rank * FILES;
            let here = free >> shift & RANK;
            if here == 0 {
                continue;
            }
            let kinds = [!low & !high, low & !high, high & !low];
            let kinds = kinds.into_iter().filter(|kind| kind & here != 0).count();
            let counts = (contacts >> shift & RANK).count_ones() as usize * 4 + kinds;
            let context = RANK_START + counts * 4 + failed % 4;
            let wrong = ((truth.low >> shift ^ low) | (truth.high >> shift ^ high)) & here;
            let fails = symbols.symbol(context, usize::from(wrong != 0)) != AS_PREDICTED;
            failed = failed * 2 + usize::from(fails);
            row.low = row.low & !(here << shift) | (low & here) << shift;
            row.high = row.high & !(here << shift) | (high & here) << shift;
            let mut coded = if fails { here } else { 0 };
            let mut must = 0;
            // Squares not read yet must not influence anything.
            let mut seen = row;
            seen.low |= coded << shift;
            seen.high |= coded << shift;
            while coded != 0 {
                let file = coded.trailing_zeros() as usize;
                let at = shift + file;
                coded &= coded - 1;
                let expected = (low >> file & 1 | (high >> file & 1) << 1) as usize;
                let must_now = if must == 2 { 2 } else { usize::from(coded != 0) };
                let corners = if rank == 0 {
                    15
                } else {
                    let corner = |way: usize, outside: bool| {
                        if outside { OUTSIDE } else { row_at(seen, at - FILES + way - 1) }
                    };
                    corner(0, file == 0) * 4 + corner(2, file == FILES - 1)
                };
                let known =
                    (corners * 2 + (contacts >> at & 1) as usize) * 16 + expected * 4 + must_now;
                let line = LOOSE_START / LINE + known;
                let outcome = code(symbols, line, fresh(seen, at), expected, row_at(truth, at));
                if outcome != expected {
                    must = 2;
                }
                seen.put(at, outcome);
            }
            row = seen;
            low = low & !here | row.low >> shift & here;
            high = high & !here | row.high >> shift & here;
        }
        row
    }
}

/// The part of a context that depends on what was read just before: the outcomes to the left and
/// below.
#[inline(always)]
fn fresh(row: Row, at: usize) -> usize {
    let bit = |word: u64| (word >> at & 1) as usize;
    let left = bit(row.low << 1 | FILE_A) + bit(row.high << 1 | FILE_A) * 2;
    let below = bit(row.low << FILES | RANK) + bit(row.high << FILES | RANK) * 2;
    left * 4 + below
}

#[inline(always)]
fn row_at(row: Row, at: usize) -> usize {
    ((row.low >> at & 1) | (row.high >> at & 1) << 1) as usize
}

/// Codes an outcome as what it differs by from the expected one, cyclically.
#[inline(always)]
fn code<S: Symbols<SYMBOLS>>(
    symbols: &mut S,
    line: usize,
    column: usize,
    expected: usize,
    outcome: usize,
) -> usize {
    // A reader's truth is outside and its symbol ignored.
    let ahead = expected + symbols.symbol_in(line, column, (outcome + 3 - expected) % 3);
    if ahead >= 3 { ahead - 3 } else { ahead }
}
