//! Evaluation features of the champion, numbered.
//!
//! The value of a position is a sum of weights, one for each feature that is present, all seen from
//! the player to move:
//!
//! - **Places**: an animal on a square, a weight for the opening and one for the endgame, blended by how
//!   many pieces are left. The board is the same left and right, so the files fold onto four.
//! - **Pairs**: an animal of ours, an animal of theirs, and how many moves the hunter of the two
//!   is away from the other. This makes the value of material depend on what can still take it: far apart, a
//!   pair says only that both exist. Near, it says who has to run, and since the player to move is
//!   always "us", who is in time: an odd distance and an even one have weights of their own, which is
//!   where parity comes in.
//! - **Races**: how many moves the foremost runner of each side is ahead of the nearest defender. Each side has
//!   exactly one such lead, so the value of the move (tempo) is in these weights, too.
//!
//! `docs/experiments.md` says what each gains, and what was tried without gain: mobility, guards
//! of the den, pairs at greater distances. A [network](super::network) corrects the sum.
//!
//! Weights are fitted by the crate `training`, which lists the features of millions of positions through
//! [`for_each`]; the evaluation itself computes the same sum faster, and a test compares the two.

use std::str::FromStr;

use jungle::{Animal, Color, Position, Rules, Square};

use crate::eval::geometry::{FAR, GEOMETRY, Gait, Geometry};
use crate::eval::weights::WEIGHTS;

/// Squares with the files folded.
pub const FOLDED: usize = 36;
/// Distances of pairs that are distinguished: 1 to 6, and more.
pub const DISTANCES: usize = 7;
/// Leads in a race that are distinguished: −4 to 4.
pub const LEADS: usize = 9;

/// Where each kind of feature begins.
pub const PLACES: usize = 0;
/// Pairs follow the places of opening and endgame.
pub const PAIRS: usize = PLACES + 2 * Animal::COUNT * FOLDED;
/// Our lead in the race.
pub const OUR_RACE: usize = PAIRS + Animal::COUNT * Animal::COUNT * DISTANCES;
/// Theirs.
pub const THEIR_RACE: usize = OUR_RACE + LEADS;
/// How many features there are.
pub const COUNT: usize = THEIR_RACE + LEADS;

/// A kind of feature, which fitting can leave out to measure its gain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Animals on squares.
    Places,
    /// Animals and enemies at distances.
    Pairs,
    /// Races to the dens.
    Races,
}

impl Term {
    /// All of them with their names.
    pub const NAMES: [(&'static str, Term); 3] =
        [("places", Term::Places), ("pairs", Term::Pairs), ("races", Term::Races)];

    /// The term that a feature belongs to.
    pub const fn of(feature: usize) -> Term {
        match feature {
            0..PAIRS => Term::Places,
            PAIRS..OUR_RACE => Term::Pairs,
            _ => Term::Races,
        }
    }
}

impl FromStr for Term {
    type Err = UnknownTerm;

    fn from_str(name: &str) -> Result<Term, UnknownTerm> {
        let found = Term::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, term)| *term).ok_or(UnknownTerm)
    }
}

/// There is no term of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of {}", Term::NAMES.map(|(name, _)| name).join(", "))]
pub struct UnknownTerm;

/// One weight for each feature.
pub type Weights = [i16; COUNT];

/// The weights in use.
pub static USUAL: &Weights = &WEIGHTS;

/// What one unit of the logistic function is worth: at 400 points the chances are ten to one.
pub const SCALE: f32 = 400.0 / std::f32::consts::LN_10;

/// The weight of the opening among sixteen pieces; the endgame has the rest.
pub const FULL_PHASE: i32 = 14;

/// How much of the opening is left: 14 with all pieces, 0 with two.
#[inline]
pub fn phase(position: &Position) -> i32 {
    (position.occupied().len() as i32 - 2).clamp(0, FULL_PHASE)
}

/// A square as its owner sees it, the files folded.
#[inline]
pub const fn fold(color: Color, square: Square) -> usize {
    let index = match color {
        Color::White => square.index(),
        Color::Black => Square::COUNT - 1 - square.index(),
    };
    let (file, rank) = (index % 7, index / 7);
    rank * 4 + if file < 4 { file } else { 6 - file }
}

/// How the hunter of two animals moves.
pub const HUNTER: [[Gait; Animal::COUNT]; Animal::COUNT] = {
    let mut table = [[Gait::Walks; Animal::COUNT]; Animal::COUNT];
    let mut ours = 0;
    while ours < Animal::COUNT {
        let mut theirs = 0;
        while theirs < Animal::COUNT {
            let (low, high) = if ours < theirs { (ours, theirs) } else { (theirs, ours) };
            let rat_hunts = Animal::ALL[low] as u8 == Animal::Rat as u8
                && Animal::ALL[high] as u8 == Animal::Elephant as u8;
            table[ours][theirs] = Gait::of(Animal::ALL[if rat_hunts { low } else { high }]);
            theirs += 1;
        }
        ours += 1;
    }
    table
};

/// The index of a pair at a distance.
#[inline]
pub fn pair(ours: Animal, theirs: Animal, distance: u8) -> usize {
    let bucket = (distance.max(1) as usize).min(DISTANCES) - 1;
    (ours.index() * Animal::COUNT + theirs.index()) * DISTANCES + bucket
}

/// A race: the foremost runner of a side against the nearest defender of the other.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    runner: u8,
    defender: u8,
}

impl Default for Race {
    fn default() -> Race {
        Race { runner: FAR, defender: FAR }
    }
}

impl Race {
    /// A runner this many moves away from the den.
    #[inline]
    pub fn run(&mut self, moves: u8) {
        self.runner = self.runner.min(moves);
    }

    /// A defender this many moves away from the traps around it.
    #[inline]
    pub fn defend(&mut self, moves: u8) {
        self.defender = self.defender.min(moves);
    }

    /// How many moves the runner is ahead of the defender, from −4 to 4, as a number from 0 to 8.
    #[inline]
    pub fn lead(self) -> usize {
        let lead = i32::from(self.defender) - i32::from(self.runner) + 1;
        (lead.clamp(-4, 4) + 4) as usize
    }
}

/// The lead of `color` in its race.
pub fn lead(geometry: &Geometry, position: &Position, color: Color) -> usize {
    let mut race = Race::default();
    for animal in Animal::ALL {
        let gait = Gait::of(animal);
        if let Some(square) = position.square_of(color, animal) {
            race.run(geometry.to_den(gait, !color, square));
        }
        if let Some(square) = position.square_of(!color, animal) {
            race.defend(geometry.to_traps(gait, !color, square));
        }
    }
    race.lead()
}

/// Calls `visit` with every feature of the position and how much of it there is, for the player to
/// move. Animals are identified by their strength under these rules, so the weights of wolves and dogs
/// hold whichever is the stronger.
pub fn for_each(rules: &Rules, position: &Position, mut visit: impl FnMut(usize, f32)) {
    let us = position.turn();
    let geometry = &*GEOMETRY;
    let opening = phase(position) as f32 / FULL_PHASE as f32;
    for (square, piece) in position.pieces() {
        let sign = if piece.color == us { 1.0 } else { -1.0 };
        let place = rules.by_strength(piece.animal).index() * FOLDED + fold(piece.color, square);
        visit(PLACES + place, sign * opening);
        visit(PLACES + Animal::COUNT * FOLDED + place, sign * (1.0 - opening));
    }
    for ours in Animal::ALL {
        let Some(here) = position.square_of(us, ours) else { continue };
        for theirs in Animal::ALL {
            let Some(there) = position.square_of(!us, theirs) else { continue };
            let (ours, theirs) = (rules.by_strength(ours), rules.by_strength(theirs));
            let distance = geometry.between(HUNTER[ours.index()][theirs.index()], here, there);
            visit(PAIRS + pair(ours, theirs, distance), 1.0);
        }
    }
    visit(OUR_RACE + lead(geometry, position, us), 1.0);
    visit(THEIR_RACE + lead(geometry, position, !us), 1.0);
}
