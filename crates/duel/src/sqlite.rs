//! A store in an SQLite file: for one server, and nothing to set up.

use std::path::PathBuf;

use library::StoreError;
use library::sqlite::{Database, Schema};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};

use crate::event::Opening;
use crate::key::DuelId;
use crate::rows::{Raw, first_stage, json, stored};
use crate::store::{Append, Heard, Keeping, Store, Stored};
use crate::terms::Millis;

/// Marks the file as ours: "MTDu".
const APPLICATION: i64 = 0x4d54_4475;

/// Duels, their events as JSON, and when a server was last there. What a row of `duels` has beside the opening follows
/// from the events; it is what duels are looked for by.
const FIRST: &str = "
    CREATE TABLE duels (
        id TEXT PRIMARY KEY,
        opening TEXT NOT NULL,
        version INTEGER NOT NULL,
        stage TEXT NOT NULL,
        timed INTEGER NOT NULL,
        last INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX duels_by_stage ON duels (stage, last);
    CREATE TABLE duel_events (
        duel TEXT NOT NULL REFERENCES duels (id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        at INTEGER NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (duel, version)
    ) WITHOUT ROWID;
    CREATE TABLE duel_beat (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL);
";

/// A store in an SQLite file.
#[derive(Debug)]
pub struct Sqlite(Database);

impl Sqlite {
    /// The duels in a file, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Sqlite {
        let schema = Schema { application: APPLICATION, migrations: &[FIRST] };
        Sqlite(Database::new(path, schema))
    }

    /// Reads the whole file and checks that it holds together.
    ///
    /// # Errors
    ///
    /// If it does not, or cannot be read.
    pub fn check(&self) -> Result<(), StoreError> {
        self.0.check()
    }

    fn damaged(&self, reason: String) -> StoreError {
        StoreError::Damaged { place: self.0.path().display().to_string(), reason }
    }
}

fn append(change: &Transaction<'_>, append: &Append) -> rusqlite::Result<bool> {
    let id = append.id.to_string();
    let updated = change
        .prepare_cached(
            "UPDATE duels SET version = ?, stage = ?, timed = ?, last = ? WHERE id = ? AND version = ?",
        )?
        .execute(params![
            append.version(),
            append.stage.name(),
            append.is_timed,
            append.at() as i64,
            id,
            append.after()
        ])?;
    if updated == 0 {
        return Ok(false);
    }
    let mut insert = change
        .prepare_cached("INSERT INTO duel_events (duel, version, at, event) VALUES (?, ?, ?, ?)")?;
    for entry in &append.entries {
        insert.execute(params![id, entry.version, entry.at as i64, json(&entry.event)])?;
    }
    Ok(true)
}

impl Store for Sqlite {
    fn create(&self, opening: &Opening) -> Result<bool, StoreError> {
        self.0.with(|connection| {
            let added = connection.execute(
                "INSERT INTO duels (id, opening, version, stage, timed, last) VALUES (?, ?, 0, ?, 0, ?)
                 ON CONFLICT (id) DO NOTHING",
                params![
                    opening.id.to_string(),
                    json(opening),
                    first_stage(opening).name(),
                    opening.at as i64
                ],
            )?;
            Ok(added > 0)
        })
    }

    fn load(&self, id: DuelId) -> Result<Option<Stored>, StoreError> {
        if self.0.is_missing() {
            return Ok(None);
        }
        let id = id.to_string();
        let found = self.0.with(|connection| {
            // Both from one state of the file.
            let reading = connection.transaction()?;
            let opening = reading
                .prepare_cached("SELECT opening FROM duels WHERE id = ?")?
                .query_row([&id], |row| row.get::<_, String>(0))
                .optional()?;
            let Some(opening) = opening else { return Ok(None) };
            let mut rows = reading.prepare_cached(
                "SELECT version, at, event FROM duel_events WHERE duel = ? ORDER BY version",
            )?;
            let rows = rows.query_map([&id], |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)? as Millis, row.get(2)?))
            })?;
            Ok(Some((opening, rows.collect::<rusqlite::Result<Vec<Raw>>>()?)))
        })?;
        let stored = found.map(|(opening, rows)| stored(&opening, rows)).transpose();
        stored.map_err(|reason| self.damaged(reason))
    }

    fn append(&self, batch: &[Append]) -> Result<Vec<bool>, StoreError> {
        self.0.with(|connection| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = batch.iter().map(|one| append(&change, one)).collect::<Result<_, _>>()?;
            change.commit()?;
            Ok(done)
        })
    }

    fn timed(&self) -> Result<Vec<DuelId>, StoreError> {
        if self.0.is_missing() {
            return Ok(Vec::new());
        }
        self.0.with(|connection| {
            let mut rows = connection
                .prepare_cached("SELECT id FROM duels WHERE stage = 'playing' AND timed")?;
            let ids = rows.query_map([], |row| row.get::<_, String>(0))?;
            let ids = ids.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(ids.iter().filter_map(|id| id.parse().ok()).collect())
        })
    }

    fn beat(&self, now: Millis) -> Result<Option<Millis>, StoreError> {
        if self.0.is_missing() {
            return Ok(None);
        }
        self.0.with(|connection| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let before = change
                .query_row("SELECT at FROM duel_beat", [], |row| row.get::<_, i64>(0))
                .optional()?;
            change.execute(
                "INSERT INTO duel_beat (one, at) VALUES (1, ?)
                 ON CONFLICT (one) DO UPDATE SET at = excluded.at",
                [now as i64],
            )?;
            change.commit()?;
            Ok(before.map(|at| at as Millis))
        })
    }

    fn sweep(&self, keeping: &Keeping) -> Result<u64, StoreError> {
        if self.0.is_missing() {
            return Ok(0);
        }
        self.0.with(|connection| {
            connection.execute(
                "DELETE FROM duels WHERE stage = 'open' AND last < ?1 OR stage != 'open' AND last < ?2",
                [keeping.open_since as i64, keeping.played_since as i64],
            )?;
            let left = "SELECT COUNT(*) FROM duels";
            connection.query_row(left, [], |row| row.get::<_, i64>(0)).map(|left| left as u64)
        })
    }

    /// One server has the file: there are no others.
    fn listen(&self, _: Heard) {}
}
