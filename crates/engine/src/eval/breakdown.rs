//! What each piece contributes to the evaluation, by ablation: the value of the position less its value without the
//! piece.
//!
//! A feature or a unit of the network belongs to several pieces at once, so the contributions do not add up to the
//! value. The same piece can be worth little or much: a rat whose elephant to hunt is gone, a lion that races to the den.

use std::sync::Arc;

use jungle::{Color, Jungle, Piece, Position, Square};

use crate::engine::Options;
use crate::eval::{BurnettSum, Champion, Evaluation, Evaluator, Networked};

/// The value of a position and the contributions of its pieces, for White, in hundredths of about a cat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// The value of the whole.
    pub value: i32,
    /// Every piece, where it stands, and what it contributes: positive is good for White.
    pub pieces: Vec<(Square, Piece, i32)>,
}

impl Breakdown {
    /// By the evaluation, weights and network of these options.
    pub fn of(options: &Options, jungle: &Jungle, position: &Position) -> Breakdown {
        let rules = jungle.rules();
        match options.evaluation {
            Evaluation::Champion => match options.network() {
                Some(network) => {
                    let judge = Networked::new(rules, options.weights.clone(), Arc::clone(network));
                    Breakdown::by(judge, jungle, position)
                }
                None => {
                    let judge = Champion::new(rules, options.weights.clone());
                    Breakdown::by(judge, jungle, position)
                }
            },
            Evaluation::Burnett => Breakdown::by(BurnettSum::default(), jungle, position),
        }
    }

    fn by(mut judge: impl Evaluator, jungle: &Jungle, position: &Position) -> Breakdown {
        let mut for_white = |position: &Position| {
            judge.reset(position);
            let value = judge.evaluate(jungle, position);
            if position.turn() == Color::White { value } else { -value }
        };
        let value = for_white(position);
        let all: Vec<(Square, Piece)> = position.pieces().collect();
        let pieces = all.iter().filter_map(|&(square, piece)| {
            let others = all.iter().copied().filter(|&(other, _)| other != square);
            let without = Position::from_pieces(others, position.turn()).ok()?;
            Some((square, piece, value - for_white(&without)))
        });
        Breakdown { value, pieces: pieces.collect() }
    }

    /// The contributions where the pieces stand, White's den at the bottom, a line a rank.
    pub fn board(&self) -> String {
        let mut text = String::new();
        for rank in (0..9).rev() {
            for file in 0..7 {
                let here = |(square, ..): &&(Square, Piece, i32)| square.index() == rank * 7 + file;
                let cell = match self.pieces.iter().find(here) {
                    Some((_, piece, value)) => format!("{}{value:+}", piece.letter()),
                    None => "·".to_owned(),
                };
                text.push_str(&format!("{cell:>7}"));
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Correction;
    use crate::eval::features::{self, USUAL};
    use jungle::Rules;

    #[test]
    fn contributions_are_differences_and_change_sign_with_the_colours() {
        let jungle = Jungle::new(Rules::STANDARD);
        let options = Options { network: Correction::Off, ..Options::default() };
        let position: Position = "l5t/5c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w".parse().unwrap();
        let whole = Breakdown::of(&options, &jungle, &position);
        assert_eq!(whole.pieces.len(), 15);
        let flipped = Breakdown::of(&options, &jungle, &position.flip());
        assert_eq!(flipped.value, -whole.value);
        for (square, piece, value) in &whole.pieces {
            let there = |(at, ..): &&(Square, Piece, i32)| *at == square.rotate();
            assert_eq!(flipped.pieces.iter().find(there).unwrap().2, -value, "{piece}");
            // By the features themselves, which the evaluation sums faster.
            let others: Vec<_> = position.pieces().filter(|(other, _)| other != square).collect();
            let without = Position::from_pieces(others, position.turn()).unwrap();
            let sum = |position: &Position| {
                let mut sum = 0.0;
                features::for_each(jungle.rules(), position, |feature, amount| {
                    sum += amount * f32::from(USUAL[feature]);
                });
                sum
            };
            assert!((sum(&position) - sum(&without) - *value as f32).abs() <= 3.0, "{piece}");
        }
        let board = whole.board();
        assert_eq!(board.lines().count(), 9);
        assert!(board.lines().next().unwrap().trim_start().starts_with("l-"), "{board}");
    }

    #[test]
    fn the_evaluation_chosen_is_the_one_explained() {
        let jungle = Jungle::new(Rules::TUFTS);
        let position: Position = "l5t/7/4w2/7/7/7/E6/7/T5L b".parse().unwrap();
        let of = |evaluation| {
            Breakdown::of(&Options { evaluation, ..Options::default() }, &jungle, &position)
        };
        assert_ne!(of(Evaluation::Champion), of(Evaluation::Burnett));
    }
}
