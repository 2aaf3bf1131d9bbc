//! Decision-tree induction by C4.5, streaming over tables a level at a time.
//!
//! C4.5 sorts its cases into the branches as it goes. Here the cases are the positions of a table,
//! perhaps hundreds of millions of them, and nothing is stored for them: at each level every position
//! walks down the tree grown so far, and where it arrives it is counted, once for each feature. Those
//! counts are all that the choice of a question needs (see [`split`](crate::split)). So the table is
//! read once a level, on all cores, and memory is what the counts of the open leaves take. Where even
//! that would be too much, the open leaves of a level are processed in batches, with a pass for each.
//!
//! Leaves that are pure, or whose positions no feature distinguishes, are closed; positions that arrive
//! there cost the walk alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::data::Dataset;
use crate::population::{Counts, minority, plus};
use crate::split::{Candidate, Criterion, best, candidates};
use crate::tree::Tree;

/// The hyperparameters of induction.
#[derive(Clone, Debug)]
pub struct Options {
    /// The maximum depth: how many questions a path may ask; any number if `None`.
    pub max_depth: Option<u32>,
    /// The minimum leaf size: how many positions at least two children of a question must have.
    pub min_leaf: u64,
    /// How questions are compared.
    pub criterion: Criterion,
    /// Growing ends at a level where there are more leaves than this.
    pub max_leaves: Option<usize>,
    /// How many bytes one table of counts may take; a few exist at a time.
    pub bytes: usize,
    /// Set to stop growing; it ends after the current level.
    pub stop: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_depth: None,
            min_leaf: 1,
            criterion: Criterion::GainRatio,
            max_leaves: None,
            bytes: 32 << 20,
            stop: Arc::default(),
        }
    }
}

/// A point of the learning curve: the tree at some depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The depth: how many questions the longest path asks.
    pub depth: u32,
    /// How many leaves there are.
    pub leaves: usize,
    /// How many positions the tree is wrong about.
    pub errors: u64,
}

/// A tree and its learning curve.
#[derive(Clone, Debug)]
pub struct GrownTree {
    /// The tree, without questions that make no difference.
    pub tree: Tree,
    /// Size and errors at each depth, from the bare leaf on.
    pub levels: Vec<Level>,
}

/// Grows a tree. `progress` is called at each level.
pub fn grow(data: &Dataset, options: &Options, mut progress: impl FnMut(&Level)) -> GrownTree {
    let mut tree = Tree::leaf(data.features(), data.counts());
    let mut levels = Vec::new();
    let mut open = if minority(&tree.nodes[0].counts) > 0 { vec![0] } else { Vec::new() };
    loop {
        let tidy = tree.pruned(|_| true);
        let level =
            Level { depth: tree.depth(), leaves: tidy.leaves().count(), errors: tidy.errors() };
        progress(&level);
        levels.push(level);
        let deep = options.max_depth.is_some_and(|most| level.depth >= most);
        let large = options.max_leaves.is_some_and(|most| level.leaves > most);
        if open.is_empty() || deep || large || options.stop.load(Relaxed) {
            return GrownTree { tree: tidy, levels };
        }
        let mut next = Vec::new();
        let layout = Layout::new(data);
        let batch = (options.bytes / (layout.stride * size_of::<Counts>())).max(1);
        for nodes in open.chunks(batch) {
            let counted = count(data, &tree, nodes, &layout);
            for (&node, table) in nodes.iter().zip(counted.chunks(layout.stride)) {
                let values: Vec<&[Counts]> =
                    layout.ranges.iter().map(|range| &table[range.clone()]).collect();
                let choice = best(data.features(), &values, options.criterion, options.min_leaf);
                let Some(choice) = choice else { continue };
                tree.split(node, choice.question, &choice.counts);
                let mixed = |&child: &usize| minority(&tree.nodes[child].counts) > 0;
                next.extend(tree.children(node).filter(mixed));
            }
        }
        if next.is_empty() && tree.depth() == level.depth {
            return GrownTree { tree: tidy, levels };
        }
        open = next;
    }
}

/// The questions that compete at the root, one for each feature: the candidates for a tree of one
/// question.
pub fn first_questions(data: &Dataset, min_leaf: u64) -> Vec<Candidate> {
    let tree = Tree::leaf(data.features(), data.counts());
    let layout = Layout::new(data);
    let table = count(data, &tree, &[0], &layout);
    let values: Vec<&[Counts]> = layout.ranges.iter().map(|range| &table[range.clone()]).collect();
    candidates(data.features(), &values, min_leaf)
}

/// Where the counts of each feature lie in a leaf's table.
struct Layout {
    ranges: Vec<std::ops::Range<usize>>,
    stride: usize,
}

impl Layout {
    fn new(data: &Dataset) -> Layout {
        let mut ranges = Vec::new();
        let mut stride = 0;
        for feature in data.features() {
            let len = feature.scale.len();
            ranges.push(stride..stride + len);
            stride += len;
        }
        Layout { ranges, stride: stride.max(1) }
    }
}

/// For each of these leaves, how many positions have which value of which feature and which outcome.
fn count(data: &Dataset, tree: &Tree, leaves: &[usize], layout: &Layout) -> Vec<Counts> {
    let mut place = vec![None; tree.nodes.len()];
    for (at, &leaf) in leaves.iter().enumerate() {
        place[leaf] = Some(at);
    }
    let features = data.features();
    data.fold(
        // Tables come into being when the first position is counted: an empty one joins for free.
        Vec::new,
        |counts: &mut Vec<Counts>, case| {
            let Some(at) = place[tree.walk(case)] else { return };
            if counts.is_empty() {
                counts.resize(leaves.len() * layout.stride, Counts::default());
            }
            let table = &mut counts[at * layout.stride..][..layout.stride];
            for (feature, range) in features.iter().zip(&layout.ranges) {
                let value = usize::from(feature.value(&case.view));
                table[range.start + value][case.outcome] += case.weight;
            }
        },
        |mut one, other| {
            if one.is_empty() {
                return other;
            }
            for (sum, counts) in one.iter_mut().zip(&other) {
                *sum = plus(*sum, *counts);
            }
            one
        },
    )
}
