//! Pictures of generalised boards as SVG.
//!
//! The motifs are those of the ordinary pictures. Each is defined once and used by reference, so that
//! a board of a hundred thousand squares stays small, and can be zoomed into without end; water is
//! one large rectangle. Identifiers in the file have a prefix of their own, so that several pictures
//! can share a page.

use std::collections::BTreeSet;
use std::fmt::Write;

use jungle::board::Terrain;
use jungle::picture::{PieceSet, Rgb, motif};

use crate::board::Board;
use crate::gadget::{Gadget, Role};
use crate::geometry::{Direction, Spot};
use crate::layout::Layout;
use crate::text::{piece_sign, terrain_sign};

/// The side of a square in the units of the drawing.
const SQUARE: usize = 100;

/// A drawing of a board.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    board: &'a Board,
    title: String,
    set: PieceSet,
    square_size: f64,
    frames: Vec<Frame>,
    paths: Vec<(Vec<Spot>, Rgb)>,
    arrows: Vec<(Direction, usize, Role, String)>,
}

/// A labelled rectangle.
#[derive(Clone, Debug)]
struct Frame {
    row: usize,
    column: usize,
    height: usize,
    width: usize,
    label: String,
}

impl<'a> Picture<'a> {
    /// A picture of a board with a title.
    pub fn of(board: &'a Board, title: impl Into<String>) -> Picture<'a> {
        Picture {
            board,
            title: title.into(),
            set: PieceSet::default(),
            square_size: 48.0,
            frames: Vec::new(),
            paths: Vec::new(),
            arrows: Vec::new(),
        }
    }

    /// A picture of a gadget, with its ports named.
    pub fn of_gadget(gadget: &'a Gadget) -> Picture<'a> {
        let mut picture = Picture::of(&gadget.board, gadget.title.clone());
        picture.arrows = gadget
            .ports
            .iter()
            .map(|port| (port.edge, port.line, port.role, port.name.clone()))
            .collect();
        picture
    }

    /// A picture of a circuit's board: gadgets framed and labelled, wires drawn.
    pub fn of_layout(
        layout: &'a Layout,
        title: impl Into<String>,
        names: &[String],
    ) -> Picture<'a> {
        let mut picture = Picture::of(&layout.board, title);
        let geometry = layout.board.geometry();
        for block in &layout.blocks {
            let own = block.gadget.board.geometry();
            picture.frames.push(Frame {
                row: block.row,
                column: block.column,
                height: own.height(),
                width: own.width(),
                label: block.gate.label(names),
            });
        }
        if let (Some(&first), Some(&last)) = (layout.track.first(), layout.track.last()) {
            let columns = layout.track.iter().map(|&spot| geometry.column(spot));
            let right = columns.max().unwrap_or_default();
            picture.frames.push(Frame {
                row: geometry.row(first),
                column: geometry.column(first),
                height: geometry.row(last) + 1 - geometry.row(first),
                width: right + 1 - geometry.column(first),
                label: "RACE".to_owned(),
            });
        }
        for wire in &layout.wires {
            let source = &layout.blocks[wire.from.gate];
            let mut path =
                vec![source.landing(geometry, source.outputs[wire.from.port]), wire.bend];
            if let Some(to) = wire.to {
                let target = &layout.blocks[to.gate];
                path.push(target.landing(geometry, target.inputs[to.port]));
            }
            picture.paths.push((path, Rgb(0xb9, 0x2f, 0x26)));
        }
        picture
    }

    /// The side of a square in pixels.
    #[must_use]
    pub fn square_size(mut self, pixels: f64) -> Picture<'a> {
        self.square_size = if pixels > 0.0 { pixels } else { 1.0 };
        self
    }

    /// How pieces are drawn.
    #[must_use]
    pub fn pieces(mut self, set: PieceSet) -> Picture<'a> {
        self.set = set;
        self
    }

    /// The picture as an SVG document.
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut svg);
        svg
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let geometry = self.board.geometry();
        // Room for the names of ports, or of the first gadget.
        let margin = match (self.arrows.is_empty(), self.frames.is_empty()) {
            (false, _) => 110,
            (true, false) => 170,
            (true, true) => 30,
        };
        let (width, height) = (geometry.width() * SQUARE, geometry.height() * SQUARE);
        let scale = self.square_size / SQUARE as f64;
        let title = escaped(&self.title);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
             viewBox=\"-{margin} -{margin} {} {}\" role=\"img\" aria-label=\"{title}\" \
             font-family=\"Noto Sans, sans-serif\" font-weight=\"700\" text-anchor=\"middle\">\
             <title>{title}</title>",
            ((width + 2 * margin) as f64 * scale).round(),
            ((height + 2 * margin) as f64 * scale).round(),
            width + 2 * margin,
            height + 2 * margin,
        )?;
        self.definitions(out)?;
        writeln!(
            out,
            "<rect x=\"-{margin}\" y=\"-{margin}\" width=\"{}\" height=\"{}\" fill=\"#3f523a\"/>\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#74bbdd\"/>",
            width + 2 * margin,
            height + 2 * margin,
        )?;
        let place = |spot: Spot| (geometry.column(spot) * SQUARE, geometry.row(spot) * SQUARE);
        for spot in geometry.land() {
            let (x, y) = place(spot);
            let sign = terrain_name(geometry.terrain(spot));
            writeln!(out, "<use href=\"#gadget-{sign}\" x=\"{x}\" y=\"{y}\"/>")?;
        }
        for (path, color) in &self.paths {
            let middle = |&spot: &Spot| {
                let (x, y) = place(spot);
                format!("{} {}", x + SQUARE / 2, y + SQUARE / 2)
            };
            let points: Vec<String> = path.iter().map(middle).collect();
            writeln!(
                out,
                "<path d=\"M{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"9\" \
                 stroke-opacity=\".55\" stroke-linejoin=\"round\"/>",
                points.join("L")
            )?;
        }
        for frame in &self.frames {
            let (x, y) = (frame.column * SQUARE, frame.row * SQUARE);
            let (wide, high) = (frame.width * SQUARE, frame.height * SQUARE);
            writeln!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"20\" fill=\"none\" \
                 stroke=\"#3a1d5c\" stroke-width=\"8\" stroke-dasharray=\"26 14\"/>\
                 <text x=\"{}\" y=\"{}\" font-size=\"84\" fill=\"#3a1d5c\" text-anchor=\"end\" \
                 >{}</text>",
                x as i64 - 20,
                y as i64 - 20,
                wide + 40,
                high + 40,
                x as i64 - 40,
                y + high / 2 + 30,
                escaped(&frame.label)
            )?;
        }
        for (spot, piece) in self.board.pieces() {
            let (x, y) = place(spot);
            let sign = piece_sign(piece);
            let (x, y) = (x + SQUARE / 2, y + SQUARE / 2);
            writeln!(out, "<use href=\"#gadget-piece-{sign}\" x=\"{x}\" y=\"{y}\"/>")?;
        }
        for (edge, line, role, name) in &self.arrows {
            arrow(out, (width, height), *edge, *line, *role, name)?;
        }
        out.write_str("</svg>\n")
    }

    fn definitions(&self, out: &mut String) -> std::fmt::Result {
        let geometry = self.board.geometry();
        let kinds: BTreeSet<char> =
            geometry.land().map(|spot| terrain_sign(geometry.terrain(spot))).collect();
        out.write_str("<defs>")?;
        for sign in kinds {
            let Some(terrain) = crate::text::terrain_of(sign) else { continue };
            let name = terrain_name(terrain);
            write!(out, "<g id=\"gadget-{name}\">{}</g>", motif::square(terrain))?;
        }
        let pieces: BTreeSet<char> =
            self.board.pieces().map(|(_, piece)| piece_sign(piece)).collect();
        for sign in pieces {
            let Some(piece) = crate::text::piece_of(sign) else { continue };
            write!(out, "<g id=\"gadget-piece-{sign}\">{}</g>", motif::piece(self.set, piece))?;
        }
        out.write_str("</defs>\n")
    }
}

fn terrain_name(terrain: Terrain) -> &'static str {
    match terrain_sign(terrain) {
        '.' => "land",
        'w' => "white-trap",
        'b' => "black-trap",
        'A' => "white-den",
        'B' => "black-den",
        _ => "water",
    }
}

/// An arrow at a port, and its name.
fn arrow(
    out: &mut String,
    (width, height): (usize, usize),
    edge: Direction,
    line: usize,
    role: Role,
    name: &str,
) -> std::fmt::Result {
    let middle = (line * SQUARE + SQUARE / 2) as i64;
    let (width, height) = (width as i64, height as i64);
    let (x, y, outward) = match edge {
        Direction::North => (middle, -30, 270),
        Direction::South => (middle, height + 30, 90),
        Direction::East => (width + 30, middle, 0),
        Direction::West => (-30, middle, 180),
    };
    let turn = if role == Role::Out { outward } else { outward + 180 };
    let (tx, ty) = match edge {
        Direction::North => (x, y - 34),
        Direction::South => (x, y + 62),
        Direction::East => (x + 38, y - 32),
        Direction::West => (x - 38, y - 32),
    };
    writeln!(
        out,
        "<path transform=\"translate({x} {y}) rotate({turn})\" d=\"M-22 -9H2V-22L24 0L2 22V9H-22z\" \
         fill=\"#fdf8e9\"/><text x=\"{tx}\" y=\"{ty}\" font-size=\"32\" fill=\"#fdf8e9\">{}</text>",
        escaped(name)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Circuit;
    use crate::library;

    #[test]
    fn pictures_are_well_formed_and_show_every_piece() {
        for gadget in library::published().into_iter().chain(library::mended()) {
            let svg = Picture::of_gadget(&gadget).to_svg();
            let document = roxmltree::Document::parse(&svg).unwrap();
            let uses = document.descendants().filter(|node| node.has_tag_name("use")).count();
            let land = gadget.board.geometry().land().count();
            assert_eq!(uses, land + gadget.board.pieces().count(), "{}", gadget.name);
        }
    }

    #[test]
    fn boards_of_formulas_label_their_gadgets() {
        let formula: crate::formula::Formula = "(x | y) & z".parse().unwrap();
        let layout = Layout::of(&Circuit::of(&formula));
        let svg = Picture::of_layout(&layout, "a & b", formula.names()).to_svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts: Vec<&str> = document
            .descendants()
            .filter(|node| node.has_tag_name("text"))
            .filter_map(|node| node.text())
            .collect();
        assert_eq!(texts, ["x", "y", "z", "OR", "AND", "DEN", "RACE"]);
    }
}
