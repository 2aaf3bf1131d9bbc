//! Errors of a build. Tables finished before it stay good.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::material::Material;
use crate::remedy::Remedy;
use crate::table::TableError;

/// Why tables were not built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The disk failed.
    #[error("{doing} {}: {error}", path.display())]
    Io {
        /// What was being done, as in "writing".
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A table that is there is damaged or of another version. It is left as it is.
    #[error("the table {}: {error}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        error: TableError,
    },
    /// The limit on memory is too small for a class.
    #[error("the class {class} needs {} of memory, and {} are allowed", Mebibytes(*need), Mebibytes(*limit))]
    Memory {
        /// The class.
        class: Material,
        /// How many bytes it needs.
        need: u64,
        /// How many bytes are allowed.
        limit: u64,
    },
    /// The disk has too little room.
    #[error(
        "the tables take about {}, and {} are free in {}",
        Mebibytes(*need), Mebibytes(*free), folder.display()
    )]
    Space {
        /// The folder.
        folder: PathBuf,
        /// How many bytes have to be free.
        need: u64,
        /// How many are.
        free: u64,
    },
    /// The class has more pieces than tables are built for.
    #[error("the class {class} has {} pieces, and tables have at most {most}", class.pieces())]
    TooManyPieces {
        /// The class asked for.
        class: Material,
        /// The most pieces a table may have.
        most: u32,
    },
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The build was stopped.
    #[error("the build was stopped; building again carries on where it stopped")]
    Stopped,
}

impl BuildError {
    /// What would help, if anything would.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            BuildError::Io { error, .. } => Some(Remedy::of_disk(error)),
            BuildError::Damaged { error, .. } => Some(error.remedy()),
            BuildError::Memory { .. } => Some(Remedy::MoreMemory),
            BuildError::Space { .. } => Some(Remedy::FreeSpace),
            BuildError::TooManyPieces { .. } => Some(Remedy::FewerPieces),
            BuildError::Threads(_) => Some(Remedy::FewerThreads),
            BuildError::Stopped => None,
        }
    }

    /// Whether the cause is outside, such as a disk, and not the request.
    pub fn is_outside(&self) -> bool {
        match self {
            BuildError::Io { .. }
            | BuildError::Damaged { .. }
            | BuildError::Space { .. }
            | BuildError::Threads(_)
            | BuildError::Stopped => true,
            BuildError::Memory { .. } | BuildError::TooManyPieces { .. } => false,
        }
    }

    /// For `map_err`: what was being done to which path.
    pub(crate) fn io(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> BuildError {
        let path = path.into();
        move |error| BuildError::Io { doing, path, error }
    }
}

/// Bytes in units of 2²⁰, rounded up.
struct Mebibytes(u64);

impl fmt::Display for Mebibytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}M", self.0.div_ceil(1 << 20))
    }
}
