//! Board geometry: the terrain, and the movement graphs that follow from it.
//!
//! ```text
//! 9  .  .  ^  #  ^  .  .      #  den        (d9 Black's, d1 White's)
//! 8  .  .  .  ^  .  .  .      ^  trap       (c9 e9 d8 Black's, c1 e1 d2 White's)
//! 7  .  .  .  .  .  .  .      ~  water      (files b c e f, ranks 4–6)
//! 6  .  ~  ~  .  ~  ~  .
//! 5  .  ~  ~  .  ~  ~  .
//! 4  .  ~  ~  .  ~  ~  .
//! 3  .  .  .  .  .  .  .
//! 2  .  .  .  ^  .  .  .
//! 1  .  .  ^  #  ^  .  .
//!    a  b  c  d  e  f  g
//! ```
//!
//! There are three movement graphs: walkers step between land squares ([`walks`]), swimmers
//! (rats) step anywhere ([`neighbours`]), jumpers walk and also jump in a straight line over water to
//! the first land beyond ([`jumps`]).
//! A den may be entered by the enemy only; that is left to the user of the graphs, who knows the
//! colour.

use crate::{Bitboard, ByColor, Color, Square};

/// The two lakes.
pub const WATER: Bitboard = {
    let mut water = Bitboard::EMPTY;
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        if matches!(square.file(), 1 | 2 | 4 | 5) && matches!(square.rank(), 3..=5) {
            water = water.with(square);
        }
        index += 1;
    }
    water
};

/// Everything that is not water, dens and traps included.
pub const LAND: Bitboard = Bitboard(Bitboard::ALL.0 & !WATER.0);

/// Each side's den, which the other side wants to enter.
pub const DEN: ByColor<Square> = ByColor { white: Square::D1, black: Square::D9 };

/// Both dens.
pub const DENS: Bitboard = Bitboard::EMPTY.with(Square::D1).with(Square::D9);

/// Each side's traps, which weaken the other side's pieces.
pub const TRAPS: ByColor<Bitboard> = ByColor {
    white: Bitboard::EMPTY.with(Square::C1).with(Square::E1).with(Square::D2),
    black: Bitboard::EMPTY.with(Square::C9).with(Square::E9).with(Square::D8),
};

/// All land squares next to water: where jumps start and end.
pub const SHORE: Bitboard = Bitboard(WATER.neighbours().0 & LAND.0);

/// The kind of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terrain {
    /// Plain land.
    Land,
    /// Only rats swim.
    Water,
    /// A trap of this side.
    Trap(Color),
    /// The den of this side.
    Den(Color),
}

/// The terrain of a square.
pub fn terrain(square: Square) -> Terrain {
    if WATER.contains(square) {
        return Terrain::Water;
    }
    for color in Color::ALL {
        if DEN[color] == square {
            return Terrain::Den(color);
        }
        if TRAPS[color].contains(square) {
            return Terrain::Trap(color);
        }
    }
    Terrain::Land
}

/// The direction of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Along a file, over three squares of water.
    Lengthwise,
    /// Along a rank, over two.
    Sideways,
}

/// A jump over water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Where it lands.
    pub to: Square,
    /// The water squares in between: a rat on any of them stops the jump.
    pub over: Bitboard,
    /// Which way it goes.
    pub axis: Axis,
}

/// The jumps that start on a square; there are at most two.
pub const fn jumps(from: Square) -> &'static [Jump] {
    let (jumps, len) = &JUMPS[from as usize];
    jumps.split_at(*len).0
}

/// Where jumping pieces land: up and down for those on `lengthwise`, right and left for those on
/// `sideways`, unless one of the `rats` swims in between.
#[inline]
pub const fn landings(lengthwise: Bitboard, sideways: Bitboard, rats: Bitboard) -> [Bitboard; 4] {
    // Where jumps in each direction start; the water in between is smeared back onto it.
    const UPWARD: u64 = WATER.down().0 & LAND.0;
    const DOWNWARD: u64 = WATER.up().0 & LAND.0;
    const RIGHTWARD: u64 = WATER.left().0 & LAND.0;
    const LEFTWARD: u64 = WATER.right().0 & LAND.0;
    let rats = rats.0 & WATER.0;
    [
        Bitboard((lengthwise.0 & UPWARD & !(rats >> 7 | rats >> 14 | rats >> 21)) << 28),
        Bitboard((lengthwise.0 & DOWNWARD & !(rats << 7 | rats << 14 | rats << 21)) >> 28),
        Bitboard((sideways.0 & RIGHTWARD & !(rats >> 1 | rats >> 2)) << 3),
        Bitboard((sideways.0 & LEFTWARD & !(rats << 1 | rats << 2)) >> 3),
    ]
}

/// The squares one step away, water included.
#[inline]
pub const fn neighbours(square: Square) -> Bitboard {
    NEIGHBOURS[square as usize]
}

/// The land squares one step away: where everything but a rat walks.
#[inline]
pub const fn walks(square: Square) -> Bitboard {
    WALKS[square as usize]
}

const WALKS: [Bitboard; Square::COUNT] = {
    let mut table = NEIGHBOURS;
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = Bitboard(table[index].0 & LAND.0);
        index += 1;
    }
    table
};

const NEIGHBOURS: [Bitboard; Square::COUNT] = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = Square::ALL[index].bitboard().neighbours();
        index += 1;
    }
    table
};

const JUMPS: [([Jump; 2], usize); Square::COUNT] = {
    let nowhere = Jump { to: Square::A1, over: Bitboard::EMPTY, axis: Axis::Sideways };
    let directions = [
        (0, 1, Axis::Lengthwise),
        (0, -1, Axis::Lengthwise),
        (1, 0, Axis::Sideways),
        (-1, 0, Axis::Sideways),
    ];
    let mut table = [([nowhere; 2], 0); Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let from = Square::ALL[index];
        let mut direction = 0;
        while direction < directions.len() && !WATER.contains(from) {
            let (files, ranks, axis) = directions[direction];
            let mut over = Bitboard::EMPTY;
            let mut at = from.offset(files, ranks);
            while let Some(square) = at {
                if WATER.contains(square) {
                    over = over.with(square);
                    at = square.offset(files, ranks);
                    continue;
                }
                if over.any() {
                    let (jumps, len) = &mut table[index];
                    jumps[*len] = Jump { to: square, over, axis };
                    *len += 1;
                }
                break;
            }
            direction += 1;
        }
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_jump_can_be_jumped_back() {
        let mut count = 0;
        for from in Square::ALL {
            for jump in jumps(from) {
                count += 1;
                assert!(SHORE.contains(from) && SHORE.contains(jump.to));
                assert!(jump.over.without(WATER).is_empty());
                let back = jumps(jump.to).iter().find(|back| back.to == from);
                assert_eq!(back.map(|back| (back.over, back.axis)), Some((jump.over, jump.axis)));
                let length = match jump.axis {
                    Axis::Lengthwise => 3,
                    Axis::Sideways => 2,
                };
                assert_eq!(jump.over.len(), length);
            }
        }
        assert_eq!(count, 2 * (4 + 6), "four files and two lakes of three ranks, both ways");
    }

    #[test]
    fn landings_are_jumps() {
        for from in Square::ALL {
            for rat in WATER {
                let landed = landings(from.bitboard(), from.bitboard(), rat.bitboard());
                let landed = landed.into_iter().fold(Bitboard::EMPTY, |all, set| all | set);
                let free = jumps(from).iter().filter(|jump| !jump.over.contains(rat));
                assert_eq!(landed, free.map(|jump| jump.to).collect(), "{from} over {rat}");
            }
        }
    }

    #[test]
    fn terrain_covers_the_board_symmetrically() {
        for square in Square::ALL {
            assert_eq!(terrain(square), terrain(square.mirror()));
            let other = match terrain(square) {
                Terrain::Trap(color) => Terrain::Trap(!color),
                Terrain::Den(color) => Terrain::Den(!color),
                plain => plain,
            };
            assert_eq!(terrain(square.rotate()), other);
        }
        assert_eq!(WATER.len(), 12);
        assert_eq!(terrain(Square::D9), Terrain::Den(Color::Black));
        assert_eq!(terrain(Square::D2), Terrain::Trap(Color::White));
    }
}
