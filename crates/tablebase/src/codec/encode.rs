//! The encoder: every block is walked twice, once to count for the models and once to code
//! it. Blocks are treated in parallel and put together in order, so the bytes are the same on any
//! number of threads.

use jungle::{Bitboard, Color, Jungle};
use rayon::prelude::*;

use super::block::{Block, Captures, Cut};
use super::compress::compress;
use super::distance::{self, DistanceContexts};
use super::model::{Counter, Model, Symbols, Writer};
use super::outcome::{self, OutcomeContexts, Row};
use super::{index, stored_turns};
use crate::cell::Cell;
use crate::grid::{Grid, ROW};
use crate::solved::{Cells, Solved};
use crate::table::Stored;

/// How many blocks a thread takes at a time.
const CHUNK: usize = 2048;

/// The payload for a solved class.
pub fn encode(jungle: &Jungle, solved: &Solved, stored: Stored) -> Vec<u8> {
    let grid = &solved.grid.clone().with_both_sides(stored.both_sides);
    let encoding = Encoding {
        grid,
        cut: Cut::new(grid),
        captures: Captures::new(jungle, grid),
        with_distances: stored.distances,
    };
    match &solved.cells {
        Cells::Narrow(cells) => encoding.payload(|turn| &cells[turn]),
        Cells::Wide(cells) => encoding.payload(|turn| &cells[turn]),
    }
}

struct Encoding<'a> {
    grid: &'a Grid,
    cut: Cut,
    captures: Captures,
    with_distances: bool,
}

struct Counters {
    outcomes: Counter<{ outcome::SYMBOLS }>,
    distances: Counter<{ distance::SYMBOLS }>,
}

impl Counters {
    fn new() -> Counters {
        Counters {
            outcomes: Counter::new::<OutcomeContexts>(),
            distances: Counter::new::<DistanceContexts>(),
        }
    }

    fn plus(self, other: &Counters) -> Counters {
        Counters {
            outcomes: self.outcomes.plus(&other.outcomes),
            distances: self.distances.plus(&other.distances),
        }
    }
}

/// Blocks that follow one another: the lengths of their streams, and the streams.
#[derive(Default)]
struct Streams {
    lengths: Vec<[u16; 2]>,
    bytes: Vec<u8>,
}

impl Streams {
    fn push<const N: usize>(&mut self, writer: &mut Writer<'_, N>) {
        self.lengths.push(writer.finish(&mut self.bytes));
    }
}

impl Encoding<'_> {
    fn payload<'c, C: Cell>(&self, cells: impl Fn(Color) -> &'c Vec<C> + Sync) -> Vec<u8> {
        let stored = stored_turns(self.grid);
        let blocks = self.cut.blocks();
        let tasks: Vec<(Color, usize)> =
            stored.iter().flat_map(|&turn| (0..blocks).map(move |block| (turn, block))).collect();
        let counters = tasks
            .par_chunks(CHUNK)
            .fold(Counters::new, |mut counters, tasks| {
                let Counters { outcomes, distances } = &mut counters;
                for &(turn, block) in tasks {
                    self.walk(cells(turn), turn, block, outcomes, distances);
                }
                counters
            })
            .reduce(Counters::new, |one, other| one.plus(&other));
        let outcomes = Model::new::<OutcomeContexts>(&counters.outcomes);
        let distances = Model::new::<DistanceContexts>(&counters.distances);
        drop(counters);
        let streams: Vec<[Streams; 2]> = tasks
            .par_chunks(CHUNK)
            .map(|tasks| {
                let mut streams = [Streams::default(), Streams::default()];
                let (mut outcomes, mut distances) =
                    (Writer::new(&outcomes), Writer::new(&distances));
                for &(turn, block) in tasks {
                    self.walk(cells(turn), turn, block, &mut outcomes, &mut distances);
                    streams[0].push(&mut outcomes);
                    streams[1].push(&mut distances);
                }
                streams
            })
            .collect();
        drop(tasks);

        let models = compress(&self.models(&outcomes, &distances));
        let part = |at: usize| index::Part {
            lengths: streams.iter().flat_map(|streams| &streams[at].lengths).copied().collect(),
            bytes: streams.iter().map(|streams| &streams[at].bytes[..]).collect(),
        };
        let parts: Vec<index::Part<'_>> =
            (0..if self.with_distances { 2 } else { 1 }).map(part).collect();
        let index::Groups { index, data, first } = index::write(&parts);
        drop(parts);
        drop(streams);
        let numbers = [models.len(), index.len(), data.len()].map(|len| len as u64);
        let mut payload = Vec::with_capacity(4 * 8 + models.len() + index.len() + data.len());
        payload.extend(numbers.into_iter().chain([first]).flat_map(u64::to_le_bytes));
        [models, index, data].iter().for_each(|part| payload.extend(part));
        payload
    }

    /// Both models as bytes, or that of the outcomes alone.
    fn models(
        &self,
        outcomes: &Model<{ outcome::SYMBOLS }>,
        distances: &Model<{ distance::SYMBOLS }>,
    ) -> Vec<u8> {
        let outcomes = outcomes.to_bytes();
        let mut models = (outcomes.len() as u32).to_le_bytes().to_vec();
        models.extend(outcomes);
        if self.with_distances {
            models.extend(distances.to_bytes());
        }
        models
    }

    /// Makes both passes over a block.
    fn walk<C: Cell>(
        &self,
        cells: &[C],
        turn: Color,
        block: usize,
        outcomes: &mut impl Symbols<{ outcome::SYMBOLS }>,
        distances: &mut impl Symbols<{ distance::SYMBOLS }>,
    ) {
        let Some(block) = Block::new(self.grid, &self.cut, &self.captures, block, turn) else {
            return;
        };
        if block.won_at_once {
            return;
        }
        let row = |row: usize| &cells[block.number(row) * ROW..][..ROW];
        let all = block.whole();
        let rows = outcome::walk(&block, all, outcomes, |at| row_of(row(at), block.free(at)));
        if self.with_distances {
            distance::walk(&block, all, &rows, distances, |at, square| {
                let cell = row(at)[square.index()];
                cell.win_half().or(cell.loss_half()).unwrap_or(0)
            });
        }
    }
}

fn row_of<C: Cell>(cells: &[C], free: Option<Bitboard>) -> Row {
    let set = |test: fn(C) -> bool| {
        let bits = |bits, (at, &cell): (usize, &C)| bits | u64::from(test(cell)) << at;
        Bitboard::from_bits_truncated(cells.iter().enumerate().fold(0, bits))
    };
    let free = free.unwrap_or(Bitboard::EMPTY);
    let won = set(|cell| cell < C::DRAW);
    let lost = set(|cell| cell > C::DRAW && cell != C::NONE);
    Row::of(won & free, lost & free, free)
}
