//! Burnett's evaluation (material and piece-square tables), updated incrementally.

use jungle::{BurnettEval, Color, Jungle, Move, Piece, Position, Square};

use crate::eval::Evaluator;

/// The sum of [`BurnettEval::piece`] over White's pieces less that over Black's.
#[derive(Clone, Debug, Default)]
pub struct BurnettSum(i32);

impl BurnettSum {
    fn change(position: &Position, mv: Move) -> i32 {
        let us = position.turn();
        let worth =
            |color, animal, square: Square| BurnettEval::piece(Piece { color, animal }, square);
        let mut change = worth(us, mv.animal, mv.to) - worth(us, mv.animal, mv.from);
        if let Some(captured) = mv.captured {
            change += worth(!us, captured, mv.to);
        }
        if us == Color::White { change } else { -change }
    }
}

impl Evaluator for BurnettSum {
    fn reset(&mut self, position: &Position) {
        self.0 = position
            .pieces()
            .map(|(square, piece)| {
                let worth = BurnettEval::piece(piece, square);
                if piece.color == Color::White { worth } else { -worth }
            })
            .sum();
    }

    fn make(&mut self, position: &Position, mv: Move) {
        self.0 += BurnettSum::change(position, mv);
    }

    fn unmake(&mut self, position: &Position, mv: Move) {
        self.0 -= BurnettSum::change(position, mv);
    }

    fn evaluate(&mut self, _: &Jungle, position: &Position) -> i32 {
        if position.turn() == Color::White { self.0 } else { -self.0 }
    }
}
