//! Move notation, coordinate and algebraic: writing moves, and reading them.
//!
//! Two forms are in use. Programs write coordinates, `a3b3`. The papers write the animal's letter
//! and where it goes, `Eb3`, with an `x` when it takes something there, `Txb1`. As each side has at
//! most one animal of a kind, that is never ambiguous, and since a [`Move`] knows its animal and
//! its victim, writing it needs no board. Only the mark `#`, for a move that wins, does.
//!
//! Reading is done against a position and yields legal moves only. It is generous about form:
//! `a3b3`, `a3-b3`, `a3xb3`, `A3B3`, `Eb3`, `eb3`, `Exb3`, `Ea3b3`, each with any of the marks `#`,
//! `+`, `!` and `?` behind it. The number of characters before the square of arrival tells the
//! forms apart: one is a letter, two a square, three a letter and a square, so `dd4` is the dog
//! going to d4 and `d3d4` the piece on d3. It is strict about content: a text with an `x` has to
//! take something.

use std::fmt;

use game::Game;

use crate::legality::{IllegalMove, IllegalReason, adjective, list};
use crate::{Animal, Color, Jungle, Move, Piece, Position, Square};

/// How to write moves.
///
/// ```
/// use jungle::{Jungle, Notation, Position, Rules, parse_move};
///
/// let jungle = Jungle::new(Rules::STANDARD);
/// let position: Position = "7/3C3/7/7/7/7/7/7/6r w".parse()?;
/// let mv = parse_move(&jungle, &position, "Cd9")?;
/// let text = |notation: Notation| notation.write(&jungle, &position, mv);
/// assert_eq!(text(Notation::Coordinates), "d8d9");
/// assert_eq!(text(Notation::Algebraic { marks: false }), "Cd9");
/// assert_eq!(text(Notation::Algebraic { marks: true }), "Cd9#");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `a3b3`, as programs do.
    #[default]
    Coordinates,
    /// `Eb3` and `Txb1`, as the papers do.
    Algebraic {
        /// Whether to write `#` behind a move that wins.
        marks: bool,
    },
}

impl Notation {
    /// A legal move of this position as text.
    pub fn write(self, jungle: &Jungle, position: &Position, mv: Move) -> String {
        match self {
            Notation::Coordinates => mv.to_string(),
            Notation::Algebraic { marks } => {
                let after = || jungle.after(position, mv);
                let wins = || {
                    let winner = jungle.ending(&after()).and_then(|ending| ending.winner);
                    winner == Some(position.turn())
                };
                let mark = if marks && wins() { "#" } else { "" };
                format!("{}{mark}", mv.algebraic())
            }
        }
    }
}

/// A move in the papers' form, `Eb3` or `Txb1`; made by [`Move::algebraic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algebraic(Move);

impl Move {
    /// The move in the papers' form, without marks.
    ///
    /// ```
    /// use jungle::{Animal, Move, Square};
    ///
    /// let from = Square::A1;
    /// let mv = Move { animal: Animal::Tiger, from, to: Square::B1, captured: Some(Animal::Cat) };
    /// assert_eq!(mv.algebraic().to_string(), "Txb1");
    /// ```
    pub const fn algebraic(self) -> Algebraic {
        Algebraic(self)
    }
}

impl fmt::Display for Algebraic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let takes = if self.0.is_capture() { "x" } else { "" };
        write!(f, "{}{takes}{}", self.0.animal.letter(), self.0.to)
    }
}

/// Reads a move in any of the forms, for the side to move.
///
/// ```
/// use jungle::{Jungle, Position, Rules, parse_move};
///
/// let (jungle, start) = (Jungle::new(Rules::STANDARD), Position::start());
/// let mv = parse_move(&jungle, &start, "a3b3")?;
/// assert_eq!(parse_move(&jungle, &start, "Eb3!?"), Ok(mv));
/// let error = parse_move(&jungle, &start, "Wc4").unwrap_err().to_string();
/// assert!(error.contains("the wolf cannot enter the water"));
/// # Ok::<(), jungle::ParseMoveError>(())
/// ```
///
/// # Errors
///
/// Says whether the text is not a move at all, the piece is missing, or the move is illegal and why.
pub fn parse_move(
    jungle: &Jungle,
    position: &Position,
    text: &str,
) -> Result<Move, ParseMoveError> {
    let parts = Parts::read(text).ok_or_else(|| ParseMoveError::NotAMove(text.to_owned()))?;
    let color = position.turn();
    let missing = |animal, square: Option<Square>| {
        let found = square.and_then(|square| position.piece_at(square));
        let pieces = position.pieces().filter(|(_, piece)| piece.color == color);
        let left = pieces.map(|(square, piece)| (piece.animal, square)).collect();
        ParseMoveError::NoSuchPiece(NoSuchPiece { color, animal, square, found, left })
    };
    let from = match (parts.animal, parts.from) {
        (animal, Some(from)) => {
            let mover = position.piece_at(from).filter(|piece| piece.color == color);
            if mover.is_none_or(|piece| animal.is_some_and(|animal| animal != piece.animal)) {
                return Err(missing(animal, Some(from)));
            }
            from
        }
        (Some(animal), None) => {
            position.square_of(color, animal).ok_or_else(|| missing(Some(animal), None))?
        }
        (None, None) => return Err(ParseMoveError::NotAMove(text.to_owned())),
    };
    let mv = jungle.find_move(position, from, parts.to)?;
    if parts.takes && !mv.is_capture() {
        let reason = IllegalReason::WrongVictim { named: None, found: None };
        return Err(jungle.illegal(position, from, parts.to, reason).into());
    }
    Ok(mv)
}

/// Why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoveError {
    /// The text has none of the forms.
    #[error("'{0}' is not a move: write it as a3b3, Eb3 or Exb3")]
    NotAMove(String),
    /// The side to move has no such piece, or not there.
    #[error("{0}")]
    NoSuchPiece(NoSuchPiece),
    /// The piece may not go there.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// A piece that a move names and that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchPiece {
    /// Who is to move.
    pub color: Color,
    /// The animal, if one was named.
    pub animal: Option<Animal>,
    /// The square, if one was named.
    pub square: Option<Square>,
    /// What stands on the square.
    pub found: Option<Piece>,
    /// The pieces that the side does have.
    pub left: Vec<(Animal, Square)>,
}

impl fmt::Display for NoSuchPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.animal.map_or_else(|| "piece".to_owned(), |animal| animal.to_string());
        write!(f, "no {} {kind}", adjective(self.color))?;
        if let Some(square) = self.square {
            write!(f, " on {square}")?;
        }
        if let Some(piece) = self.found {
            write!(f, ", but {piece}")?;
        }
        let left = self.left.iter().map(|(animal, square)| format!("{}{square}", animal.letter()));
        write!(f, "; {}, who is to move, has {}", self.color, list(left, "and"))
    }
}

/// What may stand behind a move: it wins, threatens, is good or bad.
pub(crate) const MARKS: [char; 4] = ['#', '+', '!', '?'];

/// What a text says about a move.
struct Parts {
    animal: Option<Animal>,
    from: Option<Square>,
    takes: bool,
    to: Square,
}

impl Parts {
    fn read(text: &str) -> Option<Parts> {
        let bare = text.trim().trim_end_matches(MARKS);
        // All that follows cuts between bytes.
        if !bare.is_ascii() {
            return None;
        }
        let (head, to) = bare.split_at_checked(bare.len().checked_sub(2)?)?;
        let to = square(to)?;
        let (head, takes) = match head.strip_suffix(['x', 'X']) {
            Some(head) => (head, true),
            None => (head.strip_suffix('-').unwrap_or(head), false),
        };
        let letter = |text: &str| text.chars().next().and_then(Animal::from_letter);
        let (animal, from) = match head.len() {
            1 => (Some(letter(head)?), None),
            2 => (None, Some(square(head)?)),
            3 => (Some(letter(head)?), Some(square(&head[1..])?)),
            _ => return None,
        };
        Some(Parts { animal, from, takes, to })
    }
}

/// A square, its file in either case.
fn square(text: &str) -> Option<Square> {
    text.to_ascii_lowercase().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn parse(fen: &str, text: &str) -> Result<String, String> {
        let jungle = Jungle::new(Rules::STANDARD);
        let position: Position = fen.parse().unwrap();
        parse_move(&jungle, &position, text)
            .map(|mv| format!("{mv:?}"))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn all_forms_are_understood() {
        let start = crate::fen::START;
        for text in [
            "a3b3", "a3-b3", "A3B3", "A3-B3", "Eb3", "eb3", "EB3", "Ea3b3", "Ea3-b3", " Eb3!? ",
            "Eb3#", "Eb3+",
        ] {
            assert_eq!(parse(start, text), Ok("Ea3b3".to_owned()), "{text}");
        }
        let capture = "7/7/7/7/7/7/7/7/Tc5 w";
        for text in ["a1b1", "a1xb1", "a1-b1", "Txb1", "tXB1", "Tb1", "Ta1xb1#"] {
            assert_eq!(parse(capture, text), Ok("Ta1xCb1".to_owned()), "{text}");
        }
    }

    #[test]
    fn letters_that_are_files_too_are_told_apart_by_length() {
        let fen = "6r/7/7/7/7/3D3/2C1E2/7/7 w";
        assert_eq!(parse(fen, "dd5"), Ok("Dd4d5".to_owned()));
        assert_eq!(parse(fen, "d4d5"), Ok("Dd4d5".to_owned()));
        assert_eq!(parse(fen, "cc2"), Ok("Cc3c2".to_owned()));
        assert_eq!(parse(fen, "c3c2"), Ok("Cc3c2".to_owned()));
        assert_eq!(parse(fen, "ee2"), Ok("Ee3e2".to_owned()));
        assert_eq!(parse(fen, "ee3e2"), Ok("Ee3e2".to_owned()));
    }

    #[test]
    fn errors_tell_apart_no_move_no_piece_and_illegal() {
        let start = crate::fen::START;
        let error = |text: &str| parse(start, text).unwrap_err();
        for text in [
            "", "x", "a3", "a3b", "a3b0", "h3a3", "Zb3", "a3--b3", "a3b3b4", "#", "éa3", "a3éb3",
            "鼠b3",
        ] {
            assert!(error(text).contains("is not a move"), "{text}");
        }
        assert!(error("Ec3b3").starts_with("no red elephant on c3, but Red's wolf; Red, who"));
        assert!(error("d5d6").starts_with("no red piece on d5; "));
        assert!(error("a7a6").starts_with("no red piece on a7, but Blue's rat; "));
        assert!(error("Wc4").contains("the wolf cannot enter the water"));
        assert!(error("Exb3").contains("nothing stands there to be taken"));
        assert_eq!(
            parse("7/7/7/7/7/7/7/7/Tc5 w", "Eb3").unwrap_err(),
            "no red elephant; Red, who is to move, has Ta1"
        );
    }

    #[test]
    fn the_winning_mark_is_for_every_way_to_win() {
        let jungle = Jungle::new(Rules::STANDARD);
        let write = |fen: &str, text: &str| {
            let position: Position = fen.parse().unwrap();
            let mv = parse_move(&jungle, &position, text).unwrap();
            Notation::Algebraic { marks: true }.write(&jungle, &position, mv)
        };
        assert_eq!(write("7/7/7/7/7/7/7/7/Tc5 w", "a1b1"), "Txb1#");
        assert_eq!(write("7/7/7/7/7/7/7/7/Tc4e w", "a1b1"), "Txb1");
        assert_eq!(write("7/7/7/7/7/7/L6/7/c1T4 w", "Tb1"), "Tb1");
        assert_eq!(write("7/7/7/7/7/7/1L5/7/c1T4 w", "Lb2"), "Lb2");
        assert_eq!(write("7/7/7/7/7/7/L6/7/cT5 w", "La2"), "La2#");
    }
}
