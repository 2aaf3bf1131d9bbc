//! The transposition table of the champion: for one thread, two entries a bucket.

use game::score::Bound;

use crate::{Move, Square};

/// An entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub mv: Option<Move>,
    pub value: i32,
    pub depth: i32,
    pub bound: Bound,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    value: i32,
    mv: [u8; 3],
    depth: i8,
    bound: u8,
    generation: u8,
}

/// A transposition table.
#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<Slot>,
    generation: u8,
}

impl Table {
    /// A table of two to the power of `bits` entries.
    pub(super) fn new(bits: u32) -> Table {
        Table { slots: vec![Slot::default(); 1 << bits], generation: 1 }
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    pub(super) fn new_search(&mut self) {
        self.generation = self.generation.wrapping_add(1).max(1);
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        (key as usize & (self.slots.len() - 1)) & !1
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let at = self.place(key);
        let slot = self.slots[at..at + 2].iter().find(|slot| slot.bound != 0 && slot.key == key)?;
        let square = |index: u8| Square::from_bit(index);
        let mv = match slot.mv.map(square) {
            [Some(from), Some(to), Some(arrow)] => Some(Move { from, to, arrow }),
            _ => None,
        };
        let bound = match slot.bound {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        Some(Entry { mv, value: slot.value, depth: i32::from(slot.depth), bound })
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        let at = self.place(key);
        let generation = self.generation;
        let worth = |slot: &Slot| {
            let age = if slot.generation == generation { 64 } else { 0 };
            if slot.bound == 0 { -1 } else { age + i32::from(slot.depth) }
        };
        let pair = &mut self.slots[at..at + 2];
        let which = match pair.iter().position(|slot| slot.bound != 0 && slot.key == key) {
            Some(which) => which,
            None => usize::from(worth(&pair[1]) < worth(&pair[0])),
        };
        let slot = &mut pair[which];
        let mv = match entry.mv {
            Some(mv) => [mv.from, mv.to, mv.arrow].map(|square| square.index() as u8),
            None if slot.key == key => slot.mv,
            None => [0; 3],
        };
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let depth = entry.depth.clamp(-1, 127) as i8;
        *slot = Slot { key, value: entry.value, mv, depth, bound, generation };
    }
}
