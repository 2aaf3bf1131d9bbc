//! Bytes that are verified before they are believed.
//!
//! A table's payload is cut into chunks of 64 KiB with a checksum each. A chunk is verified when it
//! is first touched and remembered as good, so that probing pays for it once.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::source::Bytes;

/// The size of a chunk.
pub const CHUNK: usize = 1 << 16;

/// A checksum: the first eight bytes of BLAKE3.
pub type Checksum = [u8; 8];

/// The checksum of some bytes.
pub fn checksum(bytes: &[u8]) -> Checksum {
    let hash = blake3::hash(bytes);
    *hash.as_bytes().first_chunk().expect("a hash has 32 bytes")
}

/// The checksums of all chunks.
pub fn checksums(payload: &[u8]) -> Vec<Checksum> {
    payload.chunks(CHUNK).map(checksum).collect()
}

/// The bytes do not match their checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// A payload with its checksums.
pub struct Checked {
    bytes: Bytes,
    payload: Range<usize>,
    checksums: Vec<Checksum>,
    good: Vec<AtomicU8>,
}

impl Checked {
    /// The part `payload` of the bytes.
    ///
    /// # Errors
    ///
    /// If the range or the number of checksums does not fit the bytes.
    pub fn new(
        bytes: Bytes,
        payload: Range<usize>,
        checksums: Vec<Checksum>,
    ) -> Result<Checked, Damaged> {
        let fits = payload.start <= payload.end && payload.end <= (*bytes).as_ref().len();
        if !fits || payload.len().div_ceil(CHUNK) != checksums.len() {
            return Err(Damaged);
        }
        let good = checksums.iter().map(|_| AtomicU8::new(0)).collect();
        Ok(Checked { bytes, payload, checksums, good })
    }

    /// How long the payload is.
    pub fn len(&self) -> usize {
        self.payload.len()
    }

    /// Whether the payload is empty.
    pub fn is_empty(&self) -> bool {
        self.payload.is_empty()
    }

    /// A part of the payload, verified.
    ///
    /// # Errors
    ///
    /// If the part is not within the payload or its bytes are damaged.
    #[inline]
    pub fn get(&self, range: Range<usize>) -> Result<&[u8], Damaged> {
        let payload = &(*self.bytes).as_ref()[self.payload.clone()];
        let part = payload.get(range.clone()).ok_or(Damaged)?;
        if part.is_empty() {
            return Ok(part);
        }
        for chunk in range.start / CHUNK..=(range.end - 1) / CHUNK {
            if self.good[chunk].load(Relaxed) == 0 {
                self.verify(payload, chunk)?;
            }
        }
        Ok(part)
    }

    #[cold]
    fn verify(&self, payload: &[u8], chunk: usize) -> Result<(), Damaged> {
        let start = chunk * CHUNK;
        let bytes = &payload[start..payload.len().min(start + CHUNK)];
        if checksum(bytes) != self.checksums[chunk] {
            return Err(Damaged);
        }
        self.good[chunk].store(1, Relaxed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn damage_is_noticed_where_it_is_touched() {
        let mut bytes: Vec<u8> = (0..3 * CHUNK + 5).map(|at| (at * 7 % 251) as u8).collect();
        let sums = checksums(&bytes);
        bytes[2 * CHUNK + 9] ^= 1;
        let len = bytes.len();
        let checked = Checked::new(Arc::new(bytes), 0..len, sums.clone()).unwrap();
        assert!(checked.get(0..2 * CHUNK).is_ok());
        assert_eq!(checked.get(2 * CHUNK - 1..2 * CHUNK + 1), Err(Damaged));
        assert!(checked.get(3 * CHUNK..len).is_ok());
        assert_eq!(checked.get(3 * CHUNK..len + 1), Err(Damaged));
        assert_eq!(checked.get(len..len).map(<[u8]>::len), Ok(0));
        assert!(Checked::new(Arc::new(vec![0; 9]), 0..10, sums).is_err());
    }
}
