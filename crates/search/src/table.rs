//! The transposition table of the generic alpha-beta.
//!
//! Positions are identified by their 64-bit Zobrist keys (Zobrist 1970); that two of a search's
//! positions share one is possible and, with a good hash, not to be expected. Four entries share a
//! bucket. A new entry replaces an equal one if there is one, else one left over from an earlier
//! search, else the shallowest: deep entries, which cost most, stay longest.
//!
//! What makes an entry safe to use on another path is decided by the search
//! ([`alphabeta`](crate::alphabeta)); the table only keeps what it needs to know. That, a move of any game and
//! the full key do not fit the [shared table](crate::shared_table), which is why there are two.

use std::collections::TryReserveError;

use game::score::{Bound, Score};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<M> {
    pub key: u64,
    /// The set of earlier positions that could have returned, hashed.
    pub reachable: u64,
    pub depth: u32,
    pub score: Score,
    pub bound: Bound,
    /// Whether the proof that the value is not less met no position of its path.
    pub low_is_free: bool,
    /// Whether the proof that the value is not more met no position of its path.
    pub high_is_free: bool,
    pub best: M,
    pub age: u8,
}

const BUCKET: usize = 4;

/// A table for the moves of one game.
#[derive(Debug)]
pub struct Table<M> {
    /// As many buckets as a power of two.
    buckets: Vec<[Option<Entry<M>>; BUCKET]>,
    age: u8,
}

impl<M: Copy> Table<M> {
    /// A table of at most this many MiB, and at least one bucket.
    ///
    /// # Errors
    ///
    /// If the memory cannot be had.
    pub fn new(mebibytes: usize) -> Result<Table<M>, TryReserveError> {
        let bucket = size_of::<[Option<Entry<M>>; BUCKET]>();
        let wanted = (mebibytes.saturating_mul(1 << 20) / bucket).max(1);
        Table::with_buckets(1 << wanted.ilog2())
    }

    /// A table of this many buckets; tests make small ones to see entries replaced.
    pub(crate) fn with_buckets(buckets: usize) -> Result<Table<M>, TryReserveError> {
        let mut all = Vec::new();
        all.try_reserve_exact(buckets)?;
        all.resize_with(buckets, || [None; BUCKET]);
        Ok(Table { buckets: all, age: 0 })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill([None; BUCKET]);
    }

    /// A new search begins: older entries stay usable, but are replaced first.
    pub(crate) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// All entries of a position.
    #[inline]
    pub(crate) fn find(&self, key: u64) -> impl Iterator<Item = &Entry<M>> {
        self.buckets[self.index(key)].iter().flatten().filter(move |entry| entry.key == key)
    }

    pub(crate) fn store(&mut self, entry: Entry<M>) {
        let (index, age) = (self.index(entry.key), self.age);
        let rank = |old: &Option<Entry<M>>| match old {
            Some(old)
                if old.key == entry.key
                    && old.depth == entry.depth
                    && old.reachable == entry.reachable =>
            {
                (0, 0)
            }
            None => (1, 0),
            Some(old) if old.age != age => (2, old.depth),
            Some(old) => (3, old.depth),
        };
        let slot = self.buckets[index].iter_mut().min_by_key(|old| rank(old));
        *slot.expect("a bucket has slots") = Some(Entry { age, ..entry });
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, depth: u32) -> Entry<u8> {
        Entry {
            key,
            reachable: 0,
            depth,
            score: Score::DRAW,
            bound: Bound::Exact,
            low_is_free: true,
            high_is_free: true,
            best: 0,
            age: 0,
        }
    }

    #[test]
    fn deep_entries_stay_until_they_are_old() {
        let mut table = Table::with_buckets(1).unwrap();
        for (key, depth) in [(1, 9), (2, 2), (3, 7), (4, 8), (5, 1)] {
            table.store(entry(key, depth));
        }
        let has = |table: &Table<u8>, key| table.find(key).next().is_some();
        assert!(has(&table, 1) && has(&table, 5) && !has(&table, 2));
        table.store(Entry { score: Score::estimate(3), ..entry(1, 9) });
        assert_eq!(table.find(1).count(), 1, "an equal entry is replaced");
        table.grow_older();
        table.store(entry(6, 1));
        table.store(entry(7, 1));
        assert!(has(&table, 6) && has(&table, 7) && has(&table, 1));
        table.clear();
        assert!(!has(&table, 1));
    }
}
