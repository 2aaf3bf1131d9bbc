//! The kinds of players. To add one: a file here that gives a [`Kind`], and a line in [`KINDS`].

pub mod alphabeta;
mod champion;
mod escape;
mod greedy;
mod random;
pub mod thesis;
pub mod uci;

use crate::spec::Kind;

/// All kinds, as offered to the user.
pub const KINDS: &[Kind] = &[
    champion::KIND,
    thesis::PLAIN,
    thesis::ORDERING,
    thesis::SPLIT,
    thesis::BOTH,
    thesis::EXACT,
    thesis::VERIFIED,
    thesis::GUIDED,
    alphabeta::TABLE,
    escape::KIND,
    greedy::KIND,
    random::KIND,
    alphabeta::SPARRING,
    uci::KIND,
];

/// The referee never asks for a move when there is none; should anyone else, it is a fault.
fn no_move() -> crate::Fault {
    crate::Fault::Crash("there is no legal move to choose".to_owned())
}
