//! Coding distances to win, row by row, once it is known who wins.
//!
//! A distance is coded as its difference from a guess: the distance on the same square of the
//! row leant on, if the outcome there is the same, else of the second row, the square to the left,
//! the square below. The context is how well the guess did for the neighbours: how much the left and the lower
//! neighbour differ from theirs in the row leant on.
//!
//! Whether a neighbour has the same outcome decides how useful it is. That is computed for all
//! squares of a row at once, and used as arithmetic: half of the tests go either way, and as branches
//! they would be mispredicted.

use jungle::{Bitboard, Square};

use super::block::{Block, Extent, MAX_ROWS};
use super::model::{Contexts, Symbols};
use super::outcome;

/// Differences are folded to 0, -1, 1, -2, … and the last symbol says that two bytes follow.
pub const SYMBOLS: usize = 16;
const ESCAPE: usize = SYMBOLS - 1;

const TRENDS: usize = 16;
const PER_COARSE: usize = TRENDS * 8 * 4 * 2;

/// The contexts of distances.
pub struct DistanceContexts;

impl Contexts for DistanceContexts {
    const FINE: usize = Self::COARSE * PER_COARSE;
    const COARSE: usize = 2 * TRENDS;

    fn coarse(fine: usize) -> usize {
        fine / PER_COARSE
    }
}

/// Room in front of a row's first square for the neighbours that it does not have.
const MARGIN: usize = 8;

/// The half-distances of a row; 0 where there is none, which the outcomes distinguish from a loss in 0.
type Row = [u16; MARGIN + 64];

const NOTHING: Row = [0; MARGIN + 64];

/// The rows of a block, as far as they have been read.
pub struct Rows {
    rows: [Row; MAX_ROWS],
}

impl Rows {
    /// The half-distance on a square.
    #[inline]
    pub fn at(&self, row: usize, square: Square) -> u16 {
        self.rows[row][MARGIN + square.index()]
    }
}

game::multiversion! {
    /// Walks through both streams of a block, of which the outcomes are known; see [`outcome::walk`].
    pub fn walk<S: Symbols<SYMBOLS>>(
        block: &Block<'_>,
        extent: Extent,
        outcomes: &outcome::Rows,
        symbols: &mut S,
        truth: impl Fn(usize, Square) -> u16,
    ) -> Rows = walk_inlined;
}

#[inline(always)]
fn walk_inlined<S: Symbols<SYMBOLS>>(
    block: &Block<'_>,
    extent: Extent,
    outcomes: &outcome::Rows,
    symbols: &mut S,
    truth: impl Fn(usize, Square) -> u16,
) -> Rows {
    let mut rows = Rows { rows: [NOTHING; MAX_ROWS] };
    for (stream, range) in block.streams(extent).into_iter().enumerate() {
        if range.is_empty() {
            continue;
        }
        symbols.start(stream);
        for at in range {
            let Some(free) = block.free(at) else { continue };
            if block.is_won_at_once(at) {
                rows.rows[at] = [1; MARGIN + 64];
                continue;
            }
            let references = block.references(at);
            let attacked = |row: usize| block.is_last_attacked(row);
            let (earlier, later) = rows.rows.split_at_mut(at);
            let lean = |row: Option<usize>| {
                row.map_or((&NOTHING, outcome::Row::EMPTY), |row| {
                    (&earlier[row], outcomes.row(row))
                })
            };
            let surroundings = Surroundings {
                own: outcomes.row(at),
                first: lean(references[0]),
                second: lean(references[1]),
                contacts: block.contacts(at).map(Bitboard::bits),
                changed: references[0].is_some_and(|row| attacked(row) != attacked(at)),
            };
            let decided = (surroundings.own.won() | surroundings.own.lost()) & free;
            surroundings.walk(&mut later[0], decided, symbols, |square| truth(at, square));
        }
    }
    rows
}

/// What is known about a row before it is read.
struct Surroundings<'a> {
    own: outcome::Row,
    first: (&'a Row, outcome::Row),
    second: (&'a Row, outcome::Row),
    contacts: [u64; 2],
    changed: bool,
}

/// From a square to its neighbours on the left and below.
const LEFT: usize = 1;
const BELOW: usize = 7;
const FILE_A: u64 = Bitboard::ALL.bits() / 0b111_1111;

impl Surroundings<'_> {
    #[inline(always)]
    fn walk<S: Symbols<SYMBOLS>>(
        &self,
        row: &mut Row,
        decided: Bitboard,
        symbols: &mut S,
        truth: impl Fn(Square) -> u16,
    ) {
        let (won, lost) = (self.own.won().bits(), self.own.lost().bits());
        // Where the square at this distance has the same outcome.
        let same = |other: outcome::Row, way: usize| {
            won & other.won().bits() << way | lost & other.lost().bits() << way
        };
        let (first, second) = (self.first.1, self.second.1);
        let (has_left, has_below) = (same(self.own, LEFT) & !FILE_A, same(self.own, BELOW));
        let (has_straight, has_other) = (same(first, 0), same(second, 0));
        let has_first_left = has_straight & same(first, LEFT) & !FILE_A;
        let has_first_below = has_straight & same(first, BELOW);
        for square in decided {
            let at = square.index();
            let has = |word: u64| word >> at & 1 != 0;
            let half = |row: &Row, way: usize| i32::from(row[MARGIN + at - way]);
            let is_lost = has(lost);
            let (left, below) = (half(row, LEFT), half(row, BELOW));
            let other = half(self.second.0, 0);
            let guess = if is_lost { 2 } else { 3 };
            let guess = if has(has_below) { below } else { guess };
            let guess = if has(has_left) { left } else { guess };
            let guess = if has(has_other) { other } else { guess };
            let guess = if has(has_straight) { half(self.first.0, 0) } else { guess };
            let trend = |there: bool, known: i32, both: bool, before: i32| {
                let base = if both { before } else { guess };
                let trend = clamp(known - base) + if both { 0 } else { 8 };
                if there { trend } else { 7 }
            };
            let across = trend(has(has_left), left, has(has_first_left), half(self.first.0, LEFT));
            let along =
                trend(has(has_below), below, has(has_first_below), half(self.first.0, BELOW));
            let other = if has(has_other) { clamp(other - guess) } else { 7 };
            let contact =
                usize::from(has(self.contacts[0])) * 2 + usize::from(has(self.contacts[1]));
            let context = (((usize::from(is_lost) * TRENDS + across) * TRENDS + along) * 8 + other)
                * 4
                + contact;
            let context = context * 2 + usize::from(self.changed);
            let truth = if S::READS { 0 } else { truth(square) };
            row[MARGIN + at] = code(symbols, context, guess, truth);
        }
    }
}

#[inline]
fn clamp(difference: i32) -> usize {
    (difference.clamp(-3, 3) + 3) as usize
}

#[inline(always)]
fn code<S: Symbols<SYMBOLS>>(symbols: &mut S, context: usize, guess: i32, half: u16) -> u16 {
    let difference = i32::from(half) - guess;
    let folded = if difference < 0 { -2 * difference - 1 } else { 2 * difference } as usize;
    let symbol = symbols.symbol(context, folded.min(ESCAPE));
    if symbol == ESCAPE {
        let [low, high] = half.to_le_bytes();
        return u16::from_le_bytes([symbols.byte(low), symbols.byte(high)]);
    }
    let symbol = symbol as i32;
    let difference = (symbol >> 1) ^ -(symbol & 1);
    (guess + difference).clamp(0, i32::from(u16::MAX)) as u16
}
