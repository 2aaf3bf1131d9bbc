//! Where each block of a stream lies.
//!
//! Blocks are a few dozen bytes long, so their places must cost next to nothing: for every 64 blocks
//! one full offset, and a length of one or two bytes for each block.
//!
//! ```text
//! width      1 byte: bytes a length takes, 1 or 2
//! for every 64 blocks: offset of the first (8 bytes), 64 lengths
//! ```

use std::ops::Range;

use crate::checked::{Checked, Damaged};

const GROUP: usize = 64;

/// The index of these blocks.
///
/// # Panics
///
/// If a block is longer than two bytes can say; a block's symbols cannot take so many.
pub fn write(blocks: &[Vec<u8>]) -> Vec<u8> {
    let longest = blocks.iter().map(Vec::len).max().unwrap_or(0);
    assert!(longest <= usize::from(u16::MAX), "a block has a few thousand symbols");
    let width = if longest <= usize::from(u8::MAX) { 1 } else { 2 };
    let mut bytes = vec![width as u8];
    let mut offset = 0u64;
    for group in blocks.chunks(GROUP) {
        bytes.extend(offset.to_le_bytes());
        for at in 0..GROUP {
            let len = group.get(at).map_or(0, Vec::len);
            bytes.extend(&(len as u16).to_le_bytes()[..width]);
            offset += len as u64;
        }
    }
    bytes
}

/// An index within a payload.
pub struct Index {
    index: Range<usize>,
    data: Range<usize>,
    width: usize,
    blocks: usize,
}

impl Index {
    /// The index in this range of the payload, for blocks in that one.
    ///
    /// # Errors
    ///
    /// If the index has not the length that so many blocks need.
    pub fn new(index: Range<usize>, data: Range<usize>, blocks: usize) -> Result<Index, Damaged> {
        let groups = blocks.div_ceil(GROUP);
        let width =
            [1, 2].into_iter().find(|width| index.len() == 1 + groups * (8 + GROUP * width));
        Ok(Index { index, data, width: width.ok_or(Damaged)?, blocks })
    }

    /// The bytes of a block.
    ///
    /// # Errors
    ///
    /// If the index or the block is damaged.
    #[inline]
    pub fn block<'a>(&self, payload: &'a Checked, block: usize) -> Result<&'a [u8], Damaged> {
        if block >= self.blocks {
            return Err(Damaged);
        }
        let size = 8 + GROUP * self.width;
        let start = self.index.start + 1 + block / GROUP * size;
        let group = payload.get(start..start + size)?;
        let (offset, lengths) = group.split_first_chunk::<8>().ok_or(Damaged)?;
        let length = |at: usize| -> usize {
            let bytes = &lengths[at * self.width..(at + 1) * self.width];
            bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
        };
        let skipped: usize = (0..block % GROUP).map(length).sum();
        let offset = usize::try_from(u64::from_le_bytes(*offset)).map_err(|_| Damaged)?;
        let start = self.data.start.checked_add(offset).ok_or(Damaged)?;
        let start = start.checked_add(skipped).ok_or(Damaged)?;
        let end = start + length(block % GROUP);
        if end > self.data.end {
            return Err(Damaged);
        }
        payload.get(start..end)
    }
}
