//! Generalised Dou Shou Qi and its PSPACE-hardness: gadgets, their contracts, and a compiler from
//! formulas to boards.
//!
//! Van Rijn and Vis prove the game PSPACE-hard with gadgets drawn by hand and argued in words. Here
//! the argument is a program. Bottom to top:
//!
//! - [`geometry`], [`board`], [`generalised`], [`text`], [`picture`]: boards of any size, their rules
//!   (those of [`jungle`]), drawings as text and as SVG.
//! - [`gadget`], [`library`], [`compose`]: fragments of boards with ports; the published ones, the
//!   repaired ones, and chains of them.
//! - [`local`], [`solve`], [`lemma`], [`repair`]: local games solved exhaustively, the lemmas as
//!   claims about them, and the search for changes that make them true.
//! - [`protector`], [`sentry`], [`published`]: what the published protector lets back, and the contracts by which the
//!   published set composes.
//! - [`composite`], [`walking`], [`march`]: small composites of it against every play, boards on which panthers walk, and games there.
//! - [`tokens`]: what a circuit of it carries by the promises of its gates alone, crossovers among them.
//! - [`formula`], [`circuit`], [`layout`]: from a positive formula to a circuit to one board.
//! - [`holding`], [`forcing`], [`contract`]: what either side can rely on in a gate whatever
//!   happens elsewhere, and that gates can be put together.
//! - [`strategy`], [`adversary`], [`play`], [`trial`]: winning strategies of the formula game carried out
//!   on that board, and opponents that search for holes in them.
//! - [`whole`]: small boards solved as a whole, without any of this.
//!
//! ```
//! use gadgets::circuit::Circuit;
//! use gadgets::formula::Formula;
//! use gadgets::layout::Layout;
//! use gadgets::play::{Opponent, Setting, play};
//!
//! let formula: Formula = "(x | y) & (x | z | w)".parse()?;
//! Layout::of(&Circuit::of(&formula)).check()?;
//! let played = play(&formula, Setting::new(Opponent::Greedy, 1));
//! assert_eq!(played.winner, Some(jungle::Color::White));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod adversary;
pub mod board;
pub mod circuit;
pub mod compose;
pub mod composite;
pub mod contract;
pub mod forcing;
pub mod formula;
pub mod gadget;
pub mod generalised;
pub mod geometry;
pub mod holding;
pub mod layout;
pub mod lemma;
pub mod library;
pub mod local;
pub mod march;
pub mod picture;
pub mod play;
pub mod protector;
pub mod published;
pub mod repair;
pub mod sentry;
pub mod solve;
pub mod strategy;
pub mod text;
pub mod tokens;
pub mod trial;
pub mod walking;
pub mod whole;

pub use board::{Board, Cell};
pub use gadget::Gadget;
pub use generalised::{BoardMove, BoardRules, GeneralisedJungle, Trapped};
pub use geometry::{Direction, Geometry, Spot};
pub use text::{BoardError, BoardFault};
