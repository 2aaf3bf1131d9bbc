//! `mousetrap tune`: fitting the evaluation to games of the engine with itself.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use engine::eval::features::Term;
use engine::tune::{Fit, GameFile, GameFileError, Lesson, SelfPlay, fit, lessons, source};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::RulesArg;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Plays games at a fixed number of nodes from random openings, keeps their quiet positions in the file
--data, fits the weights to them and writes the source file that the evaluation is built with. Games
that the file holds are not played again, so an interrupted run carries on. A match says whether the
weights are better; if they are, copy them over crates/engine/src/eval/weights.rs and build:

  mousetrap tune --games 20000 --data games.txt --out weights.rs
  mousetrap match --a champion:weights=weights.rs --b champion --nodes 1500 --games 300"
)]
pub struct TuneArgs {
    /// How many games to have
    #[arg(long, value_name = "N", default_value_t = 8000)]
    pub games: u64,
    /// How many nodes a move
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub nodes: u64,
    /// Where games are kept
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The first game's number; other numbers are other games
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How often to go through the positions
    #[arg(long, value_name = "N", default_value_t = Fit::default().epochs)]
    pub epochs: u32,
    /// The λ of the TD(λ) targets: how much what was thought next, and at last the end of the game, counts
    /// against what was thought then
    #[arg(long, alias = "foresight", value_name = "0-1", default_value_t = 0.9)]
    pub td_lambda: f32,
    #[arg(long, value_name = "TERM", help = without_help())]
    pub without: Option<Term>,
    /// How many threads play
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    #[command(flatten)]
    pub rules: RulesArg,
}

pub fn run(args: &TuneArgs, output: &mut Output) -> Result<(), Failure> {
    if !(0.0..=1.0).contains(&args.td_lambda) {
        return Err(Failure::Input("--td-lambda is from 0 to 1".to_owned()));
    }
    let mut file = GameFile::open(&args.data).map_err(failure)?;
    let wanted = file.missing(args.seed..args.seed + args.games);
    writeln!(
        output,
        "{} positions of {} games in {}; {} games to play",
        file.positions(),
        file.len(),
        args.data.display(),
        wanted.len()
    )?;
    output.flush()?;
    play(args, &wanted, &mut file)?;
    let games = file.into_games().into_iter();
    let lessons: Vec<Lesson> = games.flat_map(|game| lessons(game, args.td_lambda)).collect();
    if lessons.is_empty() {
        return Err(Failure::Input(
            "there are no positions to fit to; use more --games".to_owned(),
        ));
    }
    writeln!(output, "fitting to {} positions", lessons.len())?;
    let options = Fit { epochs: args.epochs, without: args.without, ..Fit::default() };
    let mut failed = None;
    let fitted = fit(&args.rules.rules, &lessons, options, |epoch, error| {
        let written = writeln!(output, "epoch {epoch:>3}: error {error:.6} on positions held back");
        failed = failed.take().or(written.err());
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let (before, after) = fitted.error;
    writeln!(output, "error {before:.6} before, {after:.6} after")?;
    std::fs::write(&args.out, source(&fitted.weights))
        .map_err(|error| Failure::outside(format!("writing {}", args.out.display()), error))?;
    writeln!(output, "weights written to {}", args.out.display())?;
    Ok(())
}

/// Plays the games, with a bar that shows how far it is.
fn play(args: &TuneArgs, wanted: &[u64], file: &mut GameFile) -> Result<(), Failure> {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left");
    let bar = ProgressBar::new(wanted.len() as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let TuneArgs { nodes, threads, .. } = *args;
    let how = SelfPlay { rules: args.rules.rules, nodes, threads };
    let outcome = file.play(wanted, how, || bar.inc(1));
    bar.finish_and_clear();
    outcome.map_err(failure)
}

fn failure(error: GameFileError) -> Failure {
    let is_outside = !matches!(error, GameFileError::Line { .. });
    Failure::because(is_outside, error.to_string(), error)
}

fn without_help() -> String {
    let names = Term::NAMES.map(|(name, _)| name).join(", ");
    format!("A term of the evaluation to do without ({names}), to see in a match what it is worth")
}
