//! `mousetrap tb export`: the truth about a class in formats for other programs.

mod text;

use std::io::BufWriter;

use tablebase::export::{Export, atomically};

use crate::commands::tb::args::ExportArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &ExportArgs, output: &mut Output) -> Result<(), Failure> {
    if args.format == "parquet" && args.out.is_none() {
        return Err(Failure::Input(
            "Parquet is a binary format; name a file with --out".to_owned(),
        ));
    }
    let set = Set::open(&args.set)?;
    let export = Export::new(set.tablebase(), args.class, args.sample, args.seed)
        .map_err(|error| set.failure(error))?;
    match &args.out {
        None => text::write(&export, &mut BufWriter::new(output)),
        Some(path) if args.format == "parquet" => {
            atomically(path, |file| Ok(export.write_parquet(file)?))
        }
        Some(path) => atomically(path, |file| text::write(&export, &mut BufWriter::new(file))),
    }
}
