//! `mousetrap bench escape`: whether memory stays flat over very many expansions.

use std::io::Write;

use game::limits::StopFlag;
use jungle::{BurnettEval, Jungle, Move, Position};
use players::StrongestFirst;
use search::Limits;
use search::escape::{Curve, Escape, Event, Settings};
use serde::Serialize;

use super::args::BenchEscapeArgs;
use crate::failure::Failure;
use crate::output::Output;

/// How it stood at some point.
#[derive(Serialize)]
struct Row {
    expansions: u64,
    visits: u64,
    prunings: u64,
    /// What the process holds in memory, if the system tells.
    resident_bytes: Option<u64>,
}

pub fn run(args: &BenchEscapeArgs, output: &mut Output) -> Result<(), Failure> {
    if args.expansions == 0 {
        return Err(Failure::Input("--expansions 0 expands nothing; use 1 or more".to_owned()));
    }
    let jungle = Jungle::new(args.rules.rules);
    let settings = Settings {
        local: args.local.clone(),
        global: Curve::Never,
        memory: args.memory as usize,
        ..Settings::default()
    };
    let stop = StopFlag::new();
    let limits = Limits::none().with_stop(stop.clone());
    let mut search = Escape::new(&jungle, &BurnettEval, settings).order(StrongestFirst);
    let every = (args.expansions / 10).max(1);
    let mut row = Row { expansions: 0, visits: 0, prunings: 0, resident_bytes: None };
    let mut failed = Ok(());
    if !args.json {
        writeln!(
            output,
            "{:>12} {:>14} {:>9} {:>14}",
            "expansions", "visits", "prunings", "resident bytes"
        )?;
    }
    let mut watch = |_: &[Move], event: Event<Move>| match event {
        Event::Visited { .. } => row.visits += 1,
        Event::Pruned(_) => row.prunings += 1,
        Event::Expanded { .. } => {
            row.expansions += 1;
            if row.expansions.is_multiple_of(every) && failed.is_ok() {
                row.resident_bytes = resident();
                failed = tell(&row, args.json, output);
            }
            if row.expansions >= args.expansions {
                stop.raise();
            }
        }
        _ => {}
    };
    let answer = search.search_watched(&Position::start(), &limits, &mut watch);
    failed?;
    if !args.json {
        writeln!(
            output,
            "kept {} nodes at most ({} bytes for the tree and its copy), {} plies deep: {}",
            answer.peak,
            search.bytes(),
            answer.deepest,
            answer.ended.as_str()
        )?;
    }
    Ok(())
}

fn tell(row: &Row, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        output.json(row)?;
    } else {
        let resident = row.resident_bytes.map_or("?".to_owned(), |bytes| bytes.to_string());
        let Row { expansions, visits, prunings, .. } = row;
        writeln!(output, "{expansions:>12} {visits:>14} {prunings:>9} {resident:>14}")?;
    }
    output.flush()
}

/// What this process holds in memory; Linux tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(1024 * kibibytes)
}
