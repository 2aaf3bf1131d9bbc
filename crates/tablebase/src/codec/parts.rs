//! The parts of a payload, whose lengths stand in front of it.
//!
//! ```text
//! version 3   models | index | groups of outcomes and distances
//! version 2   models | index | groups of outcomes | index | groups of distances
//! ```

use std::ops::Range;

use super::Sizes;
use super::index::{Index, Layout};
use crate::payload::{PayloadError, Pinned};
use crate::version::Version;

/// Where the parts of a payload lie.
pub struct Parts {
    /// The models.
    pub models: Range<usize>,
    /// The outcomes.
    pub outcomes: Place,
    /// The distances. There need not be any.
    pub distances: Place,
    sizes: Sizes,
}

/// Where outcomes or distances lie: their index, and the groups that it leads to.
pub struct Place {
    index: Range<usize>,
    data: Range<usize>,
    layout: Layout,
}

impl Place {
    /// The index, for this many blocks.
    ///
    /// # Errors
    ///
    /// If it does not have the length for them.
    pub fn index(self, blocks: usize) -> Result<Index, PayloadError> {
        Index::new(self.index, self.data, blocks, self.layout)
    }
}

impl Parts {
    /// The parts of a payload.
    ///
    /// # Errors
    ///
    /// If they do not fit into it, or it cannot be read.
    pub fn read(payload: &Pinned<'_>) -> Result<Parts, PayloadError> {
        match payload.version() {
            Version::Two => Parts::read_two(payload),
            Version::Three => Parts::read_three(payload),
        }
    }

    fn read_two(payload: &Pinned<'_>) -> Result<Parts, PayloadError> {
        let lengths = numbers(payload)?;
        let [models, index, data, distance_index, distance_data] = ranges(payload, lengths, 5)?;
        let sizes = Sizes {
            models: models.len() as u64,
            outcomes: (index.len() + data.len()) as u64,
            distances: (distance_index.len() + distance_data.len()) as u64,
        };
        let layout = Layout::Alone;
        Ok(Parts {
            models,
            outcomes: Place { index, data, layout },
            distances: Place { index: distance_index, data: distance_data, layout },
            sizes,
        })
    }

    fn read_three(payload: &Pinned<'_>) -> Result<Parts, PayloadError> {
        let [models, index, data, of_outcomes] = numbers(payload)?;
        let distances = data.checked_sub(of_outcomes).ok_or(PayloadError::Damaged)?;
        let sizes = Sizes { models, outcomes: index.saturating_add(of_outcomes), distances };
        let [models, index, data] = ranges(payload, [models, index, data], 4)?;
        let place = |layout| Place { index: index.clone(), data: data.clone(), layout };
        let (outcomes, distances) = (place(Layout::Outcomes), place(Layout::Distances));
        Ok(Parts { models, outcomes, distances, sizes })
    }

    /// How many bytes they take.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }
}

/// The numbers in front of the payload.
fn numbers<const N: usize>(payload: &Pinned<'_>) -> Result<[u64; N], PayloadError> {
    let bytes = payload.get(0..8 * N)?;
    let words = bytes.as_chunks::<8>().0.first_chunk::<N>().ok_or(PayloadError::Damaged)?;
    Ok(words.map(u64::from_le_bytes))
}

/// Parts of these lengths that follow one another, after this many numbers.
fn ranges<const N: usize>(
    payload: &Pinned<'_>,
    lengths: [u64; N],
    numbers: usize,
) -> Result<[Range<usize>; N], PayloadError> {
    let mut ranges = [const { 0..0 }; N];
    let mut start = 8 * numbers;
    for (range, len) in ranges.iter_mut().zip(lengths) {
        let end = usize::try_from(len).ok().and_then(|len| start.checked_add(len));
        let end = end.filter(|&end| end <= payload.len()).ok_or(PayloadError::Damaged)?;
        *range = start..end;
        start = end;
    }
    Ok(ranges)
}
