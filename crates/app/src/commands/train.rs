//! `mousetrap train`: a network for the evaluation, trained on games of the engine with itself.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use charts::{Frame, Line, Lines};
use clap::Args;
use engine::eval::features::USUAL;
use engine::eval::network::{BUCKETS, Inputs, MOST_UNITS, UNIT_STEP};
use serde::{Deserialize, Serialize};
use training::{Epoch, Errors, Examples, MATERIALS, Train, Trainer};

use crate::cli::RulesArg;
use crate::commands::tb::args::SetArgs;
use crate::commands::tb::set::{Set, on_threads};
use crate::commands::tune::{games_failure, read_weights};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Reads the games that `mousetrap datagen` made, keeps every quiet position once, and trains a network that
corrects the weights of the features. After each epoch it writes, beside --out, a checkpoint from which an
interrupted run carries on, and the learning curve as numbers (.json) and as a chart (.svg). The same
seed gives the same network on any number of threads. A match says what it is worth:

  mousetrap train --data data --out net.mtn --units 32 --epochs 10
  mousetrap match --a champion:network=net.mtn --b champion --time 0.05 --games 400"
)]
pub struct TrainArgs {
    /// Files of games, or folders with such files (*.mtg)
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    pub data: Vec<PathBuf>,
    /// Where the network goes
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// What the hidden layer sees: places, or pairs as well
    #[arg(long, value_name = "NAME", default_value = "places", value_parser = inputs)]
    pub inputs: Inputs,
    /// Units of the hidden layer: a multiple of 16
    #[arg(long, value_name = "N", default_value_t = Train::default().units)]
    pub units: usize,
    /// How often to go through the positions
    #[arg(long, value_name = "N", default_value_t = Train::default().epochs)]
    pub epochs: u32,
    /// The learning rate at the beginning
    #[arg(long, value_name = "R", default_value_t = Train::default().rate)]
    pub rate: f32,
    /// The λ of the TD(λ) targets, as in `mousetrap tune`
    #[arg(long, value_name = "0-1", default_value_t = 0.9)]
    pub td_lambda: f32,
    /// The weights of the features that it corrects; those in use if left out
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Learn the truth where endgame tables know it
    #[arg(long)]
    pub tb: bool,
    /// The folder of tables, for --tb; $MOUSETRAP_TABLES or the user's data folder if left out
    #[arg(long, value_name = "DIR", requires = "tb")]
    pub tb_dir: Option<PathBuf>,
    /// The rules of the tables, for --tb: those of the games
    #[command(flatten)]
    pub rules: RulesArg,
    /// The random seed
    #[arg(long, value_name = "N", default_value_t = Train::default().seed)]
    pub seed: u64,
    /// How many threads; all cores if left out
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

fn inputs(name: &str) -> Result<Inputs, String> {
    let found = Inputs::NAMES.iter().find(|(known, _)| *known == name);
    let names = || Inputs::NAMES.map(|(name, _)| name).join(" or ");
    found.map(|(_, inputs)| *inputs).ok_or_else(|| format!("expected {}", names()))
}

/// An epoch of the learning curve.
#[derive(Serialize, Deserialize)]
struct Row {
    epoch: u32,
    train: f64,
    held: f64,
    by_pieces: [f64; BUCKETS],
    by_material: [f64; MATERIALS],
}

/// The learning curve, and what was learnt from.
#[derive(Serialize, Deserialize)]
struct Curve {
    games: u64,
    positions: usize,
    held: usize,
    repeated: u64,
    units: usize,
    /// The error of the features alone.
    before: f64,
    epochs: Vec<Row>,
}

pub fn run(args: &TrainArgs, output: &mut Output) -> Result<(), Failure> {
    if !(0.0..=1.0).contains(&args.td_lambda) {
        return Err(Failure::Input("--td-lambda is from 0 to 1".to_owned()));
    }
    if !(1..=MOST_UNITS).contains(&args.units) || !args.units.is_multiple_of(UNIT_STEP) {
        return Err(Failure::Input(format!(
            "--units is a multiple of {UNIT_STEP}, at most {MOST_UNITS}"
        )));
    }
    let files = files(&args.data)?;
    let weights = args.weights.as_ref().map(read_weights).transpose()?;
    let set = if args.tb {
        let rules = args.rules.clone();
        Some(Set::open(&SetArgs { rules, dir: args.tb_dir.clone() })?)
    } else {
        None
    };
    let tables = set.as_ref().map(|set| &**set.tablebase());
    let read = Examples::read(&files, weights.as_deref(), args.td_lambda, tables, |examples| {
        anstream::eprintln!("{} games read, {} positions", examples.games, examples.train.len());
    });
    let examples = read.map_err(games_failure)?;
    if examples.train.is_empty() {
        return Err(Failure::Input("the games have no quiet position to learn from".to_owned()));
    }
    writeln!(
        output,
        "{} positions of {} games, {} held back, {} left out as seen before",
        examples.train.len(),
        examples.games,
        examples.held.len(),
        examples.repeated
    )?;
    let TrainArgs { inputs, units, epochs, rate, seed, .. } = *args;
    let options = Train { inputs, units, epochs, rate, seed };
    on_threads(args.threads, || train(args, options, &examples, output))?
}

fn train(
    args: &TrainArgs,
    options: Train,
    examples: &Examples,
    output: &mut Output,
) -> Result<(), Failure> {
    let features = match &args.weights {
        Some(path) => read_weights(path)?,
        None => Arc::new(*USUAL),
    };
    let before = Trainer::new(options).errors(&examples.held).all;
    let (mut trainer, mut curve) = resumed(args, options).unwrap_or_else(|| {
        let curve = Curve {
            games: examples.games,
            positions: examples.train.len(),
            held: examples.held.len(),
            repeated: examples.repeated,
            units: options.units,
            before,
            epochs: Vec::new(),
        };
        (Trainer::new(options), curve)
    });
    writeln!(output, "error {before:.6} without a network; {} epochs done", trainer.epoch())?;
    while trainer.epoch() < options.epochs {
        let start = Instant::now();
        let Epoch { number, train, held: Errors { all: held, by_pieces, by_material } } =
            trainer.train(&examples.train, &examples.held);
        let rate = examples.train.len() as f64 / start.elapsed().as_secs_f64();
        writeln!(
            output,
            "epoch {number:>3}: error {train:.6}, {held:.6} on positions held back; {rate:.0} positions a second"
        )?;
        output.flush()?;
        curve.epochs.push(Row { epoch: number, train, held, by_pieces, by_material });
        let network =
            trainer.network(&features).map_err(|error| Failure::input("the network", error))?;
        write(&args.out, &network.to_bytes())?;
        let json = serde_json::to_string_pretty(&curve)
            .map_err(|error| Failure::outside("writing JSON", error))?;
        write(&args.out.with_extension("json"), (json + "\n").as_bytes())?;
        write(&args.out.with_extension("svg"), chart(&curve).as_bytes())?;
        write(&args.out.with_extension("checkpoint"), &trainer.checkpoint())?;
    }
    writeln!(output, "network written to {}", args.out.display())?;
    Ok(())
}

/// An interrupted run, if there is one of this width.
fn resumed(args: &TrainArgs, options: Train) -> Option<(Trainer, Curve)> {
    let bytes = std::fs::read(args.out.with_extension("checkpoint")).ok()?;
    let trainer = Trainer::resume(options, &bytes)?;
    let json = std::fs::read_to_string(args.out.with_extension("json")).ok()?;
    let curve: Curve = serde_json::from_str(&json).ok()?;
    (curve.epochs.len() == trainer.epoch() as usize).then_some((trainer, curve))
}

fn chart(curve: &Curve) -> String {
    let mut train = Line::new("while learning");
    let mut held = Line::new("held back");
    let mut before = Line::new("features alone").dashed();
    for row in &curve.epochs {
        let epoch = f64::from(row.epoch);
        train = train.point(epoch, row.train);
        held = held.point(epoch, row.held);
        before = before.point(epoch, curve.before);
    }
    let subtitle = format!("{} units, {} positions", curve.units, curve.positions);
    let frame = Frame::new("Learning curve").subtitle(subtitle).x("epoch").y("squared error");
    Lines::new(frame).line(before).line(train).line(held).svg()
}

/// The files of games among these paths and in these folders.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |error| Failure::outside(format!("reading {}", path.display()), error);
        let listing = std::fs::read_dir(path).map_err(failed)?;
        let inside = listing.filter_map(|entry| Some(entry.ok()?.path()));
        let mut inside: Vec<PathBuf> =
            inside.filter(|file| file.extension().is_some_and(|ending| ending == "mtg")).collect();
        inside.sort();
        files.append(&mut inside);
    }
    if files.is_empty() {
        return Err(Failure::Input(
            "there are no games (*.mtg); make some with `mousetrap datagen`".to_owned(),
        ));
    }
    Ok(files)
}

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error| Failure::outside(format!("writing {}", path.display()), error);
    let draft = path.with_extension("draft");
    std::fs::write(&draft, bytes).map_err(failed)?;
    std::fs::rename(&draft, path).map_err(failed)
}
