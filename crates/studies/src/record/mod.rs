//! The record of a run: what was computed, how, and the results, in one folder.
//!
//! Every study leaves the same kind of folder: `record.json` with the commit, the rules, the seed, the
//! processor, all parameters and the results; the results again as CSV; and charts as SVG. A reader can rerun
//! it, load it, look at it; [`page`](crate::page) gathers all of them into one page. Nothing in a record is
//! the time of day or the name of a machine: the same run under the same limits of nodes or depth gives the
//! same files.
//!
//! ```
//! use studies::{Draft, Record, Table};
//!
//! let folder = tempfile::tempdir()?;
//! let mut table = Table::new(["player", "depth"]);
//! table.row(["both".to_owned(), "9.28".to_owned()]);
//! Draft::new("figure20", "Mean depth")
//!     .seed(1)
//!     .parameter("nodes", 2000)
//!     .table("depth", "Mean depth by player", table)
//!     .write(folder.path())?;
//! assert_eq!(Record::read(folder.path())?.seed, Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod processor;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use lab::record::{Provenance, write_whole};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::StudyError;

pub use processor::processor;
pub use table::Table;

/// The name of the file that makes a folder a record.
pub const RECORD: &str = "record.json";

/// The version of the format of a record.
const FORMAT: u32 = 1;

/// The contents of `record.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    format: u32,
    /// The name of the study, as in `figure19`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The commit that the program was built from, or `unknown`.
    pub commit: String,
    /// The version of the program.
    pub version: String,
    /// The rules, if one set was used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rules: Option<String>,
    /// The seed, if there is randomness.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// The processor, as it calls itself.
    pub cpu: String,
    /// All parameters by name, with the defaults that were not changed.
    pub parameters: Map<String, Value>,
    /// Notes for readers of the results.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// The tables that lie beside it, as CSV.
    pub tables: Vec<Attachment>,
    /// The plots that lie beside it, as SVG.
    pub plots: Vec<Attachment>,
    /// The results.
    pub results: Value,
}

/// A file of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// The name of the file.
    pub file: String,
    /// What it shows.
    pub title: String,
}

impl Record {
    /// Reads the record in a folder.
    ///
    /// # Errors
    ///
    /// If there is none, or it is invalid.
    pub fn read(folder: &Path) -> Result<Record, StudyError> {
        let path = folder.join(RECORD);
        let text = fs::read_to_string(&path).map_err(StudyError::io("reading", &path))?;
        let record: Record = serde_json::from_str(&text)
            .map_err(|source| StudyError::BadRecord { path: path.clone(), source })?;
        if record.format > FORMAT {
            return Err(StudyError::NewerRecord { path, format: record.format });
        }
        // What is named is read and shown to others: it has to be in the folder.
        let outside = |attachment: &&Attachment| attachment.file.contains(['/', '\\']);
        match record.tables.iter().chain(&record.plots).find(outside) {
            Some(attachment) => {
                Err(StudyError::OutsideRecord { path, file: attachment.file.clone() })
            }
            None => Ok(record),
        }
    }
}

/// All folders with a record at or below a folder, in order.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn gather(folder: &Path) -> Result<Vec<PathBuf>, StudyError> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        if folder.join(RECORD).is_file() {
            found.push(folder.clone());
        }
        let entries = fs::read_dir(&folder).map_err(StudyError::io("reading", &folder))?;
        for entry in entries {
            let entry = entry.map_err(StudyError::io("reading", &folder))?;
            // Links are not followed: they may go in circles.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A draft of a record.
#[derive(Clone, Debug)]
#[must_use = "a draft is of use when it is written"]
pub struct Draft {
    record: Record,
    tables: Vec<Table>,
    charts: Vec<String>,
}

impl Draft {
    /// A draft for the study of this name, with its title.
    pub fn new(name: &str, title: impl Into<String>) -> Draft {
        let record = Record {
            format: FORMAT,
            name: name.to_owned(),
            title: title.into(),
            commit: "unknown".to_owned(),
            version: String::new(),
            rules: None,
            seed: None,
            cpu: processor(),
            parameters: Map::new(),
            notes: Vec::new(),
            tables: Vec::new(),
            plots: Vec::new(),
            results: Value::Null,
        };
        Draft { record, tables: Vec::new(), charts: Vec::new() }
    }

    /// Sets the program that made it.
    pub fn made_by(mut self, made_by: Provenance) -> Draft {
        self.record.version = made_by.version;
        self.record.commit = made_by.commit.unwrap_or_else(|| "unknown".to_owned());
        self
    }

    /// Sets the rules.
    pub fn rules(mut self, rules: impl ToString) -> Draft {
        self.record.rules = Some(rules.to_string());
        self
    }

    /// Sets the seed.
    pub fn seed(mut self, seed: u64) -> Draft {
        self.record.seed = Some(seed);
        self
    }

    /// Adds a parameter.
    pub fn parameter(mut self, name: &str, value: impl Into<Value>) -> Draft {
        self.record.parameters.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a note for readers.
    pub fn note(mut self, note: impl Into<String>) -> Draft {
        self.record.notes.push(note.into());
        self
    }

    /// Sets the results. What JSON cannot express, such as NaN, becomes null.
    pub fn results(mut self, results: &impl Serialize) -> Draft {
        self.record.results = serde_json::to_value(results).unwrap_or_default();
        self
    }

    /// Adds a table, to be written as `name.csv`.
    pub fn table(mut self, name: &str, title: impl Into<String>, table: Table) -> Draft {
        let file = format!("{name}.csv");
        self.record.tables.push(Attachment { file, title: title.into() });
        self.tables.push(table);
        self
    }

    /// Adds a chart, to be written as `name.svg`.
    pub fn chart(mut self, name: &str, title: impl Into<String>, svg: String) -> Draft {
        let file = format!("{name}.svg");
        self.record.plots.push(Attachment { file, title: title.into() });
        self.charts.push(svg);
        self
    }

    /// The record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The tables, with the names of their files and what they show.
    pub fn tables(&self) -> impl Iterator<Item = (&Attachment, &Table)> {
        self.record.tables.iter().zip(&self.tables)
    }

    /// The charts as SVG, with the names of their files and what they show.
    pub fn charts(&self) -> impl Iterator<Item = (&Attachment, &String)> {
        self.record.plots.iter().zip(&self.charts)
    }

    /// Writes everything into a folder, which is created if need be; the record itself comes last.
    ///
    /// # Errors
    ///
    /// If the disk fails.
    pub fn write(&self, folder: &Path) -> Result<(), StudyError> {
        fs::create_dir_all(folder).map_err(StudyError::io("making", folder))?;
        for (attachment, table) in self.record.tables.iter().zip(&self.tables) {
            write_whole(&folder.join(&attachment.file), &table.csv())?;
        }
        for (attachment, svg) in self.record.plots.iter().zip(&self.charts) {
            write_whole(&folder.join(&attachment.file), svg)?;
        }
        let text = serde_json::to_string_pretty(&self.record).map_err(StudyError::Json)?;
        Ok(write_whole(&folder.join(RECORD), &(text + "\n"))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> Draft {
        let mut table = Table::new(["name", "games"]);
        table.row(["a, \"b\"", "40"]);
        Draft::new("figure19", "Four configurations")
            .rules("tufts")
            .seed(7)
            .parameter("games", 40)
            .note("scaled")
            .results(&vec![1, 2])
            .table("results", "Games", table)
            .chart("scores", "Scores", "<svg/>".to_owned())
    }

    #[test]
    fn what_is_written_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("deep/down");
        draft().write(&at).unwrap();
        let record = Record::read(&at).unwrap();
        assert_eq!(record, draft().record);
        assert_eq!(record.commit, "unknown");
        assert_eq!(record.tables[0].file, "results.csv");
        let csv = fs::read_to_string(at.join("results.csv")).unwrap();
        assert_eq!(csv, "name,games\n\"a, \"\"b\"\"\",40\n");
        assert_eq!(gather(folder.path()).unwrap(), [at]);
    }

    #[test]
    fn the_same_draft_gives_the_same_bytes() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let [one, other] = folders.map(|folder| {
            draft().write(folder.path()).unwrap();
            fs::read(folder.path().join(RECORD)).unwrap()
        });
        assert_eq!(one, other);
    }

    #[test]
    fn damaged_records_are_named() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Record::read(folder.path()).unwrap_err().to_string().contains(RECORD));
        draft().write(folder.path()).unwrap();
        let path = folder.path().join(RECORD);
        let text = fs::read_to_string(&path).unwrap();
        let complain = |text: String| {
            fs::write(&path, text).unwrap();
            Record::read(folder.path()).unwrap_err().to_string()
        };
        assert!(complain(text.replace("\"seed\"", "seed")).contains("line 8"));
        assert!(
            complain(text.replace("results.csv", "../secret.csv")).contains("is not a file of")
        );
        assert!(complain(text.replace("\"format\": 1", "\"format\": 9")).contains("newer program"));
    }
}
