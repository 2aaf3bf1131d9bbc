//! A set of tables, opened for asking, with failures as the user sees them; and what the commands about
//! tables have in common.

use std::ops::Deref;

use game::truth::Truth;
use jungle::{Color, Position};
use tablebase::{Line, LineError, ProbeError};

use crate::commands::tb::args::SetArgs;
use crate::commands::tb::{folder, remedy};
use crate::failure::Failure;

/// A set of tables in a folder.
pub struct Set(tablebase::Set);

impl Set {
    /// Opens the set for asking; the small tables are built if they are not there.
    pub fn open(args: &SetArgs) -> Result<Set, Failure> {
        Ok(Set(tablebase::Set::open_or_build(&args.rules.rules, folder(args)?)?))
    }

    /// Opens the set and builds nothing.
    pub fn open_as_it_is(args: &SetArgs) -> Result<Set, Failure> {
        Ok(Set(tablebase::Set::open(&args.rules.rules, folder(args)?)?))
    }

    /// What a failed lookup means to the user.
    pub fn failure(&self, error: ProbeError) -> Failure {
        self.failed(error).into()
    }

    /// A failed lookup in words: the fault and the remedy.
    pub fn explain(&self, error: ProbeError) -> String {
        remedy::explain(&self.failed(error))
    }

    /// Best play by both sides from a position to the end.
    pub fn line(&self, position: &Position) -> Result<Line, Failure> {
        self.tablebase().line(position).map_err(|error| match error {
            LineError::Probe(error) => self.failure(error),
            error @ LineError::Contradiction { .. } => error.into(),
        })
    }
}

impl Deref for Set {
    type Target = tablebase::Set;

    fn deref(&self) -> &tablebase::Set {
        &self.0
    }
}

/// A value as its two keys in JSON: the outcome, and the plies unless it is a draw.
pub fn keys(value: Truth) -> (&'static str, Option<u32>) {
    match value {
        Truth::Win(plies) => ("win", Some(plies)),
        Truth::Draw => ("draw", None),
        Truth::Loss(plies) => ("loss", Some(plies)),
    }
}

/// A value in words, for a sentence that begins with who is to move.
pub fn verdict(turn: Color, value: Truth) -> String {
    let count = |plies| if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
    match value {
        Truth::Win(plies) => format!("{turn} to move wins in {}", count(plies)),
        Truth::Draw => format!("{turn} to move: a draw"),
        Truth::Loss(plies) => format!("{turn} to move loses in {}", count(plies)),
    }
}

/// Runs something on so many threads; on all cores if none are named.
pub fn on_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    if threads == Some(0) {
        return Err(Failure::Input("--threads 0 would do nothing; use 1 or more".to_owned()));
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .map(|pool| pool.install(work))
        .map_err(|error| Failure::outside("starting threads; ask for fewer with --threads", error))
}
