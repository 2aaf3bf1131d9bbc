//! The kinds of players. To add one: a file here that gives a [`Kind`], and a line in [`KINDS`].

pub mod alphabeta;
pub mod burnett;
mod champion;
mod escape;
mod greedy;
mod random;
pub mod uci;

use game::limits::Limits;

use crate::player::Turn;
use crate::spec::Kind;

/// All kinds, as offered to the user.
pub const KINDS: &[Kind] = &[
    champion::KIND,
    burnett::PLAIN,
    burnett::ORDERING,
    burnett::SPLIT,
    burnett::BOTH,
    burnett::SUM,
    burnett::VERIFIED,
    burnett::GUIDED,
    alphabeta::TABLE,
    escape::KIND,
    greedy::KIND,
    random::KIND,
    alphabeta::SPARRING,
    uci::KIND,
];

/// The limits of a built-in player: those of its spec and its turn, less a reserve for what takes time around
/// the search.
fn limits(own: &Limits, turn: &Turn) -> Limits {
    const SPENT: f64 = 0.95;
    let mut limits = own.within(&turn.limits);
    limits.time = limits.time.map(|time| time.mul_f64(SPENT));
    limits
}
