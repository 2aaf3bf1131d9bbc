//! Decomposition into subproblems: Build-Subproblems (10.4), Partition-Board (9.4), on bitboards.
//!
//! Needed at every node of a search, so it uses no heap and little memory. Prim's algorithm
//! runs on sixteen 16-bit keys, each a weight, a vertex and its neighbour in the tree; sorted, they
//! are the tree. Cutting all edges above the threshold at once gives the same parts as cutting the
//! largest one and starting again on both sides, as Burnett does; a test says so. The cumulative
//! cones are flooded, all squares of a kind of movement in one word, ply by ply: A's on odd plies,
//! B's on even ones, and a square belongs to the part that reaches it first.
//!
//! [`naive`](super::naive) does all this by the definitions.

use super::graph::{MOST, Nodes};
use super::tree::Edge;
use super::{Causality, Movement, Node, Time};
use crate::board::{DENS, LAND};
use crate::{Animal, Bitboard, Color, Piece, Position, Square};

/// A decomposition: a position cut into subproblems, called parts.
///
/// ```
/// use jungle::causality::Causality;
/// use jungle::{Color, Position, Rules, Square};
///
/// let causality = Causality::new(&Rules::TUFTS);
/// let position: Position = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w".parse()?;
/// let split = causality.split(&position, Color::White, 4);
/// assert_eq!(split.parts().len(), 2);
/// assert_eq!(split.parts()[0].pieces, Square::A2 | Square::B3 | Square::C2);
/// assert_eq!(split.owner(Square::A9), Some(1));
/// # Ok::<(), jungle::ParsePositionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Split {
    nodes: Nodes,
    /// Weight, vertex, neighbour; sorted.
    tree: [u16; MOST],
    parts: [PartSquares; MOST],
    len: usize,
    threshold: Time,
}

/// The squares of one part of a [`Split`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartSquares {
    /// Where its pieces stand.
    pub pieces: Bitboard,
    /// The squares its pieces may use: those nearer to it than to any other part, and the dens
    /// beside a trap that it holds. A den can be open to several parts.
    pub territory: Bitboard,
}

impl PartSquares {
    /// The part as a position of its own, with the pieces of the whole that belong to it.
    pub fn position(&self, whole: &Position, turn: Color) -> Position {
        let ours = whole.pieces().filter(|&(square, _)| self.pieces.contains(square));
        Position::from_checked(ours, turn)
    }

    /// Parts are listed by their first square, by file and then by rank, as their names sort.
    fn place(&self) -> u8 {
        let name = |square: Square| square.file() * Square::RANKS + square.rank();
        self.pieces.into_iter().map(name).min().unwrap_or(u8::MAX)
    }
}

impl Causality {
    /// Cuts a position into the parts that remain when every edge of the spanning tree that is
    /// heavier than `threshold` plies is removed. `first` makes the next move.
    pub fn split(&self, position: &Position, first: Color, threshold: u8) -> Split {
        let nodes = Nodes::of(self, position);
        let tree = self.small_tree(&nodes, first);
        let parts = [PartSquares::default(); MOST];
        let mut split = Split { nodes, tree, parts, len: 0, threshold: Time(threshold) };
        split.cut();
        split.share_board(first);
        split
    }

    /// Prim's algorithm, on whole rows of keys at a time. The last edges are padding.
    fn small_tree(&self, nodes: &Nodes, first: Color) -> [u16; MOST] {
        let times = self.times(nodes, first);
        let mut tree = [u16::MAX; MOST];
        // What is in the tree, and what is not a vertex, has all bits set and is never the least.
        let mut inside = [u16::MAX; MOST];
        inside[1.min(nodes.len())..nodes.len()].fill(0);
        let mut keys = [u16::MAX; MOST];
        let mut newest = 0;
        let edges = &mut tree[..nodes.len().saturating_sub(1)];
        for edge in &mut *edges {
            for (vertex, (known, time)) in keys.iter_mut().zip(times[newest]).enumerate() {
                *known = key(time, vertex, newest).min(*known);
            }
            let mut least = u16::MAX;
            for (key, inside) in keys.iter().zip(&inside) {
                least = least.min(key | inside);
            }
            *edge = least;
            newest = usize::from(least >> 4 & 0xf);
            inside[newest] = u16::MAX;
        }
        edges.sort_unstable();
        tree
    }
}

#[inline]
fn key(time: Time, vertex: usize, neighbour: usize) -> u16 {
    u16::from(time.0) << 8 | (vertex << 4 | neighbour) as u16
}

impl Split {
    /// The heaviest weight that was not cut.
    pub fn threshold(&self) -> Time {
        self.threshold
    }

    /// The pieces, from a1 along the ranks.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The spanning tree, lightest edge first; the vertices are indices into [`Split::nodes`].
    pub fn tree(&self) -> impl ExactSizeIterator<Item = Edge<Time>> + '_ {
        let edges = &self.tree[..self.nodes.len().saturating_sub(1)];
        edges.iter().map(|&key| Edge {
            weight: Time((key >> 8) as u8),
            one: usize::from(key & 0xf),
            other: usize::from(key >> 4 & 0xf),
        })
    }

    /// `T_max`: the largest edge of the tree, which is how long the best cut in two stays a cut.
    /// `None` for a single piece.
    pub fn t_max(&self) -> Option<Time> {
        self.tree().last().map(|edge| edge.weight)
    }

    /// The parts, in the order of the names of their first squares.
    pub fn parts(&self) -> &[PartSquares] {
        &self.parts[..self.len]
    }

    /// Which part a square belongs to, as an index into [`Split::parts`]. Dens, which can be open to
    /// several, belong to none, nor do squares that no piece can reach.
    pub fn owner(&self, square: Square) -> Option<usize> {
        if DENS.contains(square) {
            return None;
        }
        self.parts().iter().position(|part| part.territory.contains(square))
    }

    /// Components of what is left of the tree.
    fn cut(&mut self) {
        let mut members: [u16; MOST] = std::array::from_fn(|at| 1 << at);
        for &edge in &self.tree[..self.nodes.len().saturating_sub(1)] {
            if edge >> 8 > u16::from(self.threshold.0) || edge >> 8 == u16::from(Time::NEVER.0) {
                break;
            }
            let joined = members[usize::from(edge & 0xf)] | members[usize::from(edge >> 4 & 0xf)];
            let mut left = joined;
            while left != 0 {
                members[left.trailing_zeros() as usize] = joined;
                left &= left - 1;
            }
        }
        for (at, &mates) in members.iter().enumerate().take(self.nodes.len()) {
            let mut left = mates;
            if left.trailing_zeros() as usize != at {
                continue;
            }
            let mut part = PartSquares::default();
            while left != 0 {
                part.pieces |= self.nodes[left.trailing_zeros() as usize].square.bitboard();
                left &= left - 1;
            }
            // Inserted in order; there are few.
            let place = part.place();
            let mut slot = self.len;
            while slot > 0 && self.parts[slot - 1].place() > place {
                self.parts[slot] = self.parts[slot - 1];
                slot -= 1;
            }
            self.parts[slot] = part;
            self.len += 1;
        }
    }

    /// Partition-Board.
    fn share_board(&mut self, first: Color) {
        let swims = self.nodes.iter().any(|node| node.piece.animal == Animal::Rat);
        let reachable = if swims { Bitboard::ALL } else { LAND }.without(DENS);
        if let [part] = &mut self.parts[..self.len] {
            part.territory = reachable;
        } else {
            let floods = Floods::of(&self.nodes, &self.parts[..self.len]);
            floods.run(&mut self.parts[..self.len], reachable, first);
        }
        for part in &mut self.parts[..self.len] {
            // The pieces' own squares too, should one stand in a den.
            let beside = part.territory.neighbours() & DENS;
            part.territory |= part.pieces | beside;
        }
    }
}

/// What grows together: pieces of one part and one side that move alike.
#[derive(Clone, Copy)]
struct Flood {
    part: usize,
    movement: Movement,
    color: Color,
    squares: Bitboard,
}

struct Floods {
    list: [Flood; MOST],
    len: usize,
}

impl Floods {
    /// Larger parts come first, so that ties go to them.
    fn of(nodes: &[Node], parts: &[PartSquares]) -> Floods {
        let empty = Flood {
            part: 0,
            movement: Movement::Walker,
            color: Color::White,
            squares: Bitboard::EMPTY,
        };
        let mut floods = Floods { list: [empty; MOST], len: 0 };
        let mut order: [usize; MOST] = std::array::from_fn(|at| at);
        let order = &mut order[..parts.len()];
        // Few enough for an insertion sort, which keeps parts of one size in their order.
        order.sort_by_key(|&part| std::cmp::Reverse(parts[part].pieces.len()));
        for &part in &*order {
            let from = floods.len;
            for node in nodes.iter().filter(|node| parts[part].pieces.contains(node.square)) {
                let Node { square, piece: Piece { color, .. }, movement } = *node;
                let alike = floods.list[from..floods.len]
                    .iter_mut()
                    .find(|flood| flood.movement == movement && flood.color == color);
                match alike {
                    Some(flood) => flood.squares |= square.bitboard(),
                    None => {
                        let squares = square.bitboard();
                        floods.list[floods.len] = Flood { part, movement, color, squares };
                        floods.len += 1;
                    }
                }
            }
        }
        floods
    }

    fn run(mut self, parts: &mut [PartSquares], reachable: Bitboard, first: Color) {
        let mut free = reachable;
        for part in &mut *parts {
            part.territory = part.pieces & reachable;
            free = free.without(part.pieces);
        }
        let mut mover = first;
        let mut idle = 0;
        // Two plies without growth: nothing more will come, as when pieces stand in dens.
        while free.any() && idle < 2 {
            idle += 1;
            for flood in &mut self.list[..self.len] {
                if flood.color != mover {
                    continue;
                }
                let grown = flood.squares | flood.movement.advance(flood.squares);
                if grown != flood.squares {
                    idle = 0;
                    flood.squares = grown;
                    parts[flood.part].territory |= grown & free;
                    free = free.without(grown);
                }
            }
            mover = !mover;
        }
    }
}
