//! Pictures of positions: SVG, and boards for the terminal.
//!
//! The sides differ in shape as well as in colour: White's amazons carry a hollow crown, Black's a
//! filled one. Arrows are dark squares. Regions can be tinted by their kind: competing ones violet,
//! White's to fill amber, Black's blue, what is over grey.

use std::fmt::{self, Write};

use anstyle::{Ansi256Color, Style};
use game::Side;

use crate::region::{self, Kind};
use crate::{Move, Position, Square, player_name};

/// A drawing of a board, built step by step.
///
/// ```
/// use amazons::Position;
/// use amazons::picture::Picture;
///
/// let start = Position::start(10, 10).unwrap();
/// let picture = Picture::of(&start).regions(true);
/// assert!(picture.to_svg().starts_with("<svg"));
/// assert!(picture.colored(false).to_terminal().contains("4  W  .  .  .  .  .  .  .  .  W"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    position: Position,
    last_move: Option<Move>,
    regions: bool,
    colored: bool,
}

/// The side of a square in the SVG, and the margin around the board.
const SQUARE: u32 = 44;
const MARGIN: u32 = 26;

impl Picture {
    /// The position and nothing else.
    pub fn of(position: &Position) -> Picture {
        Picture { position: *position, last_move: None, regions: false, colored: true }
    }

    /// Marks the squares of the last move.
    #[must_use]
    pub fn last_move(mut self, mv: Move) -> Picture {
        self.last_move = Some(mv);
        self
    }

    /// Whether to tint regions by their kind.
    #[must_use]
    pub fn regions(mut self, regions: bool) -> Picture {
        self.regions = regions;
        self
    }

    /// Whether the terminal's board has colours; without them there are no escape sequences.
    #[must_use]
    pub fn colored(mut self, colored: bool) -> Picture {
        self.colored = colored;
        self
    }

    fn kind(&self, square: Square) -> Option<Kind> {
        if !self.regions {
            return None;
        }
        let regions = region::regions(&self.position);
        regions.iter().find(|region| region.squares.contains(square)).map(|region| region.kind)
    }

    fn is_last(&self, square: Square) -> bool {
        self.last_move.is_some_and(|mv| [mv.from, mv.to, mv.arrow].contains(&square))
    }

    fn rows(&self) -> impl Iterator<Item = Vec<Square>> + use<> {
        let size = self.position.size();
        (0..size.ranks())
            .rev()
            .map(move |rank| (0..size.files()).filter_map(|file| Square::new(file, rank)).collect())
    }

    fn cell(&self, square: Square) -> char {
        if self.position.empty().contains(square) {
            '.'
        } else if self.position.amazons(Side::First).contains(square) {
            'W'
        } else if self.position.amazons(Side::Second).contains(square) {
            'B'
        } else {
            'x'
        }
    }

    /// The board as lines of text, the top rank first, and who is to move.
    pub fn to_terminal(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.terminal(&mut text);
        text
    }

    fn terminal(&self, text: &mut String) -> fmt::Result {
        let wide = self.position.size().ranks() == 10;
        for row in self.rows() {
            let Some(first) = row.first() else { continue };
            let number = first.rank() + 1;
            let mut line = if wide { format!("{number:>2} ") } else { format!("{number} ") };
            for square in row {
                let style = self.style(square);
                let after = if self.is_last(square) { '*' } else { ' ' };
                write!(line, "{style} {}{after}{style:#}", self.cell(square))?;
            }
            writeln!(text, "{}", line.trim_end())?;
        }
        text.push_str(if wide { "  " } else { " " });
        for file in 0..self.position.size().files() {
            write!(text, "  {}", char::from(b'a' + file))?;
        }
        writeln!(text, "\n\n{} to move", player_name(self.position.turn()))
    }

    fn style(&self, square: Square) -> Style {
        if !self.colored {
            return Style::new();
        }
        let ground = match self.kind(square) {
            _ if self.is_last(square) => 221,
            Some(Kind::Competing) => 183,
            Some(Kind::Filling(Side::First)) => 222,
            Some(Kind::Filling(Side::Second)) => 117,
            Some(Kind::Terminating) => 250,
            None if self.cell(square) == 'x' => 240,
            None => 187,
        };
        let style = Style::new().bg_color(Some(Ansi256Color(ground).into()));
        match self.cell(square) {
            'W' => style.fg_color(Some(Ansi256Color(124).into())).bold(),
            'B' => style.fg_color(Some(Ansi256Color(18).into())).bold(),
            'x' => style.fg_color(Some(Ansi256Color(16).into())),
            _ => style.fg_color(Some(Ansi256Color(144).into())),
        }
    }

    /// The picture as an SVG document.
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a string cannot fail.
        let _ = self.svg(&mut svg);
        svg
    }

    fn svg(&self, svg: &mut String) -> fmt::Result {
        let size = self.position.size();
        let (files, ranks) = (u32::from(size.files()), u32::from(size.ranks()));
        let (width, height) = (files * SQUARE + 2 * MARGIN, ranks * SQUARE + 2 * MARGIN);
        let turn = player_name(self.position.turn());
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"Amazons, {size}, {turn} to move: {}\" \
             font-family=\"sans-serif\" font-size=\"15\" text-anchor=\"middle\">\n\
             <title>Amazons, {turn} to move</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#4a3b2a\"/>",
            self.position
        )?;
        for row in self.rows() {
            for square in row {
                self.svg_square(svg, square)?;
            }
        }
        for file in 0..size.files() {
            let (x, y) = (MARGIN + SQUARE * u32::from(file) + SQUARE / 2, height - 9);
            let name = char::from(b'a' + file);
            writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"#f3e9d2\">{name}</text>")?;
        }
        for rank in 0..size.ranks() {
            let y = height - MARGIN - SQUARE * u32::from(rank) - SQUARE / 2 + 5;
            writeln!(svg, "<text x=\"13\" y=\"{y}\" fill=\"#f3e9d2\">{}</text>", rank + 1)?;
        }
        svg.push_str("</svg>\n");
        Ok(())
    }

    fn svg_square(&self, svg: &mut String, square: Square) -> fmt::Result {
        let ranks = u32::from(self.position.size().ranks());
        let x = MARGIN + SQUARE * u32::from(square.file());
        let y = MARGIN + SQUARE * (ranks - 1 - u32::from(square.rank()));
        let light = (square.file() + square.rank()) % 2 == 1;
        let ground = match (self.cell(square), self.kind(square)) {
            ('x', _) => "#5b5148",
            (_, Some(Kind::Competing)) if light => "#d9c2ec",
            (_, Some(Kind::Competing)) => "#c9abe2",
            (_, Some(Kind::Filling(Side::First))) if light => "#f6d48b",
            (_, Some(Kind::Filling(Side::First))) => "#ecc06a",
            (_, Some(Kind::Filling(Side::Second))) if light => "#b5d5f0",
            (_, Some(Kind::Filling(Side::Second))) => "#98c3e6",
            (_, Some(Kind::Terminating)) => "#bdb6ac",
            _ if light => "#f0dfbd",
            _ => "#ddc493",
        };
        writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{ground}\"/>"
        )?;
        if self.is_last(square) {
            writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" \
                 stroke=\"#d6402b\" stroke-width=\"4\"/>",
                x + 2,
                y + 2,
                SQUARE - 4,
                SQUARE - 4
            )?;
        }
        // A crown of three points over a band, drawn in a square of 44 units.
        const CROWN: &str = "M10 32V15l7 7 5-11 5 11 7-7v17z";
        match self.cell(square) {
            'W' => writeln!(
                svg,
                "<path transform=\"translate({x} {y})\" d=\"{CROWN}\" fill=\"#fffaf0\" \
                 stroke=\"#7a1712\" stroke-width=\"3\" stroke-linejoin=\"round\"/>"
            ),
            'B' => writeln!(
                svg,
                "<path transform=\"translate({x} {y})\" d=\"{CROWN}\" fill=\"#16263f\" \
                 stroke=\"#16263f\" stroke-width=\"3\" stroke-linejoin=\"round\"/>"
            ),
            'x' => writeln!(
                svg,
                "<path transform=\"translate({x} {y})\" d=\"M13 13l18 18M31 13l-18 18\" \
                 stroke=\"#cfc4b4\" stroke-width=\"4\" stroke-linecap=\"round\"/>"
            ),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_in_letters() {
        let position: Position = "1B2/x3/3W/4 b".parse().unwrap();
        let expected = "\
4  .  B  .  .
3  x  .  .  .
2  .  .  .  W
1  .  .  .  .
   a  b  c  d

Black to move
";
        assert_eq!(Picture::of(&position).colored(false).to_terminal(), expected);
        let moved = Picture::of(&position).colored(false).last_move("d1d2/a3".parse().unwrap());
        assert!(moved.to_terminal().contains("x*") && moved.to_terminal().contains("W*"));
    }

    #[test]
    fn the_svg_is_well_formed() {
        let position: Position = "1Bx1/xx2/3W/4 b".parse().unwrap();
        for regions in [false, true] {
            let picture = Picture::of(&position).regions(regions);
            let svg = picture.last_move("d1d2/a3".parse().unwrap()).to_svg();
            let document = roxmltree::Document::parse(&svg).unwrap();
            let paths = document.descendants().filter(|node| node.has_tag_name("path")).count();
            assert_eq!(paths, 2 + 3, "two crowns and three arrows");
        }
    }
}
