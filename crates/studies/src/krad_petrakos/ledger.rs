//! The games of the experiment on file: a line for each pair, written as soon as it is played, and another
//! file with the moves that were judged.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::StudyError;
use crate::journal::{Damage, Journal};

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

/// Moves of a contender that were judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The game.
    pub board: String,
    /// Who moved.
    pub contender: String,
    /// What it had for a game.
    pub nodes: u64,
    /// The seed of the openings.
    pub seed: u64,
    /// For each move: the share of what was left that it took, and what it gave away.
    pub moves: Vec<(f64, i32)>,
}

/// The key of a set of pairs.
type Key = (String, String, String, u64, u64);

/// The pairs on file.
#[derive(Debug, Default)]
pub struct Ledger {
    /// None if nothing is to be kept.
    files: Option<Files>,
    pairs: BTreeMap<Key, BTreeMap<u64, Pair>>,
    judged: Vec<Judged>,
}

/// Where pairs and judged moves are kept.
#[derive(Debug)]
struct Files {
    pairs: Journal,
    judged: Journal,
}

impl Ledger {
    /// Opens the files in a folder, which is created if need be.
    ///
    /// # Errors
    ///
    /// If the disk fails, or a line is invalid.
    pub fn open(folder: &Path) -> Result<Ledger, StudyError> {
        let (pairs_file, found) =
            Journal::open::<Pair>(&folder.join("pairs.jsonl"), Damage::Refused)?;
        let (judged_file, judged) = Journal::open(&folder.join("judged.jsonl"), Damage::Refused)?;
        let mut pairs: BTreeMap<Key, BTreeMap<u64, Pair>> = BTreeMap::new();
        for pair in found {
            pairs.entry(pair.key()).or_default().insert(pair.pair, pair);
        }
        let files = Some(Files { pairs: pairs_file, judged: judged_file });
        Ok(Ledger { files, pairs, judged })
    }

    /// The first `count` pairs of these, in order; those that are missing are played.
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
    ) -> Result<Vec<Pair>, StudyError> {
        let key = (board.to_owned(), a.to_owned(), b.to_owned(), nodes, seed);
        let known = self.pairs.entry(key).or_default();
        for number in 0..count {
            if let Entry::Vacant(vacant) = known.entry(number) {
                let pair = play(number);
                if let Some(files) = &mut self.files {
                    files.pairs.append(&pair)?;
                }
                vacant.insert(pair);
            }
        }
        Ok(known.range(..count).map(|(_, pair)| pair.clone()).collect())
    }

    /// The judged moves of a contender; they are judged if they are not on file.
    ///
    /// # Errors
    ///
    /// If the disk fails.
    pub fn judged(
        &mut self,
        [board, contender]: [&str; 2],
        nodes: u64,
        seed: u64,
        judge: impl FnOnce() -> Vec<(f64, i32)>,
    ) -> Result<Vec<(f64, i32)>, StudyError> {
        let is_it = |judged: &&Judged| {
            (&judged.board[..], &judged.contender[..], judged.nodes, judged.seed)
                == (board, contender, nodes, seed)
        };
        if let Some(known) = self.judged.iter().find(is_it) {
            return Ok(known.moves.clone());
        }
        let (board, contender) = (board.to_owned(), contender.to_owned());
        let judged = Judged { board, contender, nodes, seed, moves: judge() };
        if let Some(files) = &mut self.files {
            files.judged.append(&judged)?;
        }
        self.judged.push(judged.clone());
        Ok(judged.moves)
    }
}

impl Pair {
    fn key(&self) -> Key {
        (self.board.clone(), self.a.clone(), self.b.clone(), self.nodes, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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
        let mut ledger = Ledger::open(folder.path()).unwrap();
        let moves = vec![(0.125, 3), (0.5, -4)];
        assert_eq!(ledger.judged(["b", "x"], 9, 1, || moves.clone()).unwrap(), moves);
        let mut ledger = Ledger::open(folder.path()).unwrap();
        assert_eq!(ledger.judged(["b", "x"], 9, 1, || unreachable!()).unwrap(), moves);
        assert!(ledger.judged(["b", "x"], 9, 2, Vec::new).unwrap().is_empty());
        fs::write(&path, "nonsense\n").unwrap();
        assert!(Ledger::open(folder.path()).unwrap_err().to_string().contains("line 1"));
    }
}
