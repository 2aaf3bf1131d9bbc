//! Small composites of the published set, solved exactly: contracts side by side, against every play of White.
//!
//! The panthers walk from one to the next; each game of [`crate::sentry`] sees only its own part, and Black plays by its answers. What
//! White does otherwise is of no account: cats are transparent, and to what happens elsewhere Black has no answer.

use std::collections::{HashSet, VecDeque};

use crate::published::{Contracts, EDGES};
use crate::sentry::{Picket, Vigil};

/// A game, and the stretch of wire behind each of its outer pools.
pub type Part<'a> = (&'a Vigil, Vec<(usize, usize)>);

/// What White can do with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composite {
    /// What was put together, and how many panthers arrive.
    pub title: String,
    /// The most panthers that get out.
    pub out: u8,
    /// The most that are at each entrance, among them those that wait there at the beginning.
    pub back: Vec<u8>,
    /// How many positions there are.
    pub positions: usize,
}

/// The most panthers in each stretch over all White play, and how many positions there are.
///
/// # Panics
///
/// If Black has no answer: then his contracts do not compose.
pub fn explore(parts: &[Part<'_>], stretches: &[u8]) -> (Vec<u8>, usize) {
    explore_seeing(parts, stretches, |_, _| {})
}

/// The same, with a look at every position.
fn explore_seeing(
    parts: &[Part<'_>],
    stretches: &[u8],
    mut see: impl FnMut(&[Picket], &[u8]),
) -> (Vec<u8>, usize) {
    let pickets: Vec<Picket> = parts.iter().map(|(vigil, _)| vigil.watch.start()).collect();
    let start = (pickets, stretches.to_vec());
    let (mut known, mut most) = (HashSet::from([start.clone()]), stretches.to_vec());
    let mut queue = VecDeque::from([start]);
    while let Some((pickets, stretches)) = queue.pop_front() {
        see(&pickets, &stretches);
        for (number, (vigil, pools)) in parts.iter().enumerate() {
            let (watch, here) = (&vigil.watch, pickets[number]);
            for after in watch.white_moves(here) {
                let mut stretches = stretches.clone();
                let who_comes_was_there = pools.iter().all(|&(pool, stretch)| {
                    let there = usize::from(stretches[stretch]) + watch.in_pool(after, pool);
                    let left = there.checked_sub(watch.in_pool(here, pool));
                    stretches[stretch] = left.unwrap_or(0) as u8;
                    left.is_some()
                });
                if !who_comes_was_there {
                    continue;
                }
                for (most, there) in most.iter_mut().zip(&stretches) {
                    *most = (*most).max(*there);
                }
                let (_, answered) = vigil.answer(after).expect("Black has an answer");
                let mut pickets = pickets.clone();
                pickets[number] = watch.tidy(answered);
                let next = (pickets, stretches);
                if known.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
    }
    (most, known.len())
}

/// A protector from one stretch to another, with two of its own from `inner` on.
fn protector(contracts: &Contracts, from: usize, inner: usize, to: usize) -> [Part<'_>; 3] {
    [
        (contracts.vigil("low"), vec![(0, from), (EDGES, inner)]),
        (contracts.vigil("outflow-upwards"), vec![(0, inner), (1, inner + 1)]),
        (contracts.vigil("high"), vec![(0, inner + 1), (EDGES, to)]),
    ]
}

/// A whole protector, with so many panthers below it.
pub fn wire(contracts: &Contracts, below: u8) -> Composite {
    let (most, positions) = explore(&protector(contracts, 0, 1, 3), &[below, 0, 0, 0]);
    let title = format!("a protector, {below} below");
    Composite { title, out: most[3], back: vec![most[0]], positions }
}

/// A whole protector before a FANOUT whose own panther may come down, and one panther below: what is at the entrance *after* a panther
/// has gone up and out.
pub fn ratcheted(contracts: &Contracts) -> Composite {
    let mut parts = protector(contracts, 0, 1, 3);
    parts[2].0 = contracts.vigil("ratchet");
    let mut back = 0;
    let (most, positions) = explore_seeing(&parts, &[1, 0, 0, 1], |pickets, stretches| {
        if parts[2].0.watch.caught(pickets[2]) > 0 {
            back = back.max(stretches[0]);
        }
    });
    let title = "a protector before a FANOUT, 1 below and 1 above, once one has gone up".to_owned();
    Composite { title, out: most[3], back: vec![back], positions }
}

/// A gate with a whole protector before each input.
fn joined<'a>(contracts: &'a Contracts, name: &str) -> Vec<Part<'a>> {
    let mut parts = protector(contracts, 0, 1, 3).to_vec();
    parts.extend(protector(contracts, 4, 5, 7));
    parts.push((contracts.vigil(name), vec![(0, 3), (1, 7), (2, 8)]));
    parts
}

/// The board of x ∧ y once White has taken x and Black y, up to the den's own edge: all of it that panthers ever get to. The setters,
/// the race, the den and the cats are not in it.
pub fn conjunction(contracts: &Contracts) -> Composite {
    let mut parts = joined(contracts, "and");
    parts.extend(protector(contracts, 8, 9, 11));
    let mut stretches = [0; 12];
    stretches[0] = 1;
    let (most, positions) = explore(&parts, &stretches);
    let title = "the board of x & y after x is White's and y Black's, up to the den".to_owned();
    Composite { title, out: most[11], back: vec![most[0], most[4]], positions }
}

/// AND or OR with a whole protector before each input, one panther below the first of them and none below the second.
pub fn gate(contracts: &Contracts, name: &str) -> Composite {
    let (most, positions) = explore(&joined(contracts, name), &[1, 0, 0, 0, 0, 0, 0, 0, 0]);
    let title = format!("{name} behind two protectors, 1 below the first");
    Composite { title, out: most[8], back: vec![most[0], most[4]], positions }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalised::Trapped;
    use crate::published::tests::contracts;

    #[test]
    fn composites_let_through_what_they_should_whatever_white_does() {
        for trapped in [Trapped::Zero, Trapped::Full] {
            // Both panthers of a FANOUT come to one protector: one gets on, and never are three back.
            for below in 0..=2 {
                let wire = wire(contracts(trapped), below);
                assert_eq!((wire.out, wire.back[0]), (below.min(1), below), "{wire:?}");
            }
            let wire = ratcheted(contracts(trapped));
            assert_eq!((wire.out, wire.back[0]), (2, 0), "{wire:?}");
            let and = gate(contracts(trapped), "and");
            assert_eq!((and.out, and.back.as_slice()), (0, &[1, 0][..]), "{and:?}");
        }
    }
}
