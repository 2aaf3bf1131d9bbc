//! The shared transposition table: lock-free, sixteen bytes an entry, for searches that know their game.
//!
//! The engine's threads meet in it, and the exact search of Jungle keeps its values in it. The other
//! [`Table`](crate::Table) of this crate serves the generic alpha-beta, which needs what does not fit here: a
//! move of any game, the full key, and what tells whether a bound holds on another path to the position.
//! Neither could replace the other.
//!
//! It is lock-free. An entry is two words, and the first is the position's key XORed with the second (Hyatt and
//! Mann, 2002): if two threads write at once and a reader sees half of each, the key does not match and the
//! entry counts as empty. Four entries share a cache line; within it the shallowest and oldest is replaced.
//!
//! ```text
//! bits   0–11  move: two squares, six bits each; 0 if none (nothing moves from square 0 to square 0)
//!       12–13  bound: 0 empty, 1 upper, 2 lower, 3 exact
//!       14–15  unused
//!       16–23  depth
//!       24–31  generation
//!       32–47  score, wins and losses counted from this position
//!       48–63  static evaluation
//! ```

use std::collections::TryReserveError;
use std::num::NonZeroU16;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use game::score::{Bound, Score};

/// A lock-free transposition table.
///
/// ```
/// use game::score::{Bound, Score};
/// use search::shared_table::{Entry, PackedMove, SharedTable};
///
/// let table = SharedTable::new(1)?;
/// let score = Score::win_in(5);
/// let entry = Entry { mv: PackedMove::new(3, 10), bound: Bound::Lower, depth: 7, score, eval: Score::estimate(12) };
/// table.put(0x1234, entry);
/// assert_eq!(table.get(0x1234), Some(entry));
/// assert_eq!(table.get(0x4321), None);
/// # Ok::<(), std::collections::TryReserveError>(())
/// ```
#[derive(Debug)]
pub struct SharedTable {
    buckets: Vec<Bucket>,
    generation: u8,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

#[derive(Debug, Default)]
struct Slot {
    /// The key XOR the data.
    check: AtomicU64,
    data: AtomicU64,
}

/// A move in twelve bits: the numbers of two squares below 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedMove(NonZeroU16);

impl PackedMove {
    /// The move between two squares; none from square 0 to itself, which stands for no move.
    #[inline]
    pub const fn new(from: usize, to: usize) -> Option<PackedMove> {
        match NonZeroU16::new((from & 63 | (to & 63) << 6) as u16) {
            Some(bits) => Some(PackedMove(bits)),
            None => None,
        }
    }

    /// The numbers of the two squares.
    #[inline]
    pub const fn squares(self) -> (usize, usize) {
        let bits = self.0.get() as usize;
        (bits & 63, bits >> 6)
    }
}

/// The entry of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or the one that refuted the position's predecessor.
    pub mv: Option<PackedMove>,
    /// What kind of score it is.
    pub bound: Bound,
    /// How deep the position was searched.
    pub depth: u8,
    /// The score, wins and losses counted from this position.
    pub score: Score,
    /// The static evaluation.
    pub eval: Score,
}

impl Entry {
    #[inline]
    fn pack(self, generation: u8) -> u64 {
        let mv = self.mv.map_or(0, |mv| u64::from(mv.0.get()));
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        mv | bound << 12
            | u64::from(self.depth) << 16
            | u64::from(generation) << 24
            | u64::from(self.score.to_bits()) << 32
            | u64::from(self.eval.to_bits()) << 48
    }

    #[inline]
    fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 12 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let mv = NonZeroU16::new(data as u16 & 0xfff).map(PackedMove);
        let score = |bits: u64| Score::from_bits(bits as u16);
        let (score, eval) = (score(data >> 32), score(data >> 48));
        Some(Entry { mv, bound, depth: (data >> 16) as u8, score, eval })
    }
}

impl SharedTable {
    /// A table of this many MiB, at least one cache line.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn new(megabytes: usize) -> Result<SharedTable, TryReserveError> {
        let count = (megabytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize_with(count, Bucket::default);
        Ok(SharedTable { buckets, generation: 0 })
    }

    /// A table that stores nothing, for when there is no memory at all.
    pub fn none() -> SharedTable {
        SharedTable { buckets: Vec::new(), generation: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
        self.generation = 0;
    }

    /// A new search begins: entries of earlier ones are replaced first.
    pub fn new_search(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let index = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        self.buckets.get(index).map_or(&[], |bucket| &bucket.0)
    }

    /// Prefetches the entry of the position with this key, which will be needed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.bucket(key).as_ptr();
            // SAFETY: a hint about an address, which is never followed; the address is that of a bucket.
            // It hides the wait for memory: the bench takes a seventh less processor time with it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        let _ = key;
    }

    /// The entry of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        for slot in self.bucket(key) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                return Entry::unpack(data);
            }
        }
        None
    }

    /// Stores an entry for the position with this key. If no move is given, the one stored
    /// before is kept.
    #[inline]
    pub fn put(&self, key: u64, mut entry: Entry) {
        let mut replace = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                if let Some(old) = Entry::unpack(data) {
                    entry.mv = entry.mv.or(old.mv);
                    let fresh = (data >> 24) as u8 == self.generation;
                    if fresh
                        && entry.bound != Bound::Exact
                        && entry.depth.saturating_add(3) < old.depth
                    {
                        return;
                    }
                }
                replace = Some(slot);
                break;
            }
            let age = self.generation.wrapping_sub((data >> 24) as u8);
            let worth = if data == 0 {
                -10_000
            } else {
                i32::from((data >> 16) as u8) - 8 * i32::from(age)
            };
            if worth < least {
                least = worth;
                replace = Some(slot);
            }
        }
        if let Some(slot) = replace {
            let data = entry.pack(self.generation);
            slot.check.store(key ^ data, Relaxed);
            slot.data.store(data, Relaxed);
        }
    }

    /// How full the table is with entries of this search, in thousandths, from a sample.
    pub fn fullness(&self) -> u32 {
        let sample = self.buckets.len().min(1000);
        let slots = self.buckets[..sample].iter().flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && (data >> 24) as u8 == self.generation
        });
        (used.count() * 1000 / (4 * sample).max(1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::rng::{Rng, mix};

    fn entry_for(key: u64) -> Entry {
        let word = mix(key);
        Entry {
            mv: PackedMove::new(word as usize % 63, (word >> 8) as usize % 63),
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][(word >> 16) as usize % 3],
            depth: (word >> 20) as u8 / 2,
            score: Score::from_value((word >> 32) as i16 as i32),
            eval: Score::from_value((word >> 48) as i16 as i32),
        }
    }

    #[test]
    fn entries_come_back_as_they_were() {
        let mut rng = Rng::new(5);
        // Miri is slow.
        let (megabytes, rounds) = if cfg!(miri) { (0, 50) } else { (1, 1000) };
        let mut table = SharedTable::new(megabytes).unwrap();
        for _ in 0..rounds {
            let key = rng.next_u64();
            table.put(key, entry_for(key));
            assert_eq!(table.get(key), Some(entry_for(key)));
        }
        table.clear();
        assert_eq!(table.fullness(), 0);
    }

    #[test]
    fn a_move_outlives_an_entry_without_one() {
        let table = SharedTable::new(0).unwrap();
        let with = Entry { mv: PackedMove::new(0, 7), bound: Bound::Exact, ..entry_for(1) };
        table.put(77, with);
        table.put(77, Entry { mv: None, ..with });
        assert_eq!(table.get(77), Some(with));
    }

    #[test]
    fn the_deep_stay_and_the_old_go() {
        let mut table = SharedTable::new(0).unwrap();
        let at = |depth| Entry { depth, ..entry_for(1) };
        for key in 1..=4 {
            table.put(key, at(10 * key as u8));
        }
        table.put(5, at(1));
        assert!(table.get(1).is_none() && table.get(4).is_some());
        for _ in 0..9 {
            table.new_search();
        }
        for key in 11..=14 {
            table.put(key, at(1));
        }
        assert!((1..=5).all(|key| table.get(key).is_none()));
    }

    /// Writers and readers meet in one cache line: no entry that is read is torn.
    #[test]
    fn torn_entries_are_never_seen() {
        let table = SharedTable::new(0).unwrap();
        let rounds = if cfg!(miri) { 200 } else { 200_000 };
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let table = &table;
                scope.spawn(move || {
                    let mut rng = Rng::new(thread);
                    for _ in 0..rounds {
                        let key = 1 + rng.below(8) as u64;
                        table.put(key, Entry { bound: Bound::Exact, ..entry_for(key) });
                        let key = 1 + rng.below(8) as u64;
                        if let Some(entry) = table.get(key) {
                            assert_eq!(entry, Entry { bound: Bound::Exact, ..entry_for(key) });
                        }
                    }
                });
            }
        });
    }
}
