//! Decomposition of Amazons into regions, for the searches of parts in `search`.
//!
//! Regions are independent for ever, not just for a few plies, so both searches apply wherever an
//! arrow has cut the board: [`search::Subproblems`], which adds up values with the same rule as
//! formula (5) but lets both players make non-moves at every ply, and [`search::sum::Sum`], which is
//! exact at every depth.

use game::decompose::{Decompose, Independent};
use game::{Game, Outcome, Side};

use crate::region;
use crate::{Amazons, Bitboard, Move, Position};

impl Decompose for Amazons {
    /// The part itself.
    type Part = Position;

    /// One part for each region in which a player can move. Other regions are worth nothing
    /// and go with the first.
    fn parts(&self, position: &Position, _: u32) -> Vec<Position> {
        let mut parts: Vec<Bitboard> = Vec::new();
        let mut rest = position.open();
        region::executing(position, |region| {
            parts.push(region.squares);
            rest = rest.without(region.squares);
        });
        match parts.first_mut() {
            Some(first) => *first |= rest,
            None => parts.push(rest),
        }
        parts.into_iter().map(|squares| position.restricted(squares)).collect()
    }

    fn cuts_alike(&self, _: u32, _: u32) -> bool {
        true
    }

    fn part_size(&self, part: &Position) -> usize {
        part.all_amazons().len() as usize
    }

    fn part_position(&self, part: &Position) -> Position {
        *part
    }

    /// No part ends the game by itself: it ends when there is no move in any of them.
    fn part_outcome(&self, _: &Position, _: &Position) -> Option<Outcome> {
        None
    }

    fn push_part_moves(&self, _: &Position, position: &Position, moves: &mut Vec<Move>) {
        self.push_moves(position, moves);
    }

    fn pass(&self, position: &mut Position) {
        *position = position.passed();
    }
}

impl Independent for Amazons {
    fn independent_parts(&self, position: &Position, plies: u32) -> Vec<Position> {
        self.parts(position, plies)
    }

    fn stuck(&self, player: Side) -> Outcome {
        Outcome::Win(!player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Weights;
    use game::limits::Limits;
    use game::rng::Rng;
    use search::sum::Sum;
    use search::{AlphaBeta, Subproblems, fixed};

    fn positions_in_parts(seed: u64, games: usize, mut check: impl FnMut(&Position)) {
        let mut rng = Rng::new(seed);
        for round in 0..games {
            let side = 5 + (round % 2) as u8;
            let mut position = Position::start(side, side).unwrap();
            while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                Amazons.make(&mut position, mv);
                if position.empty().len() <= 11 && Amazons.parts(&position, 2).len() > 1 {
                    check(&position);
                }
            }
        }
    }

    #[test]
    fn the_parts_have_everything_once() {
        positions_in_parts(1, 30, |position| {
            let parts = Amazons.parts(position, 2);
            let (mut open, mut moves) = (Bitboard::EMPTY, 0);
            for part in &parts {
                assert!(!open.intersects(part.open()));
                open |= part.open();
                moves += Amazons.count_moves(part);
            }
            assert_eq!(open, position.open());
            assert_eq!(moves, Amazons.count_moves(position));
        });
    }

    /// The code that adds up Jungle's parts exactly does so for Amazons.
    #[test]
    fn the_sum_of_regions_is_the_board() {
        let weights = Weights::default();
        let mut compared = 0;
        positions_in_parts(2, 16, |position| {
            for depth in 0..=3 {
                let limits = Limits::none();
                let mut sum = Sum::new(&Amazons, &weights);
                let mut whole = AlphaBeta::new(&Amazons, &weights);
                let sum = fixed(&mut sum, position, depth, &limits).unwrap();
                let whole = fixed(&mut whole, position, depth, &limits).unwrap();
                assert_eq!(sum.score, whole.score, "{position} to depth {depth}");
                compared += 1;
            }
        });
        assert!(compared > 50);
    }

    /// The code that searches Jungle's parts as Burnett does runs Amazons, and plays legal moves.
    #[test]
    fn subproblems_are_searched() {
        let weights = Weights::default();
        positions_in_parts(3, 12, |position| {
            let found = Subproblems::new(&Amazons, &weights).search(position, &Limits::depth(2));
            let Some(mv) = found.report.best() else {
                return assert!(Amazons.outcome(position).is_some());
            };
            assert!(Amazons.moves(position).contains(&mv), "{mv} in {position}");
            assert_eq!(found.parts.len(), Amazons.parts(position, 2).len());
        });
    }
}
