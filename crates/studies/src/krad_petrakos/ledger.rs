//! The games of the experiment on file: a line for each pair, written as soon as it is played.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

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

/// The key of a set of pairs.
type Key = (String, String, String, u64, u64);

/// The pairs on file.
#[derive(Debug, Default)]
pub struct Ledger {
    /// None if nothing is to be kept.
    file: Option<Journal>,
    pairs: BTreeMap<Key, BTreeMap<u64, Pair>>,
}

/// How pairs that are missing are played.
#[derive(Clone, Copy, Debug)]
pub struct Playing<'a> {
    /// On how many threads. Which pairs there are, and what is in them, does not depend on it.
    pub threads: usize,
    /// Ends the playing after the pairs under way.
    pub stop: &'a AtomicBool,
}

impl Ledger {
    /// Opens the file in a folder, which is created if need be.
    ///
    /// # Errors
    ///
    /// If the disk fails, or a line is invalid.
    pub fn open(folder: &Path) -> Result<Ledger, StudyError> {
        let (file, found) = Journal::open::<Pair>(&folder.join("pairs.jsonl"), Damage::Refused)?;
        let mut pairs: BTreeMap<Key, BTreeMap<u64, Pair>> = BTreeMap::new();
        for pair in found {
            pairs.entry(pair.key()).or_default().insert(pair.pair, pair);
        }
        Ok(Ledger { file: Some(file), pairs })
    }

    /// The first `count` pairs of these, in order; those that are missing are played.
    ///
    /// # Errors
    ///
    /// If the disk fails, or the playing was stopped.
    pub fn pairs(
        &mut self,
        [board, a, b]: [&str; 3],
        nodes: u64,
        seed: u64,
        count: u64,
        playing: Playing<'_>,
        play: impl Fn(u64) -> Pair + Sync,
    ) -> Result<Vec<Pair>, StudyError> {
        let key = (board.to_owned(), a.to_owned(), b.to_owned(), nodes, seed);
        let known = self.pairs.entry(key).or_default();
        let missing: Vec<u64> = (0..count).filter(|number| !known.contains_key(number)).collect();
        let next = AtomicUsize::new(0);
        let (sender, played) = mpsc::channel();
        thread::scope(|scope| -> Result<(), StudyError> {
            for _ in 0..playing.threads.clamp(1, missing.len().max(1)) {
                let sender = sender.clone();
                let (missing, next, play) = (&missing, &next, &play);
                scope.spawn(move || {
                    while let Some(&number) = missing.get(next.fetch_add(1, Relaxed)) {
                        // Nobody listens any more after the disk has failed.
                        if playing.stop.load(Relaxed) || sender.send(play(number)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for pair in played {
                if let Some(file) = &mut self.file {
                    file.append(&pair)?;
                }
                known.insert(pair.pair, pair);
            }
            Ok(())
        })?;
        let all: Vec<Pair> = known.range(..count).map(|(_, pair)| pair.clone()).collect();
        if all.len() as u64 == count { Ok(all) } else { Err(StudyError::Stopped) }
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
    use std::sync::Mutex;

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

    static GO_ON: AtomicBool = AtomicBool::new(false);
    const GO: Playing<'_> = Playing { threads: 2, stop: &GO_ON };

    #[test]
    fn a_killed_run_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["b", "x", "y"];
        let first = Ledger::open(folder.path()).unwrap().pairs(names, 9, 1, 3, GO, pair).unwrap();
        let path = folder.path().join("pairs.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text + "{\"board\": \"b\", \"a").unwrap();
        let played = Mutex::new(Vec::new());
        let mut ledger = Ledger::open(folder.path()).unwrap();
        let all = ledger.pairs(names, 9, 1, 5, GO, |number| {
            played.lock().unwrap().push(number);
            pair(number)
        });
        let all = all.unwrap();
        let mut played = played.into_inner().unwrap();
        played.sort_unstable();
        assert_eq!(played, [3, 4]);
        assert_eq!((all.len(), &all[..3]), (5, &first[..]));
        let mut ledger = Ledger::open(folder.path()).unwrap();
        let again = ledger.pairs(names, 9, 1, 5, GO, |_| unreachable!());
        assert_eq!(again.unwrap(), all);
        fs::write(&path, "nonsense\n").unwrap();
        assert!(Ledger::open(folder.path()).unwrap_err().to_string().contains("line 1"));
    }

    #[test]
    fn a_run_that_is_stopped_keeps_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let stop = AtomicBool::new(false);
        let playing = Playing { threads: 1, stop: &stop };
        let mut ledger = Ledger::open(folder.path()).unwrap();
        let stopped = ledger.pairs(["b", "x", "y"], 9, 1, 5, playing, |number| {
            stop.store(number == 1, Relaxed);
            pair(number)
        });
        assert!(matches!(stopped, Err(StudyError::Stopped)));
        let text = fs::read_to_string(folder.path().join("pairs.jsonl")).unwrap();
        assert_eq!(text.lines().count(), 2);
    }
}
