//! Gadgets: fragments of a board with ports, as in a hardness reduction.
//!
//! A port is a line through the edge of the fragment: a column for the north and south edges, a row
//! for the east and west. Its *landing* is the first square on that line that is not water. Where
//! the landing is the edge itself and the port is by land, any piece can step in and out there, as
//! in the published drawings. Through a port by water come and go only those that jump, from and to
//! a square somewhere beyond: all other pieces are on an island.

use jungle::{Animal, Color, Piece};

use crate::board::Board;
use crate::geometry::{Direction, Geometry, Spot};

/// Which way a signal is meant to go through a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Into the gadget.
    In,
    /// Out of the gadget.
    Out,
}

/// How pieces come and go through a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passage {
    /// On foot.
    Land,
    /// By a jump.
    Water,
}

/// Where a gadget meets the rest of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// A short name, as in `in1`.
    pub name: String,
    /// The edge.
    pub edge: Direction,
    /// The column for north and south, the row for east and west; from the top left.
    pub line: usize,
    /// Which way the signal goes.
    pub role: Role,
    /// How.
    pub passage: Passage,
}

impl Port {
    /// A port whose name says its role: those that begin with `in` are inputs, others outputs.
    pub fn new(name: &str, edge: Direction, line: usize, passage: Passage) -> Port {
        let role = if name.starts_with("in") { Role::In } else { Role::Out };
        Port { name: name.to_owned(), edge, line, role, passage }
    }

    /// A port of the library, as in `in1 S 3`.
    fn read(text: &str, passage: Passage) -> Port {
        let &[name, edge, line] = text.split(' ').collect::<Vec<_>>().as_slice() else {
            panic!("{text} is not a port: expected a name, a side and a line");
        };
        let edge = match edge {
            "N" => Direction::North,
            "E" => Direction::East,
            "S" => Direction::South,
            "W" => Direction::West,
            _ => panic!("{edge} is not a side: expected N, E, S or W"),
        };
        Port::new(name, edge, line.parse().expect("the line of a port is a number"), passage)
    }

    /// The squares of the line from the edge inwards.
    pub fn line_of(&self, geometry: &Geometry) -> Vec<Spot> {
        let (rows, columns) = (geometry.height(), geometry.width());
        match self.edge {
            Direction::North => (0..rows).map(|row| geometry.spot(row, self.line)).collect(),
            Direction::South => (0..rows).rev().map(|row| geometry.spot(row, self.line)).collect(),
            Direction::West => {
                (0..columns).map(|column| geometry.spot(self.line, column)).collect()
            }
            Direction::East => {
                (0..columns).rev().map(|column| geometry.spot(self.line, column)).collect()
            }
        }
    }

    /// The first square on the line that is not water.
    pub fn landing(&self, geometry: &Geometry) -> Option<Spot> {
        self.line_of(geometry).into_iter().find(|&spot| !geometry.is_water(spot))
    }
}

/// A fragment of a board with its ports.
#[derive(Clone, Debug)]
pub struct Gadget {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub title: String,
    /// Geometry and pieces.
    pub board: Board,
    /// Where it meets the rest.
    pub ports: Vec<Port>,
    /// What a signal is.
    pub signal: Piece,
}

impl Gadget {
    /// A gadget from its parts.
    ///
    /// # Panics
    ///
    /// If a port is not open: gadgets are part of the program.
    pub fn new(name: &str, title: &str, board: Board, ports: Vec<Port>, signal: Animal) -> Gadget {
        for port in &ports {
            let landing = port.landing(board.geometry()).expect("a port has a landing");
            let at_the_edge = port.line_of(board.geometry())[0] == landing;
            let open = port.passage == Passage::Water || at_the_edge;
            assert!(open, "{name}: {} is not open", port.name);
        }
        Gadget {
            name: name.to_owned(),
            title: title.to_owned(),
            board,
            ports,
            signal: Piece { color: Color::White, animal: signal },
        }
    }

    /// A gadget from its drawing, with ports given as `NAME SIDE LINE`, as in `in1 S 3`: names that
    /// begin with `in` are inputs, others outputs.
    ///
    /// # Panics
    ///
    /// If the drawing or the ports are wrong: gadgets are part of the program.
    pub fn drawn(
        name: &str,
        title: &str,
        drawing: &str,
        passage: Passage,
        ports: &[&str],
        signal: Animal,
    ) -> Gadget {
        let board: Board = drawing.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        let ports = ports.iter().map(|text| Port::read(text, passage)).collect();
        Gadget::new(name, title, board, ports, signal)
    }

    /// The number of a port.
    pub fn port(&self, name: &str) -> Option<usize> {
        self.ports.iter().position(|port| port.name == name)
    }

    /// The numbers of the ports with this role.
    pub fn with_role(&self, role: Role) -> Vec<usize> {
        (0..self.ports.len()).filter(|&port| self.ports[port].role == role).collect()
    }
}
