//! The hardness laboratory.
pub mod board;
pub mod circuit;
pub mod compose;
pub mod formula;
pub mod gadget;
pub mod ground;
pub mod layout;
pub mod lemma;
pub mod library;
pub mod local;
pub mod mend;
pub mod picture;
pub mod play;
pub mod solve;
pub mod text;
pub mod wilds;

pub use board::Board;
pub use gadget::Gadget;
pub use ground::{Ground, Side, Spot};
pub use text::BoardError;
pub use wilds::{Step, Wilds};
