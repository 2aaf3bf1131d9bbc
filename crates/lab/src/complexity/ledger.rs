//! The games of the experiment on file: a line for each pair, written as soon as it is played.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Two games from one opening, colours exchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The game.
    pub board: String,
    /// The contender whose points are counted.
    pub a: String,
    /// The other one.
    pub b: String,
    /// What each had for a game.
    pub nodes: u64,
    /// The seed of the openings.
    pub seed: u64,
    /// The number of the opening.
    pub pair: u64,
    /// The points of `a` in both games, in halves.
    pub half_points: usize,
    /// How long the games were, together.
    pub plies: usize,
    /// What each spent in both games.
    pub spent: [u64; 2],
    /// What `a` spent on each of its moves, in each game.
    pub moves: [Vec<u64>; 2],
}

/// What tells one set of pairs from another.
type Key = (String, String, String, u64, u64);

/// The pairs on file.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    file: File,
    pairs: BTreeMap<Key, BTreeMap<u64, Pair>>,
}

/// Why the file cannot be kept.
#[derive(Debug)]
pub enum LedgerError {
    /// The disk fails.
    Disk(PathBuf, std::io::Error),
    /// A line is no pair.
    Damaged(PathBuf, usize, String),
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LedgerError::Disk(path, error) => write!(f, "{}: {error}", path.display()),
            LedgerError::Damaged(path, line, why) => write!(
                f,
                "{}, line {line}: {why}; remove the line, and its games are played again",
                path.display()
            ),
        }
    }
}

impl std::error::Error for LedgerError {}

impl Ledger {
    /// Opens the file in a folder, which is made if need be. Half a line at the end, which a killed run
    /// leaves, is cut off.
    ///
    /// # Errors
    ///
    /// If the disk fails, or a line makes no sense.
    pub fn open(folder: &Path) -> Result<Ledger, LedgerError> {
        let path = folder.join("pairs.jsonl");
        let disk = |error| LedgerError::Disk(path.clone(), error);
        fs::create_dir_all(folder).map_err(disk)?;
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(disk(error)),
        };
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut pairs: BTreeMap<Key, BTreeMap<u64, Pair>> = BTreeMap::new();
        for (at, line) in text[..whole].lines().enumerate() {
            let pair: Pair = serde_json::from_str(line)
                .map_err(|error| LedgerError::Damaged(path.clone(), at + 1, error.to_string()))?;
            pairs.entry(pair.key()).or_default().insert(pair.pair, pair);
        }
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(disk)?;
        if whole < text.len() {
            file.set_len(whole as u64).map_err(disk)?;
        }
        Ok(Ledger { path, file, pairs })
    }

    /// The first so many pairs of these, in order; those that are missing are played.
    ///
    /// # Errors
    ///
    /// If the disk fails.
    pub fn pairs(
        &mut self,
        [board, a, b]: [&str; 3],
        nodes: u64,
        seed: u64,
        count: u64,
        mut play: impl FnMut(u64) -> Pair,
    ) -> Result<Vec<Pair>, LedgerError> {
        let key = (board.to_owned(), a.to_owned(), b.to_owned(), nodes, seed);
        let known = self.pairs.entry(key).or_default();
        for number in 0..count {
            if known.contains_key(&number) {
                continue;
            }
            let pair = play(number);
            let disk = |error| LedgerError::Disk(self.path.clone(), error);
            let line = serde_json::to_string(&pair).map_err(|error| disk(error.into()))?;
            writeln!(self.file, "{line}").map_err(disk)?;
            known.insert(number, pair);
        }
        Ok(known.range(..count).map(|(_, pair)| pair.clone()).collect())
    }
}

impl Pair {
    fn key(&self) -> Key {
        (self.board.clone(), self.a.clone(), self.b.clone(), self.nodes, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(number: u64) -> Pair {
        Pair {
            board: "b".to_owned(),
            a: "x".to_owned(),
            b: "y".to_owned(),
            nodes: 9,
            seed: 1,
            pair: number,
            half_points: (number % 5) as usize,
            plies: 3,
            spent: [1, 2],
            moves: [vec![1], vec![]],
        }
    }

    #[test]
    fn a_killed_run_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["b", "x", "y"];
        let first = Ledger::open(folder.path()).unwrap().pairs(names, 9, 1, 3, pair).unwrap();
        let path = folder.path().join("pairs.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text + "{\"board\": \"b\", \"a").unwrap();
        let mut played = Vec::new();
        let mut ledger = Ledger::open(folder.path()).unwrap();
        let all = ledger.pairs(names, 9, 1, 5, |number| {
            played.push(number);
            pair(number)
        });
        let all = all.unwrap();
        assert_eq!(played, [3, 4]);
        assert_eq!((all.len(), &all[..3]), (5, &first[..]));
        let again = Ledger::open(folder.path()).unwrap().pairs(names, 9, 1, 5, |_| unreachable!());
        assert_eq!(again.unwrap(), all);
        fs::write(&path, "nonsense\n").unwrap();
        assert!(Ledger::open(folder.path()).unwrap_err().to_string().contains("line 1"));
    }
}
