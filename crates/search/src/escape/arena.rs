//! The partial game tree, in one vector: 24 bytes a node for moves of up to four bytes.
//!
//! The children of a node are adjacent, the visited ones first. Nodes have no link to their parent: the search
//! keeps the path. What is freed is not put on a list but left behind when the vector is copied, so memory does
//! not fragment, and a copied tree is in breadth-first order.

use game::score::Score;

/// A node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// What it took to get its score.
    pub complexity: u64,
    /// Where its children are; 0 (the root's own place) if it is not expanded.
    first: u32,
    /// How many children there are.
    count: u16,
    /// How many of them are visited; the highest bit says whether the node is solved.
    visited: u16,
    /// The move that leads here; none at the root.
    pub mv: Option<M>,
    /// The value for the player to move here.
    pub score: Score,
    /// The best value among its visited children that are not solved; the score if there are none.
    pub open: Score,
}

const _: () = assert!(size_of::<Node<[u8; 3]>>() == 24);

const SOLVED: u16 = 1 << 15;

impl<M> Node<M> {
    fn new(mv: Option<M>) -> Node<M> {
        Node {
            complexity: 0,
            first: 0,
            count: 0,
            visited: 0,
            mv,
            score: Score::DRAW,
            open: Score::DRAW,
        }
    }

    pub fn is_expanded(&self) -> bool {
        self.first != 0
    }

    pub fn is_solved(&self) -> bool {
        self.visited & SOLVED != 0
    }

    pub fn set_solved(&mut self) {
        self.visited |= SOLVED;
    }

    /// How many children there are, if it is expanded.
    pub fn count(&self) -> usize {
        usize::from(self.count)
    }

    /// How many of them are visited.
    pub fn visited(&self) -> usize {
        usize::from(self.visited & !SOLVED)
    }

    /// Counts one more child as visited.
    pub fn visit(&mut self) {
        self.visited += 1;
    }

    /// The indices of the visited children.
    pub fn seen(&self) -> std::ops::Range<usize> {
        let first = self.first as usize;
        first..first + self.visited()
    }

    /// The index of the child that is visited next, if one is left.
    pub fn next(&self) -> Option<usize> {
        (self.visited() < self.count()).then(|| self.first as usize + self.visited())
    }

    fn collapse(&mut self) {
        (self.first, self.count, self.visited) = (0, 0, self.visited & SOLVED);
        self.open = self.score;
    }
}

/// The tree.
#[derive(Debug)]
pub(super) struct Arena<M> {
    pub nodes: Vec<Node<M>>,
    /// Where the tree is copied to when it is pruned.
    spare: Vec<Node<M>>,
    limit: usize,
    peak: usize,
}

/// The most children a node can have.
pub(super) const MOST_CHILDREN: usize = (SOLVED - 1) as usize;

/// What was freed to make room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruned {
    /// How many nodes were forgotten.
    pub freed: usize,
    /// How many are left.
    pub kept: usize,
}

impl<M: Copy> Arena<M> {
    pub fn new(limit: usize) -> Arena<M> {
        let limit = limit.clamp(2, u32::MAX as usize);
        Arena { nodes: vec![Node::new(None)], spare: Vec::new(), limit, peak: 1 }
    }

    /// Whether there is room for this many more nodes.
    pub fn has_room(&self, for_nodes: usize) -> bool {
        self.nodes.len() + for_nodes <= self.limit
    }

    /// The bytes held, the room to copy into included.
    pub fn bytes(&self) -> usize {
        (self.nodes.capacity() + self.spare.capacity()) * size_of::<Node<M>>()
    }

    /// The most nodes that were ever held.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Gives a node these children; there has to be room, and at least one of them.
    pub fn expand(&mut self, parent: usize, moves: &[M]) {
        debug_assert!(!moves.is_empty() && moves.len() <= MOST_CHILDREN);
        let first = self.nodes.len() as u32;
        if self.nodes.capacity() < self.nodes.len() + moves.len() {
            // Doubling, but never beyond what may be used.
            let wanted = (2 * self.nodes.len()).clamp(self.nodes.len() + moves.len(), self.limit);
            self.nodes.reserve_exact(wanted - self.nodes.len());
        }
        self.nodes.extend(moves.iter().map(|&mv| Node::new(Some(mv))));
        self.peak = self.peak.max(self.nodes.len());
        let node = &mut self.nodes[parent];
        (node.first, node.count) = (first, moves.len() as u16);
    }

    /// Forgets the least promising expansions until at most half of the limit is used.
    ///
    /// A node's distance from mattering is the sum, along the path to it, of how much worse each move is than
    /// the best one visited there: by how much both players together would have to change their minds.
    /// Expansions go in falling order of that sum, the deeper first among equals; those below solved
    /// nodes, whose score is final, before all others. A node whose children go keeps its score and its
    /// complexity, and may be expanded again. The root keeps its children.
    pub fn prune(&mut self) -> Pruned {
        let before = self.nodes.len();
        let target = self.limit / 2;
        let mut expanded: Vec<(i32, u32)> = vec![(0, 0)];
        let mut at = 0;
        while let Some(&(regret, index)) = expanded.get(at) {
            let node = self.nodes[index as usize];
            let best = node.seen().map(|child| self.nodes[child].score.deeper()).max();
            for child in node.seen().filter(|&child| self.nodes[child].is_expanded()) {
                let Node { score, .. } = self.nodes[child];
                let worse = best.map_or(0, |best| best.value() - score.deeper().value());
                let regret = match self.nodes[child].is_solved() {
                    true => i32::MAX,
                    false => regret.saturating_add(worse),
                };
                expanded.push((regret, child as u32));
            }
            at += 1;
        }
        // Stable, and children come after their parents: reversed, the deeper come first.
        expanded.remove(0);
        expanded.sort_by_key(|&(regret, _)| regret);
        let mut left = before;
        for &(_, index) in expanded.iter().rev() {
            if left <= target {
                break;
            }
            let node = &mut self.nodes[index as usize];
            left -= node.count();
            node.collapse();
        }
        self.copy();
        Pruned { freed: before - self.nodes.len(), kept: self.nodes.len() }
    }

    /// Copies what can be reached, breadth first.
    fn copy(&mut self) {
        let mut fresh = std::mem::take(&mut self.spare);
        fresh.clear();
        fresh.push(self.nodes[0]);
        let mut at = 0;
        while at < fresh.len() {
            let node = fresh[at];
            if node.is_expanded() {
                fresh[at].first = fresh.len() as u32;
                let first = node.first as usize;
                fresh.extend_from_slice(&self.nodes[first..first + node.count()]);
            }
            at += 1;
        }
        self.spare = std::mem::replace(&mut self.nodes, fresh);
    }
}
