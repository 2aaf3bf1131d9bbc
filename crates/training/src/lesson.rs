//! TD(λ) targets: what a position teaches.

use engine::eval::features::SCALE;
use jungle::{Color, Position};

use crate::game_record::GameRecord;

/// A position and its TD target, what its player to move can expect: 1 a win, 0 a loss.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The position.
    pub position: Position,
    /// What to expect.
    pub target: f32,
}

/// The quiet positions of a game with their TD(λ) targets. The search scored each; its score later in the game is
/// better informed, and the result best, but the further away, the more chance is in it. So a position's target is
/// a mean of its own score and the target of the next quiet position (in the end, the result), the latter with the
/// weight λ, from 0 to 1.
pub fn lessons(game: &GameRecord, lambda: f32) -> Vec<Lesson> {
    lessons_by(game, lambda, |_| None)
}

/// The same, where `known` says what some positions are worth to the player to move, as endgame tables do: it is their
/// target, and what earlier positions learn from.
pub fn lessons_by(
    game: &GameRecord,
    lambda: f32,
    known: impl Fn(&Position) -> Option<f32>,
) -> Vec<Lesson> {
    let mut quiet: Vec<(Position, i16)> = Vec::new();
    game.for_each(|position, ply| {
        if ply.quiet {
            quiet.push((position.clone(), ply.score));
        }
    });
    // White's expectation later in the game.
    let mut later = game.ended.worth(Color::White);
    let backwards = quiet.into_iter().rev().map(|(position, score)| {
        let for_us = |worth: f32| if position.turn() == Color::White { worth } else { 1.0 - worth };
        let expected = || lambda * for_us(later) + (1.0 - lambda) * sigmoid(f32::from(score));
        let target = known(&position).unwrap_or_else(expected);
        later = for_us(target);
        Lesson { target, position }
    });
    let mut lessons: Vec<Lesson> = backwards.collect();
    lessons.reverse();
    lessons
}

/// The expected result at a value.
pub(crate) fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value / SCALE).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ended, Ply};
    use game::Game;
    use jungle::{Jungle, Rules};

    #[test]
    fn what_was_thought_later_counts() {
        let jungle = Jungle::new(Rules::STANDARD);
        let start = Position::start();
        let mv = jungle.moves(&start)[0];
        let reply = jungle.moves(&jungle.after(&start, mv))[0];
        let ply = |mv, score| Ply { mv, score, quiet: true };
        let game = GameRecord {
            number: 0,
            start,
            plies: vec![ply(mv, 0), ply(reply, -400)],
            ended: Ended::White,
        };
        // Ten to one, seen from both sides; then how it ended.
        for (lambda, wanted) in [(0.0, [0.5, 0.0909]), (0.5, [0.7273, 0.0455]), (1.0, [1.0, 0.0])] {
            let targets = lessons(&game, lambda).into_iter().map(|lesson| lesson.target);
            assert!(targets.zip(wanted).all(|(is, should)| (is - should).abs() < 1e-3));
        }
        // What is known of the second position, a draw, is what the first one learns from.
        let after = jungle.after(&game.start, mv);
        let drawn = |position: &Position| (*position == after).then_some(0.5);
        let targets = lessons_by(&game, 1.0, drawn).into_iter().map(|lesson| lesson.target);
        assert!(targets.eq([0.5, 0.5]));
    }
}
