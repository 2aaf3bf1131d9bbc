//! A set of tables, opened for probing, with failures as the user sees them; and what the commands about
//! tables have in common.

use std::ops::Deref;

use answers::Refusal;
use tablebase::build::{SMALL, has_small};
use tablebase::{LineError, ProbeError};

use crate::commands::tb::args::SetArgs;
use crate::commands::tb::{folder, remedy};
use crate::failure::Failure;

/// A set of tables in a folder.
pub struct Set(tablebase::Set);

impl Set {
    /// Opens the set for probing; the small tables are built if they are not there.
    pub fn open(args: &SetArgs) -> Result<Set, Failure> {
        let (rules, folder) = (&args.rules.rules, folder(args)?);
        if !has_small(rules, &folder) {
            let folder = folder.display();
            anstream::eprintln!("building the tables of up to {SMALL} pieces in {folder}, once");
        }
        Ok(Set(tablebase::Set::open_or_build(rules, folder)?))
    }

    /// Opens the set and builds nothing.
    pub fn open_as_it_is(args: &SetArgs) -> Result<Set, Failure> {
        Ok(Set(tablebase::Set::open(&args.rules.rules, folder(args)?)?))
    }

    /// What a failed lookup means to the user.
    pub fn failure(&self, error: ProbeError) -> Failure {
        self.failed(error).into()
    }

    /// A failed lookup as an answer: the fault and the remedy.
    pub fn refusal(&self, error: ProbeError) -> Refusal {
        let refusal = Refusal::from(self.failed(error));
        refusal.advised(|remedy| remedy::text(remedy, Some(self.folder())))
    }

    /// A position that cannot be played out, as the user sees it.
    pub fn line_failure(&self, error: LineError) -> Failure {
        match error {
            LineError::Probe(error) => self.failure(error),
            error @ LineError::Contradiction { .. } => error.into(),
        }
    }
}

impl Deref for Set {
    type Target = tablebase::Set;

    fn deref(&self) -> &tablebase::Set {
        &self.0
    }
}

/// Runs something on this many threads; on all cores if none are given.
pub fn on_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    if threads == Some(0) {
        return Err(Failure::Input("--threads must be 1 or more".to_owned()));
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .map(|pool| pool.install(work))
        .map_err(|error| Failure::outside("starting threads; ask for fewer with --threads", error))
}
