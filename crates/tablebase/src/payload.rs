//! Verified reads: the payload of a table in chunks that are verified before use.
//!
//! A payload is cut into chunks with a checksum each. A chunk that is needed is copied into
//! private memory, verified there, and kept: what is decoded is what was verified, whatever happens
//! to the file meanwhile. A probe pins the payload once, with a shared lock, and then borrows from the
//! chunks. A [`Budget`] counts the bytes kept; beyond its limit, chunks that were not
//! used lately are evicted (second chance), while no probe has the payload pinned.
//!
//! Of a file on another machine, chunks that a probe will need are asked for together
//! ([`Pinned::prepare`]), since there it is the number of requests that takes time.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, Weak};

use thiserror::Error;

use crate::storage::ReadAt;
use crate::version::Version;

/// How many chunks are read at once where all are verified and none is kept.
const RUN: usize = 64;

/// A checksum: the first eight bytes of BLAKE3.
pub type Checksum = [u8; 8];

/// The checksum of some bytes.
pub fn checksum(bytes: &[u8]) -> Checksum {
    let hash = blake3::hash(bytes);
    *hash.as_bytes().first_chunk().expect("a hash has 32 bytes")
}

/// The checksums of all chunks.
pub fn checksums(payload: &[u8], version: Version) -> Vec<Checksum> {
    payload.chunks(version.chunk()).map(checksum).collect()
}

/// Why bytes of a payload are not available.
#[derive(Debug, Error)]
pub enum PayloadError {
    /// They are not what was written.
    #[error("the contents do not match their checksum")]
    Damaged,
    /// They cannot be read, or are gone.
    #[error("the contents cannot be read: {0}")]
    Read(#[from] io::Error),
}

/// A memory budget of a cache: how many bytes of verified file contents are kept at most, and how many are. Any
/// number of tablebases can share one; the chunks that none of them used lately are evicted first.
pub struct Budget {
    limit: u64,
    kept: AtomicU64,
    sharers: Mutex<Vec<Weak<dyn GiveUp>>>,
}

/// Keeps chunks, and can do with fewer.
pub(crate) trait GiveUp: Send + Sync {
    /// Gives up chunks that were not touched since this was last asked.
    fn give_up_unused(&self);
}

impl Budget {
    /// A budget of this many bytes.
    pub fn new(limit: u64) -> Budget {
        Budget { limit, kept: AtomicU64::new(0), sharers: Mutex::default() }
    }

    /// How many bytes are kept.
    #[inline]
    pub fn kept(&self) -> u64 {
        self.kept.load(Relaxed)
    }

    /// Whether chunks have to be evicted.
    #[inline]
    fn is_exceeded(&self) -> bool {
        self.kept() > self.limit
    }

    /// Registers a holder of chunks, to be asked to give some up.
    pub(crate) fn share(&self, sharer: Weak<dyn GiveUp>) {
        let mut sharers = self.sharers.lock().unwrap_or_else(PoisonError::into_inner);
        sharers.retain(|sharer| sharer.strong_count() > 0);
        sharers.push(sharer);
    }

    /// Gives up what is kept beyond the limit.
    #[inline]
    pub(crate) fn make_room(&self) {
        if self.is_exceeded() {
            self.sweep();
        }
    }

    #[cold]
    fn sweep(&self) {
        // One thread is enough; the others go on with what they have.
        let Ok(sharers) = self.sharers.try_lock() else { return };
        // The first time round, what is in use is marked; the second time it goes if need be.
        for _ in 0..2 {
            sharers.iter().filter_map(Weak::upgrade).for_each(|sharer| sharer.give_up_unused());
            if !self.is_exceeded() {
                return;
            }
        }
    }
}

/// A payload with its checksums.
pub struct Payload {
    file: Box<dyn ReadAt>,
    version: Version,
    /// Whether reading is asking another machine.
    remote: bool,
    /// Where it begins in the file.
    start: u64,
    len: usize,
    checksums: Vec<Checksum>,
    chunks: RwLock<Vec<Chunk>>,
    budget: Arc<Budget>,
}

/// A chunk, if it was touched.
#[derive(Default)]
struct Chunk {
    bytes: OnceLock<Box<[u8]>>,
    /// Whether it was used since the last eviction.
    used: AtomicBool,
}

impl Payload {
    /// The part of the file with these offsets.
    ///
    /// # Errors
    ///
    /// If there are too many or too few checksums.
    pub fn new(
        file: Box<dyn ReadAt>,
        version: Version,
        range: Range<u64>,
        checksums: Vec<Checksum>,
        budget: Arc<Budget>,
    ) -> Result<Payload, PayloadError> {
        let len = range.end.checked_sub(range.start).and_then(|len| usize::try_from(len).ok());
        let len = len.filter(|len| len.div_ceil(version.chunk()) == checksums.len());
        let len = len.ok_or(PayloadError::Damaged)?;
        let chunks = RwLock::new(checksums.iter().map(|_| Chunk::default()).collect());
        let (remote, start) = (file.is_remote(), range.start);
        Ok(Payload { file, version, remote, start, len, checksums, chunks, budget })
    }

    /// Keeps the chunks that came with opening the file, if any did. One that is damaged is left to
    /// whoever needs it.
    pub fn keep_front(&self) {
        let front = self.file.take_front();
        let front = usize::try_from(self.start).ok().and_then(|start| front.get(start..));
        let pinned = self.pin();
        let chunks = front.unwrap_or_default().chunks(self.version.chunk());
        for (chunk, bytes) in chunks.enumerate().take(self.checksums.len()) {
            if bytes.len() == self.place(chunk).len() && checksum(bytes) == self.checksums[chunk] {
                pinned.keep(chunk, bytes.into());
            }
        }
    }

    /// Keeps chunks from being evicted while they are borrowed.
    #[inline]
    pub fn pin(&self) -> Pinned<'_> {
        let chunks = self.chunks.read().unwrap_or_else(PoisonError::into_inner);
        Pinned { payload: self, chunks, chunk_bits: self.version.chunk_bits() }
    }

    /// Reads and verifies everything, and keeps nothing.
    ///
    /// # Errors
    ///
    /// If some of it is damaged or cannot be read.
    pub fn verify(&self) -> Result<(), PayloadError> {
        let chunks = self.checksums.len();
        for first in (0..chunks).step_by(RUN) {
            if self.read_run(first..chunks.min(first + RUN))?.contains(&None) {
                return Err(PayloadError::Damaged);
            }
        }
        Ok(())
    }

    /// Evicts chunks that were not used since the last call, unless the payload is pinned.
    pub fn give_up_unused(&self) {
        let Ok(mut chunks) = self.chunks.try_write() else { return };
        for chunk in chunks.iter_mut().filter(|chunk| chunk.bytes.get().is_some()) {
            if !std::mem::take(chunk.used.get_mut())
                && let Some(bytes) = chunk.bytes.take()
            {
                self.budget.kept.fetch_sub(bytes.len() as u64, Relaxed);
            }
        }
    }

    /// Where a chunk lies in the payload.
    fn place(&self, chunk: usize) -> Range<usize> {
        let start = chunk << self.version.chunk_bits();
        start..self.len.min(start + self.version.chunk())
    }

    /// The chunks that hold these bytes, of which there are some.
    fn chunks_of(&self, range: &Range<usize>) -> Range<usize> {
        let bits = self.version.chunk_bits();
        range.start >> bits..((range.end - 1) >> bits) + 1
    }

    /// Reads a chunk and verifies it.
    fn read(&self, chunk: usize) -> Result<Box<[u8]>, PayloadError> {
        let place = self.place(chunk);
        let mut bytes = vec![0; place.len()].into_boxed_slice();
        self.file.read_at(self.start + place.start as u64, &mut bytes)?;
        if checksum(&bytes) == self.checksums[chunk] {
            Ok(bytes)
        } else {
            Err(PayloadError::Damaged)
        }
    }

    /// Reads chunks that follow one another, at once, and verifies each; `None` for a damaged one.
    fn read_run(&self, chunks: Range<usize>) -> io::Result<Vec<Option<Box<[u8]>>>> {
        let start = self.place(chunks.start).start;
        let mut bytes = vec![0; self.place(chunks.end - 1).end - start];
        self.file.read_at(self.start + start as u64, &mut bytes)?;
        let parts = bytes.chunks(self.version.chunk()).zip(&self.checksums[chunks]);
        Ok(parts.map(|(part, sum)| (checksum(part) == *sum).then(|| part.into())).collect())
    }
}

impl Drop for Payload {
    fn drop(&mut self) {
        let chunks = self.chunks.get_mut().unwrap_or_else(PoisonError::into_inner);
        let kept = chunks.iter().filter_map(|chunk| chunk.bytes.get());
        let kept: u64 = kept.map(|bytes| bytes.len() as u64).sum();
        self.budget.kept.fetch_sub(kept, Relaxed);
    }
}

/// A payload whose chunks stay.
pub struct Pinned<'a> {
    payload: &'a Payload,
    chunks: RwLockReadGuard<'a, Vec<Chunk>>,
    /// At hand, since every read needs it.
    chunk_bits: u32,
}

impl Pinned<'_> {
    /// How long the payload is.
    pub fn len(&self) -> usize {
        self.payload.len
    }

    /// The version of the format.
    pub fn version(&self) -> Version {
        self.payload.version
    }

    /// Some bytes of the payload: borrowed, unless they lie across chunks.
    ///
    /// # Errors
    ///
    /// If the range is not in the payload, or its bytes are damaged or cannot be read.
    #[inline]
    pub fn get(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, PayloadError> {
        if range.start >= range.end || range.end > self.payload.len {
            let is_empty = range.start == range.end && range.end <= self.payload.len;
            return if is_empty { Ok(Cow::default()) } else { Err(PayloadError::Damaged) };
        }
        let bits = self.chunk_bits;
        let (chunk, at) = (range.start >> bits, range.start & ((1 << bits) - 1));
        if (range.end - 1) >> bits == chunk {
            return Ok(Cow::Borrowed(&self.chunk(chunk)?[at..at + range.len()]));
        }
        self.join(range).map(Cow::Owned)
    }

    /// Whether reading is asking another machine, so that it is worth saying beforehand what will be needed.
    #[inline]
    pub fn is_remote(&self) -> bool {
        self.payload.remote
    }

    /// Reads in one request what is not kept of these bytes. A damaged chunk is left to whoever needs it.
    ///
    /// # Errors
    ///
    /// If the range is not in the payload, or the bytes cannot be read.
    pub fn prepare(&self, range: Range<usize>) -> Result<(), PayloadError> {
        if range.start >= range.end || range.end > self.payload.len {
            let is_empty = range.start == range.end && range.end <= self.payload.len;
            return if is_empty { Ok(()) } else { Err(PayloadError::Damaged) };
        }
        let is_missing = |chunk: &usize| self.chunks[*chunk].bytes.get().is_none();
        let mut missing = self.payload.chunks_of(&range).filter(is_missing);
        let Some(first) = missing.next() else { return Ok(()) };
        let run = first..missing.next_back().unwrap_or(first) + 1;
        for (chunk, bytes) in run.clone().zip(self.payload.read_run(run)?) {
            if let Some(bytes) = bytes {
                self.keep(chunk, bytes);
            }
        }
        Ok(())
    }

    /// Bytes of several chunks.
    #[cold]
    fn join(&self, range: Range<usize>) -> Result<Vec<u8>, PayloadError> {
        if self.payload.remote {
            self.prepare(range.clone())?;
        }
        let mut joined = Vec::with_capacity(range.len());
        for chunk in self.payload.chunks_of(&range) {
            let start = self.payload.place(chunk).start;
            let bytes = self.chunk(chunk)?;
            let from = range.start.saturating_sub(start);
            joined.extend(&bytes[from..bytes.len().min(range.end - start)]);
        }
        Ok(joined)
    }

    #[inline]
    fn chunk(&self, chunk: usize) -> Result<&[u8], PayloadError> {
        let Chunk { bytes, used } = &self.chunks[chunk];
        if !used.load(Relaxed) {
            used.store(true, Relaxed);
        }
        match bytes.get() {
            Some(bytes) => Ok(bytes),
            None => self.load(chunk),
        }
    }

    #[cold]
    fn load(&self, chunk: usize) -> Result<&[u8], PayloadError> {
        Ok(self.keep(chunk, self.payload.read(chunk)?))
    }

    /// Keeps a chunk that was verified.
    fn keep(&self, chunk: usize, bytes: Box<[u8]>) -> &[u8] {
        let len = bytes.len() as u64;
        let Chunk { bytes: kept, used } = &self.chunks[chunk];
        used.store(true, Relaxed);
        // If another thread was quicker, its copy serves as well.
        if kept.set(bytes).is_ok() {
            self.payload.budget.kept.fetch_add(len, Relaxed);
        }
        kept.get().map_or(&[], |bytes| bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHUNK: usize = Version::WRITTEN.chunk();

    /// A file that can be changed while it is open.
    #[derive(Clone)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl ReadAt for Shared {
        fn size(&self) -> io::Result<u64> {
            Ok(self.0.lock().unwrap().len() as u64)
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
            Arc::new(self.0.lock().unwrap().clone()).read_at(offset, buffer)
        }
    }

    fn sums(bytes: &[u8]) -> Vec<Checksum> {
        checksums(bytes, Version::WRITTEN)
    }

    fn bytes(len: usize) -> Vec<u8> {
        (0..len).map(|at| (at * 7 % 251) as u8).collect()
    }

    fn payload(bytes: Vec<u8>, sums: Vec<Checksum>, limit: u64) -> (Payload, Shared) {
        let len = bytes.len() as u64;
        let file = Shared(Arc::new(Mutex::new(bytes)));
        let budget = Arc::new(Budget::new(limit));
        let read = Box::new(file.clone());
        (Payload::new(read, Version::WRITTEN, 0..len, sums, budget).unwrap(), file)
    }

    fn is_damaged<T>(result: Result<T, PayloadError>) -> bool {
        matches!(result, Err(PayloadError::Damaged))
    }

    #[test]
    fn damage_is_noticed_where_it_is_touched() {
        let mut bytes = bytes(3 * CHUNK + 5);
        let sums = sums(&bytes);
        bytes[2 * CHUNK + 9] ^= 1;
        let len = bytes.len();
        let (payload, _) = payload(bytes.clone(), sums.clone(), u64::MAX);
        let pinned = payload.pin();
        assert_eq!(*pinned.get(0..2 * CHUNK).unwrap(), bytes[..2 * CHUNK]);
        assert_eq!(*pinned.get(CHUNK - 3..CHUNK + 3).unwrap(), bytes[CHUNK - 3..CHUNK + 3]);
        assert!(is_damaged(pinned.get(2 * CHUNK - 1..2 * CHUNK + 1)));
        assert!(is_damaged(payload.verify()));
        assert!(pinned.get(3 * CHUNK..len).is_ok());
        assert!(is_damaged(pinned.get(3 * CHUNK..len + 1)));
        assert_eq!(pinned.get(len..len).unwrap().len(), 0);
        let budget = Arc::new(Budget::new(0));
        let nine = Box::new(Arc::new(vec![0; 9]));
        let short = Payload::new(nine, Version::WRITTEN, 0..9, sums, budget);
        assert!(is_damaged(short));
    }

    #[test]
    fn what_was_verified_stays_whatever_becomes_of_the_file() {
        let good = bytes(2 * CHUNK);
        let (payload, file) = payload(good.clone(), sums(&good), u64::MAX);
        assert_eq!(payload.pin().get(5..9).unwrap(), &good[5..9]);
        file.0.lock().unwrap()[7] ^= 1;
        assert_eq!(payload.pin().get(5..9).unwrap(), &good[5..9]);
        file.0.lock().unwrap().truncate(CHUNK + 3);
        assert_eq!(payload.pin().get(5..9).unwrap(), &good[5..9]);
        let gone = payload.pin().get(CHUNK..CHUNK + 1).map(Cow::into_owned);
        assert!(matches!(gone, Err(PayloadError::Read(_))), "{gone:?}");
    }

    #[test]
    fn chunks_nobody_touched_lately_are_given_up_unless_pinned() {
        let good = bytes(4 * CHUNK);
        let (payload, _) = payload(good.clone(), sums(&good), 2 * CHUNK as u64);
        for chunk in 0..4 {
            payload.pin().get(chunk * CHUNK..chunk * CHUNK + 1).unwrap();
        }
        assert!(payload.budget.is_exceeded());
        let pinned = payload.pin();
        payload.give_up_unused();
        drop(pinned);
        assert_eq!(payload.budget.kept(), 4 * CHUNK as u64);
        payload.give_up_unused();
        payload.pin().get(0..1).unwrap();
        payload.give_up_unused();
        assert_eq!(payload.budget.kept(), CHUNK as u64);
        assert_eq!(*payload.pin().get(0..4 * CHUNK).unwrap(), good[..]);
        let budget = payload.budget.clone();
        drop(payload);
        assert_eq!(budget.kept(), 0);
    }
}
