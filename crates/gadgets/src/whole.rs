//! Whole boards solved by retrograde analysis, with nothing assumed about gadgets.
//!
//! The local games ([`crate::local`], [`crate::holding`]) look at one gadget at a time and an argument puts
//! them together. This solver knows no gadgets: it lists every position that can be reached on the
//! board by legal moves and works backwards from the dens, so it is an independent judge of small
//! formulas. It shares the rules ([`GeneralisedJungle`]) with the rest, and no other code.
//!
//! **State.** Pieces of a kind that could ever meet on a square form a group: all lions of a compiled
//! board, or one elephant on its island. A group of one is kept as the number of its square, a larger
//! one as a set of squares; all of it fits in 64 bits or the board is refused. **Memory.** Eight bytes a
//! state and four to eight for the hash table; edges are not stored, predecessors are found by moving
//! backwards.

use game::rng::mix;
use jungle::board::Terrain;
use jungle::rules::Rules;
use jungle::{Color, Piece};

use crate::board::Board;
use crate::generalised::{BoardRules, GeneralisedJungle};
use crate::geometry::{Direction, Spot};

/// What the whole board comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeSolution {
    /// Who wins with best play; `None` if neither side can force a win.
    pub winner: Option<Color>,
    /// In how many plies, with best play.
    pub plies: Option<u32>,
    /// How many states were reached.
    pub states: usize,
    /// How many of them neither side can win.
    pub drawn: usize,
}

/// Why a whole board was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WholeError {
    /// A state does not fit.
    #[error("a state of this board takes {0} bits, and 63 are the most: try a shorter formula")]
    TooWide(u32),
    /// Too many states.
    #[error("the board has more than {0} states: allow more, or try a shorter formula")]
    TooManyStates(usize),
}

/// A square of another group that is the same square of the board.
#[derive(Clone, Copy)]
struct Meeting {
    group: usize,
    index: u32,
    /// Whether the piece that arrives may take the one of the other group.
    takes: bool,
}

/// A move of a group's piece: from one of its squares to another.
struct Step {
    from: u32,
    to: u32,
    meetings: Vec<Meeting>,
}

/// Pieces of a kind whose squares overlap.
struct Group {
    piece: Piece,
    count: u32,
    squares: Vec<Spot>,
    shift: u32,
    bits: u32,
    /// The steps from each square, and those that end there.
    leaving: Vec<Vec<usize>>,
    arriving: Vec<Vec<usize>>,
    steps: Vec<Step>,
    /// The squares that are dens, a bit each.
    dens: u64,
    /// The other groups on each square.
    shared: Vec<Vec<(usize, u32)>>,
}

impl Group {
    fn field(&self, state: u64) -> u64 {
        state >> self.shift & ((1 << self.bits) - 1)
    }

    /// The squares of the group's pieces, a bit each.
    fn set(&self, state: u64) -> u64 {
        let field = self.field(state);
        match self.count {
            1 if field == 0 => 0,
            1 => 1 << (field - 1),
            _ => field,
        }
    }

    fn holds(&self, state: u64, index: u32) -> bool {
        let field = self.field(state);
        if self.count == 1 { field == u64::from(index) + 1 } else { field >> index & 1 == 1 }
    }

    fn put(&self, state: u64, index: u32) -> u64 {
        let field = if self.count == 1 { u64::from(index) + 1 } else { 1 << index };
        state | field << self.shift
    }

    fn take(&self, state: u64, index: u32) -> u64 {
        let field = if self.count == 1 { u64::from(index) + 1 } else { 1 << index };
        state & !(field << self.shift)
    }

    /// Whether a piece of the group has been taken.
    fn misses(&self, state: u64) -> bool {
        self.set(state).count_ones() < self.count
    }
}

/// The bit that says that Black moves.
const BLACK_MOVES: u64 = 1 << 63;

/// A board prepared for solving.
pub struct WholeBoard {
    groups: Vec<Group>,
    start: u64,
    rules: Rules,
}

impl WholeBoard {
    /// Prepares a board.
    ///
    /// # Errors
    ///
    /// If a state does not fit in 63 bits.
    pub fn new(board: &Board, rules: impl Into<BoardRules>) -> Result<WholeBoard, WholeError> {
        let generalised = GeneralisedJungle::new(rules);
        let mut groups: Vec<Group> = Vec::new();
        for (spot, piece) in board.pieces() {
            let own = |group: &&mut Group| group.piece == piece && group.squares.contains(&spot);
            match groups.iter_mut().find(own) {
                Some(group) => group.count += 1,
                None => groups.push(group_of(&generalised, board, spot, piece)),
            }
        }
        let mut shift = 0;
        for group in &mut groups {
            let squares = group.squares.len() as u32;
            if squares > 63 {
                return Err(WholeError::TooWide(shift + squares));
            }
            group.bits = if group.count == 1 { 32 - squares.leading_zeros() } else { squares };
            group.shift = shift;
            shift += group.bits;
        }
        if shift > 63 {
            return Err(WholeError::TooWide(shift));
        }
        let mut whole = WholeBoard { groups, start: 0, rules: *generalised.rules() };
        whole.join(&generalised, board);
        for (spot, piece) in board.pieces() {
            let group = whole.groups.iter().find_map(|group| {
                let index = group.squares.iter().position(|&square| square == spot)?;
                (group.piece == piece).then_some((group, index as u32))
            });
            let (group, index) = group.expect("every piece has a group");
            whole.start = group.put(whole.start, index);
        }
        if board.turn() == Color::Black {
            whole.start |= BLACK_MOVES;
        }
        Ok(whole)
    }

    /// Notes for every step which pieces of other groups it may meet.
    fn join(&mut self, generalised: &GeneralisedJungle, board: &Board) {
        let places: Vec<(Piece, Vec<Spot>)> =
            self.groups.iter().map(|group| (group.piece, group.squares.clone())).collect();
        let others = |own: usize, spot: Spot| {
            let at = |(number, (_, squares)): (usize, &(Piece, Vec<Spot>))| {
                let index = squares.iter().position(|&square| square == spot)?;
                (number != own).then_some((number, index as u32))
            };
            places.iter().enumerate().filter_map(at).collect::<Vec<_>>()
        };
        for (number, group) in self.groups.iter_mut().enumerate() {
            group.shared = group.squares.iter().map(|&spot| others(number, spot)).collect();
            for step in &mut group.steps {
                let (from, to) =
                    (group.squares[step.from as usize], group.squares[step.to as usize]);
                let meet = |&(other, index): &(usize, u32)| {
                    let victim = places[other].0;
                    let geometry = board.geometry();
                    let takes = generalised.may_take(geometry, group.piece, from, victim, to);
                    Meeting { group: other, index, takes }
                };
                step.meetings = group.shared[step.to as usize].iter().map(meet).collect();
            }
        }
    }

    fn turn(state: u64) -> Color {
        if state & BLACK_MOVES == 0 { Color::White } else { Color::Black }
    }

    /// Who has won by entering a den, or by taking everything.
    fn ended(&self, state: u64) -> Option<Color> {
        let entered = self.groups.iter().find(|group| group.set(state) & group.dens != 0);
        if let Some(group) = entered {
            return Some(group.piece.color);
        }
        let bare = |color: Color| {
            self.groups.iter().all(|group| group.piece.color != color || group.set(state) == 0)
        };
        let beaten = Color::ALL.into_iter().find(|&color| bare(color));
        beaten.filter(|_| self.rules.annihilation_wins).map(|color| !color)
    }

    /// Calls `visit` with every state that a move leads to.
    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        if self.ended(state).is_some() {
            return;
        }
        let turn = WholeBoard::turn(state);
        for group in self.groups.iter().filter(|group| group.piece.color == turn) {
            for from in bits(group.set(state)) {
                'steps: for &step in &group.leaving[from as usize] {
                    let step = &group.steps[step];
                    if group.count > 1 && group.holds(state, step.to) {
                        continue;
                    }
                    let mut next = group.put(group.take(state, from), step.to) ^ BLACK_MOVES;
                    for meeting in &step.meetings {
                        let other = &self.groups[meeting.group];
                        if other.holds(state, meeting.index) {
                            if !meeting.takes {
                                continue 'steps;
                            }
                            next = other.take(next, meeting.index);
                        }
                    }
                    visit(next);
                }
            }
        }
    }

    /// Calls `visit` with every state, reachable or not, from which a move may lead here.
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let mover = !WholeBoard::turn(state);
        for group in self.groups.iter().filter(|group| group.piece.color == mover) {
            for to in bits(group.set(state)) {
                for &step in &group.arriving[to as usize] {
                    let step = &group.steps[step];
                    let taken =
                        |&(other, index): &(usize, u32)| self.groups[other].holds(state, index);
                    if (group.count > 1 && group.holds(state, step.from))
                        || group.shared[step.from as usize].iter().any(taken)
                    {
                        continue;
                    }
                    let before = group.put(group.take(state, to), step.from) ^ BLACK_MOVES;
                    visit(before);
                    for meeting in step.meetings.iter().filter(|meeting| meeting.takes) {
                        let other = &self.groups[meeting.group];
                        if other.misses(state) {
                            visit(other.put(before, meeting.index));
                        }
                    }
                }
            }
        }
    }

    /// Solves the board; `progress` gets the number of states found so far, now and then.
    ///
    /// # Errors
    ///
    /// If there are more than `limit` states.
    pub fn solve(
        &self,
        limit: usize,
        mut progress: impl FnMut(usize),
    ) -> Result<WholeSolution, WholeError> {
        let mut states = Index::default();
        states.number(self.start);
        let (mut open, mut values, mut frontier) = (Vec::new(), Vec::new(), Vec::new());
        let mut found = 0;
        while found < states.keys.len() {
            if states.keys.len() > limit {
                return Err(WholeError::TooManyStates(limit));
            }
            if found % 65_536 == 0 {
                progress(states.keys.len());
            }
            let state = states.keys[found];
            let mut moves = 0_u8;
            self.successors(state, |next| {
                moves += 1;
                states.number(next);
            });
            let winner = self.ended(state).or_else(|| {
                let stuck = || self.rules.no_legal_move.winner(WholeBoard::turn(state));
                if moves == 0 { stuck() } else { None }
            });
            open.push(moves);
            values.push(match winner {
                Some(winner) if winner == WholeBoard::turn(state) => Value::Win,
                Some(_) => Value::Loss,
                None => Value::Unknown,
            });
            if winner.is_some() {
                frontier.push(found as u32);
            }
            found += 1;
        }
        let plies = self.work_back(&states, &mut open, &mut values, frontier);
        let turn = WholeBoard::turn(self.start);
        let winner = match values[0] {
            Value::Win => Some(turn),
            Value::Loss => Some(!turn),
            Value::Unknown => None,
        };
        let drawn = values.iter().filter(|&&value| value == Value::Unknown).count();
        Ok(WholeSolution { winner, plies, states: states.keys.len(), drawn })
    }

    /// Works back from the ends; in how many plies the start is decided.
    fn work_back(
        &self,
        states: &Index,
        open: &mut [u8],
        values: &mut [Value],
        mut frontier: Vec<u32>,
    ) -> Option<u32> {
        let mut depth = 0;
        let mut plies = frontier.contains(&0).then_some(0);
        while !frontier.is_empty() {
            let mut next = Vec::new();
            for &number in &frontier {
                let lost = values[number as usize] == Value::Loss;
                self.predecessors(states.keys[number as usize], |before| {
                    let Some(before) = states.find(before) else { return };
                    let at = before as usize;
                    if values[at] != Value::Unknown {
                        return;
                    }
                    open[at] -= 1;
                    if lost || open[at] == 0 {
                        values[at] = if lost { Value::Win } else { Value::Loss };
                        next.push(before);
                    }
                });
            }
            depth += 1;
            if plies.is_none() && values[0] != Value::Unknown {
                plies = Some(depth);
            }
            frontier = next;
        }
        plies
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Unknown,
    /// For the side to move.
    Win,
    Loss,
}

/// The group of a piece: all squares that it could ever stand on, and its steps between them.
fn group_of(generalised: &GeneralisedJungle, board: &Board, spot: Spot, piece: Piece) -> Group {
    let geometry = board.geometry();
    let mut squares = vec![spot];
    let mut steps = Vec::new();
    let mut next = 0;
    while next < squares.len() {
        let from = squares[next];
        let den = matches!(geometry.terrain(from), Terrain::Den(_));
        for direction in Direction::ALL.into_iter().filter(|_| !den) {
            // No board solved here has rats, so nothing stops a jump.
            let to = generalised.destination(geometry, |_| None, piece, from, direction);
            let Some(to) = to else { continue };
            let known = squares.iter().position(|&square| square == to);
            let index = known.unwrap_or_else(|| {
                squares.push(to);
                squares.len() - 1
            });
            steps.push(Step { from: next as u32, to: index as u32, meetings: Vec::new() });
        }
        next += 1;
    }
    let (mut leaving, mut arriving) =
        (vec![Vec::new(); squares.len()], vec![Vec::new(); squares.len()]);
    for (number, step) in steps.iter().enumerate() {
        leaving[step.from as usize].push(number);
        arriving[step.to as usize].push(number);
    }
    let is_den = |&spot: &Spot| matches!(geometry.terrain(spot), Terrain::Den(_));
    let den = |(index, spot): (usize, &Spot)| u64::from(is_den(spot)) << (index % 64);
    let dens = squares.iter().enumerate().map(den).sum();
    Group {
        piece,
        count: 1,
        squares,
        shift: 0,
        bits: 0,
        leaving,
        arriving,
        steps,
        dens,
        shared: Vec::new(),
    }
}

/// The numbers of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(lowest)
    })
}

/// States numbered in the order in which they were found: open addressing, at most half full.
#[derive(Default)]
struct Index {
    keys: Vec<u64>,
    slots: Vec<u32>,
}

/// A slot without a state.
const EMPTY: u32 = u32::MAX;

impl Index {
    /// The slot of a key, or the empty one where it would go.
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = mix(key) as usize & mask;
        while self.slots[slot] != EMPTY && self.keys[self.slots[slot] as usize] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn find(&self, key: u64) -> Option<u32> {
        Some(self.slots[self.slot(key)]).filter(|&number| number != EMPTY)
    }

    fn number(&mut self, key: u64) -> u32 {
        if self.keys.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot] == EMPTY {
            self.slots[slot] = self.keys.len() as u32;
            self.keys.push(key);
        }
        self.slots[slot]
    }

    fn grow(&mut self) {
        self.slots = vec![EMPTY; (self.slots.len() * 2).max(1024)];
        for number in 0..self.keys.len() {
            let slot = self.slot(self.keys[number]);
            self.slots[slot] = number as u32;
        }
    }
}
