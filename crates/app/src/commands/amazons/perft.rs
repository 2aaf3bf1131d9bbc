//! `mousetrap amazons perft`: counting move sequences.

use std::io::Write;
use std::time::Instant;

use amazons::Amazons;
use game::perft::Perft;

use super::args::PerftArgs;
use crate::commands::perft::Row;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &PerftArgs, output: &mut Output) -> Result<(), Failure> {
    let position = super::position(&args.position)?;
    let perft = Perft::new().threads(args.threads.into()).hash(args.hash).map_err(|error| {
        Failure::outside(format!("a table of {} MiB (use a smaller --hash)", args.hash), error)
    })?;
    for depth in 1.min(args.depth)..=args.depth {
        let start = Instant::now();
        let nodes = perft.count(&Amazons, &position, depth);
        let row = Row::new(depth, nodes, start);
        if args.json {
            output.json(&row)?;
        } else {
            let Row { seconds, nps, .. } = row;
            writeln!(output, "{depth:>2} {nodes:>18} {seconds:>9.3} {nps:>12}")?;
        }
        output.flush()?;
    }
    Ok(())
}
