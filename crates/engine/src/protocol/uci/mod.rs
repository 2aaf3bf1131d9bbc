//! The Universal Chess Interface (UCI), as far as it makes sense for this game.
//!
//! What other programs can rely on:
//! - Every `go` is answered by exactly one `bestmove`, whatever else arrives meanwhile; `bestmove (none)`
//!   if the game is over.
//! - What is not understood is answered by an `info string` and changes nothing. A `position` with an
//!   illegal move leaves the position as it was.
//! - Commands that need the search to be over (`position` does not) stop it first, so its `bestmove`
//!   comes before their effect.
//!
//! `score mate N` counts moves until the den is entered or the last piece is taken.

mod command;
mod session;

pub use command::{Command, Go, ParseCommandError};
pub use session::Session;
