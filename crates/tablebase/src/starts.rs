//! Starts with few animals: both sides begin with only some of theirs, on the squares where they stand in a game.

use jungle::{AnimalSet, Color, Position};

use crate::material::Material;

/// The start of a game in which each side has only these animals; White moves first. `None` if a side has none.
pub fn start(class: Material) -> Option<Position> {
    if class.white.is_empty() || class.black.is_empty() {
        return None;
    }
    let all = Position::start();
    let kept = all.pieces().filter(|(_, piece)| class.side(piece.color).contains(piece.animal));
    Position::from_pieces(kept.collect::<Vec<_>>(), Color::White).ok()
}

/// All classes in which White has this many animals and Black that many: by White's animals, then Black's, the
/// stronger ones first.
pub fn classes(white: u32, black: u32) -> Vec<Material> {
    let sides = |count: u32| {
        let sets = (0..=u8::MAX).rev().map(AnimalSet::from_bits);
        sets.filter(|set| set.len() == count).collect::<Vec<_>>()
    };
    let (white, black) = (sides(white), sides(black));
    let pairs = white.iter().flat_map(|&white| black.iter().map(move |&black| (white, black)));
    pairs.map(|(white, black)| Material { white, black }).collect()
}

#[cfg(test)]
mod tests {
    use jungle::Animal;

    use super::*;

    #[test]
    fn starts_have_the_animals_where_games_have_them() {
        let classes = classes(2, 2);
        assert_eq!(classes.len(), 784);
        assert_eq!(
            (classes[0].to_string(), classes[783].to_string()),
            ("EL-EL".into(), "CR-CR".into())
        );
        for class in classes {
            let position = start(class).unwrap();
            assert_eq!((Material::of(&position), position.turn()), (class, Color::White));
            for (square, piece) in position.pieces() {
                assert_eq!(Position::start().square_of(piece.color, piece.animal), Some(square));
            }
        }
        let nobody = Material { white: AnimalSet::EMPTY, black: Animal::Rat.set() };
        assert_eq!(start(nobody), None);
    }
}
