//! The strategies of both sides, read off the contracts.
//!
//! **Black** keeps, for every gate, the state of its holding game ([`crate::holding`]). A White move
//! changes the states of the one or two gates it belongs to; if the contract has an answer, Black
//! plays it, and no move ever asks for two. Otherwise his move is free: he takes a variable by the
//! strategy of the formula game, and when all are taken his cat runs.
//!
//! **White** takes variables by the strategy of the formula game, then works through the gates that
//! his variables feed, in order ([`crate::forcing`]). If Black moves in a gate that White is waiting in, he
//! answers as its contract says, which is hardly ever.

use std::cell::RefCell;
use std::sync::Arc;

use jungle::{Animal, Color, Piece};

use crate::board::Board;
use crate::circuit::Gate;
use crate::contract::{self, Contract};
use crate::formula::{Formula, FormulaGame};
use crate::generalised::{BoardMove, BoardRules};
use crate::geometry::Spot;
use crate::holding::{HoldState, WhiteMove};
use crate::layout::Layout;
use crate::local::LocalMove;

const LION: Piece = Piece { color: Color::White, animal: Animal::Lion };

/// A port of a gate on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GatePort {
    /// The number of the block.
    pub block: usize,
    /// The number of the port of its gadget.
    pub port: usize,
}

/// Where a square belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// To a gate.
    Block(usize),
    /// To a wire, by its number, and which of its squares it is.
    Stone(usize, usize),
    /// To the track of Black's cat: how far along.
    Track(usize),
}

/// A compiled board with what a player has to know about it.
pub struct Plan<'a> {
    /// The board.
    pub layout: &'a Layout,
    /// For every square of the board where it belongs.
    places: Vec<Option<Place>>,
    /// Both ends of every wire.
    ends: Vec<[Option<GatePort>; 2]>,
    contracts: Vec<Option<Arc<Contract>>>,
    /// For every variable, its block.
    variables: Vec<usize>,
    game: RefCell<FormulaGame<'a>>,
}

impl<'a> Plan<'a> {
    /// Prepares the board of a formula.
    pub fn new(formula: &'a Formula, layout: &'a Layout, rules: impl Into<BoardRules>) -> Plan<'a> {
        let rules = rules.into();
        let geometry = layout.board.geometry();
        let mut places = vec![None; geometry.len()];
        for (number, block) in layout.blocks.iter().enumerate() {
            for spot in block.gadget.board.geometry().land() {
                places[block.spot(geometry, spot)] = Some(Place::Block(number));
            }
        }
        for (number, wire) in layout.wires.iter().enumerate() {
            for (nth, &stone) in wire.stones.iter().enumerate() {
                places[stone] = Some(Place::Stone(number, nth));
            }
        }
        for (number, &spot) in layout.track.iter().enumerate() {
            places[spot] = Some(Place::Track(number));
        }
        let ends = layout.wires.iter().map(|wire| {
            let source = &layout.blocks[wire.from.gate];
            let from = GatePort { block: wire.from.gate, port: source.outputs[wire.from.port] };
            let to = wire.to.map(|to| {
                let port = layout.blocks[to.gate].inputs[to.port];
                GatePort { block: to.gate, port }
            });
            [Some(from), to]
        });
        let variables = (0..formula.names().len()).map(|variable| {
            let here = |block: &crate::layout::Block| block.gate == Gate::Variable(variable);
            layout.blocks.iter().position(here).expect("every variable has a setter")
        });
        Plan {
            layout,
            places,
            ends: ends.collect(),
            contracts: layout
                .blocks
                .iter()
                .map(|block| contract::proved(block.gate, &block.gadget, rules))
                .collect(),
            variables: variables.collect(),
            game: RefCell::new(formula.game()),
        }
    }

    /// Where a square belongs; `None` for the meadow.
    pub fn place(&self, spot: Spot) -> Option<Place> {
        self.places[spot]
    }

    /// Who wins the formula game when this side begins.
    pub fn winner(&self, first: Color) -> Color {
        if self.game.borrow_mut().white_wins(0, 0, first) { Color::White } else { Color::Black }
    }

    /// How far Black's cat has got along its track.
    pub fn runner(&self, board: &Board) -> Option<usize> {
        board.pieces().find_map(|(spot, _)| match self.place(spot) {
            Some(Place::Track(at)) => Some(at),
            _ => None,
        })
    }

    /// The ends of a wire, with the number of its square next to each.
    fn ends_of(&self, wire: usize) -> impl Iterator<Item = (GatePort, usize)> + use<'_> {
        let near = [0, self.layout.wires[wire].stones.len() - 1];
        self.ends[wire].into_iter().zip(near).filter_map(|(end, near)| Some((end?, near)))
    }

    /// The wire at a port, and its square next to it.
    fn wire_at(&self, end: GatePort) -> Option<(usize, usize)> {
        let wire = self.ends.iter().position(|ends| ends.contains(&Some(end)))?;
        let near = self.ends_of(wire).find(|&(other, _)| other == end);
        near.map(|(_, near)| (wire, near))
    }

    /// The square next to a port, where signals wait to come in.
    fn bend_of(&self, end: GatePort) -> Option<Spot> {
        self.wire_at(end).map(|(wire, near)| self.layout.wires[wire].stones[near])
    }

    /// A White move as the gates see it that it belongs to.
    pub fn seen(&self, mv: BoardMove) -> Vec<(usize, WhiteMove)> {
        let geometry = self.layout.board.geometry();
        let (from, to) = (self.place(mv.from), self.place(mv.to));
        if let (Some(Place::Block(block)), true) = (from, from == to) {
            let local = |spot| self.layout.blocks[block].local(geometry, spot);
            let step = local(mv.from).zip(local(mv.to));
            return step.map(|(from, to)| (block, WhiteMove::Step(from, to))).into_iter().collect();
        }
        let ((Some(Place::Stone(wire, _)), _) | (_, Some(Place::Stone(wire, _)))) = (from, to)
        else {
            return Vec::new();
        };
        let mut seen = Vec::new();
        for (end, near) in self.ends_of(wire) {
            let (here, next) = (Some(Place::Block(end.block)), Some(Place::Stone(wire, near)));
            let kind = match (from, to) {
                _ if from == here && to == next => Some(WhiteMove::Leave(end.port)),
                _ if from == next && to == here => Some(WhiteMove::Enter(end.port)),
                _ if from == next => Some(WhiteMove::Recede(end.port)),
                _ if to == next => Some(WhiteMove::Arrive(end.port)),
                _ => None,
            };
            seen.extend(kind.map(|kind| (end.block, kind)));
        }
        seen
    }

    /// The pieces in a block, on the squares of its gadget.
    fn inside(&self, board: &Board, block: usize) -> Vec<(Spot, Piece)> {
        let gate = &self.layout.blocks[block];
        let geometry = board.geometry();
        let land = gate.gadget.board.geometry().land();
        land.filter_map(|spot| Some((spot, board.at(gate.spot(geometry, spot))?))).collect()
    }

    /// The move that takes a variable: White's lion leaves, or Black's elephant takes it.
    fn take(&self, board: &Board, variable: usize) -> Option<BoardMove> {
        let block = self.variables[variable];
        let landing = self.layout.blocks[block].landing(board.geometry(), 0);
        match board.turn() {
            Color::White => {
                let to = self.bend_of(GatePort { block, port: 0 })?;
                Some(BoardMove { from: landing, to, captured: None })
            }
            Color::Black => {
                Some(BoardMove { from: landing - 1, to: landing, captured: board.at(landing) })
            }
        }
    }

    fn translate(&self, board: &Board, block: usize, mv: LocalMove) -> Option<BoardMove> {
        let geometry = board.geometry();
        let gate = &self.layout.blocks[block];
        let (from, to) = match mv {
            LocalMove::Pass => return None,
            LocalMove::Step { from, to } => (gate.spot(geometry, from), gate.spot(geometry, to)),
            LocalMove::Enter { port, to } => {
                (self.bend_of(GatePort { block, port })?, gate.spot(geometry, to))
            }
            LocalMove::Leave { from, port } => {
                (gate.spot(geometry, from), self.bend_of(GatePort { block, port })?)
            }
        };
        Some(BoardMove { from, to, captured: board.at(to) })
    }
}

/// What is to be done in a gate.
enum Work {
    Move(BoardMove),
    Done,
}

/// A side that plays by strategy, and what it keeps track of.
#[derive(Clone)]
pub struct Strategist<'a> {
    plan: &'a Plan<'a>,
    side: Color,
    /// Variables taken by White, by Black.
    white: u32,
    black: u32,
    /// For every gate with a contract, the state of its holding game; none once it is broken.
    states: Vec<Option<HoldState>>,
    /// Gates whose contract was broken.
    broken: Vec<usize>,
    /// Black's answer to White's last move.
    answer: Option<BoardMove>,
    /// Which outputs White wants to carry a signal, once he knows.
    needed: Option<Arc<Vec<Vec<bool>>>>,
    /// Gates that have done what White wants of them.
    done: Vec<bool>,
    last: Option<BoardMove>,
}

impl<'a> Strategist<'a> {
    /// A player of this side at the beginning of the game.
    pub fn new(plan: &'a Plan<'a>, side: Color) -> Strategist<'a> {
        let start = |contract: &Option<Arc<Contract>>| {
            contract.as_ref().map(|contract| contract.held.game().start())
        };
        Strategist {
            plan,
            side,
            white: 0,
            black: 0,
            states: plan.contracts.iter().map(start).collect(),
            broken: Vec::new(),
            answer: None,
            needed: None,
            done: vec![false; plan.layout.blocks.len()],
            last: None,
        }
    }

    /// The variables White took; a bit each.
    pub fn white_variables(&self) -> u32 {
        self.white
    }

    /// All that the next moves depend on apart from the board.
    pub fn memory(&self) -> (u32, u32, Vec<Option<HoldState>>, Vec<bool>) {
        (self.white, self.black, self.states.clone(), self.done.clone())
    }

    /// The gates whose contract was broken: none, if the contracts are right.
    pub fn broken(&self) -> &[usize] {
        &self.broken
    }

    /// Keeps track of a move about to be made, by either side.
    pub fn note(&mut self, board: &Board, mv: BoardMove) {
        self.last = Some(mv);
        let variable = match self.plan.place(mv.from) {
            Some(Place::Block(block)) => self.plan.layout.blocks[block].gate,
            _ => Gate::Den,
        };
        if let Gate::Variable(variable) = variable
            && (self.white | self.black) >> variable & 1 == 0
        {
            match board.turn() {
                Color::White => self.white |= 1 << variable,
                Color::Black => self.black |= 1 << variable,
            }
        }
        if board.turn() == Color::White && self.side == Color::Black {
            self.answer = None;
            for (block, seen) in self.plan.seen(mv) {
                self.hold(board, block, seen);
            }
        }
    }

    /// Follows a White move in the holding game of a gate.
    fn hold(&mut self, board: &Board, block: usize, mv: WhiteMove) {
        let Some((contract, state)) = self.plan.contracts[block].as_ref().zip(self.states[block])
        else {
            return;
        };
        match contract.held.answer(state, mv) {
            Some((answer, next)) => {
                self.states[block] = Some(next);
                let geometry = board.geometry();
                let spot = |local| self.plan.layout.blocks[block].spot(geometry, local);
                self.answer = self.answer.or(answer.map(|(from, to)| {
                    let (from, to) = (spot(from), spot(to));
                    // White's move is not yet made: what it brings to that square is taken.
                    let brought = self.last.filter(|last| last.to == to);
                    let captured = brought.map_or_else(|| board.at(to), |last| board.at(last.from));
                    BoardMove { from, to, captured }
                }));
            }
            None => {
                self.states[block] = None;
                self.broken.push(block);
            }
        }
    }

    /// The move of the side to move.
    pub fn choose(&mut self, board: &Board) -> Option<BoardMove> {
        match self.side {
            Color::White => self.white_move(board),
            Color::Black => {
                self.answer.or_else(|| self.choose_variable(board)).or_else(|| self.run(board))
            }
        }
    }

    fn choose_variable(&self, board: &Board) -> Option<BoardMove> {
        let mut game = self.plan.game.borrow_mut();
        let variable = game.choose(self.white, self.black, board.turn())?;
        self.plan.take(board, variable)
    }

    fn run(&self, board: &Board) -> Option<BoardMove> {
        let track = &self.plan.layout.track;
        let at = self.plan.runner(board)?;
        Some(BoardMove { from: track[at], to: *track.get(at + 1)?, captured: None })
    }

    fn white_move(&mut self, board: &Board) -> Option<BoardMove> {
        if let Some(mv) = self.wait(board) {
            return Some(mv);
        }
        if let Some(mv) = self.choose_variable(board) {
            return Some(mv);
        }
        let needed = match &self.needed {
            Some(needed) => needed.clone(),
            None => self.needed.insert(Arc::new(self.find_needed())).clone(),
        };
        for block in 0..needed.len() {
            if let Some(mv) = self.carry(board, block, &needed).filter(|_| !self.done[block]) {
                return Some(mv);
            }
            let contract = self.plan.contracts[block].as_ref();
            let open = !self.done[block] && needed[block].contains(&true);
            let Some(contract) = contract.filter(|_| open) else { continue };
            match self.work(board, block, contract, &needed) {
                Some(Work::Move(mv)) => return Some(mv),
                Some(Work::Done) => self.done[block] = true,
                None => {
                    self.broken.push(block);
                    self.done[block] = true;
                }
            }
        }
        self.enter_den(board)
    }

    /// Carries a signal that a gate wants along its wire, stone by stone.
    fn carry(&self, board: &Board, block: usize, needed: &[Vec<bool>]) -> Option<BoardMove> {
        let gate = &self.plan.layout.blocks[block];
        let sources = self.plan.layout.circuit.inputs(block);
        let wanted = gate.inputs.iter().zip(sources).filter(|(_, end)| needed[end.gate][end.port]);
        for (&port, _) in wanted {
            let (wire, last) = self.plan.wire_at(GatePort { block, port })?;
            let stones = &self.plan.layout.wires[wire].stones;
            if let Some(at) = (0..last).find(|&at| board.at(stones[at]) == Some(LION)) {
                return Some(BoardMove { from: stones[at], to: stones[at + 1], captured: None });
            }
        }
        None
    }

    /// Into the den from the bend before it; else to and fro on the meadow.
    fn enter_den(&self, board: &Board) -> Option<BoardMove> {
        let layout = self.plan.layout;
        let den = layout.blocks.iter().position(|block| block.gate == Gate::Den)?;
        let to = layout.blocks[den].landing(board.geometry(), 0);
        let from = self.plan.bend_of(GatePort { block: den, port: 0 })?;
        if board.at(from) == Some(LION) {
            return Some(BoardMove { from, to, captured: None });
        }
        let cat = Piece { color: Color::White, animal: Animal::Cat };
        let (from, _) = board.pieces().find(|&(_, piece)| piece == cat)?;
        let free = |&to: &Spot| board.at(to).is_none() && !board.geometry().is_water(to);
        let to = [from + 1, from - 1].into_iter().find(free)?;
        Some(BoardMove { from, to, captured: None })
    }

    /// Which outputs White wants to carry a signal: as few as bring one to the den.
    fn find_needed(&self) -> Vec<Vec<bool>> {
        let circuit = &self.plan.layout.circuit;
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

    /// The next move towards signals on the outputs of a block; `None` if they cannot be forced.
    fn work(
        &self,
        board: &Board,
        block: usize,
        contract: &Contract,
        needed: &[Vec<bool>],
    ) -> Option<Work> {
        let gate = &self.plan.layout.blocks[block];
        let sources = self.plan.layout.circuit.inputs(block);
        let ports: Vec<usize> = gate
            .inputs
            .iter()
            .zip(sources)
            .filter(|(_, end)| needed[end.gate][end.port])
            .map(|(&port, _)| port)
            .collect();
        let on_bend = |&&port: &&usize| {
            let bend = self.plan.bend_of(GatePort { block, port });
            bend.is_some_and(|bend| board.at(bend) == Some(LION))
        };
        let outside: Vec<(usize, Piece)> =
            ports.iter().chain(&gate.outputs).filter(on_bend).map(|&port| (port, LION)).collect();
        let inside = self.plan.inside(board, block);
        Some(match contract.forcing.work(&ports, &inside, &outside)? {
            Some(mv) => Work::Move(self.plan.translate(board, block, mv)?),
            None => Work::Done,
        })
    }

    /// White's answer to Black's last move, in a gate in which he waits.
    fn wait(&mut self, board: &Board) -> Option<BoardMove> {
        let Some(Place::Block(block)) = self.plan.place(self.last?.to) else { return None };
        let contract = self.plan.contracts[block].as_ref()?;
        let wanted = self.needed.as_ref().is_none_or(|needed| needed[block].contains(&true));
        if self.done[block] || !wanted || self.is_working(board, block) {
            return None;
        }
        match contract.forcing.wait(&self.plan.inside(board, block)) {
            Some(answer) => answer.and_then(|mv| self.plan.translate(board, block, mv)),
            None => {
                self.broken.push(block);
                None
            }
        }
    }

    /// Whether White has begun with a gate: those that he wants before it are done, and its signals
    /// are there.
    fn is_working(&self, board: &Board, block: usize) -> bool {
        let Some(needed) = &self.needed else { return false };
        let first = (0..needed.len()).find(|&block| {
            self.plan.contracts[block].is_some()
                && needed[block].contains(&true)
                && !self.done[block]
        });
        first == Some(block) && self.carry(board, block, needed).is_none()
    }
}
