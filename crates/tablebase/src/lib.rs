//! Endgame tables of Dou Shou Qi.

pub mod batch;
pub mod build;
pub mod cache;
pub mod cell;
pub mod checked;
pub mod codec;
pub mod export;
pub mod grid;
pub mod line;
pub mod lookahead;
pub mod material;
pub mod need;
pub mod plain;
pub mod probe;
pub mod races;
pub mod scan;
pub mod set;
pub mod solve;
pub mod solved;
pub mod source;
pub mod stats;
pub mod table;
pub mod truth;
pub mod verify;
pub mod view;
