//! A set of tables, opened for asking, with failures as the user sees them; and what the commands about
//! tables have in common.

use std::ops::Deref;
use std::path::Path;

use game::truth::Truth;
use jungle::Color;
use tablebase::probe::ProbeError;
use tablebase::set::{self, SetError};

use crate::commands::tb::args::SetArgs;
use crate::failure::Failure;

pub use tablebase::set::material_of;

/// A set of tables in a folder.
pub struct Set(set::Set);

impl Set {
    /// Opens the set for asking; the small tables are built if they are not there.
    pub fn open(args: &SetArgs) -> Result<Set, Failure> {
        Ok(Set(set::Set::open(&args.rules.rules, args.dir.clone())?))
    }

    /// Opens the set and builds nothing.
    pub fn open_as_it_is(args: &SetArgs) -> Result<Set, Failure> {
        Ok(Set(set::Set::open_as_it_is(&args.rules.rules, args.dir.clone())?))
    }

    /// What a failed lookup means to the user.
    pub fn failure(&self, error: &ProbeError) -> Failure {
        match error {
            ProbeError::TooManyPieces { .. } => Failure::Input(self.explain(error)),
            _ => Failure::Outside(self.explain(error)),
        }
    }
}

impl Deref for Set {
    type Target = set::Set;

    fn deref(&self) -> &set::Set {
        &self.0
    }
}

impl From<SetError> for Failure {
    fn from(error: SetError) -> Failure {
        if error.is_outside() {
            Failure::Outside(error.to_string())
        } else {
            Failure::Input(error.to_string())
        }
    }
}

/// The names of all table files in the folder, in order; none if there is no such folder.
pub fn table_files(folder: &Path) -> Result<Vec<String>, Failure> {
    Ok(set::table_files(folder)?)
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
