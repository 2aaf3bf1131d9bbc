//! The champion's evaluation: the weighted [features](super::features), places updated move by
//! move, the rest computed when needed.

use std::sync::Arc;

use jungle::{Animal, Color, Jungle, Move, Position, Rules, Square};

use crate::eval::Evaluator;
use crate::eval::features::{
    FOLDED, FULL_PHASE, HUNTER, OUR_RACE, PAIRS, PLACES, Race, THEIR_RACE, Weights, fold, lead,
    pair, phase,
};
use crate::eval::geometry::{GEOMETRY, Gait};
use crate::eval::weights::WEIGHTS;

/// The champion's evaluation.
#[derive(Clone, Debug)]
pub struct Champion {
    /// Says which of wolf and dog is which: weights are by strength, not by name.
    rules: Rules,
    /// In place of the usual ones.
    weights: Option<Arc<Weights>>,
    /// White's places less Black's, in the opening and in the endgame.
    opening: i32,
    endgame: i32,
}

impl Champion {
    /// For games under these rules, with these weights or the usual ones.
    pub fn new(rules: &Rules, weights: Option<Arc<Weights>>) -> Champion {
        Champion { rules: *rules, weights, opening: 0, endgame: 0 }
    }

    #[inline]
    pub(super) fn weights(&self) -> &Weights {
        self.weights.as_deref().unwrap_or(&WEIGHTS)
    }

    #[inline]
    fn add(&mut self, sign: i32, color: Color, animal: Animal, square: Square) {
        let sign = if color == Color::White { sign } else { -sign };
        let place = PLACES + self.rules.by_strength(animal).index() * FOLDED + fold(color, square);
        let weights = self.weights();
        let (opening, endgame) = (weights[place], weights[place + Animal::COUNT * FOLDED]);
        self.opening += sign * i32::from(opening);
        self.endgame += sign * i32::from(endgame);
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
        (self.opening, self.endgame) = (0, 0);
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
        evaluate(self, position)
    }
}

game::multiversion! {
    fn evaluate(champion: &Champion, position: &Position) -> i32 = Champion::value;
}

impl Champion {
    /// The places of the pieces, for the player to move.
    #[inline(always)]
    fn places(&self, position: &Position) -> i32 {
        let phase = phase(position);
        let places = (self.opening * phase + self.endgame * (FULL_PHASE - phase)) / FULL_PHASE;
        if position.turn() == Color::White { places } else { -places }
    }

    #[inline(always)]
    fn value(&self, position: &Position) -> i32 {
        let weights = self.weights();
        let us = position.turn();
        let geometry = &*GEOMETRY;
        let mut value = self.places(position);

        let (mut our_race, mut their_race) = (Race::default(), Race::default());
        let mut theirs = [(Animal::Rat, Square::A1); Animal::COUNT];
        let mut count = 0;
        for animal in Animal::ALL {
            if let Some(square) = position.square_of(!us, animal) {
                theirs[count] = (self.rules.by_strength(animal), square);
                count += 1;
                let gait = Gait::of(animal);
                our_race.defend(geometry.to_traps(gait, !us, square));
                their_race.run(geometry.to_den(gait, us, square));
            }
        }
        for ours in Animal::ALL {
            let Some(here) = position.square_of(us, ours) else { continue };
            let gait = Gait::of(ours);
            our_race.run(geometry.to_den(gait, !us, here));
            their_race.defend(geometry.to_traps(gait, us, here));
            let ours = self.rules.by_strength(ours);
            for &(animal, there) in &theirs[..count] {
                let gait = HUNTER[ours.index()][animal.index()];
                let distance = geometry.between(gait, here, there);
                value += i32::from(weights[PAIRS + pair(ours, animal, distance)]);
            }
        }
        value
            + i32::from(weights[OUR_RACE + our_race.lead()])
            + i32::from(weights[THEIR_RACE + their_race.lead()])
    }

    /// The value without the pairs, for who keeps their sum up to date.
    #[inline]
    pub(super) fn without_pairs(&self, position: &Position) -> i32 {
        let (us, weights) = (position.turn(), self.weights());
        self.places(position)
            + i32::from(weights[OUR_RACE + lead(&GEOMETRY, position, us)])
            + i32::from(weights[THEIR_RACE + lead(&GEOMETRY, position, !us)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::features;
    use game::Game;
    use game::rng::Rng;

    /// The same value straight from the features, the oracle of the fast one; with fractions.
    fn plain(rules: &Rules, position: &Position) -> f32 {
        let mut value = 0.0;
        features::for_each(rules, position, |feature, amount| {
            value += amount * f32::from(WEIGHTS[feature]);
        });
        value
    }

    #[test]
    fn following_a_game_gives_the_sum_of_the_features() {
        let mut rng = Rng::new(9);
        for rules in [Rules::STANDARD, Rules::TUFTS].repeat(15) {
            let jungle = Jungle::new(rules);
            let mut position = Position::start();
            let mut judge = Champion::new(&rules, None);
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
                assert!((value as f32 - plain(&rules, &position)).abs() <= 1.5, "{position}");
                let mut flipped = Champion::new(&rules, None);
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

    #[test]
    fn what_the_stronger_of_wolf_and_dog_is_called_does_not_matter() {
        let value = |rules: Rules, fen: &str| {
            let position = fen.parse().unwrap();
            let mut judge = Champion::new(&rules, None);
            judge.reset(&position);
            judge.evaluate(&Jungle::new(rules), &position)
        };
        let wolf_up = "l5t/5c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";
        let dog_up = "l5t/5c1/r1p1d1e/7/7/7/E1D1P1R/1C3W1/T5L w";
        assert_eq!(value(Rules::STANDARD, wolf_up), value(Rules::TUFTS, dog_up));
        assert_ne!(value(Rules::STANDARD, wolf_up), value(Rules::STANDARD, dog_up));
    }
}
