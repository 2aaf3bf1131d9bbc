//! Building sets of tables on disk, by retrograde analysis.
//!
//! The classes are built layer by layer, those of fewer pieces first, each into a file of its own. A
//! class whose file is there is done: a build that was interrupted, at whatever moment, carries on
//! where it stopped, having lost the class it was at. Any number of builders may work on one folder,
//! on one machine or on several that share it; see `claim` for how they keep out of each other's
//! way. Solving is the same to the last bit however it is done, so the files are, too.
//!
//! A table that is there but damaged stops the build: it may be all that is left of days of work, so
//! deleting it is left to the user.

mod claim;
mod compare;
mod error;
mod forecast;
mod inventory;
mod job;
mod manifest;
mod memory;
mod outline;
mod owner;
mod plan;
mod progress;
mod run;
mod store;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use jungle::{ByColor, Rules};

use crate::material::{Classes, Material, table_rules};
use crate::table::{Counts, file_name};

pub use compare::{SolverTimes, compare_solvers};
pub use error::BuildError;
pub use forecast::{Forecast, forecast};
pub use inventory::{Inventory, Layer, TableFile};
pub use job::{Job, JobStatus};
pub use manifest::{FILE as MANIFEST, Manifest, ManifestEntry};
pub use memory::in_memory;
#[cfg(test)]
pub(crate) use memory::in_memory_storing;
pub use outline::{PlannedClass, outline};
pub use owner::Owner;
pub use plan::{MOST_PIECES, Wanted};
pub use progress::Progress;
pub(crate) use store::names;
use store::{Disk, SystemDisk};

/// Tables of up to this many pieces are built when they are first needed: it takes less than two
/// seconds.
pub const SMALL: u32 = 3;

/// Options of a build.
#[derive(Clone)]
pub struct Options {
    /// How many threads to solve on; all cores if `None`.
    pub threads: Option<usize>,
    /// How many bytes of memory to use at most, as far as classes and tables go.
    pub memory: u64,
    /// Whether the largest tables say only who wins. The others, which they are solved from, say how
    /// soon as well.
    pub wdl_only: bool,
    /// Whether the largest tables store both sides to move: twice the size, but over a network a probe costs requests
    /// to one table only.
    pub both_sides: bool,
    /// Whether to let everything else on the machine go first: the threads have the lowest priority, where the system
    /// gives threads priorities of their own, as Linux does.
    pub gentle: bool,
    /// How long the claim of another builder must be untouched to count as abandoned.
    pub abandoned_after: Duration,
    /// Set to stop the build; it stops before the next class.
    pub stop: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: None,
            memory: 8 << 30,
            wdl_only: false,
            both_sides: false,
            gentle: false,
            abandoned_after: Duration::from_secs(60),
            stop: Arc::default(),
        }
    }
}

/// Events of a build.
#[derive(Debug)]
pub enum Event<'a> {
    /// The plan is known.
    Planned {
        /// How many classes are wanted.
        classes: usize,
        /// How many of them are there already.
        present: usize,
        /// How much work the others are, in the unit of the other events.
        work: u64,
        /// How much work all of them are, those that are there included.
        total: u64,
        /// How many bytes the tables that are there have.
        bytes: u64,
        /// How many bytes the others will have, roughly.
        expected: u64,
    },
    /// A class is begun.
    Started {
        /// The class.
        class: Material,
    },
    /// A class is built and its file in place.
    Built {
        /// What was built.
        report: &'a BuildReport,
        /// How much of the work that was.
        work: u64,
    },
    /// Another builder has built a class.
    Found {
        /// The class.
        class: Material,
        /// How much of the work that was.
        work: u64,
    },
    /// All that is left of a layer is being built by others; the builder waits. Reported once a class.
    Waiting {
        /// The class.
        class: Material,
        /// Who builds it, where known.
        owner: Option<&'a Owner>,
    },
}

/// A class that was built.
#[derive(Clone, Debug)]
pub struct BuildReport {
    /// The class that gives the table its name.
    pub class: Material,
    /// The name of the file.
    pub file: String,
    /// Its positions by side to move, mirror images counted apart.
    pub counts: ByColor<Counts>,
    /// How long it took to read what it leads to, solve it and write it.
    pub time: Duration,
    /// The size of the file.
    pub bytes: u64,
}

impl BuildReport {
    /// The positions with either side to move taken together.
    pub fn total(&self) -> Counts {
        self.counts.white.plus(self.counts.black)
    }

    /// How many positions were solved in a second.
    pub fn positions_per_second(&self) -> f64 {
        self.total().placements() as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// How many bits of the file a position takes.
    pub fn bits_per_position(&self) -> f64 {
        self.bytes as f64 * 8.0 / self.total().placements().max(1) as f64
    }
}

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildSummary {
    /// How many classes were wanted; all are there now.
    pub classes: usize,
    /// How many of them this builder built.
    pub built: usize,
}

/// Builds what is missing of the wanted tables in the folder of a set, reporting to `watch`.
///
/// # Errors
///
/// If a table is damaged, memory or the disk does not suffice, or the disk fails. Tables that are finished stay.
pub fn build(
    rules: &Rules,
    folder: &Path,
    wanted: &Wanted,
    options: &Options,
    watch: &mut (dyn FnMut(Event<'_>) + Send),
) -> Result<BuildSummary, BuildError> {
    build_on(&SystemDisk, rules, folder, wanted, options, watch)
}

/// As [`build`], with files written by this disk.
fn build_on(
    disk: &dyn Disk,
    rules: &Rules,
    folder: &Path,
    wanted: &Wanted,
    options: &Options,
    watch: &mut (dyn FnMut(Event<'_>) + Send),
) -> Result<BuildSummary, BuildError> {
    let gentle = options.gentle;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .start_handler(move |_| {
            if gentle {
                give_way();
            }
        })
        .build()
        .map_err(|error| BuildError::Threads(Box::new(error)))?;
    pool.install(|| run::Builder::new(disk, rules, folder, wanted, options, watch)?.run())
}

/// Gives this thread the lowest priority. Where threads have none of their own, nothing happens.
fn give_way() {
    #[cfg(target_os = "linux")]
    {
        // Linux means the thread where POSIX means its process. If it is forbidden, the thread is as good as others.
        let _ = rustix::process::setpriority_process(None, 19);
    }
}

/// Whether a folder has the tables of all classes of up to [`SMALL`] pieces.
pub fn has_small(rules: &Rules, folder: &Path) -> bool {
    let classes = Classes::new(&table_rules(rules), SMALL);
    classes.list().iter().all(|class| folder.join(file_name(class.material)).is_file())
}

/// Builds what is missing of the tables of up to [`SMALL`] pieces in the folder of a set, so that
/// looking up small endgames needs no preparation. Whether existing tables are good is checked
/// when they are opened.
///
/// # Errors
///
/// If some are missing and the folder cannot be written.
pub fn ensure_small(rules: &Rules, folder: &Path) -> Result<(), BuildError> {
    if has_small(rules, folder) {
        return Ok(());
    }
    build(rules, folder, &Wanted::Pieces(SMALL), &Options::default(), &mut |_| {}).map(|_| ())
}

#[cfg(test)]
mod tests;
