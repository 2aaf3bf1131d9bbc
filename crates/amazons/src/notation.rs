//! Moves as text: `d1d7/g7` is the amazon from d1 to d7, with an arrow to g7.

use std::fmt;
use std::str::FromStr;

use game::Game;

use crate::{Amazons, Position, Square, player_name};

/// A move: an amazon goes, and shoots from where she arrives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the amazon comes from.
    pub from: Square,
    /// Where she goes.
    pub to: Square,
    /// What the arrow hits.
    pub arrow: Square,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}/{}", self.from, self.to, self.arrow)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a move: expected an amazon's square, where she goes and what her arrow hits, as in \
     d1d7/g7"
)]
pub struct ParseMoveError(String);

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads `d1d7/g7`, and `d1-d7/g7` as some write it.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let read = || {
            let (step, arrow) = text.split_once('/')?;
            // The second letter is where the second square begins.
            let second = step.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase())?.0;
            let (from, to) = step.split_at(second);
            let from = from.strip_suffix('-').unwrap_or(from);
            Some(Move {
                from: from.parse().ok()?,
                to: to.parse().ok()?,
                arrow: arrow.parse().ok()?,
            })
        };
        read().ok_or_else(|| ParseMoveError(text.to_owned()))
    }
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The text is not a move.
    #[error(transparent)]
    Parse(#[from] ParseMoveError),
    /// The player to move has no amazon there.
    #[error("{1} has no amazon on {0}")]
    NoAmazon(Square, &'static str),
    /// An amazon cannot go there.
    #[error("an amazon cannot go from {0} to {1}: she moves along free lines and diagonals")]
    Step(Square, Square),
    /// An arrow cannot go there.
    #[error("an arrow cannot fly from {0} to {1}: it needs a free line or diagonal")]
    Arrow(Square, Square),
}

impl Amazons {
    /// Reads a move and checks that it is legal.
    ///
    /// # Errors
    ///
    /// If the text is not a move, or not a legal one; the error says why.
    pub fn read_move(&self, position: &Position, text: &str) -> Result<Move, IllegalMove> {
        let mv: Move = text.parse()?;
        let player = self.side_to_move(position);
        if !position.amazons(player).contains(mv.from) {
            return Err(IllegalMove::NoAmazon(mv.from, player_name(player)));
        }
        if !mv.from.queen_moves(position.empty()).contains(mv.to) {
            return Err(IllegalMove::Step(mv.from, mv.to));
        }
        if !mv.to.queen_moves(position.empty().with(mv.from)).contains(mv.arrow) {
            return Err(IllegalMove::Arrow(mv.to, mv.arrow));
        }
        Ok(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn moves_come_back_and_only_legal_ones_are_read() {
        let start = Position::start(10, 10).unwrap();
        let legal: HashSet<Move> = Amazons.moves(&start).into_iter().collect();
        for &mv in &legal {
            assert_eq!(Amazons.read_move(&start, &mv.to_string()), Ok(mv));
        }
        let small = Position::start(4, 4).unwrap();
        let legal: HashSet<Move> = Amazons.moves(&small).into_iter().collect();
        let squares: Vec<Square> = small.size().squares().into_iter().collect();
        for &from in &squares {
            for &to in &squares {
                for &arrow in &squares {
                    let mv = Move { from, to, arrow };
                    let read = Amazons.read_move(&small, &mv.to_string());
                    assert_eq!(read.is_ok(), legal.contains(&mv), "{mv}");
                }
            }
        }
    }

    #[test]
    fn bad_moves_are_refused_with_a_reason() {
        let start = Position::start(10, 10).unwrap();
        for (text, complaint) in [
            ("d1d7/g7", ""),
            ("d1-d7/g7", ""),
            ("d1d7", "as in d1d7/g7"),
            ("d1/d7g7", "is not a move"),
            ("d11d7/g7", "is not a move"),
            ("", "is not a move"),
            ("é1d7/g7", "is not a move"),
            ("a7a8/a9", "White has no amazon on a7"),
            ("d1e3/e4", "cannot go from d1 to e3"),
            ("d1d10/d9", "cannot go from d1 to d10"),
            ("d1d7/e9", "cannot fly from d7 to e9"),
            ("d1d7/d1", ""),
        ] {
            match Amazons.read_move(&start, text) {
                Ok(_) => assert_eq!(complaint, "", "{text}"),
                Err(error) => assert!(
                    !complaint.is_empty() && error.to_string().contains(complaint),
                    "{text}: {error}"
                ),
            }
        }
    }
}
