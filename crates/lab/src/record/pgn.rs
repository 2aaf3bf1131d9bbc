//! A finished game as PGN: after each move, in braces, what the player said and how long it took, as
//! in `{+0.35/12 2000n 0.012s}`: score, depth, nodes, time, as far as they are known.

use jungle::pgn::{Comment, GameRecord, Node, TagError};
use jungle::{Jungle, Rules, Setup, parse_move};

use super::{Document, Row};
use crate::referee::PlayedMove;

/// The game as PGN, a line break at its end.
///
/// # Errors
///
/// If the row is not a game under the rules of the document.
pub fn pgn(document: &Document, row: &Row) -> Result<String, String> {
    let rules: Rules = document.rules.parse().map_err(|error| format!("rules: {error}"))?;
    let start: Setup = row.opening.parse().map_err(|error| format!("opening: {error}"))?;
    let mut record = GameRecord::new(rules, start);
    let jungle = Jungle::new(rules);
    let mut position = record.start.position().map_err(|error| format!("opening: {error}"))?;
    for played in &row.moves {
        let mv = parse_move(&jungle, &position, &played.mv).map_err(|error| error.to_string())?;
        position.make(mv);
        record.line.moves.push(Node { comments: vec![remark(played)], ..Node::from(mv) });
    }
    record.result = row.game_result().ok_or_else(|| format!("'{}' is not a result", row.result))?;
    tag(&mut record, document, row).map_err(|error| error.to_string())?;
    Ok(record.to_string())
}

fn tag(record: &mut GameRecord, document: &Document, row: &Row) -> Result<(), TagError> {
    let unknown = String::from("?");
    let name = |at: usize| document.players.get(at).unwrap_or(&unknown);
    record.tags.set("Event", &document.players.join(" - "))?;
    record.tags.set("Round", &format!("{}.{}", row.game / 2 + 1, row.game % 2 + 1))?;
    record.tags.set("White", name(row.white))?;
    record.tags.set("Black", name(row.black))?;
    record.tags.set("Limit", &document.budget.to_string())?;
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
