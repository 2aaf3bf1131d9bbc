//! Bitboards of 128 bits: sets of squares, and sliding attacks of queens and kings.
//!
//! A queen's lines from one square are cut off at the first obstacle by arithmetic on the ray: the
//! obstacles on it, their lowest (or highest) bit, and everything before it. A whole set of queens ([`Lines`])
//! spreads in a direction by doubling (Kogge and Stone's adder, as chess programs use it): after
//! 1, 2, 4 and 8 steps at once every line of ten squares is done.

use std::fmt;

use crate::Square;

/// A set of squares. Bit `n` stands for the square with number `n`; no other bit is ever set.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Bitboard(u128);

const UP: u32 = Square::UP as u32;

const ALL: u128 = {
    let mut bits = 0;
    let mut index = 0;
    while index < 128 {
        if Square::from_index(index).is_some() {
            bits |= 1 << index;
        }
        index += 1;
    }
    bits
};

/// The four directions in which numbers rise; the others are their opposites.
const RISING: [(i8, i8); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
pub(crate) const STEPS: [u32; 4] = [1, UP - 1, UP, UP + 1];

/// The squares beyond each square in each rising direction, then in each falling one.
static RAYS: [[[u128; 4]; 2]; 128] = {
    let mut rays = [[[0; 4]; 2]; 128];
    let mut index = 0;
    while index < 128 {
        if let Some(square) = Square::from_index(index as u8) {
            let mut direction = 0;
            while direction < 4 {
                let (files, ranks) = RISING[direction];
                let mut steps = 1;
                while steps < Square::MAX as i8 {
                    if let Some(beyond) = square.offset(files * steps, ranks * steps) {
                        rays[index][0][direction] |= 1 << beyond.index();
                    }
                    if let Some(beyond) = square.offset(-files * steps, -ranks * steps) {
                        rays[index][1][direction] |= 1 << beyond.index();
                    }
                    steps += 1;
                }
                direction += 1;
            }
        }
        index += 1;
    }
    rays
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square of the largest board.
    pub const ALL: Bitboard = Bitboard(ALL);

    /// The set with these bits; those that are not squares are dropped.
    #[inline]
    pub const fn from_bits_truncated(bits: u128) -> Bitboard {
        Bitboard(bits & ALL)
    }

    /// The bits.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// How many squares.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no square in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is a square in it.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the square is in it.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & 1 << square.index() != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The squares of `self` that are not in `other`.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// The set and one square more.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square.index())
    }

    /// The first square, if there is one.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Square::from_bit(self.0.trailing_zeros() as u8) }
    }

    /// The set and all squares a king's step away from it.
    #[inline]
    #[must_use]
    pub const fn spread(self) -> Bitboard {
        let rows = self.0 | self.0 << 1 | self.0 >> 1;
        Bitboard((rows | rows << UP | rows >> UP) & ALL)
    }

    /// What kings starting on `self` reach without leaving `within`; `self` lies in it.
    #[must_use]
    pub const fn flood(self, within: Bitboard) -> Bitboard {
        let mut reached = self;
        loop {
            let further = Bitboard(reached.spread().0 & within.0);
            if further.0 == reached.0 {
                return reached;
            }
            reached = further;
        }
    }
}

/// The empty squares of a board, prepared for the moves of many queens.
///
/// For each direction and each doubling it holds the squares from which that many steps back lead over empty
/// squares only. They are the same for every set of queens, and working them out is half of the work.
#[derive(Clone, Debug)]
pub struct Lines {
    empty: Bitboard,
    rising: [[u128; 4]; 4],
    falling: [[u128; 4]; 4],
}

impl Lines {
    /// The lines over these empty squares.
    #[inline]
    pub const fn new(empty: Bitboard) -> Lines {
        let (mut rising, mut falling) = ([[empty.0; 4]; 4], [[empty.0; 4]; 4]);
        let mut direction = 0;
        while direction < 4 {
            let mut doubling = 1;
            while doubling < 4 {
                let distance = STEPS[direction] << (doubling - 1);
                let (above, below) =
                    (rising[direction][doubling - 1], falling[direction][doubling - 1]);
                rising[direction][doubling] = above & above << distance;
                falling[direction][doubling] = below & below >> distance;
                doubling += 1;
            }
            direction += 1;
        }
        Lines { empty, rising, falling }
    }

    /// The empty squares that some queen of the set reaches in one move or none (those of the set that are
    /// empty are among them), and how many moves that are, each queen counting her own. Only of queens that
    /// stand on no empty square is that number right: then no two share a line in the same direction.
    #[inline]
    pub const fn queen_moves(&self, queens: Bitboard) -> (Bitboard, u32) {
        let (mut reached, mut moves) = (0, 0);
        let mut direction = 0;
        while direction < 4 {
            let step = STEPS[direction];
            let (mut rising, mut falling) = (queens.0, queens.0);
            // Lines are ten squares long: 1 + 2 + 4 + 8 steps are enough.
            let mut doubling = 0;
            while doubling < 4 {
                let distance = step << doubling;
                rising |= self.rising[direction][doubling] & rising << distance;
                falling |= self.falling[direction][doubling] & falling >> distance;
                doubling += 1;
            }
            reached |= rising | falling;
            moves += (rising & self.empty.0).count_ones() + (falling & self.empty.0).count_ones();
            direction += 1;
        }
        (Bitboard(reached & self.empty.0), moves)
    }
}

impl Square {
    /// The set of this square alone.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self.index())
    }

    /// The empty squares that a queen here reaches in one move.
    #[inline]
    pub fn queen_moves(self, empty: Bitboard) -> Bitboard {
        let [rising, falling] = &RAYS[self.index()];
        let mut reached = 0;
        for ray in rising {
            // Below the lowest obstacle; without one, 0 - 1 is every bit.
            let obstacles = ray & !empty.0;
            let lowest = obstacles & obstacles.wrapping_neg();
            reached |= ray & lowest.wrapping_sub(1);
        }
        for ray in falling {
            // Above the highest obstacle. Bit 0 is not a square and serves where there is none.
            let obstacles = ray & !empty.0 | 1;
            reached |= ray & (!1 << (127 - obstacles.leading_zeros()));
        }
        Bitboard(reached)
    }
}

game::set_of_squares!(Bitboard, Square, Squares);

/// Draws the largest board, rank 10 on top: `X` for a square in the set, `.` for one that is not.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..Square::MAX).rev() {
            writeln!(f)?;
            for file in 0..Square::MAX {
                let inside = Square::new(file, rank).is_some_and(|square| self.contains(square));
                f.write_str(if inside { " X" } else { " ." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::rng::Rng;

    fn plain_queen_moves(from: Square, empty: Bitboard) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for (files, ranks) in RISING.into_iter().flat_map(|(f, r)| [(f, r), (-f, -r)]) {
            let mut at = from;
            while let Some(next) = at.offset(files, ranks).filter(|&next| empty.contains(next)) {
                reached = reached.with(next);
                at = next;
            }
        }
        reached
    }

    #[test]
    fn queens_move_as_plain_steps_say() {
        let mut rng = Rng::new(5);
        for round in 0..2_000 {
            let word =
                |rng: &mut Rng| u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            let mut empty = word(&mut rng);
            for _ in 0..round % 4 {
                empty |= word(&mut rng);
            }
            let empty = Bitboard::from_bits_truncated(empty);
            let lines = Lines::new(empty);
            let mut queens = Bitboard::EMPTY;
            let (mut reached, mut moves) = (Bitboard::EMPTY, 0);
            for square in Bitboard::ALL {
                assert_eq!(square.queen_moves(empty), plain_queen_moves(square, empty));
                if rng.below(12) == 0 {
                    queens = queens.with(square);
                    reached |= square.queen_moves(empty);
                    if !empty.contains(square) {
                        moves += square.queen_moves(empty).len();
                    }
                }
            }
            assert_eq!(lines.queen_moves(queens).0, reached | queens & empty);
            assert_eq!(lines.queen_moves(queens.without(empty)).1, moves);
        }
    }

    #[test]
    fn kings_step_to_every_neighbour() {
        for square in Bitboard::ALL {
            let expected = Bitboard::ALL
                .into_iter()
                .filter(|other| {
                    square.file().abs_diff(other.file()) <= 1
                        && square.rank().abs_diff(other.rank()) <= 1
                })
                .collect();
            assert_eq!(square.bitboard().spread(), expected);
        }
    }
}
