//! Errors as the user sees them: one message that names the fault and the remedy, and an
//! exit code.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// A reason to stop.
#[derive(Debug)]
pub enum Failure {
    /// The user asked for something impossible: exit code 2, as for bad usage.
    Input(String),
    /// Something outside failed, such as a disk: exit code 1.
    Outside(String),
    /// The reader of our output has gone; not an error.
    OutputClosed,
}

impl Failure {
    /// Bad input, with what it was about.
    pub fn input(about: &str, error: impl Display) -> Failure {
        Failure::Input(format!("{about}: {error}"))
    }

    /// A failure outside, with what was being done.
    pub fn outside(doing: impl Display, error: impl Display) -> Failure {
        Failure::Outside(format!("{doing}: {error}"))
    }

    /// Prints the error and returns the exit code.
    pub fn report(self) -> ExitCode {
        let (message, code) = match self {
            Failure::Input(message) => (message, 2),
            Failure::Outside(message) => (message, 1),
            Failure::OutputClosed => return ExitCode::SUCCESS,
        };
        let style = anstyle::AnsiColor::Red.on_default().bold();
        anstream::eprintln!("{style}error:{style:#} {message}");
        ExitCode::from(code)
    }
}

/// Errors of writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::outside("writing the output", error),
        }
    }
}
