//! Tests of the crate as a whole, with access to its private parts.

mod isomorphism;
mod probe;
mod remote;
mod solver;
mod verify;
mod versions;

use jungle::Rules;

use crate::build::{Wanted, in_memory};
use crate::storage::Memory;

/// The tables of up to this many pieces.
fn build(rules: &Rules, pieces: u32) -> Memory {
    in_memory(rules, &Wanted::Pieces(pieces)).unwrap()
}
