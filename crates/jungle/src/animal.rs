//! Piece types: the eight animals, sets of animals, and pieces.

use std::fmt;

use crate::Color;

/// A kind of piece. Each side has at most one of each.
///
/// The order is the one used by the papers, weakest first; which of wolf and dog is the stronger is
/// a matter of [`Rules`](crate::Rules).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Animal {
    /// 鼠, also called mouse: swims, and takes the elephant.
    Rat,
    /// 猫.
    Cat,
    /// 狼, also called fox.
    Wolf,
    /// 狗.
    Dog,
    /// 豹, also called leopard or hyena.
    Panther,
    /// 虎: jumps over water.
    Tiger,
    /// 狮: jumps over water.
    Lion,
    /// 象.
    Elephant,
}

impl Animal {
    /// How many kinds there are.
    pub const COUNT: usize = 8;

    /// All kinds, from rat to elephant.
    pub const ALL: [Animal; Animal::COUNT] = [
        Animal::Rat,
        Animal::Cat,
        Animal::Wolf,
        Animal::Dog,
        Animal::Panther,
        Animal::Tiger,
        Animal::Lion,
        Animal::Elephant,
    ];

    /// The index in [`Animal::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The capital letter of the notation: R C W D P T L E.
    pub const fn letter(self) -> char {
        match self {
            Animal::Rat => 'R',
            Animal::Cat => 'C',
            Animal::Wolf => 'W',
            Animal::Dog => 'D',
            Animal::Panther => 'P',
            Animal::Tiger => 'T',
            Animal::Lion => 'L',
            Animal::Elephant => 'E',
        }
    }

    /// The animal with this letter in either case; `J`, which some programs use for the panther
    /// (jaguar), is understood too.
    pub const fn from_letter(letter: char) -> Option<Animal> {
        Some(match letter.to_ascii_uppercase() {
            'R' => Animal::Rat,
            'C' => Animal::Cat,
            'W' => Animal::Wolf,
            'D' => Animal::Dog,
            'P' | 'J' => Animal::Panther,
            'T' => Animal::Tiger,
            'L' => Animal::Lion,
            'E' => Animal::Elephant,
            _ => return None,
        })
    }

    /// The set of just this animal.
    pub const fn set(self) -> AnimalSet {
        AnimalSet(1 << self as u8)
    }
}

impl fmt::Display for Animal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Animal::Rat => "rat",
            Animal::Cat => "cat",
            Animal::Wolf => "wolf",
            Animal::Dog => "dog",
            Animal::Panther => "panther",
            Animal::Tiger => "tiger",
            Animal::Lion => "lion",
            Animal::Elephant => "elephant",
        })
    }
}

/// A set of animals, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AnimalSet(u8);

impl AnimalSet {
    /// No animal.
    pub const EMPTY: AnimalSet = AnimalSet(0);
    /// All eight.
    pub const ALL: AnimalSet = AnimalSet(u8::MAX);

    /// The bits, the rat's lowest.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set with these bits, the rat's lowest.
    pub const fn from_bits(bits: u8) -> AnimalSet {
        AnimalSet(bits)
    }

    /// Whether the animal is in the set.
    #[inline]
    pub const fn contains(self, animal: Animal) -> bool {
        self.0 & 1 << animal as u8 != 0
    }

    /// The set with one more animal.
    #[must_use]
    pub const fn with(self, animal: Animal) -> AnimalSet {
        AnimalSet(self.0 | 1 << animal as u8)
    }

    /// The set with one animal less.
    #[must_use]
    pub const fn without(self, animal: Animal) -> AnimalSet {
        AnimalSet(self.0 & !(1 << animal as u8))
    }

    /// How many animals.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no animal.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The animals in it, weakest first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Animal> {
        Animal::ALL.into_iter().filter(move |&animal| self.contains(animal))
    }
}

impl FromIterator<Animal> for AnimalSet {
    fn from_iter<I: IntoIterator<Item = Animal>>(animals: I) -> AnimalSet {
        animals.into_iter().fold(AnimalSet::EMPTY, AnimalSet::with)
    }
}

/// The letters, strongest first, as in `ELT`.
impl fmt::Display for AnimalSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().rev().try_for_each(|animal| write!(f, "{}", animal.letter()))
    }
}

impl fmt::Debug for AnimalSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// An animal of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub animal: Animal,
}

impl Piece {
    /// The letter used in FEN: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.animal.letter(),
            Color::Black => self.animal.letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this letter, upper case for White.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Animal::from_letter(letter) {
            Some(animal) => Some(Piece { color, animal }),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'s {}", self.color, self.animal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for animal in Animal::ALL {
            for color in Color::ALL {
                let piece = Piece { color, animal };
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert_eq!(Animal::from_letter('j'), Some(Animal::Panther));
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Piece::from_letter('é'), None);
    }

    #[test]
    fn sets_are_named_strongest_first() {
        let set: AnimalSet = [Animal::Rat, Animal::Elephant, Animal::Tiger].into_iter().collect();
        assert_eq!(set.to_string(), "ETR");
        assert_eq!(set.len(), 3);
        assert!(!set.without(Animal::Rat).contains(Animal::Rat));
    }
}
