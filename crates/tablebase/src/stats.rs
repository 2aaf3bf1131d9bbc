//! Statistics of classes by name, read off the headers of their tables.
//!
//! A table serves every class that is isomorphic to its own, and the same classes with the colours
//! exchanged, so that each named class has its counts somewhere: with White to move if it stands in
//! the table as it is, with Black to move if it stands there the other way round.

use jungle::Rules;
use jungle::rules::NoLegalMove;
use serde::Serialize;

use crate::table::Counts;

/// Counts as they are reported; the names are a contract with other programs.
///
/// The columns are those of Table 2 of van Rijn & Vis, White to move, every class by name, and one
/// more: positions without a legal move. The published counts leave those out, so where having no
/// legal move is a draw they are not among `draws` here, and the four add up to the placements.
/// Where it loses, such a position is a loss in 0 plies: it is counted among `losses`
/// *and* in `stalemates`, and wins, losses and draws alone add up.
#[derive(Clone, Debug, Serialize)]
pub struct ClassStats {
    /// What is counted.
    #[serde(flatten)]
    pub of: StatsOf,
    /// All positions.
    pub placements: u64,
    /// Those without a legal move.
    pub stalemates: u64,
    /// Those that the player to move wins.
    pub wins: u64,
    /// Those that the player to move loses.
    pub losses: u64,
    /// Those that neither side wins.
    pub draws: u64,
    /// The longest win or loss, in plies.
    pub longest: u32,
}

/// What statistics are about.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StatsOf {
    /// All classes of this many pieces.
    Pieces(u32),
    /// One class.
    Class(String),
}

impl ClassStats {
    /// Counts under these rules.
    pub(crate) fn new(of: StatsOf, rules: &Rules, counts: Counts) -> ClassStats {
        let apart = match rules.no_legal_move {
            NoLegalMove::Draw => counts.stalemates,
            NoLegalMove::Loss => 0,
        };
        ClassStats {
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
