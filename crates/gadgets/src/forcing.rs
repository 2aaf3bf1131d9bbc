//! White's contract of a gadget: what he forces, and that he can wait until he does.
//!
//! White works through the gates one at a time. In the gate he works on he has signals on the bends of the
//! inputs that he needs and forces one to every output ([`crate::solve`]), whatever Black does there and
//! whenever Black moves elsewhere. In all other gates he *waits*: there may be no signal yet, and it
//! may be open which of an OR's inputs will carry one. Waiting, he answers nothing, or takes a piece
//! with the gadget's own lion; a state in which he can wait is one from which every way to feed the gate is won,
//! and stays so after whatever Black does next.

use std::collections::{HashMap, HashSet};

use jungle::{Color, Piece};

use crate::gadget::{Gadget, Role};
use crate::generalised::BoardRules;
use crate::geometry::Spot;
use crate::local::{Goal, Local, LocalMove, State, Traffic};
use crate::solve::{Solution, solve};

/// More states than any game of a single gadget.
const STATE_LIMIT: usize = 1_000_000;

/// White's side of a gadget, solved.
pub struct Forcing {
    /// The gadget without signals from outside.
    bare: Local,
    /// A signal at every output.
    goal: Goal,
    /// For every way to feed the gate: the inputs, and the solved game.
    fed: Vec<Fed>,
    /// What White does in the states in which he can wait: nothing, or this capture.
    waits: HashMap<State, Option<LocalMove>>,
    /// All states looked at.
    states: usize,
}

struct Fed {
    ports: Vec<usize>,
    local: Local,
    solution: Solution,
}

impl Forcing {
    /// Solves a gadget for all the ways to feed it: for each the ports with a signal.
    pub fn solve(gadget: &Gadget, ways: &[Vec<usize>], rules: BoardRules) -> Forcing {
        let goal = Goal::All(
            gadget
                .with_role(Role::Out)
                .into_iter()
                .map(|port| Goal::Signals { ports: vec![port], at_least: 1 })
                .collect(),
        );
        let fed = ways.iter().map(|ports| {
            let waiting: Vec<(usize, Piece, usize)> =
                ports.iter().map(|&port| (port, gadget.signal, 1)).collect();
            let local = Local::new(gadget, &waiting, Traffic::Open, Color::White, rules);
            let starts = [local.start(), local.start().passed()];
            let solution = solve(&local, &starts, Color::White, &goal, None, STATE_LIMIT)
                .unwrap_or_else(|_| unreachable!("the gadgets of circuits are small"));
            Fed { ports: ports.clone(), local, solution }
        });
        let fed: Vec<Fed> = fed.collect();
        let bare = Local::new(gadget, &[], Traffic::Open, Color::White, rules);
        let states = fed.iter().map(|fed| fed.solution.len()).sum();
        let mut forcing = Forcing { bare, goal, fed, waits: HashMap::new(), states };
        forcing.find_waits();
        forcing
    }

    /// The plies in which every way to feed the gate is won from a bare state; `None` if one is not.
    fn plies(&self, state: State) -> Option<u32> {
        let inside: Vec<(Spot, Piece)> = self.bare.inside(state).collect();
        let plies = |fed: &Fed| {
            let signal = fed.local.gadget.signal;
            let outside: Vec<(usize, Piece)> =
                fed.ports.iter().map(|&port| (port, signal)).collect();
            fed.solution.plies(fed.local.state(&inside, &outside, Color::White)?)
        };
        self.fed.iter().map(plies).try_fold(0, |worst, plies| Some(worst.max(plies?)))
    }

    /// What White may do while waiting: nothing, or take something with a piece inside.
    fn waiting_moves(&self, state: State) -> Vec<(Option<LocalMove>, State)> {
        let black = self.bare.count(state, Color::Black);
        let mut moves = Vec::new();
        self.bare.for_each_move(state, |mv, next| match mv {
            LocalMove::Pass => moves.push((None, next)),
            LocalMove::Step { .. } if self.bare.count(next, Color::Black) < black => {
                moves.push((Some(mv), next));
            }
            _ => {}
        });
        moves
    }

    /// Black's moves inside, and the pass.
    fn replies(&self, state: State) -> Vec<State> {
        let mut replies = Vec::new();
        self.bare.for_each_move(state, |_, next| replies.push(next));
        replies
    }

    fn find_waits(&mut self) {
        let (mut open, mut known) = (vec![self.bare.start()], HashSet::new());
        while let Some(state) = open.pop() {
            if known.insert(state) {
                let moves = self.waiting_moves(state);
                open.extend(moves.into_iter().flat_map(|(_, next)| self.replies(next)));
            }
        }
        let mut good: HashSet<State> =
            known.iter().copied().filter(|&state| self.plies(state).is_some()).collect();
        loop {
            let wait = |state: State| {
                self.waiting_moves(state)
                    .into_iter()
                    .find(|&(_, next)| self.replies(next).iter().all(|after| good.contains(after)))
            };
            self.waits =
                good.iter().filter_map(|&state| wait(state).map(|(mv, _)| (state, mv))).collect();
            if self.waits.len() == good.len() {
                return;
            }
            good = self.waits.keys().copied().collect();
        }
    }

    /// Whether White can wait from the beginning, and so forces what he should whenever he likes.
    pub fn holds(&self) -> bool {
        self.waits.contains_key(&self.bare.start())
    }

    /// The most plies it can take him, however long he waited; `None` if he cannot wait.
    pub fn plies_after_waiting(&self) -> Option<u32> {
        self.waits
            .keys()
            .map(|&state| self.plies(state))
            .try_fold(0, |worst, plies| plies.map(|plies| worst.max(plies)))
    }

    /// How many states were looked at.
    pub fn states(&self) -> usize {
        self.states + self.waits.len()
    }

    /// What White answers in a gate that he waits in, with these pieces inside: `None` if the position is
    /// not one of those in which he can wait, else a capture if he has to.
    pub fn wait(&self, inside: &[(Spot, Piece)]) -> Option<Option<LocalMove>> {
        let state = self.bare.state(inside, &[], Color::White)?;
        self.waits.get(&state).copied()
    }

    /// White's best move in the gate that he works on, fed by these ports: with the pieces inside
    /// and the signals outside, each with its port. None is needed once the signals are out; `None`
    /// if they cannot be forced.
    pub fn work(
        &self,
        ports: &[usize],
        inside: &[(Spot, Piece)],
        outside: &[(usize, Piece)],
    ) -> Option<Option<LocalMove>> {
        let fed = self.fed.iter().find(|fed| fed.ports == ports)?;
        let state = fed.local.state(inside, outside, Color::White)?;
        if fed.local.reached(state, &self.goal) {
            return Some(None); // known or not: play in the gadget goes on after it has done its work
        }
        fed.solution.plies(state)?;
        fed.solution.best(&fed.local, state).map(|(mv, _)| Some(mv))
    }
}
