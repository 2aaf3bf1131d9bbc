//! What can be wrong with a record, in words that say what to do about it.

use std::fmt;

use super::tags::TagError;
use super::{GameResult, MAX_DEPTH};
use crate::{ParseMoveError, ParsePositionError, ParseRulesError};

/// What is wrong with a record, and where.
///
/// ```
/// use jungle::pgn::{GameRecord, PgnFault};
///
/// let error = "1. Ea4 Ra6\n2. Ea5 {comment".parse::<GameRecord>().unwrap_err();
/// assert_eq!((error.line, error.fault), (2, PgnFault::UnclosedComment));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: PgnFault,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

impl std::error::Error for PgnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            PgnFault::Tag(error) => Some(error),
            PgnFault::Rules(error) => Some(error),
            PgnFault::Fen(error) => Some(error),
            PgnFault::Move(error) => Some(error),
            _ => None,
        }
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PgnFault {
    /// There is no game in the text.
    NoGame,
    /// There is a second game where one was expected.
    SecondGame,
    /// A line begins like a tag and is none.
    BrokenTag(String),
    /// A tag cannot be kept.
    Tag(TagError),
    /// A tag is given twice.
    TagTwice(String),
    /// The record is of another game than Jungle.
    Variant(String),
    /// The tag Rules does not name rules.
    Rules(ParseRulesError),
    /// The tag FEN is no position.
    Fen(ParsePositionError),
    /// The tag Result is no result.
    Result(String),
    /// The tag Result says something else than the end of the moves.
    ResultDiffers {
        /// What the tag says.
        tag: GameResult,
        /// What stands after the moves.
        moves: GameResult,
    },
    /// A move is none, or illegal.
    Move(ParseMoveError),
    /// An annotation is unknown.
    Nag(String),
    /// An annotation or variation has no move before it that it could belong to.
    NoMoveBefore,
    /// Variations are nested too deeply.
    TooDeep,
    /// A variation is not closed.
    UnclosedVariation,
    /// A variation is closed that was not opened.
    UnopenedVariation,
    /// A comment is not closed.
    UnclosedComment,
    /// A character that has no meaning in PGN.
    Unexpected(char),
}

impl fmt::Display for PgnFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnFault::NoGame => f.write_str("there is no game: expected tags or moves"),
            PgnFault::SecondGame => {
                f.write_str("a second game begins here where one was expected: remove it")
            }
            PgnFault::BrokenTag(text) => {
                write!(f, "'{text}' is not a tag: expected one like [White \"name\"]")
            }
            PgnFault::Tag(error) => error.fmt(f),
            PgnFault::TagTwice(name) => {
                write!(f, "the tag {name} is given twice: remove one, or put a result before it")
            }
            PgnFault::Variant(found) => {
                write!(f, "the game is '{found}', not Jungle: expected [Variant \"Jungle\"]")
            }
            PgnFault::Rules(error) => error.fmt(f),
            PgnFault::Fen(error) => error.fmt(f),
            PgnFault::Result(found) => {
                write!(f, "'{found}' is not a result: expected 1-0, 0-1, 1/2-1/2 or *")
            }
            PgnFault::ResultDiffers { tag, moves } => {
                write!(
                    f,
                    "the tag Result says {tag}, but the moves end with {moves}: make them agree"
                )
            }
            PgnFault::Move(error) => error.fmt(f),
            PgnFault::Nag(found) => {
                write!(
                    f,
                    "'{found}' is not an annotation: expected $0 to $255, !, ?, !!, ??, !? or ?!"
                )
            }
            PgnFault::NoMoveBefore => {
                f.write_str("an annotation or variation stands before any move: put it behind one")
            }
            PgnFault::TooDeep => write!(f, "variations are nested more than {MAX_DEPTH} deep"),
            PgnFault::UnclosedVariation => f.write_str("a variation is not closed: add ')'"),
            PgnFault::UnopenedVariation => {
                f.write_str("')' closes a variation that was not opened: remove it")
            }
            PgnFault::UnclosedComment => f.write_str("a comment is not closed: add '}'"),
            PgnFault::Unexpected(found) => write!(f, "'{found}' has no meaning here"),
        }
    }
}
