//! Distance tables: moves between squares, for each way of moving, on an otherwise empty board.

use std::sync::LazyLock;

use jungle::board::{self, DENS, TRAPS, WATER};
use jungle::{Animal, ByColor, Color, Square};

/// A way of moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Gait {
    /// Step by step on land.
    Walks,
    /// Steps, and leaps over water.
    Jumps,
    /// Steps anywhere.
    Swims,
}

impl Gait {
    /// How an animal moves under the usual rules.
    pub const fn of(animal: Animal) -> Gait {
        match animal {
            Animal::Rat => Gait::Swims,
            Animal::Tiger | Animal::Lion => Gait::Jumps,
            _ => Gait::Walks,
        }
    }
}

/// Farther than any real distance.
pub const FAR: u8 = 31;

/// Distances in moves.
pub struct Geometry {
    /// From one square to another.
    between: [[[u8; Square::COUNT]; Square::COUNT]; 3],
    /// Into a side's den, by its enemy.
    to_den: ByColor<[[u8; Square::COUNT]; 3]>,
    /// To the nearest trap of a side.
    to_traps: ByColor<[[u8; Square::COUNT]; 3]>,
}

/// The distances, computed once.
pub static GEOMETRY: LazyLock<Geometry> = LazyLock::new(Geometry::new);

impl Geometry {
    fn new() -> Geometry {
        let between = [Gait::Walks, Gait::Jumps, Gait::Swims].map(|gait| {
            let mut table = [[FAR; Square::COUNT]; Square::COUNT];
            for from in Square::ALL {
                table[from.index()] = flood(gait, from);
            }
            table
        });
        let nearest = |color: Color| {
            each(|gait, from| {
                let row = &between[gait][from];
                TRAPS[color].into_iter().map(|trap| row[trap.index()]).min().unwrap_or(FAR)
            })
        };
        let to_traps = ByColor::from_fn(nearest);
        // The den is entered from a trap.
        let to_den = ByColor::from_fn(|color| {
            each(|gait, from| to_traps[color][gait][from].saturating_add(1).min(FAR))
        });
        Geometry { between, to_den, to_traps }
    }

    /// From one square to another.
    #[inline]
    pub fn between(&self, gait: Gait, from: Square, to: Square) -> u8 {
        self.between[gait as usize][from.index()][to.index()]
    }

    /// Into the den of `owner`.
    #[inline]
    pub fn to_den(&self, gait: Gait, owner: Color, from: Square) -> u8 {
        self.to_den[owner][gait as usize][from.index()]
    }

    /// To the nearest trap of `owner`.
    #[inline]
    pub fn to_traps(&self, gait: Gait, owner: Color, from: Square) -> u8 {
        self.to_traps[owner][gait as usize][from.index()]
    }
}

/// A number for each gait and square, by loops: mapping whole arrays makes the compiler write out every element.
fn each(number: impl Fn(usize, usize) -> u8) -> [[u8; Square::COUNT]; 3] {
    let mut numbers = [[FAR; Square::COUNT]; 3];
    for (gait, row) in numbers.iter_mut().enumerate() {
        for (from, slot) in row.iter_mut().enumerate() {
            *slot = number(gait, from);
        }
    }
    numbers
}

/// The distances from one square; dens are not passed through.
fn flood(gait: Gait, from: Square) -> [u8; Square::COUNT] {
    let mut distances = [FAR; Square::COUNT];
    distances[from.index()] = 0;
    let mut queue = vec![from];
    let mut at = 0;
    while at < queue.len() {
        let square = queue[at];
        at += 1;
        let mut reach =
            if gait == Gait::Swims { board::neighbours(square) } else { board::walks(square) };
        if gait == Gait::Jumps {
            for jump in board::jumps(square) {
                reach = reach.with(jump.to);
            }
        }
        if gait != Gait::Swims && WATER.contains(square) {
            break;
        }
        for next in reach.without(DENS) {
            if distances[next.index()] == FAR {
                distances[next.index()] = distances[square.index()] + 1;
                queue.push(next);
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_moves() {
        let far = |gait, from, to| GEOMETRY.between(gait, from, to);
        assert_eq!(far(Gait::Walks, Square::A1, Square::A9), 8);
        assert_eq!(far(Gait::Jumps, Square::B3, Square::B7), 1);
        assert_eq!(far(Gait::Walks, Square::B3, Square::B7), 6);
        assert_eq!(far(Gait::Swims, Square::B3, Square::B7), 4);
        assert_eq!(far(Gait::Walks, Square::B3, Square::B4), FAR);
        assert_eq!(GEOMETRY.to_den(Gait::Walks, Color::Black, Square::D8), 1);
        assert_eq!(GEOMETRY.to_den(Gait::Jumps, Color::Black, Square::A3), 6);
        assert_eq!(GEOMETRY.to_traps(Gait::Walks, Color::White, Square::D4), 2);
    }
}
