//! `mousetrap amazons perft`: counting move sequences.

use std::io::Write;
use std::time::Instant;

use amazons::Amazons;
use game::perft::Perft;
use serde::Serialize;

use super::args::PerftArgs;
use crate::failure::Failure;
use crate::output::Output;

/// A line of the result; the names are those of `mousetrap perft`.
#[derive(Serialize)]
struct Row {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
}

pub fn run(args: &PerftArgs, output: &mut Output) -> Result<(), Failure> {
    let position = super::position(&args.position)?;
    let perft = Perft::new().threads(args.threads.into()).hash(args.hash).map_err(|error| {
        Failure::outside(format!("a table of {} MiB (use a smaller --hash)", args.hash), error)
    })?;
    for depth in 1.min(args.depth)..=args.depth {
        let start = Instant::now();
        let nodes = perft.count(&Amazons, &position, depth);
        let seconds = start.elapsed().as_secs_f64();
        let row = Row { depth, nodes, seconds, nps: (nodes as f64 / seconds.max(1e-9)) as u64 };
        if args.json {
            output.json(&row)?;
        } else {
            writeln!(output, "{depth:>2} {nodes:>18} {seconds:>9.3} {:>12}", row.nps)?;
        }
        output.flush()?;
    }
    Ok(())
}
