//! Versions of the table format that can be read.

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Outcomes and distances apart, each with an index; chunks of 64 KiB.
    Two,
    /// A group's outcomes and distances side by side under one index, in chunks of 16 KiB: a probe over a
    /// network needs few requests.
    Three,
}

impl Version {
    /// The version that is written.
    pub const WRITTEN: Version = Version::Three;
    /// The oldest that can be read.
    pub const OLDEST: Version = Version::Two;
    /// All that can be read.
    pub const ALL: [Version; 2] = [Version::Two, Version::Three];

    /// The version with a number; `None` if it is not one that can be read.
    pub fn from_number(number: u16) -> Option<Version> {
        Version::ALL.into_iter().find(|version| version.number() == number)
    }

    /// Its number in a header.
    pub const fn number(self) -> u16 {
        match self {
            Version::Two => 2,
            Version::Three => 3,
        }
    }

    /// How many bits number the bytes of a chunk of the payload.
    pub const fn chunk_bits(self) -> u32 {
        match self {
            Version::Two => 16,
            Version::Three => 14,
        }
    }

    /// How many bytes a chunk of the payload has; the last may have fewer.
    pub const fn chunk(self) -> usize {
        1 << self.chunk_bits()
    }
}
