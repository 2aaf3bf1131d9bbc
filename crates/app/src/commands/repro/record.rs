//! The record that a reproduction leaves behind.

use std::io::Write;
use std::path::PathBuf;

use lab::study::Study;

use crate::cli::ReproArgs;
use crate::commands::contest::{program, record_failure};
use crate::failure::Failure;
use crate::output::Output;

/// Where records lie unless somebody says otherwise.
pub const RESULTS: &str = "results";

/// A study by this program.
pub fn study(name: &str, title: &str) -> Study {
    Study::new(name, title).made_by(program::made_by())
}

/// The folder of a reproduction.
pub fn folder(args: &ReproArgs, name: &str) -> PathBuf {
    args.out.clone().unwrap_or_else(|| PathBuf::from(RESULTS).join(name))
}

/// Writes the record of a reproduction, and says where unless the output is data.
pub fn write(
    args: &ReproArgs,
    name: &str,
    study: &Study,
    output: &mut Output,
) -> Result<(), Failure> {
    let folder = folder(args, name);
    study.write(&folder).map_err(record_failure)?;
    if !args.json {
        writeln!(output, "\nrecord and plots: {}", folder.display())?;
    }
    Ok(())
}
