//! Move legality: the legal move between two squares, or why there is none.
//!
//! The generator only ever lists what is legal, which does not help anyone who wants to
//! know why their move is not in the list. [`Jungle::find_move`] asks the questions of the rule
//! sheet one after another (can the animal get there at all? may it? may it take what stands
//! there?) and keeps the first "no" as an [`IllegalReason`]. Tests hold it against the generator:
//! it finds no reason exactly where a move is legal.

use std::fmt;

use game::Game;

use crate::board::{self, Axis, DEN, WATER};
use crate::{Animal, Color, Ending, Jungle, Move, Piece, Position, Square};

/// Why a move is illegal.
///
/// ```
/// use jungle::legality::IllegalReason;
/// use jungle::{Animal, Jungle, Position, Rules, Square};
///
/// let jungle = Jungle::new(Rules::STANDARD);
/// let illegal = jungle.find_move(&Position::start(), Square::C3, Square::C4).unwrap_err();
/// assert_eq!(illegal.reason, IllegalReason::Water(Animal::Wolf));
/// assert_eq!(
///     illegal.to_string(),
///     "c3c4 is illegal: the wolf cannot enter the water; it can go to c2, b3 or d3"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalReason {
    /// The game is over.
    Over(Ending),
    /// The side to move has no such piece on the square.
    NoSuchPiece {
        /// Who is to move.
        color: Color,
        /// The animal asked for, if one was named.
        animal: Option<Animal>,
        /// What stands there instead.
        found: Option<Piece>,
    },
    /// The squares are neither neighbours nor on opposite shores.
    TooFar(Animal),
    /// The square is the mover's own den.
    OwnDen,
    /// The animal does not swim.
    Water(Animal),
    /// The animal does not jump this way.
    NoJump(Animal, Axis),
    /// A rat swims in the line of the jump.
    RatBlocks(Square),
    /// One of the mover's own animals stands there.
    OwnPiece(Animal),
    /// The move was said to take something, and nothing (or something else) stands there.
    WrongVictim {
        /// What was said to stand there.
        named: Option<Animal>,
        /// What does.
        found: Option<Animal>,
    },
    /// The victim is too strong.
    DoesNotTake {
        /// Who would take.
        attacker: Animal,
        /// Who would be taken.
        victim: Animal,
    },
    /// The shore lies between the rat and its victim.
    Shore(Animal),
    /// The position would occur for the third time, which the rules forbid.
    Repetition,
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalReason::Over(ending) => write!(f, "the game is over ({ending})"),
            IllegalReason::NoSuchPiece { color, animal, found } => {
                let adjective = adjective(color);
                match animal {
                    Some(animal) => write!(f, "no {adjective} {animal} is there")?,
                    None => write!(f, "no {adjective} piece is there")?,
                }
                match found {
                    Some(piece) => write!(f, ", but {piece} is"),
                    None => Ok(()),
                }
            }
            IllegalReason::TooFar(animal @ (Animal::Panther | Animal::Tiger | Animal::Lion)) => {
                write!(f, "the {animal} goes one step along a file or rank, or jumps over water")
            }
            IllegalReason::TooFar(animal) => {
                write!(f, "the {animal} goes one step along a file or rank")
            }
            IllegalReason::OwnDen => f.write_str("no piece may enter its own den"),
            IllegalReason::Water(animal) => write!(f, "the {animal} cannot enter the water"),
            IllegalReason::NoJump(animal, axis) => {
                let way = match axis {
                    Axis::Lengthwise => "lengthwise",
                    Axis::Sideways => "sideways",
                };
                write!(f, "under these rules the {animal} does not jump {way}")
            }
            IllegalReason::RatBlocks(square) => write!(f, "a rat on {square} blocks the jump"),
            IllegalReason::OwnPiece(animal) => {
                write!(f, "{} of the same side stands there", with_article(animal))
            }
            IllegalReason::WrongVictim { named: Some(animal), .. } => {
                write!(f, "no {animal} stands there to be taken")
            }
            IllegalReason::WrongVictim { named: None, found: Some(animal) } => {
                write!(f, "the move does not name the {animal} that it takes")
            }
            IllegalReason::WrongVictim { named: None, found: None } => {
                f.write_str("nothing stands there to be taken")
            }
            IllegalReason::DoesNotTake { attacker, victim } => {
                write!(f, "{} does not take {}", with_article(attacker), with_article(victim))
            }
            IllegalReason::Shore(victim) => {
                write!(f, "a rat does not take {} across the shore", with_article(victim))
            }
            IllegalReason::Repetition => f.write_str("the position would occur for the third time"),
        }
    }
}

/// A move that is not legal: which, why, and what the piece can do instead.
///
/// ```
/// use jungle::{Jungle, Position, Rules, Square};
///
/// let jungle = Jungle::new(Rules::STANDARD);
/// let illegal = jungle.find_move(&Position::start(), Square::A3, Square::B4).unwrap_err();
/// let instead: Vec<_> = illegal.legal.iter().map(ToString::to_string).collect();
/// assert_eq!(instead, ["a3a2", "a3b3", "a3a4"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct IllegalMove {
    /// Where the piece would have gone from.
    pub from: Square,
    /// Where it would have gone.
    pub to: Square,
    /// The rule that forbids it.
    pub reason: IllegalReason,
    /// The legal moves of the piece, or of all pieces if there is no such piece.
    pub legal: Vec<Move>,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} is illegal: {}", self.from, self.to, self.reason)?;
        match self.reason {
            IllegalReason::Over(_) => Ok(()),
            IllegalReason::NoSuchPiece { .. } => {
                write!(f, "; the legal moves are {}", list(self.legal.iter(), "and"))
            }
            _ if self.legal.is_empty() => f.write_str("; it cannot move at all"),
            _ => write!(f, "; it can go to {}", list(self.legal.iter().map(|mv| mv.to), "or")),
        }
    }
}

impl Jungle {
    /// The legal move between two squares.
    ///
    /// # Errors
    ///
    /// Says why there is none. Repetition and limits, which depend on the moves before, are left to
    /// [`Play`](crate::Play).
    pub fn find_move(
        &self,
        position: &Position,
        from: Square,
        to: Square,
    ) -> Result<Move, IllegalMove> {
        self.check_move(position, from, to)
            .map_err(|reason| self.illegal(position, from, to, reason))
    }

    /// The error for a reason: with the legal moves to offer instead.
    pub(crate) fn illegal(
        &self,
        position: &Position,
        from: Square,
        to: Square,
        reason: IllegalReason,
    ) -> IllegalMove {
        let mut legal = self.moves(position);
        if !matches!(reason, IllegalReason::NoSuchPiece { .. }) {
            legal.retain(|mv| mv.from == from);
        }
        IllegalMove { from, to, reason, legal }
    }

    fn check_move(
        &self,
        position: &Position,
        from: Square,
        to: Square,
    ) -> Result<Move, IllegalReason> {
        if let Some(ending) = self.decided(position) {
            return Err(IllegalReason::Over(ending));
        }
        let color = position.turn();
        let found = position.piece_at(from);
        let Some(Piece { animal, .. }) = found.filter(|piece| piece.color == color) else {
            return Err(IllegalReason::NoSuchPiece { color, animal: None, found });
        };
        self.check_way(position, color, animal, from, to)?;
        let captured = match position.piece_at(to) {
            None => None,
            Some(piece) if piece.color == color => {
                return Err(IllegalReason::OwnPiece(piece.animal));
            }
            Some(Piece { animal: victim, .. }) => {
                self.check_capture(position, color, (animal, from), (victim, to))?;
                Some(victim)
            }
        };
        Ok(Move { animal, from, to, captured })
    }

    /// Whether an animal gets from one square to the other, whatever stands there.
    fn check_way(
        &self,
        position: &Position,
        color: Color,
        animal: Animal,
        from: Square,
        to: Square,
    ) -> Result<(), IllegalReason> {
        if board::neighbours(from).contains(to) {
            if to == DEN[color] {
                return Err(IllegalReason::OwnDen);
            }
            if WATER.contains(to) && animal != Animal::Rat {
                return Err(IllegalReason::Water(animal));
            }
            return Ok(());
        }
        let jump = board::jumps(from).iter().find(|jump| jump.to == to);
        let jump = jump.ok_or(IllegalReason::TooFar(animal))?;
        if !self.jumps(animal).allow(jump.axis) {
            let jumper = matches!(animal, Animal::Panther | Animal::Tiger | Animal::Lion);
            return Err(if jumper {
                IllegalReason::NoJump(animal, jump.axis)
            } else {
                IllegalReason::TooFar(animal)
            });
        }
        match (jump.over & position.animal(Animal::Rat)).first() {
            Some(rat) => Err(IllegalReason::RatBlocks(rat)),
            None => Ok(()),
        }
    }

    fn check_capture(
        &self,
        position: &Position,
        color: Color,
        (attacker, from): (Animal, Square),
        (victim, to): (Animal, Square),
    ) -> Result<(), IllegalReason> {
        if self.prey(position, color, attacker, from).contains(to) {
            return Ok(());
        }
        let strong_enough =
            self.takes(attacker).contains(victim) || self.weak_squares(!color).contains(to);
        Err(if strong_enough {
            IllegalReason::Shore(victim)
        } else {
            IllegalReason::DoesNotTake { attacker, victim }
        })
    }
}

/// `red` or `blue`.
pub(crate) fn adjective(color: Color) -> &'static str {
    match color {
        Color::White => "red",
        Color::Black => "blue",
    }
}

/// `a cat`, `an elephant`.
fn with_article(animal: Animal) -> String {
    let article = if animal == Animal::Elephant { "an" } else { "a" };
    format!("{article} {animal}")
}

/// `a, b or c`.
pub(crate) fn list(items: impl Iterator<Item: fmt::Display>, last: &str) -> String {
    let mut items: Vec<String> = items.map(|item| item.to_string()).collect();
    match items.pop() {
        None => "none".to_owned(),
        Some(only) if items.is_empty() => only,
        Some(end) => format!("{} {last} {end}", items.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn reason(rules: &str, fen: &str, mv: &str) -> String {
        let jungle = Jungle::new(rules.parse().unwrap());
        let position: Position = fen.parse().unwrap();
        let square = |text: &str| text.parse().unwrap();
        jungle
            .find_move(&position, square(&mv[..2]), square(&mv[2..]))
            .unwrap_err()
            .reason
            .to_string()
    }

    #[test]
    fn each_reason_has_its_words() {
        let start = crate::fen::START;
        assert_eq!(reason("standard", start, "c3c4"), "the wolf cannot enter the water");
        assert_eq!(
            reason("standard", start, "a1a3"),
            "the tiger goes one step along a file or rank, or jumps over water"
        );
        assert_eq!(
            reason("standard", start, "a3c3"),
            "the elephant goes one step along a file or rank"
        );
        assert_eq!(reason("standard", start, "d5d6"), "no red piece is there");
        assert_eq!(reason("standard", start, "a7a6"), "no red piece is there, but Blue's rat is");
        assert_eq!(
            reason("standard", "7/7/7/7/7/7/7/7/2C3r w", "c1d1"),
            "no piece may enter its own den"
        );
        assert_eq!(
            reason("standard", "7/7/7/7/1r5/7/1L5/7/7 w", "b3b7"),
            "a rat on b5 blocks the jump"
        );
        assert_eq!(
            reason("standard,tiger-jumps=none", "6r/7/7/7/7/7/1T5/7/7 w", "b3b7"),
            "under these rules the tiger does not jump lengthwise"
        );
        assert_eq!(
            reason("standard", "7/7/7/7/7/7/Ct5/7/7 w", "a3b3"),
            "a cat does not take a tiger"
        );
        assert_eq!(
            reason("standard", "7/7/7/7/7/7/Er5/7/7 w", "a3b3"),
            "an elephant does not take a rat"
        );
        assert_eq!(
            reason("standard", "7/7/7/7/eR5/7/7/7/7 w", "b5a5"),
            "a rat does not take an elephant across the shore"
        );
        assert_eq!(
            reason("standard", "7/7/7/7/7/7/EC5/7/6r w", "a3b3"),
            "a cat of the same side stands there"
        );
        assert_eq!(
            reason("standard", "3E3/7/7/7/7/7/7/7/6r b", "g1g2"),
            "the game is over (Red wins by entering the den)"
        );
    }

    #[test]
    fn the_remedy_lists_what_the_piece_can_do() {
        let jungle = Jungle::new(Rules::STANDARD);
        let message = |fen: &str, from, to| {
            let position: Position = fen.parse().unwrap();
            jungle.find_move(&position, from, to).unwrap_err().to_string()
        };
        let fen = "7/7/7/7/7/7/7/7/L5r w";
        assert!(message(fen, Square::A1, Square::A3).ends_with("; it can go to b1 or a2"));
        assert!(
            message(fen, Square::A5, Square::A3).ends_with("; the legal moves are a1b1 and a1a2")
        );
        assert!(
            message("7/7/7/7/7/7/t6/7/7 w", Square::A3, Square::A4)
                .ends_with("(Blue wins by taking the last piece)")
        );
        let shut_in = "7/7/7/7/7/7/7/l6/Ct5 w";
        assert!(message(shut_in, Square::A1, Square::A2).ends_with("; it cannot move at all"));
    }
}
