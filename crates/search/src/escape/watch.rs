//! Observers: what happens inside a search.

use game::score::Score;

use super::Pruned;

/// An observer of a search. Observing nothing costs nothing.
pub trait Watch<M> {
    /// Whether events are to be reported at all.
    const AWAKE: bool = true;

    /// An event. `path` leads from the root to the node it happened at.
    fn see(&mut self, path: &[M], event: Event<M>);
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asleep;

impl<M> Watch<M> for Asleep {
    const AWAKE: bool = false;

    fn see(&mut self, _: &[M], _: Event<M>) {}
}

impl<M, F: FnMut(&[M], Event<M>)> Watch<M> for F {
    fn see(&mut self, path: &[M], event: Event<M>) {
        self(path, event);
    }
}

/// An event at a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<M> {
    /// Its children were generated.
    Expanded {
        /// How many.
        children: usize,
    },
    /// A child was visited.
    Visited {
        /// The child.
        mv: M,
        /// Its score, for the player to move there.
        score: Score,
        /// Whether it is solved.
        solved: bool,
    },
    /// Its best open child was compared with the local escape function.
    Tested(Test<M>),
    /// Its score, complexity and solved status were brought up to date.
    Updated {
        /// The new score, for the player to move.
        score: Score,
        /// What it took so far.
        complexity: u64,
        /// Whether it is solved.
        solved: bool,
    },
    /// The root was compared with the global escape function.
    Weighed(Weighing),
    /// It was confirmed or refuted.
    Judged(Judgement),
    /// Room was made; the search goes on from the root.
    Pruned(Pruned),
}

/// A comparison of a child with the local escape function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test<M> {
    /// The best of the visited children that are not solved.
    pub best: M,
    /// Its score, for the player to move at the parent, between −1 and 1.
    pub value: f64,
    /// `C_k / C_n`.
    pub share: f64,
    /// What the escape function says there.
    pub threshold: f64,
    /// How many children are visited.
    pub visited: usize,
    /// Of how many.
    pub children: usize,
    /// Whether the child escaped: by its value, or because nothing more can be visited.
    pub escaped: bool,
}

/// A comparison of the root with the global escape function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighing {
    /// The root's score between −1 and 1.
    pub value: f64,
    /// What was spent.
    pub spent: u64,
    /// The share of what was left for the game.
    pub share: f64,
    /// What the escape function says there.
    pub threshold: f64,
    /// Whether it is time to move.
    pub moves: bool,
}

/// Whether the search goes on below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It does: its line is still the best there is.
    Confirmed,
    /// All is known.
    Solved,
    /// Another child of the root is better now: condition (a).
    Outdone,
    /// A sibling is better now: condition (b).
    OutdoneBySibling,
    /// The root is good enough to move.
    TimeToMove,
    /// There is nothing left to spend.
    Spent,
}
