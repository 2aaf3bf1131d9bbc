//! XBoard's protocol (CECP, version 2), so that XBoard and WinBoard can host the game.
//!
//! XBoard does not know the game, so the engine tells it the board and the pieces (`setup`) and judges
//! the user's moves itself; XBoard has to be told not to:
//!
//! ```text
//! xboard -testLegality false -variant jungle -fcp 'mousetrap xboard'
//! ```
//!
//! Unlike UCI, the engine keeps the game: its own moves are made on its board when the search ends. All
//! that happens, lines that arrive and searches that end, therefore passes through one queue, and one
//! thread looks after it ([`Session::handle`]).

mod command;
mod session;

pub use command::{Command, ParseCommandError};
pub use session::{Message, Session};
