//! Games in a browser: kept in memory here, and by the page in the browser's own storage.
//!
//! The page hands over all games that it has when the first question comes ([`Shelf::load`]), and is told of every change
//! before the answer: `keep` with a game, `drop` with the names of games. It gives the answer to who asked when the change
//! is in its storage.

use answers::games::{
    self, Explorer, ExplorerRequest, GamesRequest, IdRequest, ImportRequest, Shelves,
};
use answers::{GameRequest, Refusal};
use library::{
    Book, Entry, Explored, Filter, Found, GameId, Kept, Memory, Page, PositionKey, Put, Source,
    Status, Store, StoreError,
};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};

use crate::files::Files;
use crate::question::{Question, Reply, read};

/// Where the book is, beside the tables.
const BOOK: &str = "opening.book";

/// A game as the page keeps it.
#[derive(Debug, Serialize, Deserialize)]
struct Row {
    id: GameId,
    source: Source,
    saved: u64,
    pgn: String,
}

/// All games, or some of them.
#[derive(Debug, Deserialize)]
struct Rows {
    /// Whether these are the first, and others are to be forgotten.
    #[serde(default)]
    reset: bool,
    games: Vec<Row>,
}

/// How many games were taken over.
#[derive(Debug, Serialize)]
struct Loaded {
    games: usize,
}

/// The games of a page.
pub(crate) struct Shelf {
    files: Arc<dyn Files>,
    store: Memory,
    book: Option<Book>,
}

impl Shelf {
    pub(crate) fn new(files: Arc<dyn Files>) -> Shelf {
        Shelf { files, store: Memory::default(), book: None }
    }

    /// Answers a question about games; `None` for all other questions.
    pub(crate) fn answer(
        &mut self,
        question: Question<'_>,
        tell: &mut dyn FnMut(&str, &str),
    ) -> Option<Result<Reply, Refusal>> {
        let is_ours = question.path.starts_with("/api/games")
            || question.path == "/api/explorer"
            || question.path == "/library/load";
        is_ours.then(|| self.reply(question, tell))
    }

    fn reply(
        &mut self,
        question: Question<'_>,
        tell: &mut dyn FnMut(&str, &str),
    ) -> Result<Reply, Refusal> {
        let Question { path, query, body } = question;
        if path == "/library/load" {
            return Ok(Reply::json(&self.load(body)?));
        }
        if path == "/api/explorer" || query.contains("book") {
            self.find_book();
        }
        let journal = Journal { store: &self.store, changes: Mutex::default() };
        let shelves = Shelves { store: &journal, book: &|| self.book.as_ref() };
        let reply = match path {
            "/api/games" => Reply::json(&games::find(shelves, &read::<GamesRequest>(query)?)?),
            "/api/games/game" => Reply::json(&games::open(shelves, &read::<IdRequest>(query)?)?),
            "/api/games/save" => {
                let record = crate::desk::game(body)?;
                Reply::json(&games::save(&journal, &read::<IdRequest>(query)?, &record)?)
            }
            "/api/games/delete" => {
                Reply::json(&games::delete(&journal, &read::<GamesRequest>(query)?)?)
            }
            "/api/games/import" => {
                Reply::json(&games::import(&journal, &read::<ImportRequest>(query)?, body)?)
            }
            "/api/games/export" => {
                Reply::json(&games::export(shelves, &read::<GamesRequest>(query)?)?)
            }
            "/api/explorer" => {
                let play = read::<GameRequest>(query)?.play()?;
                let source = read::<ExplorerRequest>(query)?.source()?;
                Reply::json(&Explorer::of(shelves, &play, source)?)
            }
            path => return Err(crate::question::unknown(path)),
        };
        for change in journal.changes.into_inner().unwrap_or_else(PoisonError::into_inner) {
            match change {
                Change::Keep(row) => tell("keep", &crate::desk::text(&row)),
                Change::Drop(ids) => tell("drop", &crate::desk::text(&ids)),
            }
        }
        Ok(reply)
    }

    /// The book is fetched when it is first needed, and again if that failed.
    fn find_book(&mut self) {
        if self.book.is_none() {
            let bytes = self.files.whole(BOOK).ok().flatten();
            let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            self.book = text.and_then(|text| Book::read(&text).ok());
        }
    }

    /// Takes over games that the page has. One that cannot be read any more stays where it is, and is not counted.
    fn load(&mut self, body: &str) -> Result<Loaded, Refusal> {
        let rows: Rows =
            serde_json::from_str(body).map_err(|error| Refusal::bad("json", error.to_string()))?;
        if rows.reset {
            self.store.clear();
        }
        let entry = |row: Row| {
            let record = row.pgn.parse().ok()?;
            Entry::named(row.id, row.source, row.saved, &record).ok()
        };
        let entries: Vec<Entry> = rows.games.into_iter().filter_map(entry).collect();
        self.store.put(&entries)?;
        Ok(Loaded { games: entries.len() })
    }
}

/// A change that the page has to keep.
enum Change {
    Keep(Row),
    Drop(Vec<GameId>),
}

/// The games, with what changes.
struct Journal<'a> {
    store: &'a Memory,
    changes: Mutex<Vec<Change>>,
}

impl Journal<'_> {
    fn note(&self, change: Change) {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner).push(change);
    }
}

impl Store for Journal<'_> {
    fn put(&self, games: &[Entry]) -> Result<Vec<Put>, StoreError> {
        let done = self.store.put(games)?;
        for (entry, Put { status, .. }) in games.iter().zip(&done) {
            if *status != Status::Known {
                let Kept { id, source, saved, pgn, .. } = entry.kept.clone();
                self.note(Change::Keep(Row { id, source, saved, pgn }));
            }
        }
        Ok(done)
    }

    fn find(&self, filter: &Filter, page: Page) -> Result<Found, StoreError> {
        self.store.find(filter, page)
    }

    fn delete(&self, filter: &Filter) -> Result<u64, StoreError> {
        let all = self.store.find(filter, Page { offset: 0, limit: u64::MAX })?;
        let ids = all.games.into_iter().map(|game| game.id).collect();
        let deleted = self.store.delete(filter)?;
        self.note(Change::Drop(ids));
        Ok(deleted)
    }

    fn explore(&self, position: PositionKey, filter: &Filter) -> Result<Explored, StoreError> {
        self.store.explore(position, filter)
    }
}
