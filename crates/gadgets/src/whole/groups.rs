//! Groups: pieces of a kind that could ever stand on the same square, and where they can go.
//!
//! All lions of a compiled board are one group, an elephant on its island is another. The places of a
//! group are a field of a word: the number of the square for a single piece, a bit for every square
//! for more. Which squares a piece can ever reach is found on the empty board, so it is an upper bound.

use jungle::board::Terrain;
use jungle::{Color, Piece};

use crate::board::Board;
use crate::generalised::GeneralisedJungle;
use crate::geometry::{Direction, Spot};

/// A square of another group that is the same square of the board.
#[derive(Clone, Copy)]
struct Meeting {
    group: usize,
    index: u32,
    /// Whether the piece that arrives may take the one of the other group.
    takes: bool,
}

/// A move of a group's piece: from one of its squares to another.
pub struct Step {
    pub from: u32,
    pub to: u32,
    meetings: Vec<Meeting>,
}

/// Pieces of a kind whose squares overlap.
pub struct Group {
    pub piece: Piece,
    pub squares: Vec<Spot>,
    pub steps: Vec<Step>,
    /// The squares that are dens, a bit each.
    pub dens: u64,
    /// The square of its first piece at the beginning.
    pub home: u32,
    count: u32,
    shift: u32,
    bits: u32,
    /// The steps from each square.
    leaving: Vec<Vec<usize>>,
    /// Whether another group reaches one of its squares.
    shares: bool,
}

impl Group {
    /// Whether it is one piece that never meets another.
    pub fn is_alone(&self) -> bool {
        self.count == 1 && !self.shares
    }

    fn field(&self, places: u64) -> u64 {
        places >> self.shift & mask(self.bits)
    }

    /// The squares of the group's pieces, a bit each.
    pub fn set(&self, places: u64) -> u64 {
        let field = self.field(places);
        match self.count {
            1 if field == 0 => 0,
            1 => 1 << (field - 1),
            _ => field,
        }
    }

    fn holds(&self, places: u64, index: u32) -> bool {
        let field = self.field(places);
        if self.count == 1 { field == u64::from(index) + 1 } else { field >> index & 1 == 1 }
    }

    fn value(&self, index: u32) -> u64 {
        let field = if self.count == 1 { u64::from(index) + 1 } else { 1 << index };
        field << self.shift
    }

    /// Calls `visit` with the places after each move of one of the group's pieces.
    pub fn moves(&self, groups: &[Group], places: u64, visit: &mut impl FnMut(u64)) {
        for from in bits(self.set(places)) {
            'steps: for &step in &self.leaving[from as usize] {
                let step = &self.steps[step];
                if self.count > 1 && self.holds(places, step.to) {
                    continue;
                }
                let mut next = places & !self.value(from) | self.value(step.to);
                for meeting in &step.meetings {
                    let other = &groups[meeting.group];
                    if other.holds(places, meeting.index) {
                        if !meeting.takes {
                            continue 'steps;
                        }
                        next &= !other.value(meeting.index);
                    }
                }
                visit(next);
            }
        }
    }
}

/// So many ones.
fn mask(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// The groups of a board.
pub fn groups_of(generalised: &GeneralisedJungle, board: &Board) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (spot, piece) in board.pieces() {
        let own = |group: &&mut Group| group.piece == piece && group.squares.contains(&spot);
        match groups.iter_mut().find(own) {
            Some(group) => group.count += 1,
            None => groups.push(group_of(generalised, board, spot, piece)),
        }
    }
    for number in 0..groups.len() {
        let met = |other: usize| {
            other != number
                && groups[other].squares.iter().any(|spot| groups[number].squares.contains(spot))
        };
        groups[number].shares = (0..groups.len()).any(met);
    }
    groups
}

/// Gives every group its field, and notes for every step which pieces of other groups it may meet. How
/// many bits the fields take: no more than 64 or the fields are not to be used.
pub fn lay_out(generalised: &GeneralisedJungle, board: &Board, groups: &mut [Group]) -> u32 {
    let mut shift = 0;
    for group in groups.iter_mut() {
        let squares = group.squares.len() as u32;
        group.bits = if group.count == 1 { 32 - squares.leading_zeros() } else { squares };
        group.shift = shift;
        shift += group.bits;
    }
    let places: Vec<(Piece, Vec<Spot>)> =
        groups.iter().map(|group| (group.piece, group.squares.clone())).collect();
    for (number, group) in groups.iter_mut().enumerate() {
        for step in &mut group.steps {
            let (from, to) = (group.squares[step.from as usize], group.squares[step.to as usize]);
            let meet = |(other, (victim, squares)): (usize, &(Piece, Vec<Spot>))| {
                let index = squares.iter().position(|&square| square == to)? as u32;
                let takes = generalised.may_take(board.geometry(), group.piece, from, *victim, to);
                (other != number).then_some(Meeting { group: other, index, takes })
            };
            step.meetings = places.iter().enumerate().filter_map(meet).collect();
        }
    }
    shift
}

/// The places of the pieces of all groups on a board, which has no others but lone pieces.
pub fn places_of(groups: &[Group], board: &Board) -> u64 {
    let place = |(spot, piece): (Spot, Piece)| {
        groups.iter().filter(|group| group.piece == piece).find_map(|group| {
            let index = group.squares.iter().position(|&square| square == spot)?;
            Some(group.value(index as u32))
        })
    };
    board.pieces().filter_map(place).fold(0, |places, value| places | value)
}

/// Who has won by entering a den.
pub fn entered(groups: &[Group], places: u64) -> Option<Color> {
    let entered = groups.iter().find(|group| group.set(places) & group.dens != 0);
    entered.map(|group| group.piece.color)
}

/// Whether a side has nothing left in the groups.
pub fn bare(groups: &[Group], places: u64, color: Color) -> bool {
    groups.iter().all(|group| group.piece.color != color || group.set(places) == 0)
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
    // In the order of the board, so that a step along a row is a step by one.
    let mut order = squares.clone();
    order.sort_unstable();
    let rank: Vec<u32> = squares
        .iter()
        .map(|square| order.iter().position(|other| other == square).unwrap_or(0) as u32)
        .collect();
    let mut leaving = vec![Vec::new(); squares.len()];
    for (number, step) in steps.iter_mut().enumerate() {
        (step.from, step.to) = (rank[step.from as usize], rank[step.to as usize]);
        leaving[step.from as usize].push(number);
    }
    let is_den = |&spot: &Spot| matches!(geometry.terrain(spot), Terrain::Den(_));
    let den = |(index, spot): (usize, &Spot)| u64::from(is_den(spot)) << (index % 64);
    Group {
        piece,
        dens: order.iter().enumerate().map(den).sum(),
        squares: order,
        steps,
        home: rank[0],
        count: 1,
        shift: 0,
        bits: 0,
        leaving,
        shares: false,
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
