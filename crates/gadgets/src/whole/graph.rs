//! The arrangements of a board, numbered, and the moves between them.
//!
//! A *node* is an arrangement with a side to move: twice the number of the arrangement, and one more for
//! Black. Moves of lone pieces lead from a node to the other one of its arrangement and are not stored.
//! The rest are, forwards and backwards, in the shape of sparse matrices: for every node a slice of numbers of
//! arrangements.

use game::rng::mix;
use jungle::Color;

use super::{WholeBoard, WholeError};

/// Arrangements and moves.
pub struct Graph {
    ended: Vec<Option<Color>>,
    next: Rows,
    before: Rows,
}

/// A slice for every node.
struct Rows {
    first: Vec<u32>,
    entries: Vec<u32>,
}

impl Rows {
    fn row(&self, node: usize) -> &[u32] {
        &self.entries[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The moves in the other direction.
    fn reversed(&self) -> Rows {
        let nodes = self.first.len() - 1;
        let mut first = vec![0_u32; nodes + 1];
        let reaches = |node: usize, next: u32| 2 * next as usize + 1 - node % 2;
        for node in 0..nodes {
            for &next in self.row(node) {
                first[reaches(node, next) + 1] += 1;
            }
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut entries = vec![0; self.entries.len()];
        // Filled from the front; afterwards every row begins where the next one should.
        for node in 0..nodes {
            for &next in self.row(node) {
                let cursor = &mut first[reaches(node, next)];
                entries[*cursor as usize] = node as u32 / 2;
                *cursor += 1;
            }
        }
        first.rotate_right(1);
        first[0] = 0;
        Rows { first, entries }
    }
}

impl Graph {
    /// Lists all arrangements that moves lead to from the board's own.
    pub fn of(
        board: &WholeBoard,
        limit: usize,
        mut progress: impl FnMut(usize),
    ) -> Result<Graph, WholeError> {
        let mut index = Index::default();
        index.number(board.start);
        let mut ended = Vec::new();
        let mut next = Rows { first: vec![0], entries: Vec::new() };
        while ended.len() < index.keys.len() {
            if index.keys.len() > limit {
                return Err(WholeError::TooMany(limit));
            }
            if ended.len() % 65_536 == 0 {
                progress(index.keys.len());
            }
            let places = index.keys[ended.len()];
            let end = board.ended(places);
            for turn in [Color::White, Color::Black] {
                if end.is_none() {
                    board.moves(places, turn, |after| next.entries.push(index.number(after)));
                }
                next.first.push(next.entries.len() as u32);
            }
            ended.push(end);
        }
        drop(index);
        let before = next.reversed();
        Ok(Graph { ended, next, before })
    }

    /// How many arrangements there are.
    pub fn len(&self) -> usize {
        self.ended.len()
    }

    /// Who has won in an arrangement.
    pub fn ended(&self, number: u32) -> Option<Color> {
        self.ended[number as usize]
    }

    /// The arrangements that moves lead to from a node.
    pub fn next(&self, node: usize) -> &[u32] {
        self.next.row(node)
    }

    /// The arrangements from which moves lead to a node.
    pub fn before(&self, node: usize) -> &[u32] {
        self.before.row(node)
    }
}

/// Arrangements numbered in the order in which they were found: open addressing, at most half full.
#[derive(Default)]
struct Index {
    keys: Vec<u64>,
    slots: Vec<u32>,
}

/// A slot without an arrangement.
const EMPTY: u32 = u32::MAX;

impl Index {
    /// The slot of a key, or the empty one where it would go.
    fn slot(&self, key: u64) -> usize {
        let bits = self.slots.len() - 1;
        let mut slot = mix(key) as usize & bits;
        while self.slots[slot] != EMPTY && self.keys[self.slots[slot] as usize] != key {
            slot = (slot + 1) & bits;
        }
        slot
    }

    fn number(&mut self, key: u64) -> u32 {
        if self.keys.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot] == EMPTY {
            self.slots[slot] = self.keys.len() as u32;
            self.keys.push(key);
        }
        self.slots[slot]
    }

    fn grow(&mut self) {
        self.slots = vec![EMPTY; (self.slots.len() * 2).max(1024)];
        for number in 0..self.keys.len() {
            let slot = self.slot(self.keys[number]);
            self.slots[slot] = number as u32;
        }
    }
}
