//! The store: the files of a contest, appended and locked.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use jungle::{Jungle, Rules};

use super::pgn::pgn;
use super::{Document, Finished, RecordError, RecordedGame, line};
use crate::schedule::Shard;

const SETTINGS: &str = "settings.json";

/// The record of a contest, or of one part of it, open for writing.
pub struct Store {
    path: PathBuf,
    file: File,
    pgn_path: PathBuf,
    pgn: File,
    document: Document,
}

/// The games played before.
pub type Games = BTreeMap<u64, Finished>;

impl Store {
    /// Opens the record in a folder, which is created if need be, and reads the games played before.
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
        let (games, whole) = scan(&path, document.rules)?;
        // A line that a kill left unfinished goes.
        file.set_len(whole).map_err(RecordError::io("writing", &path))?;
        file.seek(SeekFrom::End(0)).map_err(RecordError::io("writing", &path))?;
        let pgn_path = folder.join(format!("{name}.pgn"));
        let archive = Archive { document, paths: vec![path.clone()] };
        archive.write_pgn(&pgn_path)?;
        let pgn = OpenOptions::new().append(true).open(&pgn_path);
        let pgn = pgn.map_err(RecordError::io("opening", &pgn_path))?;
        Ok((Store { path, file, pgn_path, pgn, document: archive.document }, games))
    }

    /// Records a finished game; when this returns it would survive a power cut.
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
        let text = text(&self.document, &self.path, row)?;
        writeln!(self.pgn, "{text}").map_err(RecordError::io("writing", &self.pgn_path))
    }

    /// Puts the games of the PGN in order.
    ///
    /// # Errors
    ///
    /// If the disk fails.
    pub fn finish(self) -> Result<(), RecordError> {
        Archive { document: self.document, paths: vec![self.path] }.write_pgn(&self.pgn_path)
    }
}

/// Writes the settings, or compares them with those that are there.
fn settle(folder: &Path, document: &Document) -> Result<Document, RecordError> {
    let path = folder.join(SETTINGS);
    if !path.exists() {
        let mut text = serde_json::to_string_pretty(document)
            .map_err(|error| RecordError::io("writing", &path)(error.into()))?;
        text.push('\n');
        // Another shard of the same contest may do the same at this moment: the first one stays.
        let temporary = folder.join(format!("{SETTINGS}.{}.tmp", std::process::id()));
        let put = || -> std::io::Result<()> {
            let mut file = File::create(&temporary)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            match fs::hard_link(&temporary, &path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
                // A file system without links: another shard must not do the same at this moment.
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

/// Everything that was recorded of a contest: its settings and the records of all its parts.
#[derive(Clone, Debug)]
pub struct Archive {
    /// The settings.
    pub document: Document,
    /// The records.
    pub paths: Vec<PathBuf>,
}

impl Archive {
    /// The contest in a folder.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn open(folder: &Path) -> Result<Archive, RecordError> {
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
        Ok(Archive { document, paths })
    }

    /// What is remembered of all games; a game that is in two records counts once.
    ///
    /// # Errors
    ///
    /// If a record cannot be read.
    pub fn games(&self) -> Result<Games, RecordError> {
        let mut games = Games::new();
        self.for_each_game(|row| {
            games.insert(row.game, row.finished());
        })?;
        Ok(games)
    }

    /// Shows the games in full, one after another; a game that is in two records is shown once. What a kill
    /// left unfinished is passed over.
    ///
    /// # Errors
    ///
    /// If a record cannot be read.
    pub fn for_each_game(&self, mut show: impl FnMut(RecordedGame)) -> Result<(), RecordError> {
        let jungle = Jungle::new(self.document.rules);
        let mut seen = HashSet::new();
        for path in &self.paths {
            for_each_line(path, |place, line| {
                let row = read_line(path, place.number, line, &jungle)?;
                if seen.insert(row.game) {
                    show(row);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Writes the games as PGN, in order of their numbers.
    ///
    /// # Errors
    ///
    /// If the disk fails or a record is damaged.
    pub fn write_pgn(&self, target: &Path) -> Result<(), RecordError> {
        // Where each game's line is, so that no more than one game is in memory at a time.
        let mut places: BTreeMap<u64, (usize, Place)> = BTreeMap::new();
        for (at, path) in self.paths.iter().enumerate() {
            for_each_line(path, |place, line| {
                if let Some(game) = line::number(line) {
                    places.entry(game).or_insert((at, place));
                }
                Ok(())
            })?;
        }
        let temporary = target.with_extension("pgn.tmp");
        let writing = |error| RecordError::io("writing", target)(error);
        let mut output = BufWriter::new(File::create(&temporary).map_err(writing)?);
        let mut files = Vec::new();
        for path in &self.paths {
            let file = File::open(path).map_err(RecordError::io("reading", path))?;
            files.push(BufReader::new(file));
        }
        let jungle = Jungle::new(self.document.rules);
        for (at, place) in places.into_values() {
            let (path, file) = (&self.paths[at], &mut files[at]);
            let mut line = Vec::new();
            file.seek(SeekFrom::Start(place.offset)).map_err(RecordError::io("reading", path))?;
            file.read_until(b'\n', &mut line).map_err(RecordError::io("reading", path))?;
            let row = read_line(path, place.number, &line, &jungle)?;
            writeln!(output, "{}", text(&self.document, path, &row)?).map_err(writing)?;
        }
        output.into_inner().map_err(|error| writing(error.into_error()))?;
        fs::rename(&temporary, target).map_err(writing)
    }
}

/// A game of a record as PGN.
fn text(document: &Document, path: &Path, row: &RecordedGame) -> Result<String, RecordError> {
    let game = row.game;
    pgn(document, row).map_err(|error| RecordError::Game { path: path.to_owned(), game, error })
}

/// A line of a record as a game.
fn read_line(
    path: &Path,
    number: usize,
    line: &[u8],
    jungle: &Jungle,
) -> Result<RecordedGame, RecordError> {
    RecordedGame::read(line, jungle).map_err(|fault| RecordError::Line {
        path: path.to_owned(),
        line: number,
        fault,
    })
}

/// Where a line is.
#[derive(Clone, Copy)]
struct Place {
    /// Its number, from 1 on.
    number: usize,
    /// Where it begins, in bytes.
    offset: u64,
}

/// Shows the whole lines of a record; gives how many bytes they are. A kill may have left half a line behind
/// them.
fn for_each_line(
    path: &Path,
    mut show: impl FnMut(Place, &[u8]) -> Result<(), RecordError>,
) -> Result<u64, RecordError> {
    let file = File::open(path).map_err(RecordError::io("reading", path))?;
    let mut reader = BufReader::new(file);
    let (mut place, mut line) = (Place { number: 1, offset: 0 }, Vec::new());
    loop {
        line.clear();
        let length =
            reader.read_until(b'\n', &mut line).map_err(RecordError::io("reading", path))?;
        if line.last() != Some(&b'\n') {
            return Ok(place.offset);
        }
        show(place, &line)?;
        place = Place { number: place.number + 1, offset: place.offset + length as u64 };
    }
}

/// What is remembered of the games of a record, and how many bytes at its beginning are whole lines.
fn scan(path: &Path, rules: Rules) -> Result<(Games, u64), RecordError> {
    let jungle = Jungle::new(rules);
    let mut games = Games::new();
    let whole = for_each_line(path, |place, line| {
        let row = read_line(path, place.number, line, &jungle)?;
        games.entry(row.game).or_insert_with(|| row.finished());
        Ok(())
    })?;
    Ok((games, whole))
}

/// Writes a file atomically.
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
