//! The partial game tree of a finished search, for inspection.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use game::score::Score;

use super::arena::{Arena, Node};

/// A node of the partial game tree.
#[derive(Clone, Copy, Debug)]
pub struct Grown<'a, M> {
    arena: &'a Arena<M>,
    index: usize,
}

impl<'a, M: Copy> Grown<'a, M> {
    pub(super) fn root(arena: &'a Arena<M>) -> Grown<'a, M> {
        Grown { arena, index: 0 }
    }

    fn node(&self) -> &'a Node<M> {
        &self.arena.nodes[self.index]
    }

    /// The move that leads here; none at the root.
    pub fn mv(&self) -> Option<M> {
        self.node().mv
    }

    /// The score for the player to move here.
    pub fn score(&self) -> Score {
        self.node().score
    }

    /// What it took to get it.
    pub fn complexity(&self) -> u64 {
        self.node().complexity
    }

    /// Whether it is solved.
    pub fn is_solved(&self) -> bool {
        self.node().is_solved()
    }

    /// Whether it was expanded, and not freed since.
    pub fn is_expanded(&self) -> bool {
        self.node().is_expanded()
    }

    /// How many children it has, visited or not.
    pub fn count(&self) -> usize {
        self.node().count()
    }

    /// The children visited, in the order of visits.
    pub fn visited(&self) -> impl Iterator<Item = Grown<'a, M>> + use<'a, M> {
        let arena = self.arena;
        self.node().seen().map(move |index| Grown { arena, index })
    }

    /// The best of them.
    pub fn best(&self) -> Option<Grown<'a, M>> {
        self.visited().reduce(|best, child| {
            if child.score().deeper() > best.score().deeper() { child } else { best }
        })
    }

    /// This many nodes from here on, with at most `each` children of a node: those that took most, among equals the
    /// better, and before them the best line. Each has the place of its parent in the list; parents come before their
    /// children.
    pub fn largest(&self, most: usize, each: usize) -> Vec<(Option<usize>, Grown<'a, M>)> {
        let mut line = vec![self.index];
        let mut last = *self;
        while let Some(best) = last.best() {
            line.push(best.index);
            last = best;
        }
        // A child's score is the other player's.
        let rank = |node: Grown<'a, M>| {
            (line.contains(&node.index), node.complexity(), Reverse(node.score()))
        };
        let mut waiting = BinaryHeap::from([(rank(*self), Reverse(self.index), None)]);
        let mut list = Vec::new();
        while let Some((_, Reverse(index), parent)) = waiting.pop() {
            let node = Grown { arena: self.arena, index };
            if list.len() == most {
                break;
            }
            let at = list.len();
            let mut children: Vec<_> =
                node.visited().map(|child| (rank(child), Reverse(child.index), Some(at))).collect();
            children.sort_unstable_by_key(|&child| Reverse(child));
            waiting.extend(children.into_iter().take(each));
            list.push((parent, node));
        }
        list
    }

    /// The children that took most, dearest first, and before them the best one.
    pub fn dearest(&self, most: usize) -> Vec<Grown<'a, M>> {
        let mut children: Vec<_> = self.visited().collect();
        let best = self.best().map(|best| best.index);
        children.sort_by_key(|child| (Some(child.index) != best, Reverse(child.complexity())));
        children.truncate(most);
        children
    }
}
