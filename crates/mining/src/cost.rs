//! Description length (MDL): how many bits a tree with its exceptions takes.
//!
//! A tree and the list of positions that it is wrong about hold the same as a table of outcomes. The
//! cost model is a simple one that a program could implement:
//!
//! - a node costs one bit to say whether it is a question; a question costs log₂ of the number of
//!   features and, for numbers, log₂ of the number of bounds; a leaf costs log₂ 3;
//! - at a leaf with n positions, of which e₁ and e₂ have the two outcomes not claimed, the two numbers
//!   cost log₂ (n + 1) each, and which positions they are costs log₂ of the number of ways to choose
//!   them, n! / (e₁! e₂! (n − e₁ − e₂)!), which enumerative coding attains.
//!
//! Mirror images need to be coded once, so n and e are halved (rounded up). The model leaves out
//! what a table has and a list of exceptions coded as one number lacks: blocks that can be read
//! one by one.

use crate::population::{Counts, total};
use crate::tree::{Question, Tree};

/// What a tree costs, in bits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bits {
    /// The tree itself.
    pub tree: f64,
    /// The exceptions.
    pub exceptions: f64,
}

impl Bits {
    /// Both together.
    pub fn total(self) -> f64 {
        self.tree + self.exceptions
    }
}

/// What a tree and its exceptions cost.
pub fn bits(tree: &Tree) -> Bits {
    let mut bits = Bits::default();
    for node in &tree.nodes {
        match node.split {
            None => {
                bits.tree += 1.0 + 3.0_f64.log2();
                bits.exceptions += exceptions(&node.counts, node.outcome);
            }
            Some((question, _)) => {
                bits.tree += 1.0 + (tree.features.len() as f64).log2();
                if let Question::AtMost { feature, .. } = question {
                    bits.tree += ((tree.features[feature].scale.len() - 1).max(1) as f64).log2();
                }
            }
        }
    }
    bits
}

/// The depth at which a tree is cut best, and what it costs then.
pub fn cheapest(tree: &Tree) -> (u32, Bits) {
    let costs = (0..=tree.depth()).map(|depth| (depth, bits(&tree.cut(depth))));
    let better = |one: (u32, Bits), other: (u32, Bits)| {
        if other.1.total() < one.1.total() { other } else { one }
    };
    costs.reduce(better).expect("every tree has a depth")
}

fn exceptions(counts: &Counts, claimed: usize) -> f64 {
    let halves = counts.map(|count| count.div_ceil(2));
    let size = total(&halves);
    if size == 0 {
        return 0.0;
    }
    let wrong: Vec<u64> = (0..3).filter(|&o| o != claimed).map(|o| halves[o]).collect();
    let ways = log2_factorial(size)
        - log2_factorial(halves[claimed])
        - wrong.iter().map(|&e| log2_factorial(e)).sum::<f64>();
    2.0 * ((size + 1) as f64).log2() + ways
}

/// log₂ n!, by the sum for small n and Stirling's series for large.
fn log2_factorial(n: u64) -> f64 {
    if n < 64 {
        return (2..=n).map(|factor| (factor as f64).log2()).sum();
    }
    let n = n as f64;
    let natural = n * n.ln() - n + 0.5 * (std::f64::consts::TAU * n).ln() + 1.0 / (12.0 * n)
        - 1.0 / (360.0 * n.powi(3));
    natural / std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_agree_where_the_ways_meet() {
        let sum = |n: u64| (2..=n).map(|factor| (factor as f64).log2()).sum::<f64>();
        for n in [64, 100, 1000] {
            assert!((log2_factorial(n) - sum(n)).abs() < 1e-6);
        }
    }

    #[test]
    fn exceptions_cost_what_choosing_costs() {
        // Two of eight: 28 ways; the numbers cost log2 9 each. Counts are of mirror images too.
        let cost = exceptions(&[12, 4, 0], 0);
        assert!((cost - (28.0_f64.log2() + 2.0 * 9.0_f64.log2())).abs() < 1e-9);
        assert!(exceptions(&[1000, 0, 0], 0) < 20.0);
    }
}
