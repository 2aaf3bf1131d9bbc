//! The cells of a class as bytes, in blocks that can be read one at a time.
//!
//! Only one side to move is stored. The other one, the side with fewer pieces, owns the runner and
//! the last fixed piece and nothing else, so all its quiet moves stay within one plane of the grid:
//! its values follow from one ply of search in rows that are close together in the file. (A class in
//! which both sides have more than two pieces stores both.)
//!
//! A payload has five parts, their lengths in front: the models, then for outcomes and for distances
//! an index of the blocks and their bytes.

mod block;
mod distance;
mod index;
mod model;
mod outcome;
mod rans;
mod rebuild;

use std::io::Read;

use game::solver::Value;
use jungle::{Color, Jungle, Square};
use rayon::prelude::*;

use self::block::{Block, Captures, Cut, padded};
use self::index::Index;
use self::model::{Counter, Model, Reader, Writer};
use self::outcome::{DRAWN, LOST, WON};
use self::rebuild::Rebuild;
use crate::cell::Cell;
use crate::checked::{Checked, Damaged};
use crate::grid::{Grid, ROW};
use crate::solved::Solved;

/// How hard to compress the models.
const ZSTD_LEVEL: i32 = 19;
/// The largest that models can be.
const MAX_MODEL: u64 = 1 << 24;

/// The payload for a solved class, with distances or without.
pub fn encode(jungle: &Jungle, solved: &Solved, with_distances: bool) -> Vec<u8> {
    let cut = Cut::new(&solved.grid);
    let captures = Captures::new(jungle, &solved.grid);
    let stored = stored_turns(&solved.grid);
    let tasks: Vec<(Color, usize)> =
        stored.iter().flat_map(|&turn| (0..cut.blocks()).map(move |block| (turn, block))).collect();
    let counters = tasks
        .par_chunks(1024)
        .map(|tasks| {
            let mut counters = Counters::new();
            tasks.iter().for_each(|&(turn, block)| {
                walk_block(
                    solved,
                    &cut,
                    &captures,
                    turn,
                    block,
                    &mut counters.outcomes,
                    &mut counters.distances,
                );
            });
            counters
        })
        .reduce(Counters::new, |one, other| Counters {
            outcomes: one.outcomes.plus(&other.outcomes),
            distances: one.distances.plus(&other.distances),
        });
    let outcomes = Model::new(&counters.outcomes, outcome::coarse_of);
    let distances = Model::new(&counters.distances, distance::coarse_of);
    let (outcome_blocks, distance_blocks): (Vec<_>, Vec<_>) = tasks
        .par_iter()
        .map(|&(turn, block)| {
            let mut outcome_writer = Writer::new(&outcomes);
            let mut distance_writer = Writer::new(&distances);
            walk_block(
                solved,
                &cut,
                &captures,
                turn,
                block,
                &mut outcome_writer,
                &mut distance_writer,
            );
            (outcome_writer.finish(), distance_writer.finish())
        })
        .unzip();

    let mut models = Vec::new();
    let outcome_model = outcomes.to_bytes();
    models.extend((outcome_model.len() as u32).to_le_bytes());
    models.extend(outcome_model);
    let (distance_index, distance_bytes) = if with_distances {
        models.extend(distances.to_bytes());
        (index::write(&distance_blocks), distance_blocks.concat())
    } else {
        (Vec::new(), Vec::new())
    };
    let models = zstd::bulk::compress(&models, ZSTD_LEVEL).expect("memory suffices");
    let parts = [
        models,
        index::write(&outcome_blocks),
        outcome_blocks.concat(),
        distance_index,
        distance_bytes,
    ];
    let lengths = parts.iter().flat_map(|part| (part.len() as u64).to_le_bytes());
    let mut payload: Vec<u8> = lengths.collect();
    parts.iter().for_each(|part| payload.extend(part));
    payload
}

/// The sides to move whose values are stored.
fn stored_turns(grid: &Grid) -> Vec<Color> {
    match grid.rebuilt() {
        Some(color) => vec![!color],
        None => Color::ALL.to_vec(),
    }
}

struct Counters {
    outcomes: Counter<3>,
    distances: Counter<{ distance::SYMBOLS }>,
}

impl Counters {
    fn new() -> Counters {
        Counters {
            outcomes: Counter::new(outcome::COARSE, outcome::FINE),
            distances: Counter::new(distance::COARSE, distance::FINE),
        }
    }
}

/// Takes both passes over a block of which the truth is known.
fn walk_block(
    solved: &Solved,
    cut: &Cut,
    captures: &Captures,
    turn: Color,
    block: usize,
    outcomes: &mut impl model::Symbols<3>,
    distances: &mut impl model::Symbols<{ distance::SYMBOLS }>,
) {
    let Some(block) = Block::new(&solved.grid, cut, captures, block, turn) else { return };
    if block.won_at_once {
        return;
    }
    let until = block.last.len() - 1;
    let value = |row: usize, square: Square| {
        solved.value(turn, (block.first_row + row) * ROW + square.index())
    };
    let rows = outcome::walk(&block, until, outcomes, |row, square| match value(row, square) {
        Value::Win(_) => WON,
        Value::Draw => DRAWN,
        Value::Loss(_) => LOST,
    });
    distance::walk(&block, until, &rows, distances, |row, square| match value(row, square) {
        Value::Win(plies) => plies.div_ceil(2) as u16,
        Value::Loss(plies) => (plies / 2) as u16,
        Value::Draw => 0,
    });
}

/// Reads a payload.
pub struct Decoder {
    grid: Grid,
    cut: Cut,
    captures: Captures,
    payload: Checked,
    outcomes: Model<3>,
    outcome_index: Index,
    sizes: Sizes,
    /// The model and the index of the distances, if they are stored.
    distances: Option<(Model<{ distance::SYMBOLS }>, Index)>,
    rebuild: Option<Rebuild>,
}

/// The outcome for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
}

/// How many bytes the parts of a table take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The models of both.
    pub models: u64,
    /// Who wins, with the index.
    pub outcomes: u64,
    /// How soon, with the index.
    pub distances: u64,
}

impl Wdl {
    /// The same outcome as the other player sees it.
    #[must_use]
    pub fn for_the_other(self) -> Wdl {
        match self {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        }
    }
}

impl Decoder {
    /// A decoder for a class with this grid.
    ///
    /// # Errors
    ///
    /// If the payload cannot be one of this class.
    pub fn new(jungle: &Jungle, grid: &Grid, payload: Checked) -> Result<Decoder, Damaged> {
        let mut start = 5 * 8;
        let mut part = |at: usize| -> Result<std::ops::Range<usize>, Damaged> {
            let bytes = payload.get(at * 8..at * 8 + 8)?;
            let len = u64::from_le_bytes(*bytes.first_chunk().ok_or(Damaged)?);
            let end = usize::try_from(len).ok().and_then(|len| len.checked_add(start));
            let end = end.filter(|&end| end <= payload.len()).ok_or(Damaged)?;
            let range = start..end;
            start = end;
            Ok(range)
        };
        let parts = [part(0)?, part(1)?, part(2)?, part(3)?, part(4)?];
        let [models, outcome_index, outcomes, distance_index, distances] = parts;
        let sizes = Sizes {
            models: models.len() as u64,
            outcomes: (outcome_index.len() + outcomes.len()) as u64,
            distances: (distance_index.len() + distances.len()) as u64,
        };
        let models = decompress(payload.get(models)?)?;
        let (len, rest) = models.split_first_chunk::<4>().ok_or(Damaged)?;
        let (outcome_model, distance_model) =
            rest.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or(Damaged)?;
        let cut = Cut::new(grid);
        let blocks = cut.blocks() * stored_turns(grid).len();
        Ok(Decoder {
            outcomes: Model::from_bytes(outcome_model, outcome::COARSE, outcome::FINE)
                .ok_or(Damaged)?,
            outcome_index: Index::new(outcome_index, outcomes, blocks)?,
            sizes,
            distances: if distance_index.is_empty() {
                None
            } else {
                let model = Model::from_bytes(distance_model, distance::COARSE, distance::FINE);
                Some((model.ok_or(Damaged)?, Index::new(distance_index, distances, blocks)?))
            },
            rebuild: grid.rebuilt().map(|color| Rebuild::new(jungle, grid, color)),
            captures: Captures::new(jungle, grid),
            grid: grid.clone(),
            cut,
            payload,
        })
    }

    /// How many bytes the parts take.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Whether distances are stored. Without them, every win and loss is in one ply or none, and
    /// only outcomes should be asked for.
    pub fn has_distances(&self) -> bool {
        self.distances.is_some()
    }

    /// Whether the table holds the truth for this side to move; otherwise it holds what quiet moves
    /// achieve.
    pub fn is_stored(&self, turn: Color) -> bool {
        self.grid.rebuilt() != Some(turn)
    }

    /// Who wins; `None` if the side to move is rebuilt and has no quiet move.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    pub fn outcome(&self, turn: Color, number: usize) -> Result<Option<Wdl>, Damaged> {
        if self.is_stored(turn) {
            return self.stored_outcome(turn, number).map(Some);
        }
        let mut best: Option<Wdl> = None;
        self.for_each_successor(turn, number, |rows| {
            rows.outcomes(self, |outcome| {
                let mine = match outcome {
                    WON => Wdl::Loss,
                    LOST => Wdl::Win,
                    _ => Wdl::Draw,
                };
                best = Some(best.map_or(mine, |best| best.min(mine)));
            })
        })?;
        Ok(best)
    }

    /// Who wins and how soon; `None` if the side to move is rebuilt and has no quiet move.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    pub fn value(&self, turn: Color, number: usize) -> Result<Option<Value>, Damaged> {
        if self.is_stored(turn) {
            return self.stored_value(turn, number).map(Some);
        }
        let mut best: Option<Value> = None;
        self.for_each_successor(turn, number, |rows| {
            rows.values(self, |value| {
                let mine = crate::probe::one_ply_earlier(value);
                best = Some(best.map_or(mine, |best| crate::probe::better(best, mine)));
            })
        })?;
        Ok(best)
    }

    fn stored_outcome(&self, turn: Color, number: usize) -> Result<Wdl, Damaged> {
        let (row, square) = split(number)?;
        let (block, at) = self.cut.place(row);
        let cells = self.read(turn, block, at, |block, rows, _| {
            if block.won_at_once { WON } else { rows.row(at).cells[padded(square)] }
        })?;
        Ok(match cells.unwrap_or(DRAWN) {
            WON => Wdl::Win,
            LOST => Wdl::Loss,
            _ => Wdl::Draw,
        })
    }

    fn stored_value(&self, turn: Color, number: usize) -> Result<Value, Damaged> {
        let (row, square) = split(number)?;
        let (block, at) = self.cut.place(row);
        let value = self.read(turn, block, at, |block, rows, distances| {
            cell_value(block, rows, distances, at, square)
        })?;
        value.unwrap_or(Ok(Value::Draw))
    }

    /// Reads the outcomes of a block up to a row and hands them to `take`, with the bytes of the
    /// distances; `None` if the block holds no position.
    fn read<T>(
        &self,
        turn: Color,
        block: usize,
        until: usize,
        take: impl FnOnce(&Block<'_>, &outcome::Rows, &Distances<'_>) -> T,
    ) -> Result<Option<T>, Damaged> {
        let Some(content) = Block::new(&self.grid, &self.cut, &self.captures, block, turn) else {
            return Ok(None);
        };
        let place = if self.grid.rebuilt().is_none() && turn == Color::Black {
            self.cut.blocks() + block
        } else {
            block
        };
        let rows = if content.won_at_once {
            outcome::Rows::empty()
        } else {
            let bytes = self.outcome_index.block(&self.payload, place)?;
            let mut reader = Reader::new(&self.outcomes, bytes);
            outcome::walk(&content, until, &mut reader, |_, _| DRAWN)
        };
        let distances = Distances { decoder: self, place, until };
        Ok(Some(take(&content, &rows, &distances)))
    }

    /// Finds the rows that quiet moves of the rebuilt side lead to, block by block.
    fn for_each_successor(
        &self,
        turn: Color,
        number: usize,
        mut visit: impl FnMut(Successors<'_>) -> Result<(), Damaged>,
    ) -> Result<(), Damaged> {
        let (row, square) = split(number)?;
        let Some(rebuild) = &self.rebuild else { return Ok(()) };
        let targets = rebuild.targets(&self.grid, row, square);
        let mut rest = targets.as_slice();
        while let Some(&(row, _)) = rest.first() {
            let (block, _) = self.cut.place(row);
            let same = rest.iter().take_while(|(row, _)| self.cut.place(*row).0 == block).count();
            let (here, later) = rest.split_at(same);
            visit(Successors { turn: !turn, block, targets: here })?;
            rest = later;
        }
        Ok(())
    }

    /// All that is known of one side to move: the truth where it is stored, else what quiet moves
    /// achieve, `NONE` where there are none.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    pub fn cells<C: Cell>(&self, turn: Color) -> Result<Option<Vec<C>>, Damaged> {
        let stored = !self.is_stored(turn);
        let source = if stored { !turn } else { turn };
        let mut cells = vec![C::DRAW; self.grid.rows() * ROW];
        let blocks: Result<Vec<Option<Vec<C>>>, Damaged> = (0..self.cut.blocks())
            .into_par_iter()
            .map(|block| self.block_cells(source, block))
            .collect();
        for (block, values) in blocks?.into_iter().enumerate() {
            let Some(values) = values else { return Ok(None) };
            let (first, _) = self.cut.rows(block);
            cells[first * ROW..first * ROW + values.len()].copy_from_slice(&values);
        }
        if let (true, Some(rebuild)) = (stored, &self.rebuild) {
            return Ok(rebuild.all(&self.grid, &cells));
        }
        Ok(Some(cells))
    }

    fn block_cells<C: Cell>(&self, turn: Color, block: usize) -> Result<Option<Vec<C>>, Damaged> {
        let (_, last) = self.cut.rows(block);
        let mut cells = vec![C::DRAW; last.len() * ROW];
        let filled = self.read(turn, block, last.len() - 1, |content, rows, distances| {
            let halves = distances.rows(content, rows)?;
            for at in 0..last.len() {
                for square in content.free(at).into_iter().flatten() {
                    let value = value_at(content, rows, halves.as_ref(), at, square);
                    let Some(cell) = C::from_value(value) else { return Ok(false) };
                    cells[at * ROW + square.index()] = cell;
                }
            }
            Ok(true)
        })?;
        Ok(if filled.unwrap_or(Ok(true))? { Some(cells) } else { None })
    }
}

fn decompress(bytes: &[u8]) -> Result<Vec<u8>, Damaged> {
    let mut decoder = zstd::stream::read::Decoder::new(bytes).map_err(|_| Damaged)?.take(MAX_MODEL);
    let mut models = Vec::new();
    decoder.read_to_end(&mut models).map_err(|_| Damaged)?;
    Ok(models)
}

fn split(number: usize) -> Result<(usize, Square), Damaged> {
    let square = Square::from_index((number % ROW) as u8).ok_or(Damaged)?;
    Ok((number / ROW, square))
}

/// The distances of a block, read when they are wanted.
struct Distances<'a> {
    decoder: &'a Decoder,
    place: usize,
    until: usize,
}

impl Distances<'_> {
    fn rows(
        &self,
        block: &Block<'_>,
        outcomes: &outcome::Rows,
    ) -> Result<Option<distance::Rows>, Damaged> {
        if block.won_at_once {
            return Ok(None);
        }
        let Some((model, index)) = &self.decoder.distances else { return Ok(None) };
        let bytes = index.block(&self.decoder.payload, self.place)?;
        let mut reader = Reader::new(model, bytes);
        Ok(Some(distance::walk(block, self.until, outcomes, &mut reader, |_, _| 0)))
    }
}

fn cell_value(
    block: &Block<'_>,
    rows: &outcome::Rows,
    distances: &Distances<'_>,
    at: usize,
    square: Square,
) -> Result<Value, Damaged> {
    if !block.won_at_once && rows.row(at).cells[padded(square)] == DRAWN {
        return Ok(Value::Draw);
    }
    let halves = distances.rows(block, rows)?;
    Ok(value_at(block, rows, halves.as_ref(), at, square))
}

#[inline]
fn value_at(
    block: &Block<'_>,
    rows: &outcome::Rows,
    halves: Option<&distance::Rows>,
    at: usize,
    square: Square,
) -> Value {
    if block.is_won_at_once(at) {
        return Value::Win(1);
    }
    let half = halves.map_or(0, |halves| u32::from(halves.row(at).halves[padded(square)]));
    match rows.row(at).cells[padded(square)] {
        WON => Value::Win((2 * half).saturating_sub(1)),
        LOST => Value::Loss(2 * half),
        _ => Value::Draw,
    }
}

/// Some positions of one block.
struct Successors<'a> {
    turn: Color,
    block: usize,
    /// Rows in ascending order, with the runner's squares in them.
    targets: &'a [(usize, jungle::Bitboard)],
}

impl Successors<'_> {
    fn until(&self, decoder: &Decoder) -> usize {
        self.targets.last().map_or(0, |(row, _)| decoder.cut.place(*row).1)
    }

    fn outcomes(&self, decoder: &Decoder, mut visit: impl FnMut(u8)) -> Result<(), Damaged> {
        decoder
            .read(self.turn, self.block, self.until(decoder), |block, rows, _| {
                for (row, squares) in self.targets {
                    let (_, at) = decoder.cut.place(*row);
                    for square in *squares {
                        let stored = rows.row(at).cells[padded(square)];
                        visit(if block.is_won_at_once(at) { WON } else { stored });
                    }
                }
            })
            .map(|_| ())
    }

    fn values(&self, decoder: &Decoder, mut visit: impl FnMut(Value)) -> Result<(), Damaged> {
        let read = decoder.read(
            self.turn,
            self.block,
            self.until(decoder),
            |block, rows, distances| {
                let halves = distances.rows(block, rows)?;
                for (row, squares) in self.targets {
                    let (_, at) = decoder.cut.place(*row);
                    for square in *squares {
                        visit(value_at(block, rows, halves.as_ref(), at, square));
                    }
                }
                Ok(())
            },
        )?;
        read.unwrap_or(Ok(()))
    }
}
