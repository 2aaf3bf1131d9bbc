//! Sets: the tables for some rules in a folder, opened for probing.
//!
//! Every front end starts here, so that all of them find the same tables and say the same about
//! them. A folder of tables has a folder for each set of rules in it ([`set_folder`]); which folder
//! of tables that is, front ends decide ([`tables_folder`]).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jungle::Rules;
use thiserror::Error;

use crate::build::{BuildError, MOST_PIECES, ensure_small, names};
use crate::material::{Material, rules_name};
use crate::payload::Budget;
use crate::probe::{ProbeError, Tablebase};
use crate::remedy::Remedy;
use crate::stats::{ClassStats, StatsOf};
use crate::storage::Folder;
use crate::table::{Counts, SUFFIX, class_of_file};

/// Tables are looked for up to this many pieces even if the folder has none that large, so that a
/// missing one is named.
const LOOK_FOR: u32 = 4;

/// A set of tables in a folder.
pub struct Set {
    folder: PathBuf,
    tablebase: Arc<Tablebase>,
    largest: u32,
}

/// Why a set cannot be opened or does not answer.
#[derive(Debug, Error)]
pub enum SetError {
    /// The folder cannot be read, or the small tables not built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A position or a class could not be looked up.
    #[error("{}", in_folder(error, folder))]
    Probe {
        /// Why.
        #[source]
        error: ProbeError,
        /// The folder of the set.
        folder: PathBuf,
    },
    /// No class has this few pieces.
    #[error("no class has {0} pieces: each side has one, so ask for 2 or more")]
    TooFewPieces(u32),
    /// Tables of this many pieces are missing.
    #[error(
        "the tables of {pieces} pieces are incomplete: {missing} of {classes} are missing in {}, \
         {first} among them", folder.display()
    )]
    Incomplete {
        /// How many pieces.
        pieces: u32,
        /// How many tables are missing.
        missing: usize,
        /// How many there should be.
        classes: usize,
        /// The file of the first that is missing.
        first: String,
        /// The folder of the set.
        folder: PathBuf,
    },
    /// There are no tables at all, or none of this many pieces.
    #[error("there are no tables{} in {}", of_pieces(*pieces), folder.display())]
    Empty {
        /// How many pieces, if that was asked.
        pieces: Option<u32>,
        /// The folder of the set.
        folder: PathBuf,
    },
}

impl SetError {
    /// What would help, if anything would.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            SetError::Build(error) => error.remedy(),
            SetError::Probe { error, .. } => error.remedy(),
            SetError::TooFewPieces(_) => None,
            SetError::Incomplete { pieces, .. } => Some(Remedy::Build { pieces: *pieces }),
            SetError::Empty { pieces, .. } => {
                Some(Remedy::Build { pieces: pieces.unwrap_or(LOOK_FOR) })
            }
        }
    }

    /// The folder of the set, if the fault is one of a set that was opened.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            SetError::Probe { folder, .. }
            | SetError::Incomplete { folder, .. }
            | SetError::Empty { folder, .. } => Some(folder),
            SetError::Build(_) | SetError::TooFewPieces(_) => None,
        }
    }

    /// Whether the cause is outside, such as a disk, and not the request.
    pub fn is_outside(&self) -> bool {
        match self {
            SetError::Build(error) => error.is_outside(),
            SetError::Probe { error, .. } => error.is_outside(),
            SetError::TooFewPieces(_) => false,
            SetError::Incomplete { .. } | SetError::Empty { .. } => true,
        }
    }
}

fn in_folder(error: &ProbeError, folder: &Path) -> String {
    let folder = folder.display();
    match error {
        ProbeError::TooManyPieces { found, .. } if *found > MOST_PIECES => {
            format!("{error} in {folder}, and can be built for {MOST_PIECES} at most")
        }
        ProbeError::TooManyPieces { .. } => format!("{error} in {folder}"),
        ProbeError::MissingTable { file } => format!("the table {file} is missing in {folder}"),
        error => format!("{error} (in {folder})"),
    }
}

fn of_pieces(pieces: Option<u32>) -> String {
    pieces.map(|pieces| format!(" of {pieces} pieces")).unwrap_or_default()
}

/// The folder of tables, with a folder for each set of rules in it: the one that was given, else the
/// one that an environment variable names, else one in the user's data folder. It need not exist. The
/// library reads no environment: the caller passes the value of the variable, and the data
/// folder if needed.
///
/// # Errors
///
/// That of `data_folder`.
///
/// ```
/// use std::path::PathBuf;
///
/// let data = || Ok::<PathBuf, ()>("/home/ann/data".into());
/// let folder = tablebase::tables_folder(None, None, data);
/// assert_eq!(folder, Ok("/home/ann/data/mousetrap/tables".into()));
/// let folder = tablebase::tables_folder(None, Some("/tables".into()), data);
/// assert_eq!(folder, Ok("/tables".into()));
/// ```
pub fn tables_folder<E>(
    given: Option<PathBuf>,
    variable: Option<OsString>,
    data_folder: impl FnOnce() -> Result<PathBuf, E>,
) -> Result<PathBuf, E> {
    let named = || variable.filter(|path| !path.is_empty()).map(PathBuf::from);
    match given.or_else(named) {
        Some(folder) => Ok(folder),
        None => Ok(data_folder()?.join("mousetrap").join("tables")),
    }
}

/// The folder of the set for these rules in a folder of tables. It need not exist.
pub fn set_folder(tables: &Path, rules: &Rules) -> PathBuf {
    tables.join(rules_name(rules))
}

impl Set {
    /// Opens the set in a folder, and builds nothing. A folder that does not exist is empty.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn open(rules: &Rules, folder: impl Into<PathBuf>) -> Result<Set, SetError> {
        Set::open_with(rules, folder.into(), |tablebase| tablebase)
    }

    /// Opens the set in a folder, and builds nothing, within a memory budget that other sets may share.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn open_within(
        rules: &Rules,
        folder: impl Into<PathBuf>,
        budget: &Arc<Budget>,
    ) -> Result<Set, SetError> {
        Set::open_with(rules, folder.into(), |tablebase| tablebase.with_budget(budget))
    }

    fn open_with(
        rules: &Rules,
        folder: PathBuf,
        with: impl FnOnce(Tablebase) -> Tablebase,
    ) -> Result<Set, SetError> {
        let files = files(&folder)?;
        let pieces = files.iter().filter_map(|file| class_of_file(file)).map(Material::pieces);
        let largest = pieces.filter(|&pieces| pieces <= MOST_PIECES).max().unwrap_or(0);
        let storage = Folder::new(&folder);
        let tablebase = Arc::new(with(Tablebase::new(rules, largest.max(LOOK_FOR), storage)));
        Ok(Set { folder, tablebase, largest })
    }

    /// Opens the set in a folder; the small tables are built if they are not there, see
    /// [`ensure_small`].
    ///
    /// # Errors
    ///
    /// If the folder cannot be read or written.
    pub fn open_or_build(rules: &Rules, folder: impl Into<PathBuf>) -> Result<Set, SetError> {
        let folder = folder.into();
        ensure_small(rules, &folder)?;
        Set::open(rules, folder)
    }

    /// The folder of the set.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The tables, ready to probe.
    pub fn tablebase(&self) -> &Arc<Tablebase> {
        &self.tablebase
    }

    /// The most pieces of any table in the folder; 0 if there are none.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    /// The rules as they were given.
    pub fn rules(&self) -> &Rules {
        self.tablebase.rules()
    }

    /// The names of all table files in the folder, in order.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn files(&self) -> Result<Vec<String>, SetError> {
        files(&self.folder)
    }

    /// A failed lookup, with the folder.
    pub fn failed(&self, error: ProbeError) -> SetError {
        SetError::Probe { error, folder: self.folder.clone() }
    }

    /// There are no tables at all, or none of this many pieces.
    pub fn empty(&self, pieces: Option<u32>) -> SetError {
        SetError::Empty { pieces, folder: self.folder.clone() }
    }

    /// The statistics of all classes of this many pieces, taken together.
    ///
    /// # Errors
    ///
    /// If there are no such classes or tables are missing.
    pub fn stats(&self, pieces: u32) -> Result<ClassStats, SetError> {
        self.check(pieces)?;
        let counts = Material::all(pieces)
            .try_fold(Counts::default(), |sum, class| Ok(sum.plus(self.tablebase.counts(class)?)));
        let counts = counts.map_err(|error| self.failed(error))?;
        Ok(ClassStats::new(StatsOf::Pieces(pieces), self.rules(), counts))
    }

    /// The statistics of each class of this many pieces, by name.
    ///
    /// # Errors
    ///
    /// As [`Set::stats`].
    pub fn stats_by_class(&self, pieces: u32) -> Result<Vec<ClassStats>, SetError> {
        self.check(pieces)?;
        Material::all(pieces)
            .map(|class| {
                let counts = self.tablebase.counts(class).map_err(|error| self.failed(error))?;
                Ok(ClassStats::new(StatsOf::Class(class.to_string()), self.rules(), counts))
            })
            .collect()
    }

    /// Whether all tables of this many pieces are there.
    ///
    /// # Errors
    ///
    /// [`SetError::Incomplete`] if they are not; or if one is damaged, or there are no such classes.
    pub fn check(&self, pieces: u32) -> Result<(), SetError> {
        if pieces < 2 {
            return Err(SetError::TooFewPieces(pieces));
        }
        let most = self.tablebase.most_pieces();
        if pieces > most {
            return Err(self.failed(ProbeError::TooManyPieces { found: pieces, most }));
        }
        let mut missing = Vec::new();
        let mut classes = 0;
        for class in self.tablebase.classes().filter(|class| class.pieces() == pieces) {
            classes += 1;
            match self.tablebase.counts(class) {
                Ok(_) => (),
                Err(ProbeError::MissingTable { file }) => missing.push(file),
                Err(error) => return Err(self.failed(error)),
            }
        }
        let (count, folder) = (missing.len(), &self.folder);
        match missing.into_iter().next() {
            None => Ok(()),
            Some(first) => Err(SetError::Incomplete {
                pieces,
                missing: count,
                classes,
                first,
                folder: folder.clone(),
            }),
        }
    }
}

/// The names of all table files in a folder, in order; none if there is no such folder.
fn files(folder: &Path) -> Result<Vec<String>, SetError> {
    Ok(names(folder)?.into_iter().filter(|name| name.ends_with(SUFFIX)).collect())
}
