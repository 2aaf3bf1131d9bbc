//! How exact formula (5) is: values and moves added up over sub-boards, against the whole board.
//!
//! Xu, Xing and Zuo state that the combined value equals the minimax value of the whole board. At
//! depth 1 it does: one move is made, and the evaluation is a sum. From depth 2 on it need not:
//! in each sub-board the search takes turns, but on the board a player may answer elsewhere, or play
//! twice running in one sub-board. [`Tally`] counts how often value and move differ, apart for what
//! the board is made of:
//!
//! - *filling* sub-boards only: nobody can disturb anybody, but each waits in turn in every part;
//! - one *competing* sub-board beside filling ones: somebody would rather fill than move there, or
//!   gets in two moves there while the other fills;
//! - several competing ones: the players take turns on the board, not in each of them.
//!
//! A combined value differs although the move is right, a wrong move costs something, and the worst is
//! a move that gives away a won game; all three are counted. The [exact solver](crate::exact) is
//! held against brute force on the same positions.

use std::collections::HashSet;

use game::rng::Rng;
use game::{Game, Player};
use search::{Budget, Limits};

use crate::divide::{Divide, Ends, Found};
use crate::evaluate::Weights;
use crate::exact::{self, Solver};
use crate::region::{self, Kind};
use crate::shape::Shape;
use crate::{Amazons, Bitboard, Position, Size};

/// What a board is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Made {
    /// Only sub-boards in which one player can move.
    Filling,
    /// One sub-board in which both can, and others in which one can.
    OneCompeting,
    /// Several sub-boards in which both can.
    Competing,
}

impl Made {
    /// All kinds of boards.
    pub const ALL: [Made; 3] = [Made::Filling, Made::OneCompeting, Made::Competing];

    /// What the board is made of; `None` if it does not fall into several executing sub-boards.
    pub fn of(position: &Position) -> Option<Made> {
        let (mut parts, mut competing) = (0, 0);
        region::executing(position, |region| {
            parts += 1;
            competing += u32::from(region.kind == Kind::Competing);
        });
        match (parts, competing) {
            (0 | 1, _) => None,
            (_, 0) => Some(Made::Filling),
            (_, 1) => Some(Made::OneCompeting),
            _ => Some(Made::Competing),
        }
    }
}

/// What was found at one depth on boards of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions compared.
    pub positions: u64,
    /// Positions where the combined value is not minimax's.
    pub other_value: u64,
    /// Of these, positions where it is too high.
    pub too_high: u64,
    /// Positions where the chosen move is worth less, to this depth, than the best one.
    pub worse_move: u64,
    /// Won positions in which the chosen move loses the game.
    pub thrown_away: u64,
    /// Won positions in which plain search to the same depth chooses a losing move.
    pub plain_thrown_away: u64,
    /// Positions that the player to move can win.
    pub won: u64,
}

/// What was found on all positions looked at.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// By depth from 1, by what the board is made of.
    pub tallies: Vec<[Tally; 3]>,
    /// Positions of all kinds that were solved by brute force and by the exact solver.
    pub solved: u64,
    /// Positions where the two disagree.
    pub disagreements: u64,
    /// Positions that brute force visited.
    pub brute_force_nodes: u64,
    /// Steps that the exact solver took, which remembers what it learned.
    pub solver_steps: u64,
}

/// Compares positions one after another.
#[derive(Debug)]
pub struct Exactness {
    weights: Weights,
    solver: Solver,
    figures: Figures,
    depth: u32,
}

impl Exactness {
    /// Compares at depths from 1 to this.
    pub fn new(depth: u32) -> Exactness {
        let tallies = vec![[Tally::default(); 3]; depth as usize];
        Exactness {
            weights: Weights::default(),
            solver: Solver::new(),
            figures: Figures { tallies, ..Figures::default() },
            depth,
        }
    }

    /// What was found so far.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Looks at a position. Only those that fall into parts are compared, and solved.
    pub fn look_at(&mut self, position: &Position) {
        let Some(made) = Made::of(position) else { return };
        if Amazons.outcome(position).is_some() {
            return;
        }
        let before = self.solver.steps();
        let winner = self.solver.winner(position, u64::MAX).expect("no limit");
        self.figures.solver_steps += self.solver.steps() - before;
        let (truth, nodes) = exact::brute_force(position, u64::MAX).expect("no limit");
        self.figures.brute_force_nodes += nodes;
        self.figures.solved += 1;
        self.figures.disagreements += u64::from(winner != truth);

        let won = truth == position.turn();
        for depth in 1..=self.depth {
            let plain = self.search(Divide::plain(self.weights), position, depth);
            let combined = self.search(Divide::new(self.weights), position, depth);
            let mv = combined.best.expect("a game that goes on has a move");
            let after = Amazons.after(position, mv);
            let worth = -self.search(Divide::plain(self.weights), &after, depth - 1).value;
            let mut loses = |found: Found| {
                let mv = found.best.expect("a game that goes on has a move");
                let after = Amazons.after(position, mv);
                won && self.solver.winner(&after, u64::MAX) != Ok(truth)
            };
            let (thrown_away, plain_thrown_away) = (loses(combined), loses(plain));
            let tally = &mut self.figures.tallies[depth as usize - 1][made as usize];
            tally.positions += 1;
            tally.other_value += u64::from(combined.value != plain.value);
            tally.too_high += u64::from(combined.value > plain.value);
            tally.worse_move += u64::from(worth < plain.value);
            tally.won += u64::from(won);
            tally.thrown_away += u64::from(thrown_away);
            tally.plain_thrown_away += u64::from(plain_thrown_away);
        }
    }

    fn search(&self, search: Divide, position: &Position, depth: u32) -> Found {
        let mut budget = Budget::new(&Limits::none());
        let mut search = search.ends(Ends::Evaluated);
        search.find(position, depth, &mut budget).expect("nothing stops it")
    }
}

/// The start of a board with only so many amazons a side: White's first, and Black's opposite them.
pub fn start(size: Size, amazons: usize) -> Position {
    let usual = Position::start(size.files(), size.ranks()).expect("a size is a size of a board");
    let white: Bitboard = usual.amazons(Player::First).into_iter().take(amazons).collect();
    let black = white
        .into_iter()
        .filter_map(|square| {
            let (file, rank) = (size.files() - 1 - square.file(), size.ranks() - 1 - square.rank());
            crate::Square::new(file, rank)
        })
        .collect();
    let empty = size.squares().without(white | black);
    Position::new(size, white, black, empty, Player::First).expect("corners apart")
}

/// Calls `visit` with every position with at most `squares` empty squares that play from `start` can
/// lead to: one for each class of positions that are the same but for symmetry and for squares where
/// nobody can move any more. Returns how many classes there are, of any number of squares.
pub fn reachable(start: &Position, squares: u32, mut visit: impl FnMut(&Position)) -> u64 {
    // All positions after the same number of moves are a layer; no two layers share one.
    let mut layer = vec![*start];
    let mut count = 0;
    while !layer.is_empty() {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for position in &layer {
            count += 1;
            if position.empty().len() <= squares {
                visit(position);
            }
            for mv in Amazons.moves(position) {
                let after = Amazons.after(position, mv);
                let mut alive = Bitboard::EMPTY;
                region::executing(&after, |region| alive |= region.squares);
                let after = after.restricted(alive);
                if let Some((shape, _)) = Shape::of(&after, Player::First)
                    && seen.insert(shape)
                {
                    next.push(shape.position(after.turn()));
                }
            }
        }
        layer = next;
    }
    count
}

/// Calls `visit` with `count` positions that fall into parts and have at most `squares` empty squares,
/// from random games.
pub fn sampled(
    start: &Position,
    count: u64,
    squares: u32,
    seed: u64,
    mut visit: impl FnMut(&Position),
) {
    let mut rng = Rng::new(seed);
    let mut found = 0;
    while found < count {
        let mut position = *start;
        let mut candidates = Vec::new();
        while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
            Amazons.make(&mut position, mv);
            let fits = position.empty().len() <= squares && Made::of(&position).is_some();
            if fits && Amazons.outcome(&position).is_none() {
                candidates.push(position);
            }
        }
        // One position a game, so that they have nothing to do with each other.
        if let Some(position) = rng.choose(&candidates) {
            visit(position);
            found += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_ply_is_exact_and_the_solver_always_is() {
        let mut exactness = Exactness::new(3);
        let start = start(Size::new(5, 5).unwrap(), 4);
        sampled(&start, 150, 8, 3, |position| exactness.look_at(position));
        let figures = exactness.figures();
        assert_eq!((figures.solved, figures.disagreements), (150, 0));
        let total = |of: fn(&Tally) -> u64, depth: usize| -> u64 {
            figures.tallies[depth - 1].iter().map(of).sum()
        };
        assert_eq!(total(|tally| tally.other_value, 1), 0);
        assert_eq!(total(|tally| tally.worse_move, 1), 0);
        assert!(total(|tally| tally.other_value, 3) > 0, "the paper's claim fails at depth 3");
        assert_eq!(total(|tally| tally.positions, 2), 150);
    }

    /// Two amazons on 4x4: every game played out with nothing left out or merged.
    #[test]
    fn every_class_of_positions_is_visited() {
        fn plainly(position: &Position, seen: &mut HashSet<Position>) {
            if seen.insert(*position) {
                for mv in Amazons.moves(position) {
                    plainly(&Amazons.after(position, mv), seen);
                }
            }
        }
        let start: Position = "W2x/1x2/x1x1/xx1B w".parse().unwrap();
        let mut seen = HashSet::new();
        plainly(&start, &mut seen);
        let class = |position: &Position| {
            let mut alive = Bitboard::EMPTY;
            region::executing(position, |region| alive |= region.squares);
            let alive = position.restricted(alive);
            // Finished positions have no shape; the mover tells layers apart.
            Shape::of(&alive, Player::First).map(|(shape, _)| (shape, position.turn()))
        };
        let classes: HashSet<_> = seen.iter().filter_map(class).collect();
        let mut visited = HashSet::new();
        reachable(&start, 99, |position| {
            visited.extend(class(position));
        });
        assert_eq!(visited, classes);
        assert!(classes.len() > 20);
    }
}
