//! Playing a formula's board: strategies for the formula game carried over to the real board.
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
use crate::ground::Spot;
use crate::layout::Layout;
use crate::local::{Goal, Local, LocalMove, State, Traffic};
use crate::solve::{Solution, solve};
use crate::wilds::{Step, Wilds};

/// How the side without a strategy plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outsider {
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
    /// Who won on the board; `None` if nobody had when the game was broken off.
    pub winner: Option<Color>,
    /// All moves.
    pub steps: Vec<Step>,
    /// The variables White took; a bit each.
    pub white: u32,
    /// How many moves Black's cat was from White's den at the end.
    pub left_to_run: usize,
    /// The board at the end.
    pub board: Board,
}

/// No local game of a single gadget comes near this.
const STATE_LIMIT: usize = 1_000_000;

const LION: Piece = Piece { color: Color::White, animal: Animal::Lion };

/// Plays the formula on its board: the winner of the formula game by strategy, the other side as said.
pub fn play(formula: &Formula, outsider: Outsider, seed: u64) -> Played {
    let layout = Layout::of(&Circuit::of(formula));
    let wilds = Wilds::new(Rules::LEIDEN);
    let white_wins = formula.game().white_wins(0, 0, Color::White);
    let strategist = if white_wins { Color::White } else { Color::Black };
    let mut table = Table::new(formula, &layout);
    let mut rng = Rng::new(seed);
    let mut board = layout.board.clone();
    let mut steps = Vec::new();
    // Random White need not lose quickly: every move that Black must answer delays his cat.
    let limit = 100 * layout.track.len() + 4000;
    while steps.len() < limit && wilds.outcome(&board).is_none() {
        let step = if board.turn() == strategist {
            table.choose(&board)
        } else {
            outsider_move(&wilds, &layout, &board, outsider, &mut rng)
        };
        let Some(step) = step else { break };
        table.note(&board, step);
        wilds.make(&mut board, step);
        steps.push(step);
    }
    let runner = layout.track.iter().position(|&spot| {
        board.at(spot) == Some(Piece { color: Color::Black, animal: Animal::Cat })
    });
    Played {
        strategist,
        winner: wilds.winner(&board),
        steps,
        white: table.white,
        left_to_run: runner.map_or(0, |at| layout.track.len() - 1 - at),
        board,
    }
}

fn outsider_move(
    wilds: &Wilds,
    layout: &Layout,
    board: &Board,
    outsider: Outsider,
    rng: &mut Rng,
) -> Option<Step> {
    let moves = wilds.moves(board);
    if outsider == Outsider::Random {
        return rng.choose(&moves).copied();
    }
    let ends = |step: &Step| wilds.winner(&wilds.after(board, *step)).is_some();
    let takes = |step: &Step| step.captured.is_some();
    let lion = |step: &Step| board.at(step.from) == Some(LION);
    let runs = |step: &Step| {
        let at = |spot| layout.track.iter().position(|&track| track == spot);
        at(step.from).zip(at(step.to)).is_some_and(|(from, to)| to > from)
    };
    let best = |wanted: &dyn Fn(&Step) -> bool, rng: &mut Rng| {
        let good: Vec<Step> = moves.iter().copied().filter(|step| wanted(step)).collect();
        rng.choose(&good).copied()
    };
    best(&ends, rng)
        .or_else(|| best(&takes, rng))
        .or_else(|| best(&runs, rng))
        .or_else(|| best(&lion, rng))
        .or_else(|| rng.choose(&moves).copied())
}

/// What a strategist keeps in mind.
struct Table<'a> {
    formula: &'a Formula,
    layout: &'a Layout,
    /// Variables taken by White, by Black.
    white: u32,
    black: u32,
    /// For every block and port, how many lions went out more than came in.
    gone: Vec<Vec<i32>>,
    /// Gates that have done what White wants of them.
    done: Vec<bool>,
    last: Option<Step>,
}

impl<'a> Table<'a> {
    fn new(formula: &'a Formula, layout: &'a Layout) -> Table<'a> {
        let gone = layout.blocks.iter().map(|block| vec![0; block.gadget.ports.len()]).collect();
        let done = vec![false; layout.blocks.len()];
        Table { formula, layout, white: 0, black: 0, gone, done, last: None }
    }

    /// Keeps the books on a move about to be made.
    fn note(&mut self, board: &Board, step: Step) {
        self.last = Some(step);
        let (from, to) = (self.layout.block_at(step.from), self.layout.block_at(step.to));
        for (block, sign, stone, landing) in
            [(from, 1, step.to, step.from), (to, -1, step.from, step.to)]
        {
            let Some(block) = block.filter(|_| from != to) else { continue };
            let ports = 0..self.layout.blocks[block].gadget.ports.len();
            let through = ports.into_iter().find(|&port| {
                let lands = self.layout.blocks[block].landing(board.ground(), port);
                self.layout.stone(block, port) == Some(stone) && lands == landing
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

    fn choose(&mut self, board: &Board) -> Option<Step> {
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
    fn take(&self, board: &Board, variable: usize) -> Option<Step> {
        let gates = self.layout.circuit.gates();
        let block = gates.iter().position(|&gate| gate == Gate::Variable(variable))?;
        let landing = self.layout.blocks[block].landing(board.ground(), 0);
        match board.turn() {
            Color::White => {
                Some(Step { from: landing, to: self.layout.stone(block, 0)?, captured: None })
            }
            Color::Black => {
                Some(Step { from: landing - 1, to: landing, captured: board.at(landing) })
            }
        }
    }

    fn choose_variable(&self, board: &Board) -> Option<Step> {
        let variable = self.formula.game().choose(self.white, self.black, board.turn())?;
        self.take(board, variable)
    }

    // White.

    fn white_move(&mut self, board: &Board) -> Option<Step> {
        if let Some(step) = self.answer(board) {
            return Some(step);
        }
        if let Some(step) = self.choose_variable(board) {
            return Some(step);
        }
        let needed = self.needed();
        for (block, wanted) in needed.iter().enumerate() {
            if self.done[block] || !wanted.contains(&true) {
                continue;
            }
            match self.advance(board, block, wanted) {
                Some(step) => return Some(step),
                None => self.done[block] = true,
            }
        }
        // Every gate has done its work, or nothing can be done: into the den, or to and fro.
        let wilds = Wilds::new(Rules::LEIDEN);
        let moves = wilds.moves(board);
        let wins = |step: &&Step| wilds.winner(&wilds.after(board, **step)) == Some(Color::White);
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
    fn advance(&self, board: &Board, block: usize, wanted: &[bool]) -> Option<Step> {
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
    fn answer(&self, board: &Board) -> Option<Step> {
        let block = self.touched()?;
        let gate = &self.layout.blocks[block];
        if matches!(gate.gate, Gate::Variable(_) | Gate::Den) || self.done[block] {
            return None;
        }
        // An OR must be saved for whichever signal comes alone; the others need all of theirs.
        let hopes: Vec<&[usize]> = match gate.gate {
            Gate::Or => gate.inputs.chunks(1).collect(),
            _ => vec![&gate.inputs],
        };
        hopes.into_iter().find_map(|hoped| self.answer_hoping(board, block, hoped))
    }

    fn answer_hoping(&self, board: &Board, block: usize, hoped: &[usize]) -> Option<Step> {
        let gate = &self.layout.blocks[block];
        let outside: Vec<(usize, Piece)> = hoped.iter().map(|&port| (port, LION)).collect();
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

    /// The local game of a block as it stands, with the lions on the stones outside.
    fn real(&self, board: &Board, block: usize) -> Option<(Local, State)> {
        let gate = &self.layout.blocks[block];
        let mut outside = Vec::new();
        for port in 0..gate.gadget.ports.len() {
            let stone = self.layout.stone(block, port);
            let there = stone.is_some_and(|stone| board.at(stone) == Some(LION));
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
        let ground = board.ground();
        let inside: Vec<(Spot, Piece)> = board
            .pieces()
            .filter_map(|(spot, piece)| Some((gate.local(ground, spot)?, piece)))
            .collect();
        let state = local.state(&inside, outside, turn)?;
        Some((local, state))
    }

    fn translate(&self, board: &Board, block: usize, mv: LocalMove) -> Option<Step> {
        let ground = board.ground();
        let gate = &self.layout.blocks[block];
        let (from, to) = match mv {
            LocalMove::Pass => return None,
            LocalMove::Step { from, to } => (gate.spot(ground, from), gate.spot(ground, to)),
            LocalMove::Enter { port, to } => {
                (self.layout.stone(block, port)?, gate.spot(ground, to))
            }
            LocalMove::Leave { from, port } => {
                (gate.spot(ground, from), self.layout.stone(block, port)?)
            }
        };
        Some(Step { from, to, captured: board.at(to) })
    }

    // Black.

    fn black_move(&mut self, board: &Board) -> Option<Step> {
        self.hold(board).or_else(|| self.choose_variable(board)).or_else(|| self.run(board))
    }

    fn run(&self, board: &Board) -> Option<Step> {
        let track = &self.layout.track;
        let at = track.iter().position(|&spot| board.at(spot).is_some())?;
        Some(Step { from: track[at], to: *track.get(at + 1)?, captured: None })
    }

    /// Black's answer in the gadget that White's last move touched, if the lemma needs one.
    fn hold(&self, board: &Board) -> Option<Step> {
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
            for outsider in [Outsider::Greedy, Outsider::Random] {
                for seed in 0..3 {
                    let played = play(&formula, outsider, seed);
                    assert_eq!(
                        played.winner,
                        Some(played.strategist),
                        "{text} against {outsider:?} {seed}: {} plies, {} left",
                        played.steps.len(),
                        played.left_to_run
                    );
                    sides[usize::from(played.strategist == Color::Black)] += 1;
                }
            }
        }
        assert!(sides[0] > 0 && sides[1] > 0, "both sides were tried");
    }
}
