//! `mousetrap tb stats`: how many positions are won, lost and drawn.
//!
//! Everything is read off the headers, so that it takes no time.

use std::io::Write;

use tablebase::{ClassStats, SetError, StatsOf};

use crate::commands::tb::args::StatsArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &StatsArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    let mut rows = Vec::new();
    match args.pieces {
        Some(pieces) => rows = layer(&set, pieces, args.per_class)?,
        None => {
            for pieces in 2..=set.largest() {
                match set.check(pieces) {
                    Ok(()) => rows.extend(layer(&set, pieces, args.per_class)?),
                    // A layer still being built does not hide the others.
                    Err(error @ SetError::Incomplete { .. }) => {
                        anstream::eprintln!("note: {}", Failure::from(error));
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            if rows.is_empty() {
                return Err(set.empty(None).into());
            }
        }
    }
    if args.json {
        return rows.iter().try_for_each(|row| output.json(row));
    }
    print(&rows, output)
}

/// The statistics of a number of pieces: a row, or a row for each class.
fn layer(set: &Set, pieces: u32, per_class: bool) -> Result<Vec<ClassStats>, Failure> {
    Ok(if per_class { set.stats_by_class(pieces)? } else { vec![set.stats(pieces)?] })
}

fn print(rows: &[ClassStats], output: &mut Output) -> Result<(), Failure> {
    writeln!(
        output,
        "{:<8} {:>16} {:>12} {:>16} {:>16} {:>14} {:>8}",
        "pieces", "placements", "no move", "wins", "losses", "draws", "longest"
    )?;
    for row in rows {
        let name = match &row.of {
            StatsOf::Pieces(pieces) => pieces.to_string(),
            StatsOf::Class(class) => class.clone(),
        };
        writeln!(
            output,
            "{name:<8} {:>16} {:>12} {:>16} {:>16} {:>14} {:>8}",
            row.placements, row.stalemates, row.wins, row.losses, row.draws, row.longest
        )?;
    }
    Ok(())
}
