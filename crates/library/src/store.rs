//! The store: where games are kept, behind one narrow trait.

use std::error::Error;

use serde::Serialize;

use crate::entry::{Entry, GameId, Kept};
use crate::filter::{Filter, Page};
use crate::key::{Edge, PositionKey};

/// Where games are kept.
///
/// What [`put`](Store::put) and [`delete`](Store::delete) have done when they return lasts as long as the store does; if
/// they fail, nothing has changed. All may be called from several threads.
pub trait Store: Send + Sync {
    /// Keeps games, all of them or none.
    ///
    /// # Errors
    ///
    /// If they cannot be kept.
    fn put(&self, games: &[Entry]) -> Result<Vec<Put>, StoreError>;

    /// Some of the games that a filter means, the latest first: by date, those without one last, and among equals what
    /// was kept last.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn find(&self, filter: &Filter, page: Page) -> Result<Found, StoreError>;

    /// Deletes the games that a filter means, and says how many there were.
    ///
    /// # Errors
    ///
    /// If they cannot be deleted.
    fn delete(&self, filter: &Filter) -> Result<u64, StoreError>;

    /// What was played in a position, in the games that a filter means. A game counts once, however often it came there.
    ///
    /// # Errors
    ///
    /// If the games cannot be read.
    fn explore(&self, position: PositionKey, filter: &Filter) -> Result<Explored, StoreError>;
}

/// What became of a game that was to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// Its name.
    pub id: GameId,
    /// What became of it.
    pub status: Status,
}

/// What became of a game that was to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is kept.
    Added,
    /// It is kept in place of the one of the same name.
    Replaced,
    /// It was there already.
    Known,
}

/// Games found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// How many there are in all.
    pub total: u64,
    /// Those of the page.
    pub games: Vec<Kept>,
}

/// How games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tally {
    /// Won by Red.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Blue.
    pub black: u64,
    /// Without a result.
    pub unfinished: u64,
}

impl Tally {
    /// How many games there are.
    pub const fn games(&self) -> u64 {
        self.white + self.draws + self.black + self.unfinished
    }

    /// Adds games with a result, as PGN has it.
    pub(crate) fn add(&mut self, result: &str, games: u64) {
        *match result {
            "1-0" => &mut self.white,
            "0-1" => &mut self.black,
            "1/2-1/2" => &mut self.draws,
            _ => &mut self.unfinished,
        } += games;
    }
}

/// What was played in a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// All games that came there.
    pub total: Tally,
    /// Those that went on by each move, the most frequent move first.
    pub moves: Vec<(Edge, Tally)>,
}

impl Explored {
    pub(crate) fn sorted(mut self) -> Explored {
        self.moves.sort_by_key(|(edge, tally)| (std::cmp::Reverse(tally.games()), *edge));
        self
    }
}

/// Why a store does not do what it is asked for.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another program keeps it locked.
    #[error("the games in {place} are locked by another program: try again when it is done")]
    Locked {
        /// Where the games are.
        place: String,
    },
    /// There is no room.
    #[error(
        "there is no room for the games in {place}: nothing was changed; make room on the disk"
    )]
    Full {
        /// Where the games are.
        place: String,
    },
    /// It cannot be written to.
    #[error("the games in {place} cannot be changed: the file or its folder is read-only")]
    ReadOnly {
        /// Where the games are.
        place: String,
    },
    /// It cannot be read.
    #[error(
        "the games in {place} are damaged ({reason}): move the file away, with those beside it whose names end in -wal and -shm; then put a copy in its place, or begin anew"
    )]
    Damaged {
        /// Where the games are.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// It is of something else.
    #[error("{place} is a database of another program: choose another file")]
    Foreign {
        /// Where it is.
        place: String,
    },
    /// It was written by a newer version.
    #[error(
        "the games in {place} were written by a newer version (schema {found}, known up to {known}): update the program"
    )]
    Newer {
        /// Where the games are.
        place: String,
        /// The version of the schema there.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// The database does not answer.
    #[error(
        "the games in {place} cannot be reached now ({reason}): see that the database runs and lets this program in"
    )]
    Away {
        /// Where the games are.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// Something else is wrong.
    #[error("the games in {place} cannot be reached")]
    Other {
        /// Where the games are.
        place: String,
        /// What is wrong.
        source: Box<dyn Error + Send + Sync>,
    },
}
