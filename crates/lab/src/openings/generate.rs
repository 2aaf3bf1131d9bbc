//! Opening generation: varied, balanced positions from a seed.
//!
//! Candidate number `k` is a random game of a few plies whose random moves follow from the seed and `k`. It
//! is kept if the game goes on, if no image of it (mirrored, colours exchanged) was kept before, and
//! if it is balanced: by a search of [`JUDGING_DEPTH`] plies over material and advancement
//! ([`alphabeta`]), positions that lose a piece by force within its horizon are rejected, and so are decided ones.

use std::collections::HashSet;

use game::Game;
use game::rng::{Rng, mix};
use jungle::{Jungle, Position, Rules};

use super::{OpeningError, canonical, goes_on};
use crate::players::alphabeta;

/// The search depth of candidates, in plies.
pub const JUDGING_DEPTH: u32 = 4;

/// The largest advantage of a balanced opening: less than the cheapest piece, a cat of 200.
pub const TOLERANCE: i32 = 100;

/// After this many candidates in a row without an opening, the generator gives up.
const PATIENCE: u32 = 5000;

/// Generates openings, one after another, no two alike.
pub struct Generator {
    jungle: Jungle,
    seed: u64,
    plies: u32,
    candidate: u64,
    seen: HashSet<Position>,
    found: usize,
}

impl Generator {
    /// Openings of this many random plies from the usual start.
    pub fn new(rules: Rules, seed: u64, plies: u32) -> Generator {
        Generator {
            jungle: Jungle::new(rules),
            seed,
            plies,
            candidate: 0,
            seen: HashSet::new(),
            found: 0,
        }
    }

    /// The next opening.
    ///
    /// # Errors
    ///
    /// If this many plies give no more.
    pub fn next_opening(&mut self) -> Result<Position, OpeningError> {
        for _ in 0..PATIENCE {
            let candidate = self.candidate();
            self.candidate += 1;
            if !goes_on(&self.jungle, &candidate) || self.seen.contains(&canonical(&candidate)) {
                continue;
            }
            // A candidate seen before is not searched again.
            self.seen.insert(canonical(&candidate));
            if is_balanced(&self.jungle, &candidate) {
                self.found += 1;
                return Ok(candidate);
            }
        }
        Err(OpeningError::Exhausted { found: self.found, plies: self.plies })
    }

    fn candidate(&self) -> Position {
        let mut rng = Rng::new(mix(self.seed ^ mix(self.candidate.wrapping_add(1))));
        let mut position = Position::start();
        for _ in 0..self.plies {
            let Some(&mv) = rng.choose(&self.jungle.moves(&position)) else { break };
            self.jungle.make(&mut position, mv);
        }
        position
    }
}

/// Whether neither side is better off by a piece, nor wins one by force.
fn is_balanced(jungle: &Jungle, position: &Position) -> bool {
    alphabeta::value(jungle, position, JUDGING_DEPTH).abs() <= TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(seed: u64, plies: u32, count: usize) -> Vec<Position> {
        let mut generator = Generator::new(Rules::STANDARD, seed, plies);
        (0..count).map(|_| generator.next_opening().unwrap()).collect()
    }

    #[test]
    fn openings_are_balanced_distinct_and_follow_from_the_seed() {
        let openings = some(1, 8, 30);
        assert_eq!(openings, some(1, 8, 30));
        assert_ne!(openings, some(2, 8, 30));
        let forms: HashSet<Position> = openings.iter().map(canonical).collect();
        assert_eq!(forms.len(), openings.len(), "no two are images of each other");
        let jungle = Jungle::new(Rules::STANDARD);
        for opening in &openings {
            assert!(goes_on(&jungle, opening));
            assert!(is_balanced(&jungle, opening), "{opening}");
        }
    }

    #[test]
    fn too_few_plies_run_out() {
        let mut generator = Generator::new(Rules::STANDARD, 1, 1);
        let found: Vec<_> = std::iter::from_fn(|| generator.next_opening().ok()).collect();
        // The start is not its own mirror image: 24 first moves, 24 openings at most.
        assert!(!found.is_empty() && found.len() <= 24, "{}", found.len());
        let error = generator.next_opening().unwrap_err().to_string();
        assert!(error.contains("use more plies"), "{error}");
    }

    #[test]
    fn a_cat_up_is_not_balanced() {
        let jungle = Jungle::new(Rules::STANDARD);
        assert!(is_balanced(&jungle, &Position::start()));
        let cat_gone = "l5t/1d5/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w".parse().unwrap();
        assert!(!is_balanced(&jungle, &cat_gone));
    }
}
