//! Position keys: what a position is found by.
//!
//! A key says exactly where every piece stands and who is to move, in 97 bits: no two positions share one, and it does
//! not change from version to version as a hash might. From the low end, six bits for each of White's animals in the order
//! R C W D P T L E, then for each of Black's, then one bit for the side to move:
//!
//! ```text
//! bit  96    95 … 90   89 … 48   47 … 42   …   11 … 6   5 … 0
//!      turn  Black E   …         Black R   …   White C  White R      square a1 = 0, b1 = 1, … g9 = 62; 63: not there
//! ```
//!
//! The board is the same on both wings, and no rule prefers one, so a position and its mirror image are one position with
//! the files exchanged: whatever is played, and however it ends, has its mirror image. They share a key, the
//! smaller of the two, and what was played in one is turned round for the other ([`Located`]). Exchanging the colours
//! is another symmetry of the game, but not of its records, which say who played Red; it is not used.
//!
//! Repetition and the counters of a FEN are not part of a position here, nor are the rules: a filter chooses those.

use std::fmt;

use jungle::{Animal, Color, Move, Position, Square};

/// The bits of a square.
const BITS: u32 = 6;
/// The square of a piece that is not there.
const ABSENT: u128 = 63;

/// What a position and its mirror image are found by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(u128);

impl PositionKey {
    /// How many bytes it has in a database.
    pub const BYTES: usize = 13;

    /// As bytes, the most significant first.
    pub fn to_bytes(self) -> [u8; PositionKey::BYTES] {
        let all = self.0.to_be_bytes();
        std::array::from_fn(|index| all[index + all.len() - PositionKey::BYTES])
    }
}

impl fmt::Debug for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:025x}", self.0)
    }
}

/// A move as it is kept with a key: from where to where, on the wing of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge(u16);

impl Edge {
    fn new(from: Square, to: Square) -> Edge {
        Edge((from.index() << BITS | to.index()) as u16)
    }

    /// Its number in a database.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The move with this number; none if there is no such move.
    pub fn from_number(number: u16) -> Option<Edge> {
        let edge = Edge(number);
        let square = |bits: u16| Square::from_index((bits & 63) as u8);
        (number >> (2 * BITS) == 0 && square(number).is_some() && square(number >> BITS).is_some())
            .then_some(edge)
    }

    fn squares(self) -> (Square, Square) {
        let square = |bits: u16| Square::from_index((bits & 63) as u8).unwrap_or(Square::ALL[0]);
        (square(self.0 >> BITS), square(self.0))
    }
}

/// A position found in the library: its key, and whether it is the mirror image of the one that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    key: PositionKey,
    wing: Wing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wing {
    /// As it is kept.
    Same,
    /// Its mirror image is kept.
    Other,
    /// It is its own mirror image.
    Both,
}

impl Located {
    /// Where to find a position.
    pub fn of(position: &Position) -> Located {
        let (here, there) = (bits(position, |square| square), bits(position, Square::mirror));
        let wing = match here.cmp(&there) {
            std::cmp::Ordering::Less => Wing::Same,
            std::cmp::Ordering::Equal => Wing::Both,
            std::cmp::Ordering::Greater => Wing::Other,
        };
        Located { key: PositionKey(here.min(there)), wing }
    }

    /// The key.
    pub const fn key(self) -> PositionKey {
        self.key
    }

    /// A move from this position as it is kept.
    pub fn keep(self, mv: Move) -> Edge {
        let (here, there) =
            (Edge::new(mv.from, mv.to), Edge::new(mv.from.mirror(), mv.to.mirror()));
        match self.wing {
            Wing::Same => here,
            Wing::Other => there,
            Wing::Both => here.min(there),
        }
    }

    /// A move that was kept, from where to where on this wing.
    pub fn restore(self, edge: Edge) -> (Square, Square) {
        let (from, to) = edge.squares();
        match self.wing {
            Wing::Same | Wing::Both => (from, to),
            Wing::Other => (from.mirror(), to.mirror()),
        }
    }
}

fn bits(position: &Position, turned: impl Fn(Square) -> Square) -> u128 {
    let mut key = u128::from(position.turn() == Color::Black);
    for color in [Color::Black, Color::White] {
        for animal in Animal::ALL.into_iter().rev() {
            let square = position.square_of(color, animal);
            let bits = square.map_or(ABSENT, |square| turned(square).index() as u128);
            key = key << BITS | bits;
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use game::Game;
    use game::rng::Rng;
    use jungle::{Jungle, Play, Rules};

    use super::*;

    /// Positions of random games, and games from their mirror images.
    fn random_positions(games: u64) -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let mut play = Play::start(Jungle::new(Rules::STANDARD));
            while play.ending().is_none() && play.moves().len() < 120 {
                let moves = play.legal_moves();
                let Some(&mv) = rng.choose(&moves) else { break };
                play.play(mv).unwrap();
                positions.push(play.position().clone());
            }
        }
        positions
    }

    #[test]
    fn keys_are_exact_and_the_same_for_mirror_images() {
        let mut known: HashMap<PositionKey, String> = HashMap::new();
        for position in random_positions(40) {
            let located = Located::of(&position);
            assert_eq!(located.key(), Located::of(&position.mirror()).key());
            assert_ne!(located.key(), Located::of(&position.with_turn(!position.turn())).key());
            let texts = [position.to_string(), position.mirror().to_string()];
            let text = texts.into_iter().min().unwrap();
            let other = known.entry(located.key()).or_insert_with(|| text.clone());
            assert_eq!(*other, text, "two positions share a key");
            assert!(located.key().to_bytes().iter().any(|byte| *byte != 0));
        }
    }

    #[test]
    fn moves_are_kept_and_restored_on_either_wing() {
        let jungle = Jungle::new(Rules::STANDARD);
        for position in random_positions(6) {
            let mirror = position.mirror();
            let (here, there) = (Located::of(&position), Located::of(&mirror));
            for mv in jungle.moves(&position) {
                assert_eq!(here.keep(mv), there.keep(mv.mirror()));
                let (from, to) = here.restore(here.keep(mv));
                assert!((from, to) == (mv.from, mv.to) || here.wing == Wing::Both);
                assert!(jungle.find_move(&position, from, to).is_ok());
                assert_eq!(Edge::from_number(here.keep(mv).number()), Some(here.keep(mv)));
            }
        }
        assert_eq!(Edge::from_number(63), None);
        assert_eq!(Edge::from_number(0xffff), None);
    }

    #[test]
    fn a_position_that_is_its_own_mirror_image_has_one_move_for_two() {
        let position: Position = "7/7/3e3/7/7/7/3E3/7/7 w".parse().unwrap();
        let jungle = Jungle::new(Rules::STANDARD);
        let located = Located::of(&position);
        let edges: std::collections::HashSet<Edge> =
            jungle.moves(&position).into_iter().map(|mv| located.keep(mv)).collect();
        assert_eq!((jungle.moves(&position).len(), edges.len()), (4, 3));
    }

    #[test]
    fn the_start_has_the_key_that_is_documented() {
        // White's rat is on g3 (20), Black's elephant on g7 (48), and White is to move.
        let key = Located::of(&Position::start()).key().0;
        let mirror = Located::of(&Position::start().mirror()).key().0;
        assert_eq!(key, mirror);
        assert_eq!(key >> 96, 0);
        let rat = key & 63;
        assert!(rat == 20 || rat == 14, "{rat}");
    }
}
