//! What is coded together: rows that differ only in the square of the last fixed piece.
//!
//! All rows that agree in every piece but the last fixed one form a *plane*; a plane is cut, between
//! ranks of that piece, into a few *blocks*, which can be read without one another. Within a block a
//! row is coded with up to three earlier ones at hand: the piece one square lower, one square to the
//! left, and both.

use jungle::board::{self, DEN, LAND};
use jungle::{Bitboard, Color, Jungle, Piece, Square};

use crate::grid::{Grid, RowSquares, domain};

/// A block has at least so many rows, if the plane has.
const WANTED_ROWS: usize = 12;
/// And at most so many.
pub const MAX_ROWS: usize = 32;

/// How a grid is cut into blocks.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The squares of the last fixed piece, in the order of the rows.
    squares: Vec<Square>,
    /// The first of those squares in each block of a plane.
    starts: Vec<usize>,
    /// The block of each of those squares.
    block_of: Vec<usize>,
    planes: usize,
}

impl Cut {
    /// The cut of a grid.
    pub fn new(grid: &Grid) -> Cut {
        let squares = grid.last_fixed_squares().to_vec();
        let mut starts = vec![0];
        for at in 1..squares.len() {
            let new_rank = squares[at].rank() != squares[at - 1].rank();
            let so_far = at - starts[starts.len() - 1];
            if new_rank && so_far >= WANTED_ROWS && squares.len() - at >= WANTED_ROWS / 2 {
                starts.push(at);
            }
        }
        let block_of =
            (0..squares.len()).map(|at| starts.partition_point(|&start| start <= at) - 1).collect();
        let planes = grid.rows() / squares.len();
        Cut { squares, starts, block_of, planes }
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.planes * self.starts.len()
    }

    /// The block of a row, and the row's place in it.
    #[inline]
    pub fn place(&self, row: usize) -> (usize, usize) {
        let (plane, at) = (row / self.squares.len(), row % self.squares.len());
        let block = self.block_of[at];
        (plane * self.starts.len() + block, at - self.starts[block])
    }

    /// A block's first row and the squares of the last fixed piece in its rows.
    #[inline]
    pub fn rows(&self, block: usize) -> (usize, &[Square]) {
        let (plane, part) = (block / self.starts.len(), block % self.starts.len());
        let start = self.starts[part];
        let end = self.starts.get(part + 1).copied().unwrap_or(self.squares.len());
        (plane * self.squares.len() + start, &self.squares[start..end])
    }
}

/// Who could take whom, for every pair of squares: where captures are at hand, a position is less
/// like its neighbours, and the models want to know.
#[derive(Clone, Debug)]
pub struct Captures {
    /// For each fixed piece and square: where it could take the runner.
    takes_runner: Vec<[Bitboard; Square::COUNT]>,
    /// For each fixed piece and square: where the runner could take it from.
    taken_by_runner: Vec<[Bitboard; Square::COUNT]>,
    /// For each fixed piece and square: where it could take the last fixed piece.
    takes_last: Vec<[Bitboard; Square::COUNT]>,
}

impl Captures {
    /// For the pieces of a grid. Jumps count whether or not a rat blocks them.
    pub fn new(jungle: &Jungle, grid: &Grid) -> Captures {
        let fixed = &grid.pieces()[..grid.pieces().len() - 1];
        let (runner, last) = (grid.runner(), fixed[fixed.len() - 1]);
        let takes = |attacker: Piece, from: Square, victim: Piece| -> Bitboard {
            if attacker.color == victim.color || !domain(attacker.animal).contains(from) {
                return Bitboard::EMPTY;
            }
            let jumps = board::jumps(from).iter();
            let jumps = jumps.filter(|jump| jungle.jumps(attacker.animal).allow(jump.axis));
            let steps = board::neighbours(from) & domain(attacker.animal);
            let reach = steps.into_iter().chain(jumps.map(|jump| jump.to));
            reach.filter(|&to| jungle.may_take(attacker.animal, from, victim, to)).collect()
        };
        let table =
            |attacker: Piece, victim: Piece| Square::ALL.map(|from| takes(attacker, from, victim));
        let turned = |table: [Bitboard; Square::COUNT]| {
            Square::ALL.map(|to| {
                Square::ALL.into_iter().filter(|from| table[from.index()].contains(to)).collect()
            })
        };
        Captures {
            takes_runner: fixed.iter().map(|&piece| table(piece, runner)).collect(),
            taken_by_runner: fixed.iter().map(|&piece| turned(table(runner, piece))).collect(),
            takes_last: fixed.iter().map(|&piece| table(piece, last)).collect(),
        }
    }
}

/// A block, with what is known of it before anything is read.
pub struct Block<'a> {
    captures: &'a Captures,
    /// Where the runner could be taken by the pieces other than the last, or take one of them.
    attacked: Bitboard,
    attacking: Bitboard,
    /// Where the last fixed piece could be taken by the others.
    last_attacked: Bitboard,

    /// The number of its first row.
    pub first_row: usize,
    /// The squares of the last fixed piece.
    pub last: &'a [Square],
    /// The other fixed pieces.
    occupied: Bitboard,
    /// Where the runner can stand at all.
    domain: Bitboard,
    /// Whether the side to move enters the den at once, whatever the last piece does.
    pub won_at_once: bool,
    /// Where the last fixed piece, if it is the mover's, enters the den at once.
    entrances: Bitboard,
}

impl<'a> Block<'a> {
    /// The block as seen by the side `turn` to move.
    #[inline]
    pub fn new(
        grid: &Grid,
        cut: &'a Cut,
        captures: &'a Captures,
        block: usize,
        turn: Color,
    ) -> Option<Block<'a>> {
        let (first_row, last) = cut.rows(block);
        let squares: RowSquares = grid.squares(first_row);
        let fixed = grid.pieces().len() - 1;
        let entrances = DEN[!turn].bitboard().neighbours();
        let mut occupied = Bitboard::EMPTY;
        let mut won_at_once = false;
        let mut attacked = Bitboard::EMPTY;
        let mut attacking = Bitboard::EMPTY;
        let mut last_attacked = Bitboard::EMPTY;
        for (at, piece) in grid.pieces()[..fixed - 1].iter().enumerate() {
            let square = squares[at];
            attacked |= captures.takes_runner[at][square.index()];
            attacking |= captures.taken_by_runner[at][square.index()];
            last_attacked |= captures.takes_last[at][square.index()];
            if occupied.contains(square) {
                return None;
            }
            occupied |= square.bitboard();
            won_at_once |= piece.color == turn && entrances.contains(square);
        }
        let last_moves = grid.pieces()[fixed - 1].color == turn;
        let entrances = if last_moves { entrances & LAND } else { Bitboard::EMPTY };
        let domain = grid.runner_domain();
        Some(Block {
            captures,
            attacked,
            attacking,
            last_attacked,
            first_row,
            last,
            occupied,
            domain,
            won_at_once,
            entrances,
        })
    }

    /// Where the runner can stand in a row; `None` if the row's pieces collide.
    #[inline]
    pub fn free(&self, row: usize) -> Option<Bitboard> {
        let last = self.last[row];
        (!self.occupied.contains(last))
            .then(|| self.domain.without(self.occupied).without(last.bitboard()))
    }

    /// Where the runner could be taken in a row, and where it could take something.
    #[inline]
    pub fn contacts(&self, row: usize) -> [Bitboard; 2] {
        let (tables, last) = (self.captures, self.last[row].index());
        let at = tables.takes_runner.len() - 1;
        [
            self.attacked | tables.takes_runner[at][last],
            self.attacking | tables.taken_by_runner[at][last],
        ]
    }

    /// Whether the last fixed piece could be taken in a row.
    #[inline]
    pub fn is_last_attacked(&self, row: usize) -> bool {
        self.last_attacked.contains(self.last[row])
    }

    /// Whether the side to move enters the den at once in this row.
    #[inline]
    pub fn is_won_at_once(&self, row: usize) -> bool {
        self.won_at_once || self.entrances.contains(self.last[row])
    }

    /// The earlier rows with the last piece one lower, one to the left, and both.
    #[inline]
    pub fn references(&self, row: usize) -> [Option<usize>; 3] {
        let at = |files, ranks| {
            let wanted = self.last[row].offset(files, ranks)?;
            if self.occupied.contains(wanted) {
                return None;
            }
            // The squares are in order, and a rank has at most seven.
            let earlier = &self.last[row.saturating_sub(9)..row];
            let found = earlier.iter().rposition(|&square| square == wanted)?;
            Some(row.saturating_sub(9) + found)
        };
        [at(0, -1), at(-1, 0), at(-1, -1)]
    }
}

/// A row of values with a border, so that every square has four neighbours.
pub const PADDED: usize = 9 * 11;

/// Where a square stands in a padded row.
#[inline]
pub const fn padded(square: Square) -> usize {
    PADDED_INDEX[square as usize] as usize
}

/// The distances to the neighbours within a padded row.
pub const LEFT: isize = -1;
pub const DOWN: isize = -9;
pub const RIGHT: isize = 1;
pub const UP: isize = 9;

const PADDED_INDEX: [u8; Square::COUNT] = {
    let mut index = [0; Square::COUNT];
    let mut at = 0;
    while at < Square::COUNT {
        let square = Square::ALL[at];
        index[at] = (square.rank() + 1) * 9 + square.file() + 1;
        at += 1;
    }
    index
};
