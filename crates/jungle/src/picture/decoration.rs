//! Annotations of a diagram: colours, lines, arrows and marks.

use std::fmt;
use std::str::FromStr;

use crate::Square;

/// A colour.
///
/// The named ones are a palette for colour-blind readers: Okabe and Ito, "Color Universal Design"
/// (2008), with a violet for their yellow, which is lost on sand.
///
/// ```
/// use jungle::picture::Rgb;
///
/// assert_eq!(Rgb(255, 128, 0).to_string(), "#ff8000");
/// assert_eq!("#ff8000".parse(), Ok(Rgb(255, 128, 0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(
    /// Red.
    pub u8,
    /// Green.
    pub u8,
    /// Blue.
    pub u8,
);

impl Rgb {
    /// Orange.
    pub const ORANGE: Rgb = Rgb(0xe6, 0x9f, 0x00);
    /// Blue.
    pub const BLUE: Rgb = Rgb(0x00, 0x72, 0xb2);
    /// Green.
    pub const GREEN: Rgb = Rgb(0x00, 0x9e, 0x73);
    /// Vermilion.
    pub const RED: Rgb = Rgb(0xd5, 0x5e, 0x00);
    /// Pink.
    pub const PINK: Rgb = Rgb(0xcc, 0x79, 0xa7);
    /// Light blue.
    pub const SKY: Rgb = Rgb(0x56, 0xb4, 0xe9);
    /// Violet.
    pub const VIOLET: Rgb = Rgb(0x6a, 0x3d, 0x9a);
    /// Almost black.
    pub const INK: Rgb = Rgb(0x22, 0x26, 0x2b);

    /// Eight colours that distinguish regions, in the order in which to use them.
    pub const PALETTE: [Rgb; 8] =
        [Rgb::ORANGE, Rgb::BLUE, Rgb::GREEN, Rgb::PINK, Rgb::RED, Rgb::SKY, Rgb::VIOLET, Rgb::INK];
}

/// As in a style sheet: `#rrggbb`.
impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The text is not a colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a colour: expected six hexadecimal digits, as in #e69f00")]
pub struct ParseRgbError(String);

impl FromStr for Rgb {
    type Err = ParseRgbError;

    fn from_str(text: &str) -> Result<Rgb, ParseRgbError> {
        let error = || ParseRgbError(text.to_owned());
        let digits = text.strip_prefix('#').ok_or_else(error)?;
        // Signs, which `from_str_radix` would let pass, are not digits.
        if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(error());
        }
        let [_, red, green, blue] =
            u32::from_str_radix(digits, 16).map_err(|_| error())?.to_be_bytes();
        Ok(Rgb(red, green, blue))
    }
}

/// Something drawn from one square to another: a line or, with a head, an arrow.
///
/// ```
/// use jungle::Square;
/// use jungle::picture::{Picture, Rgb, Stroke};
///
/// let cut = Stroke::new(Square::D4, Square::D5).color(Rgb::RED).dashed().label("7");
/// assert!(Picture::empty().line(cut).to_svg().contains("stroke-dasharray"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stroke {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) color: Rgb,
    pub(super) dashed: bool,
    pub(super) label: Option<String>,
}

impl Stroke {
    /// A solid, dark stroke without a label.
    pub fn new(from: Square, to: Square) -> Stroke {
        Stroke { from, to, color: Rgb::INK, dashed: false, label: None }
    }

    /// In this colour.
    #[must_use]
    pub fn color(mut self, color: Rgb) -> Stroke {
        self.color = color;
        self
    }

    /// With dashes.
    #[must_use]
    pub fn dashed(mut self) -> Stroke {
        self.dashed = true;
        self
    }

    /// With a short text in the middle.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Stroke {
        self.label = Some(text.into());
        self
    }
}

/// A sign on a square.
///
/// ```
/// use jungle::picture::{Mark, Picture, Rgb};
/// use jungle::{Position, Square};
///
/// let targets = Square::A4 | Square::B3;
/// let svg = Picture::of(&Position::start()).mark(targets, Mark::Dot, Rgb::GREEN).to_svg();
/// assert_eq!(svg.matches("#009e73").count(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A dot in the middle: a piece can go here.
    Dot,
    /// A ring around the piece: it can be taken.
    Ring,
    /// A cross: forbidden, or lost.
    Cross,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_round_trip() {
        for color in Rgb::PALETTE {
            assert_eq!(color.to_string().parse(), Ok(color));
        }
        for wrong in ["", "#", "ff8000", "#ff800", "#+f8000", "#ff80001", "#é8000"] {
            assert!(wrong.parse::<Rgb>().is_err(), "{wrong}");
        }
    }
}
