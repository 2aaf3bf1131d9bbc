//! Piece sets: the faces of the pieces, kept as SVG files in `art/`; see the README there for their
//! origin.

use std::fmt;
use std::str::FromStr;

use crate::Animal;

/// How pieces are drawn.
///
/// ```
/// use jungle::picture::PieceSet;
///
/// assert_eq!("hanzi".parse(), Ok(PieceSet::Hanzi));
/// assert_eq!(PieceSet::default().to_string(), "animals");
/// assert!("chess".parse::<PieceSet>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PieceSet {
    /// Drawn heads; on a terminal, the letters of the notation.
    #[default]
    Animals,
    /// The characters of the Chinese game: 象狮虎豹狼狗猫鼠.
    Hanzi,
}

impl PieceSet {
    /// Both sets.
    pub const ALL: [PieceSet; 2] = [PieceSet::Animals, PieceSet::Hanzi];

    /// A face as an SVG document of its own, and the width of that document.
    pub(super) fn face(self, animal: Animal) -> (&'static str, f64) {
        match self {
            PieceSet::Animals => (head(animal), 32.0),
            PieceSet::Hanzi => (outline(animal), 1000.0),
        }
    }
}

impl fmt::Display for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PieceSet::Animals => "animals",
            PieceSet::Hanzi => "hanzi",
        })
    }
}

/// The text is not the name of a set of pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a set of pieces: expected animals or hanzi")]
pub struct ParsePieceSetError(String);

impl FromStr for PieceSet {
    type Err = ParsePieceSetError;

    fn from_str(text: &str) -> Result<PieceSet, ParsePieceSetError> {
        let named = PieceSet::ALL.into_iter().find(|set| set.to_string() == text);
        named.ok_or_else(|| ParsePieceSetError(text.to_owned()))
    }
}

/// The character of an animal, simplified form, for where text will do.
pub(super) fn hanzi(animal: Animal) -> char {
    match animal {
        Animal::Rat => '鼠',
        Animal::Cat => '猫',
        Animal::Wolf => '狼',
        Animal::Dog => '狗',
        Animal::Panther => '豹',
        Animal::Tiger => '虎',
        Animal::Lion => '狮',
        Animal::Elephant => '象',
    }
}

fn head(animal: Animal) -> &'static str {
    match animal {
        Animal::Rat => include_str!("../../art/animals/rat.svg"),
        Animal::Cat => include_str!("../../art/animals/cat.svg"),
        Animal::Wolf => include_str!("../../art/animals/wolf.svg"),
        Animal::Dog => include_str!("../../art/animals/dog.svg"),
        Animal::Panther => include_str!("../../art/animals/panther.svg"),
        Animal::Tiger => include_str!("../../art/animals/tiger.svg"),
        Animal::Lion => include_str!("../../art/animals/lion.svg"),
        Animal::Elephant => include_str!("../../art/animals/elephant.svg"),
    }
}

fn outline(animal: Animal) -> &'static str {
    match animal {
        Animal::Rat => include_str!("../../art/hanzi/rat.svg"),
        Animal::Cat => include_str!("../../art/hanzi/cat.svg"),
        Animal::Wolf => include_str!("../../art/hanzi/wolf.svg"),
        Animal::Dog => include_str!("../../art/hanzi/dog.svg"),
        Animal::Panther => include_str!("../../art/hanzi/panther.svg"),
        Animal::Tiger => include_str!("../../art/hanzi/tiger.svg"),
        Animal::Lion => include_str!("../../art/hanzi/lion.svg"),
        Animal::Elephant => include_str!("../../art/hanzi/elephant.svg"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_round_trip_and_errors_name_the_remedy() {
        for set in PieceSet::ALL {
            assert_eq!(set.to_string().parse(), Ok(set));
        }
        let error = "chess".parse::<PieceSet>().unwrap_err().to_string();
        assert_eq!(error, "'chess' is not a set of pieces: expected animals or hanzi");
    }

    #[test]
    fn faces_are_documents_of_the_stated_size() {
        for set in PieceSet::ALL {
            for animal in Animal::ALL {
                let (face, width) = set.face(animal);
                let document = roxmltree::Document::parse(face).unwrap();
                let view_box = format!("0 0 {width} {width}");
                assert_eq!(document.root_element().attribute("viewBox"), Some(&*view_box));
            }
        }
    }
}
