//! Errors as the user sees them: one message that names the fault and the remedy, and an
//! exit code.

use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::iter::successors;
use std::process::ExitCode;

/// A reason to stop.
#[derive(Debug)]
pub enum Failure {
    /// The user asked for something impossible: exit code 2, as for bad usage.
    Input(String),
    /// Something outside failed, such as a disk: exit code 1.
    Outside(String),
    /// Either of the two because of an error, which is kept.
    Caused {
        /// Whether something outside failed.
        is_outside: bool,
        /// The fault in the words of the command line.
        message: String,
        /// The error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The reader of our output has gone; not an error.
    OutputClosed,
}

impl Failure {
    /// Bad input because of an error.
    pub fn bad(error: impl Error + Send + Sync + 'static) -> Failure {
        Failure::because(false, error.to_string(), error)
    }

    /// Bad input because of an error, with what it was about.
    pub fn input(about: impl Display, error: impl Error + Send + Sync + 'static) -> Failure {
        Failure::because(false, format!("{about}: {error}"), error)
    }

    /// A failure outside because of an error, with what was being done.
    pub fn outside(doing: impl Display, error: impl Error + Send + Sync + 'static) -> Failure {
        Failure::because(true, format!("{doing}: {error}"), error)
    }

    /// A failure because of an error, in the words of the command line.
    pub fn because(
        is_outside: bool,
        message: String,
        error: impl Error + Send + Sync + 'static,
    ) -> Failure {
        Failure::Caused { is_outside, message, source: Box::new(error) }
    }

    /// Prints the error and returns the exit code.
    pub fn report(self) -> ExitCode {
        let code = match self {
            Failure::Input(_) | Failure::Caused { is_outside: false, .. } => 2,
            Failure::Outside(_) | Failure::Caused { is_outside: true, .. } => 1,
            Failure::OutputClosed => return ExitCode::SUCCESS,
        };
        let style = anstyle::AnsiColor::Red.on_default().bold();
        anstream::eprintln!("{style}error:{style:#} {self}");
        ExitCode::from(code)
    }
}

/// The message, then the causes that it does not name already, joined by colons.
impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match self {
            Failure::Input(message) | Failure::Outside(message) => message,
            Failure::Caused { message, .. } => message,
            Failure::OutputClosed => "the output was closed",
        };
        f.write_str(message)?;
        let mut named = message.to_owned();
        for cause in successors(self.source(), |&cause| cause.source()) {
            let cause = cause.to_string();
            if !named.contains(&cause) {
                write!(f, ": {cause}")?;
                named = cause;
            }
        }
        Ok(())
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Failure::Caused { source, .. } => Some(&**source),
            Failure::Input(_) | Failure::Outside(_) | Failure::OutputClosed => None,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Layer>>);

    impl Display for Layer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|layer| layer as &dyn Error)
        }
    }

    #[test]
    fn causes_are_kept_and_each_is_named_once() {
        let disk = Layer("no space left", None);
        let file = Layer("the file x cannot be written: no space left", Some(disk.into()));
        let failure = Failure::outside("building", file);
        let text = "building: the file x cannot be written: no space left";
        assert_eq!(failure.to_string(), text);
        assert_eq!(successors(failure.source(), |&cause| cause.source()).count(), 2);
        let silent = Layer("the table cannot be made", Some(Layer("out of memory", None).into()));
        assert_eq!(Failure::bad(silent).to_string(), "the table cannot be made: out of memory");
    }
}
