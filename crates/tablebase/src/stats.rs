//! Counts for classes by name, read off the headers of their tables.
//!
//! A table serves every class that is isomorphic to its own, and the same classes with the colours
//! exchanged, so that each named class has its counts somewhere: with White to move if it stands in
//! the table as it is, with Black to move if it stands there the other way round.

use jungle::rules::NoLegalMove;
use jungle::{Color, Rules};
use serde::Serialize;

use crate::material::{Classes, Mapping, Material};
use crate::probe::{ProbeError, Tablebase};
use crate::table::Counts;

/// Counts as they are told; the names are a contract with other programs.
///
/// The columns are those of Table 2 of van Rijn & Vis, White to move, every class by name, and one
/// more: positions without a legal move. The published counts leave those out, so where having no
/// legal move is a draw they are not among `draws` here, and the four add up to the placements.
/// Where it loses, such a position is a loss in 0 plies like any other: it is counted among `losses`
/// *and* told in `stalemates`, and wins, losses and draws alone add up.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What the row is about.
    #[serde(flatten)]
    pub of: Of,
    /// All positions.
    pub placements: u64,
    /// Those without a legal move.
    pub stalemates: u64,
    /// Those that the player to move wins.
    pub wins: u64,
    /// Those that the player to move loses.
    pub losses: u64,
    /// Those that nobody wins.
    pub draws: u64,
    /// The longest win or loss, in plies.
    pub longest: u32,
}

/// What a row is about.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Of {
    /// All classes of so many pieces.
    Pieces(u32),
    /// One class.
    Class(String),
}

impl Row {
    /// Counts under these rules.
    pub fn new(of: Of, rules: &Rules, counts: Counts) -> Row {
        let apart = match rules.no_legal_move {
            NoLegalMove::Draw => counts.stalemates,
            NoLegalMove::Loss => 0,
        };
        Row {
            of,
            placements: counts.placements(),
            stalemates: counts.stalemates,
            wins: counts.wins,
            losses: counts.losses,
            draws: counts.draws - apart,
            longest: counts.longest,
        }
    }
}

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
    let renamed = |color| material.side(color).iter().map(|a| rules.by_strength(a)).collect();
    let material = Material { white: renamed(Color::White), black: renamed(Color::Black) };
    classes.mapping(material)
}
