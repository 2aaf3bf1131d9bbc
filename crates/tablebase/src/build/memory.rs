//! Small sets built in memory, for tests and for use without a disk.

use jungle::Rules;

use super::error::BuildError;
use super::plan::Wanted;
use crate::solved::Solver;
use crate::storage::Memory;
use crate::table::{file_name, write};

/// Builds the wanted tables in memory, with distances. What they lead to is built with them.
///
/// # Errors
///
/// If a class has too many pieces.
pub fn in_memory(rules: &Rules, wanted: &Wanted) -> Result<Memory, BuildError> {
    let mut solver = Solver::new(wanted.classes(rules)?);
    let mut files = Memory::default();
    for class in wanted.layers(rules, &solver).into_iter().flatten() {
        let solved = solver.solve(class);
        let material = solver.classes().list()[class].material;
        files.insert(file_name(material), write(rules, material, &solved, true));
    }
    Ok(files)
}
