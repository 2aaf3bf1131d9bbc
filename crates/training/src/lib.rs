//! Training: how the champion learns its evaluation from games against itself.
//!
//! - [`SelfPlay`] plays games to win at a fixed number of nodes from varied openings, each decided by its number.
//! - [`GameFile`] keeps them, three bytes a ply; an interrupted run goes on where it was. [`Games`] reads them.
//! - [`lessons`] turns a game into TD(λ) targets, and [`fit()`] fits the weights of the evaluation to them.
//! - [`Rounds`] repeats this, each round with the weights of the last, as long as a match shows a gain.
//! - [`search_tuning`] moves the constants of the search by SPSA over many short matches.
//! - [`Trainer`] trains a network on millions of positions ([`Examples`]), to be added to the weights.
//!
//! ```
//! use jungle::Rules;
//! use training::{Fit, SelfPlay, fit, lessons};
//!
//! let self_play = SelfPlay::new(Rules::STANDARD, 50);
//! let games = (0..4).map(|number| self_play.play(number)).collect::<Result<Vec<_>, _>>()?;
//! let lessons: Vec<_> = games.iter().flat_map(|game| lessons(game, 0.9)).collect();
//! let options = Fit { epochs: 1, ..Fit::default() };
//! let fitted = fit(&Rules::STANDARD, engine::eval::features::USUAL, &lessons, options, |_, _| ());
//! assert_eq!(fitted.weights.len(), engine::eval::features::COUNT);
//! # Ok::<(), engine::EngineError>(())
//! ```

mod examples;
mod file;
mod fit;
mod game_record;
mod games;
mod lesson;
mod network;
mod opening;
mod rounds;
pub mod search_tuning;
mod self_play;
pub mod spsa;

pub use examples::{Example, Examples};
pub use file::{Description, GameFile, GameFileError};
pub use fit::{Fit, Fitted, fit};
pub use game_record::{Ended, GameRecord, Ply};
pub use games::Games;
pub use lesson::{Lesson, lessons, lessons_by};
pub use network::{Epoch, Errors, MATERIALS, Train, Trainer};
pub use rounds::{RoundError, RoundEvent, RoundResult, Rounds};
pub use self_play::SelfPlay;
