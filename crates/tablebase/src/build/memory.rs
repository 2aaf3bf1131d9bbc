//! Small sets built in memory, for tests and for use without a disk.

use jungle::Rules;

use super::error::BuildError;
use super::plan::Wanted;
use crate::material::Material;
use crate::solved::Solver;
use crate::storage::Memory;
use crate::table::{Stored, file_name, write};

/// Builds the wanted tables in memory, with distances. What they lead to is built with them.
///
/// # Errors
///
/// If a class has too many pieces.
pub fn in_memory(rules: &Rules, wanted: &Wanted) -> Result<Memory, BuildError> {
    in_memory_storing(rules, wanted, |_| Stored::USUAL)
}

/// As [`in_memory`], each class storing what is said of it.
pub(crate) fn in_memory_storing(
    rules: &Rules,
    wanted: &Wanted,
    stored: impl Fn(Material) -> Stored,
) -> Result<Memory, BuildError> {
    let mut solver = Solver::new(wanted.classes(rules)?);
    let mut files = Memory::default();
    for class in wanted.layers(rules, &solver).into_iter().flatten() {
        let solved = solver.solve(class);
        let material = solver.classes().list()[class].material;
        files.insert(file_name(material), write(rules, material, &solved, stored(material)));
    }
    Ok(files)
}
