//! The complete graph of a position: T between all pairs of pieces, from tables.
//!
//! T depends only on how two pieces move, where they stand, whether they are of one side, and who
//! is player A. So it is a table, compiled once from the rules ([`Causality::new`] takes about a
//! millisecond), and the 120 weights of a full board are 120 look-ups.
//!
//! Two tables are enough. Enemies never meet in a den, which is closed to one of them, so their
//! colours do not matter, only who moves first. Pieces of one side can meet in the enemy's den; the
//! table is White's, and for Black the board is turned round.

use super::cone::{Cone, time_to_effect};
use super::tree::{self, Edge};
use super::{Movement, Time};
use crate::board::{DEN, DENS};
use crate::{Animal, Bitboard, Color, Piece, Position, Rules, Square};

/// The causality function under some rules, compiled.
///
/// ```
/// use jungle::causality::{Causality, Time};
/// use jungle::{Color, Position, Rules};
///
/// let causality = Causality::new(&Rules::TUFTS);
/// let position: Position = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w".parse()?;
/// let tree = causality.graph(&position, Color::White).tree();
/// let weights: Vec<Option<u8>> = tree.iter().map(|edge| edge.weight.get()).collect();
/// assert_eq!(weights, [0, 1, 1, 2, 3, 5].map(Some));
/// # Ok::<(), jungle::ParsePositionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Causality {
    movements: [Movement; Animal::COUNT],
    /// T of enemies, by A's movement and square, then B's.
    enemies: Box<Table>,
    /// T of two white pieces when White is A, by movement and square of both.
    friends: Box<Table>,
}

type Row = [[u8; 64]; Movement::COUNT];
type Table = [[Row; Square::COUNT]; Movement::COUNT];

/// A piece of a [`Graph`], with all that T depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where it stands.
    pub square: Square,
    /// What it is.
    pub piece: Piece,
    /// How it moves.
    pub movement: Movement,
}

impl Node {
    /// The cone of the piece, in moves.
    pub fn cone(&self) -> Cone {
        Cone::project(self.movement, self.piece.color, self.square)
    }

    /// T by definition: through the cones.
    pub fn time_to(&self, other: &Node, first: Color) -> Time {
        let (cone, theirs) = (self.cone(), other.cone());
        time_to_effect((self.piece.color, &cone), (other.piece.color, &theirs), first)
    }
}

impl Causality {
    /// Compiles the tables for the animals' movements.
    pub fn new(rules: &Rules) -> Causality {
        let movements = Animal::ALL.map(|animal| Movement::of(animal, rules));
        let mut causality = Causality { movements, enemies: empty(), friends: empty() };
        let reaches: Vec<Vec<Reach>> = Movement::ALL
            .into_iter()
            .map(|movement| {
                let used = movements.contains(&movement);
                let reach = |from| Reach::of(movement, from);
                if used { Square::ALL.into_iter().map(reach).collect() } else { Vec::new() }
            })
            .collect();
        for (ours, all_ours) in reaches.iter().enumerate() {
            for (theirs, all_theirs) in reaches.iter().enumerate() {
                for (from, one) in all_ours.iter().enumerate() {
                    for (to, other) in all_theirs.iter().enumerate() {
                        causality.enemies[ours][from][theirs][to] = one.meets_enemy(other);
                        causality.friends[ours][from][theirs][to] = one.meets_friend(other);
                    }
                }
            }
        }
        causality
    }

    /// How an animal moves.
    pub fn movement(&self, animal: Animal) -> Movement {
        self.movements[animal.index()]
    }

    /// T between two pieces on different squares, when `first` makes the next move.
    #[inline]
    pub fn time_to_effect(&self, one: &Node, other: &Node, first: Color) -> Time {
        if one.piece.color != other.piece.color {
            let (a, b) = if one.piece.color == first { (one, other) } else { (other, one) };
            return self.enemies(a, b);
        }
        self.friends(one, other, one.piece.color, first)
    }

    #[inline]
    fn enemies(&self, a: &Node, b: &Node) -> Time {
        Time(look_up(&self.enemies, (a.movement, a.square), (b.movement, b.square)))
    }

    #[inline]
    fn friends(&self, one: &Node, other: &Node, color: Color, first: Color) -> Time {
        let (from, to) = match color {
            Color::White => (one.square, other.square),
            Color::Black => (one.square.rotate(), other.square.rotate()),
        };
        let time = look_up(&self.friends, (one.movement, from), (other.movement, to));
        // B needs a ply more to be where A is, and the plies count twice.
        Time(time.saturating_add(if color == first { 0 } else { 2 }))
    }

    /// The pieces of a position, from a1 along the ranks, and T between them.
    pub fn graph(&self, position: &Position, first: Color) -> Graph {
        let nodes = Nodes::of(self, position);
        let times = self.times(&nodes, first);
        Graph { nodes, times }
    }

    /// T between all pairs. The sides are processed one after the other, so that no branch depends on a pair.
    #[inline]
    pub(super) fn times(&self, nodes: &Nodes, first: Color) -> [[Time; MOST]; MOST] {
        let mut times = EMPTY_TIMES;
        let mut lists = [[0; MOST]; 2];
        let mut lens = [0; 2];
        for (at, node) in nodes.iter().enumerate() {
            let side = usize::from(node.piece.color != first);
            lists[side][lens[side]] = at;
            lens[side] += 1;
        }
        let [firsts, seconds] = [0, 1].map(|side| &lists[side][..lens[side]]);
        let mut set = |one: usize, other: usize, time: Time| {
            times[one][other] = time;
            times[other][one] = time;
        };
        for &a in firsts {
            for &b in seconds {
                set(a, b, self.enemies(&nodes[a], &nodes[b]));
            }
        }
        for (list, color) in [(firsts, first), (seconds, !first)] {
            for (at, &one) in list.iter().enumerate() {
                for &other in &list[..at] {
                    set(one, other, self.friends(&nodes[one], &nodes[other], color, first));
                }
            }
        }
        times
    }
}

#[inline]
fn look_up(table: &Table, (one, from): (Movement, Square), (other, to): (Movement, Square)) -> u8 {
    table[one.index()][from.index()][other.index()][to.index()]
}

fn empty() -> Box<Table> {
    // Not `Box::new([…])`: that would put the table on the stack first.
    let rows = vec![[[[u8::MAX; 64]; Movement::COUNT]; Square::COUNT]; Movement::COUNT];
    rows.into_boxed_slice().try_into().expect("as long as there are kinds of movement")
}

/// The squares a piece can be on after each number of moves.
struct Reach {
    within: Vec<Bitboard>,
}

impl Reach {
    fn of(movement: Movement, from: Square) -> Reach {
        let mut reach = Reach { within: Vec::new() };
        if !movement.domain().contains(from) {
            return reach;
        }
        let mut set = from.bitboard();
        while reach.within.last() != Some(&set) {
            reach.within.push(set);
            let entered = set.without(DENS).neighbours() & DENS;
            set |= movement.advance(set) | entered;
        }
        reach
    }

    /// The set after this many moves; once everything is reached it no longer changes.
    fn after(&self, moves: usize) -> Bitboard {
        match self.within.get(moves).or(self.within.last()) {
            Some(&set) => set,
            None => Bitboard::EMPTY,
        }
    }

    fn limit(&self, other: &Reach) -> usize {
        self.within.len().max(other.within.len())
    }

    /// T when this is A's and the other B's: of `n` plies, A makes half rounded up.
    fn meets_enemy(&self, other: &Reach) -> u8 {
        let meet = |plies: &usize| {
            let (ours, theirs) = (self.after(plies.div_ceil(2)), other.after(plies / 2));
            (ours & theirs).without(DENS).any()
        };
        (1..=2 * self.limit(other)).find(meet).map_or(u8::MAX, |plies| plies as u8 - 1)
    }

    /// T when both are White's, and White is A: twice the plies until they meet, less one.
    fn meets_friend(&self, other: &Reach) -> u8 {
        let own_den = DEN[Color::White].bitboard();
        let meet =
            |moves: &usize| (self.after(*moves) & other.after(*moves)).without(own_den).any();
        (1..=self.limit(other)).find(meet).map_or(u8::MAX, |moves| 4 * moves as u8 - 3)
    }
}

/// The most pieces there can be.
pub(super) const MOST: usize = 2 * Animal::COUNT;
const EMPTY_TIMES: [[Time; MOST]; MOST] = [[Time::NEVER; MOST]; MOST];

/// The pieces of a position, without a heap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nodes {
    list: [Node; MOST],
    len: usize,
}

impl Nodes {
    /// The pieces from a1 along the ranks.
    #[inline]
    pub(super) fn of(causality: &Causality, position: &Position) -> Nodes {
        let filler = Node {
            square: Square::A1,
            piece: Piece { color: Color::White, animal: Animal::Cat },
            movement: Movement::Walker,
        };
        let mut nodes = Nodes { list: [filler; MOST], len: 0 };
        let occupied = position.occupied();
        for animal in Animal::ALL {
            for square in position.animal(animal) {
                let color = if position.side(Color::White).contains(square) {
                    Color::White
                } else {
                    Color::Black
                };
                // Its index: how many pieces come before it.
                let below = Bitboard::from_bits_truncated((1 << square.index()) - 1);
                let node = &mut nodes.list[(occupied & below).len() as usize % MOST];
                *node = Node {
                    square,
                    piece: Piece { color, animal },
                    movement: causality.movement(animal),
                };
                nodes.len += 1;
            }
        }
        nodes
    }
}

impl std::ops::Deref for Nodes {
    type Target = [Node];

    #[inline]
    fn deref(&self) -> &[Node] {
        &self.list[..self.len]
    }
}

/// Definition 7.2: the complete graph of a position.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Nodes,
    times: [[Time; MOST]; MOST],
}

impl Graph {
    /// The pieces, from a1 along the ranks.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// T between the pieces with these indices; for a piece and itself the answer is
    /// [`Time::NEVER`].
    #[inline]
    pub fn time(&self, one: usize, other: usize) -> Time {
        self.times[one][other]
    }

    /// A minimum spanning tree, lightest edge first. Of edges of one weight it takes those between
    /// squares that are closer together, which makes for better pictures.
    pub fn tree(&self) -> Vec<Edge<Time>> {
        let apart = |one: usize, other: usize| {
            let (one, other) = (self.nodes[one].square, self.nodes[other].square);
            one.file().abs_diff(other.file()) + one.rank().abs_diff(other.rank())
        };
        let weight = |one, other| (self.time(one, other), apart(one, other));
        let mut tree = tree::prim(self.nodes.len(), weight);
        tree.sort();
        let plain = |edge: Edge<(Time, u8)>| Edge {
            weight: edge.weight.0,
            one: edge.one,
            other: edge.other,
        };
        tree.into_iter().map(plain).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_say_what_the_cones_say() {
        let sidewise = "standard,panther-jumps=sideways,tiger-jumps=lengthwise".parse().unwrap();
        for rules in [Rules::TUFTS, sidewise] {
            let causality = Causality::new(&rules);
            let mut rng = game::rng::Rng::new(7);
            for _ in 0..4000 {
                let mut node = || loop {
                    let animal = Animal::ALL[rng.below(8)];
                    let color = Color::ALL[rng.below(2)];
                    let square = Square::ALL[rng.below(63)];
                    let movement = causality.movement(animal);
                    if movement.domain().contains(square) && DEN[color] != square {
                        return Node { square, piece: Piece { color, animal }, movement };
                    }
                };
                let (one, other) = (node(), node());
                if one.square == other.square {
                    continue;
                }
                for first in Color::ALL {
                    let fast = causality.time_to_effect(&one, &other, first);
                    assert_eq!(fast, one.time_to(&other, first), "{one:?} {other:?} {first}");
                    assert_eq!(fast, causality.time_to_effect(&other, &one, first));
                }
            }
        }
    }
}
