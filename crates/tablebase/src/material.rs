//! Material classes, and the isomorphism classes among them that share a table.
//!
//! Only who can take whom and who swims or jumps matters, not an animal's name: cat against wolf is
//! the same game as cat against dog. [`Classes`] works this out from the rules in force: it writes
//! each class as a small matrix (how each piece moves, which enemies it takes), minimised over all
//! orders of the pieces and over the two ways round, and keeps one table for each distinct matrix.
//! The first class by name that has the matrix gives the table its name.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use jungle::rules::{Jumps, WolfOrDog};
use jungle::{Animal, AnimalSet, Color, Jungle, Piece, Position, Repetition, Rules};
use thiserror::Error;

/// The animals on the board: `EL-RT` is White's elephant and lion against Black's tiger and rat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material {
    /// White's animals.
    pub white: AnimalSet,
    /// Black's animals.
    pub black: AnimalSet,
}

impl Material {
    /// The material of a position.
    pub fn of(position: &Position) -> Material {
        Material {
            white: position.animals_of(Color::White),
            black: position.animals_of(Color::Black),
        }
    }

    /// One side's animals.
    pub fn side(self, color: Color) -> AnimalSet {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// How many pieces there are.
    pub fn pieces(self) -> u32 {
        self.white.len() + self.black.len()
    }

    /// The material with a piece taken off.
    #[must_use]
    pub fn without(self, piece: Piece) -> Material {
        match piece.color {
            Color::White => Material { white: self.white.without(piece.animal), ..self },
            Color::Black => Material { black: self.black.without(piece.animal), ..self },
        }
    }

    /// The pieces, White's first, on each side the strongest first: the order of columns and features.
    pub fn in_order(self) -> Vec<Piece> {
        let side =
            |color: Color| self.side(color).iter().rev().map(move |animal| Piece { color, animal });
        side(Color::White).chain(side(Color::Black)).collect()
    }

    /// The same class with the colours exchanged.
    #[must_use]
    pub fn flip(self) -> Material {
        Material { white: self.black, black: self.white }
    }

    /// The class under the names that tables use, if these rules order wolf and dog otherwise; and the
    /// way back.
    pub(crate) fn renamed(self, rules: &Rules) -> Material {
        let side = |set: AnimalSet| set.iter().map(|animal| rules.by_strength(animal)).collect();
        Material { white: side(self.white), black: side(self.black) }
    }

    /// All classes of this many pieces in which each side has one, in a fixed order: White's set by
    /// its bits, then Black's.
    pub fn all(pieces: u32) -> impl Iterator<Item = Material> {
        (1..=u8::MAX).flat_map(move |white| {
            (1..=u8::MAX)
                .map(move |black| Material {
                    white: AnimalSet::from_bits(white),
                    black: AnimalSet::from_bits(black),
                })
                .filter(move |material| material.pieces() == pieces)
        })
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.white, self.black)
    }
}

/// The text does not name a class of material.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "'{0}' is not a class: expected Red's animals, a dash and Blue's, each at most once and at \
     least one a side, as in EL-RT"
)]
pub struct ParseMaterialError(String);

impl FromStr for Material {
    type Err = ParseMaterialError;

    fn from_str(text: &str) -> Result<Material, ParseMaterialError> {
        let error = || ParseMaterialError(text.to_owned());
        let side = |letters: &str| {
            let mut set = AnimalSet::EMPTY;
            for letter in letters.chars() {
                let animal = Animal::from_letter(letter)?;
                if set.contains(animal) {
                    return None;
                }
                set = set.with(animal);
            }
            (!set.is_empty()).then_some(set)
        };
        let (white, black) = text.split_once('-').ok_or_else(error)?;
        Ok(Material {
            white: side(white).ok_or_else(error)?,
            black: side(black).ok_or_else(error)?,
        })
    }
}

/// The rules as far as tables depend on them: repetition and move limits are left out, and so is the
/// order of wolf and dog, which is only a renaming ([`Rules::by_strength`]).
pub fn table_rules(rules: &Rules) -> Rules {
    Rules {
        weaker: WolfOrDog::Wolf,
        repetition: Repetition::Ignored,
        move_limit: None,
        quiet_limit: None,
        ..*rules
    }
}

/// The name under which tables for these rules are kept: that of the first preset that agrees with
/// them as far as tables go, else the rules' text.
pub fn rules_name(rules: &Rules) -> String {
    let wanted = table_rules(rules);
    Rules::PRESETS
        .iter()
        .find(|preset| table_rules(&preset.rules) == wanted)
        .map_or_else(|| wanted.to_string(), |preset| preset.name.to_owned())
}

/// An isomorphism class: one game up to isomorphism and exchange of the colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The class that gives the table its name and its animals.
    pub material: Material,
    /// Its pieces in canonical order, White's first. Isomorphic classes fill the same slots.
    pub slots: Vec<Piece>,
    /// Whether exchanging the colours gives the same game again.
    pub symmetric: bool,
}

/// How a class of material fills the slots of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The table, as an index into [`Classes::list`].
    pub class: usize,
    /// Whether the colours are exchanged (and the board turned round) in the table.
    pub swapped: bool,
    /// The piece of the material that fills each slot.
    pub pieces: Vec<Piece>,
}

/// All classes of up to a number of pieces under given rules.
#[derive(Clone, Debug)]
pub struct Classes {
    rules: Rules,
    list: Vec<Class>,
    mappings: HashMap<Material, Mapping>,
}

impl Classes {
    /// Computes the classes of two to `pieces` pieces.
    ///
    /// ```text
    /// signature = number of the first side's pieces
    ///             how each piece moves: which jumps, and whether it swims
    ///             for each pair of enemies, who takes whom
    /// ```
    pub fn new(rules: &Rules, pieces: u32) -> Classes {
        let jungle = Jungle::new(*rules);
        let mut list: Vec<Class> = Vec::new();
        let mut known: HashMap<Signature, usize> = HashMap::new();
        let mut mappings = HashMap::new();
        for count in 2..=pieces {
            for material in Material::all(count) {
                let (signature, swapped, pieces) = canonical(&jungle, material);
                let class = *known.entry(signature).or_insert_with(|| {
                    // The class that gives the name keeps its colours.
                    let slots = if swapped { flip_colors(&pieces) } else { pieces.clone() };
                    let material = material_of(&slots);
                    let symmetric = is_symmetric(&jungle, material);
                    list.push(Class { material, slots, symmetric });
                    list.len() - 1
                });
                mappings.insert(material, Mapping { class, swapped, pieces });
            }
        }
        Classes { rules: *rules, list, mappings }
    }

    /// The rules from which the classes follow.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// One entry a table, classes of fewer pieces first.
    pub fn list(&self) -> &[Class] {
        &self.list
    }

    /// Which table serves the material, and how; `None` beyond the number of pieces asked for, or
    /// when a side has none.
    pub fn mapping(&self, material: Material) -> Option<&Mapping> {
        self.mappings.get(&material)
    }

    /// The classes that captures lead to from this one, each once; all by their places in the list.
    pub fn below(&self, class: usize) -> Vec<usize> {
        let Class { material, slots, .. } = &self.list[class];
        let left = slots.iter().map(|&victim| material.without(victim));
        let mut below: Vec<usize> =
            left.filter_map(|left| self.mapping(left)).map(|mapping| mapping.class).collect();
        below.sort_unstable();
        below.dedup();
        below
    }

    /// All named classes with their mappings, in no particular order.
    #[cfg(test)]
    pub fn mappings(&self) -> impl Iterator<Item = (Material, &Mapping)> {
        self.mappings.iter().map(|(&material, mapping)| (material, mapping))
    }
}

fn material_of(slots: &[Piece]) -> Material {
    let side = |color| slots.iter().filter(|p| p.color == color).map(|p| p.animal).collect();
    Material { white: side(Color::White), black: side(Color::Black) }
}

fn flip_colors(pieces: &[Piece]) -> Vec<Piece> {
    pieces.iter().map(|p| Piece { color: !p.color, animal: p.animal }).collect()
}

fn is_symmetric(jungle: &Jungle, material: Material) -> bool {
    material.white.len() == material.black.len()
        && oriented(jungle, material.white, material.black).0
            == oriented(jungle, material.black, material.white).0
}

/// How the pieces move and whom they take, in an order of the pieces that makes it smallest.
type Signature = Vec<u8>;

/// The smallest signature of either way round; whether that is the other way round; and the pieces
/// in the order of the signature, first side first.
fn canonical(jungle: &Jungle, material: Material) -> (Signature, bool, Vec<Piece>) {
    let (straight, white, black) = oriented(jungle, material.white, material.black);
    let (turned, black_first, white_second) = oriented(jungle, material.black, material.white);
    let pieces = |color: Color, animals: Vec<Animal>| {
        animals.into_iter().map(move |animal| Piece { color, animal })
    };
    if straight <= turned {
        (straight, false, pieces(Color::White, white).chain(pieces(Color::Black, black)).collect())
    } else {
        let first = pieces(Color::Black, black_first);
        (turned, true, first.chain(pieces(Color::White, white_second)).collect())
    }
}

/// The smallest signature over all orders of each side's pieces, with the orders that give it.
fn oriented(
    jungle: &Jungle,
    first: AnimalSet,
    second: AnimalSet,
) -> (Signature, Vec<Animal>, Vec<Animal>) {
    let mut best: Option<(Signature, Vec<Animal>, Vec<Animal>)> = None;
    for ours in permutations(first.iter().collect()) {
        for theirs in permutations(second.iter().collect()) {
            let signature = signature(jungle, &ours, &theirs);
            if best.as_ref().is_none_or(|(smallest, _, _)| signature < *smallest) {
                best = Some((signature, ours.clone(), theirs));
            }
        }
    }
    best.expect("there is at least one order")
}

fn signature(jungle: &Jungle, first: &[Animal], second: &[Animal]) -> Signature {
    let movement = |animal: &Animal| {
        let jumps = match jungle.jumps(*animal) {
            Jumps::None => 0,
            Jumps::Lengthwise => 1,
            Jumps::Sideways => 2,
            Jumps::Both => 3,
        };
        jumps | u8::from(*animal == Animal::Rat) << 2
    };
    let takes = |attacker: &Animal, victim: &Animal| {
        let swims = *attacker == Animal::Rat;
        u8::from(jungle.takes(*attacker).contains(*victim))
            | u8::from(swims && jungle.emerging_rat_takes().contains(*victim)) << 1
    };
    let mut signature = vec![first.len() as u8];
    signature.extend(first.iter().chain(second).map(movement));
    for ours in first {
        signature
            .extend(second.iter().map(|theirs| takes(ours, theirs) | takes(theirs, ours) << 2));
    }
    signature
}

fn permutations(animals: Vec<Animal>) -> Vec<Vec<Animal>> {
    if animals.len() <= 1 {
        return vec![animals];
    }
    let mut all = Vec::new();
    for at in 0..animals.len() {
        let mut rest = animals.clone();
        let head = rest.remove(at);
        all.extend(permutations(rest).into_iter().map(|mut tail| {
            tail.insert(0, head);
            tail
        }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for material in Material::all(4) {
            assert_eq!(material.to_string().parse(), Ok(material));
        }
        for bad in ["", "E", "E-", "-E", "EE-R", "X-R", "E-R-T", "E R"] {
            assert!(bad.parse::<Material>().is_err(), "{bad}");
        }
    }

    /// The published and pinned numbers of classes, ordered and up to isomorphism.
    #[test]
    fn numbers_of_classes_are_the_known_ones() {
        let rules = Rules::LEIDEN;
        let classes = Classes::new(&rules, 5);
        for (pieces, ordered, isomorphic) in [(2, 64, 17), (4, 1680, 261), (5, 4256, 680)] {
            assert_eq!(Material::all(pieces).count(), ordered);
            let tables = classes.list().iter().filter(|class| class.material.pieces() == pieces);
            let both_ways: usize = tables.map(|class| if class.symmetric { 1 } else { 2 }).sum();
            assert_eq!(both_ways, isomorphic, "{pieces} pieces");
        }
    }

    #[test]
    fn a_mapping_keeps_who_takes_whom() {
        for preset in Rules::PRESETS {
            let rules = table_rules(&preset.rules);
            let jungle = Jungle::new(rules);
            let classes = Classes::new(&rules, 4);
            for (material, mapping) in classes.mappings() {
                let class = &classes.list()[mapping.class];
                assert_eq!(mapping.pieces.len() as u32, material.pieces());
                for (a, slot_a) in mapping.pieces.iter().zip(&class.slots) {
                    assert_eq!(a.color == slot_a.color, !mapping.swapped, "{material}");
                    assert_eq!(jungle.jumps(a.animal), jungle.jumps(slot_a.animal));
                    assert_eq!(a.animal == Animal::Rat, slot_a.animal == Animal::Rat);
                    for (b, slot_b) in mapping.pieces.iter().zip(&class.slots) {
                        if a.color != b.color {
                            let takes = jungle.takes(a.animal).contains(b.animal);
                            let slot_takes = jungle.takes(slot_a.animal).contains(slot_b.animal);
                            assert_eq!(takes, slot_takes, "{material}: {a} and {b}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn rules_that_tables_cannot_tell_apart_share_a_name() {
        assert_eq!(rules_name(&Rules::STANDARD), "standard");
        assert_eq!(rules_name(&Rules::LEIDEN), "leiden");
        assert_eq!(rules_name(&"leiden,weaker=dog,move-limit=9".parse().unwrap()), "leiden");
        assert_eq!(rules_name(&Rules::TUFTS), "tufts");
        let closed = rules_name(&"leiden,shore=closed".parse().unwrap());
        assert_eq!(closed, "leiden,shore=closed");
    }
}
