//! Search constants in one place, and the pruning and selectivity heuristics by name, each with a toggle.

use std::str::FromStr;
use std::sync::LazyLock;

/// A heuristic of the search (pruning, reduction, ordering, static win detection) that makes it faster or
/// deeper without being needed for it to be right. Each can be turned off to measure its gain;
/// `docs/experiments.md` has the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selectivity {
    /// Static win detection next to the dens.
    StaticWins,
    /// Races to the dens that distances alone decide.
    Races,
    /// Null-move pruning.
    NullMove,
    /// Late-move pruning: late quiet moves are left out.
    LateMoves,
    /// Late-move reductions: late quiet moves are searched less deeply.
    Reductions,
    /// Killer moves and countermoves are tried early.
    Killers,
    /// Quiet moves are ordered by the history heuristic.
    History,
    /// Continuation history: history given the moves before.
    Continuation,
    /// Captures that lose material are tried last, and not at all in quiescence.
    LosingCaptures,
    /// Aspiration windows at the root.
    Aspiration,
    /// A repetition of a position of the game counts as a draw at its first recurrence.
    Progress,
}

impl Selectivity {
    /// All of them with their names.
    pub const NAMES: [(&'static str, Selectivity); 11] = [
        ("static-wins", Selectivity::StaticWins),
        ("races", Selectivity::Races),
        ("null-move", Selectivity::NullMove),
        ("late-moves", Selectivity::LateMoves),
        ("reductions", Selectivity::Reductions),
        ("killers", Selectivity::Killers),
        ("history", Selectivity::History),
        ("continuation", Selectivity::Continuation),
        ("losing-captures", Selectivity::LosingCaptures),
        ("aspiration", Selectivity::Aspiration),
        ("progress", Selectivity::Progress),
    ];
}

impl FromStr for Selectivity {
    type Err = UnknownSelectivity;

    fn from_str(name: &str) -> Result<Selectivity, UnknownSelectivity> {
        // The former name of static win detection.
        let name = if name == "glance" { "static-wins" } else { name };
        let found = Selectivity::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, heuristic)| *heuristic).ok_or(UnknownSelectivity)
    }
}

/// There is no heuristic of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of {}", Selectivity::NAMES.map(|(name, _)| name).join(", "))]
pub struct UnknownSelectivity;

/// Margins and depths of the search's heuristics, each with a name by which an experiment can change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    /// How many moves are tried at depth 0 before the rest is left out; more with the depth squared.
    pub late_base: i32,
    /// How much history is worth a ply of reduction.
    pub history_per_ply: i32,
    /// How wide the window at the root is to each side, at first.
    pub aspiration_width: i32,
}

impl Default for Constants {
    fn default() -> Constants {
        Constants { late_base: 4, history_per_ply: 8192, aspiration_width: 3 }
    }
}

impl Constants {
    /// The names of all of them.
    pub const NAMES: [&'static str; 3] = ["late-base", "history-per-ply", "aspiration-width"];

    /// The constant of this name.
    pub fn named(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "late-base" => &mut self.late_base,
            "history-per-ply" => &mut self.history_per_ply,
            "aspiration-width" => &mut self.aspiration_width,
            _ => return None,
        })
    }
}

/// The settings of a search's heuristics.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// The heuristic that is turned off.
    pub without: Option<Selectivity>,
    /// The constants of the others.
    pub constants: Constants,
}

impl Tuning {
    /// Whether a heuristic is used.
    #[inline]
    pub fn has(&self, heuristic: Selectivity) -> bool {
        self.without != Some(heuristic)
    }
}

/// The reductions, computed once.
pub static REDUCTIONS: LazyLock<Reductions> = LazyLock::new(Reductions::new);

/// How many plies less late moves are searched.
pub struct Reductions([[u8; 64]; 64]);

impl Reductions {
    /// The usual product of logarithms.
    fn new() -> Reductions {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                let plies = 0.5 + (depth as f64).ln() * (number as f64).ln() / 1.8;
                *cell = plies as u8;
            }
        }
        Reductions(table)
    }

    /// For the move of this number, counted from 1, at this depth.
    #[inline]
    pub fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}
