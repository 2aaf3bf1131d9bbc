//! Statistics of matches: Elo, normalised Elo and SPRT.
//!
//! Games come in pairs from one opening with colours exchanged, and the two games of a pair depend
//! on each other: a lopsided opening gives each side one. So the pair is the unit, with five
//! possible scores ([`Pentanomial`]), and every error bar and test here is computed from pairs.
//! What is printed and how it is defined follows fastchess and fishtest; the tests compare with
//! figures that those publish, and with maximum likelihood by brute force.

mod normal;
mod pentanomial;
mod sprt;

pub use normal::cumulative;
pub use pentanomial::{Estimate, Pentanomial, expected_score};
pub use sprt::{Model, ParseSprtError, Sprt, SprtDecision};
