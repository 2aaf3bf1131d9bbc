//! The decoder: one position, or all of them.

use game::truth::{Truth, Wdl};
use jungle::{Bitboard, Color, Jungle, Square};
use rayon::prelude::*;

use super::block::{Block, Captures, Cut, Extent};
use super::compress::decompress;
use super::distance::{self, DistanceContexts};
use super::index::Index;
use super::model::{LineReader, Lines, Model, Reader};
use super::outcome::{self, DRAWN, LOST, OutcomeContexts, WON};
use super::parts::Parts;
use super::rebuild::{Rebuild, Targets};
use super::{Sizes, stored_turns};
use crate::cell::Cell;
use crate::grid::{Grid, ROW};
use crate::payload::{Payload, PayloadError, Pinned};

/// The largest that models can be.
const MAX_MODEL: u64 = 1 << 24;

/// Reads a payload.
pub struct Decoder {
    grid: Grid,
    cut: Cut,
    captures: Captures,
    payload: Payload,
    outcomes: Lines,
    outcome_index: Index,
    sizes: Sizes,
    /// The model and the index of the distances, if they are stored.
    distances: Option<(Model<{ distance::SYMBOLS }>, Index)>,
    rebuild: Option<Rebuild>,
}

impl Decoder {
    /// A decoder for a class with this grid.
    ///
    /// # Errors
    ///
    /// If the payload does not fit this class.
    pub fn new(jungle: &Jungle, grid: &Grid, payload: Payload) -> Result<Decoder, PayloadError> {
        let pinned = payload.pin();
        let parts = Parts::read(&pinned)?;
        let sizes = parts.sizes();
        let models = decompress(&pinned.get(parts.models.clone())?, MAX_MODEL);
        let models = models.ok_or(PayloadError::Damaged)?;
        let (len, rest) = models.split_first_chunk::<4>().ok_or(PayloadError::Damaged)?;
        let (outcome_model, distance_model) = rest
            .split_at_checked(u32::from_le_bytes(*len) as usize)
            .ok_or(PayloadError::Damaged)?;
        drop(pinned);
        let cut = Cut::new(grid);
        let blocks = cut.blocks() * stored_turns(grid).len();
        let distances = if distance_model.is_empty() {
            None
        } else {
            let model = Model::from_bytes::<DistanceContexts>(distance_model);
            Some((model.ok_or(PayloadError::Damaged)?, parts.distances.index(blocks)?))
        };
        Ok(Decoder {
            outcomes: Model::from_bytes::<OutcomeContexts>(outcome_model)
                .and_then(|model| Lines::new(&model))
                .ok_or(PayloadError::Damaged)?,
            outcome_index: parts.outcomes.index(blocks)?,
            sizes,
            distances,
            rebuild: grid.rebuilt().map(|color| Rebuild::new(jungle, grid, color)),
            captures: Captures::new(jungle, grid),
            grid: grid.clone(),
            cut,
            payload,
        })
    }

    /// Evicts chunks that were not used lately.
    pub fn give_up_unused(&self) {
        self.payload.give_up_unused();
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
    pub fn outcome(&self, turn: Color, number: usize) -> Result<Option<Wdl>, PayloadError> {
        let (row, square) = split(number)?;
        let payload = &self.payload.pin();
        if payload.is_remote() {
            self.prepare(payload, turn, (row, square), false)?;
        }
        if self.is_stored(turn) {
            let (block, at) = self.cut.place(row);
            let read = self.read(payload, turn, block, 1 << at)?;
            let outcome = read.map_or(DRAWN, |read| read.outcome(at, square));
            return Ok(Some(wdl(outcome)));
        }
        let mut best: Option<Wdl> = None;
        for group in self.successors(row, square).groups() {
            let Some(read) = self.read(payload, !turn, group.block, group.rows())? else {
                continue;
            };
            best = group.best_outcome(&read).into_iter().chain(best).max();
            if best == Some(Wdl::Win) {
                break;
            }
        }
        Ok(best)
    }

    /// Who wins and how soon; `None` if the side to move is rebuilt and has no quiet move.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    pub fn value(&self, turn: Color, number: usize) -> Result<Option<Truth>, PayloadError> {
        let (row, square) = split(number)?;
        let payload = &self.payload.pin();
        if payload.is_remote() {
            self.prepare(payload, turn, (row, square), true)?;
        }
        if self.is_stored(turn) {
            let (block, at) = self.cut.place(row);
            let Some(read) = self.read(payload, turn, block, 1 << at)? else {
                return Ok(Some(Truth::Draw));
            };
            let needed = read.outcome(at, square) != DRAWN && !read.block.is_won_at_once(at);
            let halves = if needed { self.distances(payload, &read)? } else { None };
            return Ok(Some(read.value(halves.as_ref(), at, square)));
        }
        // First who wins, then how soon in those blocks that bear on it.
        let successors = self.successors(row, square);
        let mut reads: [Option<Read<'_>>; Targets::MOST] = [const { None }; Targets::MOST];
        let mut best: Option<Wdl> = None;
        for (group, place) in successors.groups().zip(&mut reads) {
            let Some(read) = self.read(payload, !turn, group.block, group.rows())? else {
                continue;
            };
            best = group.best_outcome(&read).into_iter().chain(best).max();
            *place = Some(read);
        }
        let Some(best) = best else { return Ok(None) };
        if best == Wdl::Draw {
            return Ok(Some(Truth::Draw));
        }
        let mut value: Option<Truth> = None;
        for (group, read) in successors.groups().zip(&reads) {
            let Some(read) = read else { continue };
            if group.best_outcome(read) != Some(best) {
                continue;
            }
            let halves = self.distances(payload, read)?;
            for (at, squares) in group.targets() {
                for square in squares {
                    let mine = read.value(halves.as_ref(), at, square).one_ply_earlier();
                    value = Some(value.map_or(mine, |value| value.max(mine)));
                }
            }
        }
        Ok(value)
    }

    /// Where a block stands among all blocks of the table.
    #[inline]
    fn place(&self, turn: Color, block: usize) -> usize {
        let second = self.grid.rebuilt().is_none() && turn == Color::Black;
        if second { self.cut.blocks() + block } else { block }
    }

    /// Reads from another machine, at once, what a position's value is decoded from.
    #[cold]
    fn prepare(
        &self,
        payload: &Pinned<'_>,
        turn: Color,
        (row, square): (usize, Square),
        with_distances: bool,
    ) -> Result<(), PayloadError> {
        let (turn, blocks) = if self.is_stored(turn) {
            (turn, vec![self.cut.place(row).0])
        } else {
            (!turn, self.successors(row, square).groups().map(|group| group.block).collect())
        };
        let is_coded = |block: &usize| {
            let block = Block::new(&self.grid, &self.cut, &self.captures, *block, turn);
            block.is_some_and(|block| !block.won_at_once)
        };
        let places = blocks.into_iter().filter(is_coded).map(|block| self.place(turn, block));
        let places: Vec<usize> = places.collect();
        let (Some(&first), Some(&last)) = (places.iter().min(), places.iter().max()) else {
            return Ok(());
        };
        self.outcome_index.prepare(payload, first..=last)?;
        match &self.distances {
            Some((_, index)) if with_distances => index.prepare(payload, first..=last),
            _ => Ok(()),
        }
    }

    /// Reads everything from another machine at once.
    fn prepare_all(&self) -> Result<(), PayloadError> {
        let payload = self.payload.pin();
        if payload.is_remote() { payload.prepare(0..payload.len()) } else { Ok(()) }
    }

    /// Reads the outcomes of some rows of a block, each a bit; `None` if it holds no position.
    #[inline]
    fn read(
        &self,
        payload: &Pinned<'_>,
        turn: Color,
        block: usize,
        rows: u32,
    ) -> Result<Option<Read<'_>>, PayloadError> {
        let Some(content) = Block::new(&self.grid, &self.cut, &self.captures, block, turn) else {
            return Ok(None);
        };
        let place = self.place(turn, block);
        let extent = content.extent(rows);
        let rows = if content.won_at_once {
            outcome::Rows::empty()
        } else {
            let streams = self.outcome_index.block(payload, place)?;
            let mut reader = LineReader::new(&self.outcomes, streams.both());
            outcome::walk(&content, extent, &mut reader, |_| outcome::Row::EMPTY)
        };
        Ok(Some(Read { block: content, place, extent, rows }))
    }

    /// Reads the distances that go with outcomes; `None` if there are none.
    fn distances(
        &self,
        payload: &Pinned<'_>,
        read: &Read<'_>,
    ) -> Result<Option<distance::Rows>, PayloadError> {
        let Some((model, index)) = &self.distances else { return Ok(None) };
        if read.block.won_at_once {
            return Ok(None);
        }
        let streams = index.block(payload, read.place)?;
        let mut reader = Reader::new(model, streams.both());
        let rows = distance::walk(&read.block, read.extent, &read.rows, &mut reader, |_, _| 0);
        Ok(Some(rows))
    }

    /// Where quiet moves of the rebuilt side lead.
    fn successors(&self, row: usize, square: Square) -> Successors {
        let nothing = Successor { block: 0, at: 0, squares: Bitboard::EMPTY };
        let mut successors = Successors { list: [nothing; Targets::MOST], len: 0 };
        let Some(rebuild) = &self.rebuild else { return successors };
        for &(row, squares) in rebuild.targets(&self.grid, row, square).as_slice() {
            let (block, at) = self.cut.place(row);
            successors.list[successors.len] = Successor { block, at, squares };
            successors.len += 1;
        }
        successors
    }

    /// All that is known of one side to move: the truth where it is stored, else what quiet moves
    /// achieve, `NONE` where there are none. `None` if a distance does not fit.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    pub fn cells<C: Cell>(&self, turn: Color) -> Result<Option<Vec<C>>, PayloadError> {
        self.prepare_all()?;
        let source = if self.is_stored(turn) { turn } else { !turn };
        let mut cells = vec![C::DRAW; self.grid.rows() * ROW];
        let planes = cells.par_chunks_mut(self.cut.plane_rows() * ROW).enumerate();
        let fits = planes
            .map(|(plane, cells)| self.plane_cells(source, plane, cells))
            .try_reduce(|| true, |one, other| Ok(one && other))?;
        Ok(match &self.rebuild {
            _ if !fits => None,
            Some(rebuild) if source != turn => rebuild.all(&self.grid, &cells),
            _ => Some(cells),
        })
    }

    /// Whether all distances of the plane fitted.
    fn plane_cells<C: Cell>(
        &self,
        turn: Color,
        plane: usize,
        cells: &mut [C],
    ) -> Result<bool, PayloadError> {
        let payload = &self.payload.pin();
        for block in self.cut.plane_blocks(plane) {
            let Some(read) = self.read(payload, turn, block, u32::MAX)? else { continue };
            let halves = self.distances(payload, &read)?;
            for at in 0..read.block.rows() {
                let row = read.block.number(at) - plane * self.cut.plane_rows();
                for square in read.block.free(at).into_iter().flatten() {
                    let value = read.value(halves.as_ref(), at, square);
                    let Some(cell) = C::from_value(value) else { return Ok(false) };
                    cells[row * ROW + square.index()] = cell;
                }
            }
        }
        Ok(true)
    }
}

fn split(number: usize) -> Result<(usize, Square), PayloadError> {
    let square = Square::from_index((number % ROW) as u8).ok_or(PayloadError::Damaged)?;
    Ok((number / ROW, square))
}

fn wdl(outcome: u8) -> Wdl {
    match outcome {
        WON => Wdl::Win,
        LOST => Wdl::Loss,
        _ => Wdl::Draw,
    }
}

/// A block of which some rows were read.
struct Read<'a> {
    block: Block<'a>,
    place: usize,
    extent: Extent,
    rows: outcome::Rows,
}

impl Read<'_> {
    #[inline]
    fn outcome(&self, at: usize, square: Square) -> u8 {
        if self.block.won_at_once { WON } else { self.rows.row(at).at(square) }
    }

    #[inline]
    fn value(&self, halves: Option<&distance::Rows>, at: usize, square: Square) -> Truth {
        if self.block.is_won_at_once(at) {
            return Truth::Win(1);
        }
        let half = halves.map_or(0, |halves| u32::from(halves.at(at, square)));
        match self.outcome(at, square) {
            WON => Truth::Win((2 * half).saturating_sub(1)),
            LOST => Truth::Loss(2 * half),
            _ => Truth::Draw,
        }
    }
}

/// Some squares of the runner in one row.
#[derive(Clone, Copy)]
struct Successor {
    block: usize,
    at: usize,
    squares: Bitboard,
}

/// Where the quiet moves from a position lead.
struct Successors {
    list: [Successor; Targets::MOST],
    len: usize,
}

impl Successors {
    /// Those in the same block together, in the order in which blocks first appear.
    fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        let list = &self.list[..self.len];
        let is_first = |at: &usize| list[..*at].iter().all(|other| other.block != list[*at].block);
        (0..list.len())
            .filter(is_first)
            .map(move |at| Group { block: list[at].block, rest: &list[at..] })
    }
}

/// Successors in one block.
struct Group<'a> {
    block: usize,
    /// The first of the block's, and all that follow.
    rest: &'a [Successor],
}

impl Group<'_> {
    /// The block's rows, with the runner's squares in them.
    #[inline]
    fn targets(&self) -> impl Iterator<Item = (usize, Bitboard)> {
        let here = self.rest.iter().filter(|successor| successor.block == self.block);
        here.map(|successor| (successor.at, successor.squares))
    }

    /// The rows, each a bit.
    #[inline]
    fn rows(&self) -> u32 {
        self.targets().fold(0, |rows, (at, _)| rows | 1 << at)
    }

    /// The best that a move into this block achieves.
    #[inline]
    fn best_outcome(&self, read: &Read<'_>) -> Option<Wdl> {
        let outcomes = self.targets().flat_map(|(at, squares)| {
            squares.into_iter().map(move |square| wdl(read.outcome(at, square)).reversed())
        });
        outcomes.max()
    }
}
