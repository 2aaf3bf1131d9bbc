//! What a build would take: how much is missing, and how large it will be.

use std::path::Path;

use jungle::Rules;

use super::error::BuildError;
use super::plan::Wanted;
use super::run::Builder;
use super::store::SystemDisk;
use super::{Event, Options};

/// How much work makes a byte of table, roughly: 17.5 to 18 in the presets' sets of four pieces.
const WORK_A_BYTE: u64 = 17;

/// How much work a thread does in a second, roughly, on a machine of these years.
const WORK_A_SECOND: f64 = 15e6;

/// What a build would take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// How many classes are wanted.
    pub classes: usize,
    /// How many of them are there already.
    pub present: usize,
    /// How much work all classes are: the positions that they have indices for.
    pub total: u64,
    /// How much of that is missing.
    pub work: u64,
    /// How many bytes the tables that are there have.
    pub bytes: u64,
    /// How many bytes the others will have, roughly.
    pub expected: u64,
}

impl Forecast {
    /// Adds a class whose table has this many bytes, if there is one.
    pub(super) fn add(&mut self, work: u64, bytes: Option<u64>) {
        self.classes += 1;
        self.total += work;
        match bytes {
            Some(bytes) => {
                self.present += 1;
                self.bytes += bytes;
            }
            None => {
                self.work += work;
                self.expected += self::bytes(work);
            }
        }
    }

    /// Whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.present == self.classes
    }

    /// How many bytes have to be free on the disk: what is expected, and an eighth, since it is a guess.
    pub fn space(&self) -> u64 {
        self.expected + self.expected / 8
    }

    /// How many seconds the build will take on this many threads, roughly.
    pub fn seconds(&self, threads: usize) -> f64 {
        self.work as f64 / WORK_A_SECOND / threads.max(1) as f64
    }
}

/// How many bytes the table of a class with this much work will have, roughly.
pub(super) fn bytes(work: u64) -> u64 {
    // A small table is mostly its header and models.
    work / WORK_A_BYTE + (1 << 10)
}

/// What it would take to build the wanted tables in the folder of a set, which need not exist.
///
/// # Errors
///
/// If a table is damaged, or the folder cannot be read.
pub fn forecast(rules: &Rules, folder: &Path, wanted: &Wanted) -> Result<Forecast, BuildError> {
    let options = Options::default();
    let mut quiet = |_: Event<'_>| {};
    let builder = Builder::new(&SystemDisk, rules, folder, wanted, &options, &mut quiet)?;
    Ok(builder.plan()?.forecast)
}
