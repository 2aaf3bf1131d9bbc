//! Remedies: what would help against an error, as data.
//!
//! A library does not know its front end: the same missing table is built by a command, by a call from Python,
//! or by the operator of a server. So errors say what is wrong, and [`Remedy`] says what would help in words
//! that hold everywhere; front ends that know better use their own.

use std::fmt;
use std::io;

/// What would help against an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Build the tables of up to this many pieces.
    Build {
        /// How many.
        pieces: u32,
    },
    /// Delete the damaged file and build it again.
    Rebuild,
    /// Build again, which replaces the file.
    BuildAgain,
    /// Build again with distances, which replaces the file.
    BuildDistances,
    /// Use a newer version of the program, or another folder.
    NewerProgram,
    /// Look for the wrong table.
    Verify,
    /// Ask for a class of fewer pieces.
    FewerPieces,
    /// Allow more memory.
    MoreMemory,
    /// Use fewer threads.
    FewerThreads,
    /// Name a file.
    NameFile,
    /// Make room on the disk.
    FreeSpace,
    /// Choose a folder that can be written to.
    WritableFolder,
    /// Choose a folder whose path does not lead through a file.
    OtherFolder,
    /// Check that the disk works.
    CheckDisk,
}

impl Remedy {
    /// What helps when the disk fails.
    pub(crate) fn of_disk(error: &io::Error) -> Remedy {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Remedy::FreeSpace,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Remedy::WritableFolder
            }
            io::ErrorKind::NotADirectory => Remedy::OtherFolder,
            _ => Remedy::CheckDisk,
        }
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Remedy::Build { pieces } => {
                return write!(f, "build the tables of up to {pieces} pieces");
            }
            Remedy::Rebuild => "delete the file and rebuild it",
            Remedy::BuildAgain => "rebuild it, which replaces the file",
            Remedy::BuildDistances => "rebuild it with distances, which replaces the file",
            Remedy::NewerProgram => {
                "use the newer version of the program that built it, or rebuild it in another \
                 folder"
            }
            Remedy::Verify => "verify the tables to find the wrong one",
            Remedy::FewerPieces => "name a smaller class",
            Remedy::MoreMemory => "allow more memory, or build fewer pieces",
            Remedy::FewerThreads => "ask for fewer threads",
            Remedy::NameFile => "name a file",
            Remedy::FreeSpace => {
                "free some space and build again; the tables finished so far are kept"
            }
            Remedy::WritableFolder => "choose a folder that you can write to",
            Remedy::OtherFolder => "part of the path is a file; choose another folder",
            Remedy::CheckDisk => {
                "check the disk, or choose another folder; the tables finished so far are kept"
            }
        };
        f.write_str(text)
    }
}
