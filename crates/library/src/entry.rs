//! Games as they are kept: a PGN text, and what it is found by.

use std::fmt;
use std::str::FromStr;

use game::Game;
use jungle::Jungle;
use jungle::pgn::GameRecord;
use serde::{Deserialize, Serialize};

use crate::day;
use crate::key::{Edge, Located, PositionKey};

/// The longest game that is kept, in plies.
pub const MOST_PLIES: usize = 10_000;
/// The longest tag of a game that is kept, in bytes.
pub const MOST_TAG: usize = 1000;

/// Where a game comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Source {
    /// It was played here.
    Own,
    /// It was read from a file.
    Imported,
    /// It is one of the engine's own, from the book.
    Book,
}

impl Source {
    /// Its name in data.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Own => "own",
            Source::Imported => "imported",
            Source::Book => "book",
        }
    }
}

impl FromStr for Source {
    type Err = NoSuchSource;

    fn from_str(text: &str) -> Result<Source, NoSuchSource> {
        let all = [Source::Own, Source::Imported, Source::Book];
        let found = all.into_iter().find(|source| source.name() == text);
        found.ok_or_else(|| NoSuchSource(text.to_owned()))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no such source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a source of games: expected own, imported or book")]
pub struct NoSuchSource(String);

/// The name of a game in the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String))]
pub struct GameId(String);

impl GameId {
    /// The most characters of one.
    pub const MOST: usize = 40;

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for GameId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<GameId, BadId> {
        let well_formed =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if (1..=GameId::MOST).contains(&text.len()) && text.bytes().all(well_formed) {
            Ok(GameId(text.to_owned()))
        } else {
            Err(BadId(text.chars().take(2 * GameId::MOST).collect()))
        }
    }
}

impl TryFrom<String> for GameId {
    type Error = BadId;

    fn try_from(text: String) -> Result<GameId, BadId> {
        text.parse()
    }
}

impl From<GameId> for String {
    fn from(id: GameId) -> String {
        id.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text is not the name of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the name of a game: use up to {most} small letters, digits and dashes", most = GameId::MOST)]
pub struct BadId(String);

/// A game is too long to be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLong {
    /// In plies.
    #[error("the game has {0} plies, and at most {MOST_PLIES} are kept: cut it")]
    Game(usize),
    /// A tag.
    #[error("the tag {0} has more than {MOST_TAG} bytes: shorten it")]
    Tag(String),
}

/// A game that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Kept {
    /// Its name in the library.
    pub id: GameId,
    /// Where it comes from.
    pub source: Source,
    /// Who played Red.
    pub white: String,
    /// Who played Blue.
    pub black: String,
    /// When it was played: `2026-11-18`, or as much of it as is known.
    pub date: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The rules, in their shortest form.
    pub rules: String,
    /// How many moves both sides made together.
    pub plies: usize,
    /// The occasion.
    pub event: Option<String>,
    /// When it was kept last, in seconds since 1970.
    pub saved: u64,
    /// All of it, as PGN.
    #[serde(skip)]
    pub pgn: String,
}

/// A game to be kept, with what it is found by.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What is kept.
    pub kept: Kept,
    /// Whether the name was given: then the game replaces the one of that name. Else the name follows from the contents,
    /// and a game that is there already is not kept twice.
    pub is_named: bool,
    /// A digest of the contents.
    pub digest: [u8; 16],
    /// Every position of the main line with the move that was played there; none in the last.
    pub path: Vec<(PositionKey, Option<Edge>)>,
}

impl Entry {
    /// A game under a name that was given.
    ///
    /// # Errors
    ///
    /// If it is too long.
    pub fn named(
        id: GameId,
        source: Source,
        saved: u64,
        record: &GameRecord,
    ) -> Result<Entry, TooLong> {
        Entry::new(Some(id), source, saved, record)
    }

    /// A game that is named after its contents.
    ///
    /// # Errors
    ///
    /// If it is too long.
    pub fn nameless(source: Source, saved: u64, record: &GameRecord) -> Result<Entry, TooLong> {
        Entry::new(None, source, saved, record)
    }

    fn new(
        id: Option<GameId>,
        source: Source,
        saved: u64,
        record: &GameRecord,
    ) -> Result<Entry, TooLong> {
        let plies = record.line.moves.len();
        if plies > MOST_PLIES {
            return Err(TooLong::Game(plies));
        }
        if let Some((name, _)) =
            record.tags.iter().find(|(name, value)| name.len() + value.len() > MOST_TAG)
        {
            return Err(TooLong::Tag(name.chars().take(40).collect()));
        }
        let pgn = record.to_string();
        let digest = blake3::hash(pgn.as_bytes());
        let tag = |name: &str| record.tags.get(name).map(str::to_owned);
        let is_named = id.is_some();
        let kept = Kept {
            id: id.unwrap_or_else(|| GameId(digest.to_hex()[..20].to_owned())),
            source,
            white: tag("White").unwrap_or_else(|| "?".to_owned()),
            black: tag("Black").unwrap_or_else(|| "?".to_owned()),
            date: record.tags.get("Date").and_then(day::of_tag),
            result: record.result.to_string(),
            rules: record.rules.to_string(),
            plies,
            event: tag("Event"),
            saved,
            pgn,
        };
        let digest = std::array::from_fn(|index| digest.as_bytes()[index]);
        Ok(Entry { kept, is_named, digest, path: path(record) })
    }
}

/// Every position of the main line.
fn path(record: &GameRecord) -> Vec<(PositionKey, Option<Edge>)> {
    let jungle = Jungle::new(record.rules);
    // The types of a record allow a start that is none; such a game is found by its tags alone.
    let Ok(mut position) = record.start.position() else { return Vec::new() };
    let mut path = Vec::with_capacity(record.line.moves.len() + 1);
    for node in &record.line.moves {
        let located = Located::of(&position);
        path.push((located.key(), Some(located.keep(node.mv))));
        jungle.make(&mut position, node.mv);
    }
    path.push((Located::of(&position).key(), None));
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> GameRecord {
        text.parse().unwrap()
    }

    #[test]
    fn a_game_is_named_after_its_contents_or_as_it_is_told() {
        let game = record("[White \"Anna\"]\n[Date \"2026.11.??\"]\n\n1. Ea4 Ra6 1-0");
        let one = Entry::nameless(Source::Imported, 7, &game).unwrap();
        let two = Entry::nameless(Source::Own, 9, &game).unwrap();
        assert_eq!((one.kept.id.as_str().len(), &one.kept.id), (20, &two.kept.id));
        assert_eq!((one.kept.white.as_str(), one.kept.black.as_str()), ("Anna", "?"));
        assert_eq!(one.kept.date.as_deref(), Some("2026-11"));
        assert_eq!((one.kept.plies, one.path.len(), one.path[2].1), (2, 3, None));
        let named = Entry::named("g-1".parse().unwrap(), Source::Own, 9, &game).unwrap();
        assert_eq!((named.kept.id.as_str(), named.digest), ("g-1", one.digest));
        assert_eq!(one.kept.pgn.parse(), Ok(game));
    }

    #[test]
    fn names_are_plain() {
        for bad in ["", "A", "../x", "a b", "ä", &"x".repeat(41)] {
            assert!(bad.parse::<GameId>().is_err(), "{bad}");
        }
    }
}
