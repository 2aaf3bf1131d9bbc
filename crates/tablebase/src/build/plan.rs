//! The plan of a build: which classes are wanted, and in which order they can be built.
//!
//! A class needs those that its captures lead to, which all have one piece less. So the classes of
//! a given number of pieces form a layer, in which any order will do.

use jungle::Rules;

use super::error::BuildError;
use crate::material::{Classes, Material, table_rules};
use crate::solved::Solver;

/// The most pieces for which tables are built.
pub const MOST_PIECES: u32 = 6;

/// What to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All classes of up to this many pieces.
    Pieces(u32),
    /// These classes, under any of their names, and what they lead to.
    Classes(Vec<Material>),
}

impl Wanted {
    /// The classes up to the largest that is wanted.
    ///
    /// # Errors
    ///
    /// If that is too large.
    pub(super) fn classes(&self, rules: &Rules) -> Result<Classes, BuildError> {
        let most = MOST_PIECES;
        let pieces = match self {
            Wanted::Pieces(pieces) => (*pieces).min(most),
            Wanted::Classes(classes) => {
                if let Some(&class) = classes.iter().find(|class| class.pieces() > most) {
                    return Err(BuildError::TooManyPieces { class, most });
                }
                classes.iter().map(|class| class.pieces()).max().unwrap_or(0)
            }
        };
        Ok(Classes::new(&table_rules(rules), pieces))
    }

    /// The classes to build, as places in the solver's list, in layers; fewer pieces first.
    pub(super) fn layers(&self, rules: &Rules, solver: &Solver) -> Vec<Vec<usize>> {
        let list = solver.classes().list();
        let mut wanted = vec![matches!(self, Wanted::Pieces(_)); list.len()];
        if let Wanted::Classes(classes) = self {
            let mut open: Vec<usize> = classes
                .iter()
                .filter_map(|&class| solver.classes().mapping(renamed(rules, class)))
                .map(|mapping| mapping.class)
                .collect();
            while let Some(class) = open.pop() {
                if !wanted[class] {
                    wanted[class] = true;
                    open.extend(solver.below(class));
                }
            }
        }
        let mut layers: Vec<Vec<usize>> = Vec::new();
        let mut pieces = 0;
        for (class, _) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted) {
            let own = list[class].material.pieces();
            if own != pieces {
                layers.push(Vec::new());
                pieces = own;
            }
            layers.extend(layers.is_empty().then(Vec::new));
            if let Some(layer) = layers.last_mut() {
                layer.push(class);
            }
        }
        layers
    }
}

/// The material under the names that tables use.
fn renamed(rules: &Rules, material: Material) -> Material {
    Material {
        white: material.white.iter().map(|animal| rules.by_strength(animal)).collect(),
        black: material.black.iter().map(|animal| rules.by_strength(animal)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(rules: &Rules, wanted: &Wanted) -> Vec<Vec<String>> {
        let solver = Solver::new(wanted.classes(rules).unwrap());
        let list = solver.classes().list();
        let name = |class: usize| list[class].material.to_string();
        let layers = wanted.layers(rules, &solver);
        layers.into_iter().map(|layer| layer.into_iter().map(name).collect()).collect()
    }

    fn class(name: &str) -> Wanted {
        Wanted::Classes(vec![name.parse().unwrap()])
    }

    #[test]
    fn layers_come_by_pieces() {
        let layers = names(&Rules::LEIDEN, &Wanted::Pieces(4));
        assert_eq!(layers.len(), 3);
        for (layer, pieces) in layers.iter().zip(2..) {
            for name in layer {
                assert_eq!(name.parse::<Material>().unwrap().pieces(), pieces);
            }
        }
    }

    #[test]
    fn a_class_brings_what_it_leads_to_under_any_of_its_names() {
        let layers = names(&Rules::LEIDEN, &class("EL-RT"));
        let sizes: Vec<usize> = layers.iter().map(Vec::len).collect();
        assert_eq!(sizes, [4, 4, 1]);
        assert_eq!(layers, names(&Rules::LEIDEN, &class("RT-EL")));
        let dog = "leiden,weaker=dog".parse().unwrap();
        assert_eq!(names(&Rules::LEIDEN, &class("W-D")), names(&dog, &class("D-W")));
    }

    #[test]
    fn too_large_classes_are_refused() {
        let error = class("ELTW-RCD").classes(&Rules::LEIDEN).unwrap_err();
        assert!(error.to_string().contains("7 pieces"), "{error}");
    }
}
