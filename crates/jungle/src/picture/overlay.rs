//! Annotation layers: regions, the last move and lines under the pieces; marks,
//! arrows and labels over the pieces.
//!
//! Everything that may cross another colour is cased in paper, text included, so that it can be
//! read on any ground.

use std::fmt::{self, Write};

use super::svg::{Canvas, Escaped, Num, SQUARE};
use super::{Mark, Region, Rgb, Stroke, terrain};
use crate::{Bitboard, Square};

impl Canvas<'_> {
    pub(super) fn regions(&mut self) -> fmt::Result {
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
        self.out.write_str("\"/>\n")?;
        if !region.outlined {
            return Ok(());
        }
        let width = 2.0 * INSET - 1.0;
        write!(
            self.out,
            "<path fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" \
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

    /// A tint, and brackets in the corners for readers who do not see it.
    pub(super) fn last_move(&mut self) -> fmt::Result {
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

    /// All casings come first, so that lines which meet are not cut off from each other.
    pub(super) fn lines(&mut self) -> fmt::Result {
        let picture = self.picture;
        for casing in [true, false] {
            for line in &picture.lines {
                let [x1, y1, x2, y2] = self.ends(line).map(Num);
                let (color, width) = if casing { (terrain::PAPER, 15) } else { (line.color, 9) };
                let dashes = if casing { String::new() } else { dashes(line, "14 16") };
                writeln!(
                    self.out,
                    "<path stroke=\"{color}\" stroke-width=\"{width}\"{dashes} \
                     stroke-linecap=\"round\" d=\"M{x1} {y1}L{x2} {y2}\"/>"
                )?;
            }
        }
        Ok(())
    }

    pub(super) fn marks(&mut self) -> fmt::Result {
        let picture = self.picture;
        for &(squares, mark, color) in &picture.marks {
            for square in squares {
                let (x, y) = self.centre(square);
                let (x, y) = (Num(x), Num(y));
                let paper = terrain::PAPER;
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

    pub(super) fn arrows(&mut self) -> fmt::Result {
        let picture = self.picture;
        picture.arrows.iter().try_for_each(|arrow| self.arrow(arrow))
    }

    /// A shaft that starts beside the centre of its square, and a head that ends on the centre of
    /// the other. An arrow from a square to itself has no direction and is not drawn.
    fn arrow(&mut self, arrow: &Stroke) -> fmt::Result {
        let [x1, y1, x2, y2] = self.ends(arrow);
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
            paper = terrain::PAPER,
            color = arrow.color,
        )
    }

    pub(super) fn labels(&mut self) -> fmt::Result {
        let picture = self.picture;
        for (square, text) in &picture.labels {
            let (x, y) = self.centre(*square);
            if picture.board[square.index()].is_some() {
                self.plate((x + 27.0, y + 31.0), 25.0, 46.0, text, Rgb::INK)?;
            } else {
                let size = fitting(text, 40.0, 92.0);
                writeln!(
                    self.out,
                    "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" stroke=\"{}\" \
                     stroke-width=\"7\" stroke-linejoin=\"round\" paint-order=\"stroke\">\
                     {}</text>",
                    Num(x),
                    Num(y + size * 0.36),
                    Num(size),
                    Rgb::INK,
                    terrain::PAPER,
                    Escaped(text)
                )?;
            }
        }
        for stroke in picture.lines.iter().chain(&picture.arrows) {
            if let Some(text) = &stroke.label {
                let [x1, y1, x2, y2] = self.ends(stroke);
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
            terrain::PAPER,
            Num(x),
            Num(y + size * 0.36),
            Num(size),
            Rgb::INK,
            Escaped(text)
        )
    }

    /// The centres of the squares that a stroke joins: x and y of the first, then of the second.
    fn ends(&self, stroke: &Stroke) -> [f64; 4] {
        let ((x1, y1), (x2, y2)) = (self.centre(stroke.from), self.centre(stroke.to));
        [x1, y1, x2, y2]
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
