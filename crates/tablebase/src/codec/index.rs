//! The index of the blocks: where each lies.
//!
//! A block has two streams of a few bytes each, so their offsets must be cheap. Blocks go
//! in groups of 32. The index has a word for each group: where it starts, and in the top byte with
//! how many bits it writes a length. The group starts with the lengths of its 64 streams, a word for
//! each of these bits, lowest first, with bit `i` for stream `i`: the lengths before a stream are
//! then added up by counting bits.

use std::borrow::Cow;
use std::ops::Range;

use crate::payload::{PayloadError, Pinned};

/// Streams in a group, one for each bit of a word.
const GROUP: usize = 64;
const WORD: usize = 8;
/// Where the number of bits stands in a word of the index.
const WIDTH_SHIFT: u32 = 56;

/// Puts blocks together, given the lengths of their streams and their bytes: the index, and the
/// groups.
pub fn write<'a>(
    lengths: &[[u16; 2]],
    bytes: impl Iterator<Item = &'a [u8]>,
) -> (Vec<u8>, Vec<u8>) {
    let bytes: Vec<&[u8]> = bytes.collect();
    let mut rest = Bytes { parts: &bytes, at: 0 };
    let total: usize = bytes.iter().map(|part| part.len()).sum();
    let groups = lengths.as_flattened().chunks(GROUP);
    let mut index = Vec::with_capacity(groups.len() * WORD);
    let mut data = Vec::with_capacity(total + groups.len() * WORD * 6);
    for group in groups {
        let width = u16::BITS - group.iter().fold(0, |all, length| all | length).leading_zeros();
        let entry = data.len() as u64 | u64::from(width) << WIDTH_SHIFT;
        index.extend(entry.to_le_bytes());
        for bit in 0..width {
            let word =
                group.iter().rev().fold(0, |word, length| word << 1 | u64::from(length >> bit & 1));
            data.extend(word.to_le_bytes());
        }
        rest.take(group.iter().map(|&length| usize::from(length)).sum(), &mut data);
    }
    (index, data)
}

/// Bytes in parts, taken from the front.
struct Bytes<'a> {
    parts: &'a [&'a [u8]],
    at: usize,
}

impl Bytes<'_> {
    fn take(&mut self, mut len: usize, to: &mut Vec<u8>) {
        while let Some((part, later)) = self.parts.split_first()
            && len > 0
        {
            let taken = len.min(part.len() - self.at);
            to.extend(&part[self.at..self.at + taken]);
            self.at += taken;
            len -= taken;
            if self.at == part.len() {
                (self.parts, self.at) = (later, 0);
            }
        }
    }
}

/// An index within a payload.
pub struct Index {
    index: Range<usize>,
    data: Range<usize>,
    blocks: usize,
}

impl Index {
    /// The index in this range of the payload, for blocks in that one.
    ///
    /// # Errors
    ///
    /// If the index does not have the length for this many blocks.
    pub fn new(
        index: Range<usize>,
        data: Range<usize>,
        blocks: usize,
    ) -> Result<Index, PayloadError> {
        if index.len() != (2 * blocks).div_ceil(GROUP) * WORD {
            return Err(PayloadError::Damaged);
        }
        Ok(Index { index, data, blocks })
    }

    /// The bytes of a block's streams.
    ///
    /// # Errors
    ///
    /// If the index or the block is damaged or cannot be read.
    #[inline]
    pub fn block<'a>(
        &self,
        payload: &'a Pinned<'_>,
        block: usize,
    ) -> Result<Streams<'a>, PayloadError> {
        if block >= self.blocks {
            return Err(PayloadError::Damaged);
        }
        let word = |bytes: &[u8]| bytes.first_chunk().map(|word| u64::from_le_bytes(*word));
        let entry = self.index.start + 2 * block / GROUP * WORD;
        let entry = word(&payload.get(entry..entry + WORD)?).ok_or(PayloadError::Damaged)?;
        let width = (entry >> WIDTH_SHIFT) as usize;
        let offset =
            usize::try_from(entry & ((1 << WIDTH_SHIFT) - 1)).map_err(|_| PayloadError::Damaged)?;
        let start = self.data.start.checked_add(offset).ok_or(PayloadError::Damaged)?;
        let streams = start.checked_add(width * WORD).ok_or(PayloadError::Damaged)?;
        if width > u16::BITS as usize || streams > self.data.end {
            return Err(PayloadError::Damaged);
        }
        let at = 2 * block % GROUP;
        let (mut skipped, mut first, mut second) = (0, 0, 0);
        for (bit, bytes) in payload.get(start..streams)?.as_chunks().0.iter().enumerate() {
            let word = u64::from_le_bytes(*bytes);
            skipped += ((word & ((1 << at) - 1)).count_ones() as usize) << bit;
            first |= ((word >> at & 1) as usize) << bit;
            second |= ((word >> at >> 1 & 1) as usize) << bit;
        }
        let start = streams + skipped;
        let end = start + first + second;
        if end > self.data.end {
            return Err(PayloadError::Damaged);
        }
        Ok(Streams { bytes: payload.get(start..end)?, first })
    }
}

/// The bytes of a block's two streams.
pub struct Streams<'a> {
    bytes: Cow<'a, [u8]>,
    /// How long the first one is.
    first: usize,
}

impl Streams<'_> {
    /// Each stream.
    #[inline]
    pub fn both(&self) -> [&[u8]; 2] {
        self.bytes.split_at(self.first).into()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use game::rng::Rng;

    use super::*;
    use crate::payload::{Budget, Payload, checksums};

    #[test]
    fn every_block_is_found() {
        let mut rng = Rng::new(7);
        for blocks in [0, 1, 31, 32, 33, 200] {
            let most = 1 + rng.below(300);
            let lengths: Vec<[u16; 2]> =
                (0..blocks).map(|_| [(); 2].map(|()| rng.below(most) as u16)).collect();
            let streams: Vec<Vec<u8>> = lengths
                .as_flattened()
                .iter()
                .enumerate()
                .map(|(at, &length)| vec![at as u8; usize::from(length)])
                .collect();
            let (index, data) = write(&lengths, streams.iter().map(Vec::as_slice));
            let (split, end) = (index.len(), index.len() + data.len());
            let bytes = [index, data].concat();
            let sums = checksums(&bytes);
            let budget = Arc::new(Budget::new(0));
            let file = Box::new(Arc::new(bytes));
            let payload = Payload::new(file, 0..end as u64, sums, budget).unwrap();
            let payload = payload.pin();
            let index = Index::new(0..split, split..end, blocks).unwrap();
            for block in 0..blocks {
                let found = index.block(&payload, block).unwrap();
                let found = found.both().map(<[u8]>::to_vec);
                assert_eq!(found.as_slice(), &streams[2 * block..][..2]);
            }
            assert!(index.block(&payload, blocks).is_err());
        }
    }
}
