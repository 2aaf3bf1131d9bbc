//! Minimum spanning trees: Kruskal's algorithm as MST-Partition (section 8.1.1), and Prim's (10.3).
//!
//! Both take any complete graph, given as the number of its vertices and a function that weighs
//! edges, so that they also serve boards larger than ours. Prim's needs no list of edges and is what
//! suits a complete graph; line 9 of Burnett's version compares with `key[u]` where it must
//! be `key[v]`.

/// An edge between two vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge<W> {
    /// The weight; first, so that edges sort by it.
    pub weight: W,
    /// One end.
    pub one: usize,
    /// The other.
    pub other: usize,
}

/// Disjoint sets of vertices (union by size, paths halved).
#[derive(Clone, Debug)]
pub struct Sets {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl Sets {
    /// Every vertex by itself.
    pub fn new(len: usize) -> Sets {
        Sets { parent: (0..len as u32).collect(), size: vec![1; len] }
    }

    /// The representative of this vertex's set.
    pub fn find(&mut self, vertex: usize) -> usize {
        let mut at = vertex;
        while self.parent[at] as usize != at {
            let parent = self.parent[at] as usize;
            self.parent[at] = self.parent[parent];
            at = parent;
        }
        at
    }

    /// Joins the sets of two vertices; returns whether they were different.
    pub fn join(&mut self, one: usize, other: usize) -> bool {
        let (mut one, mut other) = (self.find(one), self.find(other));
        if one == other {
            return false;
        }
        if self.size[one] < self.size[other] {
            (one, other) = (other, one);
        }
        self.parent[other] = one as u32;
        self.size[one] += self.size[other];
        true
    }
}

/// All edges of a complete graph, lightest first.
pub fn sorted_edges<W: Copy + Ord>(len: usize, weight: impl Fn(usize, usize) -> W) -> Vec<Edge<W>> {
    let mut edges = Vec::with_capacity(len * len.saturating_sub(1) / 2);
    for other in 0..len {
        for one in 0..other {
            edges.push(Edge { weight: weight(one, other), one, other });
        }
    }
    edges.sort_unstable();
    edges
}

/// The tree among sorted edges, lightest edge first.
pub fn kruskal<W: Copy>(len: usize, edges: impl IntoIterator<Item = Edge<W>>) -> Vec<Edge<W>> {
    let mut sets = Sets::new(len);
    let mut tree = Vec::with_capacity(len.saturating_sub(1));
    for edge in edges {
        if sets.join(edge.one, edge.other) {
            tree.push(edge);
            if tree.len() + 1 == len {
                break;
            }
        }
    }
    tree
}

/// MST-Partition: the cut of the vertices into two sets that are as far apart as can be, and how
/// far that is, `T_max`. The set of vertex 0 comes first. `None` if there are fewer than two
/// vertices.
pub fn mst_partition<W: Copy + Ord>(
    len: usize,
    weight: impl Fn(usize, usize) -> W,
) -> Option<([Vec<usize>; 2], W)> {
    let tree = kruskal(len, sorted_edges(len, weight));
    let (largest, kept) = tree.split_last()?;
    let mut sets = Sets::new(len);
    for edge in kept {
        sets.join(edge.one, edge.other);
    }
    let home = sets.find(0);
    let (first, second) = (0..len).partition(|&vertex| sets.find(vertex) == home);
    Some(([first, second], largest.weight))
}

/// The tree grown from vertex 0, in the order of growth.
pub fn prim<W: Copy + Ord>(len: usize, weight: impl Fn(usize, usize) -> W) -> Vec<Edge<W>> {
    let mut tree = Vec::with_capacity(len.saturating_sub(1));
    // For each vertex outside the tree, its lightest edge into the tree.
    let mut outside: Vec<Edge<W>> =
        (1..len).map(|other| Edge { weight: weight(0, other), one: 0, other }).collect();
    while let Some(at) = (0..outside.len()).min_by_key(|&at| outside[at].weight) {
        let edge = outside.swap_remove(at);
        tree.push(edge);
        for key in &mut outside {
            let weight = weight(edge.other, key.other);
            if weight < key.weight {
                *key = Edge { weight, one: edge.other, other: key.other };
            }
        }
    }
    tree
}
