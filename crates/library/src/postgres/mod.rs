//! A store in a PostgreSQL database, which several servers may share.

mod database;

use ::postgres::types::ToSql;
use ::postgres::{Error, Row, Transaction};

pub use self::database::{BadAddress, Database, Schema};
use crate::entry::{Entry, GameId, Kept, Source};
use crate::filter::{Filter, Page};
use crate::key::{Edge, PositionKey};
use crate::store::{Explored, Found, Put, Status, Store, StoreError};

/// Games with what they are found by, and every position of their main lines; as in the SQLite file. Days are compared
/// byte by byte, as there.
const FIRST: &str = r#"
    CREATE TABLE library_games (
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        digest BYTEA NOT NULL,
        source TEXT NOT NULL,
        white TEXT NOT NULL,
        black TEXT NOT NULL,
        players TEXT NOT NULL,
        date TEXT COLLATE "C",
        result TEXT NOT NULL,
        rules TEXT NOT NULL,
        plies BIGINT NOT NULL,
        event TEXT,
        saved BIGINT NOT NULL,
        pgn TEXT NOT NULL
    );
    CREATE INDEX library_games_by_digest ON library_games (digest);
    CREATE INDEX library_games_by_date ON library_games (date DESC NULLS LAST, number DESC);
    CREATE TABLE library_positions (
        key BYTEA NOT NULL,
        game BIGINT NOT NULL REFERENCES library_games (number) ON DELETE CASCADE,
        ply BIGINT NOT NULL,
        move BIGINT,
        PRIMARY KEY (key, game, ply)
    );
    CREATE INDEX library_positions_by_game ON library_positions (game);
"#;

/// Held by whoever keeps games, so that two servers do not keep the same one twice. "games" as a number.
const GAMES_LOCK: i64 = 0x67_616d_6573;
/// What a game is read from.
const COLUMNS: &str = "id, source, white, black, date, result, rules, plies, event, saved, pgn";
/// The latest first, those without a day last.
const ORDER: &str = "ORDER BY date DESC NULLS LAST, number DESC";

/// A store in a PostgreSQL database.
#[derive(Debug)]
pub struct Postgres(Database);

impl Postgres {
    /// The games in a database.
    ///
    /// # Errors
    ///
    /// If it is not an address.
    pub fn new(address: &str) -> Result<Postgres, BadAddress> {
        let schema = Schema { name: "library", migrations: &[FIRST] };
        Database::new(address, schema).map(Postgres)
    }
}

type Value = Box<dyn ToSql + Sync>;

/// The conditions of a filter, and their values.
#[derive(Default)]
struct Conditions {
    texts: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    /// The mark of another value.
    fn mark(&mut self, value: impl ToSql + Sync + 'static) -> String {
        self.values.push(Box::new(value));
        format!("${}", self.values.len())
    }

    /// A condition; `?` in it is the value.
    fn add(&mut self, text: &str, value: impl ToSql + Sync + 'static) {
        let mark = self.mark(value);
        self.texts.push(text.replace('?', &mark));
    }

    fn of(filter: &Filter) -> Conditions {
        let mut all = Conditions::default();
        if let Some(key) = filter.position {
            let text = "games.number IN (SELECT game FROM library_positions WHERE key = ?)";
            all.add(text, key.to_bytes().to_vec());
        }
        if !filter.ids.is_empty() {
            let ids: Vec<String> = filter.ids.iter().map(ToString::to_string).collect();
            all.add("games.id = ANY(?)", ids);
        }
        if let Some(source) = filter.source {
            all.add("games.source = ?", source.to_string());
        }
        if let Some(player) = &filter.player {
            all.add("strpos(games.players, ?) > 0", Filter::folded(player));
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

    fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.values.iter().map(AsRef::as_ref).collect()
    }
}

fn put(change: &mut Transaction<'_>, entry: &Entry) -> Result<Put, Error> {
    let Entry { kept, .. } = entry;
    if !entry.is_named {
        let known = "SELECT id FROM library_games WHERE digest = $1 ORDER BY number LIMIT 1";
        let known = change.query_opt(known, &[&&entry.digest[..]])?;
        let id = known.and_then(|row| row.get::<_, String>(0).parse::<GameId>().ok());
        if let Some(id) = id {
            return Ok(Put { id, status: Status::Known });
        }
    }
    let id = kept.id.as_str();
    let known = change.query_opt("SELECT number FROM library_games WHERE id = $1", &[&id])?;
    if let Some(row) = &known {
        let number: i64 = row.get(0);
        change.execute("DELETE FROM library_positions WHERE game = $1", &[&number])?;
    }
    let players = format!("{}\n{}", Filter::folded(&kept.white), Filter::folded(&kept.black));
    let row = change.query_one(
        "INSERT INTO library_games
            (id, digest, source, white, black, players, date, result, rules, plies, event, saved, pgn)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, source = excluded.source,
            white = excluded.white, black = excluded.black, players = excluded.players, date = excluded.date,
            result = excluded.result, rules = excluded.rules, plies = excluded.plies, event = excluded.event,
            saved = excluded.saved, pgn = excluded.pgn
         RETURNING number",
        &[
            &id,
            &&entry.digest[..],
            &kept.source.name(),
            &kept.white,
            &kept.black,
            &players,
            &kept.date,
            &kept.result,
            &kept.rules,
            &(kept.plies as i64),
            &kept.event,
            &(kept.saved as i64),
            &kept.pgn,
        ],
    )?;
    let number: i64 = row.get(0);
    let keys: Vec<Vec<u8>> = entry.path.iter().map(|(key, _)| key.to_bytes().to_vec()).collect();
    let plies: Vec<i64> = (0..keys.len() as i64).collect();
    let moves: Vec<Option<i64>> =
        entry.path.iter().map(|(_, edge)| edge.map(|edge| edge.number().into())).collect();
    change.execute(
        "INSERT INTO library_positions (game, key, ply, move)
         SELECT $1, place.key, place.ply, place.move
         FROM unnest($2::BYTEA[], $3::BIGINT[], $4::BIGINT[]) AS place (key, ply, move)",
        &[&number, &keys, &plies, &moves],
    )?;
    let status = if known.is_some() { Status::Replaced } else { Status::Added };
    Ok(Put { id: kept.id.clone(), status })
}

fn kept(row: &Row) -> Option<Kept> {
    Some(Kept {
        id: row.get::<_, String>(0).parse().ok()?,
        source: row.get::<_, String>(1).parse::<Source>().ok()?,
        white: row.get(2),
        black: row.get(3),
        date: row.get(4),
        result: row.get(5),
        rules: row.get(6),
        plies: row.get::<_, i64>(7) as usize,
        event: row.get(8),
        saved: row.get::<_, i64>(9) as u64,
        pgn: row.get(10),
    })
}

/// A number that is never more than a database can count.
fn bounded(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A transaction that sees one state of the database.
fn reading(client: &mut ::postgres::Client) -> Result<Transaction<'_>, Error> {
    let level = ::postgres::IsolationLevel::RepeatableRead;
    client.build_transaction().isolation_level(level).read_only(true).start()
}

impl Store for Postgres {
    fn put(&self, games: &[Entry]) -> Result<Vec<Put>, StoreError> {
        self.0.with(|client| {
            let mut change = client.transaction()?;
            change.execute("SELECT pg_advisory_xact_lock($1)", &[&GAMES_LOCK])?;
            let done = games.iter().map(|entry| put(&mut change, entry));
            let done = done.collect::<Result<_, _>>()?;
            change.commit()?;
            Ok(done)
        })
    }

    fn find(&self, filter: &Filter, page: Page) -> Result<Found, StoreError> {
        self.0.with(|client| {
            let mut conditions = Conditions::of(filter);
            let text = conditions.text("WHERE");
            let mut reading = reading(client)?;
            let count = format!("SELECT COUNT(*) FROM library_games AS games{text}");
            let total: i64 = reading.query_one(&count, &conditions.values())?.get(0);
            let limit = conditions.mark(bounded(page.limit));
            let offset = conditions.mark(bounded(page.offset));
            let select = format!(
                "SELECT {COLUMNS} FROM library_games AS games{text} {ORDER} LIMIT {limit} OFFSET {offset}"
            );
            let games = reading.query(&select, &conditions.values())?;
            Ok(Found { total: total as u64, games: games.iter().filter_map(kept).collect() })
        })
    }

    fn delete(&self, filter: &Filter) -> Result<u64, StoreError> {
        let conditions = Conditions::of(filter);
        let text = format!("DELETE FROM library_games AS games{}", conditions.text("WHERE"));
        self.0.with(|client| client.execute(&text, &conditions.values()))
    }

    fn explore(&self, position: PositionKey, filter: &Filter) -> Result<Explored, StoreError> {
        self.0.with(|client| {
            let mut explored = Explored::default();
            let mut reading = reading(client)?;
            let all = Conditions::of(&Filter { position: Some(position), ..filter.clone() });
            let totals = format!(
                "SELECT result, COUNT(*) FROM library_games AS games{} GROUP BY result",
                all.text("WHERE")
            );
            for row in reading.query(&totals, &all.values())? {
                explored.total.add(row.get(0), row.get::<_, i64>(1) as u64);
            }
            let mut others = Conditions::of(&Filter { position: None, ..filter.clone() });
            let text = others.text("AND");
            let key = others.mark(position.to_bytes().to_vec());
            let moves = format!(
                "SELECT places.move, games.result, COUNT(DISTINCT games.number)
                 FROM library_positions AS places JOIN library_games AS games ON games.number = places.game
                 WHERE places.key = {key} AND places.move IS NOT NULL{text}
                 GROUP BY places.move, games.result ORDER BY places.move"
            );
            for row in reading.query(&moves, &others.values())? {
                let number = u16::try_from(row.get::<_, i64>(0)).ok();
                let Some(edge) = number.and_then(Edge::from_number) else { continue };
                if explored.moves.last().is_none_or(|(last, _)| *last != edge) {
                    explored.moves.push((edge, Default::default()));
                }
                if let Some((_, tally)) = explored.moves.last_mut() {
                    tally.add(row.get(1), row.get::<_, i64>(2) as u64);
                }
            }
            Ok(explored.sorted())
        })
    }
}
