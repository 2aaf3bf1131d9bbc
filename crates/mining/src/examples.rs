//! Example positions: one for each leaf, and some misclassified ones.
//!
//! The first in the order of the tables all crowd into one corner of the board, look alike, and never
//! occur in play. Instead they are sampled: each position has a key that depends on its squares alone,
//! and the lowest wins. The choice is the same on any number of threads.

use jungle::Position;

use crate::data::Dataset;
use crate::tree::Tree;

/// A misclassified position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misclassified {
    /// The position.
    pub position: Position,
    /// What the tree claims, as an index into [`OUTCOMES`](crate::population::OUTCOMES).
    pub claimed: usize,
    /// The truth.
    pub truth: usize,
}

/// Positions sampled in one pass.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// For each node a position that comes there, if one does. At a leaf it has the outcome claimed.
    pub nodes: Vec<Option<Position>>,
    /// Some errors.
    pub wrong: Vec<Misclassified>,
}

/// The findings so far, with the sampling keys.
#[derive(Clone, Default)]
struct Found {
    nodes: Vec<Option<(u64, Position)>>,
    wrong: Vec<(u64, Misclassified)>,
}

/// Finds an example for each node and up to `most` errors.
pub fn find(data: &Dataset, tree: &Tree, most: usize) -> Examples {
    let mut found = data.fold(
        || Found { nodes: vec![None; tree.nodes.len()], wrong: Vec::new() },
        |found, case| {
            let (at, key) = (tree.walk(case), case.sampling_key());
            let claimed = tree.nodes[at].outcome;
            if claimed == case.outcome {
                if found.nodes[at].as_ref().is_none_or(|(lowest, _)| key < *lowest) {
                    found.nodes[at] = case.position().map(|position| (key, position));
                }
            } else if found.wrong.len() < most || found.wrong.last().is_some_and(|w| key < w.0) {
                let wrong =
                    |position| (key, Misclassified { position, claimed, truth: case.outcome });
                found.wrong.extend(case.position().map(wrong));
                lowest(&mut found.wrong, most);
            }
        },
        |one, other| {
            let lower = |pair| match pair {
                (Some(a), Some(b)) => Some(if key_of(&b) < key_of(&a) { b } else { a }),
                (a, b) => a.or(b),
            };
            let nodes = one.nodes.into_iter().zip(other.nodes).map(lower).collect();
            let mut wrong: Vec<(u64, Misclassified)> =
                one.wrong.into_iter().chain(other.wrong).collect();
            lowest(&mut wrong, most);
            Found { nodes, wrong }
        },
    );
    // A question shows the example of one of its answers: of all, the lowest key.
    for node in (0..tree.nodes.len()).rev() {
        let below = tree.children(node).filter_map(|child| found.nodes[child].clone());
        if let Some(best) = below.min_by_key(key_of) {
            found.nodes[node] = Some(best);
        }
    }
    Examples {
        nodes: found.nodes.into_iter().map(|node| node.map(|(_, position)| position)).collect(),
        wrong: found.wrong.into_iter().map(|(_, wrong)| wrong).collect(),
    }
}

fn key_of<T>(drawn: &(u64, T)) -> u64 {
    drawn.0
}

/// Keeps the lowest keys, in their order.
fn lowest<T>(drawn: &mut Vec<(u64, T)>, most: usize) {
    drawn.sort_by_key(key_of);
    drawn.truncate(most);
}
