//! The ledger of a set: which tables were verified position by position, and by which version of the program.
//!
//! It is a file of lines of JSON in the folder of the set, one for each table that was verified. A line is appended
//! when its table is finished, so a run that is killed loses the table it was at and no other; half a line, which a
//! kill can leave, counts as none.
//!
//! What was verified is known by its [`Identity`]: the hash of the table's header, which holds the checksums of all
//! its contents, and those of the tables that its captures lead to, which it was verified against. So a file that was
//! replaced counts as verified no more, and neither does one that relies on it, unless the same bytes are back.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The ledger's name in the folder of a set.
pub const FILE: &str = "verified.jsonl";

/// What a table is, and what it relies on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The table's file.
    pub file: String,
    /// BLAKE3 of its header, in hexadecimal.
    pub header: String,
    /// The files of the tables that its captures lead to, with the hashes of their headers.
    pub below: BTreeMap<String, String>,
}

/// A table that was verified.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Which table it was.
    #[serde(flatten)]
    pub identity: Identity,
    /// Whether every position was right.
    pub good: bool,
    /// How many positions were recomputed.
    pub positions: u64,
    /// How long that took.
    pub seconds: f64,
    /// The version of the program that did it.
    pub version: String,
    /// When it was finished, in seconds since 1970.
    pub time: u64,
}

/// The ledger of a set.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    /// The last entry of each file.
    entries: HashMap<String, LedgerEntry>,
}

impl Ledger {
    /// Reads the ledger in the folder of a set; an empty one if there is none. Lines that are not entries are
    /// passed over: their tables count as not verified.
    ///
    /// # Errors
    ///
    /// If it is there and cannot be read.
    pub fn read(folder: &Path) -> io::Result<Ledger> {
        let path = folder.join(FILE);
        let mut bytes = Vec::new();
        match File::open(&path) {
            Ok(mut file) => drop(file.read_to_end(&mut bytes)?),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let lines = bytes.split(|&byte| byte == b'\n');
        let entries = lines.filter_map(|line| serde_json::from_slice::<LedgerEntry>(line).ok());
        let entries = entries.map(|entry| (entry.identity.file.clone(), entry)).collect();
        Ok(Ledger { path, entries })
    }

    /// What is known of just this table over just these.
    pub fn entry(&self, identity: &Identity) -> Option<&LedgerEntry> {
        self.entries.get(&identity.file).filter(|entry| entry.identity == *identity)
    }

    /// Records a table that was verified, for this process and all others, and returns when the entry would survive
    /// a power cut.
    ///
    /// # Errors
    ///
    /// If the disk fails.
    pub fn record(&mut self, entry: LedgerEntry) -> io::Result<()> {
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&self.path)?;
        if file.metadata()?.len() > 0 {
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                line.insert(0, b'\n');
            }
        }
        file.write_all(&line)?;
        file.sync_data()?;
        self.entries.insert(entry.identity.file.clone(), entry);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(file: &str, header: &str, below: &[(&str, &str)]) -> LedgerEntry {
        let below = below.iter().map(|&(file, header)| (file.to_owned(), header.to_owned()));
        let identity =
            Identity { file: file.to_owned(), header: header.to_owned(), below: below.collect() };
        let version = "1.2.3".to_owned();
        LedgerEntry { identity, good: true, positions: 7, seconds: 0.5, version, time: 9 }
    }

    #[test]
    fn entries_last_and_half_a_line_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let (one, two) = (entry("E-R.mtb", "a", &[]), entry("EC-R.mtb", "b", &[("E-R.mtb", "a")]));
        Ledger::read(folder.path()).unwrap().record(one.clone()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        Ledger::read(folder.path()).unwrap().record(two.clone()).unwrap();
        let both = std::fs::read(&path).unwrap();
        for end in (whole.len()..both.len() - 1).step_by(31) {
            std::fs::write(&path, &both[..end]).unwrap();
            let mut ledger = Ledger::read(folder.path()).unwrap();
            assert_eq!(ledger.entry(&one.identity), Some(&one));
            assert_eq!(ledger.entry(&two.identity), None, "{end}");
            ledger.record(two.clone()).unwrap();
            let ledger = Ledger::read(folder.path()).unwrap();
            assert_eq!(ledger.entry(&one.identity), Some(&one));
            assert_eq!(ledger.entry(&two.identity), Some(&two), "{end}");
        }
    }

    #[test]
    fn only_the_same_table_over_the_same_tables_counts() {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::read(folder.path()).unwrap();
        let verified = entry("EC-R.mtb", "b", &[("E-R.mtb", "a")]);
        ledger.record(verified.clone()).unwrap();
        assert_eq!(ledger.entry(&verified.identity), Some(&verified));
        for other in [
            entry("EC-R.mtb", "c", &[("E-R.mtb", "a")]),
            entry("EC-R.mtb", "b", &[("E-R.mtb", "c")]),
            entry("EC-R.mtb", "b", &[]),
        ] {
            assert_eq!(ledger.entry(&other.identity), None);
        }
        let again = LedgerEntry { good: false, ..verified.clone() };
        ledger.record(again.clone()).unwrap();
        assert_eq!(ledger.entry(&verified.identity), Some(&again), "the last one counts");
    }
}
