//! The index of the blocks: where each lies.
//!
//! A block has two streams of a few bytes each for its outcomes, and two for its distances, so their offsets
//! must be cheap. Blocks go in groups of 32, which hold the outcomes of their blocks and after them the
//! distances. The index has a word for each group:
//!
//! ```text
//! bits   0..56   where the group starts among the groups
//! bits  56..60   with how many bits it writes a length of outcomes
//! bits  60..64   and of distances; 0 if there are none
//! ```
//!
//! A group starts with the lengths of its 64 streams of outcomes, a word for each of these bits, lowest
//! first, with bit `i` for stream `i`: the lengths before a stream are then added up by counting bits. The
//! lengths of distances follow in the same way, then the streams.
//!
//! In version 2 of the format, outcomes and distances have an index and groups each, and the top byte of an
//! index's word is one number of bits.

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use crate::payload::{PayloadError, Pinned};

/// Streams in a group, one for each bit of a word.
const GROUP: usize = 64;
const WORD: usize = 8;
/// Where the numbers of bits stand in a word of the index.
const WIDTH_SHIFT: u32 = 56;
/// How many bits a number of bits has.
const WIDTH_BITS: u32 = 4;

/// What groups hold of their blocks, to be put together: outcomes, or distances.
pub struct Part<'a> {
    /// The lengths of the blocks' streams.
    pub lengths: Vec<[u16; 2]>,
    /// The streams, one after the other, cut anywhere.
    pub bytes: Vec<&'a [u8]>,
}

/// The index and the groups, as they are written.
pub struct Groups {
    /// The index.
    pub index: Vec<u8>,
    /// The groups.
    pub data: Vec<u8>,
    /// How many bytes of the groups belong to the first part.
    pub first: u64,
}

/// Puts blocks together. There are one or two parts, of the same blocks.
///
/// # Panics
///
/// If a length does not fit fifteen bits. Streams have at most six rows of 61 squares, and even if nothing
/// about distances could be predicted, a square takes no more than 28 bits.
pub fn write(parts: &[Part<'_>]) -> Groups {
    let mut rest: Vec<Bytes<'_>> =
        parts.iter().map(|part| Bytes { parts: &part.bytes, at: 0 }).collect();
    let streams = parts.first().map_or(0, |part| 2 * part.lengths.len());
    let mut written = Groups { index: Vec::new(), data: Vec::new(), first: 0 };
    for start in (0..streams).step_by(GROUP) {
        let groups: Vec<&[u16]> = parts
            .iter()
            .map(|part| &part.lengths.as_flattened()[start..streams.min(start + GROUP)])
            .collect();
        let Groups { index, data, first } = &mut written;
        index.extend(entry(data.len() as u64, &groups).to_le_bytes());
        for group in &groups {
            write_lengths(group, data);
        }
        for (at, (group, rest)) in groups.iter().zip(&mut rest).enumerate() {
            let len: usize = group.iter().map(|&length| usize::from(length)).sum();
            rest.take(len, data);
            *first += if at == 0 { (len + WORD * width(group) as usize) as u64 } else { 0 };
        }
    }
    written
}

/// The word of the index for a group.
fn entry(offset: u64, groups: &[&[u16]]) -> u64 {
    groups.iter().zip([0, WIDTH_BITS]).fold(offset, |entry, (group, shift)| {
        assert!(width(group) < 1 << WIDTH_BITS, "a stream has a few hundred symbols");
        entry | u64::from(width(group)) << (WIDTH_SHIFT + shift)
    })
}

/// How many bits the longest length takes.
fn width(lengths: &[u16]) -> u32 {
    u16::BITS - lengths.iter().fold(0, |all, length| all | length).leading_zeros()
}

fn write_lengths(lengths: &[u16], data: &mut Vec<u8>) {
    for bit in 0..width(lengths) {
        let bits = lengths.iter().rev().map(|length| u64::from(length >> bit & 1));
        data.extend(bits.fold(0, |word, bit| word << 1 | bit).to_le_bytes());
    }
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

/// How the groups of an index are laid out, and what of them is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Groups of version 2, which hold nothing else.
    Alone,
    /// Outcomes, which come first.
    Outcomes,
    /// Distances, which come second.
    Distances,
}

impl Layout {
    /// From the top byte of a word of the index: how many words of lengths stand before ours, how many ours
    /// are, and how many stand after them.
    #[inline]
    fn widths(self, top: usize) -> [usize; 3] {
        let (low, high) = (top & ((1 << WIDTH_BITS) - 1), top >> WIDTH_BITS);
        match self {
            Layout::Alone => [0, top, 0],
            Layout::Outcomes => [0, low, high],
            Layout::Distances => [low, high, 0],
        }
    }
}

/// An index within a payload.
pub struct Index {
    index: Range<usize>,
    data: Range<usize>,
    blocks: usize,
    layout: Layout,
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
        layout: Layout,
    ) -> Result<Index, PayloadError> {
        if index.len() != (2 * blocks).div_ceil(GROUP) * WORD {
            return Err(PayloadError::Damaged);
        }
        Ok(Index { index, data, blocks, layout })
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
        let entry = self.index.start + 2 * block / GROUP * WORD;
        let entry = word(&payload.get(entry..entry + WORD)?)?;
        let start = self.start(entry)?;
        let [before, width, after] = self.layout.widths((entry >> WIDTH_SHIFT) as usize);
        let own = start.checked_add((before + width) * WORD).ok_or(PayloadError::Damaged)?;
        let streams = own.checked_add(after * WORD).ok_or(PayloadError::Damaged)?;
        if width > u16::BITS as usize || streams > self.data.end {
            return Err(PayloadError::Damaged);
        }
        let words = payload.get(start..own)?;
        let (others, own) = words.as_chunks().0.split_at(before);
        let at = 2 * block % GROUP;
        let (mut skipped, mut first, mut second) = (0, 0, 0);
        for (bit, bytes) in others.iter().enumerate() {
            skipped += (u64::from_le_bytes(*bytes).count_ones() as usize) << bit;
        }
        for (bit, bytes) in own.iter().enumerate() {
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

    /// Reads the groups of some blocks in at most two requests, one of them for the index.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the bytes cannot be read.
    pub fn prepare(
        &self,
        payload: &Pinned<'_>,
        blocks: RangeInclusive<usize>,
    ) -> Result<(), PayloadError> {
        let [first, last] = [blocks.start(), blocks.end()].map(|block| 2 * block / GROUP);
        // The groups end where the next one starts.
        let words = self.index.start + first * WORD..self.index.start + (last + 2) * WORD;
        let words = payload.get(words.start..words.end.min(self.index.end))?;
        let start = self.start(word(&words)?)?;
        let end = match words.get((last + 1 - first) * WORD..) {
            Some(next) if !next.is_empty() => self.start(word(next)?)?,
            _ => self.data.end,
        };
        payload.prepare(start..end)
    }

    /// Where the group with this word starts in the payload.
    #[inline]
    fn start(&self, entry: u64) -> Result<usize, PayloadError> {
        let offset = usize::try_from(entry & ((1 << WIDTH_SHIFT) - 1)).ok();
        let start = offset.and_then(|offset| self.data.start.checked_add(offset));
        start.ok_or(PayloadError::Damaged)
    }
}

/// The first word of some bytes.
#[inline]
fn word(bytes: &[u8]) -> Result<u64, PayloadError> {
    bytes.first_chunk().map(|word| u64::from_le_bytes(*word)).ok_or(PayloadError::Damaged)
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
    use crate::version::Version;

    /// Blocks with streams of random lengths, all bytes of a stream alike.
    fn random(rng: &mut Rng, blocks: usize) -> (Vec<[u16; 2]>, Vec<Vec<u8>>) {
        let most = 1 + rng.below(300);
        let lengths: Vec<[u16; 2]> =
            (0..blocks).map(|_| [(); 2].map(|()| rng.below(most) as u16)).collect();
        let streams = lengths.as_flattened().iter();
        let streams = streams.map(|&length| vec![rng.next_u64() as u8; usize::from(length)]);
        let streams = streams.collect();
        (lengths, streams)
    }

    fn payload(bytes: Vec<u8>) -> Payload {
        let version = Version::WRITTEN;
        let (sums, len) = (checksums(&bytes, version), bytes.len() as u64);
        let file = Box::new(Arc::new(bytes));
        Payload::new(file, version, 0..len, sums, Arc::new(Budget::new(0))).unwrap()
    }

    #[test]
    fn every_block_is_found() {
        let mut rng = Rng::new(7);
        for blocks in [0, 1, 31, 32, 33, 200] {
            for count in [1, 2] {
                let parts: Vec<_> = (0..count).map(|_| random(&mut rng, blocks)).collect();
                let written: Vec<Part<'_>> = parts
                    .iter()
                    .map(|(lengths, streams)| Part {
                        lengths: lengths.clone(),
                        bytes: streams.iter().map(Vec::as_slice).collect(),
                    })
                    .collect();
                let Groups { index, data, first } = write(&written);
                assert_eq!(first == data.len() as u64, count == 1 || blocks == 0);
                let (split, end) = (index.len(), index.len() + data.len());
                let payload = payload([index, data].concat());
                let payload = payload.pin();
                let layouts = [Layout::Outcomes, Layout::Distances];
                for ((_, streams), layout) in parts.iter().zip(layouts) {
                    let index = Index::new(0..split, split..end, blocks, layout).unwrap();
                    for block in 0..blocks {
                        let found = index.block(&payload, block).unwrap();
                        let found = found.both().map(<[u8]>::to_vec);
                        assert_eq!(found.as_slice(), &streams[2 * block..][..2]);
                        index.prepare(&payload, block..=(block + 40).min(blocks - 1)).unwrap();
                    }
                    assert!(index.block(&payload, blocks).is_err());
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "a few hundred symbols")]
    fn a_length_of_sixteen_bits_is_not_written() {
        write(&[Part { lengths: vec![[1 << 15, 0]], bytes: vec![&[0; 1 << 15]] }]);
    }
}
