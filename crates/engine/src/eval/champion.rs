//! The champion's evaluation: the weighted [features](super::features), places kept up to date move by
//! move, the rest added up when asked.

use jungle::{Animal, Color, Jungle, Move, Position, Square};

use crate::eval::Evaluator;
use crate::eval::features::{
    FOLDED, FULL_PHASE, HUNTER, OUR_RACE, PAIRS, PLACES, TEMPO, THEIR_RACE, fold, lead, pair, phase,
};
use crate::eval::geometry::GEOMETRY;
use crate::eval::weights::WEIGHTS;

/// The champion's evaluation.
#[derive(Clone, Debug, Default)]
pub struct Champion {
    /// White's places less Black's, in the opening and in the endgame.
    opening: i32,
    endgame: i32,
}

impl Champion {
    #[inline]
    fn add(&mut self, sign: i32, color: Color, animal: Animal, square: Square) {
        let sign = if color == Color::White { sign } else { -sign };
        let place = PLACES + animal.index() * FOLDED + fold(color, square);
        self.opening += sign * i32::from(WEIGHTS[place]);
        self.endgame += sign * i32::from(WEIGHTS[place + Animal::COUNT * FOLDED]);
    }

    fn apply(&mut self, sign: i32, us: Color, mv: Move) {
        self.add(-sign, us, mv.animal, mv.from);
        self.add(sign, us, mv.animal, mv.to);
        if let Some(captured) = mv.captured {
            self.add(-sign, !us, captured, mv.to);
        }
    }
}

impl Evaluator for Champion {
    fn reset(&mut self, position: &Position) {
        *self = Champion::default();
        for (square, piece) in position.pieces() {
            self.add(1, piece.color, piece.animal, square);
        }
    }

    #[inline]
    fn make(&mut self, position: &Position, mv: Move) {
        self.apply(1, position.turn(), mv);
    }

    #[inline]
    fn unmake(&mut self, position: &Position, mv: Move) {
        self.apply(-1, position.turn(), mv);
    }

    fn evaluate(&mut self, _: &Jungle, position: &Position) -> i32 {
        let us = position.turn();
        let geometry = &*GEOMETRY;
        let phase = phase(position);
        let places = (self.opening * phase + self.endgame * (FULL_PHASE - phase)) / FULL_PHASE;
        let mut value = if us == Color::White { places } else { -places };

        let mut theirs = [(Animal::Rat, Square::A1); Animal::COUNT];
        let mut count = 0;
        for animal in Animal::ALL {
            if let Some(square) = position.square_of(!us, animal) {
                theirs[count] = (animal, square);
                count += 1;
            }
        }
        for ours in Animal::ALL {
            let Some(here) = position.square_of(us, ours) else { continue };
            for &(animal, there) in &theirs[..count] {
                let gait = HUNTER[ours.index()][animal.index()];
                let distance = geometry.between(gait, here, there);
                value += i32::from(WEIGHTS[PAIRS + pair(ours, animal, distance)]);
            }
        }
        value
            + i32::from(WEIGHTS[OUR_RACE + lead(geometry, position, us)])
            + i32::from(WEIGHTS[THEIR_RACE + lead(geometry, position, !us)])
            + i32::from(WEIGHTS[TEMPO])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::features;
    use game::Game;
    use game::rng::Rng;
    use jungle::Rules;

    /// The same value straight from the features, the oracle of the fast one; with fractions.
    fn plain(position: &Position) -> f32 {
        let mut value = 0.0;
        features::for_each(position, |feature, amount| {
            value += amount * f32::from(WEIGHTS[feature]);
        });
        value
    }

    #[test]
    fn following_a_game_gives_the_sum_of_the_features() {
        let jungle = Jungle::new(Rules::STANDARD);
        let mut rng = Rng::new(9);
        for _ in 0..30 {
            let mut position = Position::start();
            let mut judge = Champion::default();
            judge.reset(&position);
            let mut made = Vec::new();
            while let Some(&mv) = rng.choose(&jungle.moves(&position)) {
                if made.len() == 150 {
                    break;
                }
                judge.make(&position, mv);
                position.make(mv);
                made.push(mv);
                let value = judge.evaluate(&jungle, &position);
                assert!((value as f32 - plain(&position)).abs() <= 1.5, "{position}");
                let mut flipped = Champion::default();
                flipped.reset(&position.flip());
                assert_eq!(flipped.evaluate(&jungle, &position.flip()), value);
                flipped.reset(&position.mirror());
                assert_eq!(flipped.evaluate(&jungle, &position.mirror()), value);
            }
            for &mv in made.iter().rev() {
                position.unmake(mv);
                judge.unmake(&position, mv);
            }
            assert_eq!((judge.opening, judge.endgame), (0, 0));
        }
    }
}
