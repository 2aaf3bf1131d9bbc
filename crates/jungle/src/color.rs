//! The two sides, and data for each of them.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

use game::Side;
use serde::{Deserialize, Serialize};

/// A side. White starts at the bottom of the board and moves first. As data, `"white"` or `"black"`, as in chess; to
/// people it is Red or Blue, as it is painted.
///
/// ```
/// use jungle::Color;
///
/// assert_eq!(Color::ALL.map(|color| color.to_string()), ["Red", "Blue"]);
/// assert_eq!(Color::ALL.map(Color::chess_name), ["White", "Black"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Side))]
#[repr(u8)]
pub enum Color {
    /// Starts on ranks 1–3 and moves first; drawn in red.
    White,
    /// Starts on ranks 7–9; drawn in blue.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The letter used in FEN: `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The name in chess: for programs that know no other, and where a paper is quoted that uses it.
    pub const fn chess_name(self) -> &'static str {
        match self {
            Color::White => "White",
            Color::Black => "Black",
        }
    }

    /// This side as the player of a general two-player game.
    pub const fn player(self) -> Side {
        match self {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }
}

impl From<Side> for Color {
    fn from(player: Side) -> Color {
        match player {
            Side::First => Color::White,
            Side::Second => Color::Black,
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// For people: `Red` or `Blue`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "Red",
            Color::Black => "Blue",
        })
    }
}

/// One value for each side, indexed by [`Color`].
///
/// ```
/// use jungle::{ByColor, Color};
///
/// let mut pieces = ByColor { white: 8, black: 8 };
/// pieces[Color::Black] -= 1;
/// assert_eq!(pieces.black, 7);
/// assert_eq!(pieces.swapped().white, 7);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(C)]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// Calls `make` for each side.
    pub fn from_fn(mut make: impl FnMut(Color) -> T) -> ByColor<T> {
        ByColor { white: make(Color::White), black: make(Color::Black) }
    }

    /// The same values with the sides exchanged.
    pub fn swapped(self) -> ByColor<T> {
        ByColor { white: self.black, black: self.white }
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}
