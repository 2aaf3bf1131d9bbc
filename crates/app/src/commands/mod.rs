//! One module a command.

pub mod bench;
pub mod gadgets;
pub mod perft;
pub mod repro;
pub mod rules;
pub mod serve;
pub mod shell;
pub mod show;
pub mod tb;
