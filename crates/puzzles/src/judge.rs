//! Judges: who can say which moves keep a result, and which defence lasts longest.

use std::sync::Arc;

use game::truth::{Truth, Wdl};
use jungle::{Jungle, Move, Position};
use tablebase::{ProbeError, Probed, Tablebase};
use thiserror::Error;

use crate::Goal;

/// Why a judge has no answer.
#[derive(Debug, Error)]
pub enum JudgeError {
    /// A table is missing or damaged.
    #[error(transparent)]
    Tables(#[from] ProbeError),
    /// The search went on for too long.
    #[error("the search was given up after {0} positions")]
    TooLong(u64),
}

/// Decides what moves are worth, exactly.
pub trait Judge {
    /// The rules.
    fn jungle(&self) -> &Jungle;

    /// The only move that keeps the result of the side to move; `None` if there are several, or none, or if it cannot be
    /// proved.
    ///
    /// # Errors
    ///
    /// If the judge has no answer.
    fn only_move(&mut self, position: &Position, goal: Goal) -> Result<Option<Move>, JudgeError>;

    /// The best moves of the side that plays against the goal. Against a win, those that last the longest; against a draw,
    /// those that risk nothing and leave the solver one move only, or none where no move does that.
    ///
    /// # Errors
    ///
    /// If the judge has no answer.
    fn defences(&mut self, position: &Position, goal: Goal) -> Result<Vec<Move>, JudgeError>;

    /// Whether the side to move loses only because it has to move: if it could pass, the other would not win. `None` if the
    /// judge cannot tell.
    ///
    /// # Errors
    ///
    /// If the judge has no answer.
    fn is_zugzwang(&mut self, position: &Position) -> Result<Option<bool>, JudgeError>;
}

/// The endgame tables as a judge.
#[derive(Clone)]
pub struct Tables {
    tables: Arc<Tablebase>,
    jungle: Jungle,
}

impl Tables {
    /// A judge with these tables.
    pub fn new(tables: Arc<Tablebase>) -> Tables {
        let jungle = Jungle::new(*tables.rules());
        Tables { tables, jungle }
    }

    /// The tables.
    pub fn tablebase(&self) -> &Tablebase {
        &self.tables
    }
}

impl Judge for Tables {
    fn jungle(&self) -> &Jungle {
        &self.jungle
    }

    fn only_move(&mut self, position: &Position, goal: Goal) -> Result<Option<Move>, JudgeError> {
        Ok(only(&self.tables.probe_position(position)?, goal))
    }

    fn defences(&mut self, position: &Position, goal: Goal) -> Result<Vec<Move>, JudgeError> {
        let Probed { value, moves } = self.tables.probe_position(position)?;
        // Moves come in the order of generation among equals.
        let equal = moves.into_iter().filter(|probed| probed.value == value);
        match (goal, value) {
            (Goal::Win, Truth::Loss(_)) => Ok(equal.map(|probed| probed.mv).collect()),
            (Goal::Draw, Truth::Draw) => {
                let mut found = Vec::new();
                for probed in equal {
                    let mut after = position.clone();
                    after.make(probed.mv);
                    if self.only_move(&after, goal)?.is_some() {
                        found.push(probed.mv);
                    }
                }
                Ok(found)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn is_zugzwang(&mut self, position: &Position) -> Result<Option<bool>, JudgeError> {
        let passed = position.with_turn(!position.turn());
        let lost = self.tables.probe_outcome(position)? == Wdl::Loss;
        Ok(Some(lost && self.tables.probe_outcome(&passed)? != Wdl::Win))
    }
}

/// The only move that keeps the result, if the position has it.
fn only(probed: &Probed, goal: Goal) -> Option<Move> {
    let wanted = match goal {
        Goal::Win => Wdl::Win,
        Goal::Draw => Wdl::Draw,
    };
    if probed.value.outcome() != wanted {
        return None;
    }
    let mut keeping = probed.moves.iter().filter(|probed| probed.value.outcome() == wanted);
    let first = keeping.next()?.mv;
    keeping.next().is_none().then_some(first)
}
