//! The record of a contest on disk: settings, finished games, PGN; and resuming from it.
//!
//! A folder holds `settings.json`, written once and compared from then on, and a record of finished
//! games, `games.jsonl`: one line of JSON a game, appended and made durable as soon as the game is
//! over, never changed. A shard of a contest that is divided among machines has its own record,
//! `games-2-of-8.jsonl`, in the same folder. Beside each record stands a PGN with the same games,
//! which can always be made from the record again.
//!
//! A kill can leave half a line at the end of a record. That game was not finished; the half line
//! is cut off when the contest is resumed.

mod document;
mod line;
mod pgn;
mod store;

use std::io;
use std::path::{Path, PathBuf};

use jungle::pgn::{GameResult, TagError};
use jungle::{ByColor, Color, Position, Setup, SetupError};
use serde::Serialize;

use crate::referee::{End, Played};

pub use document::{Document, Provenance};
pub use line::LineFault;
pub use pgn::pgn;
pub use store::{Archive, Games, Store, write_whole};

/// A finished game: a line of the record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedGame {
    /// The number of the game.
    pub game: u64,
    /// Who had which colour: indices in the list of players, from 0.
    #[serde(flatten)]
    pub players: ByColor<usize>,
    /// Where the game began.
    pub opening: Setup,
    /// How it went.
    #[serde(flatten)]
    pub played: Played,
}

/// The summary of a finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// The number of the game.
    pub game: u64,
    /// Who played.
    pub players: ByColor<usize>,
    /// The half points that White made.
    pub white_half_points: usize,
    /// How it ended.
    pub end: End,
    /// Why it was lost, if a player failed.
    pub fault: Option<String>,
    /// How many plies were played.
    pub plies: usize,
    /// A digest of the opening, the moves and the result.
    pub digest: [u8; 32],
}

impl RecordedGame {
    /// The result.
    pub fn result(&self) -> GameResult {
        GameResult::of_winner(self.played.decision.winner)
    }

    /// Who made the move of a ply, counted from 0: the place in the list of players.
    pub fn mover(&self, ply: usize) -> usize {
        let first = self.opening.turn;
        self.players[if ply.is_multiple_of(2) { first } else { !first }]
    }

    /// The positions in which a move was chosen, in order.
    ///
    /// # Errors
    ///
    /// If the opening is not a position.
    pub fn positions(&self) -> Result<Vec<Position>, SetupError> {
        let mut position = self.opening.position()?;
        let before = self.played.moves.iter().map(|played| {
            let before = position.clone();
            position.make(played.choice.mv);
            before
        });
        Ok(before.collect())
    }

    /// Its summary.
    pub fn finished(&self) -> Finished {
        let Played { decision, moves } = &self.played;
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.opening.to_string().as_bytes());
        for played in moves {
            hasher.update(b" ").update(played.choice.mv.to_string().as_bytes());
        }
        hasher.update(self.result().as_str().as_bytes());
        Finished {
            game: self.game,
            players: self.players,
            white_half_points: match decision.winner {
                Some(Color::White) => 2,
                Some(Color::Black) => 0,
                None => 1,
            },
            end: decision.end,
            fault: decision.end.is_fault().then(|| decision.detail.clone()),
            plies: moves.len(),
            digest: *hasher.finalize().as_bytes(),
        }
    }
}

/// Why a record cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The disk failed.
    #[error("{doing} {path}: {error}", path = path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// To what.
        path: PathBuf,
        /// What happened.
        #[source]
        error: io::Error,
    },
    /// There are games already, and going on with them was not asked for.
    #[error("{path} already exists", path = _0.display())]
    Exists(PathBuf),
    /// There is nothing to resume, or nothing to merge.
    #[error("there is no contest in {folder}: it has no settings.json", folder = _0.display())]
    Missing(PathBuf),
    /// The folder belongs to a contest with other settings.
    #[error(
        "the contest in {folder} has other settings: {what}",
        folder = folder.display(),
        what = what.join("; ")
    )]
    Different {
        /// The folder.
        folder: PathBuf,
        /// What differs, as in `seed (1 there, 2 here)`.
        what: Vec<String>,
    },
    /// Another process is writing this record.
    #[error("another process is writing {path}", path = _0.display())]
    Busy(PathBuf),
    /// A line of a record is invalid.
    #[error("{path}, line {line}: {fault}", path = path.display())]
    Line {
        /// The record.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        #[source]
        fault: LineFault,
    },
    /// A game of a record cannot be written as PGN.
    #[error("{path}, game {number}: {error}", number = game + 1, path = path.display())]
    Game {
        /// The record.
        path: PathBuf,
        /// The number of the game, counted from 0.
        game: u64,
        /// What is wrong.
        #[source]
        error: TagError,
    },
    /// A file of a record is invalid as a whole.
    #[error("{path}: {fault}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        fault: FileFault,
    },
}

/// What is wrong with a file of a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// It is of an unknown format.
    #[error("a newer program wrote it (format {0})")]
    Newer(u32),
    /// It names a file that is not beside it.
    #[error("'{0}' is not a file of the record")]
    Attachment(String),
}

impl RecordError {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RecordError {
        move |error| RecordError::Io { doing, path: path.to_owned(), error }
    }

    /// An error at a line of JSON, which the parser has counted.
    pub(crate) fn json(path: &Path) -> impl FnOnce(serde_json::Error) -> RecordError {
        move |error| RecordError::Line {
            path: path.to_owned(),
            line: error.line(),
            fault: error.into(),
        }
    }

    /// Whether the cause is the disk, and not the request.
    pub fn is_outside(&self) -> bool {
        matches!(
            self,
            RecordError::Io { .. }
                | RecordError::Line { .. }
                | RecordError::Game { .. }
                | RecordError::File { .. }
        )
    }
}
