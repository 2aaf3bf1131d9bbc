//! Causality: `mousetrap split`, `mousetrap cone`, and what they are measured and drawn by.

pub mod args;
pub mod bench;
pub mod bench_mst;
pub mod cone;
pub mod figures;
mod scores;
mod sketches;
pub mod split;
