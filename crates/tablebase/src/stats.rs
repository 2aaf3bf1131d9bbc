//! Counts for classes by name, read off the headers of their tables.
//!
//! A table serves every class that is isomorphic to its own, and the same classes with the colours
//! exchanged, so that each named class has its counts somewhere: with White to move if it stands in
//! the table as it is, with Black to move if it stands there the other way round.

use jungle::{Color, Rules};

use crate::material::{Classes, Mapping, Material, table_animal};
use crate::probe::{ProbeError, Tablebase};
use crate::table::Counts;

/// The counts of a named class with White to move, mirror images counted apart.
///
/// # Errors
///
/// If the table is missing or damaged, or the class has too many pieces.
pub fn counts(tablebase: &Tablebase, material: Material) -> Result<Counts, ProbeError> {
    let Some(mapping) = mapping(tablebase.classes(), tablebase.rules(), material) else {
        let most = tablebase.classes().list().last().map_or(0, |class| class.material.pieces());
        return Err(ProbeError::TooManyPieces { found: material.pieces(), most });
    };
    let turn = if mapping.swapped { Color::Black } else { Color::White };
    Ok(tablebase.table(mapping.class)?.header().counts[turn])
}

/// The counts of all named classes of so many pieces, taken together.
///
/// # Errors
///
/// If a table is missing or damaged.
pub fn layer(tablebase: &Tablebase, pieces: u32) -> Result<Counts, ProbeError> {
    Material::all(pieces)
        .try_fold(Counts::default(), |sum, material| Ok(sum.plus(counts(tablebase, material)?)))
}

/// Which table serves a class whose animals are named as in `rules`.
pub fn mapping<'a>(classes: &'a Classes, rules: &Rules, material: Material) -> Option<&'a Mapping> {
    let renamed = |color| material.side(color).iter().map(|a| table_animal(rules, a)).collect();
    let material = Material { white: renamed(Color::White), black: renamed(Color::Black) };
    classes.mapping(material)
}
