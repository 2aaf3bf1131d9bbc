//! PGN export of finished games: after each move, in braces, what the player said and how long it took, as
//! in `{+0.35/12 2000n 0.012s}`: score, depth, nodes, time, as far as they are known.

use jungle::pgn::{Comment, GameRecord, Node, TagError};
use jungle::{
    Jungle, ParseMoveError, ParsePositionError, ParseRulesError, Rules, Setup, parse_move,
};

use super::{Document, RecordedGame};
use crate::referee::PlayedMove;

/// The game as PGN, a line break at its end.
///
/// # Errors
///
/// If the row is not a game under the rules of the document.
pub fn pgn(document: &Document, row: &RecordedGame) -> Result<String, GameError> {
    let rules: Rules = document.rules.parse()?;
    let start: Setup = row.opening.parse().map_err(ParsePositionError::from)?;
    let mut record = GameRecord::new(rules, start);
    let jungle = Jungle::new(rules);
    let mut position = record.start.position().map_err(ParsePositionError::from)?;
    for (at, played) in row.moves.iter().enumerate() {
        let mv = parse_move(&jungle, &position, &played.mv)
            .map_err(|error| GameError::Move { ply: at + 1, error })?;
        position.make(mv);
        record.line.moves.push(Node { comments: vec![remark(played)], ..Node::from(mv) });
    }
    record.result = row.game_result().ok_or_else(|| GameError::Result(row.result.clone()))?;
    tag(&mut record, document, row)?;
    Ok(record.to_string())
}

/// Why a recorded game is not a game under the rules of its contest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The settings do not name rules.
    #[error("rules: {0}")]
    Rules(#[from] ParseRulesError),
    /// The opening is not a position.
    #[error("opening: {0}")]
    Opening(#[from] ParsePositionError),
    /// A move is not a legal one.
    #[error("ply {ply}: {error}")]
    Move {
        /// Which, counted from 1.
        ply: usize,
        /// Why.
        #[source]
        error: ParseMoveError,
    },
    /// The result is not that of a finished game.
    #[error("'{0}' is not a result: expected 1-0, 0-1 or 1/2-1/2")]
    Result(String),
    /// A tag cannot be set.
    #[error(transparent)]
    Tag(#[from] TagError),
}

fn tag(record: &mut GameRecord, document: &Document, row: &RecordedGame) -> Result<(), TagError> {
    let unknown = String::from("?");
    let name = |at: usize| document.players.get(at).unwrap_or(&unknown);
    record.tags.set("Event", &document.players.join(" - "))?;
    record.tags.set("Round", &format!("{}.{}", row.game / 2 + 1, row.game % 2 + 1))?;
    record.tags.set("White", name(row.white))?;
    record.tags.set("Black", name(row.black))?;
    record.tags.set("Limit", &document.time_control.to_string())?;
    record.tags.set("PlyCount", &row.moves.len().to_string())?;
    record.tags.set("Termination", &row.detail)
}

fn remark(played: &PlayedMove) -> Comment {
    let mut words = Vec::new();
    match (played.info.score, played.info.depth) {
        (Some(score), Some(depth)) => words.push(format!("{score}/{depth}")),
        (Some(score), None) => words.push(score.to_string()),
        (None, Some(depth)) => words.push(format!("/{depth}")),
        (None, None) => {}
    }
    words.extend(played.info.nodes.map(|nodes| format!("{nodes}n")));
    words.push(format!("{:.3}s", played.seconds));
    Comment::new(&words.join(" "))
}
