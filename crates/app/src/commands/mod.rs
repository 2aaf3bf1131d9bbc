//! One module a command.

pub mod bench;
pub mod perft;
pub mod protocol;
pub mod repro;
pub mod rules;
pub mod serve;
pub mod shell;
pub mod show;
pub mod tb;
