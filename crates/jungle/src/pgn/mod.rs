//! Portable Game Notation (PGN): game records as chess uses them, with Jungle's moves and rules.
//!
//! A record is a tree: the main line, and to each move any number of [variations](Node::variations)
//! that could have been played instead. Moves are written in the papers' form, `Eb3`, and read in
//! either. Beside the usual tags stand `Variant "Jungle"`, `Rules` with the text of the
//! [`Rules`] in force, and `FEN` with `SetUp "1"` unless the game begins at the start.
//!
//! What is written reads back as the same record. That takes a little care with what text may be
//! in one, which the types ensure: [`Comment`] and [`Tags`] only hold what can be written. It also
//! takes legal moves, for the reader accepts no others, variations at most [`MAX_DEPTH`] deep, and at most
//! [`MAX_COMMENTS`] comments in one place, of [`MAX_COMMENT`] bytes at most.
//!
//! Repetition and limits are not checked in a record: games are sometimes played on. For them, see
//! [`GameRecord::play`].

mod error;
mod lex;
mod read;
mod tags;
mod write;

use std::fmt;

use crate::legality::IllegalMove;
use crate::{Color, Ending, Jungle, Move, Play, Rules, Setup, SetupError};

pub use error::{PgnError, PgnFault};
pub use read::{Games, MAX_COMMENT, MAX_COMMENTS, MAX_DEPTH, read};
pub use tags::{MAX_TAGS, TagError, Tags};

/// A game written down.
///
/// ```
/// use jungle::pgn::{GameRecord, GameResult};
///
/// let text = r#"
/// [Event "An example"]
/// [Rules "leiden"]
///
/// 1. Ea4 {bold} (1. Eb3 $1 ra6) 1... ra6 2. Ea5?? rxa5 0-1
/// "#;
/// let record: GameRecord = text.parse()?;
/// assert_eq!(record.tags.get("Event"), Some("An example"));
/// assert_eq!(record.line.moves.len(), 4);
/// assert_eq!(record.line.moves[0].variations[0].moves[0].nags, [1]);
/// assert_eq!(record.result, GameResult::Win(jungle::Color::Black));
/// assert_eq!(record.to_string().parse(), Ok(record));
/// # Ok::<(), jungle::pgn::PgnError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The tags, without those that follow from the other fields.
    pub tags: Tags,
    /// The rules in force.
    pub rules: Rules,
    /// Where the game begins, with its counters.
    pub start: Setup,
    /// The moves that were played, with comments and variations.
    pub line: Line,
    /// How it ended.
    pub result: GameResult,
}

/// A line: a sequence of moves.
///
/// ```
/// use jungle::pgn::Line;
/// use jungle::{Jungle, Position, Rules, parse_move};
///
/// let mv = parse_move(&Jungle::new(Rules::STANDARD), &Position::start(), "Eb3")?;
/// let line: Line = [mv].into_iter().collect();
/// assert_eq!(line.moves[0].mv, mv);
/// # Ok::<(), jungle::ParseMoveError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The comment before the first move.
    pub comments: Vec<Comment>,
    /// The moves.
    pub moves: Vec<Node>,
}

/// A move with its annotations.
///
/// ```
/// use jungle::pgn::Node;
/// use jungle::{Jungle, Position, Rules, parse_move};
///
/// let mv = parse_move(&Jungle::new(Rules::STANDARD), &Position::start(), "Eb3")?;
/// let node = Node { nags: vec![1], comments: vec!["good".into()], ..Node::from(mv) };
/// assert!(node.variations.is_empty());
/// # Ok::<(), jungle::ParseMoveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The move.
    pub mv: Move,
    /// Numeric annotations: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`; PGN lists the others.
    pub nags: Vec<u8>,
    /// The comment after the move.
    pub comments: Vec<Comment>,
    /// Variations: what could have been played instead.
    pub variations: Vec<Line>,
}

impl From<Move> for Node {
    fn from(mv: Move) -> Node {
        Node { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl FromIterator<Move> for Line {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Line {
        Line { comments: Vec::new(), moves: moves.into_iter().map(Node::from).collect() }
    }
}

/// A comment.
///
/// PGN cannot have a closing brace inside a comment and wraps its lines anywhere, so a comment has
/// single spaces for all white space, none at its ends, and `)` for `}`.
///
/// ```
/// use jungle::pgn::Comment;
///
/// assert_eq!(Comment::new("  two\n words {braced} ").as_str(), "two words {braced)");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Comment(String);

impl Comment {
    /// A comment with this text, put into the form described above.
    pub fn new(text: &str) -> Comment {
        let words: Vec<&str> = text.split_whitespace().collect();
        Comment(words.join(" ").replace('}', ")"))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Comment {
    fn from(text: &str) -> Comment {
        Comment::new(text)
    }
}

impl fmt::Display for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a recorded game ended. It prints as PGN has it.
///
/// ```
/// use jungle::Color;
/// use jungle::pgn::GameResult;
///
/// assert_eq!(GameResult::Win(Color::Black).to_string(), "0-1");
/// assert_eq!(GameResult::default(), GameResult::Unfinished);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// This side won, on the board or otherwise.
    Win(Color),
    /// A draw.
    Draw,
    /// The game goes on, or the result is unknown.
    #[default]
    Unfinished,
}

impl GameResult {
    const ALL: [GameResult; 4] = [
        GameResult::Win(Color::White),
        GameResult::Win(Color::Black),
        GameResult::Draw,
        GameResult::Unfinished,
    ];

    /// The text that PGN has for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::Win(Color::White) => "1-0",
            GameResult::Win(Color::Black) => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unfinished => "*",
        }
    }

    /// The result of a finished game.
    pub fn of_winner(winner: Option<Color>) -> GameResult {
        winner.map_or(GameResult::Draw, GameResult::Win)
    }

    /// The result that PGN has this text for.
    pub fn from_text(text: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.as_str() == text)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Option<Ending>> for GameResult {
    fn from(ending: Option<Ending>) -> GameResult {
        ending.map_or(GameResult::Unfinished, |ending| GameResult::of_winner(ending.winner))
    }
}

impl GameRecord {
    /// A record without moves, to be filled.
    pub fn new(rules: Rules, start: Setup) -> GameRecord {
        let (tags, line, result) = Default::default();
        GameRecord { tags, rules, start, line, result }
    }

    /// The record of a game, finished or not.
    ///
    /// ```
    /// use jungle::pgn::GameRecord;
    /// use jungle::{Jungle, Play, Rules};
    ///
    /// let mut play = Play::start(Jungle::new(Rules::STANDARD));
    /// let mv = play.legal_moves()[0];
    /// play.play(mv)?;
    /// let record = GameRecord::from_play(&play);
    /// assert_eq!(record.play()?.moves(), [mv]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_play(play: &Play) -> GameRecord {
        GameRecord {
            line: play.moves().iter().copied().collect(),
            result: play.ending().into(),
            ..GameRecord::new(*play.jungle().rules(), play.initial_setup())
        }
    }

    /// Plays the main line through.
    ///
    /// # Errors
    ///
    /// If it cannot be played under the rules, those on repetition and limits included.
    pub fn play(&self) -> Result<Play, ReplayError> {
        let jungle = Jungle::new(self.rules);
        let mut play = Play::new(jungle, &self.start).map_err(ReplayError::Setup)?;
        for (index, node) in self.line.moves.iter().enumerate() {
            play.play(node.mv).map_err(|error| ReplayError::Move { ply: index + 1, error })?;
        }
        Ok(play)
    }
}

/// Why the main line of a record cannot be played through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The game begins on an impossible board.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A move is illegal.
    #[error("ply {ply}: {error}")]
    Move {
        /// Which, counted from 1.
        ply: usize,
        /// Why.
        #[source]
        error: IllegalMove,
    },
}

#[cfg(test)]
mod tests;
