//! `mousetrap report`: all records of reproductions and studies on one page.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use lab::record::write_whole;
use studies::{page, record};

use crate::commands::contest::{program, record_failure};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Every `mousetrap repro NAME` leaves a record in results/NAME. The page has their tables, plots
and parameters, and refers to nothing outside itself.

Examples:
  mousetrap report
  mousetrap report --dir results --out report.html"
)]
pub struct ReportArgs {
    /// The folder to look for records in, at any depth
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub dir: PathBuf,
    /// The page to write
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    pub out: PathBuf,
}

pub fn run(args: &ReportArgs, output: &mut Output) -> Result<(), Failure> {
    let folders = if args.dir.is_dir() { record::gather(&args.dir)? } else { Vec::new() };
    if folders.is_empty() {
        return Err(Failure::Input(format!(
            "there are no records in {}: make one with `mousetrap repro NAME` (see `mousetrap repro \
             --list`), or name their folder with --dir",
            args.dir.display()
        )));
    }
    let page = page::html(&args.dir, &folders, &program::made_by().version)?;
    write_whole(&args.out, &page).map_err(record_failure)?;
    Ok(writeln!(output, "{} records: {}", folders.len(), args.out.display())?)
}
