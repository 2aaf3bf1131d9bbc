//! `mousetrap repro`: published results, reproduced and shown beside the originals.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use studies::{Ready, registry};

use crate::commands::study;
use crate::failure::Failure;
use crate::output::Output;

/// The default folder of records.
const RESULTS: &str = "results";

#[derive(Debug, Args)]
#[command(
    after_help = "Every run prints ours beside theirs and leaves a record: parameters, results as JSON and CSV, and
plots, in results/NAME or --out. `mousetrap report` makes a page of all records. Games of Figures 19 to
23 are kept in --games-dir as they are finished; --resume goes on with them, or uses them again.

Examples:
  mousetrap repro --list
  mousetrap repro table1 --plies 5
  mousetrap repro figure19 --help                 # what Figure 19 depends on
  mousetrap repro figure19                        # forty games each, at the published depths
  mousetrap repro figure19 --resume               # after a kill
  mousetrap repro figure19 --nodes 100000         # a number of nodes for every move
  mousetrap repro figure19 --games 400 --shard 1/8
  mousetrap repro figure21 --resume               # read off the games of Figure 19
  mousetrap repro amazons --size 6 --out amazons-6x6
  mousetrap repro splitting --resume              # Elo over thresholds and budgets
  mousetrap repro complexity                      # Elo over escape functions"
)]
pub struct ReproArgs {
    /// What to reproduce
    #[command(subcommand)]
    pub study: Option<Asked>,
    /// List what can be reproduced
    #[arg(long)]
    pub list: bool,
    /// The folder to write to; results/NAME if left out
    #[arg(long, value_name = "DIR", global = true)]
    pub out: Option<PathBuf>,
    /// Print one JSON object a row; of --list, an array
    #[arg(long, global = true)]
    pub json: bool,
}

/// A study with its parameters: a command of each.
pub struct Asked(Box<dyn Ready>);

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Asked").field(&self.0.folder()).finish()
    }
}

impl FromArgMatches for Asked {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Asked, clap::Error> {
        let asked = matches.subcommand().and_then(|(name, matches)| {
            registry::find(name).map(|study| study.asked(matches).map(Asked))
        });
        asked.unwrap_or_else(|| Err(clap::Error::new(ErrorKind::InvalidSubcommand)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Asked::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Asked {
    fn augment_subcommands(command: Command) -> Command {
        registry::published().fold(command, |command, study| command.subcommand(study.command()))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Asked::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        registry::published().any(|study| study.name == name)
    }
}

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    if args.list {
        return list(args.json, output);
    }
    let Some(Asked(study)) = &args.study else {
        return Err(Failure::Input(
            "name what to reproduce: `mousetrap repro --list` shows the choices".to_owned(),
        ));
    };
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(RESULTS).join(study.folder()));
    let Some(finished) = study.run(&mut study::context(Some(folder.clone())))? else {
        anstream::eprintln!(
            "this shard is played; when all are, run the command with --resume and without --shard"
        );
        return Ok(());
    };
    study::print(&finished, args.json, output)?;
    finished.record().write(&folder)?;
    if !args.json {
        writeln!(output, "\nrecord and plots: {}", folder.display())?;
    }
    Ok(())
}

fn list(json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        let all: Vec<_> = registry::published().map(registry::Entry::describe).collect();
        return output.json(&all);
    }
    let width = registry::published().map(|study| study.name.len()).max().unwrap_or(0);
    for study in registry::published() {
        let registry::Entry { name, title, takes, .. } = study;
        writeln!(output, "{name:<width$}  {title}\n{:width$}  takes {takes}", "")?;
    }
    Ok(())
}
