//! Studies: every published result that is reproduced, and every measurement of this repository.
//!
//! A [`Study`] has typed parameters and gives results; the record of a run, its tables and charts, and
//! the text that shows ours beside theirs are made from the results alone. Published values stand beside
//! them. [`registry::ALL`] lists all studies by name, for front ends that let their users choose: the command
//! line builds a command of each, and programs run them from parameters as JSON.
//!
//! ```
//! use studies::{Context, registry};
//!
//! let study = registry::find("table1").expect("it is there");
//! let parameters = serde_json::json!({ "plies": 2 });
//! let finished = study.with(parameters.as_object().unwrap())?.run(&mut Context::default())?;
//! assert!(finished.expect("it has one part").text().contains("576 in 0.00 s, 0 Eb3: equal"));
//! # Ok::<(), studies::StudyError>(())
//! ```
//!
//! Studies are ordered by whom they follow: [`van_rijn_vis`] (tables, search and trees of Dou Shou Qi),
//! [`burnett`] (decomposition in space), [`krad_petrakos`] (complexity-driven search), [`xu_xing_zuo`]
//! (regions of Amazons). [`mod@bench`] holds what is measured for its own sake. [`races`] and [`trees`] go
//! through whole layers of tables, [`catalogue`] shows what they know. Nothing here prints: a run reports to a [`Progress`].

pub mod bench;
pub mod burnett;
pub mod catalogue;
mod context;
mod error;
mod journal;
pub mod krad_petrakos;
pub mod page;
mod parameter;
pub mod races;
pub mod record;
pub mod registry;
mod statistics;
mod study;
pub mod trees;
pub mod van_rijn_vis;
pub mod xu_xing_zuo;

pub use context::{Context, Progress, Quiet};
pub use error::StudyError;
pub use parameter::Parameter;
pub use record::{Draft, Record, Table};
pub use registry::Entry;
pub use statistics::number;
pub use study::{Finished, Ready, Study, run};
