//! Writing a proof: the winner's move in every position that can come up against her.
//!
//! The [checker](crate::check_proof) says what a file looks like and what it means.

use std::collections::HashSet;
use std::io::{self, Write};

use game::{Game, Side};

use super::{BoardSolver, SolveLimits, Solved, Unsolved};
use crate::champion::board::{Board, Knowledge};
use crate::{Amazons, Position};

/// Positions with no more empty squares are left to the checker.
pub const SEARCHED: u32 = 6;

/// Why no proof was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A position of the proof had to be solved again, and a limit was met.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// Writing failed.
    #[error("writing the proof: {0}")]
    Io(#[from] io::Error),
}

impl BoardSolver {
    /// Writes the proof that a player wins a position that was [solved](BoardSolver::solve). Gives the number of its
    /// lines; `progress` sees it now and then.
    ///
    /// # Errors
    ///
    /// If a limit is met, or writing fails.
    pub fn write_proof(
        &mut self,
        position: &Position,
        solved: Solved,
        limits: &SolveLimits,
        out: &mut impl Write,
        mut progress: impl FnMut(u64),
    ) -> Result<u64, WriteError> {
        self.limit(limits);
        let winner = if solved.winner == position.turn() { "first" } else { "second" };
        writeln!(out, "amazons proof 1\nstart {position}\nwinner {winner}\nsearch {SEARCHED}")?;
        let mut written = Writing {
            winner: solved.winner,
            seen: HashSet::new(),
            counting: Knowledge::exact(),
            lines: 0,
        };
        let mut waiting = vec![*position];
        while let Some(at) = waiting.pop() {
            if !written.needs_line(self, &at) {
                continue;
            }
            if at.turn() != solved.winner {
                waiting.extend(Amazons.moves(&at).into_iter().map(|mv| Amazons.after(&at, mv)));
                continue;
            }
            let mv = self.winning_move(&at).map_err(|_| Unsolved(self.nodes))?;
            let text = at.to_string();
            let board = text.split(' ').next().unwrap_or_default();
            writeln!(out, "{board} {mv}")?;
            written.lines += 1;
            if written.lines.is_multiple_of(10_000) {
                progress(written.lines);
            }
            waiting.push(Amazons.after(&at, mv));
        }
        out.flush()?;
        Ok(written.lines)
    }
}

struct Writing {
    winner: Side,
    seen: HashSet<u64>,
    counting: Knowledge,
    lines: u64,
}

impl Writing {
    /// Whether the checker cannot see for itself that the winner wins, and has not been told.
    fn needs_line(&mut self, solver: &BoardSolver, position: &Position) -> bool {
        if position.empty().len() <= SEARCHED {
            return false;
        }
        let mut board = Board::whole(position);
        board.settle(&mut self.counting);
        if board.decided() == Some(self.winner == position.turn()) {
            return false;
        }
        self.seen.insert(solver.keys.of(position, 0))
    }
}
