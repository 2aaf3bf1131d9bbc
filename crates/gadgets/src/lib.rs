//! The hardness laboratory: Dou Shou Qi on boards of any size, and what can be forced there.
//!
//! Van Rijn and Vis prove the game PSPACE-hard with gadgets drawn by hand and argued in words. Here
//! the argument is a program. Bottom to top:
//!
//! - [`ground`], [`board`], [`wilds`], [`text`], [`picture`]: generalised boards, their rules (those of
//!   [`jungle`]), drawings as text and as SVG.
//! - [`gadget`], [`library`], [`compose`]: fragments of boards with ports; the published ones, the
//!   mended ones, and chains of them.
//! - [`local`], [`solve`], [`lemma`], [`mend`]: local games solved exhaustively, the lemmas as
//!   statements about them, and the search for changes that make them true.
//! - [`formula`], [`circuit`], [`layout`]: from a positive formula to a circuit to one board.
//! - [`play`]: strategies for the formula game, carried out on that board.
//!
//! ```
//! use gadgets::circuit::Circuit;
//! use gadgets::formula::Formula;
//! use gadgets::layout::Layout;
//! use gadgets::play::{Outsider, play};
//!
//! let formula: Formula = "(x | y) & (x | z | w)".parse()?;
//! Layout::of(&Circuit::of(&formula)).check()?;
//! let played = play(&formula, Outsider::Greedy, 1);
//! assert_eq!(played.winner, Some(jungle::Color::White));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
