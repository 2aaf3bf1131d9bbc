//! UCT (Kocsis and Szepesvári 2006), with the evaluation in place of playouts: a best-first search to compare
//! others with.
//!
//! Each iteration walks down from the root, at every node to the child with the largest
//! `mean + c √(ln N / n)`, children never visited first, in order; evaluates one new node; and adds its value,
//! between −1 and 1, to all nodes of the path. In the end the child visited most is the move. There
//! are no proofs, no pruning and no memory of positions. When the tree is full, it stops growing, but
//! visits are still counted.

use game::Game;
use game::score::{Evaluate, Score};

use crate::escape::Scale;
use crate::{AsListed, Order};

/// UCT.
#[derive(Debug)]
pub struct Uct<'a, G: Game, E, O = AsListed> {
    game: &'a G,
    evaluate: &'a E,
    order: O,
    scale: Scale,
    exploration: f64,
    memory: usize,
    nodes: Vec<Node<G::Move>>,
}

#[derive(Debug)]
struct Node<M> {
    mv: Option<M>,
    first: u32,
    count: u32,
    visits: u64,
    /// The sum of the values seen, for the player who moves here.
    sum: f64,
    /// The value of the node, if the game is over there.
    over: Option<f64>,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctAnswer<M> {
    /// The move visited most; none only when the game is over.
    pub best: Option<M>,
    /// The mean value seen after it, for the player to move, between −1 and 1.
    pub value: f64,
    /// How many positions were evaluated.
    pub visits: u64,
}

impl<'a, G: Game, E: Evaluate<G>> Uct<'a, G, E> {
    /// A search that tries new children in the game's own order.
    pub fn new(game: &'a G, evaluate: &'a E, scale: Scale, exploration: f64) -> Self {
        let (memory, nodes) = (1 << 22, Vec::new());
        Uct { game, evaluate, order: AsListed, scale, exploration, memory, nodes }
    }
}

impl<'a, G: Game, E: Evaluate<G>, O: Order<G>> Uct<'a, G, E, O> {
    /// Tries new children in this order.
    #[must_use]
    pub fn order<P: Order<G>>(self, order: P) -> Uct<'a, G, E, P> {
        let Uct { game, evaluate, scale, exploration, memory, nodes, .. } = self;
        Uct { game, evaluate, order, scale, exploration, memory, nodes }
    }

    /// Chooses a move, evaluating this many positions; at least one.
    pub fn search(&mut self, position: &G::Position, visits: u64) -> UctAnswer<G::Move> {
        self.nodes.clear();
        self.nodes.push(Node::new(None));
        let mut seen = 0;
        self.expand(0, position);
        if self.nodes[0].count == 0 {
            return UctAnswer { best: None, value: 0.0, visits: 0 };
        }
        while seen < visits.max(1) {
            seen += 1;
            self.walk(position);
        }
        let root = &self.nodes[0];
        let children = &self.nodes[root.first as usize..][..root.count as usize];
        let most = children.iter().map(|child| child.visits).max().unwrap_or(0);
        // Among those visited most, the best.
        let mean = |child: &Node<G::Move>| -child.sum / child.visits.max(1) as f64;
        let best = children
            .iter()
            .filter(|child| child.visits == most)
            .reduce(|best, child| if mean(child) > mean(best) { child } else { best });
        UctAnswer {
            best: best.and_then(|child| child.mv),
            value: best.map_or(0.0, mean),
            visits: seen,
        }
    }

    /// One iteration.
    fn walk(&mut self, root: &G::Position) {
        let game = self.game;
        let mut position = root.clone();
        let mut path = vec![0];
        let mut at = 0;
        let value = loop {
            let node = &self.nodes[at];
            if let Some(value) = node.over {
                break value;
            }
            if node.first == 0 {
                if node.visits == 0 || self.nodes.len() >= self.memory {
                    break self.look(at, &position);
                }
                self.expand(at, &position);
            }
            at = self.choose(at);
            game.make(&mut position, self.nodes[at].mv.expect("a child has a move"));
            path.push(at);
        };
        // The last node of the path gets the value itself, the one before its negative, and so on.
        let mut value = value;
        for at in path.into_iter().rev() {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += value;
            value = -value;
        }
    }

    /// The value of the position for the player to move.
    fn look(&mut self, at: usize, position: &G::Position) -> f64 {
        match self.game.outcome(position) {
            Some(outcome) => {
                let value = self.scale.unit(Score::of_outcome(self.game, position, outcome));
                self.nodes[at].over = Some(value);
                value
            }
            None => {
                let value = self.evaluate.evaluate(self.game, position);
                self.scale.unit(Score::estimate(value))
            }
        }
    }

    fn expand(&mut self, at: usize, position: &G::Position) {
        let mut moves = self.game.moves(position);
        moves.sort_by_key(|&mv| self.order.rank(self.game, position, mv));
        (self.nodes[at].first, self.nodes[at].count) =
            (self.nodes.len() as u32, moves.len() as u32);
        self.nodes.extend(moves.into_iter().map(|mv| Node::new(Some(mv))));
    }

    /// The child to go to.
    fn choose(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let range = node.first as usize..(node.first + node.count) as usize;
        if let Some(new) = range.clone().find(|&child| self.nodes[child].visits == 0) {
            return new;
        }
        let logarithm = (node.visits.max(1) as f64).ln();
        let bound = |child: usize| {
            let Node { sum, visits, .. } = self.nodes[child];
            let visits = visits as f64;
            -sum / visits + self.exploration * (logarithm / visits).sqrt()
        };
        let mut best = (range.start, f64::NEG_INFINITY);
        for child in range {
            let bound = bound(child);
            if bound > best.1 {
                best = (child, bound);
            }
        }
        best.0
    }
}

impl<M> Node<M> {
    fn new(mv: Option<M>) -> Node<M> {
        Node { mv, first: 0, count: 0, visits: 0, sum: 0.0, over: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::tree::{At, Tree, leaf, node};

    #[test]
    fn it_finds_the_win_and_keeps_to_its_visits() {
        // The second move wins whatever the answer; the first looks no worse at once.
        let tree = Tree::new(node([
            node([node([leaf(1)]), node([leaf(-1)])]),
            node([node([leaf(1)]), node([leaf(1)])]),
            leaf(0),
        ]));
        let evaluate = |tree: &Tree, at: &At| tree.evaluate(at);
        let mut search = Uct::new(&tree, &evaluate, Scale::Half(1.0), 0.7);
        let answer = search.search(&tree.root(), 400);
        assert_eq!(answer.best, tree.moves(&tree.root()).get(1).copied());
        assert_eq!(answer.visits, 400);
        assert!(answer.value > 0.8, "{}", answer.value);
        assert_eq!(search.search(&tree.root(), 400), answer);
        assert_eq!(search.search(&tree.root(), 0).visits, 1);
        let over = tree.after(&tree.root(), tree.moves(&tree.root())[2]);
        assert_eq!(search.search(&over, 10).best, None);
    }
}
