//! The PGN lexer: text into tokens, each with its line.
//!
//! It never fails: what is not a token becomes a [`Token::Bad`], and the next game begins behind
//! it.

use std::str::Chars;

use super::{Comment, GameResult, PgnFault};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Tag {
        name: &'a str,
        value: String,
    },
    Comment(Comment),
    /// Anything that should be a move.
    Move(&'a str),
    /// An annotation by number.
    Nag(&'a str),
    /// An annotation by suffix that stands alone.
    Suffix(&'a str),
    Open,
    Close,
    Result(GameResult),
    Bad(PgnFault),
}

#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    at_line_start: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        Lexer { rest, line: 1, at_line_start: true }
    }

    /// Takes `length` bytes off the text, and counts the lines in them.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.line += taken.matches('\n').count();
        if !taken.is_empty() {
            self.at_line_start = taken.ends_with('\n');
        }
        taken
    }

    fn take_while(&mut self, mut belongs: impl FnMut(char) -> bool) -> &'a str {
        let length = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        self.take(length)
    }

    /// The rest of the line, without its end.
    fn take_line(&mut self) -> &'a str {
        self.take_while(|c| c != '\n')
    }

    /// A comment, the opening brace included.
    fn comment(&mut self) -> Token<'a> {
        match self.rest.find('}') {
            Some(end) => {
                let text = self.take(end + 1);
                Token::Comment(Comment::new(&text[1..end]))
            }
            None => {
                self.take(self.rest.len());
                Token::Bad(PgnFault::UnclosedComment)
            }
        }
    }

    /// A tag, the opening bracket included. A broken one is passed over to the end of the line.
    fn tag(&mut self) -> Token<'a> {
        match read_tag(self.rest) {
            Some((name, value, length)) => {
                self.take(length);
                Token::Tag { name, value }
            }
            None => Token::Bad(PgnFault::BrokenTag(self.take_line().trim_end().to_owned())),
        }
    }

    /// A word: a move number with a move behind it, either of them, or a result.
    fn word(&mut self) -> Option<Token<'a>> {
        let word = self.take_while(|c| !c.is_whitespace() && !"{}()[];$*<>\"".contains(c));
        if word.is_empty() {
            let found = self.rest.chars().next()?;
            self.take(found.len_utf8());
            return Some(Token::Bad(PgnFault::Unexpected(found)));
        }
        if let Some(result) = GameResult::from_text(word) {
            return Some(Token::Result(result));
        }
        let numberless = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let bare = numberless.trim_start_matches('.');
        if bare.is_empty() {
            return None;
        }
        // Digits without a point before something are not a move number.
        let text = if bare.len() == numberless.len() { word } else { bare };
        Some(match GameResult::from_text(text) {
            Some(result) => Token::Result(result),
            None if text.starts_with(['!', '?']) => Token::Suffix(text),
            None => Token::Move(text),
        })
    }
}

/// A tag at the beginning of a text, within its first line: its name, its value, and how long it is. Reads no further
/// than the tag, so that many on a line take time in proportion.
fn read_tag(text: &str) -> Option<(&str, String, usize)> {
    let blank = |c: char| c.is_whitespace() && c != '\n';
    let inner = text.strip_prefix('[')?.trim_start_matches(blank);
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = inner.split_at(end);
    let mut chars = rest.trim_start_matches(blank).strip_prefix('"')?.chars();
    let value = unquote(&mut chars)?;
    let rest = chars.as_str().trim_start_matches(blank).strip_prefix(']')?;
    (!name.is_empty()).then_some((name, value, text.len() - rest.len()))
}

/// The text up to a closing quote on the same line, which is passed.
fn unquote(chars: &mut Chars<'_>) -> Option<String> {
    let mut value = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(value),
            '\n' => return None,
            '\\' => {
                let mut ahead = chars.clone();
                match ahead.next() {
                    Some(escaped @ ('"' | '\\')) => {
                        value.push(escaped);
                        *chars = ahead;
                    }
                    _ => value.push('\\'),
                }
            }
            plain => value.push(plain),
        }
    }
}

impl<'a> Iterator for Lexer<'a> {
    /// A token and the line on which it begins.
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        loop {
            let first = self.rest.chars().next()?;
            let line = self.line;
            if first == '%' && self.at_line_start {
                self.take_line();
                continue;
            }
            let single = match first {
                '(' => Some(Token::Open),
                ')' => Some(Token::Close),
                '*' => Some(Token::Result(GameResult::Unfinished)),
                _ => None,
            };
            if let Some(token) = single {
                self.take(1);
                return Some((line, token));
            }
            let token = match first {
                c if c.is_whitespace() => {
                    self.take(c.len_utf8());
                    continue;
                }
                '{' => self.comment(),
                ';' => Token::Comment(Comment::new(&self.take_line()[1..])),
                '[' => self.tag(),
                '$' => {
                    self.take(1);
                    Token::Nag(self.take_while(|c| c.is_ascii_digit()))
                }
                _ => match self.word() {
                    Some(token) => token,
                    None => continue,
                },
            };
            return Some((line, token));
        }
    }
}
