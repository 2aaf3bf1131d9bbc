//! Solving boards: who wins with best play, by depth-first proof-number search.
//!
//! The search (df-pn; Nagai 2002) looks for the quickest proof first: of every position it keeps how many
//! positions would still have to be proved for the player to move to win, and to lose. Regions that one player fills alone
//! leave the board and are counted, so that most positions are decided by counting long
//! before the last arrow. Positions that are the same up to symmetry, colours and dead squares share an
//! entry of the table.
//!
//! Keys have 64 bits, so a result could in principle rest on a collision. A [proof] cannot: it is written
//! out position by position, and [checked](crate::check_proof) by code that shares nothing with this.

mod keys;
pub mod proof;

use std::time::{Duration, Instant};

use game::limits::StopFlag;

use self::keys::Keys;
use crate::champion::board::{Board, Knowledge};
use crate::evaluate::{Scale, Weights};
use crate::{Amazons, Move, Position};
use game::{Game, Side};

/// A proof number that means: never.
const NEVER: u32 = u32::MAX / 4;
/// Regions of up to this many empty squares have a value.
const SMALL: u32 = 3;
/// Entries of a bucket.
const WAYS: usize = 4;

/// What a solver found out and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Who wins with best play.
    pub winner: Side,
    /// A move that wins, if the player to move wins.
    pub mv: Option<Move>,
}

/// Limits of a search for a proof.
#[derive(Clone, Debug, Default)]
pub struct SolveLimits {
    /// Positions that may be expanded.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// Raised to stop.
    pub stop: Option<StopFlag>,
}

/// The search was stopped before the board was solved. The table keeps what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not solved within {0} nodes: allow more")]
pub struct Unsolved(pub u64);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slot {
    key: u64,
    /// For the player to move: what is left to prove a win, and a loss.
    phi: u32,
    delta: u32,
    work: u32,
}

/// A solver with its table.
#[derive(Debug)]
pub struct BoardSolver {
    slots: Vec<Slot>,
    keys: Keys,
    known: Knowledge,
    scale: Scale,
    nodes: u64,
    limit: u64,
    deadline: Option<Instant>,
    stop: Option<StopFlag>,
}

struct Stopped;

#[derive(Clone, Copy)]
struct Child {
    board: Board,
    key: u64,
    phi: u32,
    delta: u32,
}

impl BoardSolver {
    /// A solver with a table of two to the power of `bits` positions, for boards of this size.
    pub fn new(size: crate::Size, bits: u32) -> BoardSolver {
        BoardSolver {
            slots: vec![Slot::default(); 1 << bits.max(4)],
            keys: Keys::new(size),
            known: Knowledge::exact_with_values(SMALL),
            scale: Scale::from(Weights::default()),
            nodes: 0,
            limit: u64::MAX,
            deadline: None,
            stop: None,
        }
    }

    /// Positions expanded so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Who wins, and how.
    ///
    /// # Errors
    ///
    /// If a limit is met first.
    pub fn solve(&mut self, position: &Position, limits: &SolveLimits) -> Result<Solved, Unsolved> {
        self.limit(limits);
        let board = self.contested(position);
        let wins = self.wins(&board).map_err(|Stopped| Unsolved(self.nodes))?;
        let mv = if wins {
            Some(self.winning_move(position).map_err(|Stopped| Unsolved(self.nodes))?)
        } else {
            None
        };
        let turn = position.turn();
        Ok(Solved { winner: if wins { turn } else { !turn }, mv })
    }

    fn limit(&mut self, limits: &SolveLimits) {
        self.limit = limits.nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
        self.deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        self.stop = limits.stop.clone();
    }

    /// A board without what is settled.
    fn contested(&mut self, position: &Position) -> Board {
        let mut board = Board::whole(position);
        board.settle(&mut self.known);
        board
    }

    /// Whether the player to move wins.
    fn wins(&mut self, board: &Board) -> Result<bool, Stopped> {
        let mut root = self.child(*board);
        while root.phi != 0 && root.delta != 0 {
            (root.phi, root.delta) = self.expand(&root, NEVER, NEVER)?;
        }
        Ok(root.phi == 0)
    }

    /// A move on the board that wins, of those that keep the proof small.
    fn winning_move(&mut self, position: &Position) -> Result<Move, Stopped> {
        let mut unknown: Vec<(u32, Move, Board)> = Vec::new();
        let mut best: Option<(u32, Move)> = None;
        for mv in Amazons.moves(position) {
            let mut board = Board::whole(&Amazons.after(position, mv));
            board.settle(&mut self.known);
            let child = self.child(board);
            if child.delta == 0 {
                let work = self.work(child.key);
                if work == 0 {
                    return Ok(mv);
                }
                if best.is_none_or(|(least, _)| work < least) {
                    best = Some((work, mv));
                }
            } else if child.phi != 0 {
                unknown.push((child.delta, mv, board));
            }
        }
        if let Some((_, mv)) = best {
            return Ok(mv);
        }
        unknown.sort_by_key(|&(delta, ..)| delta);
        for (_, mv, board) in unknown {
            if !self.wins(&board)? {
                return Ok(mv);
            }
        }
        unreachable!("a won position has a winning move")
    }

    /// A board with what is known or guessed about it.
    fn child(&mut self, board: Board) -> Child {
        let mover = board.position.turn();
        let [low, high] = board.settled_for_mover();
        debug_assert_eq!(low, high, "runs are exact");
        let wins = match board.solved(&mut self.known) {
            Some(wins) => Some(wins),
            None if !board.position.can_move(mover) && high <= 0 => Some(false),
            None => None,
        };
        if let Some(wins) = wins {
            let (phi, delta) = if wins { (0, NEVER) } else { (NEVER, 0) };
            return Child { board, key: 0, phi, delta };
        }
        let key = self.keys.of(&board.position, low);
        let bucket = self.bucket(key);
        if let Some(slot) = self.slots[bucket].iter().find(|slot| slot.key == key) {
            return Child { board, key, phi: slot.phi, delta: slot.delta };
        }
        let value = self.scale.value(&board.position) / 100 + low;
        let phi = (8 - value).clamp(1, 24).cast_unsigned();
        let delta = (8 + value).clamp(1, 24).cast_unsigned();
        Child { board, key, phi, delta }
    }

    /// How much work a position in the table took; 0 if counting decided it.
    fn work(&self, key: u64) -> u32 {
        let found = self.slots[self.bucket(key)].iter().find(|slot| slot.key == key);
        found.filter(|_| key != 0).map_or(0, |slot| slot.work)
    }

    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let at = (key as usize & (self.slots.len() - 1)) & !(WAYS - 1);
        at..at + WAYS
    }

    fn store(&mut self, key: u64, phi: u32, delta: u32, work: u64) {
        let range = self.bucket(key);
        let bucket = &mut self.slots[range];
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        let at = bucket.iter().position(|slot| slot.key == key).unwrap_or_else(|| {
            let least = (0..WAYS).min_by_key(|&at| bucket[at].work);
            least.expect("a bucket has entries")
        });
        let work = if bucket[at].key == key { work.saturating_add(bucket[at].work) } else { work };
        bucket[at] = Slot { key, phi, delta, work };
    }

    fn check(&self) -> Result<(), Stopped> {
        if self.nodes >= self.limit {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(1_024) {
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || self.stop.as_ref().is_some_and(StopFlag::is_raised) {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// What the board leads to: every contested move, and a settled one if the player to move is ahead in them.
    fn children(&mut self, board: &Board) -> Vec<Child> {
        let moves = Amazons.moves(&board.position);
        let mut children: Vec<Child> = Vec::with_capacity(moves.len() + 1);
        for mv in moves {
            let after = board.after(mv, Some(&mut self.known));
            let child = self.child(after);
            if child.delta == 0 {
                return vec![child];
            }
            children.push(child);
        }
        if board.settled_for_mover()[0] > 0 {
            let child = self.child(board.spent());
            children.push(child);
        }
        children.sort_by_key(|child| child.key);
        children.dedup_by(|a, b| a.key == b.key && a.key != 0);
        children
    }

    /// Expands a position until its numbers pass the thresholds, and gives the numbers.
    fn expand(
        &mut self,
        node: &Child,
        most_phi: u32,
        most_delta: u32,
    ) -> Result<(u32, u32), Stopped> {
        self.check()?;
        self.nodes += 1;
        let begun = self.nodes;
        let mut children = self.children(&node.board);
        loop {
            let mut phi = NEVER;
            let (mut delta, mut best, mut second) = (0_u32, 0, NEVER);
            for (at, child) in children.iter().enumerate() {
                delta = delta.saturating_add(child.phi).min(NEVER);
                if child.delta < phi {
                    (second, phi, best) = (phi, child.delta, at);
                } else if child.delta < second {
                    second = child.delta;
                }
            }
            if phi == 0 {
                delta = NEVER;
            }
            if phi >= most_phi || delta >= most_delta || phi == 0 || delta == 0 {
                self.store(node.key, phi, delta, self.nodes - begun + 1);
                return Ok((phi, delta));
            }
            let child = children[best];
            let rest = delta - child.phi.min(delta);
            let next_phi = most_delta.saturating_sub(rest).min(NEVER);
            let next_delta = most_phi.min(second.saturating_add(1 + second / 4));
            let (phi, delta) = self.expand(&child, next_phi, next_delta)?;
            (children[best].phi, children[best].delta) = (phi, delta);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_proof;
    use crate::exact::brute_force;
    use game::rng::Rng;

    #[test]
    fn winners_are_those_of_brute_force_and_proofs_hold() {
        let mut rng = Rng::new(4);
        let mut asked = 0;
        for (files, ranks) in [(4, 4), (5, 4), (5, 5), (4, 6)].into_iter().cycle().take(12) {
            let mut position = Position::start(files, ranks).unwrap();
            let mut solver = BoardSolver::new(position.size(), 16);
            while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                if position.empty().len() <= 8 {
                    let (winner, _) = brute_force(&position, u64::MAX).unwrap();
                    let limits = SolveLimits::default();
                    let solved = solver.solve(&position, &limits).unwrap();
                    assert_eq!(solved.winner, winner, "{position}");
                    let mut proof = Vec::new();
                    solver.write_proof(&position, solved, &limits, &mut proof, |_| ()).unwrap();
                    let proof = String::from_utf8(proof).unwrap();
                    let checked = check_proof::check(&proof, |_| ()).unwrap();
                    assert_eq!(checked.first_wins, winner == position.turn());
                    let lie = match checked.first_wins {
                        true => proof.replace("winner first", "winner second"),
                        false => proof.replace("winner second", "winner first"),
                    };
                    assert!(check_proof::check(&lie, |_| ()).is_err(), "{position}");
                    asked += 1;
                }
                Amazons.make(&mut position, mv);
            }
        }
        assert!(asked > 40, "{asked}");
    }

    #[test]
    fn limits_are_kept_and_what_was_found_stays() {
        let start = Position::start(4, 4).unwrap();
        let mut solver = BoardSolver::new(start.size(), 16);
        let few = SolveLimits { nodes: Some(10), ..SolveLimits::default() };
        assert_eq!(solver.solve(&start, &few), Err(Unsolved(10)));
        let solved = solver.solve(&start, &SolveLimits::default()).unwrap();
        assert_eq!(solved.winner, Side::Second);
    }
}
