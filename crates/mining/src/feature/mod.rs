//! What a tree may ask about a position.
//!
//! A [`Feature`] turns a position into a small number: an index into a list of names, or an integer
//! from a known range. So a learner can count values in plain arrays. Every feature has a definition
//! in words, which `mousetrap mine --list-features` prints, and knows how to say that it has some
//! value in a sentence.
//!
//! There are four groups:
//!
//! - [`table3`]: the features of Table 3 of van Rijn & Vis, for one piece a side;
//! - [`cones`]: distances by movement kind, who comes first, who can take whom, for any pieces;
//! - `material`: how the pieces of a two-piece class move and who takes whom, for one tree over many
//!   classes;
//! - `squares`: where each piece stands. With these, a tree can tell any two positions apart that are
//!   not mirror images, so that it can always be made perfect, and explains nothing.
//!
//! No feature tells a position from its mirror image: the tables do not either.

mod choice;
pub mod cones;
mod list;
pub mod pictures;
pub mod table3;

use std::cell::OnceCell;

use jungle::causality::{Causality, Movement, Races};
use jungle::{Animal, Color, Jungle, Piece, Position, Rules, Square};

pub use self::choice::{ChoiceError, USUAL, choose};
pub use self::list::{Group, UnknownFeature, available, select};
use self::table3::{Duel, READING};

/// The values a feature has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Names without an order: the name itself, and what it says in a sentence.
    Names(Vec<(String, String)>),
    /// All integers from the lowest to the highest.
    Numbers {
        /// The lowest.
        lowest: i16,
        /// The highest.
        highest: i16,
    },
}

impl Scale {
    /// How many values there are.
    pub fn len(&self) -> usize {
        match self {
            Scale::Names(names) => names.len(),
            Scale::Numbers { lowest, highest } => (highest - lowest + 1) as usize,
        }
    }

    /// Whether there are none; a feature always has some.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A question about a position.
#[derive(Clone, Debug)]
pub struct Feature {
    /// What it is called.
    pub name: String,
    /// What it means, exactly.
    pub about: String,
    /// For numbers, what the number is: "the moves from White's cat to Black's den".
    pub noun: String,
    /// The values.
    pub scale: Scale,
    measure: Measure,
}

/// How a feature is computed. Pieces are places in the order of the class's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Closest,
    Unopposed(Color),
    Sector(Color),
    DistanceD,
    DistanceP,
    Parity,
    Adjacent,
    Trapped,
    CanCross,
    Moves(Color),
    Takes,
    Den(usize),
    Home(usize),
    Gap(usize, usize),
    Step(usize, usize),
    Effect(usize, usize),
    Approaches(usize),
    First,
    Lead,
    Margin(Color),
    Chase(Color),
    Hits(Color),
    Race,
    Rank(usize),
    Wing(usize),
    SameWing(usize, usize),
}

impl Feature {
    /// The value of a position, as a place in the scale.
    #[inline]
    pub fn value(&self, seen: &Seen<'_>) -> u8 {
        let number = match self.measure {
            Measure::Closest => return u8::from(!READING.white_is_closest(&seen.duel())),
            Measure::Unopposed(color) => return READING.is_unopposed(&seen.duel(), color).into(),
            Measure::Sector(color) => return table3::sector(seen.duel().square(color)),
            Measure::DistanceD => READING.distance_d(&seen.duel()),
            Measure::DistanceP => table3::manhattan(seen.squares[0], seen.squares[1]),
            Measure::Parity => {
                return table3::manhattan(seen.squares[0], seen.squares[1]) as u8 % 2;
            }
            Measure::Adjacent => return table3::is_adjacent(&seen.duel()).into(),
            Measure::Trapped => return table3::is_trapped(&seen.duel()).into(),
            Measure::CanCross => return READING.can_cross(&seen.duel()).into(),
            Measure::Moves(color) => return seen.duel().movement(color).index().min(2) as u8,
            Measure::Takes => return cones::takes(seen),
            Measure::Den(piece) => cones::den(seen, piece),
            Measure::Home(piece) => cones::home(seen, piece),
            Measure::Gap(from, to) => cones::gap(seen, from, to),
            Measure::Step(one, other) => return cones::step_parity(seen, one, other),
            Measure::Effect(one, other) => cones::effect(seen, one, other),
            Measure::Approaches(piece) => cones::approaches(seen, piece),
            Measure::First => return u8::from(cones::lead(seen) < 0),
            Measure::Lead => cones::lead(seen),
            Measure::Margin(color) => cones::margin(seen, color),
            Measure::Chase(color) => cones::chase(seen, color),
            Measure::Hits(color) => cones::hits(seen, color),
            Measure::Race => return cones::race(seen),
            Measure::Rank(piece) => i16::from(seen.squares[piece].rank()) + 1,
            Measure::Wing(piece) => cones::wing(seen, piece),
            Measure::SameWing(one, other) => return cones::same_wing(seen, one, other),
        };
        match self.scale {
            Scale::Numbers { lowest, highest } => (number.clamp(lowest, highest) - lowest) as u8,
            Scale::Names(_) => number as u8,
        }
    }

    /// A value as it is written.
    pub fn write(&self, value: u8) -> String {
        match &self.scale {
            Scale::Names(names) => names[usize::from(value)].0.clone(),
            Scale::Numbers { lowest, .. } => (i16::from(value) + lowest).to_string(),
        }
    }

    /// Whether the values have no order.
    pub fn is_nominal(&self) -> bool {
        matches!(self.scale, Scale::Names(_))
    }

    /// "The number is at least … and at most …", or what the name says. Both ends are places in the
    /// scale; with names they must be the same.
    pub fn sentence(&self, from: u8, to: u8) -> String {
        match &self.scale {
            Scale::Names(names) => names[usize::from(from)].1.clone(),
            Scale::Numbers { lowest, highest } => {
                let (low, high) = (i16::from(from) + lowest, i16::from(to) + lowest);
                let noun = &self.noun;
                if low == high {
                    format!("{noun} is {low}")
                } else if low == *lowest {
                    format!("{noun} is at most {high}")
                } else if high == *highest {
                    format!("{noun} is at least {low}")
                } else {
                    format!("{noun} is between {low} and {high}")
                }
            }
        }
    }
}

/// What is known of a class before any position is seen.
#[derive(Clone, Debug)]
pub struct Lore {
    pieces: Vec<Piece>,
    movements: Vec<Movement>,
    /// How many of the pieces are White's; they come first.
    whites: usize,
    jungle: Jungle,
    causality: Causality,
    races: Races,
}

impl Lore {
    /// The lore of pieces in the order of a class's name.
    pub fn new(rules: &Rules, pieces: &[Piece]) -> Lore {
        Lore {
            pieces: pieces.to_vec(),
            movements: pieces.iter().map(|piece| Movement::of(piece.animal, rules)).collect(),
            whites: pieces.iter().filter(|piece| piece.color == Color::White).count(),
            jungle: Jungle::new(*rules),
            causality: Causality::new(rules),
            races: Races::new(rules),
        }
    }

    /// The pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The places of one side's pieces.
    fn side(&self, color: Color) -> std::ops::Range<usize> {
        match color {
            Color::White => 0..self.whites,
            Color::Black => self.whites..self.pieces.len(),
        }
    }

    /// Whether one piece takes another on open land.
    fn takes(&self, attacker: usize, victim: usize) -> bool {
        self.jungle.takes(self.pieces[attacker].animal).contains(self.pieces[victim].animal)
    }
}

/// A position as features see it, White to move.
pub struct Seen<'a> {
    lore: &'a Lore,
    squares: &'a [Square],
    position: OnceCell<Position>,
}

impl<'a> Seen<'a> {
    /// The pieces of the lore on these squares.
    pub fn new(lore: &'a Lore, squares: &'a [Square]) -> Seen<'a> {
        Seen { lore, squares, position: OnceCell::new() }
    }

    fn duel(&self) -> Duel {
        Duel {
            white: self.squares[0],
            black: self.squares[1],
            white_moves: self.lore.movements[0],
            black_moves: self.lore.movements[1],
        }
    }

    fn position(&self) -> &Position {
        self.position.get_or_init(|| {
            let placed = self.squares.iter().copied().zip(self.lore.pieces.iter().copied());
            Position::from_pieces(placed, Color::White).expect("tables hold positions only")
        })
    }
}

/// "White's elephant".
pub(crate) fn piece_name(piece: Piece) -> String {
    let animal = match piece.animal {
        Animal::Rat => "rat",
        Animal::Cat => "cat",
        Animal::Wolf => "wolf",
        Animal::Dog => "dog",
        Animal::Panther => "panther",
        Animal::Tiger => "tiger",
        Animal::Lion => "lion",
        Animal::Elephant => "elephant",
    };
    format!("{}'s {animal}", piece.color)
}
