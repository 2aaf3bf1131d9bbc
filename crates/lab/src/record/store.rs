//! The store: the files of a contest, appended and locked.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::pgn::pgn;
use super::{Document, Finished, LineFault, RecordError, RecordedGame};
use crate::schedule::Shard;

const SETTINGS: &str = "settings.json";

/// The record of a contest, or of one part of it, open for writing.
pub struct Store {
    folder: PathBuf,
    path: PathBuf,
    file: File,
    pgn_path: PathBuf,
    pgn: File,
    document: Document,
}

/// What was played before.
pub type Games = BTreeMap<u64, Finished>;

impl Store {
    /// Opens the record in a folder, which is made if need be, and reads what was played before.
    ///
    /// # Errors
    ///
    /// If there are games and `resume` is not set, if the settings differ from those there, if
    /// another process has the record open, or if the disk fails.
    pub fn open(
        folder: &Path,
        document: &Document,
        shard: Option<Shard>,
        resume: bool,
    ) -> Result<(Store, Games), RecordError> {
        fs::create_dir_all(folder).map_err(RecordError::io("making", folder))?;
        let name = shard
            .map_or("games".to_owned(), |Shard { index, of }| format!("games-{index}-of-{of}"));
        let path = folder.join(format!("{name}.jsonl"));
        let document = settle(folder, document)?;
        let opening = RecordError::io("opening", &path);
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let mut file = file.map_err(opening)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordError::Busy(path)),
            Err(TryLockError::Error(error)) => {
                return Err(RecordError::io("locking", &path)(error));
            }
        }
        if !resume && file.metadata().map_err(RecordError::io("reading", &path))?.len() > 0 {
            return Err(RecordError::Exists(path));
        }
        let (games, whole) = scan(&path)?;
        // A line that a kill left unfinished goes.
        file.set_len(whole).map_err(RecordError::io("writing", &path))?;
        file.seek(SeekFrom::End(0)).map_err(RecordError::io("writing", &path))?;
        let pgn_path = folder.join(format!("{name}.pgn"));
        write_pgn(&document, std::slice::from_ref(&path), &pgn_path)?;
        let pgn = OpenOptions::new().append(true).open(&pgn_path);
        let pgn = pgn.map_err(RecordError::io("opening", &pgn_path))?;
        let folder = folder.to_owned();
        Ok((Store { folder, path, file, pgn_path, pgn, document }, games))
    }

    /// Writes a finished game down; when this returns it would survive a power cut.
    ///
    /// # Errors
    ///
    /// If the disk fails.
    pub fn append(&mut self, row: &RecordedGame) -> Result<(), RecordError> {
        let mut line = serde_json::to_vec(row).map_err(std::io::Error::from);
        if let Ok(line) = &mut line {
            line.push(b'\n');
        }
        line.and_then(|line| self.file.write_all(&line))
            .and_then(|()| self.file.sync_data())
            .map_err(RecordError::io("writing", &self.path))?;
        let text = pgn(&self.document, row).map_err(|error| RecordError::Game {
            path: self.path.clone(),
            game: row.game,
            error,
        })?;
        writeln!(self.pgn, "{text}").map_err(RecordError::io("writing", &self.pgn_path))
    }

    /// Puts the games of the PGN in order.
    ///
    /// # Errors
    ///
    /// If the disk fails.
    pub fn finish(self) -> Result<(), RecordError> {
        write_pgn(&self.document, std::slice::from_ref(&self.path), &self.pgn_path)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Writes the settings, or compares them with those that are there.
fn settle(folder: &Path, document: &Document) -> Result<Document, RecordError> {
    let path = folder.join(SETTINGS);
    if !path.exists() {
        let mut text = serde_json::to_string_pretty(document)
            .map_err(|error| RecordError::io("writing", &path)(error.into()))?;
        text.push('\n');
        // Another part of the same contest may do the same just now: the first one stays.
        let temporary = folder.join(format!("{SETTINGS}.{}.tmp", std::process::id()));
        let put = || -> std::io::Result<()> {
            let mut file = File::create(&temporary)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            match fs::hard_link(&temporary, &path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
                // A disk that knows no links: hope that nobody does the same just now.
                Err(_) => fs::copy(&temporary, &path).map(drop),
                Ok(()) => Ok(()),
            }
        };
        let result = put();
        let _ = fs::remove_file(&temporary);
        result.map_err(RecordError::io("writing", &path))?;
    }
    let there = read_settings(folder)?;
    let what = document.differences(&there);
    if what.is_empty() {
        Ok(there)
    } else {
        Err(RecordError::Different { folder: folder.to_owned(), what })
    }
}

/// The settings of the contest in a folder.
fn read_settings(folder: &Path) -> Result<Document, RecordError> {
    let path = folder.join(SETTINGS);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(RecordError::Missing(folder.to_owned()));
        }
        text => text.map_err(RecordError::io("reading", &path))?,
    };
    serde_json::from_str(&text).map_err(RecordError::json(&path))
}

/// The settings of the contest in a folder, and all its records.
///
/// # Errors
///
/// If there is no contest.
pub fn records(folder: &Path) -> Result<(Document, Vec<PathBuf>), RecordError> {
    let document = read_settings(folder)?;
    let entries = fs::read_dir(folder).map_err(RecordError::io("reading", folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(RecordError::io("reading", folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("games") && name.ends_with(".jsonl") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok((document, paths))
}

/// The games of several records; a game that is in two counts once.
///
/// # Errors
///
/// If one cannot be read.
pub fn read_games(paths: &[PathBuf]) -> Result<Games, RecordError> {
    let mut games = Games::new();
    for path in paths {
        let (more, _) = scan(path)?;
        for (number, game) in more {
            games.entry(number).or_insert(game);
        }
    }
    Ok(games)
}

/// Shows the games of several records in full, one after another; a game that is in two is shown once. What a
/// kill left unfinished is passed over.
///
/// # Errors
///
/// If one cannot be read.
pub fn for_each_game(
    paths: &[PathBuf],
    mut show: impl FnMut(RecordedGame),
) -> Result<(), RecordError> {
    let mut seen = std::collections::HashSet::new();
    for path in paths {
        let file = File::open(path).map_err(RecordError::io("reading", path))?;
        let mut reader = BufReader::new(file);
        let (mut number, mut line) = (0, Vec::new());
        loop {
            line.clear();
            reader.read_until(b'\n', &mut line).map_err(RecordError::io("reading", path))?;
            if line.last() != Some(&b'\n') {
                break;
            }
            number += 1;
            let row: RecordedGame = serde_json::from_slice(&line).map_err(|error| {
                RecordError::Line { path: path.clone(), line: number, fault: error.into() }
            })?;
            if seen.insert(row.game) {
                show(row);
            }
        }
    }
    Ok(())
}

/// Reads a record line by line; gives what is remembered of the games, and how many bytes at its
/// beginning are whole lines.
fn scan(path: &Path) -> Result<(Games, u64), RecordError> {
    let file = File::open(path).map_err(RecordError::io("reading", path))?;
    let mut reader = BufReader::new(file);
    let mut games = Games::new();
    let (mut whole, mut number, mut line) = (0, 0, Vec::new());
    loop {
        line.clear();
        let length =
            reader.read_until(b'\n', &mut line).map_err(RecordError::io("reading", path))?;
        if line.last() != Some(&b'\n') {
            return Ok((games, whole));
        }
        number += 1;
        let damaged = |fault| RecordError::Line { path: path.to_owned(), line: number, fault };
        let row: RecordedGame =
            serde_json::from_slice(&line).map_err(|error| damaged(error.into()))?;
        let finished =
            row.finished().ok_or_else(|| damaged(LineFault::Result(row.result.clone())))?;
        games.entry(row.game).or_insert(finished);
        whole += length as u64;
    }
}

/// Writes the games of records as PGN, in order of their numbers.
///
/// # Errors
///
/// If the disk fails or a record is damaged.
pub fn write_pgn(document: &Document, paths: &[PathBuf], target: &Path) -> Result<(), RecordError> {
    // Where each game's line is, so that no more than one game is in memory at a time.
    let mut places: BTreeMap<u64, (usize, u64)> = BTreeMap::new();
    for (at, path) in paths.iter().enumerate() {
        let file = File::open(path).map_err(RecordError::io("reading", path))?;
        let mut reader = BufReader::new(file);
        let (mut offset, mut line) = (0, Vec::new());
        loop {
            line.clear();
            let length =
                reader.read_until(b'\n', &mut line).map_err(RecordError::io("reading", path))?;
            if line.last() != Some(&b'\n') {
                break;
            }
            if let Ok(row) = serde_json::from_slice::<RecordedGame>(&line) {
                places.entry(row.game).or_insert((at, offset));
            }
            offset += length as u64;
        }
    }
    let temporary = target.with_extension("pgn.tmp");
    let writing = |error| RecordError::io("writing", target)(error);
    let mut output = BufWriter::new(File::create(&temporary).map_err(writing)?);
    let mut files = Vec::new();
    for path in paths {
        let file = File::open(path).map_err(RecordError::io("reading", path))?;
        files.push(BufReader::new(file));
    }
    for (at, offset) in places.into_values() {
        let path = &paths[at];
        let mut line = Vec::new();
        files[at].seek(SeekFrom::Start(offset)).map_err(RecordError::io("reading", path))?;
        files[at].read_until(b'\n', &mut line).map_err(RecordError::io("reading", path))?;
        let row: RecordedGame = serde_json::from_slice(&line)
            .map_err(|error| RecordError::io("reading", path)(error.into()))?;
        let text = pgn(document, &row).map_err(|error| RecordError::Game {
            path: path.clone(),
            game: row.game,
            error,
        })?;
        writeln!(output, "{text}").map_err(writing)?;
    }
    output.into_inner().map_err(|error| writing(error.into_error()))?;
    fs::rename(&temporary, target).map_err(writing)
}

/// Writes a file whole or not at all.
///
/// # Errors
///
/// If the disk fails.
pub fn write_whole(path: &Path, text: &str) -> Result<(), RecordError> {
    let temporary = path.with_extension("tmp");
    fs::write(&temporary, text)
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(RecordError::io("writing", path))
}
