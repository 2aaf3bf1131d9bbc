//! Statistics of splits: how often boards were cut, and into what; the numbers of Burnett's Figure 21.

use std::collections::BTreeMap;

/// The splits of a game, or of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitStatistics {
    /// How many choices were made.
    pub choices: u64,
    /// How many of them cut the board into parts.
    pub splits: u64,
    /// For each number of parts: how many parts of each size there were.
    pub sizes: BTreeMap<usize, BTreeMap<usize, u64>>,
}

impl SplitStatistics {
    /// Counts one choice by the number of pieces in each part; fewer than two parts are not a cut.
    pub fn record(&mut self, parts: &[usize]) {
        self.choices += 1;
        if parts.len() < 2 {
            return;
        }
        self.splits += 1;
        let sizes = self.sizes.entry(parts.len()).or_default();
        for &size in parts {
            *sizes.entry(size).or_default() += 1;
        }
    }

    /// Adds another count.
    pub fn merge(&mut self, other: &SplitStatistics) {
        self.choices += other.choices;
        self.splits += other.splits;
        for (&ways, counts) in &other.sizes {
            let sizes = self.sizes.entry(ways).or_default();
            for (&size, count) in counts {
                *sizes.entry(size).or_default() += count;
            }
        }
    }

    /// The share of choices that cut the board; none if there were no choices.
    pub fn frequency(&self) -> Option<f64> {
        (self.choices > 0).then(|| self.splits as f64 / self.choices as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_by_size() {
        let mut one = SplitStatistics::default();
        assert_eq!(one.frequency(), None);
        for parts in [&[5, 1][..], &[6], &[1, 4], &[2, 2, 1]] {
            one.record(parts);
        }
        assert_eq!((one.choices, one.splits, one.frequency()), (4, 3, Some(0.75)));
        assert_eq!(one.sizes[&2], BTreeMap::from([(1, 2), (4, 1), (5, 1)]));
        let mut both = one.clone();
        both.merge(&one);
        assert_eq!(both.sizes[&3], BTreeMap::from([(1, 2), (2, 4)]));
        assert_eq!(both.choices, 8);
    }
}
