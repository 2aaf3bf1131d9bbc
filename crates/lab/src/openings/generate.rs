//! Opening generation: varied, balanced positions from a seed.
//!
//! Candidate number `k` is a random game of a few plies whose random moves follow from the seed and `k`. It
//! is kept if the game goes on, if no image of it (mirrored, colours exchanged) was kept before, and
//! if a judge finds it balanced. The judge, for now, is a search of [`JUDGING_DEPTH`] plies over
//! material and advancement ([`alphabeta`]): what loses a piece by force within its horizon is out,
//! and so is what is decided. A better judge can be put in its place ([`Generator::judged_by`]).

use std::collections::HashSet;

use game::Game;
use game::rng::{Rng, mix};
use jungle::{Jungle, Position, Rules};

use super::{OpeningError, canonical, goes_on};
use crate::players::alphabeta;

/// How deep the judge looks, in plies.
pub const JUDGING_DEPTH: u32 = 4;

/// How much better off a side may be: less than the cheapest piece, a cat of 200.
pub const TOLERANCE: i32 = 100;

/// So many candidates in a row without an opening, and the search is given up.
const PATIENCE: u32 = 5000;

/// Says what a position is worth to the player to move, a cat being 200.
pub type Judge = fn(&Jungle, &Position) -> i32;

/// Gives out openings, one after another, no two alike.
pub struct Generator {
    jungle: Jungle,
    seed: u64,
    plies: u32,
    judge: Judge,
    candidate: u64,
    seen: HashSet<Position>,
    found: usize,
}

impl Generator {
    /// Openings of so many random plies from the usual start.
    pub fn new(rules: Rules, seed: u64, plies: u32) -> Generator {
        Generator {
            jungle: Jungle::new(rules),
            seed,
            plies,
            judge: |jungle, position| alphabeta::value(jungle, position, JUDGING_DEPTH),
            candidate: 0,
            seen: HashSet::new(),
            found: 0,
        }
    }

    /// The same with another judge.
    #[must_use]
    pub fn judged_by(self, judge: Judge) -> Generator {
        Generator { judge, ..self }
    }

    /// The next opening.
    ///
    /// # Errors
    ///
    /// If so few plies give no more.
    pub fn next_opening(&mut self) -> Result<Position, OpeningError> {
        for _ in 0..PATIENCE {
            let candidate = self.candidate();
            self.candidate += 1;
            if !goes_on(&self.jungle, &candidate) || self.seen.contains(&canonical(&candidate)) {
                continue;
            }
            // What was looked at once is not looked at again, whatever the judge says.
            self.seen.insert(canonical(&candidate));
            if (self.judge)(&self.jungle, &candidate).abs() <= TOLERANCE {
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
            let value = alphabeta::value(&jungle, opening, JUDGING_DEPTH);
            assert!(value.abs() <= TOLERANCE, "{opening}: {value}");
        }
    }

    #[test]
    fn too_few_plies_run_out() {
        let mut generator = Generator::new(Rules::STANDARD, 1, 1);
        let found: Vec<_> = std::iter::from_fn(|| generator.next_opening().ok()).collect();
        // The start is its own image under the mirror in no way: 24 first moves, 24 openings at most.
        assert!(!found.is_empty() && found.len() <= 24, "{}", found.len());
        let error = generator.next_opening().unwrap_err().to_string();
        assert!(error.contains("use more plies"), "{error}");
    }

    #[test]
    fn another_judge_is_asked() {
        let mut generator = Generator::new(Rules::STANDARD, 1, 4).judged_by(|_, _| TOLERANCE + 1);
        assert!(generator.next_opening().is_err());
    }
}
