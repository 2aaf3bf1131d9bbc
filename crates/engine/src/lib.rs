//! The champion: a strong player of Dou Shou Qi as a library that never prints.
//!
//! [`Engine`] is the façade: it is given [`Options`], a game ([`jungle::Play`]) and a [`Request`], searches
//! on its own threads, reports every [`Event`] to a handler, and can be stopped at any moment through
//! a [`Control`]. Rules travel with the game; nothing has to be set up when they change.
//!
//! ```
//! use engine::{Engine, Event};
//! use game::limits::Limits;
//! use jungle::{Jungle, Play, Rules};
//!
//! let mut engine = Engine::new();
//! let play = Play::start(Jungle::new(Rules::STANDARD));
//! let search = engine.go(&play, Limits::depth(3), |event| {
//!     if let Event::Line(line) = event {
//!         assert!(line.depth <= 3 && !line.pv.is_empty());
//!     }
//! });
//! let answer = search.wait();
//! assert!(play.legal_moves().contains(&answer.best.expect("the game goes on")));
//! ```

pub mod bench;
mod control;
mod endgame;
mod engine;
pub mod eval;
mod level;
mod pacing;
pub mod protocol;
mod report;
mod request;
mod search;
mod time;

pub use self::search::{Constant, Constants, Selectivity, UnknownSelectivity, rows_advanced};
pub use control::Control;
pub use engine::{Correction, Engine, EngineError, Options, Search};
pub use eval::Evaluation;
pub use level::Level;
pub use pacing::{Pacing, ParsePacingError, Signs, StoppingRule};
pub use report::{Answer, Chances, Event, Line};
pub use request::Request;
