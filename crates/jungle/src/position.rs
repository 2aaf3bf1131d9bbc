//! Positions: the placement of the pieces and the side to move.
//!
//! All that the rest of a game depends on is here. Counters and earlier positions, which only
//! repetition and move limits look at, belong to a game being played ([`Play`](crate::Play)), not
//! to a position.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::board::{DENS, WATER};
use crate::fen::ParseFenError;
use crate::moves::Move;
use crate::zobrist;
use crate::{Animal, AnimalSet, Bitboard, ByColor, Color, Piece, Setup, SetupError, Square, fen};

/// A checked position: a set of squares for each animal and each side, and the side to move.
///
/// ```
/// use jungle::{Animal, Color, Position, Square};
///
/// let position = Position::start();
/// assert_eq!(position.turn(), Color::White);
/// assert_eq!(position.square_of(Color::Black, Animal::Elephant), Some(Square::G7));
/// let endgame: Position = "7/7/3e3/7/7/7/3E3/7/7 w - - 0 1".parse()?;
/// assert_eq!(endgame.occupied().len(), 2);
/// # Ok::<(), jungle::ParsePositionError>(())
/// ```
#[derive(Clone)]
pub struct Position {
    /// The squares of each animal, of both sides.
    animals: [Bitboard; Animal::COUNT],
    /// The squares of each side, of all animals.
    sides: ByColor<Bitboard>,
    key: u64,
    turn: Color,
}

impl Position {
    /// The usual starting position.
    pub fn start() -> Position {
        fen::START.parse().expect("the start is a position")
    }

    /// A position from pieces on distinct squares, checked as [`Setup::position`] does but without
    /// a board in between, for enumerating positions by the hundred million.
    ///
    /// ```
    /// use jungle::{Animal, Color, Piece, Position, Square};
    ///
    /// let elephant = |color| Piece { color, animal: Animal::Elephant };
    /// let pieces = [(Square::D3, elephant(Color::White)), (Square::D7, elephant(Color::Black))];
    /// let position = Position::from_pieces(pieces, Color::White)?;
    /// assert_eq!(position, "7/7/3e3/7/7/7/3E3/7/7 w".parse().unwrap());
    /// # Ok::<(), jungle::SetupError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Names a fault. Of two pieces on one square, the later one replaces the earlier.
    #[inline]
    pub fn from_pieces<I>(pieces: I, turn: Color) -> Result<Position, SetupError>
    where
        I: IntoIterator<Item = (Square, Piece), IntoIter: Clone>,
    {
        let pieces = pieces.into_iter();
        let key = if turn == Color::Black { zobrist::BLACK_TO_MOVE } else { 0 };
        let mut position =
            Position { animals: Default::default(), sides: ByColor::default(), key, turn };
        let mut plain = true;
        for (square, piece) in pieces.clone() {
            let swims = piece.animal == Animal::Rat;
            let twin = position.animals[piece.animal.index()] & position.sides[piece.color];
            plain &= !position.occupied().contains(square)
                && twin.is_empty()
                && !DENS.contains(square)
                && (swims || !WATER.contains(square));
            position.animals[piece.animal.index()] |= square.bitboard();
            position.sides[piece.color] |= square.bitboard();
            position.key ^= zobrist::piece(piece, square);
        }
        if plain && position.occupied().any() {
            return Ok(position);
        }
        // Something is unusual: the slow path decides whether it is a fault, and which.
        let mut setup = Setup { turn, ..Setup::empty() };
        for (square, piece) in pieces {
            setup.board[square.index()] = Some(piece);
        }
        setup.position()
    }

    /// A position from pieces that have been checked (see [`Setup::position`]).
    pub(crate) fn from_checked(
        pieces: impl Iterator<Item = (Square, Piece)>,
        turn: Color,
    ) -> Position {
        let mut position =
            Position { animals: Default::default(), sides: ByColor::default(), key: 0, turn };
        for (square, piece) in pieces {
            position.animals[piece.animal.index()] |= square.bitboard();
            position.sides[piece.color] |= square.bitboard();
        }
        position.key = position.fresh_key();
        position
    }

    /// Who is to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The squares of one side.
    #[inline]
    pub fn side(&self, color: Color) -> Bitboard {
        self.sides[color]
    }

    /// The squares of one animal, of both sides.
    #[inline]
    pub fn animal(&self, animal: Animal) -> Bitboard {
        self.animals[animal.index()]
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sides.white | self.sides.black
    }

    /// Where a side's animal stands, if it is still on the board.
    #[inline]
    pub fn square_of(&self, color: Color, animal: Animal) -> Option<Square> {
        (self.animal(animal) & self.side(color)).first()
    }

    /// The animals that a side still has.
    pub fn animals_of(&self, color: Color) -> AnimalSet {
        let left = |animal: &Animal| self.animal(*animal).intersects(self.side(color));
        Animal::ALL.into_iter().filter(left).collect()
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL.into_iter().find(|&color| self.side(color).contains(square))?;
        Some(Piece { color, animal: self.animal_at(square)? })
    }

    /// Which animal, of either side, stands on a square.
    #[inline]
    pub fn animal_at(&self, square: Square) -> Option<Animal> {
        Animal::ALL.into_iter().find(|&animal| self.animal(animal).contains(square))
    }

    /// All pieces with their squares, from a1 along the ranks.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The Zobrist key: equal positions have equal keys, others almost surely different ones.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The Zobrist key computed from scratch.
    pub fn fresh_key(&self) -> u64 {
        let side = if self.turn == Color::Black { zobrist::BLACK_TO_MOVE } else { 0 };
        self.pieces().fold(side, |key, (square, piece)| key ^ zobrist::piece(piece, square))
    }

    /// The position with the other side to move. Not a move: for analysis, and for estimates
    /// about tempo.
    #[must_use]
    pub fn with_turn(&self, turn: Color) -> Position {
        let mut position = self.clone();
        if turn != self.turn {
            position.turn = turn;
            position.key ^= zobrist::BLACK_TO_MOVE;
        }
        position
    }

    /// The position on the other wing: files a and g, b and f, c and e change places.
    #[must_use]
    pub fn mirror(&self) -> Position {
        let pieces = self.pieces().map(|(square, piece)| (square.mirror(), piece));
        Position::from_checked(pieces, self.turn)
    }

    /// The position with the colours exchanged and the board turned round, so that it is the same
    /// game seen from the other side of the board.
    #[must_use]
    pub fn flip(&self) -> Position {
        let pieces = self.pieces().map(|(square, Piece { color, animal })| {
            (square.rotate(), Piece { color: !color, animal })
        });
        Position::from_checked(pieces, !self.turn)
    }

    /// Moves a piece and passes the turn. The move must come from this position.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        self.toggle(mv, self.turn);
        self.turn = !self.turn;
    }

    /// Takes back the move just made.
    #[inline]
    pub fn unmake(&mut self, mv: Move) {
        self.turn = !self.turn;
        self.toggle(mv, self.turn);
    }

    /// Making and unmaking are the same: every square and key that changes is flipped.
    #[inline]
    fn toggle(&mut self, mv: Move, us: Color) {
        let path = Bitboard(mv.from.bitboard().0 | mv.to.bitboard().0);
        self.animals[mv.animal.index()] ^= path;
        self.sides[us] ^= path;
        let mover = Piece { color: us, animal: mv.animal };
        self.key ^=
            zobrist::BLACK_TO_MOVE ^ zobrist::piece(mover, mv.from) ^ zobrist::piece(mover, mv.to);
        if let Some(animal) = mv.captured {
            self.animals[animal.index()] ^= mv.to.bitboard();
            self.sides[!us] ^= mv.to.bitboard();
            self.key ^= zobrist::piece(Piece { color: !us, animal }, mv.to);
        }
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        // The key follows from the rest; comparing it first settles almost every inequality.
        self.key == other.key
            && self.turn == other.turn
            && self.sides == other.sides
            && self.animals == other.animals
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

/// The FEN, with the counters of a new game.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// Why a text is not a position: it is not a FEN, or it describes an impossible board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// The text is not a FEN.
    #[error(transparent)]
    Fen(#[from] ParseFenError),
    /// The board is impossible.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Reads a FEN and drops its counters; parse a [`Setup`] to keep them.
impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        Ok(text.parse::<Setup>()?.position()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_its_own_flip() {
        let start = Position::start();
        assert_eq!(start.flip(), start.with_turn(Color::Black));
        assert_ne!(start.mirror(), start);
        assert_eq!(start.mirror().mirror(), start);
    }

    #[test]
    fn impossible_boards_are_refused_with_a_reason() {
        let error = |fen: &str| fen.parse::<Position>().unwrap_err().to_string();
        assert_eq!(
            error("7/7/7/1w5/7/7/7/7/R6 w"),
            "Blue's wolf is in the water on b6: only rats swim"
        );
        assert_eq!(
            error("7/7/7/7/7/7/7/7/3C2r w"),
            "Red's cat is in its own den on d1: no piece may enter it"
        );
        assert!(error("7/7/7/7/7/7/C6/7/C5r w").starts_with("Red has two cats, on a1 and a3"));
        assert!(error("7/7/7/7/7/7/w6/7/w5R w").starts_with("Blue has two wolves"));
        assert!(error("3C3/7/7/7/7/7/7/7/3c3 w").starts_with("both dens"));
        assert!(error("7/7/7/7/7/7/7/7/7 w").starts_with("there are no pieces"));
    }

    #[test]
    fn pieces_are_checked_like_setups() {
        for fen in ["3C3/7/7/7/7/7/7/7/6r b", "l5t/7/7/1r5/7/7/7/7/C6 w", fen::START] {
            let position: Position = fen.parse().unwrap();
            let pieces: Vec<_> = position.pieces().collect();
            let again = Position::from_pieces(pieces.iter().copied(), position.turn()).unwrap();
            assert_eq!(again, position);
            assert_eq!(again.key(), again.fresh_key());
        }
        let wolf = Piece { color: Color::White, animal: Animal::Wolf };
        let of = |pieces: &[(Square, Piece)]| {
            Position::from_pieces(pieces.iter().copied(), Color::White).map(drop)
        };
        let wet = SetupError::InWater { piece: wolf, square: Square::B4 };
        assert_eq!(of(&[(Square::B4, wolf)]), Err(wet));
        assert_eq!(of(&[(Square::D1, wolf)]), Err(SetupError::InOwnDen { piece: wolf }));
        assert!(of(&[(Square::A1, wolf), (Square::A2, wolf)]).is_err());
        assert_eq!(of(&[]), Err(SetupError::NoPieces));
    }

    #[test]
    fn finished_games_are_positions() {
        assert!("3C3/7/7/7/7/7/7/7/6r b".parse::<Position>().is_ok());
        assert!("7/7/7/7/7/7/7/7/C6 b".parse::<Position>().is_ok());
    }
}
