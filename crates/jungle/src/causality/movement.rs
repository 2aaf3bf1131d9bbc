//! Movement graphs, and the distances of a lone piece in them.
//!
//! The distances are constants, found by flooding: one move adds to a set of squares everything
//! one move away from it, and with sets in words that is a few shifts for the whole board.

use std::fmt;

use super::Time;
use crate::board::{self, DENS, LAND, WATER};
use crate::rules::{Jumps, Rules};
use crate::{Animal, Bitboard, Square};

/// Movement graphs: Burnett's three, and two more for house rules under which an animal jumps along
/// one axis only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Movement {
    /// Steps on land.
    Walker,
    /// Steps on land and in the water.
    Swimmer,
    /// Steps on land, and jumps over water both ways.
    Jumper,
    /// Steps on land, and jumps over water along the files.
    LengthwiseJumper,
    /// Steps on land, and jumps over water along the ranks.
    SidewaysJumper,
}

/// In words, as in `walker`.
impl fmt::Display for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Movement::Walker => "walker",
            Movement::Swimmer => "swimmer",
            Movement::Jumper => "jumper",
            Movement::LengthwiseJumper => "lengthwise jumper",
            Movement::SidewaysJumper => "sideways jumper",
        })
    }
}

impl Movement {
    /// How many kinds there are.
    pub const COUNT: usize = 5;

    /// All kinds.
    pub const ALL: [Movement; Movement::COUNT] = [
        Movement::Walker,
        Movement::Swimmer,
        Movement::Jumper,
        Movement::LengthwiseJumper,
        Movement::SidewaysJumper,
    ];

    /// How an animal moves under some rules.
    pub const fn of(animal: Animal, rules: &Rules) -> Movement {
        let jumps = match animal {
            Animal::Rat => return Movement::Swimmer,
            Animal::Lion => rules.lion_jumps,
            Animal::Tiger => rules.tiger_jumps,
            Animal::Panther => rules.panther_jumps,
            Animal::Cat | Animal::Wolf | Animal::Dog | Animal::Elephant => Jumps::None,
        };
        match jumps {
            Jumps::None => Movement::Walker,
            Jumps::Both => Movement::Jumper,
            Jumps::Lengthwise => Movement::LengthwiseJumper,
            Jumps::Sideways => Movement::SidewaysJumper,
        }
    }

    /// The index in [`Movement::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Where it can be: on land, or everywhere.
    pub const fn domain(self) -> Bitboard {
        match self {
            Movement::Swimmer => Bitboard::ALL,
            _ => LAND,
        }
    }

    /// The squares one move from some square of the set, dens left out: whether they may be entered
    /// depends on the colour, and no piece leaves them.
    #[inline]
    #[must_use]
    pub const fn advance(self, from: Bitboard) -> Bitboard {
        let from = from.without(DENS);
        let steps = from.neighbours().0 & self.domain().0;
        let (lengthwise, sideways) = match self {
            Movement::Walker | Movement::Swimmer => return Bitboard(steps & !DENS.0),
            Movement::Jumper => (from, from),
            Movement::LengthwiseJumper => (from, Bitboard::EMPTY),
            Movement::SidewaysJumper => (Bitboard::EMPTY, from),
        };
        let landings = board::landings(lengthwise, sideways, Bitboard::EMPTY);
        let jumps = landings[0].0 | landings[1].0 | landings[2].0 | landings[3].0;
        Bitboard((steps | jumps) & !DENS.0)
    }

    /// How many moves it is from one square to another, for a piece that is alone and may enter
    /// both dens. From a square where it cannot be, and out of a den, it is never.
    ///
    /// ```
    /// use jungle::causality::{Movement, Time};
    /// use jungle::Square;
    ///
    /// assert_eq!(Movement::Walker.distance(Square::A3, Square::D5), Time::new(5));
    /// assert_eq!(Movement::Jumper.distance(Square::A5, Square::D5), Time::new(1));
    /// assert_eq!(Movement::Walker.distance(Square::A3, Square::B4), Time::NEVER);
    /// ```
    #[inline]
    pub const fn distance(self, from: Square, to: Square) -> Time {
        Time(DISTANCES[self as usize][from as usize][to as usize])
    }
}

/// Moves from square to square. Rows have a spare byte, which makes them a cache line.
static DISTANCES: [[[u8; 64]; Square::COUNT]; Movement::COUNT] = {
    let mut table = [[[u8::MAX; 64]; Square::COUNT]; Movement::COUNT];
    let mut kind = 0;
    while kind < Movement::COUNT {
        let movement = Movement::ALL[kind];
        let mut from = 0;
        while from < Square::COUNT {
            if movement.domain().contains(Square::ALL[from]) {
                flood(movement, Square::ALL[from], &mut table[kind][from]);
            }
            from += 1;
        }
        kind += 1;
    }
    table
};

const fn flood(movement: Movement, from: Square, row: &mut [u8; 64]) {
    let mut seen = Bitboard::EMPTY;
    let mut front = from.bitboard();
    let mut moves = 0;
    while front.any() {
        seen = Bitboard(seen.0 | front.0);
        let mut left = front.0;
        while left != 0 {
            row[left.trailing_zeros() as usize] = moves;
            left &= left - 1;
        }
        // Dens are filled in from the traps beside them; they lead nowhere else.
        let entered = front.without(DENS).neighbours().0 & DENS.0;
        front = Bitboard((movement.advance(front).0 | entered) & !seen.0);
        moves += 1;
    }
}

// No jump starts or lands in a den, and no rat swims into one: entering is always a step.
const _: () = assert!(DENS.0 & WATER.neighbours().0 == 0);

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    /// One move, by brute force.
    fn moves(movement: Movement, from: Square) -> Vec<Square> {
        let mut found = Vec::new();
        for (files, ranks) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let jumps = match movement {
                Movement::Walker | Movement::Swimmer => false,
                Movement::Jumper => true,
                Movement::LengthwiseJumper => files == 0,
                Movement::SidewaysJumper => ranks == 0,
            };
            let mut to = from.offset(files, ranks);
            if movement != Movement::Swimmer && to.is_some_and(|to| WATER.contains(to)) {
                while let Some(wet) = to.filter(|&to| WATER.contains(to)) {
                    to = if jumps { wet.offset(files, ranks) } else { None };
                }
            }
            found.extend(to);
        }
        found
    }

    #[test]
    fn distances_are_those_of_a_breadth_first_search() {
        for movement in Movement::ALL {
            for from in movement.domain() {
                let mut found = [Time::NEVER; Square::COUNT];
                found[from.index()] = Time::ZERO;
                let mut queue = VecDeque::from([from]);
                while let Some(at) = queue.pop_front() {
                    if DENS.contains(at) {
                        continue;
                    }
                    for to in moves(movement, at) {
                        if found[to.index()] == Time::NEVER {
                            found[to.index()] = Time(found[at.index()].0 + 1);
                            queue.push_back(to);
                        }
                    }
                }
                for to in Square::ALL {
                    let distance = movement.distance(from, to);
                    assert_eq!(distance, found[to.index()], "{movement:?} {from}–{to}");
                }
            }
        }
    }
}
