//! Small contested regions: their values, as far as a search can use them.
//!
//! The values are those of the [endgame solver](crate::exact), found once for every shape. A value that is an
//! integer leaves the board; of any other the search uses the integers between which it lies.

use std::collections::HashMap;

use game::Side;

use crate::exact::Solver;
use crate::{Bitboard, Position};

/// What a small region comes to, counted for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// So many moves, as if it were filled.
    Integer(i32),
    /// At least so many, and at most.
    Between(i32, i32),
}

/// Values of small regions.
#[derive(Debug)]
pub(super) struct Values {
    solver: Solver,
    known: HashMap<[Bitboard; 3], Settled>,
    /// Regions of up to this many empty squares have a value.
    pub squares: u32,
}

impl Values {
    /// Values of regions of up to this many empty squares.
    pub(super) fn new(squares: u32) -> Values {
        let solver = Solver::new().value_squares(squares);
        Values { solver, known: HashMap::new(), squares }
    }

    /// Whether the player to move wins a sum of regions that all have a value, and of White's settled moves.
    pub(super) fn mover_wins(&mut self, position: &Position, settled: i32) -> bool {
        self.solver.mover_wins_with(position, settled)
    }

    /// More than this are not remembered where they lie; their shapes are.
    const MOST_KNOWN: usize = 1 << 18;

    /// What a contested region comes to; `None` if it is too large.
    pub(super) fn of(&mut self, position: &Position, squares: Bitboard) -> Option<Settled> {
        let empty = position.empty() & squares;
        if empty.len() > self.squares {
            return None;
        }
        let [white, black] = [Side::First, Side::Second].map(|who| position.amazons(who) & squares);
        let region = [white, black, empty];
        if let Some(&known) = self.known.get(&region) {
            return Some(known);
        }
        let bounds = self.solver.bounds_of_region(&position.restricted(squares));
        let settled = match bounds {
            (low, high) if low == high => Settled::Integer(low),
            (low, high) => Settled::Between(low, high),
        };
        if self.known.len() >= Values::MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(region, settled);
        Some(settled)
    }
}
