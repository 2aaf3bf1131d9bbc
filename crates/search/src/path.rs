//! The path: the positions between the start of a game and the one being searched.

use game::Game;
use game::rng::mix;

/// The treatment of a position that is already on the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathRepetition {
    /// It is searched like any other.
    #[default]
    Ignored,
    /// It is a leaf worth a draw, at whatever depth.
    Draw,
}

/// The positions before the current one, oldest first, with their keys.
#[derive(Clone, Debug)]
pub(crate) struct Path<G: Game> {
    positions: Vec<(u64, G::Position)>,
}

/// The positions of a path that may return within some plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reachable {
    /// The hash of their set; 0 for none.
    pub set: u64,
    /// The index of the oldest of them; `u32::MAX` for none.
    pub oldest: u32,
}

impl Reachable {
    pub const NONE: Reachable = Reachable { set: 0, oldest: u32::MAX };

    pub fn is_empty(self) -> bool {
        self.oldest == u32::MAX
    }
}

impl<G: Game> Path<G> {
    pub fn new(game: &G, history: &[G::Position]) -> Path<G> {
        let positions = history.iter().map(|position| (game.key(position), position.clone()));
        Path { positions: positions.collect() }
    }

    pub fn len(&self) -> u32 {
        self.positions.len() as u32
    }

    pub fn push(&mut self, key: u64, position: &G::Position) {
        self.positions.push((key, position.clone()));
    }

    pub fn pop(&mut self) {
        self.positions.pop();
    }

    /// The index of the position on the path; the latest if there are several.
    #[inline]
    pub fn find(&self, key: u64, position: &G::Position) -> Option<u32> {
        let equal = |(earlier, other): &(u64, G::Position)| *earlier == key && other == position;
        self.positions.iter().rposition(equal).map(|index| index as u32)
    }

    /// The positions that may return within this many plies.
    pub fn reachable(&self, game: &G, position: &G::Position, plies: u32) -> Reachable {
        let mut reachable = Reachable::NONE;
        for (index, (key, earlier)) in self.positions.iter().enumerate().rev() {
            if game.plies_between(position, earlier) <= plies {
                // A sum, not a xor: the same position twice on a path is not the same as none.
                reachable.set = reachable.set.wrapping_add(mix(!key));
                reachable.oldest = index as u32;
            }
        }
        reachable
    }
}
