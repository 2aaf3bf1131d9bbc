//! Batch probing: many positions at once.
//!
//! Probing one position decodes a block of its table, which costs microseconds, and throws it away; that
//! is too slow for millions. So a batch is processed class by class: where a class has enough positions
//! in it to be worth it, the class is decoded as a whole, and each answer is then an array access; where
//! it has few, or is too large to be decoded within the limit, they are probed one by one. Both are done
//! on all threads. Decoded classes are kept for the next batch, the least recently used evicted first,
//! within a limit, so that memory stays flat however many batches there are.
//!
//! Not tried: sorting single probes by block and decoding each block once. It would help only the side to move
//! whose values are stored; for the other, every position needs several blocks.

use std::sync::{Arc, Mutex, PoisonError};

use game::truth::{Truth, Wdl};
use jungle::{Animal, AnimalSet, Bitboard, Color, Jungle, Piece, Position, SetupError, Square};
use rayon::prelude::*;
use thiserror::Error;

use crate::cache::Cache;
use crate::class::{Loader, Reader};
use crate::grid::{ROW, domain};
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};

/// How many bytes of decoded classes are kept by default.
pub const USUAL_LIMIT: u64 = 256 << 20;

/// Decoding a cell costs about a hundredth of probing one: a class is decoded as a whole if more than one in
/// this many of its cells are probed.
const WORTH: usize = 100;

/// How many positions a thread takes at a time.
const STRETCH: usize = 1 << 12;

/// Answers batches from a [`Tablebase`]. It can be shared between threads.
pub struct Batch {
    tablebase: Arc<Tablebase>,
    jungle: Jungle,
    limit: u64,
    decoded: Mutex<Cache>,
}

/// Positions of one class: where each of its pieces stands, position after position.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The pieces.
    pub pieces: &'a [Piece],
    /// For each position a square (0 is a1, 62 is g9) for each piece.
    pub squares: &'a [u8],
    /// Who is to move: one entry for each position, or one for all.
    pub turns: &'a [Color],
}

/// Which value a batch reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Distance to win: who wins and how soon.
    Distances,
    /// Win, draw or loss alone: wins and losses come in 0 plies. Also from tables without distances.
    Outcomes,
}

/// Why a batch was not answered.
#[derive(Debug, Error)]
pub enum BatchError {
    /// An entry is not a position.
    #[error("row {row}: {fault}")]
    Row {
        /// Which, from 0 on.
        row: usize,
        /// What is wrong with it.
        #[source]
        fault: RowFault,
    },
    /// A table is missing or damaged, or a position has too many pieces.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// There are neither as many turns as positions, nor one for all.
    #[error("there are {positions} positions and {turns} turns; give one for each, or one for all")]
    Turns {
        /// How many positions.
        positions: usize,
        /// How many turns.
        turns: usize,
    },
    /// The squares are not a whole number of positions.
    #[error("{squares} squares cannot be shared among {pieces} pieces")]
    Squares {
        /// How many squares.
        squares: usize,
        /// How many pieces a position has.
        pieces: usize,
    },
    /// The entries are not a whole number of boards.
    #[error("a board has 63 squares, and {0} entries are not a whole number of boards")]
    Boards(usize),
}

/// What is wrong with an entry of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowFault {
    /// A number that is not a square.
    #[error("{0} is not a square: they go from 0 (a1) to 62 (g9)")]
    Square(u8),
    /// A number that is not a piece.
    #[error(
        "{0} is not a piece: they go from 1 (rat) to 8 (elephant) for Red, -1 to -8 for Blue, and \
         0 is an empty square"
    )]
    Piece(i8),
    /// Two pieces on a square.
    #[error("two pieces stand on {0}")]
    Shared(Square),
    /// The pieces are not a position.
    #[error(transparent)]
    Setup(SetupError),
}

impl Batch {
    /// Answers from these tables, keeping at most this many bytes of decoded classes.
    pub fn new(tablebase: Arc<Tablebase>, limit: u64) -> Batch {
        let jungle = Jungle::new(*tablebase.rules());
        Batch { tablebase, jungle, limit, decoded: Mutex::default() }
    }

    /// How many bytes of decoded classes are kept now.
    pub fn bytes(&self) -> u64 {
        self.cache().bytes()
    }

    /// The truth about positions of one class, each for its player to move.
    ///
    /// # Errors
    ///
    /// If an entry is not a position, or a table is missing or damaged.
    pub fn probe(&self, placed: Placed<'_>, metric: Metric) -> Result<Vec<Truth>, BatchError> {
        let rows = check(&placed)?;
        let numbers: Vec<usize> = (0..rows).collect();
        self.answer(&placed, &numbers, metric)
    }

    /// The truth about whole boards, 63 entries each from a1 along the ranks: 0 for an empty square,
    /// 1 (rat) to 8 (elephant) for White's pieces and -1 to -8 for Black's. `turns` has an entry for each
    /// board, or one for all.
    ///
    /// # Errors
    ///
    /// As [`probe`](Batch::probe).
    pub fn probe_boards(
        &self,
        boards: &[i8],
        turns: &[Color],
        metric: Metric,
    ) -> Result<Vec<Truth>, BatchError> {
        let entries = boards.len();
        let (boards, rest) = boards.as_chunks::<{ Square::COUNT }>();
        if !rest.is_empty() {
            return Err(BatchError::Boards(entries));
        }
        check_turns(turns, boards.len())?;
        let placed: Vec<(Material, Places)> = boards
            .par_iter()
            .enumerate()
            .map(|(row, board)| places(board).map_err(|fault| BatchError::Row { row, fault }))
            .collect::<Result<_, _>>()?;
        // Groups in the order in which they turn up, found by the bits of their material.
        let mut groups: Vec<Group> = Vec::new();
        let mut found = vec![None; 1 << 16];
        for (row, (material, places)) in placed.iter().enumerate() {
            let bits = usize::from(material.white.bits()) << 8 | usize::from(material.black.bits());
            let at = *found[bits].get_or_insert_with(|| {
                groups.push(Group::new(*material));
                groups.len() - 1
            });
            let group = &mut groups[at];
            group.rows.push(row);
            group.turns.push(turn_of(turns, row));
            let slots = group.pieces.iter();
            group.squares.extend(slots.map(|p| places[p.color as usize][p.animal.index()]));
        }
        let mut values = vec![Truth::Draw; boards.len()];
        for group in groups {
            let Group { pieces, squares, turns, rows } = &group;
            let answers = self.answer(&Placed { pieces, squares, turns }, rows, metric)?;
            for (&row, value) in rows.iter().zip(answers) {
                values[row] = value;
            }
        }
        Ok(values)
    }

    /// The answers for positions; faults are reported under these numbers.
    fn answer(
        &self,
        placed: &Placed<'_>,
        numbers: &[usize],
        metric: Metric,
    ) -> Result<Vec<Truth>, BatchError> {
        let width = placed.pieces.len();
        let reader = self.reader(placed, numbers.len(), metric)?;
        let domains: Vec<Bitboard> = placed.pieces.iter().map(|p| domain(p.animal)).collect();
        let mut values = vec![Truth::Draw; numbers.len()];
        values.par_chunks_mut(STRETCH).enumerate().try_for_each(|(part, values)| {
            let first = part * STRETCH;
            let mut squares = [Square::A1; 16];
            for (value, at) in values.iter_mut().zip(first..) {
                let own = &placed.squares[at * width..][..width];
                let turn = turn_of(placed.turns, at);
                let wrong = |fault| BatchError::Row { row: numbers[at], fault };
                let squares = read(own, &mut squares).map_err(wrong)?;
                // A decoded class has only positions in which the game goes on.
                let at_home = || squares.iter().zip(&domains).all(|(s, d)| d.contains(*s));
                let known = reader.as_ref().filter(|_| at_home());
                let known = known.and_then(|reader| reader.value(squares, turn));
                *value = match known {
                    Some(value) => in_metric(value, metric),
                    None => self.one(placed.pieces, squares, turn, metric, wrong)?,
                };
            }
            Ok::<(), BatchError>(())
        })?;
        Ok(values)
    }

    /// One position the ordinary way: those of classes that are not decoded, and those in which the game
    /// is over or that are not positions.
    fn one(
        &self,
        pieces: &[Piece],
        squares: &[Square],
        turn: Color,
        metric: Metric,
        wrong: impl Fn(RowFault) -> BatchError,
    ) -> Result<Truth, BatchError> {
        let placed = squares.iter().copied().zip(pieces.iter().copied());
        let position = Position::from_pieces(placed, turn);
        let position = position.map_err(|error| wrong(RowFault::Setup(error)))?;
        Ok(match metric {
            Metric::Distances => self.tablebase.probe(&position)?,
            Metric::Outcomes => match self.tablebase.probe_outcome(&position)? {
                Wdl::Win => Truth::Win(0),
                Wdl::Draw => Truth::Draw,
                Wdl::Loss => Truth::Loss(0),
            },
        })
    }

    /// The decoded class of these pieces, if it is there or worth decoding for this many positions.
    fn reader(
        &self,
        placed: &Placed<'_>,
        positions: usize,
        metric: Metric,
    ) -> Result<Option<Reader>, BatchError> {
        let side = |color: Color| -> AnimalSet {
            placed.pieces.iter().filter(|p| p.color == color).map(|p| p.animal).collect()
        };
        let class = Material { white: side(Color::White), black: side(Color::Black) };
        let Ok(mapping) = self.tablebase.mapping(class) else {
            // A side without pieces has lost; too many pieces are reported when probed.
            return Ok(None);
        };
        let table = self.tablebase.table(mapping.class)?;
        if metric == Metric::Outcomes && !table.header().stored.distances {
            return Ok(None);
        }
        let cells = 2 * ROW * table.grid().rows();
        let mut cache = self.cache();
        if cache.get(mapping.class).is_none()
            && (positions.saturating_mul(WORTH) < cells || cells as u64 > self.limit)
        {
            return Ok(None);
        }
        let mut loader = Loader::with(&self.tablebase, std::mem::take(&mut *cache));
        let reader = loader.reader(&self.jungle, placed.pieces);
        *cache = loader.into_cache();
        cache.shrink_to(self.limit);
        Ok(reader?)
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        // A thread that panicked while decoding has put nothing in it.
        self.decoded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Boards of one material.
struct Group {
    pieces: Vec<Piece>,
    squares: Vec<u8>,
    turns: Vec<Color>,
    rows: Vec<usize>,
}

impl Group {
    fn new(material: Material) -> Group {
        let pieces = material.in_order();
        Group { pieces, squares: Vec::new(), turns: Vec::new(), rows: Vec::new() }
    }
}

type Places = [[u8; Animal::COUNT]; 2];

/// Who stands where on a board.
fn places(board: &[i8; Square::COUNT]) -> Result<(Material, Places), RowFault> {
    let mut sides = [AnimalSet::EMPTY; 2];
    let mut places = [[0; Animal::COUNT]; 2];
    for (square, &number) in board.iter().enumerate() {
        if number == 0 {
            continue;
        }
        let animal = usize::from(number.unsigned_abs()).checked_sub(1);
        let animal = animal.and_then(|at| Animal::ALL.get(at).copied());
        let animal = animal.ok_or(RowFault::Piece(number))?;
        let color = if number > 0 { Color::White } else { Color::Black };
        let place = &mut places[color as usize][animal.index()];
        let here = Square::ALL[square];
        if sides[color as usize].contains(animal) {
            let first = Square::ALL[usize::from(*place)];
            let piece = Piece { color, animal };
            let fault = SetupError::TwoOfAKind { piece, first, second: here };
            return Err(RowFault::Setup(fault));
        }
        sides[color as usize] = sides[color as usize].with(animal);
        *place = square as u8;
    }
    let [white, black] = sides;
    if white.is_empty() && black.is_empty() {
        return Err(RowFault::Setup(SetupError::NoPieces));
    }
    Ok((Material { white, black }, places))
}

fn turn_of(turns: &[Color], row: usize) -> Color {
    if turns.len() == 1 { turns[0] } else { turns[row] }
}

fn check_turns(turns: &[Color], rows: usize) -> Result<(), BatchError> {
    if turns.len() == rows || turns.len() == 1 {
        return Ok(());
    }
    Err(BatchError::Turns { positions: rows, turns: turns.len() })
}

/// How many positions there are.
fn check(placed: &Placed<'_>) -> Result<usize, BatchError> {
    let width = placed.pieces.len();
    if width == 0 || width > 16 || !placed.squares.len().is_multiple_of(width) {
        return Err(BatchError::Squares { squares: placed.squares.len(), pieces: width });
    }
    let rows = placed.squares.len() / width;
    check_turns(placed.turns, rows)?;
    Ok(rows)
}

/// The squares of a position, each once.
#[inline]
fn read<'a>(own: &[u8], squares: &'a mut [Square; 16]) -> Result<&'a [Square], RowFault> {
    let mut taken = 0_u64;
    for (square, &number) in squares.iter_mut().zip(own) {
        *square = Square::from_index(number).ok_or(RowFault::Square(number))?;
        if taken >> number & 1 == 1 {
            return Err(RowFault::Shared(*square));
        }
        taken |= 1 << number;
    }
    Ok(&squares[..own.len()])
}

fn in_metric(value: Truth, metric: Metric) -> Truth {
    match (metric, value) {
        (Metric::Outcomes, Truth::Win(_)) => Truth::Win(0),
        (Metric::Outcomes, Truth::Loss(_)) => Truth::Loss(0),
        _ => value,
    }
}

#[cfg(test)]
mod tests;
