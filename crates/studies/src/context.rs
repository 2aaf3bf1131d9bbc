//! The context of a run: places for files, and the handler of progress.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lab::Settings;
use lab::contest::{Observer, Silent};
use lab::record::Provenance;

use crate::StudyError;

/// A handler of progress. Everything is optional: a handler that does nothing is a handler.
pub trait Progress: Send {
    /// A note worth a line of its own.
    fn note(&mut self, _text: &str) {}

    /// A stretch of work begins, with the number of steps if known.
    fn begin(&mut self, _unit: &str, _total: Option<u64>) {}

    /// The current step.
    fn message(&mut self, _text: &str) {}

    /// One step is done.
    fn advance(&mut self) {}

    /// The stretch of work is over.
    fn end(&mut self) {}

    /// The observer of the games of a contest.
    fn contest<'a>(&'a mut self, _settings: &Settings) -> Box<dyn Observer + 'a> {
        Box::new(Silent)
    }
}

/// A handler that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Progress for Quiet {}

/// The context of a run.
pub struct Context<'a> {
    /// The program, for records.
    pub made_by: Provenance,
    /// Where a study keeps unfinished work, to resume it; `None` keeps nothing.
    pub folder: Option<PathBuf>,
    /// The folder of endgame tables for parameters that name none.
    pub tables: Option<PathBuf>,
    /// Where long searches are kept for good, whatever the folder; `None` keeps nothing.
    pub data: Option<PathBuf>,
    /// Ends the run at the next opportunity when it is set.
    pub stop: Arc<AtomicBool>,
    /// The handler of progress.
    pub progress: Box<dyn Progress + 'a>,
}

impl Default for Context<'_> {
    fn default() -> Self {
        Context {
            made_by: Provenance::default(),
            folder: None,
            tables: None,
            data: None,
            stop: Arc::default(),
            progress: Box::new(Quiet),
        }
    }
}

impl Context<'_> {
    /// Reports that one more step is done.
    ///
    /// # Errors
    ///
    /// If the run is to end.
    pub(crate) fn advance(&mut self) -> Result<(), StudyError> {
        self.progress.advance();
        if self.stop.load(Ordering::Relaxed) { Err(StudyError::Stopped) } else { Ok(()) }
    }

    /// The folder of tables: the one named, or else the usual one.
    pub(crate) fn tables(&self, named: Option<&PathBuf>) -> Result<PathBuf, StudyError> {
        named.or(self.tables.as_ref()).cloned().ok_or(StudyError::NoTables)
    }
}
