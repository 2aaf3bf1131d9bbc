//! Causality: `mousetrap split` and `mousetrap cone`.

pub mod args;
pub mod cone;
pub mod split;
