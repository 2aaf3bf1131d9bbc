//! Fourteen plies from the start, which van Rijn and Vis (2013) reported to take eight minutes.
//!
//! The same question, answered by the exact search: alpha-beta's value at every depth under their
//! rules and Burnett's evaluation, nothing left out, repetition ignored, one thread.

use std::fmt::Write;

use charts::{Frame, Line, Lines};
use clap::Args;
use game::limits::Limits;
use jungle::{Jungle, Position, Rules};
use players::exact::Exact;
use serde::{Deserialize, Serialize};

use super::{EVALUATIONS, PAPER_2013};
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

const DEPTH: u32 = 14;
const PUBLISHED_SECONDS: f64 = 480.0;
/// The transposition table, in MiB.
const HASH: usize = 256;

/// Fourteen plies from the start.
pub struct Depth14;

/// It has no parameters.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {}

/// A depth; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct DepthRow {
    /// The depth.
    pub depth: u32,
    /// The value at this depth.
    pub score: i32,
    nodes: u64,
    seconds: f64,
    /// The value that they printed, with repetitions scored as draws.
    pub published_score: Option<i32>,
    published_seconds: Option<f64>,
}

impl Study for Depth14 {
    const NAME: &'static str = "depth14";
    const TITLE: &'static str =
        "van Rijn & Vis (2013): fourteen plies from the start, in eight minutes";
    const ABOUT: &'static str =
        "van Rijn & Vis (2013): fourteen plies from the start, beside their eight minutes";
    const SOURCE: Option<&'static str> = Some(PAPER_2013);
    const TAKES: &'static str = "seconds";

    type Params = Params;
    type Results = Vec<DepthRow>;

    fn run(_: &Params, context: &mut Context<'_>) -> Result<Option<Vec<DepthRow>>, StudyError> {
        let mut exact = Exact::new(Jungle::new(Rules::LEIDEN), HASH);
        let mut rows = Vec::new();
        context.progress.begin("plies", Some(DEPTH.into()));
        exact.deepen(&Position::start(), &Limits::depth(DEPTH), |found| {
            rows.push(DepthRow {
                depth: found.depth,
                score: found.score.value(),
                nodes: found.nodes,
                seconds: found.time.as_secs_f64(),
                published_score: EVALUATIONS.get(found.depth as usize - 1).copied(),
                published_seconds: (found.depth == DEPTH).then_some(PUBLISHED_SECONDS),
            });
            context.progress.advance();
        });
        context.progress.end();
        Ok(Some(rows))
    }

    fn render(_: &Params, rows: &Vec<DepthRow>) -> String {
        let mut text = "Exact search from the start, leiden, one thread\n\n\
                        depth  value        nodes   seconds  published\n"
            .to_owned();
        rows.iter().for_each(|row| row.render(&mut text));
        text
    }

    fn lines(rows: &Vec<DepthRow>) -> serde_json::Result<Vec<String>> {
        each(rows)
    }

    fn record(_: &Params, rows: &Vec<DepthRow>, draft: Draft) -> Draft {
        draft
            .rules(Rules::LEIDEN)
            .parameter("depth", DEPTH)
            .parameter("hash_mib", HASH as u64)
            .parameter("threads", 1)
            .results(rows)
            .table("depth14", "Value, nodes and seconds by depth", table(rows))
            .chart("nodes", "Nodes by depth", chart(rows))
    }
}

fn table(rows: &[DepthRow]) -> Table {
    let mut table =
        Table::new(["depth", "value", "published value", "nodes", "seconds", "published seconds"]);
    let some = |value: Option<String>| value.unwrap_or_default();
    for row in rows {
        table.row([
            row.depth.to_string(),
            row.score.to_string(),
            some(row.published_score.map(|score| score.to_string())),
            row.nodes.to_string(),
            format!("{:.3}", row.seconds),
            some(row.published_seconds.map(|seconds| seconds.to_string())),
        ]);
    }
    table
}

fn chart(rows: &[DepthRow]) -> String {
    let frame = Frame::new("Exact search from the start: nodes by depth")
        .subtitle("published: fourteen plies in eight minutes")
        .x("depth, plies")
        .y("nodes");
    let points = rows.iter().map(|row| (f64::from(row.depth), row.nodes as f64));
    Lines::new(frame).log_y().whole_x().line(Line::new("").points(points)).svg()
}

impl DepthRow {
    fn render(&self, text: &mut String) {
        let published = match (self.published_score, self.published_seconds) {
            (Some(score), _) => format!("value {score}"),
            (_, Some(seconds)) => {
                format!("eight minutes: {:.0} times as long", seconds / self.seconds.max(1e-3))
            }
            _ => String::new(),
        };
        let DepthRow { depth, score, nodes, seconds, .. } = self;
        let _ = writeln!(text, "{depth:>5} {score:>6} {nodes:>12} {seconds:>9.3}  {published}");
    }
}
