//! Puzzles of Dou Shou Qi (残局): positions in which exactly one move keeps the win, or the draw.
//!
//! A [`Puzzle`] is a position and its solution: the moves of the solver, each the only one that keeps the result, and
//! between them the best defence. Every puzzle is *proved*, at every node of its solution and for both sides, by a
//! [`Judge`]: [`Tables`], the endgame tables; or [`Force`], an exact search of forced wins that needs no tables.
//! [`prove`] checks a puzzle anew.
//!
//! [`mine`] makes collections: it samples classes of tables and plays games, keeps what is a puzzle and not trivial,
//! of those that are the same game ([`Identity`]: mirror images, colours, names of animals) one,
//! has the engine's levels try them ([`rate`]), and tags them by [`Theme`]. A [`Book`] is such a collection as a text file, a
//! line a puzzle.
//!
//! ```
//! use jungle::{Jungle, Rules};
//! use puzzles::{Book, Force, prove};
//!
//! let book: Book = "rules standard\n\
//!     0000000000 win search 900 - 7/7/2T4/7/7/7/5c1/7/6d_w c7c8 f3f2 c8c9\n".parse()?;
//! let puzzle = &book.puzzles()[0];
//! assert_eq!(puzzle.solution[0].to_string(), "c7c8");
//! // The tiger wins, but it may go by way of d7 just as well.
//! let flaw = prove(puzzle, &mut Force::new(&Jungle::new(Rules::STANDARD))).unwrap_err();
//! assert_eq!(flaw.to_string(), "move 1 (c7c8) is not the only one that keeps the win");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod book;
mod force;
mod identity;
mod judge;
pub mod mine;
mod proof;
pub mod rate;
mod theme;

#[cfg(feature = "shipped")]
pub use self::book::SHIPPED;
pub use self::book::{Book, BookError, Date, ParseDateError};
pub use self::force::Force;
pub use self::identity::Identity;
pub use self::judge::{Judge, JudgeError, Tables};
pub use self::proof::{Flaw, prove, solve};
pub use self::theme::{Theme, ThemeSet, UnknownTheme, themes};

use jungle::{Move, Position, Rules};
use serde::{Deserialize, Serialize};

/// What the solver has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// The win.
    Win,
    /// The draw.
    Draw,
}

impl Goal {
    /// Its name in data.
    pub const fn name(self) -> &'static str {
        match self {
            Goal::Win => "win",
            Goal::Draw => "draw",
        }
    }
}

/// How a puzzle is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// By endgame tables.
    Tables,
    /// By exact search of forced wins.
    Search,
}

impl Proof {
    /// Its name in data.
    pub const fn name(self) -> &'static str {
        match self {
            Proof::Tables => "tables",
            Proof::Search => "search",
        }
    }
}

/// A puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Its name, which follows from the position: the same for all that are the same game.
    pub id: String,
    /// The rules.
    pub rules: Rules,
    /// The position; the solver is to move.
    pub start: Position,
    /// What is to be kept.
    pub goal: Goal,
    /// The moves of both sides, the solver's first and last.
    pub solution: Vec<Move>,
    /// What it is about.
    pub themes: ThemeSet,
    /// How hard it is: the engine's scale of ratings (see [`rate`]).
    pub rating: u32,
    /// How it is proved.
    pub proof: Proof,
}

impl Puzzle {
    /// How many pieces there are.
    pub fn pieces(&self) -> u32 {
        self.start.occupied().len()
    }
}
