//! A store in an SQLite file.
//!
//! The file is opened when it is first needed, and again after it failed or was put away, so that a program that serves
//! other things too goes on without it. It has a write-ahead log and waits for the disk at every commit: what was
//! acknowledged survives a kill and a power cut. Several programs may have it open; one that writes keeps the
//! others waiting for some seconds at most.

mod schema;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::types::Value;
use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params,
    params_from_iter,
};

use self::schema::{APPLICATION, MIGRATIONS};
use crate::entry::{Entry, GameId, Kept, Source};
use crate::filter::{Filter, Page};
use crate::key::{Edge, PositionKey};
use crate::store::{Explored, Found, Put, Status, Store, StoreError};

/// How long to wait for another program that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// A store in an SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    open: Mutex<Option<Open>>,
    /// When another program was last found to keep it locked. Whoever has waited here since before then is told so at
    /// once, and does not wait for it again.
    locked: Mutex<Option<Instant>>,
}

#[derive(Debug)]
struct Open {
    connection: Connection,
    /// Which file it is, so that one that was moved away is not written to any more.
    file: Option<(u64, u64)>,
}

impl Sqlite {
    /// The games in a file, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Sqlite {
        Sqlite { path: path.into(), open: Mutex::default(), locked: Mutex::default() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the whole file and checks that it holds together.
    ///
    /// # Errors
    ///
    /// If it does not, or cannot be read.
    pub fn check(&self) -> Result<(), StoreError> {
        if self.is_missing() {
            return Ok(());
        }
        let said = self.with(|connection| {
            connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0))
        })?;
        if said == "ok" { Ok(()) } else { Err(self.damaged(said)) }
    }

    /// Whether nothing was kept yet: to look for games makes no file.
    fn is_missing(&self) -> bool {
        matches!(self.path.try_exists(), Ok(false))
    }

    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn damaged(&self, reason: String) -> StoreError {
        StoreError::Damaged { place: self.place(), reason }
    }

    fn error(&self, error: rusqlite::Error) -> StoreError {
        let place = self.place();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::Locked { place }
            }
            Some(ErrorCode::DiskFull) => StoreError::Full { place },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                StoreError::ReadOnly { place }
            }
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                self.damaged(error.to_string())
            }
            _ => StoreError::Other { place, source: error.into() },
        }
    }

    /// Does something with the file, which is opened if need be.
    fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let asked = Instant::now();
        let mut open = self.opened(asked).inspect_err(|error| self.remember(error))?;
        let Some(now) = open.as_mut() else { return Err(self.damaged("not open".to_owned())) };
        work(&mut now.connection).map_err(|error| {
            let error = self.error(error);
            self.remember(&error);
            if !matches!(error, StoreError::Locked { .. }) {
                *open = None;
            }
            error
        })
    }

    fn remember(&self, error: &StoreError) {
        if matches!(error, StoreError::Locked { .. }) {
            *self.locked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
    }

    /// The file, for somebody who asked for it then.
    fn opened(&self, asked: Instant) -> Result<MutexGuard<'_, Option<Open>>, StoreError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let locked = *self.locked.lock().unwrap_or_else(PoisonError::into_inner);
        if locked.is_some_and(|locked| locked > asked) {
            return Err(StoreError::Locked { place: self.place() });
        }
        let is_there = |now: &Open| now.file.is_some() && now.file == identity(&self.path);
        if !open.as_ref().is_some_and(is_there) {
            *open = None;
            let connection = self.connect()?;
            *open = Some(Open { connection, file: identity(&self.path) });
        }
        Ok(open)
    }

    fn connect(&self) -> Result<Connection, StoreError> {
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)
                .map_err(|error| StoreError::Other { place: self.place(), source: error.into() })?;
        }
        let mut connection = Connection::open(&self.path).map_err(|error| self.error(error))?;
        let version = self.prepare(&mut connection).map_err(|error| self.error(error))?;
        match version {
            Version::Known => Ok(connection),
            Version::Foreign => Err(StoreError::Foreign { place: self.place() }),
            Version::Newer(found) => {
                let known = MIGRATIONS.len() as i64;
                Err(StoreError::Newer { place: self.place(), found, known })
            }
        }
    }

    /// Brings the schema up to date.
    fn prepare(&self, connection: &mut Connection) -> rusqlite::Result<Version> {
        connection.busy_timeout(PATIENCE)?;
        match version(connection)? {
            Ok(found) if found == MIGRATIONS.len() => {}
            Ok(_) => {
                // So that reading goes on while somebody writes; it is kept in the file. Not every disk can.
                connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
                let change =
                    connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                // Somebody else may have done it meanwhile.
                if let Ok(found) = version(&change)? {
                    for migration in MIGRATIONS.iter().skip(found) {
                        change.execute_batch(migration)?;
                    }
                    change.pragma_update(None, "application_id", APPLICATION)?;
                    change.pragma_update(None, "user_version", MIGRATIONS.len() as i64)?;
                }
                change.commit()?;
            }
            Err(other) => return Ok(other),
        }
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
        Ok(Version::Known)
    }
}

/// What the schema of a file is.
enum Version {
    Known,
    Newer(i64),
    Foreign,
}

/// How many migrations a file has had, if it is one of ours or empty.
fn version(connection: &Connection) -> rusqlite::Result<Result<usize, Version>> {
    let number = |text: &str| connection.query_row(text, [], |row| row.get::<_, i64>(0));
    let (found, application) = (number("PRAGMA user_version")?, number("PRAGMA application_id")?);
    let tables = number("SELECT COUNT(*) FROM sqlite_master")?;
    Ok(match found {
        0 if application == 0 && tables == 0 => Ok(0),
        _ if application != APPLICATION => Err(Version::Foreign),
        found if found > MIGRATIONS.len() as i64 => Err(Version::Newer(found)),
        found => Ok(found.max(0) as usize),
    })
}

/// Which file a path leads to.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    // Elsewhere a file that is open cannot be moved away.
    #[cfg(not(unix))]
    {
        let _ = metadata;
        Some((0, 0))
    }
}

/// The conditions of a filter, and their values.
#[derive(Default)]
struct Conditions {
    texts: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    fn add(&mut self, text: &str, value: impl Into<Value>) {
        self.texts.push(text.to_owned());
        self.values.push(value.into());
    }

    fn of(filter: &Filter) -> Conditions {
        let mut all = Conditions::default();
        if let Some(key) = filter.position {
            let text = "games.number IN (SELECT game FROM positions WHERE key = ?)";
            all.add(text, key.to_bytes().to_vec());
        }
        if !filter.ids.is_empty() {
            let marks = vec!["?"; filter.ids.len()].join(", ");
            all.texts.push(format!("games.id IN ({marks})"));
            all.values.extend(filter.ids.iter().map(|id| Value::from(id.to_string())));
        }
        if let Some(source) = filter.source {
            all.add("games.source = ?", source.to_string());
        }
        if let Some(player) = &filter.player {
            all.add("instr(games.players, ?) > 0", Filter::folded(player));
        }
        if let Some(result) = filter.result {
            all.add("games.result = ?", result.to_string());
        }
        if let Some(rules) = filter.rules {
            all.add("games.rules = ?", rules.to_string());
        }
        if let Some(since) = &filter.since {
            all.add("games.date >= ?", since.clone());
        }
        if let Some(after) = filter.after() {
            all.add("games.date < ?", after);
        }
        all
    }

    /// As a part of a statement that says `WHERE` or goes on after a condition.
    fn text(&self, before: &str) -> String {
        if self.texts.is_empty() {
            String::new()
        } else {
            format!(" {before} {}", self.texts.join(" AND "))
        }
    }
}

fn put(change: &Transaction<'_>, entry: &Entry) -> rusqlite::Result<Put> {
    let Entry { kept, .. } = entry;
    if !entry.is_named {
        let known = change
            .prepare_cached("SELECT id FROM games WHERE digest = ? LIMIT 1")?
            .query_row([&entry.digest[..]], |row| row.get::<_, String>(0))
            .optional()?;
        if let Some(id) = known.and_then(|id| id.parse().ok()) {
            return Ok(Put { id, status: Status::Known });
        }
    }
    let number = change
        .prepare_cached("SELECT number FROM games WHERE id = ?")?
        .query_row([kept.id.as_str()], |row| row.get::<_, i64>(0))
        .optional()?;
    if let Some(number) = number {
        change.prepare_cached("DELETE FROM positions WHERE game = ?")?.execute([number])?;
    }
    let players = format!("{}\n{}", Filter::folded(&kept.white), Filter::folded(&kept.black));
    let number = change
        .prepare_cached(
            "INSERT INTO games (id, digest, source, white, black, players, date, result, rules, plies, event, saved, pgn)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, source = excluded.source,
                white = excluded.white, black = excluded.black, players = excluded.players, date = excluded.date,
                result = excluded.result, rules = excluded.rules, plies = excluded.plies, event = excluded.event,
                saved = excluded.saved, pgn = excluded.pgn
             RETURNING number",
        )?
        .query_row(
            params![
                kept.id.as_str(),
                &entry.digest[..],
                kept.source.name(),
                kept.white,
                kept.black,
                players,
                kept.date,
                kept.result,
                kept.rules,
                kept.plies as i64,
                kept.event,
                kept.saved as i64,
                kept.pgn,
            ],
            |row| row.get::<_, i64>(0),
        )
        .map(|added| (added, number.is_some()))?;
    let mut insert = change
        .prepare_cached("INSERT INTO positions (key, game, ply, move) VALUES (?, ?, ?, ?)")?;
    for (ply, (key, edge)) in entry.path.iter().enumerate() {
        let edge = edge.map(Edge::number);
        insert.execute(params![&key.to_bytes()[..], number.0, ply as i64, edge])?;
    }
    let status = if number.1 { Status::Replaced } else { Status::Added };
    Ok(Put { id: kept.id.clone(), status })
}

fn kept(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Kept>> {
    let id: Option<GameId> = row.get::<_, String>(0)?.parse().ok();
    let source: Option<Source> = row.get::<_, String>(1)?.parse().ok();
    let (Some(id), Some(source)) = (id, source) else { return Ok(None) };
    Ok(Some(Kept {
        id,
        source,
        white: row.get(2)?,
        black: row.get(3)?,
        date: row.get(4)?,
        result: row.get(5)?,
        rules: row.get(6)?,
        plies: row.get::<_, i64>(7)? as usize,
        event: row.get(8)?,
        saved: row.get::<_, i64>(9)? as u64,
        pgn: row.get(10)?,
    }))
}

impl Store for Sqlite {
    fn put(&self, games: &[Entry]) -> Result<Vec<Put>, StoreError> {
        self.with(|connection| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = games.iter().map(|entry| put(&change, entry)).collect::<Result<_, _>>()?;
            change.commit()?;
            Ok(done)
        })
    }

    fn find(&self, filter: &Filter, page: Page) -> Result<Found, StoreError> {
        if self.is_missing() {
            return Ok(Found::default());
        }
        let conditions = Conditions::of(filter);
        let text = conditions.text("WHERE");
        self.with(|connection| {
            // Both from one state of the file.
            let reading = connection.transaction()?;
            let total: i64 = reading.query_row(
                &format!("SELECT COUNT(*) FROM games{text}"),
                params_from_iter(&conditions.values),
                |row| row.get(0),
            )?;
            let mut games = reading.prepare(&format!(
                "SELECT id, source, white, black, date, result, rules, plies, event, saved, pgn FROM games
                 WHERE number IN (SELECT number FROM games{text} ORDER BY date DESC, number DESC LIMIT ? OFFSET ?)
                 ORDER BY date DESC, number DESC"
            ))?;
            let bounded = |number: u64| Value::from(i64::try_from(number).unwrap_or(i64::MAX));
            let bounds = [bounded(page.limit), bounded(page.offset)];
            let values = conditions.values.iter().chain(&bounds);
            let games = games.query_map(params_from_iter(values), kept)?;
            let games = games.filter_map(Result::transpose).collect::<Result<_, _>>()?;
            Ok(Found { total: total as u64, games })
        })
    }

    fn delete(&self, filter: &Filter) -> Result<u64, StoreError> {
        if self.is_missing() {
            return Ok(0);
        }
        let conditions = Conditions::of(filter);
        let text = conditions.text("WHERE");
        self.with(|connection| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let deleted = change.execute(
                &format!("DELETE FROM games{text}"),
                params_from_iter(&conditions.values),
            )?;
            change.commit()?;
            Ok(deleted as u64)
        })
    }

    fn explore(&self, position: PositionKey, filter: &Filter) -> Result<Explored, StoreError> {
        if self.is_missing() {
            return Ok(Explored::default());
        }
        let conditions = Conditions::of(&Filter { position: Some(position), ..filter.clone() });
        let others = Conditions::of(&Filter { position: None, ..filter.clone() });
        let key = Value::from(position.to_bytes().to_vec());
        self.with(|connection| {
            let reading = connection.transaction()?;
            let mut explored = Explored::default();
            let mut totals = reading.prepare(&format!(
                "SELECT result, COUNT(*) FROM games{} GROUP BY result",
                conditions.text("WHERE")
            ))?;
            let mut rows = totals.query(params_from_iter(&conditions.values))?;
            while let Some(row) = rows.next()? {
                explored.total.add(&row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64);
            }
            let mut moves = reading.prepare(&format!(
                "SELECT positions.move, games.result, COUNT(DISTINCT games.number)
                 FROM positions JOIN games ON games.number = positions.game
                 WHERE positions.key = ? AND positions.move IS NOT NULL{}
                 GROUP BY positions.move, games.result ORDER BY positions.move",
                others.text("AND")
            ))?;
            let values = std::iter::once(&key).chain(&others.values);
            let mut rows = moves.query(params_from_iter(values))?;
            while let Some(row) = rows.next()? {
                let Some(edge) = Edge::from_number(row.get(0)?) else { continue };
                if explored.moves.last().is_none_or(|(last, _)| *last != edge) {
                    explored.moves.push((edge, Default::default()));
                }
                if let Some((_, tally)) = explored.moves.last_mut() {
                    tally.add(&row.get::<_, String>(1)?, row.get::<_, i64>(2)? as u64);
                }
            }
            Ok(explored.sorted())
        })
    }
}
