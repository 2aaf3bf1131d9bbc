//! `mousetrap tb list`: the tables that are there, and how complete the set is.
//!
//! Only headers are looked at, so that large sets are listed at once; `tb verify` reads the rest.

use std::io::Write;

use serde::Serialize;
use tablebase::build::{Inventory, Layer, TableFile};
use tablebase::{Counts, Material};

use super::args::ListArgs;
use super::{folder, remedy};
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &ListArgs, output: &mut Output) -> Result<(), Failure> {
    let folder = folder(&args.set)?;
    let inventory = Inventory::new(&args.set.rules.rules, &folder)?;
    if args.json {
        for entry in &inventory.entries {
            output.json(&ListRow::new(entry))?;
        }
        for &Layer { pieces, present, classes } in &inventory.layers {
            output.json(&Completeness { pieces, present, classes })?;
        }
    } else if inventory.entries.is_empty() {
        writeln!(output, "no tables in {}; `mousetrap tb build` makes them", folder.display())?;
    } else {
        table(&inventory, output)?;
    }
    let damaged = inventory.entries.iter().filter(|entry| entry.counts.is_err()).count();
    if damaged == 0 {
        return Ok(());
    }
    output.flush()?;
    Err(Failure::Outside(format!(
        "{damaged} of the files in {} cannot be used; delete them and run `mousetrap tb build` again",
        folder.display()
    )))
}

fn table(inventory: &Inventory, output: &mut Output) -> Result<(), Failure> {
    let width = inventory.entries.iter().map(|entry| entry.file.len()).max().unwrap_or(0).max(4);
    writeln!(
        output,
        "{:width$}  {:>6}  {:>15}  {:>7}  {:>14}",
        "file", "pieces", "positions", "longest", "bytes"
    )?;
    for entry in &inventory.entries {
        let ListRow { file, pieces, positions, longest, bytes, damaged, .. } = ListRow::new(entry);
        if let Some(damaged) = damaged {
            writeln!(output, "{file:width$}  damaged: {damaged}")?;
            continue;
        }
        writeln!(
            output,
            "{file:width$}  {:>6}  {:>15}  {:>7}  {bytes:>14}",
            pieces.unwrap_or(0),
            positions.unwrap_or(0),
            longest.unwrap_or(0),
        )?;
    }
    writeln!(output)?;
    for Layer { pieces, present, classes } in &inventory.layers {
        writeln!(output, "{present} of {classes} classes of {pieces} pieces")?;
    }
    Ok(())
}

/// A file. What a damaged one says about itself is not repeated.
#[derive(Serialize)]
struct ListRow<'a> {
    file: &'a str,
    class: Option<String>,
    pieces: Option<u32>,
    /// With either side to move, mirror images counted apart.
    positions: Option<u64>,
    /// In plies.
    longest: Option<u32>,
    bytes: u64,
    damaged: Option<String>,
}

impl ListRow<'_> {
    fn new(entry: &TableFile) -> ListRow<'_> {
        let total = entry.counts.as_ref().ok().map(|counts| counts.white.plus(counts.black));
        ListRow {
            file: &entry.file,
            class: entry.class.map(|class| class.to_string()),
            pieces: entry.class.map(Material::pieces),
            positions: total.map(Counts::placements),
            longest: total.map(|total| total.longest),
            bytes: entry.bytes,
            damaged: entry.counts.as_ref().err().map(|error| {
                let remedy = Some(error.remedy());
                remedy::advised(error, remedy, None)
            }),
        }
    }
}

/// How complete the set is for a number of pieces.
#[derive(Serialize)]
struct Completeness {
    pieces: u32,
    present: usize,
    classes: usize,
}
