//! XBoard's protocol (CECP, version 2), so that XBoard and WinBoard can host the game.
//!
//! XBoard does not know the game, so the engine sends it the board and the pieces (`setup`) and checks
//! the user's moves itself; XBoard has to be started so that it does not:
//!
//! ```text
//! xboard -testLegality false -variant jungle -fcp 'mousetrap xboard'
//! ```
//!
//! Unlike in UCI, the engine keeps the game: its own moves are made on its board when the search ends. All
//! events, lines that arrive and searches that end, therefore pass through one queue, and one
//! thread handles it ([`Session::handle`]).

mod command;
mod session;

pub use command::{Command, ParseCommandError};
pub use session::{Message, Session};
