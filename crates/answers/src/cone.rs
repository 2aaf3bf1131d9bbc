//! Effect cones: when a piece, alone on the board, can be on each square.

use std::collections::BTreeMap;

use jungle::causality::Movement;
use jungle::{Color, Play, Position, Rules, Square};
use serde::{Deserialize, Serialize};

use crate::refusal::{Kind, Refusal};

/// Whose cone.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct ConeRequest {
    /// The square of the piece.
    #[cfg_attr(feature = "openapi", param(example = "a3"))]
    pub square: String,
}

impl ConeRequest {
    /// The cone of the piece in a game's position.
    ///
    /// # Errors
    ///
    /// If that is no square, or an empty one.
    pub fn answer(&self, play: &Play) -> Result<Cone, Refusal> {
        let square: Result<Square, _> = self.square.parse();
        let square = square.map_err(|error| Refusal::because(Kind::Bad, "square", error))?;
        Ok(Cone::of(play.jungle().rules(), play.position(), square)?)
    }
}

/// For each square, after how many moves or plies; null for never.
pub type Heights = BTreeMap<String, Option<u8>>;

/// An effect cone: when a piece, alone on the board, could be on each square at the earliest.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Cone {
    /// Where the piece stands.
    pub square: String,
    /// The letter of the piece, capital for Red.
    pub piece: char,
    /// Whose it is.
    pub side: Color,
    /// The rules.
    pub rules: String,
    /// How the piece moves: `walker`, `swimmer` or `jumper`.
    pub movement: String,
    /// After how many moves of the piece.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, Option<u8>>))]
    pub moves: Heights,
    /// After how many plies, if its side moves first.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, Option<u8>>))]
    pub a: Heights,
    /// After how many plies, if its side moves second.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, Option<u8>>))]
    pub b: Heights,
}

/// A square on which there is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no piece on {0}")]
pub struct NoPiece(pub Square);

impl Cone {
    /// The cone of a piece on a square.
    pub fn new(rules: &Rules, square: Square, piece: jungle::Piece) -> Cone {
        let movement = Movement::of(piece.animal, rules);
        let cone = jungle::causality::Cone::project(movement, piece.color, square);
        Cone {
            square: square.to_string(),
            piece: piece.letter(),
            side: piece.color,
            rules: rules.to_string(),
            movement: movement.to_string(),
            moves: heights(&cone),
            a: heights(&cone.a()),
            b: heights(&cone.b()),
        }
    }

    /// The cone of the piece that stands on a square.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn of(rules: &Rules, position: &Position, square: Square) -> Result<Cone, NoPiece> {
        let piece = position.piece_at(square).ok_or(NoPiece(square))?;
        Ok(Cone::new(rules, square, piece))
    }
}

fn heights(cone: &jungle::causality::Cone) -> Heights {
    Square::ALL.map(|square| (square.to_string(), cone.at(square).get())).into()
}
