//! Table 3 of van Rijn & Vis (2014), one piece a side, White to move: read so that their trees fit.
//!
//! The paper defines most of its features in a line each, and by "Manhattan distance" throughout.
//! Taken literally its trees do not fit the tables. They fit exactly as published (0, 0 and 16
//! errors) when **a distance to a den or a trap is the number of moves that the piece needs**: round
//! the water, over it for lion and tiger, through it for the rat, and never through its own den.
//! [`readings`](crate::readings) tries the alternatives and counts.
//!
//! With `d(piece, square)` for that number of moves:
//!
//! - `closest` is white if d(w, Black's den) ≤ d(b, White's den): White moves first.
//! - `unopposed_w`: for some trap t of Black, d(w, t) < d(b, t).
//! - `unopposed_b`: for some trap t of White, d(b, t) + 1 < d(w, t). Black moves second, so the same
//!   idea (no enemy can be there in time to take the piece in the trap) requires one move more.
//! - `can_cross`: w stands on rank 7 or beyond, or there is a square s of rank 7 on one of its
//!   shortest ways to Black's den with d(w, s) < d(b, s).
//! - `distance_d` is the Manhattan distance between the *white* piece and *White's* den, as the table
//!   says and although the text speaks of "the den for Black".
//! - `distance_p`, `parity`, `adjacent`: the Manhattan distance between the pieces, its remainder by
//!   2, and whether it is 1.
//! - `trapped`: Black's piece stands in a trap of White.
//! - `sector`: the rank is 7 or more (top), 4 to 6 (mid), 3 or less (bot).

use jungle::board::{DEN, TRAPS};
use jungle::causality::Movement;
use jungle::{Color, Square};

/// One piece a side.
#[derive(Clone, Copy, Debug)]
pub struct PiecePair {
    /// Where White's piece stands.
    pub white: Square,
    /// Where Black's piece stands.
    pub black: Square,
    /// How White's piece moves.
    pub white_moves: Movement,
    /// How Black's piece moves.
    pub black_moves: Movement,
}

impl PiecePair {
    /// Where a side's piece stands.
    pub fn square(&self, color: Color) -> Square {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// How a side's piece moves.
    pub fn movement(&self, color: Color) -> Movement {
        match color {
            Color::White => self.white_moves,
            Color::Black => self.black_moves,
        }
    }
}

/// What "distance" to a den, a trap or rank 7 means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Files plus ranks.
    Manhattan,
    /// Files plus ranks, and two more where the own den is in the way.
    RoundTheDen,
    /// Moves of something that walks, whatever the piece.
    Walking,
    /// Moves of the piece itself.
    Moves,
}

/// The value of `can_cross` for a piece that has crossed already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossed {
    /// Yes.
    Yes,
    /// No.
    No,
    /// It depends on squares of rank 7 like everywhere else.
    AsElsewhere,
}

/// Between which piece and which den `distance_d` is taken.
pub type PieceAndDen = (Color, Color);

/// One way to read the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The distance in `closest`, `unopposed` and `can_cross`.
    pub metric: Metric,
    /// How many moves earlier White must be in a trap than Black.
    pub white_earlier: i16,
    /// How many moves earlier Black must be in a trap than White.
    pub black_earlier: i16,
    /// The value of `can_cross` at and beyond rank 7.
    pub crossed: Crossed,
    /// The piece and the den of `distance_d`.
    pub distance_d: PieceAndDen,
}

/// The reading under which the published trees fit as published.
pub const READING: Reading = Reading {
    metric: Metric::Moves,
    white_earlier: 1,
    black_earlier: 2,
    crossed: Crossed::Yes,
    distance_d: (Color::White, Color::White),
};

/// Files plus ranks between two squares.
#[inline]
pub fn manhattan(one: Square, other: Square) -> i16 {
    i16::from(one.file().abs_diff(other.file()) + one.rank().abs_diff(other.rank()))
}

/// 0 for top, 1 for mid, 2 for bot.
pub fn sector(square: Square) -> u8 {
    match square.rank() {
        6.. => 0,
        3..=5 => 1,
        _ => 2,
    }
}

/// Whether the pieces are next to each other.
pub fn is_adjacent(pair: &PiecePair) -> bool {
    manhattan(pair.white, pair.black) == 1
}

/// Whether Black's piece stands in a trap of White.
pub fn is_trapped(pair: &PiecePair) -> bool {
    TRAPS.white.contains(pair.black)
}

impl Reading {
    /// The distance of a piece from a square, in this reading.
    #[inline]
    pub fn distance(&self, movement: Movement, from: Square, to: Square) -> i16 {
        let moves = |movement: Movement| {
            movement.distance(from, to).get().map_or(i16::from(u8::MAX), i16::from)
        };
        match self.metric {
            Metric::Manhattan => manhattan(from, to),
            Metric::RoundTheDen => {
                // Only on the two back ranks, from one side of the den to the other.
                let across = (i16::from(from.file()) - 3) * (i16::from(to.file()) - 3) < 0;
                let back = from.rank() == to.rank() && matches!(from.rank(), 0 | 8);
                manhattan(from, to) + if across && back { 2 } else { 0 }
            }
            Metric::Walking if movement == Movement::Swimmer => moves(Movement::Swimmer),
            Metric::Walking => moves(Movement::Walker),
            Metric::Moves => moves(movement),
        }
    }

    fn to(&self, pair: &PiecePair, color: Color, square: Square) -> i16 {
        self.distance(pair.movement(color), pair.square(color), square)
    }

    /// `closest`.
    #[inline]
    pub fn white_is_closest(&self, pair: &PiecePair) -> bool {
        self.to(pair, Color::White, DEN.black) <= self.to(pair, Color::Black, DEN.white)
    }

    /// `unopposed_w` and `unopposed_b`.
    #[inline]
    pub fn is_unopposed(&self, pair: &PiecePair, color: Color) -> bool {
        let earlier = match color {
            Color::White => self.white_earlier,
            Color::Black => self.black_earlier,
        };
        let first = |trap| self.to(pair, color, trap) + earlier <= self.to(pair, !color, trap);
        TRAPS[!color].into_iter().any(first)
    }

    /// `can_cross`.
    pub fn can_cross(&self, pair: &PiecePair) -> bool {
        const RANK_7: u8 = 6;
        if pair.white.rank() >= RANK_7 && self.crossed != Crossed::AsElsewhere {
            return self.crossed == Crossed::Yes;
        }
        let whole = self.to(pair, Color::White, DEN.black);
        let squares = (0..Square::FILES).filter_map(|file| Square::new(file, RANK_7));
        squares.into_iter().any(|square| {
            let (ours, theirs) =
                (self.to(pair, Color::White, square), self.to(pair, Color::Black, square));
            let rest = self.distance(pair.white_moves, square, DEN.black);
            ours + rest == whole && ours + self.white_earlier <= theirs
        })
    }

    /// `distance_d`.
    pub fn distance_d(&self, pair: &PiecePair) -> i16 {
        let (piece, den) = self.distance_d;
        manhattan(pair.square(piece), DEN[den])
    }
}
