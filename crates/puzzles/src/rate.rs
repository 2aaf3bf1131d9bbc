//! Ratings: how hard a puzzle is for the engine's own levels.
//!
//! Levels try every puzzle once, from 0 up, without endgame tables: each has to find every move of the solver, the other
//! side answering as in the solution. When [`IN_A_ROW`] levels in a row have found it, those above are taken to find it too: they
//! would take most of the time, and on a sample of sixty puzzles ratings came out 27 points lower for it on average, and 200 at
//! most (`docs/reports/puzzles.md`). The rating is where on the levels' scale a player would find it half of the time, by
//! the estimate of Spearman and Kärber, which needs no model: the scale's lowest rating, and a step for every level
//! that failed. Chance in the lower levels follows from the puzzle and the level, so that a rating is the same on every machine.

use std::fmt;
use std::str::FromStr;

use engine::{Control, Engine, EngineError, Level, Options};
use game::limits::Limits;
use game::rng::mix;
use jungle::{Jungle, Play};

use crate::Puzzle;

/// How many levels there are.
pub const LEVELS: usize = 21;
/// After this many levels in a row that found a puzzle, no higher ones try.
pub const IN_A_ROW: u32 = 4;
/// How many positions the strongest level may search for a move; the others have their own limits, which are lower.
pub const FULL_NODES: u64 = 200_000;
/// The rating of a puzzle that every level finds.
pub const LEAST: u32 = Level::LEAST_ELO;
/// How far apart levels are on the scale.
const STEP: u32 = (Level::MOST_ELO - Level::LEAST_ELO) / 19;
/// The size of the transposition table, in MiB: cleared before every try.
const HASH: usize = 4;

/// Which levels found a puzzle. As text, a digit a level from 0 to 20.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found(u32);

impl Found {
    /// Whether a level found it.
    pub fn by(self, level: usize) -> bool {
        self.0 >> level & 1 == 1
    }

    /// How many levels found it.
    pub fn levels(self) -> u32 {
        self.0.count_ones()
    }

    /// The rating that follows.
    pub fn rating(self) -> u32 {
        LEAST + STEP * (LEVELS as u32 - self.levels())
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..LEVELS).try_for_each(|level| write!(f, "{}", u8::from(self.by(level))))
    }
}

impl FromStr for Found {
    type Err = ();

    fn from_str(text: &str) -> Result<Found, ()> {
        if text.len() != LEVELS {
            return Err(());
        }
        text.bytes().enumerate().try_fold(Found(0), |found, (level, digit)| match digit {
            b'0' => Ok(found),
            b'1' => Ok(Found(found.0 | 1 << level)),
            _ => Err(()),
        })
    }
}

/// An engine that tries puzzles.
pub struct Rater {
    engine: Engine,
}

impl Rater {
    /// An engine of its own.
    pub fn new() -> Rater {
        Rater { engine: Engine::new() }
    }

    /// Lets the levels try a puzzle, from the lowest up, until [`IN_A_ROW`] have found it.
    ///
    /// # Errors
    ///
    /// If there is no memory for the engine.
    pub fn try_up(&mut self, puzzle: &Puzzle) -> Result<Found, EngineError> {
        self.try_levels(puzzle, IN_A_ROW)
    }

    /// Lets every level try a puzzle.
    ///
    /// # Errors
    ///
    /// If there is no memory for the engine.
    pub fn try_all(&mut self, puzzle: &Puzzle) -> Result<Found, EngineError> {
        self.try_levels(puzzle, u32::MAX)
    }

    fn try_levels(&mut self, puzzle: &Puzzle, enough: u32) -> Result<Found, EngineError> {
        let (mut found, mut in_a_row) = (Found(0), 0);
        for level in (0..LEVELS as u8).filter_map(Level::new) {
            let finds = in_a_row >= enough || self.finds(puzzle, level)?;
            in_a_row = if finds { in_a_row.saturating_add(1) } else { 0 };
            found.0 |= u32::from(finds) << level.number();
        }
        Ok(found)
    }

    /// Whether a level finds the solution.
    ///
    /// # Errors
    ///
    /// If there is no memory for the engine.
    pub fn finds(&mut self, puzzle: &Puzzle, level: Level) -> Result<bool, EngineError> {
        self.engine.set_options(Options { level, hash: HASH, ..Options::playing() })?;
        self.engine.set_tables(None);
        self.engine.new_game();
        let name = puzzle.id.bytes().fold(u64::from(level.number()), |sum, byte| {
            mix(sum.wrapping_mul(257).wrapping_add(u64::from(byte)))
        });
        self.engine.set_seed(name);
        let setup = jungle::Setup::from(&puzzle.start);
        let Ok(mut play) = Play::new(Jungle::new(puzzle.rules), &setup) else { return Ok(false) };
        for (ply, &mv) in puzzle.solution.iter().enumerate() {
            if ply % 2 == 0 {
                let limits = Limits::nodes(FULL_NODES);
                let answer = self.engine.think(&play, limits, &Control::new(false), &mut |_| ());
                if answer.best != Some(mv) {
                    return Ok(false);
                }
            }
            if play.play(mv).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Default for Rater {
    fn default() -> Rater {
        Rater::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fewer_levels_find_is_rated_higher() {
        let found = |text: &str| text.parse::<Found>().unwrap();
        assert_eq!(found("111111111111111111111").rating(), LEAST);
        assert_eq!(found("000000000000000000000").rating(), LEAST + 2100);
        let half = found("000010010111111111111");
        assert_eq!((half.rating(), half.levels()), (LEAST + 700, 14));
        assert_eq!(half.to_string(), "000010010111111111111");
        assert!("0101".parse::<Found>().is_err() && "x".repeat(LEVELS).parse::<Found>().is_err());
    }
}
