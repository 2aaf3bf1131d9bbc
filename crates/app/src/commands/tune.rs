//! `mousetrap tune`: fitting the evaluation to games of the engine with itself.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use engine::eval::features::Term;
use engine::tune::{Fit, Lesson, Sample, fit, lessons, self_play, source};
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
    /// A term of the evaluation to do without (places, pairs or races), to see in a match what it is worth
    #[arg(long, value_name = "TERM")]
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
    let (mut games, played) = read(&args.data)?;
    let wanted: Vec<u64> =
        (args.seed..args.seed + args.games).filter(|game| !played.contains(game)).collect();
    writeln!(
        output,
        "{} positions of {} games in {}; {} games to play",
        games.iter().map(Vec::len).sum::<usize>(),
        played.len(),
        args.data.display(),
        wanted.len()
    )?;
    output.flush()?;
    games.extend(play(args, &wanted)?);
    let lessons: Vec<Lesson> =
        games.into_iter().flat_map(|game| lessons(game, args.td_lambda)).collect();
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

/// Plays the games on several threads, writing each down as it ends.
fn play(args: &TuneArgs, wanted: &[u64]) -> Result<Vec<Vec<Sample>>, Failure> {
    let writing = |error| Failure::outside(format!("writing {}", args.data.display()), error);
    let file = OpenOptions::new().append(true).create(true).open(&args.data).map_err(writing)?;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left");
    let bar = ProgressBar::new(wanted.len() as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let next = AtomicU64::new(0);
    let state = Mutex::new((file, Vec::new(), None));
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| {
                while let Some(&game) = wanted.get(next.fetch_add(1, Relaxed) as usize) {
                    let samples = self_play(args.rules.rules, args.nodes, game);
                    let mut text: String = samples.iter().map(|s| format!("{s}\n")).collect();
                    // The game counts once this is there.
                    text.push_str(&format!("#{game}\n"));
                    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                    let (file, all, failed) = &mut *state;
                    if failed.is_some() {
                        return;
                    }
                    *failed = file.write_all(text.as_bytes()).err();
                    all.push(samples);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let (_, games, failed) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or(Ok(games), |error| Err(writing(error)))
}

/// The games in a file and their numbers; none if there is no such file. Of a game that
/// was cut short by a kill, nothing is kept.
fn read(path: &Path) -> Result<(Vec<Vec<Sample>>, HashSet<u64>), Failure> {
    let reading = |error| Failure::outside(format!("reading {}", path.display()), error);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Default::default()),
        Err(error) => return Err(reading(error)),
    };
    let (mut games, mut numbers, mut open) = (Vec::new(), HashSet::new(), Vec::new());
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(reading)?;
        if let Some(game) = line.strip_prefix('#').and_then(|game| game.parse().ok()) {
            if numbers.insert(game) {
                games.push(std::mem::take(&mut open));
            }
            open.clear();
        } else if let Ok(sample) = line.parse() {
            open.push(sample);
        } else if open.is_empty() {
            // Within a game a bad line is what a kill left; at its beginning it is another file.
            let at = format!("{}, line {}", path.display(), number + 1);
            return Err(Failure::input(&at, engine::tune::NotASample));
        }
    }
    Ok((games, numbers))
}
