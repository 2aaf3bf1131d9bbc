//! Causality: `mousetrap split` and `mousetrap cone`.

pub mod args;
pub mod cone;
mod scores;
pub mod split;
