//! Endgame tables of Dou Shou Qi.

pub mod cell;
pub mod grid;
pub mod material;
pub mod solve;
pub mod solved;
pub mod view;
