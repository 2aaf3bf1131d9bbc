//! A database in an SQLite file.
//!
//! The file is opened when it is first needed, and again after it failed or was put away, so that a program that serves
//! other things too goes on without it. It has a write-ahead log and waits for the disk at every commit: what was
//! acknowledged survives a kill and a power cut. Several programs may have it open; one that writes keeps the
//! others waiting for some seconds at most.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use crate::store::StoreError;

/// How long to wait for another program that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// For how long nobody waits again for a file that was found locked.
const CALM: Duration = Duration::from_millis(250);

/// A database in an SQLite file.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    schema: Schema,
    open: Mutex<Option<Open>>,
    /// When another program was last found to keep it locked. Whoever has waited here since before then, or comes soon
    /// after, is told so at once and does not wait for it again: else a queue would outlive the lock.
    locked: Mutex<Option<Instant>>,
}

/// What a file holds.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// What marks the file as one of this kind.
    pub application: i64,
    /// What leads from each version to the next.
    pub migrations: &'static [&'static str],
}

#[derive(Debug)]
struct Open {
    connection: Connection,
    /// Which file it is, so that one that was moved away is not written to any more.
    file: Option<(u64, u64)>,
}

impl Database {
    /// What is in a file, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>, schema: Schema) -> Database {
        Database { path: path.into(), schema, open: Mutex::default(), locked: Mutex::default() }
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
    pub fn is_missing(&self) -> bool {
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
    ///
    /// # Errors
    ///
    /// If that fails, or the file cannot be opened.
    pub fn with<T>(
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
        if locked.is_some_and(|locked| locked > asked || locked.elapsed() < CALM) {
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
                let known = self.schema.migrations.len() as i64;
                Err(StoreError::Newer { place: self.place(), found, known })
            }
        }
    }

    /// Brings the schema up to date.
    fn prepare(&self, connection: &mut Connection) -> rusqlite::Result<Version> {
        connection.busy_timeout(PATIENCE)?;
        match self.version(connection)? {
            Ok(found) if found == self.schema.migrations.len() => {}
            Ok(_) => {
                // So that reading goes on while somebody writes; it is kept in the file. Not every disk can.
                connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
                let change =
                    connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                // Somebody else may have done it meanwhile.
                if let Ok(found) = self.version(&change)? {
                    for migration in self.schema.migrations.iter().skip(found) {
                        change.execute_batch(migration)?;
                    }
                    change.pragma_update(None, "application_id", self.schema.application)?;
                    change.pragma_update(
                        None,
                        "user_version",
                        self.schema.migrations.len() as i64,
                    )?;
                }
                change.commit()?;
            }
            Err(other) => return Ok(other),
        }
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
        Ok(Version::Known)
    }

    /// How many migrations a file has had, if it is one of ours or empty.
    fn version(&self, connection: &Connection) -> rusqlite::Result<Result<usize, Version>> {
        let number = |text: &str| connection.query_row(text, [], |row| row.get::<_, i64>(0));
        let (found, application) =
            (number("PRAGMA user_version")?, number("PRAGMA application_id")?);
        let tables = number("SELECT COUNT(*) FROM sqlite_master")?;
        Ok(match found {
            0 if application == 0 && tables == 0 => Ok(0),
            _ if application != self.schema.application => Err(Version::Foreign),
            found if found > self.schema.migrations.len() as i64 => Err(Version::Newer(found)),
            found => Ok(found.max(0) as usize),
        })
    }
}

/// What the schema of a file is.
enum Version {
    Known,
    Newer(i64),
    Foreign,
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
