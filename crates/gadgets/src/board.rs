//! Generalised positions: geometry, pieces (any number of a kind) and the side to move.
//!
//! Boards of whole formulas have a hundred thousand squares and a few dozen pieces, so pieces are
//! kept in a sorted map and not square by square; the geometry is shared between positions.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use jungle::board::{self, Terrain};
use jungle::{Animal, Color, Piece, Position, Square};

use crate::geometry::{Geometry, Spot};

/// A generalised position: geometry, pieces and the side to move.
#[derive(Clone, Debug)]
pub struct Board {
    geometry: Arc<Geometry>,
    pieces: BTreeMap<Spot, Piece>,
    turn: Color,
}

/// A square of a board: its terrain and what stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The terrain.
    pub terrain: Terrain,
    /// The piece, if there is one.
    pub piece: Option<Piece>,
}

impl Cell {
    /// A square without a piece.
    pub const fn empty(terrain: Terrain) -> Cell {
        Cell { terrain, piece: None }
    }

    /// A piece on plain land.
    pub const fn occupied(color: Color, animal: Animal) -> Cell {
        Cell { terrain: Terrain::Land, piece: Some(Piece { color, animal }) }
    }
}

impl Board {
    /// A board from its rows, the top one first.
    ///
    /// # Panics
    ///
    /// If there are no squares, or the rows are not of one length.
    pub fn from_rows(rows: &[Vec<Cell>], turn: Color) -> Board {
        let width = rows.first().map_or(0, Vec::len);
        let mut geometry = Geometry::new(width, rows.len(), Terrain::Land);
        let mut pieces = BTreeMap::new();
        for (row, cells) in rows.iter().enumerate() {
            assert_eq!(cells.len(), width, "the rows of a board are of one length");
            for (column, cell) in cells.iter().enumerate() {
                let spot = geometry.spot(row, column);
                geometry.set(spot, cell.terrain);
                pieces.extend(cell.piece.map(|piece| (spot, piece)));
            }
        }
        Board { geometry: Arc::new(geometry), pieces, turn }
    }

    /// The rows, the top one first.
    pub fn rows(&self) -> Vec<Vec<Cell>> {
        let cell = |spot: Spot| Cell { terrain: self.geometry.terrain(spot), piece: self.at(spot) };
        let spots: Vec<Spot> = (0..self.geometry.len()).collect();
        spots
            .chunks(self.geometry.width())
            .map(|row| row.iter().map(|&spot| cell(spot)).collect())
            .collect()
    }

    /// An empty board.
    pub fn new(geometry: Geometry, turn: Color) -> Board {
        Board { geometry: Arc::new(geometry), pieces: BTreeMap::new(), turn }
    }

    /// The geometry.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Who is to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Sets the side to move.
    pub fn set_turn(&mut self, turn: Color) {
        self.turn = turn;
    }

    /// What stands on a square.
    pub fn at(&self, spot: Spot) -> Option<Piece> {
        self.pieces.get(&spot).copied()
    }

    /// All pieces, in the order of their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Spot, Piece)> {
        self.pieces.iter().map(|(&spot, &piece)| (spot, piece))
    }

    /// How many pieces a side has.
    pub fn count(&self, color: Color) -> usize {
        self.pieces.values().filter(|piece| piece.color == color).count()
    }

    /// Puts a piece on a square, or takes away what stands there; returns what stood there.
    pub fn put(&mut self, spot: Spot, piece: Option<Piece>) -> Option<Piece> {
        match piece {
            Some(piece) => self.pieces.insert(spot, piece),
            None => self.pieces.remove(&spot),
        }
    }

    /// The ordinary board with an ordinary position on it.
    pub fn ordinary(position: &Position) -> Board {
        let (width, height) = (usize::from(Square::FILES), usize::from(Square::RANKS));
        let mut geometry = Geometry::new(width, height, Terrain::Land);
        let spot = |square: Square| {
            (height - 1 - usize::from(square.rank())) * width + usize::from(square.file())
        };
        for square in Square::ALL {
            geometry.set(spot(square), board::terrain(square));
        }
        let mut board = Board::new(geometry, position.turn());
        for (square, piece) in position.pieces() {
            board.put(spot(square), Some(piece));
        }
        board
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.turn == other.turn
            && self.pieces == other.pieces
            && (Arc::ptr_eq(&self.geometry, &other.geometry) || self.geometry == other.geometry)
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.turn.hash(state);
        self.pieces.hash(state);
    }
}
