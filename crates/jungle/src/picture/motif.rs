//! SVG fragments for a piece or a square, for boards that are not seven by nine.
//!
//! Each is a piece of SVG without identifiers, in the units of the other pictures: a square is 100
//! wide.

use super::svg::{disc, side_color};
use super::{PieceSet, terrain};
use crate::Piece;
use crate::board::Terrain;

/// A piece around the origin.
pub fn piece(set: PieceSet, piece: Piece) -> String {
    format!("<g color=\"{}\">{}</g>", side_color(piece.color), uncolored(set, piece))
}

/// A piece around the origin whose side's ink is the current colour.
pub(super) fn uncolored(set: PieceSet, piece: Piece) -> String {
    let (face, width) = set.face(piece.animal);
    let size = match set {
        PieceSet::Animals => 64.0,
        PieceSet::Hanzi => 62.0,
    };
    let corner = -size / 2.0;
    format!(
        "{}<g transform=\"translate({corner} {corner}) scale({})\">{}</g>",
        disc(piece.color),
        size / width,
        face.trim_end()
    )
}

/// A square whose top left corner is the origin.
pub fn square(terrain: Terrain) -> String {
    terrain::square(terrain)
}
