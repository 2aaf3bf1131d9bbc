//! The outline of a build, for those who divide it among machines: what each class needs and leads to.

use jungle::{Jungle, Rules};

use super::error::BuildError;
use super::forecast::{self, Forecast};
use super::plan::Wanted;
use crate::grid::Grid;
use crate::material::Material;
use crate::need;
use crate::solved::Solver;

/// A class to be built.
#[derive(Clone, Debug)]
pub struct PlannedClass {
    /// The class, under the name that the rules give it.
    pub class: Material,
    /// The classes that it is solved from, which all have a piece less.
    pub below: Vec<Material>,
    /// How many positions it has indices for: its work.
    pub work: u64,
    /// How many bytes of memory it takes, those it is solved from included; what is the same for every class, as
    /// threads and code, is not counted.
    pub memory: u64,
    /// As much if a win takes so long that distances need two bytes.
    pub memory_wide: u64,
    /// How many bytes its table will have, roughly.
    pub bytes: u64,
}

impl PlannedClass {
    /// How many seconds it will take on this many threads, roughly.
    pub fn seconds(&self, threads: usize) -> f64 {
        Forecast { work: self.work, ..Forecast::default() }.seconds(threads)
    }
}

/// All wanted classes, in layers of equally many pieces, fewer pieces first. Within a layer any order will do; a
/// layer needs the one before it. Nothing is looked up on a disk.
///
/// # Errors
///
/// If a class has too many pieces.
pub fn outline(rules: &Rules, wanted: &Wanted) -> Result<Vec<Vec<PlannedClass>>, BuildError> {
    let solver = Solver::new(wanted.classes(rules)?);
    let list = solver.classes().list();
    let jungle = Jungle::new(*solver.classes().rules());
    let named = |class: usize| list[class].material.renamed(rules);
    let planned = |class: usize| {
        let grid = Grid::new(&jungle, &list[class].slots);
        let (narrow, wide) = (need::working(&grid, 1), need::working(&grid, 2));
        let (work, memory) = (solver.size(class), solver.need(class));
        PlannedClass {
            class: named(class),
            below: solver.below(class).into_iter().map(named).collect(),
            work,
            memory,
            // What it is solved from may need two bytes as well.
            memory_wide: 2 * (memory - narrow) + wide,
            bytes: forecast::bytes(work),
        }
    };
    let layers = wanted.layers(rules, &solver);
    Ok(layers.into_iter().map(|layer| layer.into_iter().map(planned).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_comes_after_those_it_is_solved_from() {
        let layers = outline(&Rules::LEIDEN, &Wanted::Pieces(4)).unwrap();
        let sizes: Vec<usize> = layers.iter().map(Vec::len).collect();
        assert_eq!(sizes.iter().sum::<usize>(), 186);
        let mut before: Vec<Material> = Vec::new();
        for layer in &layers {
            for class in layer {
                assert!(class.below.iter().all(|below| before.contains(below)), "{}", class.class);
                assert!(class.work < class.memory && class.memory < class.memory_wide);
                assert!(class.seconds(2) < class.seconds(1));
            }
            before = layer.iter().map(|class| class.class).collect();
        }
        let most = |pieces: u32| {
            outline(&Rules::STANDARD, &Wanted::Pieces(pieces))
                .map(|layers| layers.iter().flatten().map(|class| class.memory).max().unwrap_or(0))
        };
        assert!(most(3).unwrap() < most(4).unwrap());
    }
}
