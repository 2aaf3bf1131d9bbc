//! Append-only files of results, a line of JSON each, so that a long run can be resumed.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::StudyError;

/// The treatment of an invalid line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It is an error.
    Refused,
    /// It is skipped, and its work done again.
    PassedOver,
}

/// A file of results.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a journal, which is created if need be, and reads its lines. Half a line at the end, which a
    /// kill leaves, is cut off.
    pub fn open<T: DeserializeOwned>(
        path: &Path,
        damage: Damage,
    ) -> Result<(Journal, Vec<T>), StudyError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(StudyError::io("making", folder))?;
        }
        let Read { found, end, is_whole } = read(path, damage)?;
        let opened = OpenOptions::new().append(true).create(true).open(path);
        let mut file = opened.map_err(StudyError::io("opening", path))?;
        if is_whole {
            file.set_len(end).map_err(StudyError::io("writing", path))?;
        } else {
            // The last line has everything except its end.
            file.write_all(b"\n").map_err(StudyError::io("writing", path))?;
        }
        Ok((Journal { path: path.to_owned(), file }, found))
    }

    /// Records a result.
    pub fn append(&mut self, result: &impl Serialize) -> Result<(), StudyError> {
        let line = serde_json::to_string(result).map_err(StudyError::Json)?;
        self.file.write_all((line + "\n").as_bytes()).map_err(StudyError::io("writing", &self.path))
    }
}

/// The contents of a journal.
pub struct Read<T> {
    /// The results.
    pub found: Vec<T>,
    /// Where whole lines end.
    end: u64,
    /// Whether all results are on whole lines.
    is_whole: bool,
}

/// Reads a journal and leaves it as it is; nothing if there is none.
pub fn read<T: DeserializeOwned>(path: &Path, damage: Damage) -> Result<Read<T>, StudyError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(StudyError::io("reading", path)(error)),
    };
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let mut found = Vec::new();
    for (at, line) in text[..whole].lines().enumerate() {
        match serde_json::from_str(line) {
            Ok(result) => found.push(result),
            Err(_) if line.is_empty() || damage == Damage::PassedOver => {}
            Err(source) => {
                return Err(StudyError::Damaged { path: path.to_owned(), line: at + 1, source });
            }
        }
    }
    let last = serde_json::from_str(&text[whole..]).ok();
    let is_whole = last.is_none();
    found.extend(last);
    Ok(Read { found, end: whole as u64, is_whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kill_leaves_is_mended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/results.jsonl");
        let open = |damage| Journal::open::<Vec<u32>>(&path, damage).map(|(_, found)| found);
        let (mut journal, found) = Journal::open::<Vec<u32>>(&path, Damage::Refused).unwrap();
        assert!(found.is_empty());
        journal.append(&[1, 2]).unwrap();
        fs::write(&path, "[1,2]\n\n[3]\n[4,").unwrap();
        assert_eq!(open(Damage::Refused).unwrap(), [vec![1, 2], vec![3]]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "[1,2]\n\n[3]\n");
        fs::write(&path, "\n[1,2]\n[3]").unwrap();
        assert_eq!(open(Damage::Refused).unwrap(), [vec![1, 2], vec![3]]);
        assert_eq!(open(Damage::Refused).unwrap().len(), 2, "the last line was ended");
        fs::write(&path, "nonsense\n[3]\n").unwrap();
        assert!(open(Damage::Refused).unwrap_err().to_string().contains("line 1 of"));
        assert_eq!(open(Damage::PassedOver).unwrap(), [[3]]);
    }
}
