//! Endgame tables of Dou Shou Qi.

pub mod build;
pub mod cache;
pub mod cell;
pub mod checked;
pub mod codec;
pub mod grid;
pub mod material;
pub mod need;
pub mod probe;
pub mod solve;
pub mod solved;
pub mod source;
pub mod table;
pub mod view;
