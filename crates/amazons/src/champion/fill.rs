//! Filling regions: how many moves an owner has where nobody else can go.
//!
//! The number is a longest path, and hard in general; nearly always every empty square can be filled, and a
//! search that shoots where it does the least harm finds that at once. So the answer is two bounds, and they
//! differ only where a limited search has neither found a better run nor ruled it out.

use std::collections::HashMap;

use crate::{Bitboard, Move};

/// How many moves a search for the longest run may make.
const STEPS: u32 = 400;
/// More regions than this are not remembered.
const MOST_KNOWN: usize = 1 << 18;

/// Bounds of a run: at least, at most.
pub(super) type Run = (i32, i32);

/// The runs found so far.
#[derive(Debug)]
pub(super) struct Fills {
    known: HashMap<(Bitboard, Bitboard), Run>,
    most_steps: u32,
}

impl Default for Fills {
    fn default() -> Fills {
        Fills { known: HashMap::new(), most_steps: STEPS }
    }
}

impl Fills {
    /// Runs that are searched to the end, however long that takes.
    pub(super) fn exact() -> Fills {
        Fills { known: HashMap::new(), most_steps: u32::MAX }
    }

    /// The longest run of the owner of these amazons in these empty squares.
    pub(super) fn run(&mut self, amazons: Bitboard, empty: Bitboard) -> Run {
        if let Some(&known) = self.known.get(&(amazons, empty)) {
            return known;
        }
        let mut search = Longest { best: 0, steps: 0, most_steps: self.most_steps };
        search.go(amazons, empty, 0);
        let exact = search.steps <= self.most_steps || search.best == reachable(amazons, empty);
        let run = (search.best, if exact { search.best } else { reachable(amazons, empty) });
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert((amazons, empty), run);
        run
    }
}

/// The empty squares that some amazon can get to: no run is longer.
fn reachable(amazons: Bitboard, empty: Bitboard) -> i32 {
    (amazons.flood(amazons | empty) & empty).len() as i32
}

fn each_move(amazons: Bitboard, empty: Bitboard, mut each: impl FnMut(Move, Bitboard, Bitboard)) {
    for from in amazons {
        for to in from.queen_moves(empty) {
            let (after, vacated) =
                (amazons ^ (from.bitboard() | to.bitboard()), empty.with(from) ^ to.bitboard());
            for arrow in to.queen_moves(vacated) {
                each(Move { from, to, arrow }, after, vacated ^ arrow.bitboard());
            }
        }
    }
}

struct Longest {
    best: i32,
    steps: u32,
    most_steps: u32,
}

impl Longest {
    /// Tries all runs from here, those first that leave the most squares within reach and fill corners.
    fn go(&mut self, amazons: Bitboard, empty: Bitboard, made: i32) {
        self.best = self.best.max(made);
        if made + reachable(amazons, empty) <= self.best {
            return;
        }
        let mut next: Vec<(i32, Bitboard, Bitboard)> = Vec::new();
        each_move(amazons, empty, |mv, after, rest| {
            let neighbours = (mv.arrow.bitboard().spread() & rest).len() as i32;
            next.push((neighbours - 16 * reachable(after, rest), after, rest));
        });
        next.sort_by_key(|&(order, ..)| order);
        for (_, after, rest) in next {
            self.steps += 1;
            if self.steps > self.most_steps || made + reachable(amazons, empty) <= self.best {
                return;
            }
            self.go(after, rest, made + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Solver;
    use crate::region::{self, Kind};
    use crate::{Amazons, Position};
    use game::rng::Rng;
    use game::{Game, Side};

    #[test]
    fn runs_are_those_of_the_exact_solver() {
        let mut rng = Rng::new(17);
        let (mut fills, mut solver) = (Fills::default(), Solver::new());
        let (mut compared, mut defective) = (0, 0);
        for _ in 0..60 {
            let mut position = Position::start(6, 6).unwrap();
            while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                Amazons.make(&mut position, mv);
                for region in region::regions(&position) {
                    let Kind::Filling(owner) = region.kind else { continue };
                    let part = position.restricted(region.squares);
                    if part.empty().len() > 7 {
                        continue;
                    }
                    let (low, high) = fills.run(part.amazons(owner), part.empty());
                    let sign = if owner == Side::First { 1 } else { -1 };
                    let known: i32 = solver.describe(&part, u64::MAX).unwrap().parse().unwrap();
                    assert!(low <= sign * known && sign * known <= high, "{part}");
                    assert_eq!(low, high, "{part}: seven squares are searched to the end");
                    compared += 1;
                    defective += u32::from(low < part.empty().len() as i32);
                }
            }
        }
        assert!(compared > 200 && defective > 5, "{compared} {defective}");
    }
}
