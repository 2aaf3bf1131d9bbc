//! `mousetrap tb catalogue`: what the tables know that is worth looking at.

use std::io::{IsTerminal, Write};

use studies::catalogue::{CatalogueRow, page};
use tablebase::catalogue::{Catalogue, catalogue};
use tablebase::class::Loader;
use tablebase::export::atomically;
use tablebase::{Material, ProbeError};

use crate::commands::tb::args::CatalogueArgs;
use crate::commands::tb::set::{Set, on_threads};
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &CatalogueArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    let classes: Vec<Material> = if args.class.is_empty() {
        let wanted = |class: &Material| args.pieces.is_none_or(|pieces| class.pieces() == pieces);
        set.tablebase().classes().filter(wanted).collect()
    } else {
        args.class.clone()
    };
    if !args.json {
        writeln!(
            output,
            "{:<9}{:>13}{:>12}{:>12}{:>12}{:>13}{:>13}",
            "class", "placements", "zugzwangs", "half ones", "fortresses", "wins", "only moves"
        )?;
    }
    let mut found: Vec<Catalogue> = Vec::new();
    let mut loader = Loader::new(set.tablebase());
    for (at, &class) in classes.iter().enumerate() {
        if std::io::stderr().is_terminal() {
            anstream::eprint!("\r{class} ({} of {})\u{1b}[K\r", at + 1, classes.len());
        }
        loader.forget_below(class.pieces() - 1);
        let of_class = match on_threads(args.threads, || catalogue(&mut loader, class))? {
            // Classes that have not been built are not a fault unless one of them was requested.
            Err(ProbeError::MissingTable { .. }) if args.class.is_empty() => continue,
            found => found.map_err(|error| set.failure(error))?,
        };
        print(&of_class, args.json, output)?;
        found.push(of_class);
    }
    if found.is_empty() {
        return Err(set.empty(args.pieces).into());
    }
    let Some(path) = &args.out else { return Ok(()) };
    let page = page(&args.set.rules.rules.to_string(), &found);
    atomically(path, |file| Ok(file.write_all(page.as_bytes())?))
}

fn print(found: &Catalogue, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        output.json(&CatalogueRow::new(found))?;
    } else {
        writeln!(
            output,
            "{:<9}{:>13}{:>12}{:>12}{:>12}{:>13}{:>13}",
            found.class.to_string(),
            found.placements,
            found.full_zugzwangs.count,
            found.half_zugzwangs.count,
            found.fortresses.count,
            found.wins,
            found.only_moves.count
        )?;
    }
    output.flush()
}
