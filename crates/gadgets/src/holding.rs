//! Black's contract of a gadget: what he holds whatever comes and goes, and when he has to answer.
//!
//! Between two gadgets lies a wire: the source's port, the *bend* with room for one piece, the
//! target's port. For the gadget in question the rest of the board is reduced to where its signals
//! are: inside, on the bend of a port, or *beyond* the bend. At any time White may move a signal from
//! beyond to the bend (it *arrives*), back (it is *taken away*), in, out, or inside the gadget: nothing
//! is announced. Black may answer a move inside, or one that comes in, in the gadget; to a signal
//! that leaves, arrives or is taken away he has **no** answer here, since such a move belongs to two
//! gadgets and he has but one move. All other White moves are elsewhere and Black does not move
//! here either. So whatever is shown holds when gadgets are put together.
//!
//! *Assumed* of the neighbours ([`Surroundings`]): how many signals, counted as arrivals less those
//! taken back, come to each input, and how many more come back to an output than went out by it.
//! *Promised* ([`Promise`]): the same numbers as the gadget's own doing. Both are safety properties, each promise
//! about the next move rests on assumptions about moves before, so contracts may assume one another
//! in a circle.
//!
//! A state in which Black can keep the promise for ever *holds*. Its *cost* is the greatest number of
//! answers that White can still make Black give; that it is finite is what gives Black time to run.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use jungle::{Color, Piece};

use crate::gadget::{Gadget, Role};
use crate::generalised::{BoardRules, GeneralisedJungle};
use crate::geometry::Spot;
use crate::local::StateHasher;

/// How many signals may come back through a port beyond those that went the right way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Backflow {
    /// None.
    None,
    /// One, once a signal has gone the right way.
    OneAfterSignal,
    /// One, at any time.
    One,
}

/// What a gadget is promised by its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Surroundings {
    /// For every input, the most signals that come to it, less those taken back.
    pub arriving: Vec<u8>,
    /// For every output, what comes back to it.
    pub returning: Vec<Backflow>,
}

/// What a gadget promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// How many signals at most have gone out, less those come back, when signals have come in by
    /// these inputs, a bit each.
    pub out: Vec<u8>,
    /// What may go back through an input.
    pub back: Backflow,
}

/// The places of all pieces that matter to the gadget; latches in the last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HoldState([u8; HoldState::BYTES]);

impl HoldState {
    const BYTES: usize = 16;
    const BEND: u8 = 200;
    const BEYOND: u8 = 215;
    /// Beyond an output, but kept there until a signal has gone through.
    const RESERVE: u8 = 230;
    const TAKEN: u8 = 255;

    fn latches(self) -> u8 {
        self.0[HoldState::BYTES - 1]
    }
}

/// A White move as the gadget sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhiteMove {
    /// From square to square inside.
    Step(Spot, Spot),
    /// From the bend of a port to its landing.
    Enter(usize),
    /// From the landing of a port to its bend.
    Leave(usize),
    /// From beyond to the bend of a port.
    Arrive(usize),
    /// From the bend of a port to beyond it.
    Recede(usize),
}

/// Black's answer: a move inside, or none needed.
pub type Answer = Option<(Spot, Spot)>;

/// The holding game of a gadget in given surroundings.
#[derive(Clone, Debug)]
pub struct Holding {
    gadget: Gadget,
    surroundings: Surroundings,
    promise: Promise,
    generalised: GeneralisedJungle,
    pieces: Vec<Piece>,
    signals: std::ops::Range<usize>,
    ins: Vec<usize>,
    outs: Vec<usize>,
    landings: Vec<Spot>,
    start: HoldState,
    /// Whether Black may answer an arrival in this gadget.
    answers_arrivals: bool,
}

impl Holding {
    /// The game.
    ///
    /// # Panics
    ///
    /// If the gadget is too large: gadgets are small.
    pub fn new(
        gadget: &Gadget,
        surroundings: &Surroundings,
        promise: &Promise,
        rules: BoardRules,
    ) -> Holding {
        let (ins, outs) = (gadget.with_role(Role::In), gadget.with_role(Role::Out));
        let geometry = gadget.board.geometry();
        assert!(geometry.len() <= usize::from(HoldState::BEND), "{} is too large", gadget.name);
        let mut placed: Vec<(Piece, u8)> =
            gadget.board.pieces().map(|(spot, piece)| (piece, spot as u8)).collect();
        for (&port, &count) in ins.iter().zip(&surroundings.arriving) {
            let place = HoldState::BEYOND + port as u8;
            placed.extend((0..count).map(|_| (gadget.signal, place)));
        }
        for (&port, &returning) in outs.iter().zip(&surroundings.returning) {
            match returning {
                Backflow::None => {}
                Backflow::One => placed.push((gadget.signal, HoldState::BEYOND + port as u8)),
                Backflow::OneAfterSignal => {
                    placed.push((gadget.signal, HoldState::RESERVE + port as u8));
                }
            }
        }
        assert!(placed.len() < HoldState::BYTES, "{} has too many pieces", gadget.name);
        placed.sort_by_key(|&(piece, place)| (piece != gadget.signal, place));
        let signals = placed.iter().filter(|&&(piece, _)| piece == gadget.signal).count();
        let mut start = HoldState([HoldState::TAKEN; HoldState::BYTES]);
        start.0[HoldState::BYTES - 1] = 0;
        for (slot, &(_, place)) in placed.iter().enumerate() {
            start.0[slot] = place;
        }
        let landing = |port: usize| gadget.ports[port].landing(geometry).expect("a landing");
        Holding {
            landings: (0..gadget.ports.len()).map(landing).collect(),
            pieces: placed.iter().map(|&(piece, _)| piece).collect(),
            signals: 0..signals,
            generalised: GeneralisedJungle::new(rules),
            surroundings: surroundings.clone(),
            promise: promise.clone(),
            gadget: gadget.clone(),
            ins,
            outs,
            start,
            answers_arrivals: false,
        }
    }

    /// The same game in which Black may answer an arrival here, as if he had been told.
    #[must_use]
    pub fn answering_arrivals(mut self) -> Holding {
        self.answers_arrivals = true;
        self
    }

    /// The state at the beginning.
    pub fn start(&self) -> HoldState {
        self.start
    }

    fn at(&self, state: HoldState, spot: Spot) -> Option<Piece> {
        let slot = state.0[..self.pieces.len()].iter().position(|&place| Spot::from(place) == spot);
        slot.map(|slot| self.pieces[slot])
    }

    /// Where the pieces are, without the latches, which are memory and not on the board.
    fn seen(&self, mut state: HoldState) -> HoldState {
        state.0[HoldState::BYTES - 1] = 0;
        for place in &mut state.0[..self.pieces.len()] {
            if (HoldState::RESERVE..HoldState::TAKEN).contains(place) {
                *place -= HoldState::RESERVE - HoldState::BEYOND;
            }
        }
        state.0[self.signals.clone()].sort_unstable();
        state
    }

    fn count(&self, state: HoldState, place: u8) -> usize {
        state.0[self.signals.clone()].iter().filter(|&&there| there == place).count()
    }

    /// Moves the piece in a slot, taking what stands there.
    fn moved(&self, mut state: HoldState, slot: usize, to: u8) -> HoldState {
        if to < HoldState::BEND {
            for place in &mut state.0[..self.pieces.len()] {
                if *place == to {
                    *place = HoldState::TAKEN;
                }
            }
        }
        state.0[slot] = to;
        state.0[self.signals.clone()].sort_unstable();
        state
    }

    /// The state after a White move, if White can make it.
    pub fn after(&self, state: HoldState, mv: WhiteMove) -> Option<HoldState> {
        let slot =
            |place: u8| state.0[..self.pieces.len()].iter().position(|&there| there == place);
        let (bend, beyond) = (
            |port: usize| HoldState::BEND + port as u8,
            |port: usize| HoldState::BEYOND + port as u8,
        );
        match mv {
            WhiteMove::Step(from, to) => Some(self.moved(state, slot(from as u8)?, to as u8)),
            WhiteMove::Enter(port) => {
                let (slot, to) = (slot(bend(port))?, self.landings[port]);
                let geometry = self.gadget.board.geometry();
                let lands = self.at(state, to).is_none_or(|victim| {
                    self.generalised.may_take(geometry, self.gadget.signal, to, victim, to)
                });
                let mut next = self.moved(state, slot, to as u8);
                if let Some(input) = self.ins.iter().position(|&input| input == port) {
                    next.0[HoldState::BYTES - 1] |= 1 << input;
                }
                lands.then_some(next)
            }
            WhiteMove::Leave(port) => {
                let slot = slot(self.landings[port] as u8)?;
                let free = self.count(state, bend(port)) == 0;
                (free && self.pieces[slot] == self.gadget.signal)
                    .then(|| self.moved(state, slot, bend(port)))
            }
            WhiteMove::Arrive(port) => {
                let free = self.count(state, bend(port)) == 0;
                let kept = || {
                    let gone = state.latches() >> (4 + port) & 1 == 1;
                    slot(HoldState::RESERVE + port as u8).filter(|_| gone)
                };
                let slot = slot(beyond(port)).or_else(kept)?;
                free.then(|| self.moved(state, slot, bend(port)))
            }
            WhiteMove::Recede(port) => {
                let mut next = self.moved(state, slot(bend(port))?, beyond(port));
                if self.outs.contains(&port) {
                    next.0[HoldState::BYTES - 1] |= 1 << (4 + port);
                }
                Some(next)
            }
        }
    }

    /// All White moves that concern the gadget.
    pub fn white_moves(&self, state: HoldState) -> Vec<(WhiteMove, HoldState)> {
        let geometry = self.gadget.board.geometry();
        let mut moves = Vec::new();
        for (slot, &piece) in self.pieces.iter().enumerate() {
            let place = state.0[slot];
            if piece.color == Color::White && place < HoldState::BEND {
                let from = Spot::from(place);
                let at = |spot| self.at(state, spot);
                self.generalised.moves_of(geometry, at, piece, from, |to, _| {
                    moves.push((WhiteMove::Step(from, to), self.moved(state, slot, to as u8)));
                });
            }
        }
        for port in 0..self.gadget.ports.len() {
            let kinds = [WhiteMove::Enter, WhiteMove::Leave, WhiteMove::Arrive, WhiteMove::Recede];
            for kind in kinds {
                moves.extend(self.after(state, kind(port)).map(|next| (kind(port), next)));
            }
        }
        moves
    }

    /// Black's possible answers to a White move that led to this state.
    pub fn answers(&self, mv: WhiteMove, state: HoldState) -> Vec<(Answer, HoldState)> {
        let mut answers = vec![(None, state)];
        let mine = match mv {
            WhiteMove::Step(..) | WhiteMove::Enter(_) => true,
            WhiteMove::Arrive(port) => self.answers_arrivals && self.ins.contains(&port),
            WhiteMove::Leave(_) | WhiteMove::Recede(_) => false,
        };
        if !mine {
            return answers;
        }
        let geometry = self.gadget.board.geometry();
        for (slot, &piece) in self.pieces.iter().enumerate() {
            let place = state.0[slot];
            if piece.color == Color::Black && place < HoldState::BEND {
                let from = Spot::from(place);
                let at = |spot| self.at(state, spot);
                self.generalised.moves_of(geometry, at, piece, from, |to, _| {
                    answers.push((Some((from, to)), self.moved(state, slot, to as u8)));
                });
            }
        }
        answers
    }

    /// Whether the promise is kept in a state.
    pub fn kept(&self, state: HoldState) -> bool {
        let entered = state.latches() & 15;
        for (input, &port) in self.ins.iter().enumerate() {
            let there = self.count(state, HoldState::BEND + port as u8)
                + self.count(state, HoldState::BEYOND + port as u8);
            let more = match self.promise.back {
                Backflow::None => 0,
                Backflow::OneAfterSignal => usize::from(entered >> input & 1),
                Backflow::One => 1,
            };
            if there > usize::from(self.surroundings.arriving[input]) + more {
                return false;
            }
        }
        let mut out = 0;
        for (&port, &returning) in self.outs.iter().zip(&self.surroundings.returning) {
            let port = port as u8;
            let there = [HoldState::BEND, HoldState::BEYOND, HoldState::RESERVE];
            out += there.map(|place| self.count(state, place + port)).iter().sum::<usize>() as i32;
            out -= i32::from(returning != Backflow::None);
        }
        out <= i32::from(self.promise.out[usize::from(entered)])
    }

    /// A White move in words.
    pub fn describe(&self, state: HoldState, mv: WhiteMove) -> String {
        let geometry = self.gadget.board.geometry();
        let name = |port: usize| &self.gadget.ports[port].name;
        match mv {
            WhiteMove::Step(from, to) => {
                let sign = self.at(state, from).map_or('?', Piece::letter);
                format!("{sign}{}{}", geometry.name(from), geometry.name(to))
            }
            WhiteMove::Enter(port) => format!("comes in by {}", name(port)),
            WhiteMove::Leave(port) => format!("leaves by {}", name(port)),
            WhiteMove::Arrive(port) => format!("arrives at {}", name(port)),
            WhiteMove::Recede(port) => format!("goes away from {}", name(port)),
        }
    }
}

/// A solved holding game.
#[derive(Clone, Debug)]
pub struct Held {
    game: Holding,
    index: HashMap<HoldState, u32, BuildHasherDefault<StateHasher>>,
    states: Vec<HoldState>,
    /// For every state the most answers White can still ask for; `None` where Black cannot hold.
    cost: Vec<Option<u32>>,
}

/// A White move: whether it breaks the promise at once, and what Black's answers lead to.
struct Branch {
    broken: bool,
    replies: Vec<(bool, u32)>,
}

/// Costs beyond this are taken for endless; the games have fewer states in a chain.
const ENDLESS: u32 = 200;

impl Held {
    /// Solves the game.
    pub fn solve(game: Holding) -> Held {
        let mut held =
            Held { index: HashMap::default(), states: Vec::new(), cost: Vec::new(), game };
        held.number(held.game.start());
        let mut branches: Vec<Vec<Branch>> = Vec::new();
        while branches.len() < held.states.len() {
            let state = held.states[branches.len()];
            let mut here = Vec::new();
            for (mv, next) in held.game.white_moves(state) {
                let broken = !held.game.kept(next);
                let answers = if broken { Vec::new() } else { held.game.answers(mv, next) };
                let replies = answers
                    .into_iter()
                    .map(|(answer, next)| (answer.is_some(), held.number(next)))
                    .collect();
                here.push(Branch { broken, replies });
            }
            branches.push(here);
        }
        held.cost = vec![Some(0); held.states.len()];
        held.find_lost(&branches);
        held.find_costs(&branches);
        held
    }

    fn number(&mut self, state: HoldState) -> u32 {
        *self.index.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.states.len() as u32 - 1
        })
    }

    /// The least number of answers to come after a White move; `None` if it breaks the promise.
    fn after_branch(&self, branch: &Branch) -> Option<u32> {
        if branch.broken {
            return None;
        }
        let cost = |&(answered, next): &(bool, u32)| {
            self.cost[next as usize].map(|cost| cost + u32::from(answered))
        };
        branch.replies.iter().filter_map(cost).min()
    }

    fn find_lost(&mut self, branches: &[Vec<Branch>]) {
        loop {
            let mut changed = false;
            for (number, branches) in branches.iter().enumerate() {
                let lost = self.cost[number].is_some()
                    && branches.iter().any(|branch| self.after_branch(branch).is_none());
                if lost {
                    self.cost[number] = None;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn find_costs(&mut self, branches: &[Vec<Branch>]) {
        loop {
            let mut changed = false;
            for (number, branches) in branches.iter().enumerate() {
                let Some(old) = self.cost[number] else { continue };
                let costs = branches.iter().filter_map(|branch| self.after_branch(branch));
                let new = costs.max().unwrap_or(0).min(ENDLESS);
                if new > old {
                    self.cost[number] = Some(new);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Never: there is always the starting state.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The game.
    pub fn game(&self) -> &Holding {
        &self.game
    }

    /// Whether Black keeps the promise for ever from the beginning.
    pub fn holds(&self) -> bool {
        self.cost[0].is_some()
    }

    /// How many answers White can ask for altogether; `None` if Black does not hold, or if there is
    /// no end to them.
    pub fn cost(&self) -> Option<u32> {
        self.cost[0].filter(|&cost| cost < ENDLESS)
    }

    fn cost_of(&self, state: HoldState) -> Option<u32> {
        self.cost[*self.index.get(&state)? as usize]
    }

    /// Black's answer to a White move, and what the state is then: the one that leaves the fewest
    /// answers to come, none rather than one. `None` if the move breaks the promise.
    pub fn answer(&self, state: HoldState, mv: WhiteMove) -> Option<(Answer, HoldState)> {
        let next = self.game.after(state, mv)?;
        let cost = |(answer, next): &(Answer, HoldState)| {
            Some(self.cost_of(*next)? + u32::from(answer.is_some()))
        };
        let answers = self.game.answers(mv, next);
        let held = answers.into_iter().filter_map(|answer| Some((cost(&answer)?, answer)));
        held.filter(|_| self.game.kept(next))
            .min_by_key(|(cost, (answer, _))| (*cost, answer.is_some()))
            .map(|(_, answer)| answer)
    }

    /// The White moves by which Black is made to break his promise, with his tries to prevent it.
    pub fn refutation(&self) -> Vec<String> {
        let (mut line, mut state) = (Vec::new(), self.game.start());
        let mut seen = Vec::new();
        while self.cost_of(state).is_none() && !seen.contains(&state) && line.len() < 60 {
            seen.push(state);
            let moves = self.game.white_moves(state);
            let wins = |&(mv, _): &(WhiteMove, HoldState)| self.answer(state, mv).is_none();
            let broken = moves.iter().copied().find(|&(_, next)| !self.game.kept(next));
            let Some((mv, next)) = broken.or_else(|| {
                moves.iter().copied().filter(wins).find(|&(mv, next)| {
                    self.game.answers(mv, next).iter().any(|(_, after)| !seen.contains(after))
                })
            }) else {
                break;
            };
            line.push(format!("White {}", self.game.describe(state, mv)));
            if !self.game.kept(next) {
                break;
            }
            let answers = self.game.answers(mv, next);
            let answer = answers.iter().rev().find(|(_, after)| !seen.contains(after));
            let (answer, after) = answer.copied().unwrap_or(answers[0]);
            if let Some((from, to)) = answer {
                let geometry = self.game.gadget.board.geometry();
                line.push(format!("Black {}{}", geometry.name(from), geometry.name(to)));
            }
            state = after;
        }
        line
    }

    /// Whether nothing that is seen on the board comes again after an answer, if Black plays by
    /// [`Held::answer`]: then he never repeats a position.
    pub fn never_repeats(&self) -> bool {
        self.states.iter().all(|&state| {
            self.cost_of(state).is_none()
                || self.game.white_moves(state).into_iter().all(|(mv, _)| {
                    match self.answer(state, mv) {
                        Some((Some(_), next)) => !self.reaches(next, self.game.seen(state)),
                        _ => true,
                    }
                })
        })
    }

    fn reaches(&self, from: HoldState, seen: HoldState) -> bool {
        let (mut stack, mut known) = (vec![from], std::collections::HashSet::from([from]));
        while let Some(state) = stack.pop() {
            if self.game.seen(state) == seen {
                return true;
            }
            for (mv, _) in self.game.white_moves(state) {
                if let Some((_, next)) = self.answer(state, mv)
                    && known.insert(next)
                {
                    stack.push(next);
                }
            }
        }
        false
    }
}
