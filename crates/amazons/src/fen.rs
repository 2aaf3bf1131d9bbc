//! Forsyth–Edwards notation (FEN) for Amazons: positions as text, in the manner of chess.
//!
//! `3B2B3/10/10/B8B/10/10/W8W/10/10/3W2W3 w`: the ranks from the top, files from a, `W` and `B` for
//! amazons, `x` for arrows, numbers for empty squares; then the side to move. The board is as large
//! as the text says.

use std::fmt;
use std::str::FromStr;

use game::Side;

use crate::{Bitboard, Position, Size, SizeError, Square};

/// The usual start.
pub const START: &str = "3B2B3/10/10/B8B/10/10/W8W/10/10/3W2W3 w";

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseFenError {
    /// There is nothing but white space.
    #[error("the FEN is empty: the starting position is '{START}'")]
    Empty,
    /// There is a board and nothing after it.
    #[error("the FEN lacks the side to move: add ' w' or ' b' after the board")]
    NoTurn,
    /// More than two fields.
    #[error("the FEN has {0} fields: expected the board and the side to move, as in '{START}'")]
    Fields(usize),
    /// The board is too small or too large.
    #[error("the FEN has {files} files and {ranks} ranks: {reason}", reason = SizeError::Range)]
    Size {
        /// How many squares the top rank has.
        files: usize,
        /// How many ranks there are.
        ranks: usize,
    },
    /// A rank is not as long as the top one.
    #[error("rank {rank} of the FEN has {squares} squares, but the top rank has {expected}")]
    Width {
        /// The rank, from 1.
        rank: usize,
        /// How many squares it has.
        squares: usize,
        /// How many the top rank has.
        expected: usize,
    },
    /// A character that means nothing.
    #[error(
        "'{found}' on rank {rank} of the FEN means nothing: expected W or B for an amazon, x for an \
         arrow, or a number of empty squares"
    )]
    Character {
        /// The rank, from 1.
        rank: usize,
        /// The character.
        found: char,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("the side to move is '{0}': expected w (White) or b (Black)")]
    Turn(String),
}

#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Amazon(Side),
    Arrow,
    Empty,
}

impl FromStr for Position {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Position, ParseFenError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (board, turn) = match fields[..] {
            [board, turn] => (board, turn),
            [] => return Err(ParseFenError::Empty),
            [_] => return Err(ParseFenError::NoTurn),
            _ => return Err(ParseFenError::Fields(fields.len())),
        };
        let turn = match turn {
            "w" => Side::First,
            "b" => Side::Second,
            _ => return Err(ParseFenError::Turn(turn.to_owned())),
        };
        let ranks = board.split('/').count();
        let mut rows = Vec::new();
        for (row, rank) in board.split('/').zip((1..=ranks).rev()) {
            rows.push(parse_rank(row, rank)?);
        }
        let files = rows[0].len();
        let size = match (u8::try_from(files), u8::try_from(ranks)) {
            (Ok(files), Ok(ranks)) => Size::new(files, ranks).ok(),
            _ => None,
        };
        let size = size.ok_or(ParseFenError::Size { files, ranks })?;
        for (row, rank) in rows.iter().zip((1..=ranks).rev()) {
            if row.len() != files {
                return Err(ParseFenError::Width { rank, squares: row.len(), expected: files });
            }
        }
        let collect = |wanted: Cell| -> Bitboard {
            rows.iter()
                .rev()
                .zip(0..)
                .flat_map(|(row, rank)| {
                    row.iter().zip(0..).map(move |(cell, file)| (cell, file, rank))
                })
                .filter(|&(&cell, _, _)| cell == wanted)
                .filter_map(|(_, file, rank)| Square::new(file, rank))
                .collect()
        };
        let [white, black] = [Side::First, Side::Second].map(|who| collect(Cell::Amazon(who)));
        Ok(Position::new(size, white, black, collect(Cell::Empty), turn)
            .expect("every square was read once, on a board of this size"))
    }
}

fn parse_rank(row: &str, rank: usize) -> Result<Vec<Cell>, ParseFenError> {
    let mut cells = Vec::new();
    let mut rest = row;
    while let Some(found) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let count = rest[..digits].parse::<usize>().ok();
            match count.filter(|count| (1..=usize::from(Square::MAX)).contains(count)) {
                Some(count) => cells.resize(cells.len() + count, Cell::Empty),
                None => return Err(ParseFenError::Character { rank, found }),
            }
            rest = &rest[digits..];
            continue;
        }
        cells.push(match found {
            'W' => Cell::Amazon(Side::First),
            'B' => Cell::Amazon(Side::Second),
            'x' => Cell::Arrow,
            _ => return Err(ParseFenError::Character { rank, found }),
        });
        rest = &rest[found.len_utf8()..];
    }
    Ok(cells)
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        for rank in (0..size.ranks()).rev() {
            let mut empty = 0;
            for square in (0..size.files()).filter_map(|file| Square::new(file, rank)) {
                if self.empty().contains(square) {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                f.write_str(if self.amazons(Side::First).contains(square) {
                    "W"
                } else if self.amazons(Side::Second).contains(square) {
                    "B"
                } else {
                    "x"
                })?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        f.write_str(if self.turn() == Side::First { " w" } else { " b" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starts_come_back() {
        assert_eq!(Position::start(10, 10).unwrap().to_string(), START);
        assert_eq!(Position::start(8, 8).unwrap().to_string(), "2B2B2/8/B6B/8/8/W6W/8/2W2W2 w");
        assert_eq!(Position::start(4, 4).unwrap().to_string(), "1BB1/B2B/W2W/1WW1 w");
        for (files, ranks) in (4..=10).flat_map(|files| (4..=10).map(move |ranks| (files, ranks))) {
            let start = Position::start(files, ranks).unwrap();
            assert_eq!(start.all_amazons().len(), 8);
            assert_eq!(start.to_string().parse(), Ok(start));
        }
    }

    #[test]
    fn bad_text_is_refused_with_a_remedy() {
        for (text, complaint) in [
            ("", "the starting position is"),
            ("4/4/4/4", "add ' w'"),
            ("4/4/4/4 w w", "3 fields"),
            ("4/4/4/4 white", "expected w (White)"),
            ("4/4/4 w", "4 to 10"),
            ("11/4/4/4 w", "'1' on rank 4"),
            ("9W1/4/4/4 w", "4 to 10"),
            ("4/4/5/4 w", "rank 2 of the FEN has 5 squares"),
            ("4/4/3q/4 w", "'q' on rank 2"),
            ("4/4/04/4 w", "rank 2"),
            ("4/4/0/4 w", "'0' on rank 2"),
            ("é3/4/4/4 w", "'é'"),
            ("4/4/99999999999999999999999/4 w", "'9'"),
            ("/// w", "0 files"),
        ] {
            match text.parse::<Position>() {
                Ok(_) if text == "4/4/04/4 w" => {} // a leading zero is odd but clear
                Ok(position) => panic!("{text} was read as {position}"),
                Err(error) => assert!(error.to_string().contains(complaint), "{text}: {error}"),
            }
        }
    }
}
