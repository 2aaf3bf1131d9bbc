//! A PostgreSQL database: connections, and the schema.
//!
//! Connections are opened when they are needed, kept, and opened again after the server went away: work that finds its
//! connection broken is done once more on a new one. So it must not matter whether it was done before.

use std::error::Error;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::postgres::config::Host;
use ::postgres::error::SqlState;
use ::postgres::{Client, Config, NoTls};

use crate::store::StoreError;

/// How long a connection may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many connections are kept.
const MOST_IDLE: usize = 8;
/// Locked while the schema is changed, so that two servers that start at once do not both change it. "mouse" as a number.
const SCHEMA_LOCK: i64 = 0x6d_6f75_7365;

/// A PostgreSQL database.
pub struct Database {
    config: Config,
    place: String,
    schema: Schema,
    idle: Mutex<Vec<Client>>,
    /// Whether the schema was looked at.
    is_ready: Mutex<bool>,
}

/// What a database holds; several parts of a program may have one in the same database.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The name of the part.
    pub name: &'static str,
    /// What leads from each version to the next.
    pub migrations: &'static [&'static str],
}

/// An address is not one of a PostgreSQL database.
#[derive(Debug, thiserror::Error)]
#[error("this is not the address of a PostgreSQL database ({0}): write postgres://USER@HOST/NAME")]
pub struct BadAddress(#[from] ::postgres::Error);

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("place", &self.place).finish_non_exhaustive()
    }
}

/// Where a database is, without the password.
fn place(config: &Config) -> String {
    let hosts = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    });
    let hosts: Vec<String> = hosts.collect();
    let name = config.get_dbname().or(config.get_user()).unwrap_or("?");
    format!("PostgreSQL's {name} at {}", hosts.join(", "))
}

impl Database {
    /// A database by its address. Nothing is asked of it yet.
    ///
    /// # Errors
    ///
    /// If it is not an address.
    pub fn new(address: &str, schema: Schema) -> Result<Database, BadAddress> {
        let mut config: Config = address.parse()?;
        config.connect_timeout(PATIENCE).application_name("mousetrap");
        // A connection over a network that has gone is noticed.
        config.keepalives_idle(Duration::from_secs(15)).tcp_user_timeout(Duration::from_secs(20));
        let place = place(&config);
        let idle = Mutex::default();
        Ok(Database { config, place, schema, idle, is_ready: Mutex::default() })
    }

    /// Where it is.
    pub fn place(&self) -> &str {
        &self.place
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Client>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn error(&self, error: ::postgres::Error) -> StoreError {
        let place = self.place.clone();
        // Its own message says only of which kind it is.
        let reason = match error.as_db_error() {
            Some(error) => error.message().to_owned(),
            None => error.source().map_or_else(|| error.to_string(), ToString::to_string),
        };
        let broken = [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED];
        match error.code() {
            None => StoreError::Away { place, reason },
            Some(code) if *code == SqlState::DISK_FULL => StoreError::Full { place },
            Some(code) if *code == SqlState::READ_ONLY_SQL_TRANSACTION => {
                StoreError::ReadOnly { place }
            }
            Some(code) if broken.contains(code) => StoreError::Damaged { place, reason },
            // Connections, want of resources, and what an administrator stopped: it may be better soon.
            Some(code)
                if matches!(&code.code()[..2], "08" | "28" | "3D" | "40" | "53" | "55" | "57") =>
            {
                StoreError::Away { place, reason }
            }
            Some(_) => StoreError::Other { place, source: error.into() },
        }
    }

    /// A new connection, for whoever wants one of their own.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn connect(&self) -> Result<Client, StoreError> {
        self.config.connect(NoTls).map_err(|error| self.error(error))
    }

    /// Does something with a connection. If that was lost, it is done once more on another.
    ///
    /// # Errors
    ///
    /// If that fails, or there is no connection.
    pub fn with<T>(
        &self,
        mut work: impl FnMut(&mut Client) -> Result<T, ::postgres::Error>,
    ) -> Result<T, StoreError> {
        let kept = self.idle().pop();
        if let Some(mut client) = kept {
            match work(&mut client) {
                Err(_) if client.is_closed() => self.idle().clear(),
                done => return self.done(client, done),
            }
        }
        let mut client = self.connect()?;
        self.prepare(&mut client)?;
        let done = work(&mut client);
        self.done(client, done)
    }

    fn done<T>(&self, client: Client, done: Result<T, ::postgres::Error>) -> Result<T, StoreError> {
        if !client.is_closed() {
            let mut idle = self.idle();
            if idle.len() < MOST_IDLE {
                idle.push(client);
            }
        }
        done.map_err(|error| self.error(error))
    }

    /// Brings the schema up to date, once.
    fn prepare(&self, client: &mut Client) -> Result<(), StoreError> {
        let mut is_ready = self.is_ready.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_ready {
            return Ok(());
        }
        let found = self.migrate(client).map_err(|error| self.error(error))?;
        let known = self.schema.migrations.len() as i64;
        if found > known {
            return Err(StoreError::Newer { place: self.place.clone(), found, known });
        }
        *is_ready = true;
        Ok(())
    }

    /// The version that was found, after what was missing was added.
    fn migrate(&self, client: &mut Client) -> Result<i64, ::postgres::Error> {
        let mut change = client.transaction()?;
        change.execute("SELECT pg_advisory_xact_lock($1)", &[&SCHEMA_LOCK])?;
        change.batch_execute(
            "CREATE TABLE IF NOT EXISTS mousetrap_schema (name TEXT PRIMARY KEY, version BIGINT NOT NULL)",
        )?;
        let name = self.schema.name;
        let row =
            change.query_opt("SELECT version FROM mousetrap_schema WHERE name = $1", &[&name])?;
        let found: i64 = row.map_or(0, |row| row.get(0));
        let known = self.schema.migrations.len() as i64;
        if found < known {
            for migration in self.schema.migrations.iter().skip(found.max(0) as usize) {
                change.batch_execute(migration)?;
            }
            change.execute(
                "INSERT INTO mousetrap_schema (name, version) VALUES ($1, $2)
                 ON CONFLICT (name) DO UPDATE SET version = excluded.version",
                &[&name, &known],
            )?;
        }
        change.commit()?;
        Ok(found)
    }
}

/// A connection that is closed waits for its last words, which must not be on a thread that drives other work.
impl Drop for Database {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut *self.idle());
        if let Ok(closing) = std::thread::Builder::new().spawn(move || drop(idle)) {
            let _ = closing.join();
        }
    }
}
