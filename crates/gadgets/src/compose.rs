//! Composition of published gadgets: chains of protectors, and wires to walk on.
//!
//! A one-way channel is two white edges, a black edge and two white edges, one above the other; a
//! gadget protector is three channels, an outflow protector and three channels. Half crossovers and
//! crossovers are circuits: [`Circuit::half_crossover`], [`Circuit::crossover`].
//!
//! [`Circuit::half_crossover`]: crate::circuit::Circuit::half_crossover
//! [`Circuit::crossover`]: crate::circuit::Circuit::crossover

use jungle::board::Terrain;
use jungle::{Animal, Color};

use crate::board::{Board, Cell};
use crate::gadget::{Gadget, Passage, Port};
use crate::geometry::Direction;
use crate::library;

/// The names of the composed constructions.
pub const NAMES: [&str; 5] =
    ["one-way-channel", "gadget-protector", "wire", "half-crossover", "crossover"];

const WATER: Cell = Cell::empty(Terrain::Water);
const LAND: Cell = Cell::empty(Terrain::Land);

/// Rows of squares; the entrances are at the bottom and at the top, in these columns.
#[derive(Clone)]
struct Tile {
    rows: Vec<Vec<Cell>>,
    bottom: usize,
    top: usize,
}

impl Tile {
    fn of(name: &str, bottom: usize, top: usize) -> Tile {
        let gadget = library::find(name).expect("a gadget of the library");
        Tile { rows: gadget.board.rows(), bottom, top }
    }

    /// A quarter turn anticlockwise.
    fn turned(&self, bottom: usize, top: usize) -> Tile {
        let width = self.rows[0].len();
        let rows = (0..width)
            .map(|row| self.rows.iter().map(|old| old[width - 1 - row]).collect())
            .collect();
        Tile { rows, bottom, top }
    }

    /// This one with another on top of it, entrance on entrance.
    fn below(&self, above: &Tile) -> Tile {
        let left = self.top.max(above.bottom);
        let pads = [left - above.bottom, left - self.top];
        let tiles = [above, self];
        let width = (0..2).map(|nth| pads[nth] + tiles[nth].rows[0].len()).max().unwrap_or(0);
        let mut rows = Vec::new();
        for (tile, pad) in tiles.into_iter().zip(pads) {
            for row in &tile.rows {
                let mut padded = vec![WATER; pad];
                padded.extend(row);
                padded.resize(width, WATER);
                rows.push(padded);
            }
        }
        Tile { rows, bottom: self.bottom + pads[1], top: above.top + pads[0] }
    }

    fn gadget(&self, name: &str, title: &str) -> Gadget {
        let ports = vec![
            Port::new("in", Direction::South, self.bottom, Passage::Land),
            Port::new("out", Direction::North, self.top, Passage::Land),
        ];
        let board = Board::from_rows(&self.rows, Color::White);
        Gadget::new(name, title, board, ports, Animal::Panther)
    }
}

fn chain(tiles: &[Tile]) -> Tile {
    let (first, rest) = tiles.split_first().expect("a chain has links");
    rest.iter().fold(first.clone(), |chain, tile| chain.below(tile))
}

fn channel() -> Tile {
    let (white, black) = (Tile::of("white-edge", 2, 2), Tile::of("black-edge", 3, 3));
    chain(&[white.clone(), white.clone(), black, white.clone(), white])
}

/// The one-way channel.
pub fn one_way_channel() -> Gadget {
    channel()
        .gadget("one-way-channel", "one-way channel: two white edges, a black one, two white ones")
}

/// Black edges one above the other, without the white ones between them.
pub fn black_edges(count: usize) -> Gadget {
    let edges = vec![Tile::of("black-edge", 3, 3); count];
    chain(&edges).gadget(&format!("black-edges-{count}"), "black edges in a row")
}

/// OUTFLOW, turned to run upwards.
pub fn outflow_upwards() -> Gadget {
    Tile::of("outflow", 0, 0)
        .turned(2, 2)
        .gadget("outflow-upwards", "OUTFLOW, turned to run upwards")
}

/// The gadget protector.
pub fn gadget_protector() -> Gadget {
    let outflow = Tile::of("outflow", 0, 0).turned(2, 2);
    let channel = channel();
    let three = [channel.clone(), channel.clone(), channel];
    let links: Vec<Tile> = three.iter().chain([&outflow]).chain(&three).cloned().collect();
    chain(&links)
        .gadget("gadget-protector", "gadget protector: three channels, outflow, three channels")
}

/// A wire to walk on: the number of squares in each direction in turn, from an entrance on the border to
/// another.
///
/// # Panics
///
/// If the wire runs into itself, or is empty.
pub fn wire(legs: &[(Direction, usize)]) -> Gadget {
    let (mut row, mut column) = (0_i64, 0_i64);
    let mut squares = vec![(row, column)];
    for &(direction, length) in legs {
        for _ in 0..length {
            match direction {
                Direction::North => row -= 1,
                Direction::South => row += 1,
                Direction::East => column += 1,
                Direction::West => column -= 1,
            }
            assert!(!squares.contains(&(row, column)), "the wire runs into itself");
            squares.push((row, column));
        }
    }
    let (first, last) =
        (legs.first().expect("a wire has legs").0.opposite(), legs[legs.len() - 1].0);
    let top = squares.iter().map(|&(row, _)| row).min().unwrap_or(0);
    let left = squares.iter().map(|&(_, column)| column).min().unwrap_or(0);
    let height = squares.iter().map(|&(row, _)| row - top).max().unwrap_or(0) as usize + 1;
    let width = squares.iter().map(|&(_, column)| column - left).max().unwrap_or(0) as usize + 1;
    // A frame of water, broken where the wire begins and ends.
    let mut rows = vec![vec![WATER; width + 2]; height + 2];
    let place =
        |(row, column): (i64, i64)| ((row - top) as usize + 1, (column - left) as usize + 1);
    for &square in &squares {
        let (row, column) = place(square);
        rows[row][column] = LAND;
    }
    let mut ports = Vec::new();
    for (name, direction, square) in
        [("in", first, squares[0]), ("out", last, squares[squares.len() - 1])]
    {
        let (mut row, mut column) = place(square);
        let line = match direction {
            Direction::North | Direction::South => column,
            Direction::East | Direction::West => row,
        };
        while (1..=height).contains(&row) && (1..=width).contains(&column) {
            match direction {
                Direction::North => row -= 1,
                Direction::South => row += 1,
                Direction::East => column += 1,
                Direction::West => column -= 1,
            }
            rows[row][column] = LAND;
        }
        ports.push(Port::new(name, direction, line, Passage::Land));
    }
    let board = Board::from_rows(&rows, Color::White);
    Gadget::new("wire", "a wire with bends", board, ports, Animal::Panther)
}

/// The composed constructions that are gadgets of their own.
pub fn composed() -> Vec<Gadget> {
    use Direction::{East, North};
    vec![one_way_channel(), gadget_protector(), wire(&[(North, 2), (East, 3), (North, 4)])]
}

#[cfg(test)]
mod tests {
    use jungle::Rules;

    use super::*;
    use crate::local::{Goal, Local, Traffic};
    use crate::solve::solve;

    #[test]
    fn chains_have_all_their_links() {
        let count = |gadget: &Gadget, letter: char| {
            gadget.board.to_string().chars().filter(|&sign| sign == letter).count()
        };
        let channel = one_way_channel();
        assert_eq!((count(&channel, 'C'), count(&channel, 'd')), (4, 1));
        let protector = gadget_protector();
        assert_eq!((count(&protector, 'C'), count(&protector, 'd')), (26, 6));
        assert_eq!((count(&protector, 'e'), count(&protector, 'P')), (1, 1));
    }

    #[test]
    fn a_panther_walks_any_wire() {
        use Direction::{East, North, South, West};
        for legs in [&[(North, 5)][..], &[(East, 2), (South, 3), (West, 2), (South, 1)]] {
            let wire = wire(legs);
            let waiting = [(0, wire.signal, 1)];
            let local = Local::new(&wire, &waiting, Traffic::Sealed, Color::White, Rules::LEIDEN);
            let goal = Goal::Signals { ports: vec![1], at_least: 1 };
            let solution =
                solve(&local, &[local.start()], Color::White, &goal, None, 1000).unwrap();
            assert!(solution.plies(local.start()).is_some());
        }
    }
}
