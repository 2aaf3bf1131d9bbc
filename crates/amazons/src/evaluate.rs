//! Static evaluation: territory and mobility.
//!
//! Lieberum (An Evaluation Function for the Game of Amazons, 2005) measures how far each side's
//! amazons are from every empty square, in queen moves and in king moves. A square belongs to the
//! side that is nearer; where both are equally near, the one to move has a small advantage. To this
//! comes the amazons' mobility. Xu, Xing and Zuo (A Region-divided Search Algorithm for Game
//! Amazons) take the sum of these parts.
//!
//! Lieberum weights the parts by how contested the whole board still is. That is left out here on
//! purpose: with fixed weights the value of a board is the sum of the values of its
//! [regions](crate::region), because amazons count only the squares that they can get to, and a
//! search that treats regions apart needs just that. A region where neither side can move is worth 0.

use game::Side;
use game::score::Evaluate;

use crate::bitboard::Lines;
use crate::{Amazons, Bitboard, Position};

/// The weights of the evaluation terms. A square of territory by queen moves is a hundred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A square nearer by queen moves.
    pub queen_territory: i32,
    /// A square nearer by king moves.
    pub king_territory: i32,
    /// A square as near by queen moves to both, for the player to move.
    pub queen_tie: i32,
    /// A square as near by king moves to both, for the player to move.
    pub king_tie: i32,
    /// A square to which an amazon can move at once.
    pub mobility: i32,
}

impl Default for Weights {
    /// Ties count a fifth, as in Lieberum's paper; the rest are round numbers.
    fn default() -> Weights {
        Weights {
            queen_territory: 100,
            king_territory: 40,
            queen_tie: 20,
            king_tie: 8,
            mobility: 10,
        }
    }
}

/// The same weights where a square may count differently by how far it is: reached first in one step, in two,
/// or in more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// A square nearer by queen moves, by the number of them.
    pub queen: [i32; 3],
    /// A square as near by queen moves to both, for the player to move.
    pub queen_tie: i32,
    /// A square nearer by king moves, by the number of them.
    pub king: [i32; 3],
    /// A square as near by king moves to both, for the player to move.
    pub king_tie: i32,
    /// A square to which an amazon can move at once.
    pub mobility: i32,
}

impl From<Weights> for Scale {
    fn from(weights: Weights) -> Scale {
        Scale {
            queen: [weights.queen_territory; 3],
            queen_tie: weights.queen_tie,
            king: [weights.king_territory; 3],
            king_tie: weights.king_tie,
            mobility: weights.mobility,
        }
    }
}

impl Scale {
    /// The value of a position, or of a part of one, for the player to move.
    pub fn value(&self, position: &Position) -> i32 {
        let counted = Counted::of(position);
        let worth = |weights: [i32; 3], squares: [i32; 3]| -> i32 {
            weights.iter().zip(squares).map(|(weight, squares)| weight * squares).sum()
        };
        let white = worth(self.queen, counted.queen)
            + worth(self.king, counted.king)
            + self.mobility * counted.mobility;
        let ties = self.queen_tie * counted.queen_ties + self.king_tie * counted.king_ties;
        match position.turn() {
            Side::First => white + ties,
            Side::Second => ties - white,
        }
    }
}

/// The terms that a [`Scale`] weights, counted for White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Squares nearer by queen moves, by the number of them.
    pub queen: [i32; 3],
    /// Squares as near by queen moves to both.
    pub queen_ties: i32,
    /// Squares nearer by king moves, by the number of them.
    pub king: [i32; 3],
    /// Squares as near by king moves to both.
    pub king_ties: i32,
    /// Squares White's amazons can move to, less those of Black's.
    pub mobility: i32,
}

impl Counted {
    /// Measures a position, or a part of one.
    pub fn of(position: &Position) -> Counted {
        let empty = position.empty();
        let [white, black] = [Side::First, Side::Second].map(|who| position.amazons(who));
        let lines = Lines::new(empty);
        let (near_white, white_moves) = lines.queen_moves(white);
        let (near_black, black_moves) = lines.queen_moves(black);
        let (queen, queen_ties) =
            race(near_white, near_black, empty, |set| lines.queen_moves(set).0);
        let (king, king_ties) = race(white.spread(), black.spread(), empty, Bitboard::spread);
        let mobility = white_moves as i32 - black_moves as i32;
        Counted { queen, queen_ties, king, king_ties, mobility }
    }
}

/// The evaluation terms, counted for White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Squares nearer to White by queen moves, less those nearer to Black.
    pub queen_territory: i32,
    /// Squares as near by queen moves to both.
    pub queen_ties: i32,
    /// Squares nearer to White by king moves, less those nearer to Black.
    pub king_territory: i32,
    /// Squares as near by king moves to both.
    pub king_ties: i32,
    /// Squares White's amazons can move to, less those of Black's; each amazon counts her own.
    pub mobility: i32,
}

impl Parts {
    /// Measures a position, or a part of one.
    pub fn of(position: &Position) -> Parts {
        let counted = Counted::of(position);
        Parts {
            queen_territory: counted.queen.iter().sum(),
            queen_ties: counted.queen_ties,
            king_territory: counted.king.iter().sum(),
            king_ties: counted.king_ties,
            mobility: counted.mobility,
        }
    }
}

/// Squares that White reaches in fewer steps less those that Black does, by the number of steps (one, two or
/// more), and squares that both reach in as many.
///
/// Both sides have made the first step. They advance a step at a time, and only into squares that
/// neither has reached before. A side that comes second to a square need not go on from there: the one that
/// came first is ahead of it everywhere beyond.
fn race(
    white: Bitboard,
    black: Bitboard,
    empty: Bitboard,
    step: impl Fn(Bitboard) -> Bitboard,
) -> ([i32; 3], i32) {
    let mut open = empty;
    let (mut white, mut black) = (white, black);
    let (mut balance, mut ties, mut steps) = ([0; 3], 0, 0);
    loop {
        (white, black) = (white & open, black & open);
        open = open.without(white | black);
        ties += (white & black).len() as i32;
        balance[steps] += white.len() as i32 - black.len() as i32;
        steps = (steps + 1).min(2);
        if open.is_empty() || (white | black).is_empty() {
            return (balance, ties);
        }
        (white, black) = (step(white), step(black));
    }
}

impl Weights {
    /// The value of a position, or of a part of one, for the player to move.
    pub fn value(&self, position: &Position) -> i32 {
        let parts = Parts::of(position);
        let white = self.queen_territory * parts.queen_territory
            + self.king_territory * parts.king_territory
            + self.mobility * parts.mobility;
        let ties = self.queen_tie * parts.queen_ties + self.king_tie * parts.king_ties;
        match position.turn() {
            Side::First => white + ties,
            Side::Second => ties - white,
        }
    }
}

impl Evaluate<Amazons> for Weights {
    fn evaluate(&self, _: &Amazons, position: &Position) -> i32 {
        self.value(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Square, region};
    use game::Game;
    use game::rng::Rng;

    /// Distances by plain search, one square at a time.
    fn distances(position: &Position, who: Side, queen: bool) -> Vec<(Square, u32)> {
        let mut found: Vec<(Square, u32)> =
            position.amazons(who).into_iter().map(|square| (square, 0)).collect();
        let mut at = 0;
        while at < found.len() {
            let (square, distance) = found[at];
            let steps = if queen {
                square.queen_moves(position.empty())
            } else {
                square.bitboard().spread() & position.empty()
            };
            for next in steps {
                if found.iter().all(|&(known, _)| known != next) {
                    found.push((next, distance + 1));
                }
            }
            at += 1;
        }
        found
    }

    fn plain(position: &Position, queen: bool) -> ([i32; 3], i32) {
        let [white, black] = [Side::First, Side::Second].map(|who| distances(position, who, queen));
        let (mut balance, mut ties) = ([0; 3], 0);
        for square in position.empty() {
            let near = |of: &[(Square, u32)]| {
                of.iter().find(|(at, _)| *at == square).map_or(u32::MAX, |(_, distance)| *distance)
            };
            let steps = near(&white).min(near(&black)).clamp(1, 3) as usize - 1;
            match near(&white).cmp(&near(&black)) {
                std::cmp::Ordering::Less => balance[steps] += 1,
                std::cmp::Ordering::Greater => balance[steps] -= 1,
                std::cmp::Ordering::Equal if near(&white) < u32::MAX => ties += 1,
                std::cmp::Ordering::Equal => {}
            }
        }
        (balance, ties)
    }

    fn random_positions(seed: u64, mut check: impl FnMut(&Position)) {
        let mut rng = Rng::new(seed);
        for round in 0..60 {
            let side = 4 + round % 7;
            let mut position = Position::start(side, side).unwrap();
            while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                check(&position);
                Amazons.make(&mut position, mv);
            }
            check(&position);
        }
    }

    #[test]
    fn territory_is_what_plain_distances_say() {
        random_positions(1, |position| {
            let counted = Counted::of(position);
            assert_eq!((counted.queen, counted.queen_ties), plain(position, true));
            assert_eq!((counted.king, counted.king_ties), plain(position, false));
            let parts = Parts::of(position);
            assert_eq!(parts.queen_territory, counted.queen.iter().sum::<i32>());
            assert_eq!(parts.king_territory, counted.king.iter().sum::<i32>());
        });
    }

    #[test]
    fn regions_add_up() {
        let weights = Weights::default();
        random_positions(2, |position| {
            let sum: i32 = region::regions(position)
                .iter()
                .map(|region| weights.value(&position.restricted(region.squares)))
                .sum();
            assert_eq!(weights.value(position), sum, "{position}");
        });
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let weights = Weights::default();
        random_positions(3, |position| {
            assert_eq!(weights.value(position), weights.value(&position.recolored()));
            let still = Weights { queen_tie: 0, king_tie: 0, ..weights };
            assert_eq!(still.value(position), -still.value(&position.passed()));
        });
    }

    #[test]
    fn what_nobody_can_use_is_worth_nothing() {
        // Black's amazon is walled in, and the two squares at the top have no owner.
        let position: Position = "2xB/xxxx/4/3W w".parse().unwrap();
        assert_eq!(Parts::of(&position).queen_territory, 7);
        let stuck = "2xB/xxxx/xxxx/xxxW w".parse().unwrap();
        assert_eq!(Weights::default().value(&stuck), 0);
    }
}
