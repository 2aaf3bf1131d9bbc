//! Exact search of forced wins, in any position and without tables.
//!
//! Two questions call each other: can the side to move force a win within *n* plies, and does it lose within *n* plies
//! whatever it does? All moves are looked at, nothing is estimated, and answers are kept by position, so what it says is
//! proved. What is left out is only what cannot matter:
//!
//! - If an enemy stands in one of our traps, it enters the den next, so only moves that take it are worth a look
//!   ([`tactics::evasions`]).
//! - If none does, we cannot lose within two plies by the den; nor by the loss of all pieces, if we have two; nor by
//!   having no move, if we have many: one move and its reply do not take away more than [`MANY_MOVES`].
//!
//! A move is *the only one* for this judge if it wins within [`Force::DEPTH`] plies and no other move does, which the search
//! has proved by looking at everything: a problem in the sense of "wins in four moves". That another move wins later is not excluded.
//! Shortest wins never repeat a position, so repetition does not matter.

use std::collections::HashMap;

use game::Game;
use jungle::{Jungle, Move, Position, tactics};

use crate::Goal;
use crate::judge::{Judge, JudgeError};

/// A move blocks at most four others, and its reply takes away a piece (four moves, and two jumps), blocks four
/// more and two jumps.
const MANY_MOVES: u64 = 20;

/// What is known of a position: the least plies within which something was proved, and the most within which it was
/// disproved.
#[derive(Clone, Copy, Debug)]
struct Known {
    wins: u32,
    wins_not: u32,
    loses: u32,
    loses_not: u32,
}

impl Default for Known {
    fn default() -> Known {
        Known { wins: u32::MAX, wins_not: 0, loses: u32::MAX, loses_not: 0 }
    }
}

/// Exact search of forced wins as a judge.
#[derive(Clone, Debug)]
pub struct Force {
    jungle: Jungle,
    known: HashMap<Position, Known>,
    visited: u64,
    budget: u64,
}

impl Force {
    /// Within how many plies wins are looked for: four moves.
    pub const DEPTH: u32 = 7;

    /// A judge that gives up nothing.
    pub fn new(jungle: &Jungle) -> Force {
        let (jungle, known) = (jungle.clone(), HashMap::new());
        Force { jungle, known, visited: 0, budget: u64::MAX }
    }

    /// A judge that gives up after this many positions, counted from now or from when it last [forgot](Force::forget).
    #[must_use]
    pub fn with_budget(self, budget: u64) -> Force {
        Force { budget, ..self }
    }

    /// Forgets what it knows of positions.
    pub fn forget(&mut self) {
        self.known.clear();
        self.visited = 0;
    }

    /// Whether the side to move can force a win within this many plies.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn wins(&mut self, position: &Position, plies: u32) -> Result<bool, JudgeError> {
        if plies == 0 || self.jungle.decided(position).is_some() {
            return Ok(false);
        }
        if tactics::entering(position).any() {
            return Ok(true);
        }
        let known = self.known.get(position).copied().unwrap_or_default();
        if known.wins <= plies || known.wins_not >= plies {
            return Ok(known.wins <= plies);
        }
        self.visit()?;
        let mut wins = false;
        for mv in self.worthwhile(position) {
            if self.loses(&self.jungle.after(position, mv), plies - 1)? {
                wins = true;
                break;
            }
        }
        let known = self.known.entry(position.clone()).or_default();
        if wins {
            known.wins = known.wins.min(plies);
        } else {
            known.wins_not = known.wins_not.max(plies);
        }
        Ok(wins)
    }

    /// Whether the side to move loses within this many plies whatever it does.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn loses(&mut self, position: &Position, plies: u32) -> Result<bool, JudgeError> {
        if let Some(ending) = self.jungle.decided(position) {
            return Ok(ending.winner == Some(!position.turn()));
        }
        if plies < 2 {
            return Ok(self.has_lost(position));
        }
        if tactics::entering(position).any() {
            return Ok(false);
        }
        let checkers = tactics::checkers(position);
        if plies < 4 && checkers.is_empty() {
            let several = position.side(position.turn()).len() > 1;
            if several && self.jungle.count_moves(position) > MANY_MOVES {
                return Ok(false);
            }
        }
        if checkers.any() && tactics::is_lost_in_check(position, checkers) {
            return Ok(true);
        }
        let known = self.known.get(position).copied().unwrap_or_default();
        if known.loses <= plies || known.loses_not >= plies {
            return Ok(known.loses <= plies);
        }
        self.visit()?;
        let mut loses = true;
        let moves = self.worthwhile(position);
        if moves.is_empty() && checkers.is_empty() {
            loses = self.has_lost(position);
        }
        for mv in moves {
            if !self.wins(&self.jungle.after(position, mv), plies - 1)? {
                loses = false;
                break;
            }
        }
        let known = self.known.entry(position.clone()).or_default();
        if loses {
            known.loses = known.loses.min(plies);
        } else {
            known.loses_not = known.loses_not.max(plies);
        }
        Ok(loses)
    }

    /// The moves that matter: all, or those that take the one piece that would enter the den. There is none
    /// if nothing helps.
    fn worthwhile(&self, position: &Position) -> Vec<Move> {
        let checkers = tactics::checkers(position);
        let moves = self.jungle.moves(position);
        match (checkers.len(), checkers.first()) {
            (0, _) | (_, None) => moves,
            (1, Some(checker)) => moves.into_iter().filter(|mv| mv.to == checker).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the side to move has lost already, for lack of a legal move.
    fn has_lost(&self, position: &Position) -> bool {
        self.jungle.ending(position).is_some_and(|ending| ending.winner == Some(!position.turn()))
    }

    fn visit(&mut self) -> Result<(), JudgeError> {
        self.visited += 1;
        if self.visited > self.budget { Err(JudgeError::TooLong(self.budget)) } else { Ok(()) }
    }

    /// In how many plies the side to move wins, if it does within this many.
    fn distance(&mut self, position: &Position, most: u32) -> Result<Option<u32>, JudgeError> {
        for plies in (1..=most).step_by(2) {
            if self.wins(position, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }
}

impl Judge for Force {
    fn jungle(&self) -> &Jungle {
        &self.jungle
    }

    fn only_move(&mut self, position: &Position, goal: Goal) -> Result<Option<Move>, JudgeError> {
        if goal == Goal::Draw || !self.wins(position, Force::DEPTH)? {
            return Ok(None);
        }
        let mut only = None;
        for mv in self.jungle.moves(position) {
            let after = self.jungle.after(position, mv);
            if self.loses(&after, Force::DEPTH - 1)? && only.replace(mv).is_some() {
                return Ok(None);
            }
        }
        Ok(only)
    }

    fn defences(&mut self, position: &Position, goal: Goal) -> Result<Vec<Move>, JudgeError> {
        let mut best = (0, Vec::new());
        if goal == Goal::Draw {
            return Ok(best.1);
        }
        for mv in self.jungle.moves(position) {
            let after = self.jungle.after(position, mv);
            let Some(plies) = self.distance(&after, Force::DEPTH)? else { return Ok(Vec::new()) };
            if plies > best.0 {
                best = (plies, vec![mv]);
            } else if plies == best.0 {
                best.1.push(mv);
            }
        }
        Ok(best.1)
    }

    fn is_zugzwang(&mut self, _: &Position) -> Result<Option<bool>, JudgeError> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use game::rng::Rng;
    use game::truth::Truth;
    use jungle::Rules;
    use tablebase::Tablebase;
    use tablebase::build::{Wanted, in_memory};

    use super::*;
    use crate::mine::tables::sample;

    /// Forced wins are those of the tables, to the ply, under rules that differ in how games end.
    #[test]
    fn forced_wins_are_those_of_the_tables() {
        for rules in ["standard", "leiden", "standard,no-legal-move=draw"] {
            let rules: Rules = rules.parse().unwrap();
            let jungle = Jungle::new(rules);
            let tables = Tablebase::new(&rules, 3, in_memory(&rules, &Wanted::Pieces(3)).unwrap());
            let mut rng = Rng::new(7);
            let classes = ["C-W", "T-E", "R-E", "EL-R", "RC-T", "L-RD", "TR-W"];
            let (mut won, mut lost) = (0, 0);
            for class in classes {
                let class = class.parse().unwrap();
                for _ in 0..300 {
                    let Some(position) = sample(&jungle, class, &mut rng) else { continue };
                    let mut force = Force::new(&jungle);
                    let truth = tables.probe(&position).unwrap();
                    let within = |plies: u32| match truth {
                        Truth::Win(least) => (least <= plies, false),
                        Truth::Loss(most) => (false, most <= plies),
                        Truth::Draw => (false, false),
                    };
                    for plies in 1..=7 {
                        let (wins, loses) = within(plies);
                        assert_eq!(
                            force.wins(&position, plies).unwrap(),
                            wins,
                            "{position} {plies}"
                        );
                        assert_eq!(
                            force.loses(&position, plies).unwrap(),
                            loses,
                            "{position} {plies}"
                        );
                        won += u32::from(wins);
                        lost += u32::from(loses);
                    }
                }
            }
            assert!(won > 500 && lost > 200, "{won} {lost}");
        }
    }

    #[test]
    fn a_spent_budget_is_an_error() {
        let jungle = Jungle::new(Rules::STANDARD);
        let mut force = Force::new(&jungle).with_budget(10);
        assert!(matches!(force.wins(&Position::start(), 9), Err(JudgeError::TooLong(10))));
        force.forget();
        assert!(!force.wins(&Position::start(), 1).unwrap());
    }
}
