//! Decision trees: questions at the nodes, outcomes at the leaves.

use crate::data::{Case, Dataset};
use crate::feature::{Feature, PositionView};
use crate::population::{Counts, majority, total};

/// The question of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Which value a feature has: a child for each.
    Which {
        /// The feature's place in the tree's list.
        feature: usize,
    },
    /// Whether a number is at most a bound: the first child if so, else the second.
    AtMost {
        /// The feature's place in the tree's list.
        feature: usize,
        /// The bound, as a place in the feature's scale.
        bound: u8,
    },
}

impl Question {
    /// The feature asked about.
    pub fn feature(self) -> usize {
        match self {
            Question::Which { feature } | Question::AtMost { feature, .. } => feature,
        }
    }

    /// Which child a value leads to.
    #[inline]
    pub fn answer(self, value: u8) -> usize {
        match self {
            Question::Which { .. } => usize::from(value),
            Question::AtMost { bound, .. } => usize::from(value > bound),
        }
    }
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The positions that come here, by outcome.
    pub counts: Counts,
    /// The outcome claimed here, if it is a leaf: that of most positions; where no position comes, that of most of
    /// the parent's.
    pub outcome: usize,
    /// The question and the first child; the others follow it. `None` at a leaf.
    pub split: Option<(Question, usize)>,
    /// How many questions lead here.
    pub depth: u32,
}

/// A tree. The first node is its root; children come after their parents.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The features that questions refer to.
    pub features: Vec<Feature>,
    /// The nodes.
    pub nodes: Vec<Node>,
}

impl Tree {
    /// A tree of one leaf.
    pub fn leaf(features: &[Feature], counts: Counts) -> Tree {
        let root = Node { counts, outcome: majority(&counts), split: None, depth: 0 };
        Tree { features: features.to_vec(), nodes: vec![root] }
    }

    /// How many children a question has.
    pub fn arity(&self, question: Question) -> usize {
        match question {
            Question::Which { feature } => self.features[feature].scale.len(),
            Question::AtMost { .. } => 2,
        }
    }

    /// The children of a node, in the order of the answers.
    pub fn children(&self, node: usize) -> std::ops::Range<usize> {
        match self.nodes[node].split {
            Some((question, first)) => first..first + self.arity(question),
            None => 0..0,
        }
    }

    /// Turns a leaf into a question; the children have these counts.
    pub fn split(&mut self, node: usize, question: Question, counts: &[Counts]) {
        let first = self.nodes.len();
        let (outcome, depth) = (self.nodes[node].outcome, self.nodes[node].depth + 1);
        for counts in counts {
            let outcome = if total(counts) == 0 { outcome } else { majority(counts) };
            self.nodes.push(Node { counts: *counts, outcome, split: None, depth });
        }
        self.nodes[node].split = Some((question, first));
    }

    /// The leaf that a position comes to.
    #[inline]
    pub fn walk(&self, case: &Case<'_>) -> usize {
        self.walk_with(|feature| self.features[feature].value(&case.view))
    }

    /// The leaf for given values of the features.
    #[inline]
    pub fn walk_with(&self, value: impl Fn(usize) -> u8) -> usize {
        let mut at = 0;
        while let Some((question, first)) = self.nodes[at].split {
            at = first + question.answer(value(question.feature()));
        }
        at
    }

    /// The answers of a position on its way from the root to its leaf: which child it takes at each
    /// question. The position must be of the class that the tree is for.
    pub fn path(&self, view: &PositionView<'_>) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = 0;
        while let Some((question, first)) = self.nodes[at].split {
            let answer = question.answer(self.features[question.feature()].value(view));
            path.push(answer);
            at = first + answer;
        }
        path
    }

    /// The leaves, in the order of the nodes.
    pub fn leaves(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes.iter().enumerate().filter(|(_, node)| node.split.is_none())
    }

    /// The depth: how many questions the longest path asks.
    pub fn depth(&self) -> u32 {
        self.nodes.iter().map(|node| node.depth).max().unwrap_or(0)
    }

    /// How many positions the tree is wrong about, by the counts at its leaves.
    pub fn errors(&self) -> u64 {
        self.leaves().map(|(_, leaf)| total(&leaf.counts) - leaf.counts[leaf.outcome]).sum()
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        total(&self.nodes[0].counts)
    }

    /// How many positions the tree misclassifies, each evaluated again.
    pub fn verify(&self, data: &Dataset) -> u64 {
        data.fold(
            || 0,
            |errors, case| {
                if self.nodes[self.walk(case)].outcome != case.outcome {
                    *errors += case.weight;
                }
            },
            |one, other| one + other,
        )
    }

    /// Makes leaves of the questions for which `keep` says no, and of those whose leaves all claim
    /// the same; drops the nodes that nothing leads to any more. `keep` gets the node.
    #[must_use]
    pub fn pruned(&self, keep: impl Fn(usize) -> bool) -> Tree {
        let mut leaf: Vec<bool> =
            (0..self.nodes.len()).map(|at| self.nodes[at].split.is_none() || !keep(at)).collect();
        let mut outcome: Vec<usize> = self.nodes.iter().map(|node| node.outcome).collect();
        for at in (0..self.nodes.len()).rev() {
            let mut children = self.children(at);
            if leaf[at] || children.is_empty() {
                continue;
            }
            // Where no position comes, any claim will do: it does not keep a question alive.
            let claims = children.clone().filter(|&c| total(&self.nodes[c].counts) > 0);
            let claim = claims.clone().map(|c| outcome[c]).next().unwrap_or(outcome[at]);
            let filled = |c: usize| total(&self.nodes[c].counts) > 0;
            if children.all(|c| leaf[c] && (!filled(c) || outcome[c] == claim)) {
                leaf[at] = true;
                outcome[at] = claim;
            }
        }
        let mut tree = Tree { features: self.features.clone(), nodes: Vec::new() };
        let copy = |at: usize| Node { outcome: outcome[at], split: None, ..self.nodes[at].clone() };
        tree.nodes.push(copy(0));
        // Level by level, as they were grown.
        let mut next = std::collections::VecDeque::from([(0, 0)]);
        while let Some((old, new)) = next.pop_front() {
            if leaf[old] {
                continue;
            }
            let (question, _) =
                self.nodes[old].split.expect("a node that is not a leaf has a question");
            let first = tree.nodes.len();
            for child in self.children(old) {
                next.push_back((child, tree.nodes.len()));
                tree.nodes.push(copy(child));
            }
            tree.nodes[new].split = Some((question, first));
        }
        tree
    }

    /// The tree cut off at this depth.
    #[must_use]
    pub fn cut(&self, depth: u32) -> Tree {
        self.pruned(|node| self.nodes[node].depth < depth)
    }

    /// The features that are asked about.
    pub fn used(&self) -> Vec<usize> {
        let mut used: Vec<usize> =
            self.nodes.iter().filter_map(|n| n.split).map(|(q, _)| q.feature()).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// How many nodes are questions.
    pub fn questions(&self) -> usize {
        self.nodes.iter().filter(|node| node.split.is_some()).count()
    }
}
