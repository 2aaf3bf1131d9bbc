//! Fourteen plies from the start, which van Rijn and Vis (2013) reported to take eight minutes.
//!
//! The same question, answered by the exact search: alpha-beta's value at every depth under their
//! rules and the thesis' evaluation, nothing left out, repetition ignored, one thread.

use std::io::Write;

use engine::Control;
use engine::exact::Exact;
use jungle::{Jungle, Position, Rules};
use serde::Serialize;

use crate::cli::ReproArgs;
use crate::failure::Failure;
use crate::output::Output;

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
    let mut failed = None;
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
    });
    failed.map_or(Ok(()), Err)
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
