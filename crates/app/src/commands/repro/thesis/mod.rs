//! The experiments of chapter 11 of Burnett's thesis, and of its section 4.1, played and measured anew.

pub mod figure19;
pub mod figure20;
pub mod figure21;
pub mod figure22;
pub mod gain;
mod games;
mod journal;
