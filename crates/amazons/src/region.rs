//! Regions: the connected components into which arrows cut a board.
//!
//! A region, or sub-board, is an area of squares without arrows that kings could walk over,
//! amazons included: nothing that happens in one region matters to another. Xu, Xing and Zuo sort
//! them by who can still move in them:
//!
//! - *terminating*: neither. There is no amazon in it, or no empty square.
//! - *filling*: one player only. The other has no amazon in it.
//! - *competing*: both players.
//!
//! One point needs care. A region may hold amazons of both sides of which one side cannot move *now*.
//! As long as there is an empty square in the region, some amazon can go to it and leave hers
//! behind, so that in general her neighbours are freed, and their neighbours; such a region is
//! therefore called competing here. Taking it for a filling one would let the owner fill it
//! undisturbed, which she cannot.
//!
//! A move changes only the region it is made in, and splits it only if the arrow hits a square whose
//! neighbours do not all hang together without it. [`Regions::update`] looks at the eight neighbours
//! first (a table of 256 cases) and floods only if they fall apart.

use game::Side;

use crate::{Bitboard, Move, Position, Square};

/// Who can move in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Neither player, ever again.
    Terminating,
    /// Both players.
    Competing,
    /// This player alone.
    Filling(Side),
}

impl Kind {
    /// Whether either player can move.
    pub const fn is_executing(self) -> bool {
        !matches!(self, Kind::Terminating)
    }
}

/// An area that no move leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// Its squares, amazons' included.
    pub squares: Bitboard,
    /// Who can move in it.
    pub kind: Kind,
}

impl Region {
    fn of(position: &Position, squares: Bitboard) -> Region {
        let has = |player| position.amazons(player).intersects(squares);
        let kind = match (has(Side::First), has(Side::Second)) {
            _ if !position.empty().intersects(squares) => Kind::Terminating,
            (false, false) => Kind::Terminating,
            (true, true) => Kind::Competing,
            (true, false) => Kind::Filling(Side::First),
            (false, true) => Kind::Filling(Side::Second),
        };
        Region { squares, kind }
    }
}

/// All regions of a position, by their first squares.
pub fn regions(position: &Position) -> Vec<Region> {
    let mut rest = position.open();
    let mut found = Vec::new();
    while let Some(first) = rest.first() {
        let squares = first.bitboard().flood(position.open());
        rest = rest.without(squares);
        found.push(Region::of(position, squares));
    }
    found
}

/// Calls `each` with the regions in which a player can move.
#[inline]
pub fn executing(position: &Position, mut each: impl FnMut(Region)) {
    // Only regions with amazons can be executing: start from those, and skip the flood for amazons
    // that are alone with arrows.
    let mut rest = position.all_amazons();
    while let Some(first) = rest.first() {
        let squares = first.bitboard().flood(position.open());
        rest = rest.without(squares);
        let region = Region::of(position, squares);
        if region.kind.is_executing() {
            each(region);
        }
    }
}

/// Whether blocking `arrow` may cut the open squares around it apart: whether its open neighbours
/// fall into several groups.
#[inline]
pub fn may_split(open: Bitboard, arrow: Square) -> bool {
    // The ring around a square in three rows of the bitboard.
    let bits = open.bits() >> (arrow.index() - usize::from(Square::UP) - 1);
    let row = |n: u32| (bits >> (n * u32::from(Square::UP)) & 0b111) as usize;
    let ring = row(0) | (row(1) & 1) << 3 | (row(1) >> 2) << 4 | row(2) << 5;
    FALLS_APART[ring]
}

/// Bits of a ring: 0 to 2 below the square from the left, 3 left, 4 right, 5 to 7 above.
static FALLS_APART: [bool; 256] = {
    // Squares of the ring touch if they are a king's step apart.
    const PLACES: [(i32, i32); 8] =
        [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut touching = [0_usize; 8];
    let mut a = 0;
    while a < 8 {
        let mut b = 0;
        while b < 8 {
            let (files, ranks) = (PLACES[a].0 - PLACES[b].0, PLACES[a].1 - PLACES[b].1);
            if a != b && files.abs() <= 1 && ranks.abs() <= 1 {
                touching[a] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    let mut table = [false; 256];
    let mut ring: usize = 1;
    while ring < 256 {
        let mut group = ring & ring.wrapping_neg();
        let mut grown = true;
        while grown {
            let mut next = group;
            let mut at = 0;
            while at < 8 {
                if group & 1 << at != 0 {
                    next |= touching[at] & ring;
                }
                at += 1;
            }
            grown = next != group;
            group = next;
        }
        table[ring] = group != ring;
        ring += 1;
    }
    table
};

/// The regions of a position, kept up to date move by move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions {
    list: Vec<Region>,
}

impl Regions {
    /// The regions of a position.
    pub fn of(position: &Position) -> Regions {
        Regions { list: regions(position) }
    }

    /// The regions, in no particular order.
    pub fn list(&self) -> &[Region] {
        &self.list
    }

    /// The regions after `mv`, where `position` is what the move led to. The parts of the region that
    /// changed come last; how many they are is returned.
    pub fn update(&mut self, position: &Position, mv: Move) -> usize {
        let Some(at) = self.list.iter().position(|region| region.squares.contains(mv.arrow)) else {
            return 0; // the move was made on another board
        };
        let old = self.list.swap_remove(at);
        let mut rest = old.squares.without(mv.arrow.bitboard());
        let before = self.list.len();
        if !may_split(old.squares, mv.arrow) {
            // Without neighbours the arrow has hit a region of one square.
            if rest.any() {
                self.list.push(Region::of(position, rest));
            }
        } else {
            while let Some(first) = rest.first() {
                let squares = first.bitboard().flood(rest);
                rest = rest.without(squares);
                self.list.push(Region::of(position, squares));
            }
        }
        self.list.len() - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Amazons;
    use game::Game;
    use game::rng::Rng;

    fn sorted(regions: &[Region]) -> Vec<Region> {
        let mut regions = regions.to_vec();
        regions.sort_by_key(|region| region.squares);
        regions
    }

    #[test]
    fn regions_cover_the_board_and_moves_stay_in_theirs() {
        let mut rng = Rng::new(4);
        for round in 0..80 {
            let side = 4 + round % 7;
            let mut position = Position::start(side, side).unwrap();
            let mut kept = Regions::of(&position);
            loop {
                let regions = regions(&position);
                assert_eq!(sorted(kept.list()), sorted(&regions), "{position}");
                let union = regions.iter().fold(Bitboard::EMPTY, |all, region| {
                    assert!(!all.spread().intersects(region.squares), "regions touch: {position}");
                    all | region.squares
                });
                assert_eq!(union, position.open());
                let mut found = Vec::new();
                executing(&position, |region| found.push(region));
                let expected: Vec<Region> =
                    regions.iter().copied().filter(|region| region.kind.is_executing()).collect();
                assert_eq!(sorted(&found), sorted(&expected));

                // The moves of the board are the moves of its regions, by kind.
                let mut total = 0;
                for region in &regions {
                    let part = position.restricted(region.squares);
                    let counts = [Side::First, Side::Second].map(|player| {
                        let part = if part.turn() == player { part } else { part.passed() };
                        Amazons.count_moves(&part)
                    });
                    total += counts[position.turn() as usize];
                    match region.kind {
                        Kind::Terminating => assert_eq!(counts, [0, 0]),
                        Kind::Filling(Side::First) => assert!(counts[0] > 0 && counts[1] == 0),
                        Kind::Filling(Side::Second) => assert!(counts[1] > 0 && counts[0] == 0),
                        Kind::Competing => assert!(counts[0] + counts[1] > 0),
                    }
                }
                assert_eq!(total, Amazons.count_moves(&position));

                let Some(&mv) = rng.choose(&Amazons.moves(&position)) else { break };
                Amazons.make(&mut position, mv);
                kept.update(&position, mv);
            }
        }
    }

    #[test]
    fn the_three_kinds() {
        let position: Position = "W1xxB/1xx1x/xxxxx/BWx1B/3xx b".parse().unwrap();
        let kinds: Vec<Kind> = regions(&position).into_iter().map(|region| region.kind).collect();
        assert!(kinds.contains(&Kind::Filling(Side::First)));
        assert!(kinds.contains(&Kind::Filling(Side::Second)));
        assert!(kinds.contains(&Kind::Competing));
        let stuck: Position = "WBxx/xxx1/xxxx/xxxx w".parse().unwrap();
        assert!(regions(&stuck).iter().all(|region| region.kind == Kind::Terminating));
        assert_eq!(regions(&stuck).len(), 2);
    }

    #[test]
    fn an_arrow_between_two_rooms_may_split_them() {
        let at = |text: &str| text.parse::<Square>().unwrap();
        let open = |text: &str| text.parse::<Position>().unwrap().open();
        assert!(may_split(open("2x1/2x1/4/2x1 w"), at("c2")));
        assert!(!may_split(open("4/4/4/4 w"), at("b2")));
        assert!(!may_split(open("4/4/4/4 w"), at("a1")));
        assert!(!may_split(open("xxxx/xxxx/xxxx/1xxx w"), at("a1")));
    }
}
