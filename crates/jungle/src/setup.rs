//! Unvalidated board setups; validating one yields a [`Position`].

use crate::board::{DEN, DENS, WATER};
use crate::{Animal, Color, Piece, Position, Square};

/// Pieces on squares, the side to move and the counters of a FEN, unchecked.
///
/// ```
/// use jungle::{Animal, Color, Piece, Setup, SetupError, Square};
///
/// let mut setup = Setup::empty();
/// let wolf = Piece { color: Color::White, animal: Animal::Wolf };
/// setup.board[Square::B4.index()] = Some(wolf);
/// assert_eq!(setup.position(), Err(SetupError::InWater { piece: wolf, square: Square::B4 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands on each square, by [`Square::index`].
    pub board: [Option<Piece>; Square::COUNT],
    /// Who is to move.
    pub turn: Color,
    /// Plies since the last capture.
    pub quiet_plies: u32,
    /// The number of the move about to be made, counted from 1 for each pair of moves.
    pub move_number: u32,
}

impl Setup {
    /// An empty board with White to move, for filling.
    pub const fn empty() -> Setup {
        Setup { board: [None; Square::COUNT], turn: Color::White, quiet_plies: 0, move_number: 1 }
    }

    /// The pieces with their squares, from a1 along the ranks.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::ALL.into_iter().filter_map(|square| Some((square, self.board[square.index()]?)))
    }

    /// Checks the setup.
    ///
    /// Any subset of the pieces is fine. A piece may stand in the enemy's den, and a side may have
    /// lost all its pieces: such a game is over.
    ///
    /// # Errors
    ///
    /// Names the first fault found.
    pub fn position(&self) -> Result<Position, SetupError> {
        let mut seen: [[Option<Square>; Animal::COUNT]; 2] = Default::default();
        let mut in_den = None;
        for (square, piece) in self.pieces() {
            let earlier = &mut seen[piece.color as usize][piece.animal.index()];
            if let Some(first) = earlier.replace(square) {
                return Err(SetupError::TwoOfAKind { piece, first, second: square });
            }
            if WATER.contains(square) && piece.animal != Animal::Rat {
                return Err(SetupError::InWater { piece, square });
            }
            if DEN[piece.color] == square {
                return Err(SetupError::InOwnDen { piece });
            }
            if DENS.contains(square) && in_den.replace(piece).is_some() {
                return Err(SetupError::BothDensTaken);
            }
        }
        if seen.iter().flatten().all(Option::is_none) {
            return Err(SetupError::NoPieces);
        }
        Ok(Position::from_checked(self.pieces(), self.turn))
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut setup = Setup { turn: position.turn(), ..Setup::empty() };
        for (square, piece) in position.pieces() {
            setup.board[square.index()] = Some(piece);
        }
        setup
    }
}

/// Why a setup is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A side has two animals of a kind.
    #[error(
        "{color} has two {kind}, on {first} and {second}: one of each kind is the most",
        color = piece.color,
        kind = plural(piece.animal)
    )]
    TwoOfAKind {
        /// The piece that is there twice.
        piece: Piece,
        /// Where it stands.
        first: Square,
        /// Where it stands as well.
        second: Square,
    },
    /// Something that cannot swim is in the water.
    #[error("{piece} is in the water on {square}: only rats swim")]
    InWater {
        /// What.
        piece: Piece,
        /// Where.
        square: Square,
    },
    /// A piece stands in its own den.
    #[error("{piece} is in its own den on {den}: no piece may enter it", den = DEN[piece.color])]
    InOwnDen {
        /// What.
        piece: Piece,
    },
    /// Both sides have entered the other's den; the game would have ended before.
    #[error("both dens have been entered: the game ended when the first one was")]
    BothDensTaken,
    /// The board is empty.
    #[error("there are no pieces on the board")]
    NoPieces,
}

/// `cats`, `wolves`.
fn plural(animal: Animal) -> String {
    match animal {
        Animal::Wolf => "wolves".to_owned(),
        _ => format!("{animal}s"),
    }
}
