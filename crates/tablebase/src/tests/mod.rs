//! Tests of the crate as a whole, with the inner parts in view.

mod isomorphism;
mod probe;
mod solver;
mod verify;

use jungle::Rules;

use crate::build::{Wanted, in_memory};
use crate::storage::Memory;

/// The tables of up to so many pieces.
fn build(rules: &Rules, pieces: u32) -> Memory {
    in_memory(rules, &Wanted::Pieces(pieces)).unwrap()
}
