//! A game given as an explicit tree: every leaf carries its value, every other node its children.
//!
//! Tests build trees by hand or at random and compare clever searches with obvious ones on them.

use crate::rng::{Rng, mix};
use crate::{Game, Outcome, Side};

/// A node under construction; make one with [`leaf`] or [`node`].
#[derive(Clone, Debug)]
pub enum Node {
    /// A finished game, with its value for the first player.
    Leaf(i32),
    /// A position with one move to each child.
    Inner(Vec<Node>),
}

/// A leaf with its value for the first player: won if positive, lost if negative, drawn if zero.
pub fn leaf(value: i32) -> Node {
    Node::Leaf(value)
}

/// A position with these children.
///
/// # Panics
///
/// If there are no children: a position without moves is a [`leaf`].
pub fn node(children: impl IntoIterator<Item = Node>) -> Node {
    let children: Vec<Node> = children.into_iter().collect();
    assert!(!children.is_empty(), "a node without children is a leaf");
    Node::Inner(children)
}

/// The rules: which node leads where.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Flat>,
}

#[derive(Clone, Debug)]
struct Flat {
    children: Vec<usize>,
    value: i32,
    player: Side,
}

/// A position: the path's last node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At(usize);

impl Tree {
    /// The game in which the first player moves at `root` and the players then alternate.
    pub fn new(root: Node) -> Tree {
        let mut tree = Tree { nodes: Vec::new() };
        tree.add(root, Side::First);
        tree
    }

    /// A random tree in which every node at a depth below `depth` has 1 to `width` children, and
    /// some end early.
    pub fn random(rng: &mut Rng, depth: u32, width: usize) -> Tree {
        fn grow(rng: &mut Rng, depth: u32, width: usize) -> Node {
            if depth == 0 || rng.below(8) == 0 {
                leaf(rng.below(21) as i32 - 10)
            } else {
                let children = 1 + rng.below(width);
                node((0..children).map(|_| grow(rng, depth - 1, width)).collect::<Vec<_>>())
            }
        }
        Tree::new(grow(rng, depth, width))
    }

    fn add(&mut self, node: Node, player: Side) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Flat { children: Vec::new(), value: 0, player });
        match node {
            Node::Leaf(value) => self.nodes[index].value = value,
            Node::Inner(children) => {
                self.nodes[index].children =
                    children.into_iter().map(|child| self.add(child, !player)).collect();
            }
        }
        index
    }

    /// The starting position.
    pub fn root(&self) -> At {
        At(0)
    }

    /// The value of a position as a search sees it, for the player to move: a leaf's own value;
    /// an inner node, met where a search stops, counts as 0.
    pub fn evaluate(&self, position: &At) -> i32 {
        let flat = &self.nodes[position.0];
        match flat.player {
            Side::First => flat.value,
            Side::Second => -flat.value,
        }
    }
}

impl Game for Tree {
    type Position = At;
    type Move = usize;
    type Undo = At;

    fn side_to_move(&self, position: &At) -> Side {
        self.nodes[position.0].player
    }

    fn outcome(&self, position: &At) -> Option<Outcome> {
        let flat = &self.nodes[position.0];
        let outcome = match flat.value {
            1.. => Outcome::Win(Side::First),
            0 => Outcome::Draw,
            _ => Outcome::Win(Side::Second),
        };
        flat.children.is_empty().then_some(outcome)
    }

    fn push_moves(&self, position: &At, moves: &mut Vec<usize>) {
        moves.extend_from_slice(&self.nodes[position.0].children);
    }

    fn make(&self, position: &mut At, mv: usize) -> At {
        std::mem::replace(position, At(mv))
    }

    fn unmake(&self, position: &mut At, _mv: usize, undo: At) {
        *position = undo;
    }

    fn key(&self, position: &At) -> u64 {
        mix(position.0 as u64)
    }

    fn fresh_key(&self, position: &At) -> u64 {
        self.key(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::Conformance;

    #[test]
    fn random_trees_conform() {
        let mut rng = Rng::new(7);
        for _ in 0..20 {
            let tree = Tree::random(&mut rng, 5, 4);
            Conformance::new(&tree, |position: &At| tree.nodes[position.0].children.clone())
                .random_games(&tree.root(), 20, 10, &mut rng);
        }
    }
}
