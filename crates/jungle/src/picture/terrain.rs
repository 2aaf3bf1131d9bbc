//! The terrain of the board as SVG: land, lakes, traps and dens.
//!
//! Terrain must be seen around a piece as well as on an empty square, so every motif reaches into
//! the corners: a trap is a net over the whole square with a toothed pit in it, a den is a dark
//! square with a cave mouth under a pale arch, and both are tinted in their owner's colour.

use std::fmt::{self, Write};

use super::Rgb;
use super::svg::{Canvas, Num, SQUARE, side_color};
use crate::board::{Terrain, terrain};
use crate::{Color, Square};

/// The ground for text and the lightest colour in use.
pub(super) const PAPER: Rgb = Rgb(0xfd, 0xf8, 0xe9);

const FRAME: Rgb = Rgb(0x3f, 0x52, 0x3a);
const LAND: Rgb = Rgb(0xd9, 0xe0, 0xa8);
const MEADOW: Rgb = Rgb(0xd1, 0xda, 0x9d);
const GRID: Rgb = Rgb(0x8b, 0x97, 0x62);
const SHORE: Rgb = Rgb(0xf1, 0xe4, 0xb4);
const WATER: Rgb = Rgb(0x74, 0xbb, 0xdd);
/// The dark inside of traps and dens.
const PIT: Rgb = Rgb(0x2a, 0x23, 0x20);

/// The rounded frame around the board.
pub(super) fn frame(canvas: &mut Canvas<'_>, width: f64, height: f64) -> fmt::Result {
    let (width, height) = (Num(width), Num(height));
    writeln!(canvas.out, "<rect width=\"{width}\" height=\"{height}\" rx=\"28\" fill=\"{FRAME}\"/>")
}

/// All squares without pieces.
pub(super) fn board(canvas: &mut Canvas<'_>) -> fmt::Result {
    land(canvas)?;
    lakes(canvas)?;
    for square in Square::ALL {
        match terrain(square) {
            Terrain::Land | Terrain::Water => {}
            Terrain::Trap(color) => place(canvas, square, &trap(color))?,
            Terrain::Den(color) => place(canvas, square, &den(color))?,
        }
    }
    Ok(())
}

fn place(canvas: &mut Canvas<'_>, square: Square, motif: &str) -> fmt::Result {
    let (x, y) = canvas.corner(square);
    writeln!(canvas.out, "<g transform=\"translate({} {})\">{motif}</g>", Num(x), Num(y))
}

/// Two greens in turn, hardly different: enough to follow a diagonal by eye.
fn land(canvas: &mut Canvas<'_>) -> fmt::Result {
    for (wanted, color) in [(0, LAND), (1, MEADOW)] {
        write!(canvas.out, "<path fill=\"{color}\" d=\"")?;
        squares(canvas, |square| (square.file() + square.rank()) % 2 == wanted)?;
        canvas.out.write_str("\"/>")?;
    }
    write!(canvas.out, "<path fill=\"none\" stroke=\"{GRID}\" stroke-width=\"2\" d=\"")?;
    squares(canvas, |_| true)?;
    canvas.out.write_str("\"/>\n")
}

/// The path around each square of some kind.
fn squares(canvas: &mut Canvas<'_>, wanted: impl Fn(Square) -> bool) -> fmt::Result {
    Square::ALL.into_iter().filter(|&square| wanted(square)).try_for_each(|square| {
        let (x, y) = canvas.corner(square);
        write!(canvas.out, "M{} {}h{SQUARE}v{SQUARE}h-{SQUARE}z", Num(x), Num(y))
    })
}

/// Each lake is one body of water with a sandy shore; faint lines keep its squares apart.
fn lakes(canvas: &mut Canvas<'_>) -> fmt::Result {
    for (bottom_left, top_right) in [(Square::B4, Square::C6), (Square::E4, Square::F6)] {
        let (a, b) = (canvas.corner(bottom_left), canvas.corner(top_right));
        let (x, y) = (a.0.min(b.0), a.1.min(b.1));
        writeln!(
            canvas.out,
            "<g transform=\"translate({} {})\" fill=\"none\">\
             <rect x=\"3\" y=\"3\" width=\"194\" height=\"294\" rx=\"22\" fill=\"{WATER}\" \
             stroke=\"{SHORE}\" stroke-width=\"6\"/>\
             <path stroke=\"#fff\" stroke-opacity=\".4\" stroke-width=\"2\" \
             d=\"M100 8v284M8 100h184M8 200h184\"/>\
             <path stroke=\"#fff\" stroke-opacity=\".5\" stroke-width=\"4\" \
             stroke-linecap=\"round\" d=\"{}\"/></g>",
            Num(x),
            Num(y),
            waves()
        )?;
    }
    Ok(())
}

/// Two short waves in each of the six squares of a lake.
fn waves() -> String {
    let squares = (0..3).flat_map(|row| (0..2).map(move |column| (100 * column, 100 * row)));
    squares
        .map(|(x, y)| {
            let wave = "q7 -9 14 0t14 0t14 0";
            format!("M{} {}{wave}M{} {}{wave}", x + 16, y + 37, x + 42, y + 71)
        })
        .collect()
}

/// One square of any kind by itself, from the origin.
pub(super) fn square(terrain: Terrain) -> String {
    match terrain {
        Terrain::Land => format!(
            "<path fill=\"{LAND}\" stroke=\"{GRID}\" stroke-width=\"2\" d=\"M0 0h100v100h-100z\"/>"
        ),
        Terrain::Water => format!("<path fill=\"{WATER}\" d=\"M0 0h100v100h-100z\"/>"),
        Terrain::Trap(color) => trap(color),
        Terrain::Den(color) => den(color),
    }
}

/// A net over a pit.
fn trap(color: Color) -> String {
    let (ground, ink) = (tint(color), side_color(color));
    format!(
        "<path fill=\"{ground}\" d=\"M1 1h98v98h-98z\"/>\
         <path fill=\"none\" stroke=\"{ink}\" stroke-opacity=\".45\" stroke-width=\"3\" \
         d=\"M1 25L25 1M1 50L50 1M1 75L75 1M1 99L99 1M25 99L99 25M50 99L99 50M75 99L99 75\
         M75 1L99 25M50 1L99 50M25 1L99 75M1 1L99 99M1 25L75 99M1 50L50 99M1 75L25 99\"/>\
         <circle cx=\"50\" cy=\"50\" r=\"29\" fill=\"{PIT}\" stroke=\"{ink}\" \
         stroke-width=\"6\"/>\
         <path fill=\"{ground}\" d=\"{TEETH}\"/>\
         <path fill=\"{ground}\" transform=\"rotate(45 50 50)\" d=\"{TEETH}\"/>"
    )
}

/// Four teeth that point from the rim of the pit to its middle; turned by an eighth, four more.
const TEETH: &str = "M45 24h10l-5 11zM45 76h10l-5 -11zM24 45v10l11 -5zM76 45v10l-11 -5z";

/// A cave mouth under a stone arch.
fn den(color: Color) -> String {
    let (ground, ink) = (tint(color), side_color(color));
    format!(
        "<path fill=\"{ink}\" d=\"M1 1h98v98h-98z\"/>\
         <path fill=\"none\" stroke=\"{ground}\" stroke-width=\"4\" d=\"M8 8h84v84h-84z\"/>\
         <path fill=\"{ground}\" d=\"M18 84V50a32 32 0 0 1 64 0V84z\"/>\
         <path fill=\"none\" stroke=\"{ink}\" stroke-width=\"3\" \
         d=\"M18 66h14M68 66h14M21 40l11 6M79 40l-11 6M37 21l5 11M63 21l-5 11\"/>\
         <path fill=\"{PIT}\" d=\"M31 84V51a19 19 0 0 1 38 0V84z\"/>"
    )
}

/// The side's colour, thinned with paper.
fn tint(color: Color) -> Rgb {
    match color {
        Color::White => Rgb(0xf3, 0xcb, 0xb8),
        Color::Black => Rgb(0xbf, 0xd3, 0xea),
    }
}
