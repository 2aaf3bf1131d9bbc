//! `mousetrap tb fetch`: a published set from a web host.

use std::io::Write;

use tablebase::publish::{Summary, fetch};
use tablebase::rules_name;

use crate::commands::tb::args::FetchArgs;
use crate::commands::tb::folder;
use crate::commands::tb::http::WebHost;
use crate::commands::tb::publish::{SummaryRow, progress};
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &FetchArgs, output: &mut Output) -> Result<(), Failure> {
    let host = WebHost::new(&args.url)?;
    let (rules, folder) = (&args.set.rules.rules, folder(&args.set)?);
    let mut fetched = 0;
    let summary = fetch(&host, rules, &folder, args.pieces, &mut |at| {
        fetched += usize::from(!at.is_kept && at.is_finished);
        progress(at);
    })?;
    let Summary { tables, bytes, .. } = summary;
    if args.json {
        let rules = rules_name(rules);
        return output.json(&SummaryRow { rules, tables, bytes, verified: None, samples: None });
    }
    writeln!(
        output,
        "{fetched} of {tables} tables fetched, {bytes} bytes in all; the tables are in {}",
        folder.display()
    )?;
    Ok(())
}
