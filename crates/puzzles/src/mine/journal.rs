//! The journal: what a run has done, a line a unit, so that it goes on where it stopped.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jungle::Rules;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Funnel, Options, Unit};
use crate::Book;
use crate::rate::Found;

const FILE: &str = "journal.jsonl";

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("the journal cannot be read or written: {0}")]
    Io(#[from] io::Error),
    /// It is that of another run.
    #[error("{} is the journal of a run with other settings: {found}", path.display())]
    Other {
        /// The journal.
        path: PathBuf,
        /// Its settings.
        found: String,
    },
    /// A line is damaged.
    #[error("line {line} of {} is damaged", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
}

/// A line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entry {
    /// What the run was asked for; the first line.
    Settings(Options),
    /// A unit that is done.
    Unit {
        /// Its name.
        name: String,
        /// How many positions passed each filter.
        funnel: Funnel,
        /// Its candidates, as a book.
        found: String,
    },
    /// A puzzle that is rated.
    Rating {
        /// Which.
        id: String,
        /// Which levels found it.
        levels: String,
    },
}

impl Entry {
    /// The line of a unit.
    pub(super) fn of(unit: &Unit, rules: &Rules) -> Entry {
        let found = Book::new(*rules, unit.found.clone()).to_string();
        Entry::Unit { name: unit.name.clone(), funnel: unit.funnel, found }
    }

    /// The line of a rating.
    pub(super) fn of_rating(id: &str, found: Found) -> Entry {
        Entry::Rating { id: id.to_owned(), levels: found.to_string() }
    }

    /// The unit, if it is one.
    pub(super) fn unit(&self, rules: &Rules) -> Option<Unit> {
        let Entry::Unit { name, funnel, found } = self else { return None };
        let book: Book = found.parse().ok()?;
        let found = book.puzzles().to_vec();
        (book.rules() == rules).then(|| Unit { name: name.clone(), funnel: *funnel, found })
    }

    /// The rating, if it is one.
    pub(super) fn rated(&self) -> Option<(&str, Found)> {
        let Entry::Rating { id, levels } = self else { return None };
        Some((id, levels.parse().ok()?))
    }
}

/// A journal, open for more.
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens the journal in a folder, which is made if it is not there, and reads what it has. A last line that was being
    /// written when the program ended is cut off.
    ///
    /// # Errors
    ///
    /// If it cannot be used, or belongs to a run with other settings.
    pub fn open(folder: &Path, options: &Options) -> Result<(Journal, Vec<Entry>), JournalError> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error.into()),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut entries = Vec::new();
        for (index, line) in text[..whole].lines().enumerate() {
            let damaged = || JournalError::Damaged { path: path.clone(), line: index + 1 };
            entries.push(serde_json::from_str(line).map_err(|_| damaged())?);
        }
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        file.set_len(whole as u64)?;
        let mut journal = Journal { file };
        match entries.first() {
            None => journal.add(&Entry::Settings(options.clone()))?,
            Some(Entry::Settings(found)) if found == options => (),
            Some(first) => {
                let found = serde_json::to_string(first).unwrap_or_default();
                return Err(JournalError::Other { path, found });
            }
        }
        Ok((journal, entries))
    }

    /// Adds a line.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn add(&mut self, entry: &Entry) -> io::Result<()> {
        let line = serde_json::to_string(entry).map_err(io::Error::other)?;
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}
