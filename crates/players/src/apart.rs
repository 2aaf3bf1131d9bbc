//! For how long pieces cannot get into each other's way.
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
//! it takes two friends side by side to be independent for a ply, though they block each other now, and
//! knows nothing of rats in the way.
//!
//! A search of `d` plies also asks at its last ply whether there is a legal move, so pieces have to stay
//! independent for `d + 1`. And a side that can lose all its pieces within `d` plies, scattered over
//! several parts, would lose the game in none of them: its parts are kept together.

use jungle::board;
use jungle::causality::Causality;
use jungle::causality::tree::Sets;
use jungle::rules::Jumps;
use jungle::{Animal, Bitboard, ByColor, Color, Jungle, Piece, Position, Square};

/// The pieces in sets that are independent of each other in a search of so many plies.
pub fn independent_sets(
    jungle: &Jungle,
    causality: &Causality,
    position: &Position,
    plies: u32,
) -> Vec<Bitboard> {
    let asked = plies + 1;
    let moves = moves_within(position.turn(), asked);
    let bodies: Vec<Body> = position
        .pieces()
        .map(|(square, piece)| Body::new(jungle, causality, square, piece, moves[piece.color]))
        .collect();
    let mut sets = Sets::new(bodies.len());
    for (at, one) in bodies.iter().enumerate() {
        for (before, other) in bodies.iter().enumerate().take(at) {
            if one.can_meet(other) {
                sets.join(at, before);
            }
        }
    }
    if jungle.rules().annihilation_wins {
        let captures = moves_within(position.turn(), plies);
        for color in Color::ALL {
            if position.side(color).len() <= captures[!color] {
                let mut members = (0..bodies.len()).filter(|at| bodies[*at].piece.color == color);
                if let Some(first) = members.next() {
                    members.for_each(|member| {
                        sets.join(first, member);
                    });
                }
            }
        }
    }
    let mut parts: Vec<(usize, Bitboard)> = Vec::new();
    for (at, body) in bodies.iter().enumerate() {
        let root = sets.find(at);
        match parts.iter_mut().find(|(set, _)| *set == root) {
            Some((_, squares)) => *squares |= body.square.bitboard(),
            None => parts.push((root, body.square.bitboard())),
        }
    }
    parts.into_iter().map(|(_, squares)| squares).collect()
}

/// How often each side moves within some plies.
fn moves_within(first: Color, plies: u32) -> ByColor<u32> {
    ByColor::from_fn(|color| if color == first { plies.div_ceil(2) } else { plies / 2 })
}

/// A piece moving as if alone.
struct Body {
    square: Square,
    piece: Piece,
    /// What it reaches in at most so many moves: none, one, and so on.
    reach: Vec<Bitboard>,
    /// The water it may cross with its move of this number: none ever with move 0.
    crossed: Vec<Bitboard>,
}

impl Body {
    fn new(
        jungle: &Jungle,
        causality: &Causality,
        square: Square,
        piece: Piece,
        moves: u32,
    ) -> Body {
        let movement = causality.movement(piece.animal);
        let jumps = jungle.jumps(piece.animal);
        let mut reach = vec![square.bitboard()];
        let mut crossed = vec![Bitboard::EMPTY];
        for _ in 0..moves {
            let here = reach[reach.len() - 1];
            crossed.push(water_crossed(jumps, here));
            reach.push(here | movement.advance(here));
        }
        Body { square, piece, reach, crossed }
    }

    /// Whether the one can get into the other's way.
    fn can_meet(&self, other: &Body) -> bool {
        self.can_block(other) || other.can_block(self) || {
            let (ours, theirs) = (&self.reach, &other.reach);
            if self.piece.color == other.piece.color {
                // They share their moves.
                ours.iter().zip(theirs.iter().rev()).any(|(a, b)| a.intersects(*b))
            } else {
                ours[ours.len() - 1].intersects(theirs[theirs.len() - 1])
            }
        }
    }

    /// Whether this is a rat that can swim where the other wants to jump.
    fn can_block(&self, jumper: &Body) -> bool {
        if self.piece.animal != Animal::Rat {
            return false;
        }
        if self.piece.color == jumper.piece.color {
            self.reach.iter().zip(jumper.crossed.iter().rev()).any(|(a, b)| a.intersects(*b))
        } else {
            self.reach[self.reach.len() - 1].intersects(jumper.crossed[jumper.crossed.len() - 1])
        }
    }
}

/// The water under all jumps that start on these squares.
fn water_crossed(jumps: Jumps, from: Bitboard) -> Bitboard {
    let mut water = Bitboard::EMPTY;
    if jumps == Jumps::None {
        return water;
    }
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
    use jungle::Rules;

    fn sets(rules: &str, fen: &str, plies: u32) -> Vec<Bitboard> {
        let rules: Rules = rules.parse().unwrap();
        let (jungle, causality) = (Jungle::new(rules), Causality::new(&rules));
        independent_sets(&jungle, &causality, &fen.parse().unwrap(), plies)
    }

    /// Annihilation is looked at by itself.
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
