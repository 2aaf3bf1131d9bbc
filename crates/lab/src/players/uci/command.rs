//! What to start: a program, its arguments, and options to set, as in
//! `/opt/engine --fast ; Hash=16 ; Threads=1`. Quotes, single or double, keep blanks together.

use std::path::{Path, PathBuf};

/// Why a text does not say what to start.
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
    /// There is no such program on the path.
    #[error("there is no program {} on the PATH", .0.display())]
    NotOnPath(PathBuf),
}

/// What to start, and what to tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub options: Vec<(String, String)>,
}

impl Command {
    /// Reads the text after `uci:`, and makes sure that there is such a program.
    pub fn read(text: &str) -> Result<Command, CommandError> {
        let mut command = Command::parse(text)?;
        command.program = find(&command.program)?;
        Ok(command)
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

/// Where a program is; one without a slash is looked for on the path.
fn find(program: &Path) -> Result<PathBuf, CommandError> {
    if program.components().count() > 1 {
        return match program.is_file() {
            true => Ok(program.to_owned()),
            false => Err(CommandError::NotThere(program.to_owned())),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(program));
    found
        .into_iter()
        .find(|path| path.is_file())
        .ok_or_else(|| CommandError::NotOnPath(program.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(
            Command::read("no-such-program-at-all")
                .unwrap_err()
                .to_string()
                .contains("on the PATH")
        );
        assert!(Command::read("sh -c true").unwrap().program.is_absolute());
    }
}
