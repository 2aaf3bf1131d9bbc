//! The SVG document, layer by layer.
//!
//! A square is 100 units wide whatever its size in pixels. Everything is drawn in place: without
//! `<defs>` there are no identifiers, and several pictures can share a page. Text carries a pale
//! halo, so that it can be read on any ground.

use std::fmt::{self, Write};

use super::{Mark, Picture, PieceSet, Region, Rgb, Stroke, ground, words};
use crate::{Bitboard, Color, Piece, Square};

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
    picture: &'a Picture,
    margin: f64,
    pub(super) out: &'a mut String,
}

impl<'a> Canvas<'a> {
    fn new(picture: &'a Picture, out: &'a mut String) -> Canvas<'a> {
        let margin = if picture.coordinates { 50.0 } else { 12.0 };
        Canvas { picture, margin, out }
    }

    fn document(&mut self) -> fmt::Result {
        let width = SQUARE * f64::from(Square::FILES) + 2.0 * self.margin;
        let height = SQUARE * f64::from(Square::RANKS) + 2.0 * self.margin;
        let scale = f64::from(self.picture.square_size) / SQUARE;
        writeln!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" \
             font-family=\"Noto Sans, sans-serif\" font-weight=\"700\" text-anchor=\"middle\">",
            Num(width * scale),
            Num(height * scale),
            Escaped(&self.picture.description()),
        )?;
        writeln!(self.out, "<title>{}</title>", Escaped(&words::title(self.picture)))?;
        ground::frame(self, width, height)?;
        if self.picture.coordinates {
            self.coordinates(width, height)?;
        }
        ground::board(self)?;
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
        (self.margin + SQUARE * f64::from(seen.file()), self.margin + SQUARE * f64::from(row))
    }

    fn centre(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    }

    fn coordinates(&mut self, width: f64, height: f64) -> fmt::Result {
        const SIZE: f64 = 30.0;
        write!(self.out, "<g font-size=\"{SIZE}\" fill=\"{}\">", ground::PAPER)?;
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
        let _ = width;
        self.out.write_str("</g>\n")
    }

    fn regions(&mut self) -> fmt::Result {
        let picture = self.picture;
        for region in picture.regions.iter().filter(|region| region.squares.any()) {
            self.region(region)?;
        }
        Ok(())
    }

    fn region(&mut self, region: &Region) -> fmt::Result {
        let color = region.color;
        write!(
            self.out,
            "<path fill=\"{color}\" fill-opacity=\"{}\" d=\"",
            Num(f64::from(region.opacity))
        )?;
        for square in region.squares {
            let (x, y) = self.corner(square);
            write!(self.out, "M{} {}h100v100h-100z", Num(x), Num(y))?;
        }
        let width = 2.0 * INSET - 1.0;
        write!(
            self.out,
            "\"/><path fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" \
             stroke-linecap=\"round\" d=\""
        )?;
        for square in region.squares {
            self.outline(region.squares, square)?;
        }
        self.out.write_str("\"/>\n")
    }

    /// The parts of a region's outline that run along one of its squares, a little inside it.
    ///
    /// Along each open side, an end of the line stops short where the outline turns away at the
    /// region's own corner, goes on to the next square where the outline is straight, and reaches
    /// into the next square where the outline turns the other way.
    fn outline(&mut self, squares: Bitboard, square: Square) -> fmt::Result {
        // As seen on paper: a turned board turns the steps too.
        let sign = if self.picture.flipped { -1 } else { 1 };
        let holds = |right: i8, up: i8| {
            square.offset(sign * right, sign * up).is_some_and(|other| squares.contains(other))
        };
        let end = |beside: bool, across: bool| match (beside, across) {
            (false, _) => -INSET,
            (true, false) => 0.0,
            (true, true) => INSET,
        };
        let (x, y) = self.corner(square);
        for up in [1, -1] {
            if !holds(0, up) {
                let left = x - end(holds(-1, 0), holds(-1, up));
                let right = x + SQUARE + end(holds(1, 0), holds(1, up));
                let at = if up == 1 { y + INSET } else { y + SQUARE - INSET };
                write!(self.out, "M{} {}H{}", Num(left), Num(at), Num(right))?;
            }
        }
        for right in [1, -1] {
            if !holds(right, 0) {
                let top = y - end(holds(0, 1), holds(right, 1));
                let bottom = y + SQUARE + end(holds(0, -1), holds(right, -1));
                let at = if right == -1 { x + INSET } else { x + SQUARE - INSET };
                write!(self.out, "M{} {}V{}", Num(at), Num(top), Num(bottom))?;
            }
        }
        Ok(())
    }

    /// A tint, and brackets in the corners for those who do not see it.
    fn last_move(&mut self) -> fmt::Result {
        let Some((from, to)) = self.picture.last_move else { return Ok(()) };
        for square in [from, to] {
            let (x, y) = self.corner(square);
            writeln!(
                self.out,
                "<g transform=\"translate({} {})\">\
                 <path fill=\"#ffd83d\" fill-opacity=\".5\" d=\"M0 0h100v100h-100z\"/>\
                 <path fill=\"none\" stroke=\"#8a6400\" stroke-width=\"5\" \
                 d=\"M5 24V5H24M76 5H95V24M95 76V95H76M24 95H5V76\"/></g>",
                Num(x),
                Num(y)
            )?;
        }
        Ok(())
    }

    fn lines(&mut self) -> fmt::Result {
        let picture = self.picture;
        for line in &picture.lines {
            let ((x1, y1), (x2, y2)) = (self.centre(line.from), self.centre(line.to));
            let dashes = dashes(line, "14 12");
            writeln!(
                self.out,
                "<g stroke-linecap=\"round\" stroke-width=\"15\" stroke=\"{}\">\
                 <path d=\"M{x1} {y1}L{x2} {y2}\"/>\
                 <path stroke-width=\"9\" stroke=\"{}\"{dashes} d=\"M{x1} {y1}L{x2} {y2}\"/></g>",
                ground::PAPER,
                line.color
            )?;
        }
        Ok(())
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
        let ink = side_color(piece.color);
        write!(self.out, "<g transform=\"translate({} {})\" color=\"{ink}\">", Num(x), Num(y))?;
        self.out.write_str(disc(piece.color))?;
        let (face, width) = picture_face(self.picture.set, piece);
        let size = match self.picture.set {
            PieceSet::Animals => 61.0,
            PieceSet::Hanzi => 60.0,
        };
        let corner = Num(-size / 2.0);
        let scale = size / width;
        write!(self.out, "<g transform=\"translate({corner} {corner}) scale({scale})\">")?;
        self.out.write_str(face.trim_end())?;
        self.out.write_str("</g></g>\n")
    }

    fn marks(&mut self) -> fmt::Result {
        let picture = self.picture;
        for &(squares, mark, color) in &picture.marks {
            for square in squares {
                let (x, y) = self.centre(square);
                let paper = ground::PAPER;
                match mark {
                    Mark::Dot => writeln!(
                        self.out,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"{color}\" \
                         stroke=\"{paper}\" stroke-width=\"4\"/>"
                    )?,
                    Mark::Ring => writeln!(
                        self.out,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"44\" fill=\"none\" \
                         stroke=\"{color}\" stroke-width=\"8\"/>"
                    )?,
                    Mark::Cross => writeln!(
                        self.out,
                        "<g transform=\"translate({x} {y})\" fill=\"none\" \
                         stroke-linecap=\"round\">\
                         <path stroke=\"{paper}\" stroke-width=\"20\" d=\"{CROSS}\"/>\
                         <path stroke=\"{color}\" stroke-width=\"12\" d=\"{CROSS}\"/></g>"
                    )?,
                }
            }
        }
        Ok(())
    }

    fn arrows(&mut self) -> fmt::Result {
        let picture = self.picture;
        picture.arrows.iter().try_for_each(|arrow| self.arrow(arrow))
    }

    /// A shaft that starts beside the centre of its square, and a head that ends on the centre of
    /// the other. An arrow from a square to itself has no direction and is not drawn.
    fn arrow(&mut self, arrow: &Stroke) -> fmt::Result {
        let ((x1, y1), (x2, y2)) = (self.centre(arrow.from), self.centre(arrow.to));
        let (dx, dy) = (x2 - x1, y2 - y1);
        let length = (dx * dx + dy * dy).sqrt();
        if length == 0.0 {
            return Ok(());
        }
        let (dx, dy) = (dx / length, dy / length);
        let along = |distance: f64, aside: f64| {
            let (x, y) = (x1 + dx * distance - dy * aside, y1 + dy * distance + dx * aside);
            format!("{} {}", Num(x), Num(y))
        };
        let tip = length - 6.0;
        let neck = tip - 34.0;
        let shaft = format!("M{}L{}", along(18.0, 0.0), along(neck + 2.0, 0.0));
        let head = format!("M{}L{}L{}z", along(tip, 0.0), along(neck, 23.0), along(neck, -23.0));
        let dashes = dashes(arrow, "16 13");
        let cap = if arrow.dashed { "butt" } else { "round" };
        writeln!(
            self.out,
            "<g opacity=\".9\" stroke-linecap=\"{cap}\" stroke-linejoin=\"round\">\
             <path d=\"{shaft}\" stroke=\"{paper}\" stroke-width=\"19\"/>\
             <path d=\"{head}\" fill=\"{paper}\" stroke=\"{paper}\" stroke-width=\"8\"/>\
             <path d=\"{shaft}\" stroke=\"{color}\" stroke-width=\"13\"{dashes}/>\
             <path d=\"{head}\" fill=\"{color}\"/></g>",
            paper = ground::PAPER,
            color = arrow.color,
        )
    }

    fn labels(&mut self) -> fmt::Result {
        let picture = self.picture;
        for (square, text) in &picture.labels {
            let (x, y) = self.centre(*square);
            if picture.board[square.index()].is_some() {
                self.plate((x + 27.0, y + 31.0), 25.0, 46.0, text, Rgb::INK)?;
            } else {
                let size = fitting(text, 40.0, 92.0);
                writeln!(
                    self.out,
                    "<text x=\"{x}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" stroke=\"{}\" \
                     stroke-width=\"7\" stroke-linejoin=\"round\" paint-order=\"stroke\">\
                     {}</text>",
                    Num(y + size * 0.36),
                    Num(size),
                    Rgb::INK,
                    ground::PAPER,
                    Escaped(text)
                )?;
            }
        }
        for stroke in picture.lines.iter().chain(&picture.arrows) {
            if let Some(text) = &stroke.label {
                let ((x1, y1), (x2, y2)) = (self.centre(stroke.from), self.centre(stroke.to));
                let middle = ((x1 + x2) / 2.0, (y1 + y2) / 2.0);
                self.plate(middle, 28.0, 140.0, text, stroke.color)?;
            }
        }
        Ok(())
    }

    /// A text on a rounded plate.
    fn plate(
        &mut self,
        (x, y): (f64, f64),
        size: f64,
        room: f64,
        text: &str,
        color: Rgb,
    ) -> fmt::Result {
        let size = fitting(text, size, room);
        let height = size * 1.2;
        let width = (letters(text) * size * LETTER + size * 0.5).max(height);
        writeln!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" \
             stroke=\"{color}\" stroke-width=\"3\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>",
            Num(x - width / 2.0),
            Num(y - height / 2.0),
            Num(width),
            Num(height),
            Num(height / 2.0),
            ground::PAPER,
            Num(x),
            Num(y + size * 0.36),
            Num(size),
            Rgb::INK,
            Escaped(text)
        )
    }
}

/// How far inside its squares the outline of a region runs.
const INSET: f64 = 4.0;
/// The usual width of a letter, as a part of the size of the text.
const LETTER: f64 = 0.6;
const CROSS: &str = "M-22 -22L22 22M22 -22L-22 22";

/// The largest size up to `size` at which a text has room.
fn fitting(text: &str, size: f64, room: f64) -> f64 {
    size.min(room / (letters(text).max(1.0) * LETTER))
}

fn letters(text: &str) -> f64 {
    text.chars().count() as f64
}

fn dashes(stroke: &Stroke, pattern: &str) -> String {
    if stroke.dashed { format!(" stroke-dasharray=\"{pattern}\"") } else { String::new() }
}

fn picture_face(set: PieceSet, piece: Piece) -> (&'static str, f64) {
    set.face(piece.animal)
}

/// An empty disc around the origin: a red ring for White, a blue octagon within another for Black.
/// A shadow lifts both off the board.
fn disc(color: Color) -> &'static str {
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
