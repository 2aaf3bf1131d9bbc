//! A store in a PostgreSQL database, for several servers behind a balancer: what one appends, the database announces to
//! the others (`LISTEN`, `NOTIFY`).

use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use ::postgres::fallible_iterator::FallibleIterator;
use ::postgres::{Client, Transaction};
use library::StoreError;
use library::postgres::{BadAddress, Database, Schema};

use crate::event::Opening;
use crate::key::DuelId;
use crate::rows::{first_stage, json, stored};
use crate::store::{Append, Heard, Keeping, Store, Stored};
use crate::terms::Millis;

/// The same tables as in the SQLite file.
const FIRST: &str = "
    CREATE TABLE duels (
        id TEXT PRIMARY KEY,
        opening TEXT NOT NULL,
        version BIGINT NOT NULL,
        stage TEXT NOT NULL,
        timed BOOLEAN NOT NULL,
        last BIGINT NOT NULL
    );
    CREATE INDEX duels_by_stage ON duels (stage, last);
    CREATE TABLE duel_events (
        duel TEXT NOT NULL REFERENCES duels (id) ON DELETE CASCADE,
        version BIGINT NOT NULL,
        at BIGINT NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (duel, version)
    );
    CREATE TABLE duel_beat (one INT PRIMARY KEY CHECK (one = 1), at BIGINT NOT NULL);
";

/// What changes are announced on.
const CHANNEL: &str = "mousetrap_duels";
/// How long to wait before listening again after the connection was lost.
const PAUSE: Duration = Duration::from_millis(500);
/// How often to look whether somebody still listens, and whether the connection still lives.
const WATCH: Duration = Duration::from_secs(5);

/// A store in a PostgreSQL database.
#[derive(Debug)]
pub struct Postgres(Arc<Database>);

impl Postgres {
    /// The duels in a database.
    ///
    /// # Errors
    ///
    /// If it is not an address.
    pub fn new(address: &str) -> Result<Postgres, BadAddress> {
        let schema = Schema { name: "duels", migrations: &[FIRST] };
        Ok(Postgres(Arc::new(Database::new(address, schema)?)))
    }
}

fn append(change: &mut Transaction<'_>, append: &Append) -> Result<bool, ::postgres::Error> {
    let id = append.id.to_string();
    let updated = change.execute(
        "UPDATE duels SET version = $1, stage = $2, timed = $3, last = $4 WHERE id = $5 AND version = $6",
        &[
            &i64::from(append.version()),
            &append.stage.name(),
            &append.is_timed,
            &(append.at() as i64),
            &id,
            &i64::from(append.after()),
        ],
    )?;
    if updated == 0 {
        return Ok(false);
    }
    for entry in &append.entries {
        change.execute(
            "INSERT INTO duel_events (duel, version, at, event) VALUES ($1, $2, $3, $4)",
            &[&id, &i64::from(entry.version), &(entry.at as i64), &json(&entry.event)],
        )?;
    }
    let told = format!("{id} {}", append.version());
    change.execute("SELECT pg_notify($1, $2)", &[&CHANNEL, &told])?;
    Ok(true)
}

impl Store for Postgres {
    fn create(&self, opening: &Opening) -> Result<bool, StoreError> {
        let (id, text) = (opening.id.to_string(), json(opening));
        self.0.with(|client| {
            let added = client.execute(
                "INSERT INTO duels (id, opening, version, stage, timed, last) VALUES ($1, $2, 0, $3, FALSE, $4)
                 ON CONFLICT (id) DO NOTHING",
                &[&id, &text, &first_stage(opening).name(), &(opening.at as i64)],
            )?;
            Ok(added > 0)
        })
    }

    fn load(&self, id: DuelId) -> Result<Option<Stored>, StoreError> {
        let id = id.to_string();
        let rows = self.0.with(|client| {
            // One statement, and so one state of the database.
            client.query(
                "SELECT duels.opening, log.version, log.at, log.event
                 FROM duels LEFT JOIN duel_events AS log ON log.duel = duels.id
                 WHERE duels.id = $1 ORDER BY log.version",
                &[&id],
            )
        })?;
        let Some(first) = rows.first() else { return Ok(None) };
        let opening: String = first.get(0);
        let raw = |row: &::postgres::Row| {
            let version = u32::try_from(row.get::<_, Option<i64>>(1)?).ok()?;
            Some((version, row.get::<_, i64>(2) as Millis, row.get(3)))
        };
        let stored = stored(&opening, rows.iter().filter_map(raw).collect());
        let damaged = |reason| StoreError::Damaged { place: self.0.place().to_owned(), reason };
        stored.map(Some).map_err(damaged)
    }

    fn append(&self, batch: &[Append]) -> Result<Vec<bool>, StoreError> {
        // Always in the same order, or two servers could wait for each other.
        let mut order: Vec<usize> = (0..batch.len()).collect();
        order.sort_by_key(|&index| batch[index].id);
        self.0.with(|client| {
            let mut done = vec![false; batch.len()];
            let mut change = client.transaction()?;
            for &index in &order {
                done[index] = append(&mut change, &batch[index])?;
            }
            change.commit()?;
            Ok(done)
        })
    }

    fn timed(&self) -> Result<Vec<DuelId>, StoreError> {
        let rows = self.0.with(|client| {
            client.query("SELECT id FROM duels WHERE stage = 'playing' AND timed", &[])
        })?;
        Ok(rows.iter().filter_map(|row| row.get::<_, &str>(0).parse().ok()).collect())
    }

    fn beat(&self, now: Millis) -> Result<Option<Millis>, StoreError> {
        self.0.with(|client| {
            let mut change = client.transaction()?;
            // Two servers that start at once: one of them sees what was before.
            let row = change.query_opt("SELECT at FROM duel_beat FOR UPDATE", &[])?;
            let before = row.map(|row| row.get::<_, i64>(0) as Millis);
            change.execute(
                "INSERT INTO duel_beat (one, at) VALUES (1, $1)
                 ON CONFLICT (one) DO UPDATE SET at = greatest(duel_beat.at, excluded.at)",
                &[&(now as i64)],
            )?;
            change.commit()?;
            Ok(before)
        })
    }

    fn sweep(&self, keeping: &Keeping) -> Result<u64, StoreError> {
        self.0.with(|client| {
            client.execute(
                "DELETE FROM duels WHERE stage = 'open' AND last < $1 OR stage <> 'open' AND last < $2",
                &[&(keeping.open_since as i64), &(keeping.played_since as i64)],
            )?;
            let row = client.query_one("SELECT COUNT(*) FROM duels", &[])?;
            Ok(row.get::<_, i64>(0) as u64)
        })
    }

    fn listen(&self, heard: Heard) {
        let database = Arc::downgrade(&self.0);
        // Without a thread there is nobody to tell, and versions are compared in the database all the same.
        let _ = thread::Builder::new()
            .name("duels".to_owned())
            .spawn(move || while listen(&database, &heard).is_some() {});
    }
}

/// Listens on a connection until that is lost; `None` when the store is gone.
fn listen(database: &Weak<Database>, heard: &Heard) -> Option<()> {
    let client = database.upgrade()?.connect();
    let Ok(mut client) = client else {
        thread::sleep(PAUSE);
        return Some(());
    };
    if client.batch_execute(&format!("LISTEN {CHANNEL}")).is_err() {
        thread::sleep(PAUSE);
        return Some(());
    }
    // What was announced before nobody has heard.
    heard(None);
    loop {
        hear(&mut client, heard).ok();
        database.upgrade()?;
        if client.is_closed() || client.is_valid(WATCH).is_err() {
            return Some(());
        }
    }
}

/// Hears announcements until there is none for a while.
fn hear(client: &mut Client, heard: &Heard) -> Result<(), ::postgres::Error> {
    let mut notifications = client.notifications();
    let mut waiting = notifications.timeout_iter(WATCH);
    while let Some(told) = waiting.next()? {
        heard(read(told.payload()));
    }
    Ok(())
}

/// The name and the version of an announcement.
fn read(payload: &str) -> Option<(DuelId, u32)> {
    let (id, version) = payload.split_once(' ')?;
    Some((id.parse().ok()?, version.parse().ok()?))
}
