//! A store in a PostgreSQL database, for several servers behind a balancer: what one appends, the database announces to
//! the others (`LISTEN`, `NOTIFY`).

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use ::postgres::fallible_iterator::FallibleIterator;
use ::postgres::types::Type;
use ::postgres::{Client, Error, Transaction};
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

/// Appends all that are decided on the versions there are, and gives the names of those: a few statements, however many
/// there are, so that a database over a network is not asked for each move.
fn append(change: &mut Transaction<'_>, batch: &[Append]) -> Result<HashSet<String>, Error> {
    let ids: Vec<String> = batch.iter().map(|append| append.id.to_string()).collect();
    // Always in the same order, or two servers could wait for each other.
    change.query_typed(
        "SELECT id FROM duels WHERE id = ANY($1) ORDER BY id FOR UPDATE",
        &[(&ids, Type::TEXT_ARRAY)],
    )?;
    let numbers = |of: fn(&Append) -> i64| batch.iter().map(of).collect::<Vec<i64>>();
    let after = numbers(|append| append.after().into());
    let version = numbers(|append| append.version().into());
    let last = numbers(|append| append.at() as i64);
    let stage: Vec<&str> = batch.iter().map(|append| append.stage.name()).collect();
    let timed: Vec<bool> = batch.iter().map(|append| append.is_timed).collect();
    let rows = change.query_typed(
        "UPDATE duels SET version = new.version, stage = new.stage, timed = new.timed, last = new.last
         FROM unnest($1, $2, $3, $4, $5, $6) AS new (id, after, version, stage, timed, last)
         WHERE duels.id = new.id AND duels.version = new.after
         RETURNING duels.id, pg_notify($7, duels.id || ' ' || new.version)",
        &[
            (&ids, Type::TEXT_ARRAY),
            (&after, Type::INT8_ARRAY),
            (&version, Type::INT8_ARRAY),
            (&stage, Type::TEXT_ARRAY),
            (&timed, Type::BOOL_ARRAY),
            (&last, Type::INT8_ARRAY),
            (&CHANNEL, Type::TEXT),
        ],
    )?;
    let done: HashSet<String> = rows.iter().map(|row| row.get(0)).collect();
    let (mut duels, mut versions, mut times, mut events) = (vec![], vec![], vec![], vec![]);
    for (id, append) in ids.iter().zip(batch).filter(|(id, _)| done.contains(*id)) {
        for entry in &append.entries {
            duels.push(id);
            versions.push(i64::from(entry.version));
            times.push(entry.at as i64);
            events.push(json(&entry.event));
        }
    }
    change.query_typed(
        "INSERT INTO duel_events (duel, version, at, event) SELECT * FROM unnest($1, $2, $3, $4)",
        &[
            (&duels, Type::TEXT_ARRAY),
            (&versions, Type::INT8_ARRAY),
            (&times, Type::INT8_ARRAY),
            (&events, Type::TEXT_ARRAY),
        ],
    )?;
    Ok(done)
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
        self.0.with(|client| {
            let mut change = client.transaction()?;
            let done = append(&mut change, batch)?;
            change.commit()?;
            Ok(batch.iter().map(|append| done.contains(&append.id.to_string())).collect())
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
fn hear(client: &mut Client, heard: &Heard) -> Result<(), Error> {
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
