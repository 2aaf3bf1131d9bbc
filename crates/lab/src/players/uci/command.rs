//! The command line of a UCI engine: a program, its arguments, and options to set, as in
//! `/opt/engine --fast ; Hash=16 ; Threads=1`. Quotes, single or double, keep blanks together.

use std::ffi::OsStr;
use std::path::PathBuf;

/// Why a text does not name a program to start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No program is named.
    #[error("the program is missing")]
    NoProgram,
    /// An option is not of the form `name=value`.
    #[error("the option '{0}' is not of the form name=value")]
    Option(String),
    /// A quote is not closed.
    #[error("a quote {0} is not closed")]
    Quote(char),
    /// There is no such program.
    #[error("there is no program {}", .0.display())]
    NotThere(PathBuf),
    /// There is no program of this name on the search path.
    #[error("there is no program {} on the search path", .0.display())]
    NotOnPath(PathBuf),
}

/// A program to start, its arguments, and the UCI options to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub options: Vec<(String, String)>,
}

impl Command {
    /// Reads the text after `uci:`. A program given by its path has to exist; one given by its name is
    /// left to the system to find.
    pub fn read(text: &str) -> Result<Command, CommandError> {
        let command = Command::parse(text)?;
        if command.names_path() && !command.program.is_file() {
            return Err(CommandError::NotThere(command.program));
        }
        Ok(command)
    }

    /// Makes sure that a program given by its name is in one of the folders of a search path.
    pub fn check_program(&self, search_path: &OsStr) -> Result<(), CommandError> {
        let there = |folder: PathBuf| folder.join(&self.program).is_file();
        if self.names_path() || std::env::split_paths(search_path).any(there) {
            return Ok(());
        }
        Err(CommandError::NotOnPath(self.program.clone()))
    }

    fn names_path(&self) -> bool {
        self.program.components().count() > 1
    }

    fn parse(text: &str) -> Result<Command, CommandError> {
        let mut parts = split(text, ';')?.into_iter();
        let words = split(&parts.next().unwrap_or_default(), ' ')?;
        let mut words = words.iter().map(|word| unquoted(word)).filter(|word| !word.is_empty());
        let program = PathBuf::from(words.next().ok_or(CommandError::NoProgram)?);
        let mut options = Vec::new();
        for part in parts {
            let part = unquoted(part.trim());
            if part.is_empty() {
                continue;
            }
            let (name, value) =
                part.split_once('=').ok_or_else(|| CommandError::Option(part.clone()))?;
            options.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        Ok(Command { program, arguments: words.collect(), options })
    }
}

/// Cuts a text at a separator outside quotes; the quotes stay.
fn split(text: &str, separator: char) -> Result<Vec<String>, CommandError> {
    let mut parts = vec![String::new()];
    let mut open = None;
    for c in text.chars() {
        match open {
            None if c == separator => {
                parts.push(String::new());
                continue;
            }
            None if c == '"' || c == '\'' => open = Some(c),
            Some(quote) if c == quote => open = None,
            _ => {}
        }
        parts.last_mut().expect("there is always a last part").push(c);
    }
    match open {
        Some(quote) => Err(CommandError::Quote(quote)),
        None => Ok(parts),
    }
}

/// The text without its quotes.
fn unquoted(text: &str) -> String {
    let mut open = None;
    let mut plain = String::new();
    for c in text.chars() {
        match open {
            None if c == '"' || c == '\'' => open = Some(c),
            Some(quote) if c == quote => open = None,
            _ => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn words_quotes_and_options() {
        let command =
            Command::parse("'/a dir/engine' --x  \"two words\" ; Hash=16; Book File = b c ;")
                .unwrap();
        assert_eq!(command.program, Path::new("/a dir/engine"));
        assert_eq!(command.arguments, ["--x", "two words"]);
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(command.options, [option("Hash", "16"), option("Book File", "b c")]);
        assert!(Command::parse("  ").unwrap_err().to_string().contains("missing"));
        assert!(Command::parse("engine 'x").unwrap_err().to_string().contains("not closed"));
        assert!(Command::parse("engine; Hash").unwrap_err().to_string().contains("name=value"));
    }

    #[test]
    fn programs_have_to_exist() {
        assert!(
            Command::read("/no/such/program").unwrap_err().to_string().contains("/no/such/program")
        );
        let folder = std::env::current_dir().unwrap();
        let there = |text: &str| Command::read(text).unwrap().check_program(folder.as_os_str());
        assert!(there("no-such-program-at-all").unwrap_err().to_string().contains("search path"));
        assert_eq!(there("Cargo.toml --flag"), Ok(()));
    }
}
