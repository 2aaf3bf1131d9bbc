//! Principal variations: a won or lost position played out with best play by both sides.
//!
//! The winner takes the shortest way and the loser the longest; among equals the first in the order of
//! move generation is played, so that a position has one line. Every move has to bring the end one ply
//! nearer. Otherwise the tables contradict each other, which is an error: a line needs no cap on its
//! length.

use game::Game;
use game::truth::Truth;
use jungle::{Move, Position};
use thiserror::Error;

use crate::probe::{ProbeError, Tablebase};
use crate::remedy::Remedy;

/// Best play by both sides from a position to the end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The truth about the first position, for the player to move there.
    pub value: Truth,
    /// The moves to the end of the game: as many as `value` has plies, and none for a draw.
    pub moves: Vec<Move>,
    /// The position after the last move.
    pub last: Position,
}

/// Why a position could not be played out.
#[derive(Debug, Error)]
pub enum LineError {
    /// A table is missing or damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A position is not one ply nearer to the end than the one before it.
    #[error("the tables contradict each other: {position} should be a {expected} but is not")]
    Contradiction {
        /// The position.
        position: Position,
        /// What follows from the positions before it.
        expected: Truth,
    },
}

impl LineError {
    /// What would help, if anything would.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            LineError::Probe(error) => error.remedy(),
            LineError::Contradiction { .. } => Some(Remedy::Verify),
        }
    }
}

impl Tablebase {
    /// Plays a position out with best play by both sides.
    ///
    /// # Errors
    ///
    /// If a table that is needed is missing or damaged, or if the tables contradict each other.
    pub fn line(&self, start: &Position) -> Result<Line, LineError> {
        let value = self.probe(start)?;
        let mut line = Line { value, moves: Vec::new(), last: start.clone() };
        let mut expected = value;
        while let Some(plies) = expected.plies().filter(|&plies| plies > 0) {
            let best = self.probe_moves(&line.last)?.into_iter().next();
            let Some(best) = best.filter(|best| best.value == expected) else {
                return Err(LineError::Contradiction { position: line.last, expected });
            };
            line.moves.push(best.mv);
            self.jungle().make(&mut line.last, best.mv);
            expected = match expected {
                Truth::Win(_) => Truth::Loss(plies - 1),
                Truth::Loss(_) | Truth::Draw => Truth::Win(plies - 1),
            };
        }
        if expected != Truth::Draw && self.jungle().ending(&line.last).is_none() {
            return Err(LineError::Contradiction { position: line.last, expected });
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use jungle::Rules;

    use super::*;
    use crate::cell::Cell;
    use crate::material::{Classes, Material};
    use crate::solved::{Cells, Solver};
    use crate::storage::Memory;
    use crate::table::{Stored, file_name, write};

    /// Tables of two pieces, the value of one position changed from this to that.
    fn tables(rules: &Rules, change: Option<(Truth, Truth)>) -> Tablebase {
        let mut solver = Solver::new(Classes::new(rules, 2));
        let mut files = Memory::default();
        for (at, class) in solver.classes().clone().list().iter().enumerate() {
            let mut solved = (*solver.solve(at)).clone();
            if let (Some((from, to)), Cells::Narrow(cells)) = (change, &mut solved.cells) {
                for cell in cells.white.iter_mut().chain(&mut cells.black) {
                    if cell.value() == from {
                        *cell = u8::from_value(to).unwrap();
                    }
                }
            }
            let bytes = write(rules, class.material, &solved, Stored::USUAL);
            files.insert(file_name(class.material), bytes);
        }
        Tablebase::new(rules, 2, files)
    }

    /// Figure 3 of van Rijn & Vis (2014).
    #[test]
    fn a_line_has_as_many_moves_as_its_value_has_plies() {
        let tablebase = tables(&Rules::LEIDEN, None);
        for (fen, value) in [
            ("7/7/3e3/7/7/7/3E3/7/7 w", Truth::Loss(12)),
            ("t6/7/T6/7/7/7/7/7/7 w", Truth::Win(19)),
            ("d6/7/7/7/7/7/5C1/7/7 w", Truth::Draw),
            ("3C3/7/7/7/7/7/7/7/6r b", Truth::Loss(0)),
        ] {
            let start: Position = fen.parse().unwrap();
            let line = tablebase.line(&start).unwrap();
            assert_eq!(line.value, value, "{fen}");
            assert_eq!(line.moves.len() as u32, value.plies().unwrap_or(0), "{fen}");
            let ending = tablebase.jungle().ending(&line.last);
            assert_eq!(ending.is_some(), value != Truth::Draw, "{fen}");
        }
    }

    #[test]
    fn tables_that_contradict_each_other_are_an_error() {
        let tablebase = tables(&Rules::LEIDEN, Some((Truth::Win(9), Truth::Win(7))));
        let start: Position = "t6/7/T6/7/7/7/7/7/7 w".parse().unwrap();
        assert_eq!(Material::of(&start).to_string(), "T-T");
        match tablebase.line(&start) {
            Err(LineError::Contradiction { expected, .. }) => {
                assert!(expected.plies() >= Some(8), "{expected}");
            }
            other => panic!("{other:?}"),
        }
    }
}
