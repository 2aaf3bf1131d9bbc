//! `mousetrap lab`: merging the games of several machines.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use lab::record::Archive;
use lab::standing::Scoreboard;
use lab::summary::Summary;

use crate::commands::contest::{record_failure, report, write_result};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
pub struct LabArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: LabCommand,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum LabCommand {
    /// Merge the shards of a contest into one result and one PGN
    Merge(MergeArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "The parts stay as they are. Writes games.pgn and result.json into the folder; may be run at any
time, also while parts are being played.

Example:
  mousetrap match --a greedy --b random --games 1000 --out run --shard 1/2
  mousetrap match --a greedy --b random --games 1000 --out run --shard 2/2
  mousetrap lab merge run"
)]
pub struct MergeArgs {
    /// The folder that all shards were written to
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &LabArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.command {
        LabCommand::Merge(args) => merge(args, output),
    }
}

fn merge(args: &MergeArgs, output: &mut Output) -> Result<(), Failure> {
    let folder = &args.folder;
    let archive = Archive::open(folder).map_err(record_failure)?;
    let (document, games) = (&archive.document, archive.games().map_err(record_failure)?);
    let mut scoreboard = Scoreboard::of(document.players.clone(), document.games, document.sprt);
    games.into_values().for_each(|game| scoreboard.add(game));
    archive.write_pgn(&folder.join("games.pgn")).map_err(record_failure)?;
    let standing = scoreboard.standing();
    let shown = Summary::new(&standing, &document.time_control, document.rules);
    write_result(folder, &shown)?;
    if args.json {
        return output.json(&shown);
    }
    report::write(&shown, output)?;
    let missing = standing.scheduled - scoreboard.len();
    writeln!(
        output,
        "{} parts, {} games; digest {}",
        archive.paths.len(),
        scoreboard.len(),
        standing.digest
    )?;
    if missing > 0 && scoreboard.decision().is_none() {
        writeln!(output, "{missing} of {} games are missing", standing.scheduled)?;
    }
    Ok(())
}
