//! Effect cones, and the causality function as Burnett defines it.
//!
//! A cone is a matrix of heights, one for each square. This is the plain form, for definitions,
//! pictures and as an oracle; what has to be fast works on words and tables instead.

use std::fmt;

use super::{Movement, Time};
use crate::board::DEN;
use crate::{Color, Square};

/// An effect cone: when each square can be reached at the earliest.
///
/// ```
/// use jungle::causality::{Cone, Movement, Time};
/// use jungle::{Color, Square};
///
/// let cat = Cone::project(Movement::Walker, Color::White, Square::F8);
/// let tiger = Cone::project(Movement::Jumper, Color::Black, Square::A1);
/// let both = cat.a().max(&tiger.b());
/// assert_eq!(both.at(Square::B7), Time::new(9));
/// assert_eq!(both.min_height(), Time::new(9));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Cone {
    heights: [Time; Square::COUNT],
}

impl Cone {
    /// The cone that never reaches any square: the neutral element of [`Cone::min`].
    pub const NEVER: Cone = Cone { heights: [Time::NEVER; Square::COUNT] };

    /// The cone of a free body, in moves: where it stands at height 0, everything else as many moves
    /// up as it is away. Its own den is never entered.
    pub fn project(movement: Movement, color: Color, from: Square) -> Cone {
        let mut cone = Cone { heights: Square::ALL.map(|to| movement.distance(from, to)) };
        cone.heights[DEN[color].index()] = Time::NEVER;
        cone
    }

    /// The height over a square.
    pub fn at(&self, square: Square) -> Time {
        self.heights[square.index()]
    }

    /// Definition 6.5: the cone in plies, for a side that moves on plies 1, 3, 5 …
    #[must_use]
    pub fn a(&self) -> Cone {
        Cone { heights: self.heights.map(|time| time.scaled(2, 1)) }
    }

    /// Definition 6.6: the cone in plies, for a side that moves on plies 2, 4, 6 …
    #[must_use]
    pub fn b(&self) -> Cone {
        Cone { heights: self.heights.map(|time| time.scaled(2, 0)) }
    }

    /// The cone in plies of a piece of `color` when `first` makes the next move.
    #[must_use]
    pub fn in_plies(&self, color: Color, first: Color) -> Cone {
        if color == first { self.a() } else { self.b() }
    }

    /// Definition 6.7: when both can be on a square.
    #[must_use]
    pub fn max(&self, other: &Cone) -> Cone {
        self.combine(other, Time::max)
    }

    /// Definition 9.1: when one of the two can be on a square.
    #[must_use]
    pub fn min(&self, other: &Cone) -> Cone {
        self.combine(other, Time::min)
    }

    /// The least height.
    pub fn min_height(&self) -> Time {
        self.heights.into_iter().min().expect("there are squares")
    }

    fn combine(&self, other: &Cone, choose: fn(Time, Time) -> Time) -> Cone {
        let mut cone = self.clone();
        for (height, &theirs) in cone.heights.iter_mut().zip(&other.heights) {
            *height = choose(*height, theirs);
        }
        cone
    }
}

/// Definition 7.1: how many plies two pieces need at least before one can affect the other, when
/// `first` makes the next move. Each piece is given by its side and its free-body cone.
pub fn time_to_effect(
    (color, cone): (Color, &Cone),
    (other_color, other): (Color, &Cone),
    first: Color,
) -> Time {
    let in_plies = cone.in_plies(color, first);
    let meeting = in_plies.max(&other.in_plies(other_color, first)).min_height();
    meeting.scaled(if color == other_color { 2 } else { 1 }, 1)
}

/// The matrix, rank 9 on top.
impl fmt::Display for Cone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..Square::RANKS).rev() {
            write!(f, "{}", rank + 1)?;
            for file in 0..Square::FILES {
                let square = Square::new(file, rank).expect("the loops stay on the board");
                write!(f, " {:>2}", self.at(square))?;
            }
            writeln!(f)?;
        }
        f.write_str("   a  b  c  d  e  f  g")
    }
}

impl fmt::Debug for Cone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a matrix as printed, rank 9 first; `-` is never.
    fn matrix(text: &str) -> Cone {
        let mut cone = Cone::NEVER;
        for (row, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
            for (file, word) in line.split_whitespace().enumerate() {
                let square = Square::new(file as u8, 8 - row as u8).unwrap();
                cone.heights[square.index()] = word.parse().map_or(Time::NEVER, Time::new);
            }
        }
        cone
    }

    /// The matrices of Burnett's section 6.4, with the dens put right: a White cat enters d9 (on
    /// move 3) and not d1, a Black tiger enters d1 (on move 3) and not d9. Nothing else differs from
    /// what is printed there.
    #[test]
    fn the_printed_cones_come_out() {
        let cat = Cone::project(Movement::Walker, Color::White, Square::F8);
        assert_eq!(
            cat,
            matrix(
                "  6  5  4  3  2  1  2
                   5  4  3  2  1  0  1
                   6  5  4  3  2  1  2
                   7  -  -  4  -  -  3
                   8  -  -  5  -  -  4
                   9  -  -  6  -  -  5
                  10  9  8  7  8  7  6
                  11 10  9  8  9  8  7
                  12 11 10  - 10  9  8"
            )
        );
        assert_eq!(
            cat.a(),
            matrix(
                " 11  9  7  5  3  1  3
                   9  7  5  3  1  0  1
                  11  9  7  5  3  1  3
                  13  -  -  7  -  -  5
                  15  -  -  9  -  -  7
                  17  -  - 11  -  -  9
                  19 17 15 13 15 13 11
                  21 19 17 15 17 15 13
                  23 21 19  - 19 17 15"
            )
        );
        let tiger = Cone::project(Movement::Jumper, Color::Black, Square::A1);
        assert_eq!(
            tiger,
            matrix(
                "  7  6  7  -  9 10 10
                   6  5  6  7  8  9  9
                   5  4  5  6  7  8  8
                   5  -  -  6  -  -  7
                   4  -  -  5  -  -  6
                   3  -  -  4  -  -  5
                   2  3  4  5  6  7  6
                   1  2  3  4  5  6  7
                   0  1  2  3  6  7  8"
            )
        );
        assert_eq!(
            tiger.b(),
            matrix(
                " 14 12 14  - 18 20 20
                  12 10 12 14 16 18 18
                  10  8 10 12 14 16 16
                  10  -  - 12  -  - 14
                   8  -  - 10  -  - 12
                   6  -  -  8  -  - 10
                   4  6  8 10 12 14 12
                   2  4  6  8 10 12 14
                   0  2  4  6 12 14 16"
            )
        );
        let both = cat.a().max(&tiger.b());
        assert_eq!(
            both,
            matrix(
                " 14 12 14  - 18 20 20
                  12 10 12 14 16 18 18
                  11  9 10 12 14 16 16
                  13  -  - 12  -  - 14
                  15  -  - 10  -  - 12
                  17  -  - 11  -  - 10
                  19 17 15 13 15 14 12
                  21 19 17 15 17 15 14
                  23 21 19  - 19 17 16"
            )
        );
        assert_eq!(both.min_height(), Time::new(9));
        let lowest: Vec<Square> =
            Square::ALL.into_iter().filter(|&square| both.at(square) == Time::new(9)).collect();
        assert_eq!(lowest, [Square::B7]);
        let (cat, tiger) = ((Color::White, &cat), (Color::Black, &tiger));
        assert_eq!(time_to_effect(cat, tiger, Color::White), Time::new(8));
    }

    #[test]
    fn who_can_strike_at_once_is_at_time_zero() {
        let at = |movement, color, from| (color, Cone::project(movement, color, from));
        let time = |(color, cone): &(Color, Cone), (other, theirs): &(Color, Cone)| {
            time_to_effect((*color, cone), (*other, theirs), Color::White)
        };
        let lion = at(Movement::Jumper, Color::White, Square::B3);
        assert_eq!(time(&lion, &at(Movement::Walker, Color::Black, Square::B7)), Time::ZERO);
        assert_eq!(time(&lion, &at(Movement::Walker, Color::Black, Square::C3)), Time::ZERO);
        // Of one side: 1 ply for A, 3 for B, whether next to each other or one square apart.
        for square in [Square::C3, Square::D3] {
            assert_eq!(time(&lion, &at(Movement::Walker, Color::White, square)), Time::new(1));
        }
        let wolf = at(Movement::Walker, Color::Black, Square::C7);
        assert_eq!(time(&wolf, &at(Movement::Walker, Color::Black, Square::B7)), Time::new(3));
    }
}
