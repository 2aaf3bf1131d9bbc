//! Search constants in one place, and the pruning and selectivity heuristics by name, each with a toggle.

use std::str::FromStr;

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
    /// How many moves are tried at depth 0 before the rest is left out.
    pub late_base: i32,
    /// How many more with the depth squared, in sixteenths.
    pub late_depth: i32,
    /// How many plies less late moves are searched at least, in hundredths.
    pub reduction_base: i32,
    /// What the logarithms of depth and number, multiplied, are divided by for the rest, in hundredths.
    pub reduction_divisor: i32,
    /// How much history is worth a ply of reduction.
    pub history_per_ply: i32,
    /// How much a cutoff at depth 1 adds to history; more with the depth squared.
    pub history_bonus: i32,
    /// The most that it adds.
    pub history_most: i32,
    /// How many plies less a null move is searched at least.
    pub null_base: i32,
    /// A ply less for so much that the evaluation is above the window, twice at most.
    pub null_margin: i32,
    /// How wide the window at the root is to each side, at first.
    pub aspiration_width: i32,
}

impl Default for Constants {
    fn default() -> Constants {
        Constants {
            late_base: 4,
            late_depth: 16,
            reduction_base: 50,
            reduction_divisor: 180,
            history_per_ply: 8192,
            history_bonus: 16,
            history_most: 1600,
            null_base: 3,
            null_margin: 150,
            aspiration_width: 3,
        }
    }
}

/// What tuning has to know of a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// Its name.
    pub name: &'static str,
    /// The least it can be.
    pub least: i32,
    /// The most.
    pub most: i32,
    /// A difference that may be felt in a match.
    pub step: f64,
}

impl Constants {
    /// All of them.
    pub const ALL: [Constant; 10] = [
        Constant { name: "late-base", least: 1, most: 30, step: 1.0 },
        Constant { name: "late-depth", least: 1, most: 100, step: 3.0 },
        Constant { name: "reduction-base", least: 0, most: 200, step: 10.0 },
        Constant { name: "reduction-divisor", least: 80, most: 500, step: 15.0 },
        Constant { name: "history-per-ply", least: 1000, most: 100_000, step: 1000.0 },
        Constant { name: "history-bonus", least: 1, most: 200, step: 3.0 },
        Constant { name: "history-most", least: 100, most: 16_000, step: 200.0 },
        Constant { name: "null-base", least: 1, most: 6, step: 0.5 },
        Constant { name: "null-margin", least: 20, most: 2000, step: 20.0 },
        Constant { name: "aspiration-width", least: 1, most: 200, step: 1.0 },
    ];

    /// The constant of this name.
    pub fn named(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "late-base" => &mut self.late_base,
            "late-depth" => &mut self.late_depth,
            "reduction-base" => &mut self.reduction_base,
            "reduction-divisor" => &mut self.reduction_divisor,
            "history-per-ply" => &mut self.history_per_ply,
            "history-bonus" => &mut self.history_bonus,
            "history-most" => &mut self.history_most,
            "null-base" => &mut self.null_base,
            "null-margin" => &mut self.null_margin,
            "aspiration-width" => &mut self.aspiration_width,
            _ => return None,
        })
    }

    /// A constant that is out of range, if there is one.
    pub fn out_of_range(mut self) -> Option<Constant> {
        Constants::ALL.into_iter().find(|constant| {
            let Constant { name, least, most, .. } = *constant;
            self.named(name).is_some_and(|value| !(least..=most).contains(value))
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

/// How many plies less late moves are searched, computed once.
pub struct Reductions([[u8; 64]; 64]);

impl Reductions {
    /// The usual product of logarithms.
    pub fn new(constants: &Constants) -> Reductions {
        let base = f64::from(constants.reduction_base) / 100.0;
        let divisor = f64::from(constants.reduction_divisor) / 100.0;
        let logarithms: [f64; 64] = std::array::from_fn(|number| (number.max(1) as f64).ln());
        let mut table = [[0; 64]; 64];
        for (row, depth) in table.iter_mut().zip(logarithms).skip(1) {
            for (cell, number) in row.iter_mut().zip(logarithms).skip(1) {
                *cell = (base + depth * number / divisor) as u8;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_names_and_ranges() {
        let mut constants = Constants::default();
        assert!(constants.out_of_range().is_none());
        for Constant { name, least, most, step } in Constants::ALL {
            let value = constants.named(name).unwrap();
            // Tuning moves it to either side.
            let start = f64::from(*value);
            assert!(start - step >= f64::from(least) && start + step <= f64::from(most), "{name}");
            *value = most + 1;
            assert_eq!(constants.out_of_range().unwrap().name, name);
            constants = Constants::default();
        }
        assert!(constants.named("late-bas").is_none());
    }
}
