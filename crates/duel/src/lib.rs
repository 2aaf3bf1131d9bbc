//! Games between two people on two devices.
//!
//! A [`Duel`] is event-sourced: an [`Opening`] (rules, pace, whose seat is whose) and numbered [`Entry`]s, and its state is
//! what follows from them. [`Duel::decide`] checks what a player wants to do and gives the events that it leads to;
//! nothing has happened before a [`Store`] has appended them at the version that they were decided on. Two servers that
//! decide at once cannot both be right: the store takes the first, and the second decides again.
//!
//! Time comes in as an argument, in milliseconds since 1970, and is only ever that of the server.
//!
//! A seat is held by a [`Key`] of 128 random bits that the player's device made. Only its [`KeyHash`] is kept. The key of
//! the invitation follows from the host's key, and the duel's [`DuelId`], which is what spectators know, from the
//! invitation: so a device that knows its key can show the links again, and a host that asks twice because an answer was
//! lost gets the same duel.
//!
//! ```
//! use duel::{Action, Duel, Key, Opening, Terms};
//! use jungle::Color;
//!
//! let (host, guest) = (Key::from_bytes([1; 16]), Key::from_bytes([2; 16]));
//! let mut duel = Duel::open(Opening::invite(&host, Terms::default(), Color::White, 0));
//! let events = duel.join(&host.invitation(), &guest)?;
//! duel.record(events, 1000)?;
//! let events = duel.decide(Color::White, &Action::moving(1, "a3a4"), 2000)?;
//! duel.record(events, 2000)?;
//! assert_eq!(duel.play().moves().len(), 1);
//! assert!(duel.decide(Color::White, &Action::moving(2, "a4a5"), 2500).is_err(), "it is Blue's turn");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod clock;
mod event;
mod key;
mod memory;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod rows;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod state;
mod store;
mod terms;
mod view;

pub use self::action::{Action, Deed, Refused};
pub use self::clock::Clocks;
pub use self::event::{Call, Entry, Event, Finish, Offer, Opening, Phrase, Reason};
pub use self::key::{BadKey, DuelId, Key, KeyHash};
pub use self::memory::Memory;
#[cfg(feature = "postgres")]
pub use self::postgres::Postgres;
#[cfg(feature = "sqlite")]
pub use self::sqlite::Sqlite;
pub use self::state::{Corrupt, Duel, MOST_PLIES, MOST_VERSIONS, Stage};
pub use self::store::{Append, Heard, Keeping, Store, Stored};
pub use self::terms::{BadTerms, Millis, Pace, Terms};
pub use self::view::{Offered, Said, View};
