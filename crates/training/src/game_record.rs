//! A game of the engine with itself, as training needs it.

use jungle::{Animal, Color, Jungle, Move, Position, Square, tactics};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Black won.
    Black,
    /// It was drawn, or broken off.
    Drawn,
    /// White won.
    White,
}

impl Ended {
    /// A win of one side, or a draw.
    pub const fn won_by(winner: Option<Color>) -> Ended {
        match winner {
            None => Ended::Drawn,
            Some(Color::White) => Ended::White,
            Some(Color::Black) => Ended::Black,
        }
    }

    /// What it was worth to a side: 1 a win, ½ a draw, 0 a loss.
    pub const fn worth(self, color: Color) -> f32 {
        match (self, color) {
            (Ended::Drawn, _) => 0.5,
            (Ended::White, Color::White) | (Ended::Black, Color::Black) => 1.0,
            _ => 0.0,
        }
    }
}

/// A move of a game, and what the search thought of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The score for the player to move, without the bonus for advancing.
    pub score: i16,
    /// Whether the position is quiet: the best move takes nothing, and nobody threatens to enter the den.
    pub quiet: bool,
}

/// A game: where it began, its moves, how it ended.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Which game it is; everything about it follows from this and the settings of self-play.
    pub number: u64,
    /// Where it began.
    pub start: Position,
    /// The moves.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub ended: Ended,
}

impl GameRecord {
    /// Calls `visit` with every position of the game and the ply played there.
    pub fn for_each(&self, mut visit: impl FnMut(&Position, &Ply)) {
        let mut position = self.start.clone();
        for ply in &self.plies {
            visit(&position, ply);
            position.make(ply.mv);
        }
    }
}

/// The direction of a move, counted from 0: up the board, to the right, down, to the left.
pub(crate) fn direction(mv: Move) -> u8 {
    let (from, to) = (mv.from, mv.to);
    match (to.rank().cmp(&from.rank()), to.file() > from.file()) {
        (std::cmp::Ordering::Greater, _) => 0,
        (std::cmp::Ordering::Equal, true) => 1,
        (std::cmp::Ordering::Less, _) => 2,
        (std::cmp::Ordering::Equal, false) => 3,
    }
}

/// The legal move of an animal in a direction, a step or else a jump.
pub(crate) fn move_towards(
    jungle: &Jungle,
    position: &Position,
    animal: Animal,
    direction: u8,
) -> Option<Move> {
    let from = position.square_of(position.turn(), animal)?;
    let (files, ranks) = [(0, 1), (1, 0), (0, -1), (-1, 0)][usize::from(direction & 3)];
    let reached = |steps: i8| -> Option<Square> { from.offset(files * steps, ranks * steps) };
    // The rivers are two squares wide and three long.
    [1, 3, 4].into_iter().find_map(|steps| tactics::legal(jungle, position, from, reached(steps)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;
    use game::rng::Rng;
    use jungle::Rules;

    #[test]
    fn an_animal_and_a_direction_name_a_move() {
        let mut rng = Rng::new(3);
        for rules in [Rules::STANDARD, Rules::LEIDEN] {
            let jungle = Jungle::new(rules);
            for _ in 0..40 {
                let mut position = Position::start();
                for _ in 0..120 {
                    let moves = jungle.moves(&position);
                    for &mv in &moves {
                        let found = move_towards(&jungle, &position, mv.animal, direction(mv));
                        assert_eq!(found, Some(mv), "{position}");
                    }
                    let Some(&mv) = rng.choose(&moves) else { break };
                    position.make(mv);
                }
            }
        }
    }
}
