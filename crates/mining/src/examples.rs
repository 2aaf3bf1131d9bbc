//! Positions to look at: one for each leaf, and some that a tree is wrong about.

use jungle::Position;

use crate::data::Data;
use crate::tree::Tree;

/// A position that a tree is wrong about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The position.
    pub position: Position,
    /// What the tree claims, as an index into [`OUTCOMES`](crate::population::OUTCOMES).
    pub claimed: usize,
    /// The truth.
    pub truth: usize,
}

/// Positions found in one pass; always the first in the order of the tables.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// For each node a position that comes there, if one does. At a leaf it has the outcome claimed.
    pub nodes: Vec<Option<Position>>,
    /// The first errors.
    pub wrong: Vec<Wrong>,
}

/// Finds an example for each node and up to `most` errors.
pub fn find(data: &Data, tree: &Tree, most: usize) -> Examples {
    let mut found = data.fold(
        || Examples { nodes: vec![None; tree.nodes.len()], wrong: Vec::new() },
        |found, case| {
            let at = tree.walk(case);
            let claimed = tree.nodes[at].outcome;
            if claimed == case.outcome {
                if found.nodes[at].is_none() {
                    found.nodes[at] = case.position();
                }
            } else if found.wrong.len() < most {
                let wrong = |position| Wrong { position, claimed, truth: case.outcome };
                found.wrong.extend(case.position().map(wrong));
            }
        },
        |one, other| {
            let nodes = one.nodes.into_iter().zip(other.nodes).map(|(a, b)| a.or(b)).collect();
            let wrong = one.wrong.into_iter().chain(other.wrong).take(most).collect();
            Examples { nodes, wrong }
        },
    );
    for node in (0..tree.nodes.len()).rev() {
        if found.nodes[node].is_none() {
            let below = tree.children(node).find_map(|child| found.nodes[child].clone());
            found.nodes[node] = below;
        }
    }
    found
}
