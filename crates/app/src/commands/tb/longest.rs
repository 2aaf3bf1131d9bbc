//! `mousetrap tb longest`: the longest wins of each class.
//!
//! The header of a table says how long it is; the positions that are that far from their end are
//! counted, and the first of them shown.

use std::io::Write;

use answers::in_words;
use game::truth::Truth;
use jungle::picture::Terminal;
use jungle::{Color, Position};
use serde::Serialize;
use tablebase::class::{Found, Loader};
use tablebase::{Material, ProbeError};

use crate::commands::tb::args::LongestArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

/// A record; the names are a contract with other programs.
#[derive(Serialize)]
struct Record {
    class: String,
    /// The first position.
    fen: String,
    #[serde(flatten)]
    value: Truth,
    /// How many positions are as far from their end, mirror images counted apart.
    count: u64,
    /// The first of them.
    fens: Vec<String>,
}

pub fn run(args: &LongestArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    let classes = match args.class {
        Some(class) => vec![class],
        None => set.tablebase().classes().collect(),
    };
    let wanted = |class: &Material| args.pieces.is_none_or(|pieces| class.pieces() == pieces);
    let mut shown = 0;
    for material in classes.into_iter().filter(wanted) {
        let record = match record(&set, material, usize::from(args.first)) {
            // Classes that have not been built are not a fault unless one of them was requested.
            Err(ProbeError::MissingTable { .. }) if args.class.is_none() => continue,
            record => record.map_err(|error| set.failure(error))?,
        };
        shown += 1;
        let Some((found, value)) = record else { continue };
        show(args.json, material, &found, value, output)?;
    }
    if shown == 0 { Err(set.empty(args.pieces).into()) } else { Ok(()) }
}

/// The positions of the class that are as far from their end as any; `None` if all are draws. If
/// there are some with either side to move, White's come first.
fn record(
    set: &Set,
    material: Material,
    most: usize,
) -> Result<Option<(Found, Truth)>, ProbeError> {
    let tablebase = set.tablebase();
    // Asked by name, so that the record of a class without a table of its own shows its own animals.
    let (white, black) =
        (tablebase.counts(material)?.longest, tablebase.counts(material.flip())?.longest);
    let plies = white.max(black);
    let value = match plies {
        0 => return Ok(None),
        plies if plies % 2 == 1 => Truth::Win(plies),
        plies => Truth::Loss(plies),
    };
    let values = Loader::new(tablebase).load(material)?;
    let mut all = Found::default();
    for (turn, longest) in [(Color::White, white), (Color::Black, black)] {
        if longest == plies {
            let found = values.find(turn, value, most);
            all.count += found.count;
            all.first.extend(found.first);
        }
    }
    all.first.truncate(most);
    Ok(Some((all, value)))
}

fn show(
    json: bool,
    material: Material,
    found: &Found,
    value: Truth,
    output: &mut Output,
) -> Result<(), Failure> {
    let Some(first) = found.first.first() else { return Ok(()) };
    if json {
        let fens: Vec<String> = found.first.iter().map(Position::to_string).collect();
        let (class, fen, count) = (material.to_string(), fens[0].clone(), found.count);
        output.json(&Record { class, fen, value, count, fens })?;
    } else {
        let (count, shown) = (found.count, found.first.len());
        let positions = match count {
            1 => "one position".to_owned(),
            count if count == shown as u64 => format!("{count} positions"),
            count => format!("{count} positions, the first {shown} of which are"),
        };
        writeln!(output, "{material}: {}; {positions}", in_words(first.turn(), value))?;
        for position in &found.first {
            writeln!(output, "{position}")?;
            writeln!(output, "{}", Terminal::of(position))?;
        }
    }
    output.flush()
}
