//! A store in an SQLite file.

mod database;
mod schema;

use std::path::{Path, PathBuf};

use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params, params_from_iter};

pub use self::database::{Database, Schema};
use self::schema::{APPLICATION, MIGRATIONS};
use crate::entry::{Entry, GameId, Kept, Source};
use crate::filter::{Filter, Page};
use crate::key::{Edge, PositionKey};
use crate::store::{Explored, Found, Put, Status, Store, StoreError};

/// A store in an SQLite file.
#[derive(Debug)]
pub struct Sqlite(Database);

impl Sqlite {
    /// The games in a file, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Sqlite {
        let schema = Schema { application: APPLICATION, migrations: &MIGRATIONS };
        Sqlite(Database::new(path, schema))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Reads the whole file and checks that it holds together.
    ///
    /// # Errors
    ///
    /// If it does not, or cannot be read.
    pub fn check(&self) -> Result<(), StoreError> {
        self.0.check()
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
        self.0.with(|connection| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = games.iter().map(|entry| put(&change, entry)).collect::<Result<_, _>>()?;
            change.commit()?;
            Ok(done)
        })
    }

    fn find(&self, filter: &Filter, page: Page) -> Result<Found, StoreError> {
        if self.0.is_missing() {
            return Ok(Found::default());
        }
        let conditions = Conditions::of(filter);
        let text = conditions.text("WHERE");
        self.0.with(|connection| {
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
        if self.0.is_missing() {
            return Ok(0);
        }
        let conditions = Conditions::of(filter);
        let text = conditions.text("WHERE");
        self.0.with(|connection| {
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
        if self.0.is_missing() {
            return Ok(Explored::default());
        }
        let conditions = Conditions::of(&Filter { position: Some(position), ..filter.clone() });
        let others = Conditions::of(&Filter { position: None, ..filter.clone() });
        let key = Value::from(position.to_bytes().to_vec());
        self.0.with(|connection| {
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
