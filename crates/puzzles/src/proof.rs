//! Solutions: how they are found, and proved again.

use game::Game;
use jungle::{Move, Position};
use thiserror::Error;

use crate::judge::{Judge, JudgeError};
use crate::{Goal, Puzzle};

/// Why a puzzle is not one.
#[derive(Debug, Error)]
pub enum Flaw {
    /// The judge has no answer.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// It begins or ends with the other side's move, or has no moves.
    #[error("a solution begins and ends with a move of the solver")]
    Length,
    /// Another move of the solver is the only one, or none is.
    #[error("move {} ({mv}) is not the only one that keeps the {}", ply + 1, goal.name())]
    NotOnly {
        /// How many moves of the solution were right.
        ply: usize,
        /// The move.
        mv: Move,
        /// What is to be kept.
        goal: Goal,
    },
    /// A better defence exists.
    #[error("move {} ({mv}) is not the best defence", ply + 1)]
    Defence {
        /// How many moves of the solution were right.
        ply: usize,
        /// The move.
        mv: Move,
    },
}

/// Proves a puzzle: at every node of its solution the solver's move is the only one that keeps the result, and the other
/// side's the best defence.
///
/// # Errors
///
/// If it is not so, or the judge cannot tell.
pub fn prove(puzzle: &Puzzle, judge: &mut impl Judge) -> Result<(), Flaw> {
    if puzzle.solution.len().is_multiple_of(2) {
        return Err(Flaw::Length);
    }
    let goal = puzzle.goal;
    let mut position = puzzle.start.clone();
    for (ply, &mv) in puzzle.solution.iter().enumerate() {
        if ply % 2 == 0 {
            if judge.only_move(&position, goal)? != Some(mv) {
                return Err(Flaw::NotOnly { ply, mv, goal });
            }
        } else if !judge.defences(&position, goal)?.contains(&mv) {
            return Err(Flaw::Defence { ply, mv });
        }
        position.make(mv);
    }
    Ok(())
}

/// The solution of a position, of at most this many plies; empty if no move is the only one. It goes on as long as
/// some best defence leaves one move only.
///
/// # Errors
///
/// If the judge has no answer.
pub fn solve(
    judge: &mut impl Judge,
    start: &Position,
    goal: Goal,
    most: usize,
) -> Result<Vec<Move>, JudgeError> {
    let mut line = Vec::new();
    let mut position = start.clone();
    let mut next = judge.only_move(&position, goal)?;
    while let Some(mv) = next {
        line.push(mv);
        position.make(mv);
        next = None;
        if line.len() + 2 > most || judge.jungle().outcome(&position).is_some() {
            break;
        }
        for defence in judge.defences(&position, goal)? {
            let mut after = position.clone();
            after.make(defence);
            if let Some(found) = judge.only_move(&after, goal)? {
                line.push(defence);
                position = after;
                next = Some(found);
                break;
            }
        }
    }
    Ok(line)
}
