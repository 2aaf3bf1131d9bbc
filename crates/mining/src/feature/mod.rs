//! Features: what a decision tree may ask about a position.
//!
//! A [`Feature`] turns a position into a small number: an index into a list of names, or an integer
//! from a known range. So a learner can count values in plain arrays. Every feature has a definition
//! in words, and knows how to say that it has some value in a sentence.
//!
//! There are four groups:
//!
//! - [`table3`]: the features of Table 3 of van Rijn & Vis, for one piece a side;
//! - [`cones`]: distances by movement kind, who comes first, who can take whom, for any pieces;
//! - `material`: how the pieces of a two-piece class move and who takes whom, for one tree over many
//!   classes;
//! - `squares`: where each piece stands. With these, a tree can distinguish any two positions that are
//!   not mirror images, so that it can always be made perfect, and explains nothing.
//!
//! No feature distinguishes a position from its mirror image: the tables do not either.

mod choice;
pub mod cones;
mod list;
pub mod pictures;
pub mod table3;

use std::cell::OnceCell;

use jungle::causality::{Causality, Movement, Races};
use jungle::{Color, Jungle, Piece, Position, Rules, Square};

pub use self::choice::{ChoiceError, USUAL, choose};
pub use self::list::{Group, UnknownFeature, available, select};
use self::table3::{PiecePair, READING};

/// The domain of a feature: nominal or numeric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Names without an order: the name itself, and what it says in a sentence.
    Nominal(Vec<(String, String)>),
    /// All integers from the lowest to the highest.
    Numeric {
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
            Scale::Nominal(names) => names.len(),
            Scale::Numeric { lowest, highest } => (highest - lowest + 1) as usize,
        }
    }

    /// Whether there are none; a feature always has some.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A feature of a position.
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
    pub fn value(&self, view: &PositionView<'_>) -> u8 {
        let number = match self.measure {
            Measure::Closest => return u8::from(!READING.white_is_closest(&view.pair())),
            Measure::Unopposed(color) => return READING.is_unopposed(&view.pair(), color).into(),
            Measure::Sector(color) => return table3::sector(view.pair().square(color)),
            Measure::DistanceD => READING.distance_d(&view.pair()),
            Measure::DistanceP => table3::manhattan(view.squares[0], view.squares[1]),
            Measure::Parity => {
                return table3::manhattan(view.squares[0], view.squares[1]) as u8 % 2;
            }
            Measure::Adjacent => return table3::is_adjacent(&view.pair()).into(),
            Measure::Trapped => return table3::is_trapped(&view.pair()).into(),
            Measure::CanCross => return READING.can_cross(&view.pair()).into(),
            Measure::Moves(color) => return view.pair().movement(color).index().min(2) as u8,
            Measure::Takes => return cones::takes(view),
            Measure::Den(piece) => cones::den(view, piece),
            Measure::Home(piece) => cones::home(view, piece),
            Measure::Gap(from, to) => cones::gap(view, from, to),
            Measure::Step(one, other) => return cones::step_parity(view, one, other),
            Measure::Effect(one, other) => cones::effect(view, one, other),
            Measure::Approaches(piece) => cones::approaches(view, piece),
            Measure::First => return u8::from(cones::lead(view) < 0),
            Measure::Lead => cones::lead(view),
            Measure::Margin(color) => cones::margin(view, color),
            Measure::Chase(color) => cones::chase(view, color),
            Measure::Hits(color) => cones::hits(view, color),
            Measure::Race => return cones::race(view),
            Measure::Rank(piece) => i16::from(view.squares[piece].rank()) + 1,
            Measure::Wing(piece) => cones::wing(view, piece),
            Measure::SameWing(one, other) => return cones::same_wing(view, one, other),
        };
        match self.scale {
            Scale::Numeric { lowest, highest } => (number.clamp(lowest, highest) - lowest) as u8,
            Scale::Nominal(_) => number as u8,
        }
    }

    /// A value as it is written.
    pub fn write(&self, value: u8) -> String {
        match &self.scale {
            Scale::Nominal(names) => names[usize::from(value)].0.clone(),
            Scale::Numeric { lowest, .. } => (i16::from(value) + lowest).to_string(),
        }
    }

    /// Whether the values have no order.
    pub fn is_nominal(&self) -> bool {
        matches!(self.scale, Scale::Nominal(_))
    }

    /// "The number is at least … and at most …", or what the name says. Both ends are places in the
    /// scale; with names they must be the same.
    pub fn sentence(&self, from: u8, to: u8) -> String {
        match &self.scale {
            Scale::Nominal(names) => names[usize::from(from)].1.clone(),
            Scale::Numeric { lowest, highest } => {
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

/// What features need to know of a class, compiled once.
#[derive(Clone, Debug)]
pub struct ClassContext {
    pieces: Vec<Piece>,
    movements: Vec<Movement>,
    /// How many of the pieces are White's; they come first.
    whites: usize,
    jungle: Jungle,
    causality: Causality,
    races: Races,
}

impl ClassContext {
    /// The context of pieces in the order of a class's name.
    pub fn new(rules: &Rules, pieces: &[Piece]) -> ClassContext {
        ClassContext {
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
pub struct PositionView<'a> {
    context: &'a ClassContext,
    squares: &'a [Square],
    position: OnceCell<Position>,
}

impl<'a> PositionView<'a> {
    /// The pieces of the context on these squares.
    pub fn new(context: &'a ClassContext, squares: &'a [Square]) -> PositionView<'a> {
        PositionView { context, squares, position: OnceCell::new() }
    }

    fn pair(&self) -> PiecePair {
        PiecePair {
            white: self.squares[0],
            black: self.squares[1],
            white_moves: self.context.movements[0],
            black_moves: self.context.movements[1],
        }
    }

    fn position(&self) -> &Position {
        self.position.get_or_init(|| {
            let placed = self.squares.iter().copied().zip(self.context.pieces.iter().copied());
            Position::from_pieces(placed, Color::White).expect("tables hold positions only")
        })
    }
}
