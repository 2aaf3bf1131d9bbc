//! Pessimistic pruning, as in C4.5.
//!
//! A leaf with `n` cases of which `e` are wrong is charged not `e` but the upper end of a confidence
//! interval for it: the error rate at which `e` or fewer wrong cases of `n` would still happen with
//! probability [`CONFIDENCE`]. A question whose leaves are together charged at least as much as it would be
//! as a leaf becomes one. (C4.5 may also raise a branch in place of its parent; that is
//! left out.)
//!
//! Tables are whole populations, so there is nothing to be pessimistic about; but the rule is a good
//! one for trees that a person is to read, because it trades a few errors for many questions.

use crate::population::total;
use crate::tree::Tree;

/// C4.5's usual confidence.
pub const CONFIDENCE: f64 = 0.25;

/// The pruned tree: without the questions that are not worth it.
#[must_use]
pub fn prune(tree: &Tree) -> Tree {
    let mut charge = vec![0.0; tree.nodes.len()];
    let mut keep = vec![true; tree.nodes.len()];
    for at in (0..tree.nodes.len()).rev() {
        let node = &tree.nodes[at];
        let size = total(&node.counts);
        let alone = charged(size, size - node.counts[node.outcome]);
        let children = tree.children(at);
        charge[at] = alone;
        if !children.is_empty() {
            let below: f64 = children.map(|child| charge[child]).sum();
            // A tenth of a case, as in C4.5: rather the smaller tree.
            keep[at] = below + 0.1 < alone;
            if keep[at] {
                charge[at] = below;
            }
        }
    }
    tree.pruned(|node| keep[node])
}

/// The cases charged as wrong to a leaf of `size` cases, `wrong` of them wrong.
fn charged(size: u64, wrong: u64) -> f64 {
    if size == 0 { 0.0 } else { size as f64 * upper(size as f64, wrong as f64) }
}

/// The upper end of the interval for the error rate.
fn upper(size: f64, wrong: f64) -> f64 {
    if wrong <= 0.0 {
        return 1.0 - CONFIDENCE.powf(1.0 / size);
    }
    if wrong >= size {
        return 1.0;
    }
    // The normal approximation, with the deviation that is exceeded with that probability.
    const DEVIATION: f64 = 0.674_489_750_196_081_7;
    let square = DEVIATION * DEVIATION;
    let rate = (wrong + 0.5) / size;
    let spread = (rate * (1.0 - rate) / size + square / (4.0 * size * size)).max(0.0).sqrt();
    ((rate + square / (2.0 * size) + DEVIATION * spread) / (1.0 + square / size)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quinlan's own example: 6 cases without error are charged 0.206 each, 9 cases 0.143, 1 case
    /// 0.750, and as a leaf 16 cases with one error 0.157 (his exact binomial; ours approximates).
    #[test]
    fn charges_are_quinlans() {
        for (size, wrong, rate) in [(6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750)] {
            assert!((charged(size, wrong) / size as f64 - rate).abs() < 0.001);
        }
        assert!((charged(16, 1) / 16.0 - 0.157).abs() < 0.02);
        assert!((charged(168, 0) - 168.0 * 0.008_217).abs() < 0.01);
    }

    #[test]
    fn charges_grow_with_errors() {
        for size in [1_u64, 2, 10, 1000, 1_000_000] {
            let charges: Vec<f64> = (0..=size.min(50)).map(|wrong| charged(size, wrong)).collect();
            assert!(charges.is_sorted(), "{size}: {charges:?}");
        }
    }
}
