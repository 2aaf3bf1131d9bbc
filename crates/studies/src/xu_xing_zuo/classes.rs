//! Every position that play on a small board can lead to, and the truth about each.
//!
//! Positions that are the same up to turning, reflecting and shifting them, exchanging the players, and squares
//! where neither player can move any more, are one class: they have the same evaluation and winner. A class is
//! a number: two bits a square, in two planes of up to 25 squares, seen by the player to move.
//!
//! ```text
//! high plane  0 0 1 1
//! low plane   0 1 0 1
//!             | | | amazon of the other player
//!             | | amazon of the player to move
//!             | empty
//!             not there: an arrow, beyond the board, or of no use to either player
//! ```
//!
//! Every move takes at least one empty square away. [`Classes::of`] lists the classes layer by layer, those
//! with the most empty squares first, with nothing but their numbers, 8 bytes each.
//! [`Classes::backwards`] goes through the layers from the last: winner and minimax values to all
//! depths of a class follow from those of the classes that its moves lead to. What took a search of each
//! position is a look at its replies.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

use game::rng::mix;
use game::{Game, Side};

use amazons::evaluate::Weights;
use amazons::{Amazons, Bitboard, Move, Position, Size, Square};

/// All classes of positions that can be reached, by how many empty squares they have.
#[derive(Debug)]
pub struct Classes {
    grid: Grid,
    layers: Vec<Vec<u64>>,
}

/// What is known of a class.
#[derive(Debug)]
pub struct Known<'a> {
    /// A position of the class, with White to move.
    pub position: Position,
    /// Whether the player to move wins with best play.
    pub won: bool,
    /// Its minimax values for the player to move, to depths from 0.
    pub values: &'a [i32],
    /// What the moves lead to, in the order in which the game lists them.
    pub replies: &'a [Reply<'a>],
}

/// A move and what is known of the position it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Reply<'a> {
    /// The move.
    pub mv: Move,
    /// Whether the player to move after it, the opponent, wins.
    pub won: bool,
    /// Its values for the opponent, to depths from 0.
    pub values: &'a [i32],
}

/// There are, or may be, too many positions to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// The most classes there can be; the largest number stands for all beyond it.
    pub at_most: u128,
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = match self.at_most {
            count if count > 1_000_000_000_000 => "10^12 and more".to_owned(),
            count => format!("up to {count}"),
        };
        let most = Classes::MOST;
        write!(f, "{count} classes of positions are too many to look at all, {most} are possible")
    }
}

impl std::error::Error for TooMany {}

impl Classes {
    /// Boards that might have more classes than this are refused: with values to depth 4 they would
    /// take about 4 GB.
    pub const MOST: u128 = 60_000_000;

    /// The most classes there can be: amazons anywhere, every other square empty or not, up to
    /// the symmetries of the board.
    pub fn at_most(start: &Position) -> u128 {
        let squares = u128::from(start.open().len());
        let [white, black] = [Side::First, Side::Second].map(|who| start.amazons(who).len());
        let choose = |n: u128, k: u32| {
            (0..u128::from(k)).fold(1, |product, i| product * (n.saturating_sub(i)) / (i + 1))
        };
        let placed = choose(squares, white) * choose(squares - u128::from(white), black);
        let symmetries = if start.size().is_square() { 8 } else { 4 };
        placed.saturating_mul(1 << (squares - u128::from(white + black))) / symmetries
    }

    /// Lists the classes of all positions that play from `start` can lead to and in which a player can
    /// move. `progress` gets the number found after each layer.
    ///
    /// # Errors
    ///
    /// If there may be more than [`Classes::MOST`].
    pub fn of(start: &Position, mut progress: impl FnMut(u64)) -> Result<Classes, TooMany> {
        let too_many = TooMany { at_most: Classes::at_most(start) };
        let grid = Grid::around(start.size()).filter(|_| too_many.at_most <= Classes::MOST);
        let grid = grid.ok_or(too_many)?;
        let class = grid.class(grid.planes(start));
        let most = class.map_or(0, empty_squares);
        let mut found: Vec<HashSet<u64, BuildHasherDefault<Mixed>>> = Vec::new();
        found.resize_with(most + 1, HashSet::default);
        found[most].extend(class);
        let mut layers = vec![Vec::new(); most + 1];
        let mut moves = Vec::new();
        let mut count = 0;
        for squares in (1..=most).rev() {
            let mut layer: Vec<u64> = std::mem::take(&mut found[squares]).into_iter().collect();
            layer.sort_unstable();
            for &class in &layer {
                moves.clear();
                Amazons.push_moves(&grid.position(class), &mut moves);
                for after in moves.iter().filter_map(|&mv| grid.after(class, mv)) {
                    found[empty_squares(after)].insert(after);
                }
            }
            count += layer.len() as u64;
            progress(count);
            layers[squares] = layer;
        }
        Ok(Classes { grid, layers })
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.layers.iter().map(|layer| layer.len() as u64).sum()
    }

    /// Calls `visit` with every class, those with the fewest empty squares first, and with values to
    /// depths up to `depth`.
    pub fn backwards(&self, weights: &Weights, depth: u32, mut visit: impl FnMut(&Known<'_>)) {
        let depth = depth as usize;
        let mut below: Vec<Layer> = Vec::new();
        let nothing = vec![0; depth + 1];
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        for layer in &self.layers {
            let mut this = Layer::with_capacity(layer.len(), depth);
            for (&class, index) in layer.iter().zip(0..) {
                let position = self.grid.position(class);
                moves.clear();
                Amazons.push_moves(&position, &mut moves);
                let reply = |&mv: &Move| match self.grid.after(class, mv) {
                    // Neither player can move: worth nothing, and lost.
                    None => Reply { mv, won: false, values: &nothing },
                    Some(after) => below[empty_squares(after)].reply(mv, after, depth),
                };
                let replies: Vec<Reply<'_>> = moves.iter().map(reply).collect();
                let won = replies.iter().any(|reply| !reply.won);
                let now = weights.value(&position);
                values.clear();
                values.push(now);
                values.extend(
                    (0..depth).map(|to| {
                        replies.iter().map(|reply| -reply.values[to]).max().unwrap_or(now)
                    }),
                );
                this.index.insert(class, index);
                this.won.push(won);
                this.values.extend_from_slice(&values);
                visit(&Known { position, won, values: &values, replies: &replies });
            }
            below.push(this);
        }
    }
}

fn empty_squares(class: u64) -> usize {
    (class as u32 & !(class >> 32) as u32).count_ones() as usize
}

/// The truth about the classes of one layer.
#[derive(Default)]
struct Layer {
    index: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
    won: Vec<bool>,
    /// As many for each class as there are depths, from 0.
    values: Vec<i32>,
}

impl Layer {
    fn with_capacity(classes: usize, depth: usize) -> Layer {
        Layer {
            index: HashMap::with_capacity_and_hasher(classes, BuildHasherDefault::default()),
            won: Vec::with_capacity(classes),
            values: Vec::with_capacity(classes * (depth + 1)),
        }
    }

    fn reply(&self, mv: Move, class: u64, depth: usize) -> Reply<'_> {
        let at = self.index[&class] as usize;
        let values = &self.values[at * (depth + 1)..][..=depth];
        Reply { mv, won: self.won[at], values }
    }
}

/// Classes are spread well enough by one mixing step.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The two planes of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Planes {
    low: u32,
    high: u32,
}

/// A square grid that a board fits in, however it is turned. Square n is on file n % side and rank
/// n / side.
#[derive(Debug)]
struct Grid {
    side: u32,
    size: Size,
    first_file: u32,
    last_file: u32,
    first_rank: u32,
    all: u32,
    /// The number on the grid of each square of the largest board.
    numbers: [u8; 128],
    /// Where each byte of a plane goes in each of the eight symmetries.
    images: Vec<[[u32; 256]; 4]>,
    /// Each byte of a plane as bits of a bitboard.
    bits: [[u128; 256]; 4],
}

impl Grid {
    const MOST_FILES: u8 = 5;

    fn around(size: Size) -> Option<Grid> {
        let side = size.files().max(size.ranks());
        if side > Grid::MOST_FILES {
            return None;
        }
        let size = Size::new(side, side).ok()?;
        let files = u32::from(side);
        let squares: Vec<Square> = (0..side)
            .flat_map(|rank| (0..side).filter_map(move |file| Square::new(file, rank)))
            .collect();
        let mut numbers = [0; 128];
        for (square, number) in squares.iter().zip(0..) {
            numbers[square.index()] = number;
        }
        let number = |file: u32, rank: u32| rank * files + file;
        let images = (0..8_u32).map(|symmetry| {
            let mut image = [[0; 256]; 4];
            for at in 0..files * files {
                let (mut file, mut rank) = (at % files, at / files);
                if symmetry & 1 != 0 {
                    (file, rank) = (rank, file);
                }
                if symmetry & 2 != 0 {
                    file = files - 1 - file;
                }
                if symmetry & 4 != 0 {
                    rank = files - 1 - rank;
                }
                for (byte, to) in image[at as usize / 8].iter_mut().enumerate() {
                    if byte & 1 << (at % 8) != 0 {
                        *to |= 1 << number(file, rank);
                    }
                }
            }
            image
        });
        let mut bits = [[0; 256]; 4];
        for (at, square) in squares.iter().enumerate() {
            for (byte, to) in bits[at / 8].iter_mut().enumerate() {
                if byte & 1 << (at % 8) != 0 {
                    *to |= square.bitboard().bits();
                }
            }
        }
        let first_file = (0..files).fold(0, |set, rank| set | 1 << number(0, rank));
        Some(Grid {
            side: files,
            size,
            first_file,
            last_file: first_file << (files - 1),
            first_rank: (1 << files) - 1,
            all: (1 << (files * files)) - 1,
            numbers,
            images: images.collect(),
            bits,
        })
    }

    /// A position as the player to move sees it.
    fn planes(&self, position: &Position) -> Planes {
        let set = |squares: Bitboard| {
            squares.into_iter().fold(0, |set, square| set | 1 << self.numbers[square.index()])
        };
        let (mine, theirs) =
            (set(position.amazons(position.turn())), set(position.amazons(!position.turn())));
        Planes { low: set(position.empty()) | theirs, high: mine | theirs }
    }

    fn position(&self, class: u64) -> Position {
        let (low, high) = (class as u32, (class >> 32) as u32);
        let bits = |plane: u32| {
            let bytes = plane.to_le_bytes();
            let bits = bytes
                .iter()
                .zip(&self.bits)
                .fold(0, |bits, (&byte, of)| bits | of[usize::from(byte)]);
            Bitboard::from_bits_truncated(bits)
        };
        let (mover, other) = (bits(high & !low), bits(high & low));
        Position::new(self.size, mover, other, bits(low & !high), Side::First)
            .expect("every square has one state")
    }

    /// The class after a move, seen by the other player; `None` if neither player can move.
    fn after(&self, class: u64, mv: Move) -> Option<u64> {
        let bit = |square: Square| 1_u32 << self.numbers[square.index()];
        let (low, high) = (class as u32, (class >> 32) as u32);
        let (from, to, arrow) = (bit(mv.from), bit(mv.to), bit(mv.arrow));
        let (low, high) = ((low | from) & !to & !arrow, (high & !from | to) & !arrow);
        // Where the high bit is set, the low one says whose amazon it is.
        self.class(Planes { low: low ^ high, high })
    }

    /// The class of a position: the smallest number of its images in the corner.
    fn class(&self, Planes { low, high }: Planes) -> Option<u64> {
        // Regions with an empty square and an amazon: the rest does not matter.
        let open = low | high;
        let alive = self.flood(low & !high, open) & self.flood(high, open);
        let (low, high) = (low & alive, high & alive);
        if alive == 0 {
            return None;
        }
        let image = |of: &[[u32; 256]; 4], plane: u32| {
            plane
                .to_le_bytes()
                .iter()
                .zip(of)
                .fold(0, |image, (&byte, of)| image | of[usize::from(byte)])
        };
        let in_the_corner = |of| {
            let (mut low, mut high) = (image(of, low), image(of, high));
            while (low | high) & self.first_rank == 0 {
                (low, high) = (low >> self.side, high >> self.side);
            }
            while (low | high) & self.first_file == 0 {
                (low, high) = (low >> 1, high >> 1);
            }
            u64::from(high) << 32 | u64::from(low)
        };
        self.images.iter().map(in_the_corner).min()
    }

    /// The squares of `open` that kings could walk to from `start`.
    fn flood(&self, start: u32, open: u32) -> u32 {
        let mut reached = start;
        loop {
            let row =
                reached | (reached & !self.last_file) << 1 | (reached & !self.first_file) >> 1;
            let grown = (row | row << self.side | row >> self.side) & open & self.all;
            if grown | reached == reached {
                return reached;
            }
            reached |= grown;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use amazons::divide::{Divide, Ends};
    use amazons::exact::brute_force;
    use amazons::region;
    use amazons::shape::Shape;
    use game::limits::{Limits, Meter};

    /// The class as the shapes have it, for positions in which a player can move.
    fn shape(position: &Position) -> Option<Shape> {
        let mut alive = Bitboard::EMPTY;
        region::executing(position, |region| alive |= region.squares);
        Shape::of(&position.restricted(alive), position.turn()).map(|(shape, _)| shape)
    }

    /// Every game played out with nothing left out or merged.
    fn plainly(position: &Position, seen: &mut HashSet<Position>) {
        if seen.insert(*position) {
            for mv in Amazons.moves(position) {
                plainly(&Amazons.after(position, mv), seen);
            }
        }
    }

    const STARTS: [&str; 3] =
        ["W2x/1x2/x1x1/xx1B w", "WB1xx/1x1x1/2xBW/xx3 b", "BWBW/4/xxxx/WB1B w"];

    #[test]
    fn every_class_is_listed_once() {
        for start in STARTS {
            let start: Position = start.parse().unwrap();
            let mut seen = HashSet::new();
            plainly(&start, &mut seen);
            let expected: HashSet<_> = seen.iter().filter_map(shape).collect();
            let classes = Classes::of(&start, |_| {}).unwrap();
            let mut listed = Vec::new();
            classes.backwards(&Weights::default(), 0, |known| {
                listed.extend(shape(&known.position));
            });
            assert_eq!(listed.len() as u64, classes.count());
            assert_eq!(listed.len(), expected.len());
            assert_eq!(listed.into_iter().collect::<HashSet<_>>(), expected);
            assert!(expected.len() > 20);
        }
    }

    #[test]
    fn what_is_known_is_what_a_search_finds() {
        let weights = Weights::default();
        let value = |position: &Position, depth| {
            let mut plain = Divide::plain(weights).ends(Ends::Evaluated);
            plain.find(position, depth, &mut Meter::new(&Limits::none())).unwrap().value
        };
        for start in STARTS {
            let classes = Classes::of(&start.parse().unwrap(), |_| {}).unwrap();
            let mut compared = 0;
            classes.backwards(&weights, 3, |known| {
                compared += 1;
                if !u64::is_multiple_of(compared, 9) {
                    return;
                }
                let at = &known.position;
                let expected: Vec<i32> = (0..=3).map(|depth| value(at, depth)).collect();
                assert_eq!(known.values, expected, "{at}");
                assert_eq!(known.won, brute_force(at, u64::MAX).unwrap().0 == at.turn(), "{at}");
                let moves: Vec<Move> = known.replies.iter().map(|reply| reply.mv).collect();
                assert_eq!(moves, Amazons.moves(at));
                for reply in known.replies {
                    let after = Amazons.after(at, reply.mv);
                    assert_eq!(reply.values[1], value(&after, 1), "{} in {at}", reply.mv);
                }
            });
            assert_eq!(compared, classes.count());
        }
    }

    #[test]
    fn too_many_are_refused() {
        for (files, ranks, text) in [(4, 5, "up to "), (6, 6, "10^12"), (10, 10, "10^12")] {
            let start = Position::start(files, ranks).unwrap();
            let refused = Classes::of(&start, |_| {}).unwrap_err().to_string();
            assert!(refused.starts_with(text), "{files}x{ranks}: {refused}");
        }
        let start = Position::start(4, 4).unwrap();
        assert_eq!(Classes::at_most(&start), 1820 * 495 * 256 / 8);
    }
}
