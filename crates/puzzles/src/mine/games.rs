//! Candidates from games: levels of the engine play each other, and the ends of decided games are looked at, with every move
//! that could have been played there.
//!
//! Positions without a piece of the side to move near the enemy's den are not looked at any closer: they are hardly won
//! soon, and proofs take time.

use std::cmp::Reverse;
use std::collections::HashSet;

use engine::{Control, Engine, Level, Options as EngineOptions};
use game::Game;
use game::limits::Limits;
use game::rng::{Rng, mix};
use jungle::board::DEN;
use jungle::{Animal, Color, Jungle, Play, Position};

use super::{MineError, Options, Sieve, Unit};
use crate::force::Force;
use crate::judge::JudgeError;
use crate::rate::FULL_NODES;
use crate::{Goal, Proof};

/// How many games are a unit of work.
const BATCH: u64 = 20;
/// Games begin with this many random moves.
const RANDOM_PLIES: usize = 8;
/// A game that is longer is given up.
const LONGEST: usize = 240;
/// How many positions at the end of a game are looked at.
const LAST: usize = 24;
/// Endings of so few pieces are left to the tables.
const TABLES: u32 = 4;
/// The levels that play: they see little enough to walk into forced wins.
const LEVELS: (u8, u8) = (1, 9);
/// Of one game no more candidates are kept, those with the longest solutions.
const OF_A_GAME: usize = 3;
/// After how many positions the proof of one is given up.
const BUDGET: u64 = 100_000;

/// Some games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    first: u64,
    end: u64,
}

impl Batch {
    /// Its name.
    pub fn name(&self) -> String {
        format!("games {}-{}", self.first + 1, self.end)
    }
}

/// So many games, in units of work.
pub fn batches(games: u64) -> Vec<Batch> {
    let firsts = (0..games).step_by(BATCH as usize);
    firsts.map(|first| Batch { first, end: (first + BATCH).min(games) }).collect()
}

/// Plays some games and looks at their ends.
///
/// # Errors
///
/// If there is no memory for the engine.
pub fn unit(options: &Options, jungle: &Jungle, batch: &Batch) -> Result<Unit, MineError> {
    let mut sieve = Sieve::new(batch.name(), jungle.rules());
    let mut judge = Force::new(jungle).with_budget(BUDGET);
    let mut engine = Engine::new();
    for number in batch.first..batch.end {
        let mut rng = Rng::new(mix(options.seed ^ mix(number)));
        let mut seen = HashSet::new();
        let before = sieve.unit.found.len();
        for played in play(&mut engine, jungle, &mut rng)? {
            let moves = jungle.moves(&played).into_iter().map(|mv| jungle.after(&played, mv));
            for position in moves.collect::<Vec<_>>().into_iter().chain([played]) {
                if position.occupied().len() <= TABLES || !seen.insert(position.clone()) {
                    continue;
                }
                judge.forget();
                match look(&mut sieve, &mut judge, &position) {
                    Ok(()) | Err(JudgeError::TooLong(_)) => (),
                    Err(error) => return Err(error.into()),
                }
            }
        }
        sieve.unit.found[before..].sort_by_key(|puzzle| Reverse(puzzle.solution.len()));
        sieve.unit.found.truncate(before + OF_A_GAME);
    }
    Ok(sieve.unit)
}

fn look(sieve: &mut Sieve, judge: &mut Force, position: &Position) -> Result<(), JudgeError> {
    let us = position.turn();
    let wins =
        is_near(position, us) && !judge.wins(position, 3)? && judge.wins(position, Force::DEPTH)?;
    sieve.look(judge, position, wins.then_some(Goal::Win), Proof::Search)
}

/// Whether a side has a piece within a few steps, or a jump and a few steps, of the enemy's den.
fn is_near(position: &Position, color: Color) -> bool {
    let den = DEN[!color];
    position.side(color).into_iter().any(|square| {
        let steps = square.file().abs_diff(den.file()) + square.rank().abs_diff(den.rank());
        let jumps = matches!(position.animal_at(square), Some(Animal::Lion | Animal::Tiger));
        steps <= if jumps { 7 } else { 4 }
    })
}

/// The last positions of a game, in their order; none if nobody won.
fn play(engine: &mut Engine, jungle: &Jungle, rng: &mut Rng) -> Result<Vec<Position>, MineError> {
    let mut play = Play::start(jungle.clone());
    for _ in 0..RANDOM_PLIES {
        let moves = play.legal_moves();
        let Some(&mv) = rng.choose(&moves) else { break };
        if play.play(mv).is_err() {
            break;
        }
    }
    let mut level = || {
        let (least, most) = LEVELS;
        let number = least + rng.below(usize::from(most - least) + 1) as u8;
        Level::new(number).unwrap_or(Level::BEGINNER)
    };
    let levels = [level(), level()];
    engine.set_options(EngineOptions { hash: 4, ..EngineOptions::playing() })?;
    engine.new_game();
    while play.ending().is_none() && play.moves().len() < LONGEST {
        let level = levels[play.moves().len() % 2];
        engine.set_options(EngineOptions { level, hash: 4, ..EngineOptions::playing() })?;
        engine.set_seed(rng.next_u64());
        let limits = Limits::nodes(FULL_NODES);
        let Some(mv) = engine.think(&play, limits, &Control::new(false), &mut |_| ()).best else {
            break;
        };
        if play.play(mv).is_err() {
            break;
        }
    }
    if play.ending().and_then(|ending| ending.winner).is_none() {
        return Ok(Vec::new());
    }
    let mut last: Vec<Position> = play.earlier_positions().rev().take(LAST).cloned().collect();
    last.reverse();
    Ok(last)
}
