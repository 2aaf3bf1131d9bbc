//! The kinds of players. To add one: a file here that gives a [`Kind`], and a line in [`KINDS`].

pub mod alphabeta;
mod champion;
mod escape;
mod greedy;
mod random;
pub mod thesis;
pub mod uci;

use game::limits::Limits;

use crate::player::Turn;
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

/// What a player of ours may spend: what its spec and its turn allow, with a reserve for everything around
/// the search that takes time too.
fn limits(own: &Limits, turn: &Turn) -> Limits {
    const SPENT: f64 = 0.95;
    let mut limits = own.within(&turn.limits);
    limits.time = limits.time.map(|time| time.mul_f64(SPENT));
    limits
}
