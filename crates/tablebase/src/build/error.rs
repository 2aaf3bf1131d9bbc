//! What can stop a build. Every message names the fault and the remedy; whatever stops a build, the
//! tables finished before stay good.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::material::Material;
use crate::table::TableError;

/// Why tables could not be built.
#[derive(Debug)]
pub enum BuildError {
    /// The disk did not do what it was asked.
    Io {
        /// What was being done, as in "writing".
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A table that is there is damaged or of another version. It is left as it is.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: TableError,
    },
    /// The limit on memory is too small for a class.
    Memory {
        /// The class.
        class: Material,
        /// How many bytes it needs.
        need: u64,
        /// How many bytes are allowed.
        limit: u64,
    },
    /// No tables are built for so many pieces.
    TooManyPieces {
        /// The class asked for.
        class: Material,
        /// The most pieces a table may have.
        most: u32,
    },
    /// The threads could not be started.
    Threads(String),
    /// Somebody asked the build to stop.
    Stopped,
}

impl BuildError {
    /// Whether something outside is to blame, such as a disk, and not what was asked.
    pub fn is_outside(&self) -> bool {
        match self {
            BuildError::Io { .. }
            | BuildError::Damaged { .. }
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

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Io { doing, path, error } => {
                write!(f, "{doing} {}: {error}; {}", path.display(), remedy(error))
            }
            BuildError::Damaged { path, error } => {
                write!(f, "the table {}: {error}", path.display())
            }
            BuildError::Memory { class, need, limit } => write!(
                f,
                "the class {class} needs {} of memory, and {} are allowed; allow more with \
                 --memory, or build fewer pieces",
                Mebibytes(*need),
                Mebibytes(*limit)
            ),
            BuildError::TooManyPieces { class, most } => write!(
                f,
                "the class {class} has {} pieces, and tables go up to {most}; name a smaller class",
                class.pieces()
            ),
            BuildError::Threads(error) => {
                write!(f, "the threads could not be started: {error}; ask for fewer with --threads")
            }
            BuildError::Stopped => {
                f.write_str("the build was stopped; building again carries on where it stopped")
            }
        }
    }
}

impl std::error::Error for BuildError {}

/// What the user can do about it.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space and build again; the tables finished so far are kept"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a folder that you may write to"
        }
        io::ErrorKind::NotADirectory => "something on the way is a file; choose another folder",
        _ => "check the disk, or choose another folder; the tables finished so far are kept",
    }
}

/// Bytes as `--memory` takes them, rounded up.
struct Mebibytes(u64);

impl fmt::Display for Mebibytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}M", self.0.div_ceil(1 << 20))
    }
}
