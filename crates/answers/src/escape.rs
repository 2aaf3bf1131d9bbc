//! Complexity-driven search: what it chose, and how it came to choose it.

use jungle::{Move, Position, Rules, Setup};
use search::escape::{Diary, EscapeAnswer, Settings};
use serde::Serialize;

/// How many weighings of the root are listed, about.
const WEIGHINGS: usize = 100;

/// A complexity-driven search of a position.
#[derive(Clone, Debug, Serialize)]
pub struct EscapeSearch {
    /// The position.
    pub fen: String,
    /// The rules.
    pub rules: String,
    /// The local escape function.
    pub local: String,
    /// The global escape function.
    pub global: String,
    /// How scores are brought between −1 and 1.
    pub scale: String,
    /// The nodes that were left for the game.
    pub left: u64,
    /// The move chosen.
    #[serde(rename = "move")]
    pub best: Option<String>,
    /// The root's score, in words.
    pub score: String,
    /// The score between −1 and 1.
    pub value: f64,
    /// The best line.
    pub pv: Vec<String>,
    /// The nodes that were spent.
    pub spent: u64,
    /// The share of those left.
    pub share: f64,
    /// How many nodes were visited.
    pub visits: u64,
    /// How many were expanded.
    pub expansions: u64,
    /// How many plies below the root the deepest visit was.
    pub deepest: u32,
    /// How often room had to be made.
    pub prunings: u64,
    /// The most nodes that were kept at one time.
    pub peak_nodes: usize,
    /// What ended the search.
    pub ended: &'static str,
    /// Where the candidate at the root changed, and why the new one escaped.
    pub candidates: Vec<EscapeCandidate>,
    /// The root's score and what it had to exceed, as the budget was spent.
    pub budget: Vec<EscapeWeighing>,
}

/// A candidate that escaped at the root.
#[derive(Clone, Debug, Serialize)]
pub struct EscapeCandidate {
    /// The nodes that had been spent.
    pub spent: u64,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value between −1 and 1.
    pub value: f64,
    /// The share of the root's complexity that it took.
    pub share: f64,
    /// What the local function asked for at that share.
    pub threshold: f64,
    /// How many children had been visited.
    pub visited: usize,
    /// How many there are.
    pub children: usize,
}

/// The root against the global escape function.
#[derive(Clone, Debug, Serialize)]
pub struct EscapeWeighing {
    /// The nodes that had been spent.
    pub spent: u64,
    /// The share of those left.
    pub share: f64,
    /// The root's value between −1 and 1.
    pub value: f64,
    /// What the global function asked for at that share.
    pub threshold: f64,
}

impl EscapeSearch {
    /// The document of a search of a position, with `left` nodes left for the game.
    pub fn new(
        rules: &Rules,
        position: &Position,
        settings: &Settings,
        left: u64,
        answer: &EscapeAnswer<Move>,
        diary: &Diary<Move>,
    ) -> EscapeSearch {
        EscapeSearch {
            fen: Setup::from(position).to_string(),
            rules: rules.to_string(),
            local: settings.local.to_string(),
            global: settings.global.to_string(),
            scale: settings.scale.to_string(),
            left,
            best: answer.best.map(|mv| mv.to_string()),
            score: answer.score.to_string(),
            value: answer.value,
            pv: answer.pv.iter().map(ToString::to_string).collect(),
            spent: answer.spent,
            share: answer.spent as f64 / left as f64,
            visits: answer.visits,
            expansions: answer.expansions,
            deepest: answer.deepest,
            prunings: answer.prunings,
            peak_nodes: answer.peak,
            ended: answer.ended.as_str(),
            candidates: diary
                .candidates()
                .iter()
                .map(|(spent, test)| EscapeCandidate {
                    spent: *spent,
                    mv: test.best.to_string(),
                    value: test.value,
                    share: test.share,
                    threshold: test.threshold,
                    visited: test.visited,
                    children: test.children,
                })
                .collect(),
            budget: diary
                .budget(WEIGHINGS)
                .map(|weighing| EscapeWeighing {
                    spent: weighing.spent,
                    share: weighing.share,
                    value: weighing.value,
                    threshold: weighing.threshold,
                })
                .collect(),
        }
    }
}
