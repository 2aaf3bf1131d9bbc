//! What the parts of a position are worth: `mousetrap split --depth`.

use std::io::Write;

use game::Game;
use game::score::{Score, Verdict};
use jungle::{Jungle, Position};
use search::Limits;
use serde::Serialize;

use super::args::SplitArgs;
use crate::failure::Failure;
use crate::output::Output;

/// What a search of the parts came to.
#[derive(Serialize)]
pub struct Searched {
    /// The last depth finished: less than asked for only if a win was found before.
    depth: u32,
    /// The positions visited.
    nodes: u64,
    /// The move chosen.
    best: Option<String>,
    /// Its implied score, or the value of the whole board where there is one part.
    score: serde_json::Value,
    /// In the order of `parts`; empty if there is only one, which is searched as a whole.
    parts: Vec<Scores>,
    #[serde(skip)]
    text: String,
}

/// What a part is worth to the side to move.
#[derive(Serialize)]
struct Scores {
    /// The best move in the part; none if it has no move.
    best: Option<String>,
    /// What it is worth in the part.
    #[serde(rename = "move")]
    mv: Option<serde_json::Value>,
    /// What not moving in the part is worth.
    non_move: serde_json::Value,
    /// What the move is worth on the whole board.
    implied: Option<serde_json::Value>,
    #[serde(skip)]
    text: [String; 4],
}

/// A score as JSON: `{"estimate":n}`, `{"win":plies}` or `{"loss":plies}`.
fn json(score: Score) -> serde_json::Value {
    match score.verdict() {
        Verdict::Win(plies) => serde_json::json!({ "win": plies }),
        Verdict::Loss(plies) => serde_json::json!({ "loss": plies }),
        Verdict::Estimate(value) => serde_json::json!({ "estimate": value }),
    }
}

/// Searches the parts of a position.
pub fn search_parts(
    args: &SplitArgs,
    position: &Position,
    depth: u32,
) -> Result<Searched, Failure> {
    let rules = args.rules.rules;
    if Jungle::new(rules).outcome(position).is_some() {
        return Err(Failure::Input(
            "the game is over in this position, so there is nothing to search; leave out --depth"
                .to_owned(),
        ));
    }
    let limits = Limits::depth(depth);
    let found = players::search_parts(rules, args.threshold.into(), position, &limits);
    let report = &found.report;
    let best = report.best().map(|mv| mv.to_string());
    let parts = found.parts.iter().filter_map(|part| {
        let non_move = part.non_move?;
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let mv = part.best.map(|(mv, _)| mv.to_string());
        Some(Scores {
            mv: part.best.map(|(_, score)| json(score)),
            non_move: json(non_move),
            implied: part.implied.map(json),
            text: [
                or_none(mv.clone()),
                or_none(part.best.map(|(_, score)| score.to_string())),
                non_move.to_string(),
                or_none(part.implied.map(|score| score.to_string())),
            ],
            best: mv,
        })
    });
    Ok(Searched {
        depth: report.depth,
        nodes: report.nodes,
        parts: parts.collect(),
        score: json(report.score),
        text: report.score.to_string(),
        best,
    })
}

impl Searched {
    /// A table of the parts, and the choice.
    pub fn print(&self, output: &mut Output) -> Result<(), Failure> {
        let Searched { depth, nodes, best, text, .. } = self;
        writeln!(output, "\nScores {depth} plies deep, for the side to move ({nodes} nodes)")?;
        if self.parts.is_empty() {
            writeln!(output, "one part, searched as a whole")?;
        } else {
            writeln!(output, "part   best          move      non-move       implied")?;
        }
        for (at, Scores { text: [mv, own, non_move, implied], .. }) in self.parts.iter().enumerate()
        {
            let chosen = if Some(mv) == best.as_ref() { "  chosen" } else { "" };
            writeln!(
                output,
                "{:>4}   {mv:<4} {own:>13} {non_move:>13} {implied:>13}{chosen}",
                at + 1
            )?;
        }
        match best {
            Some(mv) => writeln!(output, "best {mv}, {text}")?,
            None => writeln!(output, "no move")?,
        }
        Ok(())
    }
}
