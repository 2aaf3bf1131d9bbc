//! Player specs, which name players in text: `random`, `sparring:depth=4`, `uci:/usr/games/engine --flag`.
//!
//! A spec is the name of a kind, and its parameters after a colon. [`KINDS`] lists the kinds; a new
//! one is a file in `players` and a line there.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use engine::EngineError;
use engine::eval::network::NotANetwork;
use engine::eval::text::NotWeights;
use jungle::Play;
use players::ParseAlgorithmError;
use search::escape::{self, CurveError};

use crate::player::Player;
use crate::players::KINDS;
use crate::players::uci::{self, CommandError};

/// A kind of player.
pub struct Kind {
    /// The name before the colon.
    pub name: &'static str,
    /// The form of a whole spec, as shown to the user.
    pub usage: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Reads the parameters after the colon.
    pub read: fn(&str) -> Result<Factory, ParameterError>,
}

impl Kind {
    fn refusal(&self, source: ParameterError) -> SpecError {
        SpecError::Parameters { kind: self.name, usage: self.usage, source: Box::new(source) }
    }
}

/// Makes players, one for each thread.
pub type Factory = Arc<dyn Fn() -> Box<dyn Player<Play>> + Send + Sync>;

/// A player spec: makes players as often as needed. It prints as it was written.
///
/// ```
/// use lab::Spec;
///
/// assert!("sparring:depth=4".parse::<Spec>().is_ok());
/// let error = "stockfish".parse::<Spec>().unwrap_err().to_string();
/// assert!(error.contains("greedy"), "the error names what there is");
/// ```
#[derive(Clone)]
pub struct Spec {
    text: String,
    factory: Factory,
}

impl Spec {
    /// A new player.
    pub fn build(&self) -> Box<dyn Player<Play>> {
        (self.factory)()
    }

    /// Checks that a UCI engine named without a path is in one of the folders of a search path.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn check_program(&self, search_path: &OsStr) -> Result<(), SpecError> {
        match self.text.strip_prefix("uci:") {
            None => Ok(()),
            Some(command) => {
                uci::check_program(command, search_path).map_err(|source| uci::KIND.refusal(source))
            }
        }
    }

    /// The spec as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let text = text.trim();
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        // As it was called.
        let name = if name == "exact" { "sum" } else { name };
        let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
            return Err(SpecError::UnknownKind(name.to_owned()));
        };
        let factory = (kind.read)(rest).map_err(|source| kind.refusal(source))?;
        Ok(Spec { text: text.to_owned(), factory })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spec({})", self.text)
    }
}

/// Why a text is not a player spec.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// There is no such kind.
    #[error("there is no player '{0}'; there are{kinds}", kinds = listed_kinds())]
    UnknownKind(String),
    /// The kind refuses the parameters after the colon.
    #[error("{source}; write it as {usage}")]
    Parameters {
        /// The kind.
        kind: &'static str,
        /// Its form.
        usage: &'static str,
        /// What is wrong.
        source: Box<ParameterError>,
    },
}

fn listed_kinds() -> String {
    KINDS.iter().map(|kind| format!("\n  {:<42} {}", kind.usage, kind.summary)).collect()
}

/// Why the parameters after the colon are refused.
#[derive(Debug, thiserror::Error)]
pub enum ParameterError {
    /// Something is not of the form `name=value`.
    #[error("'{0}' is not of the form name=value")]
    Form(String),
    /// A name is given twice.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// A value is invalid.
    #[error("'{value}' is not a valid value for {name}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What was written.
        value: String,
    },
    /// There are parameters, but not this one.
    #[error("there is no parameter '{name}'; there are {}", known.join(", "))]
    Unknown {
        /// What was written.
        name: String,
        /// The known ones.
        known: Vec<&'static str>,
    },
    /// There are no parameters.
    #[error("there is no parameter '{0}': this player takes none")]
    None(String),
    /// A number is out of range.
    #[error("{what} is from {least} to {most}")]
    Range {
        /// What the number is.
        what: &'static str,
        /// The least it can be.
        least: u64,
        /// The most it can be.
        most: u64,
    },
    /// A published algorithm refuses it.
    #[error(transparent)]
    Algorithm(#[from] ParseAlgorithmError),
    /// A switch of a published player refuses it.
    #[error(transparent)]
    Style(#[from] players::ParseStyleError),
    /// The complexity-driven search refuses it.
    #[error(transparent)]
    Escape(#[from] escape::SettingsError),
    /// A text is not an escape function.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// The engine refuses it.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A file of weights cannot be read.
    #[error("reading {}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file of weights holds something else.
    #[error("{}: {source}", .path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: NotWeights,
    },
    /// A file of a network holds something else.
    #[error("{}: {source}", .path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: NotANetwork,
    },
    /// A text does not name a program to start.
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// Parameters as in `depth=4,nodes=2000` or `global=linear(0,0.1)`, each taken by name; what is left over is refused.
#[derive(Debug)]
pub struct Parameters<'a> {
    left: Vec<(&'a str, &'a str)>,
    asked: Vec<&'static str>,
}

impl<'a> Parameters<'a> {
    /// Reads the text.
    ///
    /// # Errors
    ///
    /// If a part is not `name=value`, or a name is given twice.
    pub fn read(text: &'a str) -> Result<Parameters<'a>, ParameterError> {
        let mut left: Vec<(&str, &str)> = Vec::new();
        // Commas within brackets are part of a value.
        let mut depth = 0;
        let parts = text.split(|letter: char| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            letter == ',' && depth <= 0
        });
        for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
            let Some((name, value)) = part.split_once('=') else {
                return Err(ParameterError::Form(part.to_owned()));
            };
            let (name, value) = (name.trim(), value.trim());
            if left.iter().any(|(known, _)| *known == name) {
                return Err(ParameterError::Twice(name.to_owned()));
            }
            left.push((name, value));
        }
        Ok(Parameters { left, asked: Vec::new() })
    }

    /// The value of a parameter, if it is given.
    ///
    /// # Errors
    ///
    /// If it is invalid.
    pub fn take<T: FromStr>(&mut self, name: &'static str) -> Result<Option<T>, ParameterError> {
        self.asked.push(name);
        self.take_quietly(name)
    }

    /// The same for a name that is accepted but no longer offered.
    ///
    /// # Errors
    ///
    /// If it is invalid.
    pub fn take_quietly<T: FromStr>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>, ParameterError> {
        let Some(at) = self.left.iter().position(|(known, _)| *known == name) else {
            return Ok(None);
        };
        let (_, value) = self.left.remove(at);
        let parsed = value.parse().map(Some);
        parsed.map_err(|_| ParameterError::Value { name, value: value.to_owned() })
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// If a parameter is left over.
    pub fn finish(self) -> Result<(), ParameterError> {
        let Some((name, _)) = self.left.first() else { return Ok(()) };
        let name = (*name).to_owned();
        Err(match self.asked.is_empty() {
            true => ParameterError::None(name),
            false => ParameterError::Unknown { name, known: self.asked },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        text.parse::<Spec>().unwrap_err().to_string()
    }

    #[test]
    fn the_champions_constants_can_be_set() {
        assert!("champion:contempt=30,aspiration-width=20,late-base=6".parse::<Spec>().is_ok());
        assert!("champion:advance=3,without=static-wins".parse::<Spec>().is_ok());
        assert!("champion:drive=3,without=glance".parse::<Spec>().is_ok(), "as they were called");
        assert!(complaint("champion:late-bas=6").contains("late-base"));
        assert!(complaint("champion:late-base=much").contains("not a valid value"));
        assert!(complaint("champion:history-per-ply=0").contains("from 1000 to 100000"));
        assert!(complaint("champion:contempt=5000").contains("1000"));
    }

    #[test]
    fn every_kind_is_named_in_the_complaint_about_an_unknown_one() {
        let message = complaint("stockfish:depth=3");
        assert!(message.starts_with("there is no player 'stockfish'"), "{message}");
        assert!(KINDS.iter().all(|kind| message.contains(kind.name)));
    }

    #[test]
    fn parameters_are_checked() {
        assert!(
            complaint("random:depth=3").contains("no parameter 'depth': this player takes none")
        );
        assert!(complaint("sparring:dept=3").contains("there are depth"));
        assert!(complaint("sparring:depth=x").contains("'x' is not a valid value for depth"));
        assert!(complaint("sparring:depth=0").contains("depth"));
        assert!(complaint("sparring:depth=3,depth=4").contains("twice"));
        assert!(complaint("sparring:deep").contains("name=value"));
        assert!(complaint("uci:").contains("uci:"));
        assert_eq!(" sparring:depth=2 ".parse::<Spec>().unwrap().to_string(), "sparring:depth=2");
    }
}
