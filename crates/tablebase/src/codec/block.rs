//! Blocks, the unit of decoding: rows that differ only in the square of the last fixed piece.
//!
//! All rows that agree in every piece but the last fixed one form a *plane*; a plane is cut into
//! *blocks*, one for each rank of that piece (ranks that the water leaves three squares of go
//! together), which can be read independently. A probe of one row should have to read few
//! others, so a block is not read from its left end: its *stem*, the middle file, comes first, and
//! from there two *arms* go left and right, each of which needs the stem but not the other arm. Of a
//! rank of seven, 2.7 rows have to be read on average.
//!
//! ```text
//!   a <- b <- c <- d -> e -> f -> g       first stream: d c b a, second stream: e f g
//! ```
//!
//! Each row leans on up to two rows already read: the nearest, and the next beyond it.

use jungle::board::{self, DEN, LAND};
use jungle::{Bitboard, Color, Jungle, Piece, Square};

use crate::grid::{Grid, RowSquares, domain};

/// The most rows of a block.
pub const MAX_ROWS: usize = 9;

/// How a grid is cut into blocks.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The blocks of a plane.
    shapes: Vec<Shape>,
    /// Where each row of a plane stands: its block and its place there.
    places: Vec<(usize, usize)>,
    planes: usize,
}

/// What blocks of different planes have in common.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The rows in the order in which they are read.
    rows: Vec<Leaning>,
    /// The squares of the last fixed piece in them.
    squares: Bitboard,
    /// How many rows the stem has, and the stem and the left arm together.
    stem: usize,
    first_stream: usize,
}

/// A row of a block, and the rows that it can be predicted from.
#[derive(Clone, Debug)]
struct Leaning {
    /// Its place in the plane.
    offset: usize,
    last: Square,
    /// Rows of the block, the best first.
    on: Vec<usize>,
}

/// How many rows of each stream of a block to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Rows of the stem and the left arm.
    pub first: usize,
    /// Rows of the right arm.
    pub second: usize,
}

impl Cut {
    /// The cut of a grid.
    pub fn new(grid: &Grid) -> Cut {
        let squares = grid.last_fixed_squares();
        let width = |at: usize| squares.iter().filter(|s| s.rank() == squares[at].rank()).count();
        let starts = (0..squares.len()).filter(|&at| {
            at == 0
                || squares[at].rank() != squares[at - 1].rank()
                    && !(width(at) == 3 && width(at - 1) == 3)
        });
        let mut bounds: Vec<usize> = starts.collect();
        bounds.push(squares.len());
        let shapes: Vec<Shape> =
            bounds.windows(2).map(|bounds| Shape::new(squares, bounds[0]..bounds[1])).collect();
        let mut places = vec![(0, 0); squares.len()];
        for (block, shape) in shapes.iter().enumerate() {
            for (at, row) in shape.rows.iter().enumerate() {
                places[row.offset] = (block, at);
            }
        }
        Cut { shapes, places, planes: grid.rows() / squares.len() }
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.planes * self.shapes.len()
    }

    /// How many rows a plane has.
    pub fn plane_rows(&self) -> usize {
        self.places.len()
    }

    /// The blocks of a plane.
    pub fn plane_blocks(&self, plane: usize) -> std::ops::Range<usize> {
        plane * self.shapes.len()..(plane + 1) * self.shapes.len()
    }

    /// The block of a row, and the row's place in it.
    #[inline]
    pub fn place(&self, row: usize) -> (usize, usize) {
        let (plane, offset) = (row / self.places.len(), row % self.places.len());
        let (block, at) = self.places[offset];
        (plane * self.shapes.len() + block, at)
    }

    /// A block's plane, as its first row, and its shape.
    #[inline]
    fn block(&self, block: usize) -> (usize, &Shape) {
        let (plane, part) = (block / self.shapes.len(), block % self.shapes.len());
        (plane * self.places.len(), &self.shapes[part])
    }
}

impl Shape {
    fn new(squares: &[Square], range: std::ops::Range<usize>) -> Shape {
        let has = |file| squares[range.clone()].iter().any(|square| square.file() == file);
        let stem: u8 = if has(3) { 3 } else { 2 };
        let arm = |square: Square| match square.file().cmp(&stem) {
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Greater => 2,
        };
        let mut order: Vec<usize> = range.collect();
        order.sort_by_key(|&offset| {
            let square = squares[offset];
            (arm(square), square.file().abs_diff(stem), square.rank())
        });
        let rows = order.iter().enumerate().map(|(at, &offset)| {
            let last = squares[offset];
            // The square below comes first, then those towards the stem, then whatever is there.
            let mut on: Vec<usize> = (0..at)
                .filter(|&other| [0, arm(last)].contains(&arm(squares[order[other]])))
                .collect();
            on.sort_by_key(|&other| {
                let square = squares[order[other]];
                let files = square.file().abs_diff(last.file());
                match (files, square.rank() + 1 == last.rank(), square.rank() == last.rank()) {
                    (0, true, _) => (0, 0),
                    (_, _, true) => (1, usize::from(files)),
                    _ => (2, at - other),
                }
            });
            Leaning { offset, last, on }
        });
        let count = |arms: &[usize]| {
            order.iter().filter(|&&offset| arms.contains(&arm(squares[offset]))).count()
        };
        Shape {
            rows: rows.collect(),
            squares: order.iter().map(|&offset| squares[offset]).collect(),
            stem: count(&[0]),
            first_stream: count(&[0, 1]),
        }
    }
}

/// Who could take whom, for every pair of squares: where captures are at hand, a position is less
/// like its neighbours, and the models use that.
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

/// A block, with what is known before it is read.
pub struct Block<'a> {
    captures: &'a Captures,
    /// Where the runner could be taken by the pieces other than the last, or take one of them.
    attacked: Bitboard,
    attacking: Bitboard,
    /// Where the last fixed piece could be taken by the others.
    last_attacked: Bitboard,

    /// The first row of its plane.
    plane: usize,
    shape: &'a Shape,
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
        let (plane, shape) = cut.block(block);
        let squares: RowSquares = grid.squares(plane);
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
            plane,
            shape,
            occupied,
            domain,
            won_at_once,
            entrances,
        })
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.shape.rows.len()
    }

    /// What has to be read for all rows.
    pub fn whole(&self) -> Extent {
        let first = self.shape.first_stream;
        Extent { first, second: self.shape.rows.len() - first }
    }

    /// What has to be read for these rows, each a bit.
    #[inline]
    pub fn extent(&self, rows: u32) -> Extent {
        let Shape { stem, first_stream, .. } = *self.shape;
        let rows = rows & ((1 << self.rows()) - 1);
        let upto = |rows: u32| (u32::BITS - rows.leading_zeros()) as usize;
        let second = upto(rows >> first_stream);
        let first = upto(rows & ((1 << first_stream) - 1));
        Extent { first: if second > 0 { first.max(stem) } else { first }, second }
    }

    /// The rows of each stream, as far as they are to be read.
    #[inline]
    pub fn streams(&self, extent: Extent) -> [std::ops::Range<usize>; 2] {
        let start = self.shape.first_stream;
        [0..extent.first, start..start + extent.second]
    }

    /// A row's number in the grid.
    #[inline]
    pub fn number(&self, row: usize) -> usize {
        self.plane + self.shape.rows[row].offset
    }

    /// Where the runner can stand in a row; `None` if the row's pieces collide.
    #[inline]
    pub fn free(&self, row: usize) -> Option<Bitboard> {
        let last = self.shape.rows[row].last;
        (!self.occupied.contains(last))
            .then(|| self.domain.without(self.occupied).without(last.bitboard()))
    }

    /// Where the runner could be taken in a row, and where it could take something.
    #[inline]
    pub fn contacts(&self, row: usize) -> [Bitboard; 2] {
        let (tables, last) = (self.captures, self.shape.rows[row].last.index());
        let at = tables.takes_runner.len() - 1;
        [
            self.attacked | tables.takes_runner[at][last],
            self.attacking | tables.taken_by_runner[at][last],
        ]
    }

    /// Whether the last fixed piece could be taken in a row.
    #[inline]
    pub fn is_last_attacked(&self, row: usize) -> bool {
        self.last_attacked.contains(self.shape.rows[row].last)
    }

    /// Whether the side to move enters the den at once in this row.
    #[inline]
    pub fn is_won_at_once(&self, row: usize) -> bool {
        self.won_at_once || self.entrances.contains(self.shape.rows[row].last)
    }

    /// The two rows that a row leans on: the best that are there.
    #[inline]
    pub fn references(&self, row: usize) -> [Option<usize>; 2] {
        let on = &self.shape.rows[row].on;
        if !self.occupied.intersects(self.shape.squares) {
            return [on.first().copied(), on.get(1).copied()];
        }
        let there = |other: &&usize| !self.occupied.contains(self.shape.rows[**other].last);
        let mut there = on.iter().filter(there).copied();
        [there.next(), there.next()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Classes;
    use jungle::Rules;

    #[test]
    fn every_row_has_its_place_and_leans_on_what_is_read_before() {
        let jungle = Jungle::new(Rules::LEIDEN);
        for class in Classes::new(&Rules::LEIDEN, 3).list() {
            let grid = Grid::new(&jungle, &class.slots);
            let cut = Cut::new(&grid);
            let captures = Captures::new(&jungle, &grid);
            for row in 0..grid.rows() {
                let (block, at) = cut.place(row);
                assert!(block < cut.blocks() && at < MAX_ROWS);
                let Some(block) = Block::new(&grid, &cut, &captures, block, Color::White) else {
                    continue;
                };
                assert_eq!(block.number(at), row);
                let [first, second] = block.streams(block.extent(1 << at));
                let last = if second.is_empty() { first.end } else { second.end };
                assert_eq!(last, at + 1);
                for other in block.references(at).into_iter().flatten() {
                    assert!(block.free(other).is_some());
                    assert!(other < at && (first.contains(&other) || second.contains(&other)));
                }
            }
        }
    }

    #[test]
    fn few_rows_are_read_for_one() {
        let jungle = Jungle::new(Rules::LEIDEN);
        let classes = Classes::new(&Rules::LEIDEN, 3);
        let grid = Grid::new(&jungle, &classes.list()[20].slots);
        let cut = Cut::new(&grid);
        let captures = Captures::new(&jungle, &grid);
        let read = |row: usize| {
            let (block, at) = cut.place(row);
            let block = Block::new(&grid, &cut, &captures, block, Color::White)?;
            let Extent { first, second } = block.extent(1 << at);
            Some(first + second)
        };
        let rows: Vec<usize> = (0..grid.rows()).filter_map(read).collect();
        let mean = rows.iter().sum::<usize>() as f64 / rows.len() as f64;
        assert!(mean < 3.1, "{mean}");
    }
}
