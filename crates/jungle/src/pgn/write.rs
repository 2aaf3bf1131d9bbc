//! The PGN writer.
//!
//! Tags first, then the moves wrapped at 80 columns. A number stands before each of White's moves,
//! and before one of Black's where something has come in between. Annotations that have a suffix
//! are written as one when they come first, `Eb3!`, the others as `$n`.

use std::fmt;

use super::tags::ROSTER;
use super::{Comment, GameRecord, Line};
use crate::{Color, Setup, fen};

/// The longest line, unless a single word is longer.
const COLUMNS: usize = 80;

/// The suffixes of annotations 1 to 6.
pub(super) const SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The record as PGN, a line break at its end.
impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, unknown) in ROSTER {
            tag(f, name, self.tags.get(name).unwrap_or(unknown))?;
        }
        tag(f, "Result", self.result.as_str())?;
        tag(f, "Variant", "Jungle")?;
        tag(f, "Rules", &self.rules.to_string())?;
        let start = self.start.to_string();
        if start != fen::START {
            tag(f, "SetUp", "1")?;
            tag(f, "FEN", &start)?;
        }
        let in_roster = |name: &str| ROSTER.iter().any(|(known, _)| *known == name);
        for (name, value) in self.tags.iter().filter(|(name, _)| !in_roster(name)) {
            tag(f, name, value)?;
        }
        let mut words = Words::default();
        words.line(&self.line, Count::from(&self.start));
        words.push(self.result.as_str());
        write!(f, "\n{}", words.finish())
    }
}

fn tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{value}\"]")
}

/// The number of a move and who makes it.
#[derive(Clone, Copy)]
struct Count {
    number: u64,
    turn: Color,
}

impl From<&Setup> for Count {
    fn from(setup: &Setup) -> Count {
        Count { number: setup.move_number.into(), turn: setup.turn }
    }
}

impl Count {
    fn next(self) -> Count {
        let number = self.number + u64::from(self.turn == Color::Black);
        Count { number, turn: !self.turn }
    }
}

/// Words to be wrapped. The last one is held back, since a bracket may still follow it.
#[derive(Default)]
struct Words {
    text: String,
    row: String,
    /// The length of `row` in characters.
    columns: usize,
    last: String,
    /// Whether the next word belongs to the last one.
    glued: bool,
}

impl Words {
    fn push(&mut self, word: &str) {
        if !std::mem::take(&mut self.glued) {
            self.place();
        }
        self.last.push_str(word);
    }

    fn open(&mut self) {
        self.push("(");
        self.glued = true;
    }

    fn close(&mut self) {
        self.last.push(')');
        self.glued = false;
    }

    /// Puts the last word into the row, or into a new one if it does not fit.
    fn place(&mut self) {
        let word = std::mem::take(&mut self.last);
        let length = word.chars().count();
        // A line that begins with % is an escape for other readers, even inside a comment.
        let fits = self.columns + 1 + length <= COLUMNS || word.starts_with('%');
        if self.columns > 0 && !fits {
            self.break_line();
        }
        if self.columns > 0 {
            self.row.push(' ');
            self.columns += 1;
        }
        self.row.push_str(&word);
        self.columns += length;
    }

    fn break_line(&mut self) {
        self.text.push_str(&std::mem::take(&mut self.row));
        self.text.push('\n');
        self.columns = 0;
    }

    fn finish(mut self) -> String {
        self.place();
        self.break_line();
        self.text
    }

    fn comments(&mut self, comments: &[Comment]) {
        for comment in comments {
            let braced = format!("{{{comment}}}");
            braced.split(' ').for_each(|word| self.push(word));
        }
    }

    fn line(&mut self, line: &Line, mut count: Count) {
        self.comments(&line.comments);
        let mut interrupted = true;
        for node in &line.moves {
            let Count { number, turn } = count;
            match turn {
                Color::White => self.push(&format!("{number}.")),
                Color::Black if interrupted => self.push(&format!("{number}...")),
                Color::Black => {}
            }
            let (suffix, nags) = split_suffix(&node.nags);
            self.push(&format!("{}{suffix}", node.mv.algebraic()));
            nags.iter().for_each(|nag| self.push(&format!("${nag}")));
            self.comments(&node.comments);
            for variation in &node.variations {
                self.open();
                self.line(variation, count);
                self.close();
            }
            interrupted = !node.comments.is_empty() || !node.variations.is_empty();
            count = count.next();
        }
    }
}

/// The suffix for the first annotation, empty if it has none, and the other annotations.
fn split_suffix(nags: &[u8]) -> (&'static str, &[u8]) {
    let split = nags.split_first().and_then(|(&first, rest)| {
        let suffix = SUFFIXES.get(usize::from(first).checked_sub(1)?)?;
        Some((*suffix, rest))
    });
    split.unwrap_or(("", nags))
}
