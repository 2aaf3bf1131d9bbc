//! `mousetrap amazons regions`: the database of small contested regions.

use std::fs::{self, File};
use std::io::{BufWriter, Write};

use amazons::regions_file::{self, Entry};

use super::args::RegionsArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &RegionsArgs, output: &mut Output) -> Result<(), Failure> {
    let path = args.file.display();
    if let Some(squares) = args.build {
        let failed = |error| Failure::outside(format!("writing {path}"), error);
        let mut file = BufWriter::new(File::create(&args.file).map_err(failed)?);
        let count = regions_file::build(squares, &mut file, |_, _| ()).map_err(failed)?;
        writeln!(output, "{count} regions of up to {squares} squares: {path}")?;
        return Ok(());
    }
    let text = fs::read_to_string(&args.file)
        .map_err(|error| Failure::outside(format!("reading {path}"), error))?;
    let mut entries = regions_file::read(&text).map_err(Failure::bad)?;
    if args.verify {
        let mut compared = 0;
        for entry in &entries {
            compared += regions_file::verify(entry).map_err(Failure::bad)?;
        }
        writeln!(output, "{} regions verified: {compared} games by brute force", entries.len())?;
    }
    if let Some(count) = args.hottest {
        entries.sort_by(|a, b| b.temperature.total_cmp(&a.temperature));
        entries.truncate(count);
        entries.iter().try_for_each(|entry| show(entry, output))?;
    } else if !args.verify {
        writeln!(output, "{} regions (see --hottest, --verify)", entries.len())?;
    }
    Ok(())
}

fn show(entry: &Entry, output: &mut Output) -> Result<(), Failure> {
    let (low, high) = entry.bounds;
    let value = entry.value.as_deref().unwrap_or("too long to print");
    writeln!(
        output,
        "{}  {value}  (from {low} to {high}, mean {}, temperature {})",
        entry.region, entry.mean, entry.temperature
    )?;
    Ok(())
}
