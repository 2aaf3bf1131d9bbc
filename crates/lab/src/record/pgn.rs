//! PGN export of finished games: after each move, in braces, what the player reported and how long it took, as
//! in `{+0.35/12 2000n 0.012s}`: score, depth, nodes, time, as far as they are known.

use jungle::pgn::{Comment, GameRecord, Node, TagError};

use super::{Document, RecordedGame};
use crate::player::Choice;
use crate::referee::PlayedMove;

/// The game as PGN, a line break at its end.
///
/// # Errors
///
/// If a tag cannot hold the name of a player.
pub fn pgn(document: &Document, row: &RecordedGame) -> Result<String, TagError> {
    let mut record = GameRecord::new(document.rules, row.opening.clone());
    record.result = row.result();
    record.line.moves = row.played.moves.iter().map(node).collect();
    tag(&mut record, document, row)?;
    Ok(record.to_string())
}

fn tag(record: &mut GameRecord, document: &Document, row: &RecordedGame) -> Result<(), TagError> {
    let unknown = String::from("?");
    let name = |at: usize| document.players.get(at).unwrap_or(&unknown);
    record.tags.set("Event", &document.players.join(" - "))?;
    record.tags.set("Round", &format!("{}.{}", row.game / 2 + 1, row.game % 2 + 1))?;
    record.tags.set("White", name(row.players.white))?;
    record.tags.set("Black", name(row.players.black))?;
    record.tags.set("Limit", &document.time_control.to_string())?;
    record.tags.set("PlyCount", &row.played.moves.len().to_string())?;
    record.tags.set("Termination", &row.played.decision.detail)
}

fn node(played: &PlayedMove) -> Node {
    let PlayedMove { choice: Choice { mv, info }, seconds } = played;
    let mut words = Vec::new();
    match (info.score, info.depth) {
        (Some(score), Some(depth)) => words.push(format!("{score}/{depth}")),
        (Some(score), None) => words.push(score.to_string()),
        (None, Some(depth)) => words.push(format!("/{depth}")),
        (None, None) => {}
    }
    words.extend(info.nodes.map(|nodes| format!("{nodes}n")));
    words.push(format!("{seconds:.3}s"));
    Node { comments: vec![Comment::new(&words.join(" "))], ..Node::from(*mv) }
}
