//! Local games: reachability games within one gadget, whatever happens elsewhere on the board.
//!
//! The players move in turn. A move is a legal move of the full game inside the fragment, a signal
//! (or another piece) coming in from outside a port or going out through one, or a *pass*: a move
//! somewhere else on the board. Pieces that wait outside come in when their owner likes, so a piece
//! that arrives late is one that waits long.
//!
//! One player, the *chaser*, tries to reach a goal; the other, the *holder*, to prevent it for ever. All
//! states that can be reached are listed, then the goal is followed backwards through them: a state
//! is won for the chaser if it is the goal, if the chaser moves and some move is won, or if the other
//! moves and all moves are won. What remains can be held for ever, by staying among what remains.
//! Nothing is assumed about repetition, and either side may pass at any time, so neither side is ever
//! short of a move.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

use jungle::{Color, Piece};

use crate::gadget::{Gadget, Passage, Role};
use crate::generalised::{BoardRules, GeneralisedJungle};
use crate::geometry::Spot;
use crate::text::piece_sign;

/// A state: the place of every piece, a byte each, and who moves in the last byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State([u8; State::BYTES]);

impl State {
    const BYTES: usize = 16;
    /// Places from here on are outside the ports, in their order.
    const OUTSIDE: u8 = 200;
    /// The place of a piece that was taken.
    const TAKEN: u8 = 255;

    /// Who moves.
    pub fn mover(self) -> Color {
        if self.0[State::BYTES - 1] == 0 { Color::White } else { Color::Black }
    }

    /// The same with the other side to move.
    #[must_use]
    pub fn passed(mut self) -> State {
        self.0[State::BYTES - 1] ^= 1;
        self
    }
}

/// What may pass through the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffic {
    /// White comes in by inputs and goes out by outputs only, as protectors promise. Black goes
    /// where he can.
    Sealed,
    /// All pieces go both ways through every port.
    Open,
}

/// A move in a local game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalMove {
    /// A move somewhere else.
    Pass,
    /// An ordinary move.
    Step {
        /// From this square.
        from: Spot,
        /// To this one.
        to: Spot,
    },
    /// A piece comes in.
    Enter {
        /// Through this port.
        port: usize,
        /// To its landing.
        to: Spot,
    },
    /// A piece goes out.
    Leave {
        /// From the landing.
        from: Spot,
        /// Of this port.
        port: usize,
    },
}

/// The goal of the reachability game: a set of states.
#[derive(Clone, Debug)]
pub enum Goal {
    /// At least this many signals stand outside these ports taken together.
    Signals {
        /// The ports.
        ports: Vec<usize>,
        /// How many.
        at_least: usize,
    },
    /// A White piece other than a signal stands outside.
    Stranger,
    /// A Black piece stands outside a port where it did not start.
    BlackOutside,
    /// Fewer than this many of a kind of piece are left.
    Fewer {
        /// The kind.
        piece: Piece,
        /// How many there should be.
        than: usize,
    },
    /// All of these.
    All(Vec<Goal>),
    /// One of these.
    Any(Vec<Goal>),
}

/// A gadget, what waits outside, and who moves first.
#[derive(Clone, Debug)]
pub struct Local {
    /// The gadget.
    pub gadget: Gadget,
    generalised: GeneralisedJungle,
    traffic: Traffic,
    /// The pieces, equal ones together; a state says where each is.
    pieces: Vec<Piece>,
    /// The runs of equal pieces.
    runs: Vec<(usize, usize)>,
    landings: Vec<Spot>,
    /// The water of each port's line, up to the landing.
    channels: Vec<Vec<Spot>>,
    start: State,
    /// Pieces of this kind go only to these squares, unless they take.
    leash: Option<(Piece, Vec<Spot>)>,
}

impl Local {
    /// The local game of a gadget with pieces waiting outside: port, piece, how many.
    ///
    /// # Panics
    ///
    /// If there are more than fifteen pieces, or the fragment is larger than 200 squares: gadgets are
    /// small.
    pub fn new(
        gadget: &Gadget,
        waiting: &[(usize, Piece, usize)],
        traffic: Traffic,
        turn: Color,
        rules: impl Into<BoardRules>,
    ) -> Local {
        let geometry = gadget.board.geometry();
        assert!(geometry.len() <= usize::from(State::OUTSIDE), "{} is too large", gadget.name);
        let mut placed: Vec<(Piece, u8)> =
            gadget.board.pieces().map(|(spot, piece)| (piece, spot as u8)).collect();
        for &(port, piece, count) in waiting {
            placed.extend((0..count).map(|_| (piece, State::OUTSIDE + port as u8)));
        }
        assert!(placed.len() < State::BYTES, "{} has too many pieces", gadget.name);
        placed.sort_by_key(|&(piece, place)| (piece_sign(piece), place));
        let pieces: Vec<Piece> = placed.iter().map(|&(piece, _)| piece).collect();
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (slot, piece) in pieces.iter().enumerate() {
            match runs.last_mut() {
                Some((first, end)) if pieces[*first] == *piece => *end = slot + 1,
                _ => runs.push((slot, slot + 1)),
            }
        }
        let mut start = State([State::TAKEN; State::BYTES]);
        start.0[State::BYTES - 1] = u8::from(turn == Color::Black);
        for (slot, &(_, place)) in placed.iter().enumerate() {
            start.0[slot] = place;
        }
        let landings: Vec<Spot> = gadget
            .ports
            .iter()
            .map(|port| port.landing(geometry).expect("a port has a landing"))
            .collect();
        let channels = gadget
            .ports
            .iter()
            .zip(&landings)
            .map(|(port, &landing)| {
                port.line_of(geometry).into_iter().take_while(|&spot| spot != landing).collect()
            })
            .collect();
        Local {
            generalised: GeneralisedJungle::new(rules),
            traffic,
            pieces,
            runs,
            landings,
            channels,
            start,
            leash: None,
            gadget: gadget.clone(),
        }
    }

    /// The same game in which pieces of a kind move only to take. It has fewer states, and what their
    /// owner forces or prevents in it he forces or prevents in the full game.
    #[must_use]
    pub fn with_sitting(self, piece: Piece) -> Local {
        self.with_leash(piece, Vec::new())
    }

    /// The same game in which pieces of a kind go only to these squares, unless they take: as [`Local::with_sitting`],
    /// for pieces that have to come back from where they took.
    #[must_use]
    pub fn with_leash(mut self, piece: Piece, squares: Vec<Spot>) -> Local {
        self.leash = Some((piece, squares));
        self
    }

    /// The state at the beginning.
    pub fn start(&self) -> State {
        self.start
    }

    /// Who moves.
    pub fn turn(&self, state: State) -> Color {
        state.mover()
    }

    /// The places of the pieces inside, for drawing.
    pub fn inside(&self, state: State) -> impl Iterator<Item = (Spot, Piece)> {
        let places = self.pieces.iter().zip(state.0);
        places
            .filter(|(_, place)| *place < State::OUTSIDE)
            .map(|(&piece, place)| (place.into(), piece))
    }

    /// The state with these pieces inside and these waiting outside, if they are among the pieces
    /// of this game.
    pub fn state(
        &self,
        inside: &[(Spot, Piece)],
        outside: &[(usize, Piece)],
        turn: Color,
    ) -> Option<State> {
        let mut state = State([State::TAKEN; State::BYTES]);
        state.0[State::BYTES - 1] = u8::from(turn == Color::Black);
        let inside = inside.iter().map(|&(spot, piece)| (piece, spot as u8));
        let outside = outside.iter().map(|&(port, piece)| (piece, State::OUTSIDE + port as u8));
        for (piece, place) in inside.chain(outside) {
            let free = |slot: &usize| self.pieces[*slot] == piece && state.0[*slot] == State::TAKEN;
            let slot = (0..self.pieces.len()).find(free)?;
            state.0[slot] = place;
        }
        Some(self.sorted(state))
    }

    /// How many pieces a side has, inside and outside.
    pub fn count(&self, state: State, color: Color) -> usize {
        let places = self.pieces.iter().zip(state.0);
        places.filter(|&(piece, place)| piece.color == color && place != State::TAKEN).count()
    }

    fn at(&self, state: State, spot: Spot) -> Option<Piece> {
        let slot =
            state.0[..self.pieces.len()].iter().position(|&place| usize::from(place) == spot);
        slot.map(|slot| self.pieces[slot])
    }

    fn sorted(&self, mut state: State) -> State {
        for &(first, end) in &self.runs {
            state.0[first..end].sort_unstable();
        }
        state
    }

    /// Calls `visit` with every move and what it leads to, the pass first.
    pub fn for_each_move(&self, state: State, mut visit: impl FnMut(LocalMove, State)) {
        let turn = state.mover();
        visit(LocalMove::Pass, state.passed());
        let geometry = self.gadget.board.geometry();
        let moved = |slot: usize, to: u8, takes: bool| {
            let mut next = state.passed();
            if takes {
                for place in &mut next.0[..self.pieces.len()] {
                    if *place == to {
                        *place = State::TAKEN;
                    }
                }
            }
            next.0[slot] = to;
            self.sorted(next)
        };
        for (slot, &piece) in self.pieces.iter().enumerate() {
            let place = state.0[slot];
            let twin = slot > 0 && self.pieces[slot - 1] == piece && state.0[slot - 1] == place;
            if piece.color != turn || place == State::TAKEN || twin {
                continue;
            }
            let at = |spot| self.at(state, spot);
            if place >= State::OUTSIDE {
                let port = usize::from(place - State::OUTSIDE);
                let to = self.landings[port];
                let victim = at(to);
                // A piece that comes in comes from land, so the shore does not matter.
                let lands = victim.is_none_or(|victim| {
                    self.generalised.may_take(geometry, piece, to, victim, to)
                });
                if lands && self.passes(port, piece, Role::In, state) {
                    visit(LocalMove::Enter { port, to }, moved(slot, to as u8, victim.is_some()));
                }
                continue;
            }
            let from = Spot::from(place);
            let leash = self.leash.as_ref().filter(|(held, _)| *held == piece);
            self.generalised.moves_of(geometry, at, piece, from, |to, victim| {
                if victim.is_none() && leash.is_some_and(|(_, squares)| !squares.contains(&to)) {
                    return;
                }
                visit(LocalMove::Step { from, to }, moved(slot, to as u8, victim.is_some()));
            });
            for (port, &landing) in self.landings.iter().enumerate() {
                if leash.is_none() && landing == from && self.passes(port, piece, Role::Out, state)
                {
                    let outside = State::OUTSIDE + port as u8;
                    visit(LocalMove::Leave { from, port }, moved(slot, outside, false));
                }
            }
        }
    }

    /// Whether a piece can come in (or go out) through a port now.
    fn passes(&self, port: usize, piece: Piece, way: Role, state: State) -> bool {
        let Self { gadget, traffic, channels, .. } = self;
        let sealed = *traffic == Traffic::Sealed
            && piece.color == Color::White
            && gadget.ports[port].role != way;
        let crosses = match gadget.ports[port].passage {
            Passage::Land => true,
            Passage::Water => {
                let edge = gadget.ports[port].edge;
                self.generalised.jumps(piece.animal, edge)
                    && channels[port].iter().all(|&water| self.at(state, water).is_none())
            }
        };
        !sealed && crosses
    }

    /// Whether a goal has been reached.
    pub fn reached(&self, state: State, goal: &Goal) -> bool {
        let outside = |slot: usize| {
            let place = state.0[slot];
            (State::OUTSIDE..State::TAKEN)
                .contains(&place)
                .then(|| usize::from(place - State::OUTSIDE))
        };
        match goal {
            Goal::Signals { ports, at_least } => {
                let counts = |slot: &usize| {
                    self.pieces[*slot] == self.gadget.signal
                        && outside(*slot).is_some_and(|port| ports.contains(&port))
                };
                (0..self.pieces.len()).filter(counts).count() >= *at_least
            }
            Goal::Stranger => (0..self.pieces.len()).any(|slot| {
                let piece = self.pieces[slot];
                piece.color == Color::White
                    && piece != self.gadget.signal
                    && outside(slot).is_some()
            }),
            Goal::BlackOutside => (0..self.pieces.len()).any(|slot| {
                let started =
                    self.start.0.iter().zip(&self.pieces).any(|(&place, &piece)| {
                        piece == self.pieces[slot] && place == state.0[slot]
                    });
                self.pieces[slot].color == Color::Black && outside(slot).is_some() && !started
            }),
            Goal::Fewer { piece, than } => {
                let left = |&(there, place): &(&Piece, u8)| there == piece && place != State::TAKEN;
                self.pieces.iter().zip(state.0).filter(left).count() < *than
            }
            Goal::All(goals) => goals.iter().all(|goal| self.reached(state, goal)),
            Goal::Any(goals) => goals.iter().any(|goal| self.reached(state, goal)),
        }
    }

    /// A move in words, as in `Pc3c4`, `P comes in by in1`, `plays elsewhere`.
    pub fn describe(&self, state: State, mv: LocalMove) -> String {
        let geometry = self.gadget.board.geometry();
        let sign = |spot| self.at(state, spot).map_or('?', piece_sign);
        match mv {
            LocalMove::Pass => "plays elsewhere".to_owned(),
            LocalMove::Step { from, to } => {
                let takes = match self.at(state, to) {
                    Some(victim) => format!("x{}", piece_sign(victim)),
                    None => String::new(),
                };
                format!("{}{}{takes}{}", sign(from), geometry.name(from), geometry.name(to))
            }
            LocalMove::Enter { port, to } => {
                let name = &self.gadget.ports[port].name;
                let taken =
                    self.at(state, to).map(|victim| format!(" taking {}", piece_sign(victim)));
                format!("comes in by {name} to {}{}", geometry.name(to), taken.unwrap_or_default())
            }
            LocalMove::Leave { from, port } => {
                format!(
                    "{}{} leaves by {}",
                    sign(from),
                    geometry.name(from),
                    self.gadget.ports[port].name
                )
            }
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// A hasher for states: the general one is slower than everything else together.
#[derive(Default)]
pub struct StateHasher(u64);

impl Hasher for StateHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = game::rng::mix(self.0.rotate_left(23) ^ u64::from_le_bytes(word));
        }
    }
}

/// A map from states.
pub type StateMap<T> = HashMap<State, T, BuildHasherDefault<StateHasher>>;
