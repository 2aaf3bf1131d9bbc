//! Players of Jungle: [`game::player`] for games in progress under its rules.

use jungle::{Jungle, Move};

pub use game::player::{Fault, Info, Player, Turn};

/// A chosen move.
pub type Choice = game::player::Choice<Move>;

/// The start of a game, as a player sees it.
pub type NewGame<'a> = game::player::NewGame<'a, Jungle>;
