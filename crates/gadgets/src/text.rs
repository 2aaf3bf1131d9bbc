//! The text format of boards: a drawing, one character per square, rows from the top.
//!
//! ```text
//! ~~.~~      ~ water, . land, w White's trap, b Black's trap, A White's den, B Black's den
//! ~.w.~      R C W D P T L E White's pieces, r c f d p t l e Black's (f, the fox, is Black's wolf:
//! ~wCw~      w is a trap)
//! ~.w.~
//! ~~.~~
//! turn black
//! under c3 w
//! ```
//!
//! After the drawing, `turn` says who moves (White if it does not), and `under` what lies under a
//! piece that does not stand on plain land. Empty lines and what follows a `#` are skipped.

use std::fmt::{self, Write};
use std::str::FromStr;

use jungle::board::Terrain;
use jungle::{Animal, Color, Piece};

use crate::board::Board;
use crate::geometry::Geometry;

/// Boards wider or higher than this are refused.
pub const MAX_SIDE: usize = 4096;

/// Why a text is not a board, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct BoardError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong there, and what would be right.
    #[source]
    pub fault: BoardFault,
}

/// What is wrong with a drawing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardFault {
    /// There is no drawing.
    #[error("no drawing: expected rows of squares such as ~.w.~")]
    Empty,
    /// There are too many rows or columns.
    #[error("a board has at most {MAX_SIDE} rows and columns")]
    TooLarge,
    /// A row is not as long as the first.
    #[error("this row has {found} squares, the first {expected}")]
    Width {
        /// How many squares it has.
        found: usize,
        /// How many the first has.
        expected: usize,
    },
    /// A character that does not stand for terrain or a piece.
    #[error(
        "'{0}' is not a square: expected ~ . w b A B, a White piece R C W D P T L E or a Black one \
         r c f d p t l e"
    )]
    Sign(char),
    /// `turn` without a side.
    #[error("expected 'turn white' or 'turn black'")]
    Turn,
    /// `under` without a square and its terrain.
    #[error("expected a square and its terrain, as in 'under c3 w'")]
    Under,
    /// `under` with a name that is not a square's.
    #[error("'{0}' is not a square of this board")]
    Square(String),
    /// `under` with an empty square.
    #[error("no piece stands on {0}: draw its terrain instead")]
    Unoccupied(String),
    /// `under` with something that is not terrain.
    #[error("'{0}' is not a kind of terrain: expected ~ . w b A B")]
    Terrain(String),
    /// A line after the drawing that is neither `turn` nor `under`.
    #[error("expected 'turn white', 'turn black' or 'under SQUARE TERRAIN'")]
    Remark,
    /// A piece that cannot swim is in the water.
    #[error("{0} stands in the water: only rats swim")]
    InWater(Piece),
    /// A piece is in its own den.
    #[error("{0} stands in its own den")]
    InOwnDen(Piece),
}

/// The sign of a terrain.
pub fn terrain_sign(terrain: Terrain) -> char {
    match terrain {
        Terrain::Land => '.',
        Terrain::Water => '~',
        Terrain::Trap(Color::White) => 'w',
        Terrain::Trap(Color::Black) => 'b',
        Terrain::Den(Color::White) => 'A',
        Terrain::Den(Color::Black) => 'B',
    }
}

/// The terrain with this sign.
pub fn terrain_of(sign: char) -> Option<Terrain> {
    Some(match sign {
        '.' => Terrain::Land,
        '~' => Terrain::Water,
        'w' => Terrain::Trap(Color::White),
        'b' => Terrain::Trap(Color::Black),
        'A' => Terrain::Den(Color::White),
        'B' => Terrain::Den(Color::Black),
        _ => return None,
    })
}

/// The sign of a piece in a drawing.
pub fn piece_sign(piece: Piece) -> char {
    match piece {
        Piece { color: Color::Black, animal: Animal::Wolf } => 'f',
        piece => piece.letter(),
    }
}

/// The piece with this sign in a drawing.
pub fn piece_of(sign: char) -> Option<Piece> {
    match sign {
        'f' => Some(Piece { color: Color::Black, animal: Animal::Wolf }),
        'w' => None,
        sign => Piece::from_letter(sign),
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        let content = |line: &str| line.split('#').next().unwrap_or("").trim_end().to_owned();
        let lines: Vec<(usize, String)> = text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, content(line)))
            .filter(|(_, line)| !line.trim().is_empty())
            .collect();
        let drawn = lines
            .iter()
            .take_while(|(_, line)| !line.starts_with("turn ") && !line.starts_with("under "))
            .count();
        let (drawing, remarks) = lines.split_at(drawn);
        let mut board = read_drawing(drawing, text.lines().count().max(1))?;
        for (line, remark) in remarks {
            read_remark(&mut board, *line, remark)?;
        }
        check(&board, drawing)?;
        Ok(board)
    }
}

fn read_drawing(drawing: &[(usize, String)], last_line: usize) -> Result<Board, BoardError> {
    let error = |line, column, fault| BoardError { line, column, fault };
    let Some((first_line, first)) = drawing.first() else {
        return Err(error(last_line, 1, BoardFault::Empty));
    };
    let width = first.chars().count();
    if width > MAX_SIDE || drawing.len() > MAX_SIDE {
        return Err(error(*first_line, 1, BoardFault::TooLarge));
    }
    let mut board = Board::new(Geometry::new(width, drawing.len(), Terrain::Land), Color::White);
    let mut geometry = board.geometry().clone();
    let mut pieces = Vec::new();
    for (row, (line, signs)) in drawing.iter().enumerate() {
        let length = signs.chars().count();
        if length != width {
            let fault = BoardFault::Width { found: length, expected: width };
            return Err(error(*line, length.min(width) + 1, fault));
        }
        for (column, sign) in signs.chars().enumerate() {
            let spot = geometry.spot(row, column);
            if let Some(terrain) = terrain_of(sign) {
                geometry.set(spot, terrain);
            } else if let Some(piece) = piece_of(sign) {
                pieces.push((spot, piece));
            } else {
                return Err(error(*line, column + 1, BoardFault::Sign(sign)));
            }
        }
    }
    board = Board::new(geometry, board.turn());
    for (spot, piece) in pieces {
        board.put(spot, Some(piece));
    }
    Ok(board)
}

fn read_remark(board: &mut Board, line: usize, remark: &str) -> Result<(), BoardError> {
    let error = |column, fault| BoardError { line, column, fault };
    let words: Vec<&str> = remark.split_whitespace().collect();
    let column = |index: usize| {
        // The words are slices of the remark: their distance from its start is where they stand.
        words.get(index).map_or(remark.chars().count() + 1, |word| {
            let bytes = word.as_ptr() as usize - remark.as_ptr() as usize;
            remark[..bytes].chars().count() + 1
        })
    };
    match words.as_slice() {
        ["turn", "white"] => board.set_turn(Color::White),
        ["turn", "black"] => board.set_turn(Color::Black),
        ["turn", ..] => {
            return Err(error(column(1), BoardFault::Turn));
        }
        ["under", name, sign] => {
            let Some(spot) = board.geometry().find(name) else {
                return Err(error(column(1), BoardFault::Square((*name).to_owned())));
            };
            if board.at(spot).is_none() {
                return Err(error(column(1), BoardFault::Unoccupied((*name).to_owned())));
            }
            let mut signs = sign.chars();
            let terrain = signs.next().filter(|_| signs.next().is_none()).and_then(terrain_of);
            let Some(terrain) = terrain else {
                return Err(error(column(2), BoardFault::Terrain((*sign).to_owned())));
            };
            let pieces: Vec<_> = board.pieces().collect();
            let mut geometry = board.geometry().clone();
            geometry.set(spot, terrain);
            let mut changed = Board::new(geometry, board.turn());
            for (spot, piece) in pieces {
                changed.put(spot, Some(piece));
            }
            *board = changed;
        }
        ["under", ..] => {
            return Err(error(column(words.len().min(3)), BoardFault::Under));
        }
        _ => {
            return Err(error(1, BoardFault::Remark));
        }
    }
    Ok(())
}

/// Only rats swim, and no piece stands in its own den.
fn check(board: &Board, drawing: &[(usize, String)]) -> Result<(), BoardError> {
    for (spot, piece) in board.pieces() {
        let geometry = board.geometry();
        let fault = match geometry.terrain(spot) {
            Terrain::Water if piece.animal != Animal::Rat => BoardFault::InWater(piece),
            Terrain::Den(owner) if owner == piece.color => BoardFault::InOwnDen(piece),
            _ => continue,
        };
        return Err(BoardError {
            line: drawing[geometry.row(spot)].0,
            column: geometry.column(spot) + 1,
            fault,
        });
    }
    Ok(())
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let geometry = self.geometry();
        for row in 0..geometry.height() {
            for column in 0..geometry.width() {
                let spot = geometry.spot(row, column);
                f.write_char(match self.at(spot) {
                    Some(piece) => piece_sign(piece),
                    None => terrain_sign(geometry.terrain(spot)),
                })?;
            }
            f.write_char('\n')?;
        }
        if self.turn() == Color::Black {
            f.write_str("turn black\n")?;
        }
        for (spot, _) in self.pieces() {
            let terrain = geometry.terrain(spot);
            if terrain != Terrain::Land {
                writeln!(f, "under {} {}", geometry.name(spot), terrain_sign(terrain))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use game::rng::Rng;
    use jungle::Position;

    use super::*;

    #[test]
    fn the_ordinary_start_looks_as_expected() {
        let start = Board::ordinary(&Position::start());
        let text = "\
l.bBb.t
.d.b.c.
r.p.f.e
.~~.~~.
.~~.~~.
.~~.~~.
E.W.P.R
.C.w.D.
T.wAw.L
";
        assert_eq!(start.to_string(), text);
        assert_eq!(text.parse(), Ok(start));
    }

    #[test]
    fn random_boards_round_trip() {
        let mut rng = Rng::new(3);
        let signs: Vec<char> = "~.wbABRCWDPTLErcfdptle".chars().collect();
        for _ in 0..300 {
            let (width, height) = (1 + rng.below(6), 1 + rng.below(6));
            let mut text = String::new();
            for _ in 0..height {
                text.extend((0..width).map(|_| signs[rng.below(signs.len())]));
                text.push('\n');
            }
            let mut board: Board = text.parse().unwrap();
            board.set_turn(if rng.below(2) == 0 { Color::White } else { Color::Black });
            let rats: Vec<_> = board.pieces().filter(|(_, p)| p.animal == Animal::Rat).collect();
            for (spot, _) in rats {
                let line = format!("under {} ~", board.geometry().name(spot));
                read_remark(&mut board, 1, &line).unwrap();
            }
            assert_eq!(board.to_string().parse(), Ok(board));
        }
    }

    #[test]
    fn errors_name_line_and_column() {
        let fault = |text: &str| {
            let error = text.parse::<Board>().unwrap_err();
            (error.line, error.column)
        };
        assert_eq!(fault(""), (1, 1));
        assert_eq!(fault("# nothing\n\n"), (2, 1));
        assert_eq!(fault("~.~\n~x~\n"), (2, 2));
        assert_eq!(fault("~.~\n\n~.\n"), (3, 3));
        assert_eq!(fault("~.~\n~.~~\n"), (2, 4));
        assert_eq!(fault("~.~\nturn red\n"), (2, 6));
        assert_eq!(fault("~C~\nunder b1\n"), (2, 9));
        assert_eq!(fault("~C~\nunder b2 w\n"), (2, 7));
        assert_eq!(fault("~C~\nunder b1 x\n"), (2, 10));
        assert_eq!(fault("~C~\nunder b1 ~\n"), (1, 2));
        assert_eq!(fault("~.~\n~C~\nunder b1 A\n"), (2, 2));
        assert_eq!(fault("~C~\nturn white\nmove\n"), (3, 1));
    }
}
