//! `mousetrap perft`: counting move sequences.

use std::io::Write;
use std::time::Instant;

use game::limits::nps;
use game::perft::Perft;
use jungle::{Jungle, Position, Rules};
use serde::Serialize;
use studies::van_rijn_vis::LEAVES;

use crate::cli::{self, PerftArgs};
use crate::failure::Failure;
use crate::output::Output;

/// A line of the result; the names are a contract with other programs.
#[derive(Serialize)]
pub struct Row {
    depth: u32,
    nodes: u64,
    pub seconds: f64,
    pub nps: u64,
}

#[derive(Serialize)]
struct DivideRow {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

pub fn run(args: &PerftArgs, output: &mut Output) -> Result<(), Failure> {
    let position = cli::position(args.fen.as_deref())?;
    let jungle = Jungle::new(args.rules.rules);
    let perft = Perft::new()
        .threads(args.threads.into())
        .repetition_leaves(args.repetition_leaves)
        .hash(args.hash)
        .map_err(|error| {
            Failure::outside(format!("a table of {} MiB; try a smaller --hash", args.hash), error)
        })?;
    if args.divide && args.depth > 0 {
        return divide(args, &perft, &jungle, &position, output);
    }
    let is_published = args.repetition_leaves
        && args.rules.rules == Rules::LEIDEN
        && position == Position::start();
    for depth in args.depth.min(1)..=args.depth {
        let start = Instant::now();
        let nodes = perft.count(&jungle, &position, depth);
        let row = Row::new(depth, nodes, start);
        if args.json {
            output.json(&row)?;
        } else {
            row.write(output)?;
            let published = LEAVES.get((depth as usize).wrapping_sub(1));
            if let Some((nodes, seconds)) = published.filter(|_| is_published) {
                write!(output, "   published: {nodes} in {seconds:.2} s")?;
            }
            writeln!(output)?;
        }
        output.flush()?;
    }
    Ok(())
}

fn divide(
    args: &PerftArgs,
    perft: &Perft,
    jungle: &Jungle,
    position: &Position,
    output: &mut Output,
) -> Result<(), Failure> {
    let start = Instant::now();
    let parts = perft.divide(jungle, position, args.depth);
    let total = Row::new(args.depth, parts.iter().map(|(_, nodes)| nodes).sum(), start);
    for (mv, nodes) in parts {
        if args.json {
            output.json(&DivideRow { mv: mv.to_string(), nodes })?;
        } else {
            writeln!(output, "{mv} {nodes}")?;
        }
    }
    if args.json {
        return output.json(&total);
    }
    total.write(output)?;
    Ok(writeln!(output)?)
}

impl Row {
    /// What counting to a depth came to.
    pub fn new(depth: u32, nodes: u64, start: Instant) -> Row {
        let time = start.elapsed();
        Row { depth, nodes, seconds: time.as_secs_f64(), nps: nps(nodes, time) }
    }

    fn write(&self, output: &mut Output) -> Result<(), Failure> {
        let Row { depth, nodes, seconds, nps } = self;
        Ok(write!(output, "{depth:>2} {nodes:>15} {seconds:>9.3} {nps:>12}")?)
    }
}
