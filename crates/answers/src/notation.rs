//! Lines of play in both notations.

use game::Game;
use jungle::{Jungle, Move, Notation, Position};

/// A move in algebraic notation, the papers' form: `Eb3`, `Txb1`.
pub fn algebraic(jungle: &Jungle, position: &Position, mv: Move) -> String {
    Notation::Algebraic { marks: true }.write(jungle, position, mv)
}

/// A line of play, as coordinates and in algebraic notation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notated {
    /// `a3b3`, `a7a6`, …
    pub coordinates: Vec<String>,
    /// `Eb3`, `ra6`, …
    pub algebraic: Vec<String>,
}

impl Notated {
    /// Moves made one after another from a position.
    pub fn new(jungle: &Jungle, position: &Position, moves: &[Move]) -> Notated {
        let mut position = position.clone();
        let mut notated = Notated::default();
        for &mv in moves {
            notated.coordinates.push(mv.to_string());
            notated.algebraic.push(algebraic(jungle, &position, mv));
            jungle.make(&mut position, mv);
        }
        notated
    }
}
