//! The searching adversary: plays for the side that should lose, against a strategist it can ask.
//!
//! Before each move it plays a number of games ahead (rollouts) against a copy of the strategist,
//! each by another *temper*: a weight for every kind of move. It makes the move that
//! began the best of them: a win before all, then a broken contract, then
//! progress. Some tempers are drawn at random, the others are those that have broken strategies
//! before: give up the gadgets' own lions before anything arrives; come in by one input
//! and go back by another; keep signals waiting on bends; run everything backwards.

use std::collections::{HashMap, HashSet};

use game::Game;
use game::rng::Rng;
use jungle::{Animal, Color, Piece};

use crate::board::Board;
use crate::circuit::Gate;
use crate::generalised::{BoardMove, BoardRules, GeneralisedJungle};
use crate::geometry::Spot;
use crate::layout::Layout;
use crate::strategy::{Place, Plan, Strategist};

/// Kinds of moves that tempers tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
enum Kind {
    /// Takes a piece.
    Capture,
    /// Takes a variable: the lion leaves its setter, or is taken there.
    Variable,
    /// Within a gadget, onto a trap.
    Trap,
    /// Within a gadget.
    Inside,
    /// Out of a gadget to the bend of an output.
    Forward,
    /// From a bend into the gadget that it leads to.
    ComeIn,
    /// Out of a gadget to the bend of an input.
    Backward,
    /// From a bend into the gadget it comes from.
    ComeBack,
    /// Black's cat, towards the den.
    Run,
    /// Anything else.
    Wait,
}

const KINDS: usize = 10;

/// A weight for every kind of move.
type Temper = [f64; KINDS];

/// In the order of [`Kind`]: capture, variable, trap, inside, forward, come in, backward, come back,
/// run, wait.
const TEMPERS: [Temper; 5] = [
    // Give up the gadgets' own lions first.
    [40.0, 2.0, 30.0, 4.0, 3.0, 3.0, 3.0, 3.0, 1.0, 0.1],
    // In by one input, back by another.
    [40.0, 5.0, 5.0, 4.0, 2.0, 8.0, 30.0, 20.0, 1.0, 0.1],
    // Hurry forward.
    [40.0, 20.0, 3.0, 6.0, 30.0, 15.0, 0.5, 0.5, 20.0, 0.1],
    // Keep signals on bends.
    [40.0, 20.0, 6.0, 6.0, 20.0, 0.5, 10.0, 1.0, 5.0, 1.0],
    // Make trouble inside.
    [40.0, 1.0, 20.0, 20.0, 4.0, 4.0, 4.0, 4.0, 1.0, 0.1],
];

/// How many games are played ahead of a move, and how far.
const ROLLOUTS: usize = 16;
const HORIZON: usize = 24;

/// What a rollout is worth.
const WIN: f64 = 1e6;
const BROKEN: f64 = 1e4;

/// The adversary.
pub struct Adversary<'a> {
    plan: &'a Plan<'a>,
    generalised: GeneralisedJungle,
    rng: Rng,
    /// Where each animal of the board gets to from each square of land: the squares do not change,
    /// and no board of a formula has rats that would stop a jump.
    ways: HashMap<(Piece, Spot), Vec<Spot>>,
    /// The temper of this game, used for half of the rollouts.
    mood: usize,
}

impl<'a> Adversary<'a> {
    /// An adversary whose choices follow from the seed.
    pub fn new(plan: &'a Plan<'a>, rules: BoardRules, seed: u64) -> Adversary<'a> {
        Adversary {
            plan,
            generalised: GeneralisedJungle::new(rules),
            rng: Rng::new(seed ^ 0xad5e),
            ways: ways(plan.layout, rules),
            mood: (seed % (TEMPERS.len() as u64 + 1)) as usize,
        }
    }

    /// All legal moves, in the order of the ordinary generator.
    fn moves(&self, board: &Board) -> Vec<BoardMove> {
        let (geometry, mut moves) = (board.geometry(), Vec::new());
        for (from, piece) in board.pieces().filter(|(_, piece)| piece.color == board.turn()) {
            for &to in self.ways.get(&(piece, from)).into_iter().flatten() {
                let captured = board.at(to);
                let goes = captured.is_none_or(|victim| {
                    self.generalised.may_take(geometry, piece, from, victim, to)
                });
                if goes {
                    moves.push(BoardMove { from, to, captured });
                }
            }
        }
        moves
    }

    fn uniform(&mut self) -> f64 {
        (self.rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn temper(&mut self, rollout: usize) -> Temper {
        let number = if rollout.is_multiple_of(2) { self.mood } else { rollout / 2 };
        TEMPERS.get(number).copied().unwrap_or_else(|| {
            // Weights from 1/20 to 20.
            std::array::from_fn(|_| 20_f64.powf(self.uniform() * 2.0 - 1.0))
        })
    }

    fn kind(&self, board: &Board, mv: &BoardMove) -> Kind {
        let layout = self.plan.layout;
        let forward = |wire: usize, block: usize| layout.wires[wire].from.gate == block;
        match (self.plan.place(mv.from), self.plan.place(mv.to)) {
            (Some(Place::Block(block)), to) => {
                let leaves = to != Some(Place::Block(block));
                if matches!(layout.blocks[block].gate, Gate::Variable(_))
                    && (leaves || mv.captured.is_some())
                {
                    return Kind::Variable;
                }
                match to {
                    _ if mv.captured.is_some() => Kind::Capture,
                    Some(Place::Stone(wire, _)) if forward(wire, block) => Kind::Forward,
                    Some(Place::Stone(..)) => Kind::Backward,
                    _ if is_trap(layout, mv) => Kind::Trap,
                    _ => Kind::Inside,
                }
            }
            (Some(Place::Stone(_, from)), Some(Place::Stone(_, to))) => {
                if from < to {
                    Kind::Forward
                } else {
                    Kind::Backward
                }
            }
            (Some(Place::Stone(wire, _)), Some(Place::Block(block))) => {
                match (mv.captured.is_some(), forward(wire, block)) {
                    (true, _) => Kind::Capture,
                    (false, true) => Kind::ComeBack,
                    (false, false) => Kind::ComeIn,
                }
            }
            (Some(Place::Track(from)), Some(Place::Track(to))) if to > from => Kind::Run,
            _ if board.at(mv.from).is_some_and(|piece| piece.animal == Animal::Cat) => Kind::Wait,
            _ => Kind::Inside,
        }
    }

    /// A move by a temper.
    fn pick(&mut self, board: &Board, temper: &Temper) -> Option<BoardMove> {
        let moves = self.moves(board);
        let ends = |mv: &&BoardMove| {
            self.plan.place(mv.to).is_some_and(|place| match place {
                Place::Block(block) => self.plan.layout.blocks[block].gate == Gate::Den,
                Place::Track(at) => at + 1 == self.plan.layout.track.len(),
                Place::Stone(..) => false,
            })
        };
        if let Some(mv) = moves.iter().find(ends) {
            return Some(*mv);
        }
        let weights: Vec<f64> =
            moves.iter().map(|mv| temper[self.kind(board, mv) as usize]).collect();
        let mut left = self.uniform() * weights.iter().sum::<f64>();
        for (mv, weight) in moves.iter().zip(&weights) {
            left -= weight;
            if left <= 0.0 {
                return Some(*mv);
            }
        }
        moves.last().copied()
    }

    /// The adversary's move against this strategist.
    pub fn choose(&mut self, board: &Board, strategist: &Strategist<'a>) -> Option<BoardMove> {
        let mut best: Option<(f64, BoardMove)> = None;
        for rollout in 0..ROLLOUTS {
            let temper = self.temper(rollout);
            let Some((first, worth)) = self.rollout(board, strategist, &temper) else { continue };
            if best.is_none_or(|(old, _)| worth > old) {
                best = Some((worth, first));
            }
        }
        best.map(|(_, mv)| mv)
    }

    fn rollout(
        &mut self,
        board: &Board,
        strategist: &Strategist<'a>,
        temper: &Temper,
    ) -> Option<(BoardMove, f64)> {
        let side = board.turn();
        let (mut board, mut strategist) = (board.clone(), strategist.clone());
        let mut first = None;
        for ply in 0..HORIZON {
            let mv = if board.turn() == side {
                self.pick(&board, temper)
            } else {
                strategist.choose(&board)
            };
            let Some(mv) = mv else { break };
            first = first.or(Some(mv));
            strategist.note(&board, mv);
            self.generalised.make(&mut board, mv);
            if let Some(winner) = self.generalised.winner(&board) {
                let worth = if winner == side { WIN } else { -WIN };
                return Some((first?, worth - ply as f64));
            }
        }
        let broken = if strategist.broken().is_empty() { 0.0 } else { BROKEN };
        Some((first?, broken + self.progress(&board, side) + self.uniform()))
    }

    /// How far a side has got: lions along the circuit and elephants drawn from home, or the cat.
    fn progress(&self, board: &Board, side: Color) -> f64 {
        let run = self.plan.runner(board).unwrap_or(0) as f64;
        if side == Color::Black {
            return run;
        }
        let along = |(spot, piece): (Spot, Piece)| match self.plan.place(spot) {
            Some(Place::Block(block)) if piece.animal == Animal::Lion => block as f64,
            Some(Place::Stone(wire, nth)) => {
                let wire = &self.plan.layout.wires[wire];
                let still = (wire.stones.len() - nth) as f64 / (wire.stones.len() + 1) as f64;
                wire.to.map_or(0.0, |to| to.gate as f64 - still)
            }
            _ => 0.0,
        };
        board.pieces().map(along).fold(0.0, f64::max) - run
    }
}

fn ways(layout: &Layout, rules: BoardRules) -> HashMap<(Piece, Spot), Vec<Spot>> {
    let generalised = GeneralisedJungle::new(rules);
    let geometry = layout.board.geometry();
    let kinds: HashSet<Piece> = layout.board.pieces().map(|(_, piece)| piece).collect();
    let mut ways = HashMap::new();
    for from in geometry.land() {
        for &piece in &kinds {
            let mut there = Vec::new();
            generalised.moves_of(geometry, |_| None, piece, from, |to, _| there.push(to));
            ways.insert((piece, from), there);
        }
    }
    ways
}

fn is_trap(layout: &Layout, mv: &BoardMove) -> bool {
    matches!(layout.board.geometry().terrain(mv.to), jungle::board::Terrain::Trap(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Circuit;
    use crate::formula::Formula;

    #[test]
    fn moves_are_those_of_the_ordinary_generator() {
        let formula: Formula = "(x | y) & (x | z | w)".parse().unwrap();
        let rules = BoardRules::from(jungle::Rules::LEIDEN);
        for layout in [Layout::of(&Circuit::of(&formula)), Layout::stepping(&Circuit::of(&formula))]
        {
            let rules = BoardRules { leap: layout.leap, ..rules };
            let plan = Plan::new(&formula, &layout, rules);
            let mut adversary = Adversary::new(&plan, rules, 1);
            let mut board = layout.board.clone();
            for _ in 0..300 {
                let moves = adversary.generalised.moves(&board);
                assert_eq!(adversary.moves(&board), moves);
                let Some(&mv) = adversary.rng.choose(&moves) else { break };
                adversary.generalised.make(&mut board, mv);
            }
        }
    }
}
