//! Black on a board of walking panthers, by the contracts of the published set.

use std::collections::HashMap;

use jungle::Color;

use crate::board::Board;
use crate::formula::Formula;
use crate::generalised::BoardMove;
use crate::geometry::Spot;
use crate::published::Contracts;
use crate::sentry::{PANTHER, Picket, Vigil};
use crate::walking::{Stand, Task, Walking};

/// A contract of Black's at work on the board.
struct Guard<'a> {
    vigil: &'a Vigil,
    plots: Vec<usize>,
    state: Picket,
    /// Whether it still promises anything.
    live: bool,
}

/// Black, by contracts.
pub struct Sentinel<'a> {
    contracts: &'a Contracts,
    walking: &'a Walking,
    formula: &'a Formula,
    guards: Vec<Guard<'a>>,
    /// The guard and the place of squares.
    places: HashMap<Spot, (usize, u8)>,
    /// The guard that was asked.
    asked: Option<usize>,
    white: u32,
    black: u32,
    /// How far his cat has come.
    run: usize,
    /// How often he has answered.
    pub answers: u32,
    /// Whether a contract was broken, or White did what no neighbour should let him.
    pub broken: bool,
}

impl<'a> Sentinel<'a> {
    /// Ready to play.
    pub fn new(
        contracts: &'a Contracts,
        walking: &'a Walking,
        formula: &'a Formula,
    ) -> Sentinel<'a> {
        let mut sentinel = Sentinel {
            guards: Vec::new(),
            places: HashMap::new(),
            asked: None,
            white: 0,
            black: 0,
            run: 0,
            answers: 0,
            broken: false,
            contracts,
            walking,
            formula,
        };
        for (number, path) in walking.paths.iter().enumerate() {
            sentinel.guard("low", path.low.clone());
            sentinel.guard("outflow-upwards", vec![path.outflow]);
            let fans = |gate: &Stand| gate.task == Task::Fanout && gate.wires.contains(&number);
            let high = if walking.gates.iter().any(fans) { "ratchet" } else { "high" };
            sentinel.guard(high, path.high.clone());
        }
        for gate in &walking.gates {
            let name = match gate.task {
                Task::Fanout => "fanout",
                Task::Or => "or",
                Task::And => "and",
                Task::Variable(_) | Task::Den => continue,
            };
            sentinel.guard(name, vec![gate.plot]);
        }
        sentinel
    }

    fn guard(&mut self, name: &str, plots: Vec<usize>) {
        let vigil = self.contracts.vigil(name);
        let number = self.guards.len();
        for (post, &plot) in plots.iter().enumerate() {
            let plot = &self.walking.plots[plot];
            for local in plot.gadget.board.geometry().land() {
                if let Some(place) = vigil.watch.place(post, local) {
                    let spot = plot.spot(&self.walking.board, local);
                    self.places.insert(spot, (number, place));
                }
            }
        }
        self.guards.push(Guard { vigil, plots, state: vigil.watch.start(), live: true });
    }

    /// The variable in whose setter a square is.
    fn variable_at(&self, spot: Spot) -> Option<(u32, Spot)> {
        self.walking.gates.iter().find_map(|gate| {
            let local = self.walking.plots[gate.plot].local(&self.walking.board, spot)?;
            let Task::Variable(variable) = gate.task else { return None };
            Some((variable as u32, local))
        })
    }

    /// Takes note of a White move, before it is made.
    pub fn note(&mut self, board: &Board, mv: BoardMove) {
        self.asked = None;
        if board.at(mv.from) != Some(PANTHER) {
            return; // cats are transparent
        }
        if let Some((variable, local)) = self.variable_at(mv.to)
            && (self.white | self.black) >> variable & 1 == 0
        {
            if mv.captured.is_some() {
                self.white |= 1 << variable;
                return;
            }
            self.black |= 1 << variable;
            let plot = self
                .walking
                .gates
                .iter()
                .find(|gate| gate.task == Task::Variable(variable as usize));
            let plot = plot.map(|gate| gate.plot).expect("a variable has a setter");
            let name = self.walking.plots[plot].gadget.board.geometry().name(local);
            self.guard(&format!("retreat-{name}"), vec![plot]);
            return;
        }
        let (from, to) = (self.places.get(&mv.from).copied(), self.places.get(&mv.to).copied());
        let Some(number) = from.or(to).map(|(guard, _)| guard) else { return };
        let guard = &mut self.guards[number];
        let watch = &guard.vigil.watch;
        let pool = |place: u8| watch.pool_at(place);
        let step = match (from, to) {
            (Some((_, from)), Some((other, to))) if other == number => Some((from, to)),
            (Some((_, from)), _) => pool(from).map(|to| (from, to)),
            (None, Some((_, to))) => pool(to).map(|from| (from, to)),
            (None, None) => None,
        };
        if !guard.live {
            return;
        }
        let fanout = self.walking.plots[guard.plots[0]].gadget.name == "fanout";
        match step.and_then(|(from, to)| watch.after(guard.state, from, to)) {
            Some(after) => {
                guard.state = after;
                self.asked = Some(number);
            }
            // A signal has come to the FANOUT, which promises nothing any more.
            None if fanout && from.is_none() => guard.live = false,
            None => self.broken = true,
        }
    }

    /// Black's move.
    pub fn choose(&mut self, board: &Board) -> Option<BoardMove> {
        if let Some(number) = self.asked.take() {
            let guard = &mut self.guards[number];
            match guard.vigil.answer(guard.state) {
                Some((Some((from, to)), next)) => {
                    guard.state = next;
                    self.answers += 1;
                    let square = |place: u8| {
                        let (post, local) = guard.vigil.watch.square(place)?;
                        Some(self.walking.plots[guard.plots[post]].spot(board, local))
                    };
                    let (from, to) = (square(from)?, square(to)?);
                    return Some(BoardMove { from, to, captured: board.at(to) });
                }
                Some((None, next)) => guard.state = next,
                None => {
                    self.broken = true;
                    guard.live = false;
                }
            }
        }
        let mut game = self.formula.game();
        if let Some(variable) = game.choose(self.white, self.black, Color::Black) {
            self.black |= 1 << variable;
            let gate = |gate: &&Stand| gate.task == Task::Variable(variable);
            let plot = &self.walking.plots[self.walking.gates.iter().find(gate)?.plot];
            let square = |name| Some(plot.spot(board, plot.gadget.board.geometry().find(name)?));
            let (from, to) = (square("c3")?, square("c2")?);
            return Some(BoardMove { from, to, captured: board.at(to) });
        }
        let (track, at) = (&self.walking.track, self.run);
        self.run += 1;
        Some(BoardMove { from: track[at], to: *track.get(at + 1)?, captured: None })
    }
}
