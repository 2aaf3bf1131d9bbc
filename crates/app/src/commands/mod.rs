//! One module a command.

pub mod amazons;
pub mod analyse;
pub mod bench;
pub mod book;
pub mod causality;
pub mod contest;
pub mod datagen;
pub mod escape;
pub mod gadgets;
pub mod games;
pub mod lab;
pub mod mine;
pub mod overview;
pub mod perft;
pub mod play;
pub mod protocol;
pub mod report;
pub mod repro;
pub mod rules;
pub mod serve;
pub mod shell;
pub mod show;
pub mod study;
pub mod tb;
pub mod train;
pub mod tune;
