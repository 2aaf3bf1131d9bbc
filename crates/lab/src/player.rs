//! Players of Jungle: [`game::player`] for games in progress under its rules.

use jungle::{Jungle, Move};

pub use game::player::{Fault, Info, Player, Turn};

/// A chosen move.
pub type Choice = game::player::Choice<Move>;

/// What a player is told when a game begins.
pub type NewGame<'a> = game::player::NewGame<'a, Jungle>;
