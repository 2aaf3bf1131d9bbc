//! Independence of pieces: for how long they cannot get in each other's way.
//!
//! A piece of one part changes what a piece of another may do only by standing where that one wants to
//! go, as prey or as an obstacle, or, a rat, by swimming where it wants to jump. Free bodies, which move
//! as if alone, reach a square as soon as real pieces do or sooner; so two pieces are certainly
//! independent for some plies, in which their sides make `m` and `n` moves, unless
//!
//! - enemies: one square is within `m` moves of the one and `n` moves of the other;
//! - friends, who share their side's `m` moves: one square is `a` moves from the one and `b` from the other
//!   with `a + b <= m`;
//! - a jumper and a rat, besides: within its moves the jumper reaches a shore and has one left to jump, and
//!   the rat reaches the water that it would cross.
//!
//! This is the causality function's idea with the counts made tight. Definition 7.1 itself will not do:
//! it treats two friends side by side as independent for a ply, though they block each other, and
//! ignores rats in the way.
//!
//! A search of `d` plies also asks at its last ply whether there is a legal move, so pieces have to stay
//! independent for `d + 1`. And a side that can lose all its pieces within `d` plies, scattered over
//! several parts, would lose the game in none of them: its parts are kept together.

use crate::board;
use crate::causality::tree::Sets;
use crate::causality::{Causality, Movement};
use crate::rules::Jumps;
use crate::{Animal, Bitboard, ByColor, Color, Jungle, Position, Square};

/// The pieces in sets that are independent of each other in a search of `plies` plies.
pub fn independent_sets(
    jungle: &Jungle,
    causality: &Causality,
    meetings: &Meetings,
    position: &Position,
    plies: u32,
) -> Vec<Bitboard> {
    let asked = plies + 1;
    let moves = moves_within(position.turn(), asked);
    let bodies: Vec<(Square, Color, Movement)> = position
        .pieces()
        .map(|(square, piece)| (square, piece.color, causality.movement(piece.animal)))
        .collect();
    let mut sets = Sets::new(bodies.len());
    for (at, &(square, color, movement)) in bodies.iter().enumerate() {
        for (before, &(other_square, other_color, other)) in bodies.iter().enumerate().take(at) {
            let (one, other) = ((movement, square), (other, other_square));
            let meet = match (color == other_color, color == position.turn()) {
                (true, _) => meetings.of_friends(one, other) <= moves[color],
                (false, true) => meetings.of_enemies(one, other) <= asked,
                (false, false) => meetings.of_enemies(other, one) <= asked,
            };
            if meet {
                sets.join(at, before);
            }
        }
    }
    if jungle.rules().annihilation_wins {
        let captures = moves_within(position.turn(), plies);
        for color in Color::ALL {
            if position.side(color).len() <= captures[!color] {
                let mut members = (0..bodies.len()).filter(|at| bodies[*at].1 == color);
                if let Some(first) = members.next() {
                    members.for_each(|member| {
                        sets.join(first, member);
                    });
                }
            }
        }
    }
    let mut parts: Vec<(usize, Bitboard)> = Vec::new();
    for (at, (square, ..)) in bodies.iter().enumerate() {
        let root = sets.find(at);
        match parts.iter_mut().find(|(set, _)| *set == root) {
            Some((_, squares)) => *squares |= square.bitboard(),
            None => parts.push((root, square.bitboard())),
        }
    }
    parts.into_iter().map(|(_, squares)| squares).collect()
}

/// How often each side moves within some plies.
pub fn moves_within(first: Color, plies: u32) -> ByColor<u32> {
    ByColor::from_fn(|color| if color == first { plies.div_ceil(2) } else { plies / 2 })
}

/// How soon any two pieces can get in each other's way, wherever they stand: a table, as it is needed
/// at every node of a search.
#[derive(Clone, Debug)]
pub struct Meetings {
    /// The moves that two friends need together.
    friends: Vec<u8>,
    /// The plies that two enemies need, the first of whom moves first.
    enemies: Vec<u8>,
}

/// How a piece moves, and where it stands.
pub type Standing = (Movement, Square);

const NEVER: u8 = u8::MAX;
const STANDINGS: usize = Movement::COUNT * Square::COUNT;

impl Meetings {
    /// Computes them for all animals under some rules.
    pub fn new(causality: &Causality) -> Meetings {
        let mut bodies: Vec<Option<Body>> = (0..STANDINGS).map(|_| None).collect();
        for movement in Animal::ALL.map(|animal| causality.movement(animal)) {
            for square in movement.domain() {
                bodies[index((movement, square))]
                    .get_or_insert_with(|| Body::new(movement, square));
            }
        }
        let mut meetings = Meetings {
            friends: vec![NEVER; STANDINGS * STANDINGS],
            enemies: vec![NEVER; STANDINGS * STANDINGS],
        };
        for (one, body) in bodies.iter().enumerate() {
            for (other, other_body) in bodies.iter().enumerate() {
                if let (Some(body), Some(other_body)) = (body, other_body) {
                    let at = one * STANDINGS + other;
                    meetings.friends[at] = body.moves_to_friend(other_body);
                    meetings.enemies[at] = body.plies_to_enemy(other_body);
                }
            }
        }
        meetings
    }

    /// How many moves two friends make together before one can be in the other's way.
    #[inline]
    pub fn of_friends(&self, one: Standing, other: Standing) -> u32 {
        self.friends[index(one) * STANDINGS + index(other)].into()
    }

    /// How many plies pass before one of two enemies can be in the other's way; the first moves first.
    #[inline]
    pub fn of_enemies(&self, first: Standing, second: Standing) -> u32 {
        self.enemies[index(first) * STANDINGS + index(second)].into()
    }
}

#[inline]
fn index((movement, square): Standing) -> usize {
    movement.index() * Square::COUNT + square.index()
}

/// A piece moving as if alone.
struct Body {
    swims: bool,
    /// What it reaches in at most this many moves: none, one, and so on.
    reach: Vec<Bitboard>,
    /// The water it may cross with its move of this number: none ever with move 0.
    crossed: Vec<Bitboard>,
}

/// The number of moves that take any piece wherever it will ever get, and over all water it will ever cross.
const ENOUGH_MOVES: usize = 24;

impl Body {
    fn new(movement: Movement, square: Square) -> Body {
        let mut reach = vec![square.bitboard()];
        let mut crossed = vec![Bitboard::EMPTY];
        for _ in 0..ENOUGH_MOVES {
            let here = reach[reach.len() - 1];
            crossed.push(water_crossed(movement, here));
            reach.push(here | movement.advance(here));
        }
        Body { swims: movement == Movement::Swimmer, reach, crossed }
    }

    /// Whether one of the two can get in the other's way when they make at most this many moves.
    fn can_meet(&self, moves: usize, other: &Body, other_moves: usize) -> bool {
        let blocks = |rat: &Body, swum: usize, jumper: &Body, moves: usize| {
            rat.swims && rat.reach[swum].intersects(jumper.crossed[moves])
        };
        self.reach[moves].intersects(other.reach[other_moves])
            || blocks(self, moves, other, other_moves)
            || blocks(other, other_moves, self, moves)
    }

    fn moves_to_friend(&self, other: &Body) -> u8 {
        let meet = |moves: &usize| (0..=*moves).any(|own| self.can_meet(own, other, moves - own));
        (0..=ENOUGH_MOVES).find(meet).map_or(NEVER, |moves| moves as u8)
    }

    fn plies_to_enemy(&self, other: &Body) -> u8 {
        let meet = |plies: &usize| self.can_meet(plies.div_ceil(2), other, plies / 2);
        (0..=2 * ENOUGH_MOVES).find(meet).map_or(NEVER, |plies| plies as u8)
    }
}

/// The water under all jumps that start on these squares.
fn water_crossed(movement: Movement, from: Bitboard) -> Bitboard {
    let mut water = Bitboard::EMPTY;
    let jumps = match movement {
        Movement::Walker | Movement::Swimmer => return water,
        Movement::Jumper => Jumps::Both,
        Movement::LengthwiseJumper => Jumps::Lengthwise,
        Movement::SidewaysJumper => Jumps::Sideways,
    };
    for square in from & board::SHORE {
        for jump in board::jumps(square).iter().filter(|jump| jumps.allow(jump.axis)) {
            water |= jump.over;
        }
    }
    water
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn sets(rules: &str, fen: &str, plies: u32) -> Vec<Bitboard> {
        let rules: Rules = rules.parse().unwrap();
        let (jungle, causality) = (Jungle::new(rules), Causality::new(&rules));
        let meetings = Meetings::new(&causality);
        independent_sets(&jungle, &causality, &meetings, &fen.parse().unwrap(), plies)
    }

    /// Annihilation is tested separately.
    const GEOMETRY: &str = "tufts,annihilation-wins=no";

    #[test]
    fn enemies_meet_in_the_middle() {
        let parts = |plies| sets(GEOMETRY, "c6/7/7/7/C6/7/6p/7/6P w", plies).len();
        assert_eq!(parts(0), 4);
        assert_eq!(parts(1), 3, "the panthers are two apart");
        assert_eq!(parts(2), 3);
        assert_eq!(parts(3), 2, "the cats, four apart, may want one square with the fourth ply");
    }

    #[test]
    fn friends_share_their_moves() {
        let parts = |fen, plies| sets(GEOMETRY, fen, plies).len();
        let two_apart = "6r/7/7/7/7/7/7/7/C1D4 b";
        assert_eq!(parts(two_apart, 2), 3);
        assert_eq!(parts(two_apart, 3), 2, "White's second move is the fourth ply");
        assert_eq!(parts("6r/7/7/7/7/7/7/7/CD5 w", 0), 2, "neighbours block each other now");
        assert_eq!(parts("6r/7/7/7/7/7/7/7/CD5 b", 0), 3);
    }

    #[test]
    fn a_rat_may_block_a_jump_from_afar() {
        // The tiger would jump from b3 over b4, b5 and b6, where the rat can be with a move. They meet
        // on one square no sooner than with the fourth ply, on b4's shore.
        let parts = |fen, plies| sets(GEOMETRY, fen, plies).len();
        assert_eq!(parts("7/7/7/2r4/7/7/1T5/7/7 b", 0), 2);
        assert_eq!(parts("7/7/7/2r4/7/7/1T5/7/7 b", 1), 1);
        assert_eq!(parts("7/7/7/2r4/7/7/1C5/7/7 b", 1), 2, "a cat does not jump");
        assert_eq!(parts("7/7/7/1r5/7/7/1T5/7/7 w", 0), 1, "it swims there already");
    }

    #[test]
    fn a_last_piece_is_kept_with_its_fellows() {
        // Black has two pieces: White can take both with two moves, so within three plies.
        let fen = "c6/7/7/7/7/7/7/7/C3D1d w";
        let together = |rules, plies| {
            let pair = Square::A9 | Square::G1;
            sets(rules, fen, plies).iter().any(|set| (*set & pair) == pair)
        };
        assert!(!together("tufts", 2));
        assert!(together("tufts", 3));
        assert!(!together(GEOMETRY, 3));
    }
}
