//! Fourteen plies from the start, which van Rijn and Vis (2013) reported to take eight minutes.
//!
//! The same question, answered by the exact search: alpha-beta's value at every depth under their
//! rules and the thesis' evaluation, nothing left out, repetition ignored, one thread.

use std::io::Write;

use charts::{Frame, Line, Lines};
use engine::Control;
use engine::exact::Exact;
use jungle::{Jungle, Position, Rules};
use lab::study::Table;
use serde::Serialize;

use super::record;
use crate::cli::ReproArgs;
use crate::failure::Failure;
use crate::output::Output;

const TITLE: &str = "van Rijn & Vis (2013): fourteen plies from the start, in eight minutes";
const DEPTH: u32 = 14;
const PUBLISHED_SECONDS: f64 = 480.0;
/// The values that they printed, for one to seven plies, with repetitions scored as draws.
const PUBLISHED_VALUES: [i32; 7] = [5, 0, 3, 0, 3, 0, 3];
const HASH: usize = 256;

#[derive(Serialize)]
struct Row {
    depth: u32,
    score: i32,
    nodes: u64,
    seconds: f64,
    published_score: Option<i32>,
    published_seconds: Option<f64>,
}

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    if !args.json {
        writeln!(output, "Exact search from the start, leiden, one thread\n")?;
        writeln!(output, "depth  value        nodes   seconds  published")?;
    }
    let mut exact = Exact::new(Jungle::new(Rules::LEIDEN), HASH);
    let (mut failed, mut rows) = (None, Vec::new());
    exact.deepen(&Position::start(), DEPTH, &Control::new(false), |found| {
        let row = Row {
            depth: found.depth,
            score: found.score.value(),
            nodes: found.nodes,
            seconds: found.time.as_secs_f64(),
            published_score: PUBLISHED_VALUES.get(found.depth as usize - 1).copied(),
            published_seconds: (found.depth == DEPTH).then_some(PUBLISHED_SECONDS),
        };
        let written = if args.json { output.json(&row) } else { write_row(&row, output) };
        failed = failed.take().or(written.err());
        rows.push(row);
    });
    failed.map_or(Ok(()), Err)?;
    let study = record::study("depth14", TITLE)
        .rules(Rules::LEIDEN)
        .parameter("depth", DEPTH)
        .parameter("hash_mib", HASH as u64)
        .parameter("threads", 1)
        .results(&rows)
        .table("depth14", "Value, nodes and seconds by depth", table(&rows))
        .plot("nodes", "Nodes by depth", chart(&rows));
    record::write(args, "depth14", &study, output)
}

fn table(rows: &[Row]) -> Table {
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

fn chart(rows: &[Row]) -> String {
    let frame = Frame::new("Exact search from the start: nodes by depth")
        .subtitle("published: fourteen plies in eight minutes")
        .x("depth, plies")
        .y("nodes");
    let points = rows.iter().map(|row| (f64::from(row.depth), row.nodes as f64));
    Lines::new(frame).log_y().whole_x().line(Line::new("").points(points)).svg()
}

fn write_row(row: &Row, output: &mut Output) -> Result<(), Failure> {
    let published = match (row.published_score, row.published_seconds) {
        (Some(score), _) => format!("value {score}"),
        (_, Some(seconds)) => {
            format!("eight minutes: {:.0} times as long", seconds / row.seconds.max(1e-3))
        }
        _ => String::new(),
    };
    let Row { depth, score, nodes, seconds, .. } = row;
    writeln!(output, "{depth:>5} {score:>6} {nodes:>12} {seconds:>9.3}  {published}")?;
    output.flush()
}
