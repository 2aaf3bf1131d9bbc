//! Errors of a study.

use std::io;
use std::path::{Path, PathBuf};

use lab::contest::ContestError;
use lab::openings::OpeningError;
use lab::record::RecordError;
use lab::spec::SpecError;
use tablebase::SetError;
use tablebase::build::BuildError;
use thiserror::Error;

use crate::xu_xing_zuo::TooMany;

/// Why a study failed. Front ends add the remedy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// A parameter has an invalid value.
    #[error("{name}: {reason}")]
    Parameter {
        /// Which.
        name: &'static str,
        /// Why not.
        reason: String,
    },
    /// There is no such parameter.
    #[error("there is no parameter '{name}'; there are {}", .known.join(", "))]
    UnknownParameter {
        /// The name given.
        name: String,
        /// The known ones.
        known: Vec<String>,
    },
    /// A value has the wrong type.
    #[error("bad parameters: {0}")]
    Value(#[source] serde_json::Error),
    /// Two limits were given where one is needed.
    #[error("give one limit: nodes, depth or time")]
    SeveralLimits,
    /// A player needs a budget for the whole game, and none was given.
    #[error("{0} divides a budget for the whole game: give one")]
    BudgetNeeded(String),
    /// There are games already, and resuming was not requested.
    #[error("there are games in {} already", .0.display())]
    GamesThere(PathBuf),
    /// Some shards of a contest have been played and others not.
    #[error("{missing} of {games} games are missing in {}: play the other parts", .folder.display())]
    PartsMissing {
        /// Where.
        folder: PathBuf,
        /// How many are missing.
        missing: u64,
        /// How many there are to be.
        games: u64,
    },
    /// There are results already, and resuming was not requested.
    #[error("there are results in {} already", .0.display())]
    ResultsThere(PathBuf),
    /// A file belongs to a run with other parameters.
    #[error("{} {what}", .path.display())]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// How it differs.
        what: String,
    },
    /// No folder of tables was named.
    #[error("there is no folder of endgame tables")]
    NoTables,
    /// A disk failed.
    #[error("{doing} {}: {source}", .path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// To what.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
    /// A line of a file is invalid.
    #[error("line {line} of {} (remove it, and its work is done again): {source}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A file is not a record.
    #[error("{} is not a record: {source}", .path.display())]
    BadRecord {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A newer program wrote a record.
    #[error("a newer program wrote {} (format {format})", .path.display())]
    NewerRecord {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        format: u32,
    },
    /// A record names a file that does not belong to it.
    #[error("'{file}' is not a file of the record {}", .path.display())]
    OutsideRecord {
        /// The record.
        path: PathBuf,
        /// The file that it names.
        file: String,
    },
    /// What a record calls a chart is not one.
    #[error("{} is not a chart: run the study again", .0.display())]
    NotAChart(PathBuf),
    /// Something cannot be written as JSON.
    #[error("writing JSON: {0}")]
    Json(#[source] serde_json::Error),
    /// Two ways that must agree do not, or the program is wrong.
    #[error("{0}; please report it")]
    Contradiction(String),
    /// There is nothing to measure.
    #[error("{0}")]
    Nothing(String),
    /// A board is too large to look at all its positions.
    #[error(transparent)]
    TooManyClasses(TooMany),
    /// The run was stopped.
    #[error("the run was stopped")]
    Stopped,
    /// A player's specification is invalid.
    #[error("{spec}: {source}")]
    Spec {
        /// What was asked for.
        spec: String,
        /// What is wrong with it.
        source: SpecError,
    },
    /// A contest failed.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// Openings are not available.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A record cannot be written or read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Tables cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Tables do not answer.
    #[error(transparent)]
    Tables(#[from] SetError),
    /// Memory or threads are not available.
    #[error("{0}: {1}")]
    Resources(String, #[source] Box<dyn std::error::Error + Send + Sync>),
}

impl StudyError {
    /// An error of the disk.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StudyError {
        let path = path.to_owned();
        move |source| StudyError::Io { doing, path, source }
    }

    /// An invalid parameter.
    pub(crate) fn parameter(name: &'static str, reason: impl Into<String>) -> StudyError {
        StudyError::Parameter { name, reason: reason.into() }
    }

    /// A missing resource.
    pub(crate) fn resources(
        what: impl Into<String>,
        error: impl std::error::Error + Send + Sync + 'static,
    ) -> StudyError {
        StudyError::Resources(what.into(), Box::new(error))
    }

    /// Whether the cause is outside, such as a disk, and not the request.
    pub fn is_outside(&self) -> bool {
        match self {
            StudyError::Io { .. }
            | StudyError::Damaged { .. }
            | StudyError::BadRecord { .. }
            | StudyError::NewerRecord { .. }
            | StudyError::OutsideRecord { .. }
            | StudyError::NotAChart(_)
            | StudyError::Json(_)
            | StudyError::Contradiction(_)
            | StudyError::Nothing(_)
            | StudyError::NoTables
            | StudyError::Stopped
            | StudyError::Resources(..) => true,
            StudyError::Contest(ContestError::Record(error)) | StudyError::Record(error) => {
                error.is_outside()
            }
            StudyError::Build(error) => error.is_outside(),
            StudyError::Tables(error) => error.is_outside(),
            _ => false,
        }
    }
}
