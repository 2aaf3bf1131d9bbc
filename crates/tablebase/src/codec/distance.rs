//! How long it takes, row by row, once it is known who wins.
//!
//! A distance is coded as what it differs by from a guess: the distance on the same square of the
//! reference row, if the outcome there is the same, else of the second reference row, the square to
//! the left, the square below. The context is how the guess fared next door: how much the left and
//! the lower neighbour differ from theirs in the reference row.

use jungle::Square;

use super::block::{Block, DOWN, LEFT, MAX_ROWS, PADDED, padded};
use super::model::{Context, Symbols};
use super::outcome::{self, LOST, WON};

/// Differences are folded to 0, -1, 1, -2, … and the last symbol says that two bytes follow.
pub const SYMBOLS: usize = 16;
const ESCAPE: usize = SYMBOLS - 1;

const TRENDS: usize = 16;
/// How many coarse contexts there are.
pub const COARSE: usize = 2 * TRENDS;
/// How many fine contexts there are.
pub const FINE: usize = COARSE * PER_COARSE;
const PER_COARSE: usize = TRENDS * 8 * 4 * 2;

/// The coarse form of a fine context.
pub fn coarse_of(fine: usize) -> usize {
    fine / PER_COARSE
}

/// The half-distances of a row, by padded square; 0 where there is none, which is told from a loss in
/// 0 by the outcomes.
#[derive(Clone, Copy)]
pub struct Row {
    /// By padded square.
    pub halves: [u16; PADDED],
}

/// The rows of a block.
pub struct Rows {
    rows: [Row; MAX_ROWS],
}

impl Rows {
    /// A row.
    #[inline]
    pub fn row(&self, row: usize) -> &Row {
        &self.rows[row]
    }
}

/// A row that tells nothing.
const NOTHING: ([u16; PADDED], [u8; PADDED]) = ([0; PADDED], [u8::MAX; PADDED]);

/// Walks a block up to and including the row `until`; see [`outcome::walk`].
pub fn walk<S: Symbols<SYMBOLS>>(
    block: &Block<'_>,
    until: usize,
    outcomes: &outcome::Rows,
    symbols: &mut S,
    truth: impl Fn(usize, Square) -> u16,
) -> Rows {
    let mut rows = Rows { rows: [Row { halves: [0; PADDED] }; MAX_ROWS] };
    for at in 0..=until {
        let Some(free) = block.free(at) else { continue };
        if block.is_won_at_once(at) {
            free.into_iter().for_each(|square| rows.rows[at].halves[padded(square)] = 1);
            continue;
        }
        let [below, left, _] = block.references(at);
        let (earlier, later) = rows.rows.split_at_mut(at);
        let row = &mut later[0].halves;
        let cells = &outcomes.row(at).cells;
        let reference = |at: Option<usize>| {
            at.map_or((&NOTHING.0, &NOTHING.1), |at| (&earlier[at].halves, &outcomes.row(at).cells))
        };
        let first = reference(below.or(left));
        let second = reference(below.and(left));

        let contacts = block.contacts(at);
        let attacked = |at| block.is_last_attacked(at);
        let changed = below.or(left).is_some_and(|other| attacked(at) != attacked(other));
        let decided = outcomes.row(at).sets[WON as usize] | outcomes.row(at).sets[LOST as usize];
        for square in decided & free {
            let place = padded(square);
            let outcome = cells[place];
            // Whether a neighbour has the same outcome decides what it can tell. Half of these tests
            // go either way, so they are written as arithmetic, not as branches.
            let look = |halves: &[u16; PADDED], cells: &[u8; PADDED], way: isize| {
                let there = place.wrapping_add_signed(way);
                (cells[there] == outcome, i32::from(halves[there]))
            };
            let (has_left, left) = look(row, cells, LEFT);
            let (has_down, down) = look(row, cells, DOWN);
            let (has_straight, straight) = look(first.0, first.1, 0);
            let (has_other, other) = look(second.0, second.1, 0);
            let default = if outcome == WON { 3 } else { 2 };
            let guess = if has_down { down } else { default };
            let guess = if has_left { left } else { guess };
            let guess = if has_other { other } else { guess };
            let guess = if has_straight { straight } else { guess };
            let trend = |has: bool, known: i32, way: isize| {
                let (has_there, there) = look(first.0, first.1, way);
                let both = has_there & has_straight;
                let base = if both { there } else { guess };
                let trend = clamp(known - base) + if both { 0 } else { 8 };
                if has { trend } else { 7 }
            };
            let (across, along) = (trend(has_left, left, LEFT), trend(has_down, down, DOWN));
            let kind = usize::from(outcome == LOST);
            let coarse = kind * TRENDS + across;
            let other = if has_other { clamp(other - guess) } else { 7 };
            let contact = usize::from(contacts[0].contains(square)) * 2
                + usize::from(contacts[1].contains(square));
            let fine = ((coarse * TRENDS + along) * 8 + other) * 4 + contact;
            let context = Context { coarse, fine: fine * 2 + usize::from(changed) };
            row[place] = code(symbols, context, guess, truth(at, square));
        }
    }
    rows
}

#[inline]
fn clamp(difference: i32) -> usize {
    (difference.clamp(-3, 3) + 3) as usize
}

#[inline]
fn code<S: Symbols<SYMBOLS>>(symbols: &mut S, context: Context, guess: i32, half: u16) -> u16 {
    let difference = i32::from(half) - guess;
    let folded = if difference < 0 { -2 * difference - 1 } else { 2 * difference } as usize;
    let symbol = symbols.symbol(context, folded.min(ESCAPE));
    if symbol == ESCAPE {
        let [low, high] = half.to_le_bytes();
        return u16::from_le_bytes([symbols.byte(low), symbols.byte(high)]);
    }
    let symbol = symbol as i32;
    let difference = if symbol % 2 == 1 { -(symbol + 1) / 2 } else { symbol / 2 };
    (guess + difference).clamp(0, i32::from(u16::MAX)) as u16
}
