//! `mousetrap tb list`: the tables that are there, and how complete the set is.
//!
//! Only headers are looked at, so that large sets are listed at once; `tb verify` reads the rest. What the ledger says
//! was verified counts if the header is the one that was verified, and those of the tables it relies on are.

use std::io::Write;

use serde::Serialize;
use tablebase::build::{Inventory, Layer, TableFile};
use tablebase::verify::ledger::Ledger;
use tablebase::{Counts, Material};

use super::args::ListArgs;
use super::verify::Verified;
use super::{folder, remedy};
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &ListArgs, output: &mut Output) -> Result<(), Failure> {
    let folder = folder(&args.set)?;
    let inventory = Inventory::new(&args.set.rules.rules, &folder)?;
    let ledger = Ledger::read(&folder)
        .map_err(|error| Failure::outside("reading the ledger of the set", error))?;
    if args.json {
        for entry in &inventory.entries {
            output.json(&ListRow::new(entry, &ledger))?;
        }
        for &Layer { pieces, present, classes } in &inventory.layers {
            output.json(&Completeness { pieces, present, classes })?;
        }
    } else if inventory.entries.is_empty() {
        writeln!(output, "no tables in {}; `mousetrap tb build` makes them", folder.display())?;
    } else {
        table(&inventory, &ledger, output)?;
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

fn table(inventory: &Inventory, ledger: &Ledger, output: &mut Output) -> Result<(), Failure> {
    let width = inventory.entries.iter().map(|entry| entry.file.len()).max().unwrap_or(0).max(4);
    writeln!(
        output,
        "{:width$}  {:>6}  {:>15}  {:>7}  {:>14}  verified by",
        "file", "pieces", "positions", "longest", "bytes"
    )?;
    let mut verified_files = 0;
    for entry in &inventory.entries {
        let row = ListRow::new(entry, ledger);
        let ListRow { file, pieces, positions, longest, bytes, damaged, verified, .. } = row;
        verified_files += usize::from(verified.as_ref().is_some_and(|verified| verified.good));
        if let Some(damaged) = damaged {
            writeln!(output, "{file:width$}  damaged: {damaged}")?;
            continue;
        }
        writeln!(
            output,
            "{file:width$}  {:>6}  {:>15}  {:>7}  {bytes:>14}  {}",
            pieces.unwrap_or(0),
            positions.unwrap_or(0),
            longest.unwrap_or(0),
            verified.as_ref().map_or_else(|| "-".to_owned(), Verified::in_words),
        )?;
    }
    writeln!(output)?;
    for Layer { pieces, present, classes } in &inventory.layers {
        writeln!(output, "{present} of {classes} classes of {pieces} pieces")?;
    }
    let files = inventory.entries.len();
    writeln!(output, "{verified_files} of {files} verified position by position")?;
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
    /// What `tb verify --full` found of just this table over just these, if it did.
    verified: Option<Verified>,
}

impl ListRow<'_> {
    fn new<'a>(entry: &'a TableFile, ledger: &Ledger) -> ListRow<'a> {
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
            verified: entry
                .identity
                .as_ref()
                .and_then(|identity| ledger.entry(identity))
                .map(Verified::new),
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
