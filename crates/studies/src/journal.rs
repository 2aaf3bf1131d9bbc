//! Results written down one a line as they come, so that a long measurement goes on where it was stopped.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::StudyError;

/// A file of results.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a journal, and reads what it has; a line that was cut short by a kill is passed over.
    pub fn open<T: DeserializeOwned>(path: &Path) -> Result<(Journal, Vec<T>), StudyError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(StudyError::io("making", folder))?;
        }
        let lines = match File::open(path) {
            Ok(file) => BufReader::new(file).lines().map_while(Result::ok).collect(),
            Err(_) => Vec::new(),
        };
        let known = lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(StudyError::io("opening", path))?;
        Ok((Journal { path: path.to_owned(), file }, known))
    }

    /// Writes a result down.
    pub fn append(&mut self, result: &impl Serialize) -> Result<(), StudyError> {
        let text = serde_json::to_string(result).map_err(StudyError::Json)?;
        // The line break goes first: it ends what a kill may have left behind.
        write!(self.file, "\n{text}").map_err(StudyError::io("writing", &self.path))
    }
}
