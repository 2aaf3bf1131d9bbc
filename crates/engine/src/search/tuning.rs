//! The constants of the search, in one place, and its shortcuts by name.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// Something that makes the search faster or deeper without being needed for it to be right. Each can
/// be turned off, to see what it is worth; `docs/experiments.md` has the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortcut {
    /// Wins and losses next to the dens, told at a glance.
    Glance,
    /// Races to the dens that distances alone decide.
    Races,
    /// Passing, to see whether the position is good enough for that.
    NullMove,
    /// Late quiet moves are left out.
    LateMoves,
    /// Late quiet moves are searched less deeply.
    Reductions,
    /// Killers and countermoves are tried early.
    Killers,
    /// Quiet moves are ordered by history.
    History,
    /// History given the moves before.
    Continuation,
    /// Captures that lose material are tried last, and not at all in quiescence.
    LosingCaptures,
    /// Narrow windows at the root.
    Aspiration,
    /// A position of the game that comes back once counts as a draw.
    Progress,
}

impl Shortcut {
    /// All of them with their names.
    pub const NAMES: [(&'static str, Shortcut); 11] = [
        ("glance", Shortcut::Glance),
        ("races", Shortcut::Races),
        ("null-move", Shortcut::NullMove),
        ("late-moves", Shortcut::LateMoves),
        ("reductions", Shortcut::Reductions),
        ("killers", Shortcut::Killers),
        ("history", Shortcut::History),
        ("continuation", Shortcut::Continuation),
        ("losing-captures", Shortcut::LosingCaptures),
        ("aspiration", Shortcut::Aspiration),
        ("progress", Shortcut::Progress),
    ];
}

impl FromStr for Shortcut {
    type Err = UnknownShortcut;

    fn from_str(name: &str) -> Result<Shortcut, UnknownShortcut> {
        let found = Shortcut::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, shortcut)| *shortcut).ok_or(UnknownShortcut)
    }
}

/// There is no shortcut of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownShortcut;

impl fmt::Display for UnknownShortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Shortcut::NAMES.iter().map(|(name, _)| *name).collect();
        write!(f, "expected one of {}", names.join(", "))
    }
}

impl std::error::Error for UnknownShortcut {}

/// Margins and depths of the search's shortcuts, each with a name by which an experiment can change it.
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

/// What a search is told of its shortcuts.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// What is turned off.
    pub without: Option<Shortcut>,
    /// The constants of the others.
    pub constants: Constants,
}

impl Tuning {
    /// Whether a shortcut is taken.
    #[inline]
    pub fn has(&self, shortcut: Shortcut) -> bool {
        self.without != Some(shortcut)
    }
}

/// The reductions, worked out once.
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
