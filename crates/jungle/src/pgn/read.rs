//! The PGN parser.
//!
//! The text is cut into tokens, the tokens into games, and each game is built by itself, so that a
//! fault in one does not touch the next. A game is a run of tags and the moves behind them, up to a
//! result outside all variations or the next tag. Variations are kept on an explicit stack, as
//! deep they go is up to the author of the file.

use std::collections::HashSet;
use std::iter::Peekable;
use std::str::FromStr;

use game::Game;

use super::error::{PgnError, PgnFault};
use super::lex::{Lexer, Token};
use super::tags::RESERVED;
use super::write::SUFFIXES;
use super::{GameRecord, GameResult, Line, Node};
use crate::notation::MARKS;
use crate::{Jungle, Position, Rules, Setup, fen, parse_move};

/// How deep variations may be nested.
pub const MAX_DEPTH: usize = 64;
/// How many comments may stand in one place.
pub const MAX_COMMENTS: usize = 64;
/// How many bytes a comment may have.
pub const MAX_COMMENT: usize = 1 << 16;

/// Reads all games of a text, one after another.
///
/// ```
/// let text = "1. Ea4 ra6 *  1. Ea5 *  1. Eb3 1-0";
/// let games: Vec<_> = jungle::pgn::read(text).collect();
/// assert_eq!(games.len(), 3);
/// assert!(games[0].is_ok() && games[2].is_ok());
/// let error = games[1].as_ref().unwrap_err().to_string();
/// assert!(error.starts_with("line 1: a3a5 is illegal: the elephant goes one step"));
/// ```
pub fn read(text: &str) -> Games<'_> {
    Games { tokens: Lexer::new(text).peekable() }
}

/// The games of a text; made by [`read`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    tokens: Peekable<Lexer<'a>>,
}

impl Iterator for Games<'_> {
    type Item = Result<GameRecord, PgnError>;

    fn next(&mut self) -> Option<Result<GameRecord, PgnError>> {
        let mut game = Tokens::default();
        let mut depth: usize = 0;
        let is_tag = |token: &Token<'_>| {
            matches!(token, Token::Tag { .. } | Token::Bad(PgnFault::BrokenTag(_)))
        };
        while let Some((line, token)) =
            self.tokens.next_if(|(_, token)| !(game.moves_begun && is_tag(token)))
        {
            match &token {
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            let ends = depth == 0 && matches!(token, Token::Result(_));
            match token {
                Token::Tag { name, value } => game.tags.push((line, name, value)),
                token => {
                    // A comment may stand before the tags.
                    game.moves_begun |= !is_tag(&token) && !matches!(token, Token::Comment(_));
                    game.moves.push((line, token));
                }
            }
            if ends {
                break;
            }
        }
        let only_comments = game.moves.iter().all(|(_, token)| matches!(token, Token::Comment(_)));
        if game.tags.is_empty() && only_comments { None } else { Some(game.build()) }
    }
}

/// Reads a text that holds exactly one game.
impl FromStr for GameRecord {
    type Err = PgnError;

    fn from_str(text: &str) -> Result<GameRecord, PgnError> {
        let mut games = read(text);
        let game = games.next().ok_or(PgnError { line: 1, fault: PgnFault::NoGame })??;
        let line = games.tokens.peek().map_or(1, |(line, _)| *line);
        match games.next() {
            None => Ok(game),
            Some(_) => Err(PgnError { line, fault: PgnFault::SecondGame }),
        }
    }
}

/// The tokens of one game.
#[derive(Default)]
struct Tokens<'a> {
    tags: Vec<(usize, &'a str, String)>,
    moves: Vec<(usize, Token<'a>)>,
    moves_begun: bool,
}

impl Tokens<'_> {
    fn build(self) -> Result<GameRecord, PgnError> {
        let start = fen::START.parse().expect("the start is a FEN");
        let mut record = GameRecord::new(Rules::default(), start);
        let mut result = None;
        let mut seen = HashSet::new();
        for (line, name, value) in &self.tags {
            let error = |fault| PgnError { line: *line, fault };
            if !seen.insert(name) {
                return Err(error(PgnFault::TagTwice((*name).to_owned())));
            }
            if RESERVED.contains(name) {
                read_reserved(&mut record, &mut result, name, value).map_err(error)?;
            } else {
                record.tags.set(name, value).map_err(|tag| error(PgnFault::Tag(tag)))?;
            }
        }
        let last_line = self.moves.last().map_or(1, |(line, _)| *line);
        let at_end = |fault| PgnError { line: last_line, fault };
        let position =
            record.start.position().map_err(|setup| at_end(PgnFault::Fen(setup.into())))?;
        let mut tree = Builder::new(Jungle::new(record.rules), position);
        for (line, token) in self.moves {
            tree.add(token).map_err(|fault| PgnError { line, fault })?;
        }
        let (line, ended) = tree.finish().map_err(at_end)?;
        record.line = line;
        record.result = agree(result, ended).map_err(at_end)?;
        Ok(record)
    }
}

/// Puts the value of a tag into the field that it belongs to.
fn read_reserved(
    record: &mut GameRecord,
    result: &mut Option<GameResult>,
    name: &str,
    value: &str,
) -> Result<(), PgnFault> {
    match name {
        "Variant" if !value.eq_ignore_ascii_case("jungle") => {
            return Err(PgnFault::Variant(value.to_owned()));
        }
        "Rules" => record.rules = value.parse().map_err(PgnFault::Rules)?,
        "FEN" => {
            let fen = |error| PgnFault::Fen(error);
            record.start = value.parse::<Setup>().map_err(|error| fen(error.into()))?;
            record.start.position().map_err(|error| fen(error.into()))?;
        }
        "Result" => {
            let known = GameResult::from_text(value);
            *result = Some(known.ok_or_else(|| PgnFault::Result(value.to_owned()))?);
        }
        // SetUp only announces a FEN.
        _ => {}
    }
    Ok(())
}

/// The result that the tag and the end of the moves give together.
fn agree(tag: Option<GameResult>, moves: Option<GameResult>) -> Result<GameResult, PgnFault> {
    let known = |result: Option<GameResult>| result.filter(|&it| it != GameResult::Unfinished);
    match (known(tag), known(moves)) {
        (Some(tag), Some(moves)) if tag != moves => Err(PgnFault::ResultDiffers { tag, moves }),
        (tag, moves) => Ok(moves.or(tag).unwrap_or_default()),
    }
}

/// The tree of moves under construction.
struct Builder {
    jungle: Jungle,
    main: Branch,
    /// The variations that are open, the innermost last.
    open: Vec<Branch>,
    result: Option<GameResult>,
}

/// A line under construction.
struct Branch {
    line: Line,
    /// How many plies of the game come before it.
    plies: usize,
    /// The position before the last move, to which variations are alternatives.
    before: Position,
    now: Position,
}

impl Branch {
    fn new(position: Position, plies: usize) -> Branch {
        Branch { line: Line::default(), plies, before: position.clone(), now: position }
    }

    /// How many plies of the game have been played, the line's own included.
    fn played(&self) -> usize {
        self.plies + self.line.moves.len()
    }

    fn last(&mut self) -> Result<&mut Node, PgnFault> {
        self.line.moves.last_mut().ok_or(PgnFault::NoMoveBefore)
    }
}

impl Builder {
    fn new(jungle: Jungle, start: Position) -> Builder {
        Builder { jungle, main: Branch::new(start, 0), open: Vec::new(), result: None }
    }

    /// The line to which tokens belong at present.
    fn branch(&mut self) -> &mut Branch {
        self.open.last_mut().unwrap_or(&mut self.main)
    }

    fn add(&mut self, token: Token<'_>) -> Result<(), PgnFault> {
        match token {
            Token::Move(text) => self.add_move(text)?,
            Token::Comment(comment) => {
                if comment.as_str().len() > MAX_COMMENT {
                    return Err(PgnFault::LongComment);
                }
                let line = &mut self.branch().line;
                let comments = match line.moves.last_mut() {
                    Some(node) => &mut node.comments,
                    None => &mut line.comments,
                };
                if comments.len() >= MAX_COMMENTS {
                    return Err(PgnFault::TooManyComments);
                }
                comments.push(comment);
            }
            Token::Nag(digits) => {
                let nag = digits.parse().map_err(|_| PgnFault::Nag(format!("${digits}")))?;
                self.branch().last()?.nags.push(nag);
            }
            Token::Suffix(suffix) => {
                let nag = suffix_nag(suffix)?;
                self.branch().last()?.nags.push(nag);
            }
            Token::Open => {
                if self.open.len() == MAX_DEPTH {
                    return Err(PgnFault::TooDeep);
                }
                let branch = self.branch();
                branch.last()?;
                let variation = Branch::new(branch.before.clone(), branch.played() - 1);
                self.open.push(variation);
            }
            Token::Close => {
                let variation = self.open.pop().ok_or(PgnFault::UnopenedVariation)?;
                self.branch().last()?.variations.push(variation.line);
            }
            // Some programs end variations with a result, which says nothing about the game.
            Token::Result(result) if self.open.is_empty() => self.result = Some(result),
            Token::Result(_) => {}
            Token::Bad(fault) => return Err(fault),
            // Tags are kept apart from moves before building begins.
            Token::Tag { .. } => {}
        }
        Ok(())
    }

    fn add_move(&mut self, text: &str) -> Result<(), PgnFault> {
        let (bare, marks) = text.split_at(text.find(MARKS).unwrap_or(text.len()));
        let suffix = marks.trim_matches(['#', '+']);
        let nags = if suffix.is_empty() { Vec::new() } else { vec![suffix_nag(suffix)?] };
        let branch = self.open.last_mut().unwrap_or(&mut self.main);
        let mv = parse_move(&self.jungle, &branch.now, bare).map_err(|error| PgnFault::Move {
            text: bare.to_owned(),
            ply: branch.played() + 1,
            error,
        })?;
        branch.before = branch.now.clone();
        self.jungle.make(&mut branch.now, mv);
        branch.line.moves.push(Node { nags, ..mv.into() });
        Ok(())
    }

    fn finish(self) -> Result<(Line, Option<GameResult>), PgnFault> {
        if self.open.is_empty() {
            Ok((self.main.line, self.result))
        } else {
            Err(PgnFault::UnclosedVariation)
        }
    }
}

/// The number of the annotation with this suffix.
fn suffix_nag(suffix: &str) -> Result<u8, PgnFault> {
    let nags = (1..).zip(SUFFIXES);
    let found = nags.into_iter().find(|(_, known)| *known == suffix);
    found.map(|(nag, _)| nag).ok_or_else(|| PgnFault::Nag(suffix.to_owned()))
}
