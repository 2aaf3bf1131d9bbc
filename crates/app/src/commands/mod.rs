//! One module a command.

pub mod bench;
pub mod causality;
pub mod contest;
pub mod lab;
pub mod perft;
pub mod play;
pub mod protocol;
pub mod repro;
pub mod rules;
pub mod serve;
pub mod shell;
pub mod show;
pub mod tb;
