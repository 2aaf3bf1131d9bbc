//! The library: games that are kept, and found again by player, date, result, rules and position.
//!
//! A [`Store`] holds games as PGN together with what they are found by. There are three: [`Memory`], for tests and for a
//! browser, which keeps the texts in its own storage; `Sqlite`, a file (feature `sqlite`); and `Postgres`, a database that
//! several servers share (feature `postgres`). All
//! index every position of a game by its [`PositionKey`], which is exact and the same for mirror images, so that
//! a search by position needs no replay.
//!
//! [`import()`] reads PGN of any length in bounded memory, game by game; what cannot be read is reported with the number
//! of the game and the line, and the others are kept. A [`Book`] is a file of the engine's own games and of its
//! analysis of the first plies.
//!
//! ```
//! use library::{Filter, Import, Located, Memory, Page, Source, Store, import};
//!
//! let store = Memory::default();
//! let text = "[White \"Anna\"]\n[Date \"2026.11.18\"]\n\n1. Ea4 Ra6 1-0\n";
//! let report = import(&store, text.as_bytes(), &Import::new(Source::Imported), &mut |_| {})?;
//! assert_eq!((report.added, report.faults.len()), (1, 0));
//!
//! let position = "l5t/1d3c1/r1p1w1e/7/7/E6/2W1P1R/1C3D1/T5L b".parse()?;
//! let wanted = Filter { position: Some(Located::of(&position).key()), ..Filter::default() };
//! let found = store.find(&wanted, Page::default())?;
//! assert_eq!(found.games[0].white, "Anna");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod book;
mod day;
mod entry;
mod filter;
mod import;
mod key;
mod memory;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod store;

pub use self::book::Book;
pub use self::entry::{BadId, Entry, GameId, Kept, MOST_PLIES, Source, TooLong};
pub use self::filter::{BadDay, Filter, Page};
pub use self::import::{Fault, Import, ImportError, Report, Wrong, import, now};
pub use self::key::{Edge, Located, PositionKey};
pub use self::memory::Memory;
#[cfg(feature = "postgres")]
pub use self::postgres::Postgres;
#[cfg(feature = "sqlite")]
pub use self::sqlite::Sqlite;
pub use self::store::{Explored, Found, Put, Status, Store, StoreError, Tally};
