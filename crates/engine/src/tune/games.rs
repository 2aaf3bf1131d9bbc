//! The file of self-play games that weights are fitted to.
//!
//! A line is a [`Sample`]; after the last of a game stands its number, as in `#17`. A game counts once its
//! number is there, so a kill loses no more than the games that were being played.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use jungle::Rules;

use super::{NotASample, Sample, self_play};

/// The games in a file.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    games: Vec<Vec<Sample>>,
    numbers: HashSet<u64>,
}

/// Why games cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The file cannot be read.
    #[error("reading {path}: {source}", path = path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("writing {path}: {source}", path = path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("{path}, line {line}: {source}", path = path.display())]
    Line {
        /// Which.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        source: NotASample,
    },
}

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// The rules.
    pub rules: Rules,
    /// How many nodes a move has.
    pub nodes: u64,
    /// How many threads play.
    pub threads: u16,
}

impl GameFile {
    /// Reads a file; one that does not exist has no games yet.
    ///
    /// # Errors
    ///
    /// If it cannot be read or holds something else. Within a game a bad line is what a kill left.
    pub fn open(path: &Path) -> Result<GameFile, GameFileError> {
        let mut file =
            GameFile { path: path.to_owned(), games: Vec::new(), numbers: HashSet::new() };
        match File::open(path) {
            Ok(found) => file.read(BufReader::new(found))?,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(source) => return Err(GameFileError::Read { path: path.to_owned(), source }),
        }
        Ok(file)
    }

    fn read(&mut self, reader: impl BufRead) -> Result<(), GameFileError> {
        let mut open: Vec<Sample> = Vec::new();
        for (at, line) in reader.lines().enumerate() {
            let path = || self.path.clone();
            let line = line.map_err(|source| GameFileError::Read { path: path(), source })?;
            if let Some(game) = line.strip_prefix('#').and_then(|game| game.parse().ok()) {
                let samples = std::mem::take(&mut open);
                if self.numbers.insert(game) {
                    self.games.push(samples);
                }
                continue;
            }
            match line.parse() {
                Ok(sample) => open.push(sample),
                Err(source) if open.is_empty() => {
                    return Err(GameFileError::Line { path: path(), line: at + 1, source });
                }
                Err(NotASample) => {}
            }
        }
        Ok(())
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// How many positions they have.
    pub fn positions(&self) -> usize {
        self.games.iter().map(Vec::len).sum()
    }

    /// Those of these games that have not been played.
    pub fn missing(&self, numbers: impl IntoIterator<Item = u64>) -> Vec<u64> {
        numbers.into_iter().filter(|game| !self.numbers.contains(game)).collect()
    }

    /// Plays games on several threads and writes each down as it ends; `played` is called after each.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn play(
        &mut self,
        wanted: &[u64],
        how: SelfPlay,
        played: impl Fn() + Sync,
    ) -> Result<(), GameFileError> {
        let writing = |source| GameFileError::Write { path: self.path.clone(), source };
        let opened = OpenOptions::new().append(true).create(true).open(&self.path);
        let shared = Mutex::new((opened.map_err(writing)?, Vec::new(), Ok(())));
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..how.threads {
                scope.spawn(|| {
                    while let Some(&game) = wanted.get(next.fetch_add(1, Relaxed)) {
                        let samples = self_play(how.rules, how.nodes, game);
                        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let (file, games, outcome) = &mut *shared;
                        if outcome.is_err() {
                            return;
                        }
                        *outcome = file.write_all(text(game, &samples).as_bytes());
                        games.push((game, samples));
                        played();
                    }
                });
            }
        });
        let (_, games, outcome) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcome.map_err(writing)?;
        for (game, samples) in games {
            self.numbers.insert(game);
            self.games.push(samples);
        }
        Ok(())
    }

    /// The games, each with its quiet positions in order.
    pub fn into_games(self) -> Vec<Vec<Sample>> {
        self.games
    }
}

fn text(game: u64, samples: &[Sample]) -> String {
    let mut text: String = samples.iter().map(|sample| format!("{sample}\n")).collect();
    text.push_str(&format!("#{game}\n"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_played_once_and_half_games_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        let how = SelfPlay { rules: Rules::STANDARD, nodes: 50, threads: 2 };
        let mut file = GameFile::open(&path).unwrap();
        assert!(file.is_empty());
        file.play(&file.missing(3..6), how, || ()).unwrap();
        let again = GameFile::open(&path).unwrap();
        assert_eq!((again.len(), again.positions()), (3, file.positions()));
        assert_eq!(again.missing(2..7), [2, 6]);

        // A kill in the middle of the next game.
        let whole = std::fs::read_to_string(&path).unwrap();
        let cut = whole.lines().next().unwrap();
        std::fs::write(&path, format!("{whole}{cut}\n{}", &cut[..5])).unwrap();
        assert_eq!(GameFile::open(&path).unwrap().positions(), file.positions());
        std::fs::write(&path, "nonsense\n").unwrap();
        let error = GameFile::open(&path).unwrap_err().to_string();
        assert!(error.ends_with("games.txt, line 1: expected FEN;score;result"), "{error}");
    }
}
