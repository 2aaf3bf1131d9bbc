//! Endgame tables of Dou Shou Qi (Jungle): built, stored, probed, verified and exported.
//!
//! A table holds the game-theoretic value of every position of a *class* of material, such as `EL-RT`
//! (elephant and lion against rat and tiger): who wins with best play (win, draw or loss, WDL), and in
//! how many plies (distance to win). Values are for the player to move and do not consider repetition
//! and move limits.
//!
//! Tables are built by retrograde analysis, classes of fewer pieces first, since captures lead to them.
//! Classes that are the same game under other names (isomorphism classes: only who takes whom, who
//! swims and who jumps matters) share a table, and so does a class with its colours exchanged. On disk
//! a class is a file of blocks, coded by a range-ANS entropy coder under models of its own, of which one
//! probe reads a few; `docs/tablebase-format.md` describes it. Nothing read from a file is used
//! before its checksum is verified.
//!
//! # Asking
//!
//! ```
//! use game::truth::{Truth, Wdl};
//! use jungle::{Position, Rules};
//! use tablebase::Tablebase;
//! use tablebase::build::{Wanted, in_memory};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = Rules::LEIDEN;
//! let tables = Tablebase::new(&rules, 2, in_memory(&rules, &Wanted::Pieces(2))?);
//!
//! let position: Position = "t6/7/T6/7/7/7/7/7/7 w".parse()?;
//! assert_eq!(tables.probe(&position)?, Truth::Win(19));
//! assert_eq!(tables.probe_outcome(&position)?, Wdl::Win);
//!
//! let probed = tables.probe_position(&position)?;
//! assert_eq!(probed.moves[0].value, Truth::Win(19));
//!
//! let line = tables.line(&position)?;
//! assert_eq!(line.moves.len(), 19);
//! # Ok(())
//! # }
//! ```
//!
//! Tables on disk are opened as a [`Set`]: `Set::open_or_build(&rules, folder)?.tablebase()` answers the
//! same questions. [`batch`] asks many at once; [`class`] goes through all positions of a class.
//!
//! # Making
//!
//! [`build`] makes the files, [`verify`] checks them, [`export`] writes classes for other programs.
//! [`storage`] is where files come from: a folder, memory, or another machine.
//!
//! [`tempo`] solves parts in which sides may pass, and [`proof`] proves with them what no table holds.
//!
//! Errors say what is wrong and keep their causes; a [`Remedy`] says what would help, which front ends put
//! into the words of their users.

pub mod batch;
pub mod build;
mod cache;
pub mod catalogue;
mod cell;
pub mod class;
mod codec;
pub mod export;
mod grid;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod line;
mod lookahead;
mod material;
mod need;
mod payload;
mod plain;
mod ply;
mod probe;
pub mod proof;
pub mod publish;
mod remedy;
mod set;
mod solve;
mod solved;
pub mod starts;
mod stats;
pub mod storage;
mod table;
pub mod tempo;
pub mod verify;
mod version;
mod view;

#[cfg(test)]
mod tests;

pub use codec::Sizes;
pub use line::{Line, LineError};
pub use material::{Material, ParseMaterialError, rules_name};
pub use payload::Budget;
pub use probe::{ProbeError, Probed, ProbedMove, Tablebase};
pub use remedy::Remedy;
pub use set::{Set, SetError, set_folder, tables_folder};
pub use stats::{ClassStats, StatsOf};
pub use table::{Counts, Stored, TableError};
