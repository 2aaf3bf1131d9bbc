//! The journal of a book: a line for everything that is done, on the disk before the next begins.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use game::score::Verdict;
use jungle::pgn::GameResult;
use jungle::{Jungle, Move, Play, Rules, parse_move};
use library::book::{BookGame, Judged, Origin};
use serde::{Deserialize, Serialize};

use super::{Games, Made};
use crate::record::RecordError;

/// A line.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Row {
    Game { game: usize, result: String, moves: String },
    Judged { after: String, score: Verdict, depth: u32, nodes: u64 },
}

/// What is done.
#[derive(Default)]
pub(super) struct Done {
    pub(super) games: Games,
    /// By the moves that were made.
    pub(super) judged: BTreeMap<String, Judged>,
}

/// The moves to a position and one more.
pub(super) fn place(path: &[Move], mv: Move) -> String {
    text(path.iter().chain([&mv]))
}

fn text<'a>(moves: impl Iterator<Item = &'a Move>) -> String {
    moves.map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// The journal, open for writing.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal of a folder, which is created if need be, and reads what was done before.
    pub(super) fn open(folder: &Path, origin: &Origin) -> Result<(Journal, Done), RecordError> {
        fs::create_dir_all(folder).map_err(RecordError::io("making", folder))?;
        settle(folder, origin)?;
        let path = folder.join("journal.jsonl");
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let mut file = file.map_err(RecordError::io("opening", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordError::Busy(path)),
            Err(TryLockError::Error(error)) => {
                return Err(RecordError::io("locking", &path)(error));
            }
        }
        let bytes = fs::read(&path).map_err(RecordError::io("reading", &path))?;
        // A line that a kill left unfinished goes.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        file.set_len(whole as u64).map_err(RecordError::io("writing", &path))?;
        file.seek(SeekFrom::End(0)).map_err(RecordError::io("writing", &path))?;
        let done = read(&path, &bytes[..whole], origin)?;
        Ok((Journal { path, file }, done))
    }

    /// Writes down what was done; when this returns it would survive a power cut.
    pub(super) fn append(&mut self, made: &Made) -> Result<(), RecordError> {
        let row = match made {
            Made::Game(game, BookGame { moves, result }) => {
                Row::Game { game: *game, result: result.to_string(), moves: text(moves.iter()) }
            }
            Made::Judged(path, mv, Judged { score, depth, nodes }) => {
                let after = place(path, *mv);
                Row::Judged { after, score: *score, depth: *depth, nodes: *nodes }
            }
        };
        let line = serde_json::to_string(&row).map_err(std::io::Error::from);
        line.and_then(|line| self.file.write_all(format!("{line}\n").as_bytes()))
            .and_then(|()| self.file.sync_data())
            .map_err(RecordError::io("writing", &self.path))
    }
}

/// Writes down how the book is made, or compares it with what is there.
fn settle(folder: &Path, origin: &Origin) -> Result<(), RecordError> {
    let path = folder.join("settings.json");
    let here = serde_json::to_value(origin)
        .map_err(|error| RecordError::io("writing", &path)(error.into()))?;
    match fs::read(&path) {
        Ok(bytes) => {
            let there: serde_json::Value = serde_json::from_slice(&bytes)
                .map_err(|error| RecordError::io("reading", &path)(error.into()))?;
            let names = here.as_object().into_iter().flatten();
            let what: Vec<String> = names
                .filter(|(name, value)| there.get(name) != Some(value))
                .map(|(name, value)| {
                    let there = there.get(name).unwrap_or(&serde_json::Value::Null);
                    format!("{name} ({there} there, {value} here)")
                })
                .collect();
            if what.is_empty() {
                Ok(())
            } else {
                Err(RecordError::Different { folder: folder.into(), what })
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let text = format!("{here:#}\n");
            fs::write(&path, text).map_err(RecordError::io("writing", &path))
        }
        Err(error) => Err(RecordError::io("reading", &path)(error)),
    }
}

fn read(path: &Path, bytes: &[u8], origin: &Origin) -> Result<Done, RecordError> {
    let rules: Rules = origin.rules.parse().unwrap_or_default();
    let jungle = Jungle::new(rules);
    let mut done = Done::default();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let row = serde_json::from_slice(line)
            .map_err(|error| RecordError::io("reading", path)(error.into()))?;
        match row {
            Row::Game { game, result, moves } => {
                // What cannot be played is played again.
                if let (Some(moves), Some(result)) =
                    (replay(&jungle, &moves), GameResult::from_text(&result))
                {
                    done.games.insert(game, BookGame { moves, result });
                }
            }
            Row::Judged { after, score, depth, nodes } => {
                done.judged.insert(after, Judged { score, depth, nodes });
            }
        }
    }
    Ok(done)
}

fn replay(jungle: &Jungle, text: &str) -> Option<Vec<Move>> {
    let mut play = Play::start(jungle.clone());
    for text in text.split(',').filter(|text| !text.is_empty()) {
        let mv = parse_move(play.jungle(), play.position(), text).ok()?;
        play.play(mv).ok()?;
    }
    Some(play.moves().to_vec())
}
