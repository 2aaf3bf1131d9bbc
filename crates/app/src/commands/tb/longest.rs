//! `mousetrap tb longest`: the longest fight of each class.
//!
//! The header of a table says how long it is, so that a class is searched only up to the first
//! position that is that far from its end.

use std::io::Write;

use game::solver::Value;
use jungle::picture::Terminal;
use jungle::{Color, Position};
use serde::Serialize;
use tablebase::material::Material;
use tablebase::probe::ProbeError;
use tablebase::{scan, stats};

use crate::commands::tb::args::LongestArgs;
use crate::commands::tb::set::{Set, keys, verdict};
use crate::commands::tb::stats::nothing;
use crate::failure::Failure;
use crate::output::Output;

/// A record; the names are a contract with other programs.
#[derive(Serialize)]
struct Record {
    class: String,
    fen: String,
    outcome: &'static str,
    plies: Option<u32>,
}

pub fn run(args: &LongestArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    let classes = match args.class {
        Some(class) => vec![class],
        None => {
            let list = set.tablebase.classes().list().iter();
            list.map(|class| set.name_of(class)).collect()
        }
    };
    let wanted = |class: &Material| args.pieces.is_none_or(|pieces| class.pieces() == pieces);
    let mut shown = 0;
    for material in classes.into_iter().filter(wanted) {
        let record = match record(&set, material) {
            // Classes that have not been built are no fault unless one of them was asked for.
            Err(ProbeError::MissingTable { .. }) if args.class.is_none() => continue,
            record => record.map_err(|error| set.failure(&error))?,
        };
        shown += 1;
        let Some((position, value)) = record else { continue };
        show(args.json, material, &position, value, output)?;
    }
    if shown == 0 { Err(nothing(&set, args.pieces)) } else { Ok(()) }
}

/// The first position of the class that is as far from the end as any; `None` if all are draws.
fn record(set: &Set, material: Material) -> Result<Option<(Position, Value)>, ProbeError> {
    let tablebase = &set.tablebase;
    // Ask by name, so that the record of a class without a table of its own shows its own animals.
    let longest = |turn: Color| {
        let named = match turn {
            Color::White => material,
            Color::Black => Material { white: material.black, black: material.white },
        };
        stats::counts(tablebase, named).map(|counts| counts.longest)
    };
    let (white, black) = (longest(Color::White)?, longest(Color::Black)?);
    let (turn, plies) = if black > white { (Color::Black, black) } else { (Color::White, white) };
    let value = match plies {
        0 => return Ok(None),
        plies if plies % 2 == 1 => Value::Win(plies),
        plies => Value::Loss(plies),
    };
    Ok(scan::find(tablebase, material, turn, value)?.map(|position| (position, value)))
}

fn show(
    json: bool,
    material: Material,
    position: &Position,
    value: Value,
    output: &mut Output,
) -> Result<(), Failure> {
    if json {
        let (outcome, plies) = keys(value);
        let (class, fen) = (material.to_string(), position.to_string());
        output.json(&Record { class, fen, outcome, plies })?;
    } else {
        writeln!(output, "{material}: {}", verdict(position.turn(), value))?;
        writeln!(output, "{position}")?;
        writeln!(output, "{}", Terminal::of(position))?;
    }
    output.flush()
}
