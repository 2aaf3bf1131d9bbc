//! `mousetrap completions` and `mousetrap man`: shell completions and manual pages.

use std::io::Write;

use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::failure::Failure;
use crate::output::Output;

pub fn completions(args: &CompletionsArgs, output: &mut Output) -> Result<(), Failure> {
    // Written to memory first: the generator panics when its output is closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mousetrap", &mut script);
    Ok(output.write_all(&script)?)
}

pub fn man(args: &ManArgs, output: &mut Output) -> Result<(), Failure> {
    let command = Cli::command();
    match &args.dir {
        None => Ok(clap_mangen::Man::new(command).render(output)?),
        Some(dir) => {
            let failed = |error| Failure::outside(format!("writing to {}", dir.display()), error);
            std::fs::create_dir_all(dir).map_err(failed)?;
            clap_mangen::generate_to(command, dir).map_err(failed)?;
            Ok(writeln!(output, "manual pages written to {}", dir.display())?)
        }
    }
}
