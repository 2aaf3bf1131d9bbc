//! The laboratory: matches between players, and what they prove.
//!
//! A [`Player`] chooses moves; a [`Spec`] such as `sparring:depth=4` or `uci:/usr/games/engine` names
//! one, and [`players`] lists the kinds there are. A [`contest`] plays games between two or more of
//! them, two from each opening with colours exchanged, on several threads, and writes each finished
//! game at once ([`record`]), so that a killed contest can be resumed. [`stats`] says what the games
//! prove: Elo, normalised Elo and the sequential probability ratio test, all from the scores of
//! pairs. [`openings`] are where games begin.
//!
//! Everything that happens follows from the settings: game number `i` begins at an opening and
//! with seeds that depend on the seed of the contest and on `i` alone. So the number of threads,
//! a kill in between or a division among machines change nothing, as long as players are limited
//! by nodes or depth and not by time.
//!
//! ```
//! use lab::contest::{Contest, Silent};
//! use lab::{Settings, Spec, TimeControl};
//!
//! let players = vec!["greedy".parse::<Spec>()?, "random".parse()?];
//! let settings = Settings { games: 4, ..Settings::new(players, TimeControl::Nodes(100)) };
//! let report = Contest::new(settings)?.run(&mut Silent)?;
//! assert_eq!(report.standing.first_pairing().games(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod book;
pub mod contest;
pub mod openings;
pub mod player;
pub mod players;
pub mod record;
pub mod referee;
pub mod schedule;
pub mod settings;
pub mod spec;
pub mod standing;
pub mod stats;
pub mod summary;
pub mod time_control;

pub use openings::Openings;
pub use player::{Choice, Fault, Info, NewGame, Player, Turn};
pub use settings::Settings;
pub use spec::{Spec, SpecError};
pub use time_control::TimeControl;
