//! SVG rendering, layer by layer.
//!
//! A square is 100 units wide whatever its size in pixels. Everything is drawn in place: without
//! `<defs>` there are no identifiers, and several pictures can share a page.

use std::fmt::{self, Write};

use super::{Picture, Rgb, alt_text, motif, terrain};
use crate::{Color, Piece, Square};

/// The side of a square in the units of the drawing.
pub(super) const SQUARE: f64 = 100.0;

/// The ink of each side, for discs, traps and dens.
pub(super) fn side_color(color: Color) -> Rgb {
    match color {
        Color::White => Rgb(0xb9, 0x2f, 0x26),
        Color::Black => Rgb(0x1f, 0x4f, 0x8a),
    }
}

pub(super) fn document(picture: &Picture) -> String {
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = Canvas::new(picture, &mut svg).document();
    svg
}

/// A number as short as can be: at most two decimals, no `-0`.
#[derive(Clone, Copy)]
pub(super) struct Num(pub f64);

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0;
        write!(f, "{}", if rounded == 0.0 { 0.0 } else { rounded })
    }
}

/// Text made safe for content and attributes. What XML cannot say at all becomes U+FFFD.
pub(super) struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            '\t' | '\n' | '\r' => f.write_char(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}'),
            _ => f.write_char(c),
        })
    }
}

/// The picture, where squares are on it, and the text so far.
pub(super) struct Canvas<'a> {
    pub(super) picture: &'a Picture,
    /// The frame on the left and below, where coordinates stand.
    margin: f64,
    /// The frame above and on the right.
    edge: f64,
    pub(super) out: &'a mut String,
}

impl<'a> Canvas<'a> {
    fn new(picture: &'a Picture, out: &'a mut String) -> Canvas<'a> {
        let scale = f64::from(picture.square_size) / SQUARE;
        // Whole pixels: then the lines of the board are sharp at any size.
        let pixels = |units: f64| (units * scale).round() / scale;
        let edge = pixels(22.0);
        let margin = if picture.coordinates { pixels(48.0) } else { edge };
        Canvas { picture, margin, edge, out }
    }

    fn document(&mut self) -> fmt::Result {
        let width = SQUARE * f64::from(Square::FILES) + self.margin + self.edge;
        let height = SQUARE * f64::from(Square::RANKS) + self.margin + self.edge;
        let scale = f64::from(self.picture.square_size) / SQUARE;
        writeln!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
             viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" \
             font-family=\"Noto Sans, sans-serif\" font-weight=\"700\" text-anchor=\"middle\">",
            Num(width * scale),
            Num(height * scale),
            Num(width),
            Num(height),
            Escaped(&self.picture.description()),
        )?;
        writeln!(self.out, "<title>{}</title>", Escaped(&alt_text::title(self.picture)))?;
        terrain::frame(self, width, height)?;
        if self.picture.coordinates {
            self.coordinates(height)?;
        }
        terrain::board(self)?;
        self.regions()?;
        self.last_move()?;
        self.lines()?;
        self.pieces()?;
        self.marks()?;
        self.arrows()?;
        self.labels()?;
        self.out.write_str("</svg>\n")
    }

    /// The square as the reader sees it: itself, or the one across when the board is turned.
    fn seen(&self, square: Square) -> Square {
        if self.picture.flipped { square.rotate() } else { square }
    }

    /// The top left corner of a square.
    pub(super) fn corner(&self, square: Square) -> (f64, f64) {
        let seen = self.seen(square);
        let row = Square::RANKS - 1 - seen.rank();
        (self.margin + SQUARE * f64::from(seen.file()), self.edge + SQUARE * f64::from(row))
    }

    /// The middle of a square.
    pub(super) fn centre(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    }

    fn coordinates(&mut self, height: f64) -> fmt::Result {
        const SIZE: f64 = 30.0;
        write!(self.out, "<g font-size=\"{SIZE}\" fill=\"{}\">", terrain::PAPER)?;
        let half = self.margin / 2.0;
        // Digits and small letters without descenders look centred a third of their size lower.
        let lower = SIZE * 0.36;
        for file in 0..Square::FILES {
            let Some(square) = Square::new(file, 0) else { continue };
            let x = self.centre(square).0;
            let name = char::from(b'a' + file);
            let y = height - half + SIZE * 0.28;
            write!(self.out, "<text x=\"{}\" y=\"{}\">{name}</text>", Num(x), Num(y))?;
        }
        for rank in 0..Square::RANKS {
            let Some(square) = Square::new(0, rank) else { continue };
            let y = self.centre(square).1 + lower;
            write!(self.out, "<text x=\"{}\" y=\"{}\">{}</text>", Num(half), Num(y), rank + 1)?;
        }
        self.out.write_str("</g>\n")
    }

    fn pieces(&mut self) -> fmt::Result {
        let picture = self.picture;
        for square in Square::ALL {
            if let Some(piece) = picture.board[square.index()] {
                self.piece(square, piece)?;
            }
        }
        Ok(())
    }

    fn piece(&mut self, square: Square, piece: Piece) -> fmt::Result {
        let (x, y) = self.centre(square);
        let (ink, motif) = (side_color(piece.color), motif::uncolored(self.picture.set, piece));
        let (x, y) = (Num(x), Num(y));
        writeln!(self.out, "<g transform=\"translate({x} {y})\" color=\"{ink}\">{motif}</g>")
    }
}

/// An empty disc around the origin: a red ring for White, a blue octagon within another for Black.
/// A shadow lifts both off the board.
pub(super) fn disc(color: Color) -> &'static str {
    match color {
        Color::White => {
            "<circle cy=\"3\" r=\"43\" fill=\"#000\" fill-opacity=\".22\"/>\
             <circle r=\"42\" fill=\"currentColor\"/>\
             <circle r=\"36\" fill=\"#fff4e2\"/>"
        }
        Color::Black => {
            "<path transform=\"translate(0 3)\" fill=\"#000\" fill-opacity=\".22\" \
             d=\"M-18 -44H18L44 -18V18L18 44H-18L-44 18V-18z\"/>\
             <path fill=\"currentColor\" d=\"M-18 -43H18L43 -18V18L18 43H-18L-43 18V-18z\"/>\
             <path fill=\"#e6eff8\" \
             d=\"M-15.5 -37H15.5L37 -15.5V15.5L15.5 37H-15.5L-37 15.5V-15.5z\"/>"
        }
    }
}
