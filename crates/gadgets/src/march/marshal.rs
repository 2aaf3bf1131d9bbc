//! White on a board of walking panthers, by the contracts of the published set.

use std::collections::{HashMap, VecDeque};

use game::Game;
use jungle::{Color, Piece};

use crate::board::Board;
use crate::formula::Formula;
use crate::gadget::{Gadget, Role};
use crate::generalised::{BoardMove, GeneralisedJungle};
use crate::geometry::{Direction, Spot};
use crate::library;
use crate::local::{Local, LocalMove, State};
use crate::published::{self, Contracts, Forced};
use crate::sentry::{CAT, PANTHER};
use crate::walking::{Plot, Task, Walking};

/// What White has to do next.
#[derive(Clone, Debug)]
enum Errand {
    /// Bring the panther of a wire to the square outside a port of a gadget.
    Walk(usize, Plot, usize),
    /// Force signals through a gadget, fed at these ports by these wires, to the wires at its outputs.
    Work(Plot, Vec<usize>, Vec<(usize, usize)>),
}

/// White, by contracts.
pub struct Marshal<'a> {
    contracts: &'a Contracts,
    walking: &'a Walking,
    formula: &'a Formula,
    /// Where the panther of each wire is.
    carriers: Vec<Option<Spot>>,
    errands: Option<VecDeque<Errand>>,
    /// What is wrong, if anything.
    pub trouble: Option<String>,
}

impl<'a> Marshal<'a> {
    /// Ready to play.
    pub fn new(
        contracts: &'a Contracts,
        walking: &'a Walking,
        formula: &'a Formula,
    ) -> Marshal<'a> {
        let carriers = vec![None; walking.paths.len()];
        Marshal { contracts, walking, formula, carriers, errands: None, trouble: None }
    }

    /// White's move.
    pub fn choose(&mut self, board: &Board) -> Option<BoardMove> {
        let generalised = GeneralisedJungle::new(self.contracts.rules);
        let moves = generalised.moves(board);
        let takes = |mv: &&BoardMove| mv.captured.is_some() && board.at(mv.from) == Some(CAT);
        if let Some(&mv) = moves.iter().find(takes) {
            return Some(mv);
        }
        if self.errands.is_none() {
            let (white, black) = self.variables(board);
            if let Some(variable) = self.formula.game().choose(white, black, Color::White) {
                let (from, to) = self.setter(board, variable)?;
                return Some(BoardMove { from, to, captured: board.at(to) });
            }
            self.errands = Some(self.errands(board, white));
        }
        loop {
            let errand = self.errands.as_ref()?.front()?.clone();
            let (done, mv) = match &errand {
                Errand::Walk(wire, plot, port) => self.walk(board, *wire, plot, *port),
                Errand::Work(plot, fed, outs) => self.work(board, plot, fed, outs),
            };
            if let Some(mv) = mv {
                return Some(mv);
            }
            if !done {
                let name = |plot: &Plot| plot.gadget.name.clone();
                let (Errand::Walk(_, plot, _) | Errand::Work(plot, ..)) = &errand;
                self.trouble = Some(format!("stuck at {} in row {}", name(plot), plot.row));
                return None;
            }
            self.errands.as_mut()?.pop_front();
        }
    }

    /// The squares of White's panther and Black's in a setter.
    fn setter(&self, board: &Board, variable: usize) -> Option<(Spot, Spot)> {
        let gate = self.walking.gates.iter().find(|gate| gate.task == Task::Variable(variable))?;
        let plot = &self.walking.plots[gate.plot];
        let square = |name| Some(plot.spot(board, plot.gadget.board.geometry().find(name)?));
        Some((square("c2")?, square("c3")?))
    }

    /// Who has which variable: one from which either panther has gone is Black's, if White did not take.
    fn variables(&self, board: &Board) -> (u32, u32) {
        let (mut white, mut black) = (0, 0);
        for variable in 0..self.formula.names().len() {
            let Some((ours, theirs)) = self.setter(board, variable) else { continue };
            match (board.at(ours), board.at(theirs)) {
                (_, Some(PANTHER)) => white |= 1 << variable,
                (Some(PANTHER), Some(_)) => {}
                _ => black |= 1 << variable,
            }
        }
        (white, black)
    }

    /// All that is to be done once White has these variables.
    fn errands(&mut self, board: &Board, white: u32) -> VecDeque<Errand> {
        let mut truth = Vec::new();
        for gate in &self.walking.gates {
            let mut inputs = gate.wires.iter().map(|&wire| truth[self.walking.paths[wire].from]);
            truth.push(match gate.task {
                Task::Variable(variable) => white >> variable & 1 == 1,
                Task::Or => inputs.any(|input| input),
                Task::And | Task::Fanout | Task::Den => inputs.all(|input| input),
            });
        }
        let mut errands = VecDeque::new();
        let mut done = vec![false; truth.len()];
        self.lead(board, truth.len() - 1, &truth, &mut done, &mut errands);
        errands
    }

    /// What it takes to get signals out of a gate, after all that comes before.
    fn lead(
        &mut self,
        board: &Board,
        number: usize,
        truth: &[bool],
        done: &mut [bool],
        errands: &mut VecDeque<Errand>,
    ) {
        if std::mem::replace(&mut done[number], true) {
            return;
        }
        let (walking, gate) = (self.walking, &self.walking.gates[number]);
        let outs = (0..walking.paths.len()).filter(|&wire| walking.paths[wire].from == number);
        if let Task::Variable(variable) = gate.task {
            for wire in outs {
                self.carriers[wire] = self.setter(board, variable).map(|(_, taken)| taken);
            }
            return;
        }
        let station = self.station(gate.plot, gate.task == Task::Den);
        let mut fed = Vec::new();
        for (input, &wire) in gate.wires.iter().enumerate() {
            let enough = gate.task == Task::Or && !fed.is_empty();
            if enough || !truth[walking.paths[wire].from] {
                continue;
            }
            self.lead(board, walking.paths[wire].from, truth, done, errands);
            let path = &walking.paths[wire];
            for &plot in path.low.iter().chain([&path.outflow]).chain(&path.high) {
                let station = self.station(plot, false);
                errands.push_back(Errand::Walk(wire, station.clone(), 0));
                errands.push_back(Errand::Work(station, vec![0], vec![(1, wire)]));
            }
            errands.push_back(Errand::Walk(wire, station.clone(), input));
            fed.push(input);
        }
        let port = |wire: usize| station.gadget.with_role(Role::Out)[walking.paths[wire].port];
        let outs = outs.map(|wire| (port(wire), wire)).collect();
        errands.push_back(Errand::Work(station, fed, outs));
    }

    /// The fragment of the board in which White's contract of a gadget was proved.
    fn station(&self, plot: usize, den: bool) -> Plot {
        let Plot { gadget, row, column } = self.walking.plots[plot].clone();
        let at = |gadget: Gadget, row: usize, column: usize| Plot { gadget, row, column };
        match gadget.name.as_str() {
            "black-edge" if den => at(published::guarded_den(), row - 1, column),
            "black-edge" => at(library::find("channel-core").expect("a gadget"), row - 5, column),
            "fanout" => at(published::guarded_fanout(), row - 10, column - 1),
            _ => at(gadget, row, column),
        }
    }

    fn walk(
        &mut self,
        board: &Board,
        wire: usize,
        plot: &Plot,
        port: usize,
    ) -> (bool, Option<BoardMove>) {
        let (Some(from), Some(to)) = (self.carriers[wire], plot.outside(board, port)) else {
            return (false, None);
        };
        if from == to {
            return (true, None);
        }
        // Backwards from the target, through empty squares.
        let geometry = board.geometry();
        let (mut queue, mut seen) = (VecDeque::from([to]), HashMap::from([(to, to)]));
        while let Some(spot) = queue.pop_front() {
            for next in Direction::ALL.into_iter().filter_map(|way| geometry.next(spot, way)) {
                let free = !geometry.is_water(next) && (board.at(next).is_none() || next == from);
                if free && !seen.contains_key(&next) {
                    seen.insert(next, spot);
                    queue.push_back(next);
                }
            }
        }
        let Some(&next) = seen.get(&from) else { return (false, None) };
        self.carriers[wire] = Some(next);
        (false, Some(BoardMove { from, to: next, captured: None }))
    }

    fn work(
        &mut self,
        board: &Board,
        plot: &Plot,
        fed: &[usize],
        outs: &[(usize, usize)],
    ) -> (bool, Option<BoardMove>) {
        let Some(Forced { local, solution, .. }) = self.contracts.forced(&plot.gadget.name, fed)
        else {
            return (false, None);
        };
        let Some(state) = local_state(local, plot, board) else { return (false, None) };
        if local.reached(state, &published::signals_out(&plot.gadget)) {
            for &(port, wire) in outs {
                self.carriers[wire] = plot.outside(board, port);
            }
            return (true, None);
        }
        let outside = |port| plot.outside(board, port);
        let landing = |port: usize| {
            let port = &plot.gadget.ports[port];
            Some(plot.spot(board, port.landing(plot.gadget.board.geometry())?))
        };
        let squares = match solution.plies(state).and_then(|_| solution.best(local, state)) {
            Some((LocalMove::Step { from, to }, _)) => {
                Some((plot.spot(board, from), plot.spot(board, to)))
            }
            Some((LocalMove::Enter { port, .. }, _)) => outside(port).zip(landing(port)),
            Some((LocalMove::Leave { port, .. }, _)) => landing(port).zip(outside(port)),
            Some((LocalMove::Pass, _)) | None => None,
        };
        (false, squares.map(|(from, to)| BoardMove { from, to, captured: board.at(to) }))
    }
}

/// What a fragment looks like, with the panthers that stand just outside its ports.
fn local_state(local: &Local, plot: &Plot, board: &Board) -> Option<State> {
    let inside: Vec<(Spot, Piece)> = board
        .pieces()
        .filter_map(|(spot, piece)| Some((plot.local(board, spot)?, piece)))
        .collect();
    let outside: Vec<(usize, Piece)> = (0..plot.gadget.ports.len())
        .filter(|&port| {
            plot.outside(board, port).is_some_and(|spot| board.at(spot) == Some(PANTHER))
        })
        .map(|port| (port, PANTHER))
        .collect();
    local.state(&inside, &outside, Color::White)
}
