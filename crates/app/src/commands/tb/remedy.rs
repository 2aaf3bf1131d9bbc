//! Errors about tables as the user of the command line sees them: the fault, and the remedy as a command
//! or a flag.

use std::fmt::Display;
use std::path::Path;

use tablebase::build::BuildError;
use tablebase::export::ExportError;
use tablebase::publish::PublishError;
use tablebase::{LineError, Remedy, SetError};

use crate::commands::tb::tables_folder;
use crate::failure::Failure;

/// A fault with its remedy, in a set in this folder.
pub fn advised(fault: &dyn Display, remedy: Option<Remedy>, folder: Option<&Path>) -> String {
    match remedy.map(|remedy| text(remedy, folder)) {
        Some(remedy) => format!("{fault}; {remedy}"),
        None => fault.to_string(),
    }
}

impl From<SetError> for Failure {
    fn from(error: SetError) -> Failure {
        let message = advised(&error, error.remedy(), error.folder());
        Failure::because(error.is_outside(), message, error)
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        Failure::because(error.is_outside(), advised(&error, error.remedy(), None), error)
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        Failure::because(error.is_outside(), advised(&error, error.remedy(), None), error)
    }
}

impl From<PublishError> for Failure {
    fn from(error: PublishError) -> Failure {
        let is_outside = !matches!(error, PublishError::Manifest(_));
        Failure::because(is_outside, advised(&error, error.remedy(), None), error)
    }
}

impl From<LineError> for Failure {
    fn from(error: LineError) -> Failure {
        Failure::because(true, advised(&error, error.remedy(), None), error)
    }
}

/// A remedy as a command or a flag, for a set in this folder.
pub fn text(remedy: Remedy, folder: Option<&Path>) -> String {
    match remedy {
        Remedy::Build { pieces } => format!("build with `{}`", command(pieces, folder)),
        Remedy::BuildAgain => "rebuild it with `mousetrap tb build`".to_owned(),
        Remedy::BuildDistances => {
            "it was built with --wdl-only; rebuild it with `mousetrap tb build`".to_owned()
        }
        Remedy::Verify => "find the wrong one with `mousetrap tb verify --full`".to_owned(),
        Remedy::MoreMemory => "allow more with --memory, or build fewer pieces".to_owned(),
        Remedy::FewerThreads => "ask for fewer with --threads".to_owned(),
        Remedy::NameFile => "name one with --out".to_owned(),
        remedy => remedy.to_string(),
    }
}

/// The command that builds all tables of up to this many pieces. The folder of a set is named after its
/// rules and is in the folder of tables, which need not be named if it is the usual one.
fn command(pieces: u32, folder: Option<&Path>) -> String {
    let mut command = format!("mousetrap tb build --pieces {pieces}");
    if let Some(rules) = folder.and_then(Path::file_name) {
        command += &format!(" --rules {}", rules.to_string_lossy());
    }
    let usual = tables_folder(None).ok();
    if let Some(dir) = folder.and_then(Path::parent).filter(|dir| usual.as_deref() != Some(dir)) {
        command += &format!(" --dir {}", dir.display());
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_are_commands_and_flags() {
        let folder = Some(Path::new("there/leiden"));
        assert_eq!(
            advised(&"it is missing", Some(Remedy::Build { pieces: 4 }), folder),
            "it is missing; build with `mousetrap tb build --pieces 4 --rules leiden --dir there`"
        );
        assert_eq!(
            advised(&"too little", Some(Remedy::MoreMemory), None),
            "too little; allow more with --memory, or build fewer pieces"
        );
        assert_eq!(advised(&"enough", None, folder), "enough");
    }
}
