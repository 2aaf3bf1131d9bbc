//! Engine protocols: UCI and XBoard's.
//!
//! Each is a session that takes lines and gives lines: nothing here reads or prints. Lines come
//! from one thread (the one that reads the input) and go out from two, that one and the search's, so
//! where they go to is a [`Sink`] that can be shared.

mod settings;
pub mod uci;
pub mod xboard;

pub use settings::{Kind, SETTINGS, Setting, SettingError, Settings};

use std::sync::Arc;

/// Where output lines go, each without its line end.
pub type Sink = Arc<dyn Fn(&str) + Send + Sync>;

/// Whether a session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// More lines are expected.
    Continue,
    /// The other side has quit.
    Quit,
}

/// The engine's name and version, as it introduces itself.
pub const NAME: &str = concat!("Mousetrap ", env!("CARGO_PKG_VERSION"));
