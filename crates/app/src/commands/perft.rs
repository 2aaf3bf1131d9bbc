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
    let mut forecast = Forecast::new(args.depth);
    if args.divide && args.depth > 0 {
        // Shallow counts are quick, and tell how long a deep one takes.
        for depth in 1..=if args.depth > FORESEEN { FORESEEN } else { 0 } {
            let start = Instant::now();
            let nodes = perft.count(&jungle, &position, depth);
            forecast.add(&Row::new(depth, nodes, start));
        }
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
        forecast.add(&row);
    }
    Ok(())
}

/// The depth whose count is long enough to tell how long deeper ones take.
const FORESEEN: u32 = 5;
/// What is worth a warning, in seconds.
const LONG: f64 = 60.0;

/// Says once what the whole count will cost, if that is much.
struct Forecast {
    depth: u32,
    /// The leaves of the last depth.
    leaves: Option<f64>,
}

impl Forecast {
    fn new(depth: u32) -> Forecast {
        Forecast { depth, leaves: None }
    }

    fn add(&mut self, row: &Row) {
        let leaves = row.nodes as f64;
        let growth = self.leaves.replace(leaves).map_or(0.0, |before| leaves / before);
        let left = self.depth.saturating_sub(row.depth);
        let expected = leaves * growth.powi(left.min(64) as i32);
        let seconds = expected / (row.nps.max(1) as f64);
        if row.depth == FORESEEN && seconds > LONG {
            anstream::eprintln!(
                "depth {} has about {expected:.0e} leaves and will take {}; Ctrl-C stops",
                self.depth,
                about(seconds)
            );
        }
    }
}

/// A time in words.
fn about(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] =
        [(60.0, "minutes"), (3_600.0, "hours"), (86_400.0, "days"), (31_557_600.0, "years")];
    let unit = UNITS.iter().rev().find(|(length, _)| seconds >= *length);
    let (length, name) = unit.unwrap_or(&UNITS[0]);
    match seconds / length {
        count if count < 1e6 => format!("about {count:.0} {name}"),
        count => format!("about {count:.0e} {name}"),
    }
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
