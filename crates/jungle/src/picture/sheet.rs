//! The art of a page: all pieces and the empty board as symbols of one SVG document.

use std::fmt::Write;

use super::{Picture, PieceSet, motif};
use crate::{Animal, Color, Piece};

/// All pieces and the empty board as symbols of one SVG document: `animals-E`, `hanzi-r`, `board`,
/// and `board-flipped` as Blue sees it.
pub fn sheet() -> String {
    let mut sheet = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\">\n");
    for set in PieceSet::ALL {
        for color in Color::ALL {
            for animal in Animal::ALL {
                let piece = Piece { color, animal };
                let _ = writeln!(
                    sheet,
                    "<symbol id=\"{set}-{}\" viewBox=\"-50 -50 100 100\">{}</symbol>",
                    piece.letter(),
                    motif::piece(set, piece)
                );
            }
        }
    }
    for (id, flipped) in [("board", false), ("board-flipped", true)] {
        let board = Picture::empty().coordinates(false).square_size(100).flipped(flipped).to_svg();
        let inner = board.split_once("</title>").map_or("", |(_, rest)| rest).trim_end();
        let inner = inner.strip_suffix("</svg>").unwrap_or(inner);
        let _ = writeln!(sheet, "<symbol id=\"{id}\" viewBox=\"0 0 744 944\">{inner}</symbol>");
    }
    sheet.push_str("</svg>\n");
    sheet
}
