//! Syntax and legality errors of PGN, each with its line and a remedy.

use super::tags::TagError;
use super::{GameResult, MAX_COMMENT, MAX_COMMENTS, MAX_DEPTH};
use crate::{ParseMoveError, ParsePositionError, ParseRulesError};

/// What is wrong with a record, and where.
///
/// ```
/// use jungle::pgn::{GameRecord, PgnFault};
///
/// let error = "1. Ea4 Ra6\n2. Ea5 {comment".parse::<GameRecord>().unwrap_err();
/// assert_eq!((error.line, error.fault), (2, PgnFault::UnclosedComment));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    #[source]
    pub fault: PgnFault,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnFault {
    /// There is no game in the text.
    #[error("there is no game: expected tags or moves")]
    NoGame,
    /// There is a second game where one was expected.
    #[error("a second game begins here where one was expected: remove it")]
    SecondGame,
    /// A line begins like a tag pair and is not one.
    #[error("'{0}' is not a tag: expected one like [White \"name\"]")]
    BrokenTag(String),
    /// A tag cannot be kept.
    #[error(transparent)]
    Tag(#[from] TagError),
    /// A tag is given twice.
    #[error("the tag {0} is given twice: remove one, or put a result before it")]
    TagTwice(String),
    /// The record is of another game than Jungle.
    #[error("the game is '{0}', not Jungle: expected [Variant \"Jungle\"]")]
    Variant(String),
    /// The tag Rules does not name rules.
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
    /// The tag FEN does not hold a position.
    #[error(transparent)]
    Fen(#[from] ParsePositionError),
    /// The tag Result does not hold a result.
    #[error("'{0}' is not a result: expected 1-0, 0-1, 1/2-1/2 or *")]
    Result(String),
    /// The tag Result says something else than the end of the moves.
    #[error("the tag Result says {tag}, but the moves end with {moves}: make them agree")]
    ResultDiffers {
        /// What the tag says.
        tag: GameResult,
        /// What stands after the moves.
        moves: GameResult,
    },
    /// The text of a move is not a move, or not a legal one.
    #[error("{error}")]
    Move {
        /// The text, without marks such as `!`.
        text: String,
        /// Which ply it would have been, from the start of the game; in a variation, counted along it.
        ply: usize,
        /// What is wrong with it.
        error: ParseMoveError,
    },
    /// A numeric annotation glyph is unknown.
    #[error("'{0}' is not an annotation: expected $0 to $255, !, ?, !!, ??, !? or ?!")]
    Nag(String),
    /// An annotation or variation has no move before it that it could belong to.
    #[error("an annotation or variation stands before any move: put it after one")]
    NoMoveBefore,
    /// Variations are nested too deeply.
    #[error("variations are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// A variation is not closed.
    #[error("a variation is not closed: add ')'")]
    UnclosedVariation,
    /// A variation is closed that was not opened.
    #[error("')' closes a variation that was not opened: remove it")]
    UnopenedVariation,
    /// A comment is not closed.
    #[error("a comment is not closed: add '}}'")]
    UnclosedComment,
    /// A comment is too long.
    #[error("a comment is longer than {MAX_COMMENT} bytes: shorten it")]
    LongComment,
    /// There are too many comments in one place.
    #[error("more than {MAX_COMMENTS} comments stand in one place: join or remove some")]
    TooManyComments,
    /// A character that has no meaning in PGN.
    #[error("'{0}' has no meaning here")]
    Unexpected(char),
}
