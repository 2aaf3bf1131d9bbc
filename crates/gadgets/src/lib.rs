//! The hardness laboratory.
pub mod board;
pub mod ground;
pub mod text;
pub mod wilds;

pub use board::Board;
pub use ground::{Ground, Side, Spot};
pub use text::BoardError;
pub use wilds::{Step, Wilds};
