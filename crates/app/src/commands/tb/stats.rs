//! `mousetrap tb stats`: how many positions are won, lost and drawn.
//!
//! Everything is read off the headers, so that it takes no time.

use std::io::Write;

use tablebase::stats::Of;

use crate::commands::tb::args::StatsArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

pub use tablebase::stats::Row;

pub fn run(args: &StatsArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    let mut rows = Vec::new();
    match args.pieces {
        Some(pieces) if args.per_class => rows = set.layer_by_class(pieces)?,
        Some(pieces) => rows.push(layer_row(&set, pieces)?),
        None => {
            for pieces in 2..=set.largest {
                // A layer still being built is no reason to be silent about the others.
                if let Some(missing) = missing(&set, pieces)? {
                    anstream::eprintln!("note: {missing}");
                } else if args.per_class {
                    rows.extend(set.layer_by_class(pieces)?);
                } else {
                    rows.push(layer_row(&set, pieces)?);
                }
            }
            if rows.is_empty() {
                return Err(nothing(&set, None));
            }
        }
    }
    if args.json {
        return rows.iter().try_for_each(|row| output.json(row));
    }
    print(&rows, output)
}

/// The row of all classes of so many pieces.
pub fn layer_row(set: &Set, pieces: u32) -> Result<Row, Failure> {
    Ok(set.layer(pieces)?)
}

/// Which tables of so many pieces are missing, and what to do about it; `None` if none is.
pub fn missing(set: &Set, pieces: u32) -> Result<Option<String>, Failure> {
    Ok(set.missing(pieces)?)
}

/// There are no tables at all, or none of so many pieces.
pub fn nothing(set: &Set, pieces: Option<u32>) -> Failure {
    set.nothing(pieces).into()
}

fn print(rows: &[Row], output: &mut Output) -> Result<(), Failure> {
    writeln!(
        output,
        "{:<8} {:>16} {:>12} {:>16} {:>16} {:>14} {:>8}",
        "pieces", "placements", "no move", "wins", "losses", "draws", "longest"
    )?;
    for row in rows {
        let name = match &row.of {
            Of::Pieces(pieces) => pieces.to_string(),
            Of::Class(class) => class.clone(),
        };
        writeln!(
            output,
            "{name:<8} {:>16} {:>12} {:>16} {:>16} {:>14} {:>8}",
            row.placements, row.stalemates, row.wins, row.losses, row.draws, row.longest
        )?;
    }
    Ok(())
}
