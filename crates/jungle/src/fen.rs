//! Forsyth–Edwards notation (FEN): positions as text, in the form that public Jungle programs
//! share.
//!
//! `l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1`: ranks 9 to 1, files a to g, upper case
//! for White, digits for empty squares; the side to move; two fields kept for the likeness to
//! chess; plies since the last capture; the number of the move. Six fields are written; two (board
//! and side) or four are read too, as are `r` (red) for White's turn and `j` for the panther.

use std::fmt;
use std::str::FromStr;

use crate::{Color, Piece, Setup, Square};

/// The usual starting position.
pub const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1";

/// Why a text is not a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseFenError {
    /// There is nothing but white space.
    #[error("the FEN is empty: the starting position is '{START}'")]
    Empty,
    /// There is a board and nothing after it.
    #[error("the FEN lacks the side to move: add ' w' or ' b' after the board")]
    NoTurn,
    /// Not 2, 4 or 6 fields.
    #[error("the FEN has {0} fields: expected 2, 4 or 6, as in '{START}'")]
    Fields(usize),
    /// Not nine ranks.
    #[error("the FEN has {0} ranks: nine ranks expected, separated by '/'")]
    Ranks(usize),
    /// A rank does not have seven squares.
    #[error("rank {rank} of the FEN has {squares} squares: expected 7")]
    Width {
        /// The rank, 1 to 9.
        rank: u8,
        /// How many squares it has.
        squares: u32,
    },
    /// A character that does not stand for a piece.
    #[error(
        "'{found}' on rank {rank} of the FEN is not a piece: expected one of RCWDPTLE, upper case \
         for Red, or a number of empty squares from 1 to 7"
    )]
    Piece {
        /// The rank, 1 to 9.
        rank: u8,
        /// The character.
        found: char,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("the side to move is '{0}': expected w (Red, who moves first) or b (Blue)")]
    Turn(String),
    /// A field that should be `-` is not.
    #[error("the third and fourth fields of the FEN are '-', not '{0}'")]
    Dash(String),
    /// A counter is not a number.
    #[error(
        "'{0}' is not a counter: the fifth field of the FEN counts plies since the last capture, \
         the sixth is the move number"
    )]
    Counter(String),
}

impl FromStr for Setup {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Setup, ParseFenError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (board, turn, rest) = match fields.as_slice() {
            [board, turn, rest @ ..] if matches!(rest.len(), 0 | 2 | 4) => (board, turn, rest),
            [] => return Err(ParseFenError::Empty),
            [_] => return Err(ParseFenError::NoTurn),
            _ => return Err(ParseFenError::Fields(fields.len())),
        };
        let mut setup = Setup::empty();
        parse_board(board, &mut setup)?;
        setup.turn = match *turn {
            "w" | "r" => Color::White,
            "b" => Color::Black,
            _ => return Err(ParseFenError::Turn((*turn).to_owned())),
        };
        if let Some(found) = rest.iter().take(2).find(|field| **field != "-") {
            return Err(ParseFenError::Dash((*found).to_owned()));
        }
        if let [_, _, quiet, number] = rest {
            let counter =
                |field: &str| field.parse().map_err(|_| ParseFenError::Counter(field.to_owned()));
            setup.quiet_plies = counter(quiet)?;
            setup.move_number = counter(number)?;
        }
        Ok(setup)
    }
}

fn parse_board(text: &str, setup: &mut Setup) -> Result<(), ParseFenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != Square::RANKS as usize {
        return Err(ParseFenError::Ranks(ranks.len()));
    }
    for (row, rank) in ranks.into_iter().zip((0..Square::RANKS).rev()) {
        let mut file: u32 = 0;
        for found in row.chars() {
            if let Some(empty @ 1..=7) = found.to_digit(10) {
                file += empty;
                continue;
            }
            let piece =
                Piece::from_letter(found).ok_or(ParseFenError::Piece { rank: rank + 1, found })?;
            if let Some(square) = u8::try_from(file).ok().and_then(|file| Square::new(file, rank)) {
                setup.board[square.index()] = Some(piece);
            }
            file += 1;
        }
        if file != u32::from(Square::FILES) {
            return Err(ParseFenError::Width { rank: rank + 1, squares: file });
        }
    }
    Ok(())
}

/// The FEN, with all six fields.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, squares) in self.board.chunks(Square::FILES as usize).rev().enumerate() {
            if row > 0 {
                f.write_str("/")?;
            }
            for run in squares.chunk_by(|left, right| left.is_none() && right.is_none()) {
                match run[0] {
                    Some(piece) => write!(f, "{}", piece.letter())?,
                    None => write!(f, "{}", run.len())?,
                }
            }
        }
        write!(f, " {} - - {} {}", self.turn.letter(), self.quiet_plies, self.move_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Setup>().unwrap_err().to_string()
    }

    #[test]
    fn start_round_trips() {
        let setup: Setup = START.parse().unwrap();
        assert_eq!(setup.to_string(), START);
        assert_eq!(setup.pieces().count(), 16);
    }

    #[test]
    fn other_dialects_are_understood() {
        let board = "l5t/1d3c1/r1j1w1e/7/7/7/E1W1J1R/1C3D1/T5L";
        for tail in [" w", " r", " w - -", "  r - - 0 1 "] {
            assert_eq!(format!("{board}{tail}").parse(), Ok(START.parse::<Setup>().unwrap()));
        }
    }

    #[test]
    fn errors_name_the_fault() {
        assert!(error("").contains("empty"));
        assert!(error("7/7/7/7/7/7/7/7/7").contains("side to move"));
        assert!(error("7/7/7/7/7/7/7/7 w").contains("nine ranks expected"));
        assert!(error("7/7/7/7/7/7/7/7/6 w").contains("rank 1 of the FEN has 6 squares"));
        assert!(error("7/7/7/7/7/7/7/7/RRRRRRRRRRRRRR w").contains("has 14 squares"));
        assert!(error("7/7/7/7/7/7/7/6x/7 w").contains("'x' on rank 2"));
        assert!(error("7/7/7/7/7/7/7/8/7 w").contains("'8' on rank 2"));
        assert!(error("7/7/7/7/7/7/7/7/7 white").contains("'white'"));
        assert!(error("7/7/7/7/7/7/7/7/7 w -").contains("3 fields"));
        assert!(error("7/7/7/7/7/7/7/7/7 w KQ - 0 1").contains("'KQ'"));
        assert!(error("7/7/7/7/7/7/7/7/7 w - - -1 1").contains("'-1'"));
    }
}
