//! Update-MST (section 8.2): a minimum spanning tree kept up to date while pieces move.
//!
//! A move changes only the edges at the vertex `v` that moved. What is left of the old tree when `v`
//! is taken out, its *branches*, belongs to the new tree of the rest: every such edge was the
//! lightest across some cut, and still is. So the new tree is found among a reduced set of edges:
//!
//! 1. the edges of the branches;
//! 2. an edge from `v` into a branch, if it is lighter than the heaviest edge on the old way there
//!    (with the branch's root edge at its new weight);
//! 3. for each pair of branches, the lightest edge between them, if it is lighter than one of the
//!    two root edges has become. Edges between branches need only be looked for from the smaller
//!    branches: each has an end outside the largest one.
//!
//! Kruskal's algorithm on these gives the tree. Removing a piece is the same with no edges to `v`
//! left; adding one needs only step 2, with the whole tree as a single branch.
//!
//! # Where this departs from Burnett
//!
//! Burnett adds, for each root edge of weight `w` that became heavier, the edges of weight exactly
//! `w` that leave its branch: Proof 8.8 takes for granted that weights change by 1. Under
//! Definition 7.1 they change by up to 2 between enemies and by 4 between friends (the study
//! `mst` counts), so all weights from `w` up to the new one matter. Burnett's optimisation (8.2.4) then
//! only reconnects branches with root edges of equal weight. That is too narrow even where weights do
//! change by 1: when the root edge of one branch rises from 5 to 6 while that of another stays at 3,
//! an edge of weight 5 between the two now belongs to the tree (`the_rule_of_equal_weights_fails`).
//! What remains of the optimisation is its idea, to add as few edges as reconnect the branches.
//!
//! # What it costs
//!
//! Burnett's O(n) rests on two more premises that fail (`a_star_of_any_degree`, `many_edges_weigh_the_same`): that the
//! degree of a vertex in the tree is at most 16 (Lemma 8.4), and that at most O(n) edges weigh the same (Lemma
//! 8.7). Enemies of one piece can surround it: 24 of them stand within three moves, each lighter to reach from the
//! piece in the middle than from each other. And on a full board of k by k squares with n = k² pieces the n(n − 1)/2
//! edges share fewer than 2k weights, so that some weight has at least (n − 1)k/4 edges, more than any multiple
//! of n. What can be said is this: with `s` vertices outside the largest branch, an update looks at O(n(s + 1)) edges and
//! sorts what it keeps. That is O(n log n) where the piece is a leaf of the tree, and
//! Θ(n²) at worst, as much as recomputing by Prim's algorithm.
//!
//! Burnett hashes edges by weight to find those of weight `w`. Here the rows of a matrix are
//! scanned, of the smaller branches only; for a typical vertex these are a few rows.

use super::tree::{Edge, Sets, prim};

/// A complete graph whose vertices come, go and change their distances, and its minimum spanning
/// tree.
///
/// Vertices have numbers below the capacity that they keep while they are in the graph.
///
/// ```
/// use jungle::causality::update::Tree;
///
/// let points = [0_u16, 1, 3, 7];
/// let mut tree = Tree::new(4, |one, other| points[one].abs_diff(points[other]));
/// assert_eq!(tree.weight(), 7);
/// tree.update(3, |other| points[other].abs_diff(4));
/// assert_eq!(tree.weight(), 4);
/// tree.remove(1);
/// assert_eq!(tree.edges().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    capacity: usize,
    weights: Vec<u16>,
    present: Vec<bool>,
    len: usize,
    /// Lightest first.
    edges: Vec<Edge<u16>>,
    work: Work,
}

/// Memory that is used again at every update.
#[derive(Clone, Debug, Default)]
struct Work {
    /// Where each vertex's neighbours begin in `neighbours`.
    starts: Vec<u32>,
    neighbours: Vec<(u32, u16)>,
    /// The branch each vertex hangs on, and the heaviest edge on the way from its root.
    branch: Vec<u32>,
    heaviest: Vec<u16>,
    /// The vertices, branch by branch.
    order: Vec<u32>,
    branches: Vec<Branch>,
    best: Vec<Option<Edge<u16>>>,
    extra: Vec<Edge<u16>>,
    merged: Vec<Edge<u16>>,
}

#[derive(Clone, Copy, Debug)]
struct Branch {
    /// Its first vertex in `order`.
    start: usize,
    len: usize,
    root: usize,
    /// The root edge's weight before and after the change; `None` if there is none any more.
    before: u16,
    after: Option<u16>,
}

const NO_BRANCH: u32 = u32::MAX;

impl Tree {
    /// The tree of a complete graph of this many vertices, by Prim's algorithm. This is also the
    /// capacity.
    pub fn new(len: usize, weight: impl Fn(usize, usize) -> u16) -> Tree {
        let mut weights = vec![u16::MAX; len * len];
        for one in 0..len {
            for other in 0..one {
                let weight = weight(one, other);
                weights[one * len + other] = weight;
                weights[other * len + one] = weight;
            }
        }
        let mut edges = prim(len, |one, other| weights[one * len + other]);
        edges.sort_unstable();
        let present = vec![true; len];
        Tree { capacity: len, weights, present, len, edges, work: Work::default() }
    }

    /// The edges of the tree, lightest first.
    pub fn edges(&self) -> &[Edge<u16>] {
        &self.edges
    }

    /// The sum of the weights.
    pub fn weight(&self) -> u64 {
        self.edges.iter().map(|edge| u64::from(edge.weight)).sum()
    }

    /// Whether the vertex is in the graph.
    pub fn contains(&self, vertex: usize) -> bool {
        self.present[vertex]
    }

    /// How many vertices are in the graph.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no vertex is left.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The tree computed from scratch from the same graph: what updating has to agree with, and beat.
    pub fn recomputed(&self) -> Vec<Edge<u16>> {
        let present: Vec<usize> = (0..self.capacity).filter(|&at| self.present[at]).collect();
        let weight =
            |one: usize, other: usize| self.weights[present[one] * self.capacity + present[other]];
        let mut edges = prim(present.len(), weight);
        for edge in &mut edges {
            (edge.one, edge.other) = (present[edge.one], present[edge.other]);
        }
        edges.sort_unstable();
        edges
    }

    /// The vertex has moved: `weight` gives its new distance to each vertex that is in the graph.
    pub fn update(&mut self, vertex: usize, weight: impl Fn(usize) -> u16) {
        debug_assert!(self.present[vertex]);
        self.root_at(vertex);
        self.set_weights(vertex, weight);
        for branch in &mut self.work.branches {
            branch.after = Some(self.weights[vertex * self.capacity + branch.root]);
        }
        self.work.extra.clear();
        self.edges_into_branches(vertex);
        self.edges_between_branches();
        self.rebuild(vertex);
    }

    /// The vertex leaves the graph, as a captured piece does.
    pub fn remove(&mut self, vertex: usize) {
        debug_assert!(self.present[vertex]);
        self.root_at(vertex);
        self.set_weights(vertex, |_| u16::MAX);
        self.present[vertex] = false;
        self.len -= 1;
        self.work.extra.clear();
        self.edges_between_branches();
        self.rebuild(vertex);
    }

    /// A vertex comes into the graph, as when a capture is taken back.
    pub fn insert(&mut self, vertex: usize, weight: impl Fn(usize) -> u16) {
        debug_assert!(!self.present[vertex]);
        self.present[vertex] = true;
        self.len += 1;
        self.set_weights(vertex, weight);
        // Hang the tree on the new vertex by its lightest edge; that one stays.
        let row = &self.weights[vertex * self.capacity..][..self.capacity];
        let others = (0..self.capacity).filter(|&other| other != vertex && self.present[other]);
        let Some(nearest) = others.min_by_key(|&other| row[other]) else { return };
        let edge = Edge { weight: row[nearest], one: vertex, other: nearest };
        let place = self.edges.partition_point(|other| *other < edge);
        self.edges.insert(place, edge);
        self.root_at(vertex);
        for branch in &mut self.work.branches {
            branch.after = Some(branch.before);
        }
        self.work.extra.clear();
        self.edges_into_branches(vertex);
        self.rebuild(vertex);
    }

    fn set_weights(&mut self, vertex: usize, weight: impl Fn(usize) -> u16) {
        for other in 0..self.capacity {
            if other != vertex && self.present[other] {
                let weight = weight(other);
                self.weights[vertex * self.capacity + other] = weight;
                self.weights[other * self.capacity + vertex] = weight;
            }
        }
    }

    /// Finds the branches of a vertex, and the heaviest edge on the way to every other.
    fn root_at(&mut self, vertex: usize) {
        let Work { starts, neighbours, branch, heaviest, order, branches, .. } = &mut self.work;
        // Neighbours by counting: each edge stands at both its ends.
        starts.clear();
        starts.resize(self.capacity + 1, 0);
        for edge in &self.edges {
            starts[edge.one + 1] += 1;
            starts[edge.other + 1] += 1;
        }
        for at in 0..self.capacity {
            starts[at + 1] += starts[at];
        }
        neighbours.clear();
        neighbours.resize(2 * self.edges.len(), (0, 0));
        // Filling moves each start to the next one's place; reading goes back by one.
        for edge in &self.edges {
            for (from, to) in [(edge.one, edge.other), (edge.other, edge.one)] {
                neighbours[starts[from] as usize] = (to as u32, edge.weight);
                starts[from] += 1;
            }
        }
        let of = |at: usize| {
            let start = if at == 0 { 0 } else { starts[at - 1] as usize };
            &neighbours[start..starts[at] as usize]
        };
        branch.clear();
        branch.resize(self.capacity, NO_BRANCH);
        heaviest.clear();
        heaviest.resize(self.capacity, 0);
        order.clear();
        branches.clear();
        for &(root, before) in of(vertex) {
            let start = order.len();
            let number = branches.len() as u32;
            branch[root as usize] = number;
            order.push(root);
            let mut next = start;
            while next < order.len() {
                let at = order[next] as usize;
                next += 1;
                for &(to, weight) in of(at) {
                    let to = to as usize;
                    if to != vertex && branch[to] == NO_BRANCH {
                        branch[to] = number;
                        heaviest[to] = heaviest[at].max(weight);
                        order.push(to as u32);
                    }
                }
            }
            let (len, root) = (order.len() - start, root as usize);
            branches.push(Branch { start, len, root, before, after: None });
        }
    }

    /// Step 2, and the root edges themselves.
    fn edges_into_branches(&mut self, vertex: usize) {
        let row = &self.weights[vertex * self.capacity..][..self.capacity];
        let Work { heaviest, order, branches, extra, .. } = &mut self.work;
        for branch in branches.iter() {
            let Some(after) = branch.after else { continue };
            for &to in &order[branch.start..][..branch.len] {
                let (to, weight) = (to as usize, row[to as usize]);
                if to == branch.root || weight < after.max(heaviest[to]) {
                    extra.push(Edge { weight, one: vertex, other: to });
                }
            }
        }
    }

    /// Step 3.
    fn edges_between_branches(&mut self) {
        let Work { branch, order, branches, best, extra, .. } = &mut self.work;
        let rises = |branch: &Branch| branch.after.is_none_or(|after| after > branch.before);
        if !branches.iter().any(rises) {
            return;
        }
        let count = branches.len();
        best.clear();
        best.resize(count * count, None);
        let largest = (0..count).max_by_key(|&at| branches[at].len).unwrap_or_default();
        let limit = |branch: &Branch| branch.after.unwrap_or(u16::MAX);
        let highest = branches.iter().map(limit).max().unwrap_or_default();
        for (at, small) in branches.iter().enumerate() {
            // If only this branch's root edge does not rise, others may still lead here.
            if at == largest {
                continue;
            }
            let limit_here = limit(small);
            for &from in &order[small.start..][..small.len] {
                let from = from as usize;
                let row = &self.weights[from * self.capacity..][..self.capacity];
                for (to, &weight) in row.iter().enumerate() {
                    // Most weights fail the first comparison.
                    if weight >= highest || branch[to] == NO_BRANCH || branch[to] as usize == at {
                        continue;
                    }
                    let there = branch[to] as usize;
                    if weight >= limit_here.max(limit(&branches[there])) {
                        continue;
                    }
                    let slot = &mut best[at.min(there) * count + at.max(there)];
                    if slot.is_none_or(|known| weight < known.weight) {
                        *slot = Some(Edge { weight, one: from, other: to });
                    }
                }
            }
        }
        extra.extend(best.iter().flatten());
    }

    /// Kruskal's algorithm on the old edges that do not touch the vertex and the new candidates.
    fn rebuild(&mut self, vertex: usize) {
        let Work { extra, merged, .. } = &mut self.work;
        extra.sort_unstable();
        merged.clear();
        let mut kept =
            self.edges.iter().filter(|edge| edge.one != vertex && edge.other != vertex).peekable();
        let mut added = extra.iter().peekable();
        loop {
            let next = match (kept.peek(), added.peek()) {
                (Some(old), Some(new)) if new.weight < old.weight => added.next(),
                (Some(_), _) => kept.next(),
                (None, _) => added.next(),
            };
            match next {
                Some(&edge) => merged.push(edge),
                None => break,
            }
        }
        let mut sets = Sets::new(self.capacity);
        self.edges.clear();
        for &edge in merged.iter() {
            if sets.join(edge.one, edge.other) {
                self.edges.push(edge);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use game::rng::Rng;

    use super::*;

    fn check(tree: &Tree) {
        let weights =
            |edges: &[Edge<u16>]| edges.iter().map(|edge| edge.weight).collect::<Vec<_>>();
        assert_eq!(weights(tree.edges()), weights(&tree.recomputed()));
        assert_eq!(tree.edges().len() + 1, tree.len().max(1));
        for edge in tree.edges() {
            assert_eq!(edge.weight, tree.weights[edge.one * tree.capacity + edge.other]);
        }
    }

    /// Definition 7.1 on open ground: squares by rank and file, sides by number, A first.
    fn open_ground(one: (usize, [i32; 2]), other: (usize, [i32; 2])) -> u16 {
        let apart = |axis: usize| one.1[axis].abs_diff(other.1[axis]);
        let moves = apart(0) + apart(1);
        let time = match (one.0, other.0) {
            (0, 0) => 4 * moves.div_ceil(2) - 3,
            (1, 1) => 4 * moves.div_ceil(2) - 1,
            _ => moves - 1,
        };
        time as u16
    }

    /// Premise 4 of section 8.2.1, a degree of at most 16, fails: all enemies within three moves of a piece hang on it.
    #[test]
    fn a_star_of_any_degree() {
        let mut pieces = vec![(0, [0, 0])];
        for rank in -3_i32..=3 {
            for file in -3_i32..=3 {
                if (1..=3).contains(&(rank.abs() + file.abs())) {
                    pieces.push((1, [rank, file]));
                }
            }
        }
        assert_eq!(pieces.len(), 25);
        let tree = Tree::new(25, |one, other| open_ground(pieces[one], pieces[other]));
        let degree = tree.edges().iter().filter(|edge| edge.one == 0 || edge.other == 0).count();
        assert_eq!(degree, 24);
        // And no other tree is as light: what does not touch the middle is heavier than all that does.
        let heaviest = tree.edges().iter().map(|edge| edge.weight).max();
        let rest = (1..25).flat_map(|one| (1..one).map(move |other| (one, other)));
        let lightest = rest.map(|(one, other)| open_ground(pieces[one], pieces[other])).min();
        assert!(heaviest < lightest, "{heaviest:?} {lightest:?}");
    }

    /// Premise 5, O(n) edges of one weight, fails: on a full board there are as many as n to the power of 1.5.
    #[test]
    fn many_edges_weigh_the_same() {
        let most = |side: usize| {
            let place = |at: usize| (1, [(at / side) as i32, (at % side) as i32]);
            let mut counts = std::collections::HashMap::<u16, usize>::new();
            for one in 0..side * side {
                for other in 0..one {
                    *counts.entry(open_ground(place(one), place(other))).or_default() += 1;
                }
            }
            counts.into_values().max().unwrap()
        };
        for side in [4, 8, 16, 32] {
            let pieces = side * side;
            assert!(4 * most(side) >= (pieces - 1) * side, "{side}");
        }
        assert!(most(32) > 32 * 32 * 8, "more than eight for each piece");
    }

    /// Any weights at all, changed in any way: nothing of Burnett's premises is needed.
    #[test]
    fn updating_is_recomputing_on_random_graphs() {
        let mut rng = Rng::new(5);
        for round in 0..60 {
            let len = 1 + rng.below(24);
            let range = 2 + rng.below(if round % 2 == 0 { 8 } else { 1000 });
            let table: Vec<u16> = (0..len * len).map(|_| rng.below(range) as u16).collect();
            let mut tree =
                Tree::new(len, |one, other| table[one.min(other) * len + one.max(other)]);
            check(&tree);
            for _ in 0..60 {
                let vertex = rng.below(len);
                let row: Vec<u16> = (0..len).map(|_| rng.below(range) as u16).collect();
                match (tree.contains(vertex), rng.below(4)) {
                    (true, 0) if tree.len() > 1 => tree.remove(vertex),
                    (true, _) => tree.update(vertex, |other| row[other]),
                    (false, _) => tree.insert(vertex, |other| row[other]),
                }
                check(&tree);
            }
        }
    }

    /// Vertex 0 moves away by one from vertex 1, not from vertex 2, which are 5 apart: the edge of
    /// weight 5 between branches with root edges of weights 5 and 3 comes into the tree.
    #[test]
    fn the_rule_of_equal_weights_fails() {
        let before = [[0, 5, 3], [5, 0, 5], [3, 5, 0]];
        let mut tree = Tree::new(3, |one, other| before[one][other]);
        // Whichever of the two edges of weight 5 is in the tree, let it be the one at vertex 0.
        tree.edges =
            vec![Edge { weight: 3, one: 0, other: 2 }, Edge { weight: 5, one: 0, other: 1 }];
        tree.update(0, |other| [0, 6, 3][other]);
        assert_eq!(tree.weight(), 8);
        check(&tree);
    }
}
