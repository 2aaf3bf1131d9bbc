//! Strategy transfer: winning strategies of the formula game, carried out on the compiled board.
//!
//! **White**, when he wins the formula game: he chooses variables by its strategy, then works through
//! the circuit gate by gate, in each by the strategy of its lemma, until a lion jumps into the den.
//! If Black moves in a gadget meanwhile, White answers there only if the lemma could be lost by not
//! answering.
//!
//! **Black**, when he does: after every White move he looks at the one gadget that it touched. If the
//! lemma could be lost by playing elsewhere, he plays there what holds; otherwise he chooses a variable,
//! and when all are chosen his cat runs.
//!
//! Gadgets are looked at one at a time: their local games are small enough to be solved at every move.

use game::Game;
use game::rng::Rng;
use jungle::{Animal, Color, Piece, Rules};

use crate::board::Board;
use crate::circuit::{Circuit, Gate};
use crate::formula::Formula;
use crate::generalised::{BoardMove, GeneralisedJungle};
use crate::geometry::Spot;
use crate::layout::Layout;
use crate::local::{Goal, Local, LocalMove, State, Traffic};
use crate::solve::{Solution, solve};

/// The policy of the side without a winning strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Takes what it can, then runs, or jumps on with its lions.
    Greedy,
    /// Makes any legal move.
    Random,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Who played by strategy: the winner of the formula game.
    pub strategist: Color,
    /// Who won on the board; `None` if the game was broken off.
    pub winner: Option<Color>,
    /// All moves.
    pub moves: Vec<BoardMove>,
    /// The variables White took; a bit each.
    pub white: u32,
    /// How many moves Black's cat was from White's den at the end.
    pub left_to_run: usize,
    /// The board at the end.
    pub board: Board,
}

/// More states than any local game of a single gadget.
const STATE_LIMIT: usize = 1_000_000;

const LION: Piece = Piece { color: Color::White, animal: Animal::Lion };

/// Plays the formula on its board: the winner of the formula game by strategy, the other side by a policy.
pub fn play(formula: &Formula, opponent: Opponent, seed: u64) -> Played {
    let layout = Layout::of(&Circuit::of(formula));
    let generalised = GeneralisedJungle::new(Rules::LEIDEN);
    let white_wins = formula.game().white_wins(0, 0, Color::White);
    let strategist = if white_wins { Color::White } else { Color::Black };
    let mut player = Strategist::new(formula, &layout);
    let mut rng = Rng::new(seed);
    let mut board = layout.board.clone();
    let mut moves = Vec::new();
    // Random White need not lose quickly: every move that Black must answer delays his cat.
    let limit = 100 * layout.track.len() + 4000;
    while moves.len() < limit && generalised.outcome(&board).is_none() {
        let mv = if board.turn() == strategist {
            player.choose(&board)
        } else {
            opponent_move(&generalised, &layout, &board, opponent, &mut rng)
        };
        let Some(mv) = mv else { break };
        player.note(&board, mv);
        generalised.make(&mut board, mv);
        moves.push(mv);
    }
    let runner = layout.track.iter().position(|&spot| {
        board.at(spot) == Some(Piece { color: Color::Black, animal: Animal::Cat })
    });
    Played {
        strategist,
        winner: generalised.winner(&board),
        moves,
        white: player.white,
        left_to_run: runner.map_or(0, |at| layout.track.len() - 1 - at),
        board,
    }
}

fn opponent_move(
    generalised: &GeneralisedJungle,
    layout: &Layout,
    board: &Board,
    opponent: Opponent,
    rng: &mut Rng,
) -> Option<BoardMove> {
    let moves = generalised.moves(board);
    if opponent == Opponent::Random {
        return rng.choose(&moves).copied();
    }
    let ends = |mv: &BoardMove| generalised.winner(&generalised.after(board, *mv)).is_some();
    let takes = |mv: &BoardMove| mv.captured.is_some();
    let lion = |mv: &BoardMove| board.at(mv.from) == Some(LION);
    let runs = |mv: &BoardMove| {
        let at = |spot| layout.track.iter().position(|&track| track == spot);
        at(mv.from).zip(at(mv.to)).is_some_and(|(from, to)| to > from)
    };
    let best = |wanted: &dyn Fn(&BoardMove) -> bool, rng: &mut Rng| {
        let good: Vec<BoardMove> = moves.iter().copied().filter(|mv| wanted(mv)).collect();
        rng.choose(&good).copied()
    };
    best(&ends, rng)
        .or_else(|| best(&takes, rng))
        .or_else(|| best(&runs, rng))
        .or_else(|| best(&lion, rng))
        .or_else(|| rng.choose(&moves).copied())
}

/// The side that plays by strategy, and what it keeps track of.
struct Strategist<'a> {
    formula: &'a Formula,
    layout: &'a Layout,
    /// Variables taken by White, by Black.
    white: u32,
    black: u32,
    /// For every block and port, how many lions went out more than came in.
    gone: Vec<Vec<i32>>,
    /// Gates that have done what White wants of them.
    done: Vec<bool>,
    last: Option<BoardMove>,
}

impl<'a> Strategist<'a> {
    fn new(formula: &'a Formula, layout: &'a Layout) -> Strategist<'a> {
        let gone = layout.blocks.iter().map(|block| vec![0; block.gadget.ports.len()]).collect();
        let done = vec![false; layout.blocks.len()];
        Strategist { formula, layout, white: 0, black: 0, gone, done, last: None }
    }

    /// Keeps track of a move about to be made.
    fn note(&mut self, board: &Board, mv: BoardMove) {
        self.last = Some(mv);
        let (from, to) = (self.layout.block_at(mv.from), self.layout.block_at(mv.to));
        for (block, sign, bend, landing) in [(from, 1, mv.to, mv.from), (to, -1, mv.from, mv.to)] {
            let Some(block) = block.filter(|_| from != to) else { continue };
            let ports = 0..self.layout.blocks[block].gadget.ports.len();
            let through = ports.into_iter().find(|&port| {
                let lands = self.layout.blocks[block].landing(board.geometry(), port);
                self.layout.bend(block, port) == Some(bend) && lands == landing
            });
            if let Some(port) = through {
                self.gone[block][port] += sign;
            }
        }
        if let Some(Gate::Variable(variable)) = from.map(|block| self.layout.blocks[block].gate) {
            let free = (self.white | self.black) >> variable & 1 == 0;
            match board.turn() {
                Color::White if free => self.white |= 1 << variable,
                Color::Black if free => self.black |= 1 << variable,
                _ => {}
            }
        }
    }

    fn choose(&mut self, board: &Board) -> Option<BoardMove> {
        match board.turn() {
            Color::White => self.white_move(board),
            Color::Black => self.black_move(board),
        }
    }

    /// The block that the last move touched.
    fn touched(&self) -> Option<usize> {
        let last = self.last?;
        self.layout.block_at(last.to).or_else(|| self.layout.block_at(last.from))
    }

    /// The move that takes a variable: White's lion leaves, or Black's elephant takes it.
    fn take(&self, board: &Board, variable: usize) -> Option<BoardMove> {
        let gates = self.layout.circuit.gates();
        let block = gates.iter().position(|&gate| gate == Gate::Variable(variable))?;
        let landing = self.layout.blocks[block].landing(board.geometry(), 0);
        match board.turn() {
            Color::White => {
                Some(BoardMove { from: landing, to: self.layout.bend(block, 0)?, captured: None })
            }
            Color::Black => {
                Some(BoardMove { from: landing - 1, to: landing, captured: board.at(landing) })
            }
        }
    }

    fn choose_variable(&self, board: &Board) -> Option<BoardMove> {
        let variable = self.formula.game().choose(self.white, self.black, board.turn())?;
        self.take(board, variable)
    }

    // White.

    fn white_move(&mut self, board: &Board) -> Option<BoardMove> {
        if let Some(mv) = self.answer(board) {
            return Some(mv);
        }
        if let Some(mv) = self.choose_variable(board) {
            return Some(mv);
        }
        let needed = self.needed();
        for (block, wanted) in needed.iter().enumerate() {
            if self.done[block] || !wanted.contains(&true) {
                continue;
            }
            match self.advance(board, block, wanted) {
                Some(mv) => return Some(mv),
                None => self.done[block] = true,
            }
        }
        // Every gate has done its work, or there is nothing to do: into the den, or to and fro.
        let generalised = GeneralisedJungle::new(Rules::LEIDEN);
        let moves = generalised.moves(board);
        let wins = |mv: &&BoardMove| {
            generalised.winner(&generalised.after(board, **mv)) == Some(Color::White)
        };
        moves.iter().find(wins).or_else(|| moves.last()).copied()
    }

    /// Which outputs White wants to carry a signal: as few as bring one to the den.
    fn needed(&self) -> Vec<Vec<bool>> {
        let circuit = &self.layout.circuit;
        let (outputs, _) = circuit.run(self.white, |_| false);
        let mut needed: Vec<Vec<bool>> =
            circuit.gates().iter().map(|gate| vec![false; gate.arity().1]).collect();
        for (number, gate) in circuit.gates().iter().enumerate().rev() {
            let wanted = *gate == Gate::Den || needed[number].contains(&true);
            let inputs = circuit.inputs(number);
            let on = |input: usize| outputs[inputs[input].gate][inputs[input].port];
            for (input, end) in inputs.iter().enumerate() {
                let spare = *gate == Gate::Or && input == 1 && on(0);
                if wanted && on(input) && !spare {
                    needed[end.gate][end.port] = true;
                }
            }
        }
        needed
    }

    /// The next move towards signals on these outputs of a block; `None` when they are there.
    fn advance(&self, board: &Board, block: usize, wanted: &[bool]) -> Option<BoardMove> {
        let outputs = &self.layout.blocks[block].outputs;
        let goals = (0..wanted.len()).filter(|&output| wanted[output]);
        let goal = Goal::All(
            goals
                .map(|output| Goal::Signals { ports: vec![outputs[output]], at_least: 1 })
                .collect(),
        );
        let (local, state) = self.real(board, block)?;
        if local.reached(state, &goal) {
            return None;
        }
        let solution = solved(&local, state, &goal);
        let (mv, _) = solution.best(&local, state)?;
        self.translate(board, block, mv)
    }

    /// White's answer to Black's last move in a gadget, if he has to give one.
    fn answer(&self, board: &Board) -> Option<BoardMove> {
        let block = self.touched()?;
        let gate = &self.layout.blocks[block];
        if matches!(gate.gate, Gate::Variable(_) | Gate::Den) || self.done[block] {
            return None;
        }
        // An OR must be saved for the signal that comes alone; the others need all of their signals.
        let input_sets: Vec<&[usize]> = match gate.gate {
            Gate::Or => gate.inputs.chunks(1).collect(),
            _ => vec![&gate.inputs],
        };
        input_sets.into_iter().find_map(|inputs| self.answer_with_inputs(board, block, inputs))
    }

    fn answer_with_inputs(
        &self,
        board: &Board,
        block: usize,
        inputs: &[usize],
    ) -> Option<BoardMove> {
        let gate = &self.layout.blocks[block];
        let outside: Vec<(usize, Piece)> = inputs.iter().map(|&port| (port, LION)).collect();
        let (local, state) = self.local(board, block, &outside)?;
        let ports = gate.outputs.clone();
        let goal = Goal::Signals { ports, at_least: gate.outputs.len() };
        let solution = solved(&local, state, &goal);
        let waiting = solution.wait(&local, state).filter(|&next| next != state.passed())?;
        let mut answer = None;
        local.for_each_move(state, |mv, next| {
            if next == waiting && matches!(mv, LocalMove::Step { .. }) {
                answer = Some(mv);
            }
        });
        self.translate(board, block, answer?)
    }

    /// The local game of a block as it stands, with the lions on the bends outside.
    fn real(&self, board: &Board, block: usize) -> Option<(Local, State)> {
        let gate = &self.layout.blocks[block];
        let mut outside = Vec::new();
        for port in 0..gate.gadget.ports.len() {
            let bend = self.layout.bend(block, port);
            let there = bend.is_some_and(|bend| board.at(bend) == Some(LION));
            if there {
                outside.push((port, LION));
            }
        }
        self.local(board, block, &outside)
    }

    fn local(
        &self,
        board: &Board,
        block: usize,
        outside: &[(usize, Piece)],
    ) -> Option<(Local, State)> {
        let gate = &self.layout.blocks[block];
        // Enough lions for whatever stands there; those that do not are taken.
        let waiting = [(0, LION, gate.gadget.ports.len() + 2)];
        let turn = board.turn();
        let local = Local::new(&gate.gadget, &waiting, Traffic::Open, turn, Rules::LEIDEN);
        let geometry = board.geometry();
        let inside: Vec<(Spot, Piece)> = board
            .pieces()
            .filter_map(|(spot, piece)| Some((gate.local(geometry, spot)?, piece)))
            .collect();
        let state = local.state(&inside, outside, turn)?;
        Some((local, state))
    }

    fn translate(&self, board: &Board, block: usize, mv: LocalMove) -> Option<BoardMove> {
        let geometry = board.geometry();
        let gate = &self.layout.blocks[block];
        let (from, to) = match mv {
            LocalMove::Pass => return None,
            LocalMove::Step { from, to } => (gate.spot(geometry, from), gate.spot(geometry, to)),
            LocalMove::Enter { port, to } => {
                (self.layout.bend(block, port)?, gate.spot(geometry, to))
            }
            LocalMove::Leave { from, port } => {
                (gate.spot(geometry, from), self.layout.bend(block, port)?)
            }
        };
        Some(BoardMove { from, to, captured: board.at(to) })
    }

    // Black.

    fn black_move(&mut self, board: &Board) -> Option<BoardMove> {
        self.hold(board).or_else(|| self.choose_variable(board)).or_else(|| self.run(board))
    }

    fn run(&self, board: &Board) -> Option<BoardMove> {
        let track = &self.layout.track;
        let at = track.iter().position(|&spot| board.at(spot).is_some())?;
        Some(BoardMove { from: track[at], to: *track.get(at + 1)?, captured: None })
    }

    /// Black's answer in the gadget that White's last move touched, if the lemma needs one.
    fn hold(&self, board: &Board) -> Option<BoardMove> {
        let block = self.touched()?;
        let gate = &self.layout.blocks[block];
        if matches!(gate.gate, Gate::Variable(_) | Gate::Den) {
            return None;
        }
        let (outputs, _) = self.layout.circuit.run(self.white, |_| false);
        let inputs = self.layout.circuit.inputs(block);
        let fed: Vec<usize> =
            inputs.iter().map(|end| usize::from(outputs[end.gate][end.port])).collect();
        let allowed = match gate.gate {
            Gate::And => fed[0] * fed[1],
            Gate::Or => fed[0].max(fed[1]),
            Gate::Split => 2 * fed[0],
            _ => fed[0],
        };
        let returning = usize::from(gate.gate == Gate::Split);
        let mut outside = Vec::new();
        let mut goals = Vec::new();
        for (&port, &fed) in gate.inputs.iter().zip(&fed) {
            let waiting = (fed as i32 + self.gone[block][port]).max(0) as usize;
            outside.extend(std::iter::repeat_n((port, LION), waiting));
            goals.push(Goal::Signals {
                ports: vec![port],
                at_least: waiting.max(fed + returning) + 1,
            });
        }
        let mut out = 0;
        for &port in &gate.outputs {
            let gone = self.gone[block][port].max(0) as usize;
            outside.extend(std::iter::repeat_n((port, LION), gone));
            out += gone;
        }
        goals.push(Goal::Signals { ports: gate.outputs.clone(), at_least: out.max(allowed) + 1 });
        let (local, state) = self.local(board, block, &outside)?;
        let solution = solved(&local, state, &Goal::Any(goals));
        solution.plies(state.passed())?; // otherwise it holds without an answer
        let (mv, _) = solution.best(&local, state)?;
        self.translate(board, block, mv)
    }
}

fn solved(local: &Local, state: State, goal: &Goal) -> Solution {
    let starts = [state, state.passed()];
    solve(local, &starts, Color::White, goal, None, STATE_LIMIT)
        .unwrap_or_else(|_| unreachable!("the gadgets of circuits are small"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_win_on_the_board() {
        let texts = [
            "x",
            "x & y",
            "(x | y) & (x | z | w)",
            "(x | y) & (z | w)",
            "(x | y) & (y | z) & (z | x)",
            "(a | b | c) & (b | c | d) & (a | d)",
            "(a | b) & (a | c) & (a | d) & (b | d)",
        ];
        let mut sides = [0; 2];
        for text in texts {
            let formula: Formula = text.parse().unwrap();
            for opponent in [Opponent::Greedy, Opponent::Random] {
                for seed in 0..3 {
                    let played = play(&formula, opponent, seed);
                    assert_eq!(
                        played.winner,
                        Some(played.strategist),
                        "{text} against {opponent:?} {seed}: {} plies, {} left",
                        played.moves.len(),
                        played.left_to_run
                    );
                    sides[usize::from(played.strategist == Color::Black)] += 1;
                }
            }
        }
        assert!(sides[0] > 0 && sides[1] > 0, "both sides were tried");
    }
}
