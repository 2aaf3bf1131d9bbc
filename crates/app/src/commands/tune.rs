//! `mousetrap tune`: fitting the evaluation to games of the engine with itself, once or in rounds.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use engine::Correction;
use engine::eval::features::{Term, USUAL, Weights};
use engine::eval::network::Network;
use engine::eval::text;
use indicatif::{ProgressBar, ProgressStyle};
use lab::standing::Tally;
use training::{Description, Fit, GameFile, GameFileError, Games, Lesson, RoundError, RoundEvent};
use training::{Rounds, SelfPlay, fit, lessons};

use crate::cli::RulesArg;
use crate::commands::contest::{self, program};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Plays games to win at a fixed number of nodes from varied openings, keeps them in the file --data, fits
the weights to their quiet positions and writes the source file that the evaluation is built with. Games
that the file holds are not played again, so an interrupted run carries on. A match says whether the
weights are better; if they are, copy them over crates/engine/src/eval/weights.rs and build:

  mousetrap tune --games 6000 --data games --out weights.rs
  mousetrap match --a champion:weights=weights.rs --b champion --nodes 1500 --games 300

With --rounds, --data is a folder, and all of this is repeated: each round plays with the weights of the last
one, until a match shows no gain: it ends when a sequential test (0 or 20 Elo) is decided, at the latest after
--match-games. A run that was interrupted goes on where it was:

  mousetrap tune --rounds 8 --data rounds --out weights.rs --threads 2"
)]
pub struct TuneArgs {
    /// Play, fit and test in rounds, at most so many, until one gains nothing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: Option<u32>,
    /// How many games to have (in each round)
    #[arg(long, value_name = "N", default_value_t = 6000)]
    pub games: u64,
    /// How many nodes a move
    #[arg(long, value_name = "N", default_value_t = 1500,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Where games are kept: a file, or with --rounds a folder
    #[arg(long, value_name = "PATH")]
    pub data: PathBuf,
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The weights to begin with, as an earlier run wrote them; those in use if left out
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// The first game's number; other numbers are other games
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "rounds")]
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
    /// With --rounds, how many games the match of a round has at most
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "rounds")]
    pub match_games: u64,
    /// With --rounds, fit to the games of so many rounds: the last ones
    #[arg(long, value_name = "N", default_value_t = 2, requires = "rounds")]
    pub window: u32,
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
    let start = args.weights.as_ref().map(read_weights).transpose()?;
    let fitted = match args.rounds {
        None => once(args, start, output)?,
        Some(most) => in_rounds(args, most, start, output)?,
    };
    let Some(weights) = fitted else { return Ok(()) };
    std::fs::write(&args.out, text::source(&weights))
        .map_err(|error| Failure::outside(format!("writing {}", args.out.display()), error))?;
    writeln!(output, "weights written to {}", args.out.display())?;
    Ok(())
}

fn once(
    args: &TuneArgs,
    start: Option<Arc<Weights>>,
    output: &mut Output,
) -> Result<Option<Vec<f32>>, Failure> {
    let (rules, nodes) = (args.rules.rules, args.nodes);
    let weights = start.clone();
    let how = SelfPlay { rules, nodes, weights, network: Correction::Off, tables: None };
    let mut file = GameFile::open(&args.data, &Description::of(&how)).map_err(games_failure)?;
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
    let bar = bar(wanted.len() as u64, "games");
    let never = AtomicBool::new(false);
    let played = file.play(&wanted, &how, args.threads.into(), &never, |_| bar.inc(1));
    bar.finish_and_clear();
    played.map_err(games_failure)?;
    drop(file);
    let mut taught: Vec<Lesson> = Vec::new();
    for game in Games::read(&args.data).map_err(games_failure)?.iter() {
        taught.extend(lessons(&game.map_err(games_failure)?, args.td_lambda));
    }
    if taught.is_empty() {
        return Err(Failure::Input(
            "there are no positions to fit to; use more --games".to_owned(),
        ));
    }
    writeln!(output, "fitting to {} positions", taught.len())?;
    let mut failed = None;
    let start = start.as_deref().unwrap_or(USUAL);
    let fitted = fit(&rules, start, &taught, options(args), |epoch, error| {
        let written = writeln!(output, "epoch {epoch:>3}: error {error:.6} on positions held back");
        failed = failed.take().or(written.err());
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let (before, after) = fitted.error;
    writeln!(output, "error {before:.6} before, {after:.6} after")?;
    Ok(Some(fitted.weights))
}

fn in_rounds(
    args: &TuneArgs,
    most: u32,
    start: Option<Arc<Weights>>,
    output: &mut Output,
) -> Result<Option<Vec<f32>>, Failure> {
    let rounds = Rounds {
        folder: args.data.clone(),
        most,
        rules: args.rules.rules,
        games: args.games,
        nodes: args.nodes,
        window: args.window,
        lambda: args.td_lambda,
        fit: options(args),
        match_games: args.match_games,
        threads: args.threads.into(),
        tables: None,
        made_by: program::made_by(),
    };
    let shown = Mutex::new(Shown { bar: ProgressBar::hidden(), output, failed: None });
    let tell = |event| shown.lock().unwrap_or_else(PoisonError::into_inner).tell(event);
    let start = start.as_deref().unwrap_or(USUAL);
    let results = rounds.run(start, &Arc::default(), &tell).map_err(rounds_failure)?;
    let Shown { bar, output, failed } = shown.into_inner().unwrap_or_else(PoisonError::into_inner);
    bar.finish_and_clear();
    if let Some(error) = failed {
        return Err(error.into());
    }
    let gained = results.iter().filter(|result| result.gained()).count();
    if gained == 0 {
        writeln!(output, "no round gained anything; no weights are written")?;
        return Ok(None);
    }
    let best = rounds.best(&results).map_err(rounds_failure)?;
    Ok(Some(best.iter().map(|&weight| f32::from(weight)).collect()))
}

/// What is shown of the rounds: a bar for games, a line for all else.
struct Shown<'a> {
    bar: ProgressBar,
    output: &'a mut Output,
    failed: Option<std::io::Error>,
}

impl Shown<'_> {
    fn tell(&mut self, event: RoundEvent) {
        let line = match event {
            RoundEvent::Plays { round, games, found } => {
                self.bar = bar(games, "games of self-play");
                self.bar.set_position(found);
                format!("round {round}: {} of {games} games to play", games - found)
            }
            RoundEvent::Played | RoundEvent::Met => return self.bar.inc(1),
            RoundEvent::Fits { positions } => format!("  fitting to {positions} positions"),
            RoundEvent::Epoch { epoch, error } => {
                format!("  epoch {epoch:>3}: error {error:.6} on positions held back")
            }
            RoundEvent::Meets { games, found } => {
                self.bar = bar(games, "games of the match");
                self.bar.set_position(found);
                return;
            }
            RoundEvent::Over(result) => {
                let Tally { wins, draws, losses, pairs } = result.tally;
                let elo = pairs.elo();
                format!(
                    "round {}: {} of {} games decided; against the round before {wins} won, {draws} drawn, \
                     {losses} lost: Elo {:+.1} ± {:.1}",
                    result.round, result.decided, result.games, elo.value, elo.error
                )
            }
        };
        let output = &mut self.output;
        let written = self.bar.suspend(|| writeln!(output, "{line}").and_then(|()| output.flush()));
        self.failed = self.failed.take().or(written.err());
    }
}

fn options(args: &TuneArgs) -> Fit {
    Fit { epochs: args.epochs, without: args.without, ..Fit::default() }
}

/// A bar that shows how many games were played.
pub fn bar(games: u64, what: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template);
    ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Weights from a file that an earlier run wrote.
pub fn read_weights(path: &PathBuf) -> Result<Arc<Weights>, Failure> {
    let source = std::fs::read_to_string(path)
        .map_err(|error| Failure::outside(format!("reading {}", path.display()), error))?;
    text::parse(&source).map(Arc::new).map_err(|error| Failure::input(path.display(), error))
}

/// The network of a file, or none.
pub fn read_network(path: &PathBuf) -> Result<Correction, Failure> {
    if path.as_os_str() == "none" {
        return Ok(Correction::Off);
    }
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::outside(format!("reading {}", path.display()), error))?;
    let network = Network::from_bytes(&bytes);
    let network = network.map_err(|error| Failure::input(path.display(), error))?;
    Ok(Correction::By(Arc::new(network)))
}

/// A file of games that cannot be used, as the user sees it.
pub fn games_failure(error: GameFileError) -> Failure {
    let remedy = match &error {
        GameFileError::Different { .. } | GameFileError::Damaged { .. } => {
            "; name another file, or move this one away"
        }
        GameFileError::Busy { .. } => "; wait for it, or name another file",
        _ => "",
    };
    let is_outside = matches!(error, GameFileError::Read { .. } | GameFileError::Write { .. });
    Failure::because(is_outside, format!("{error}{remedy}"), error)
}

fn rounds_failure(error: RoundError) -> Failure {
    match error {
        RoundError::Games(error) => games_failure(error),
        RoundError::Match(error) => contest::failure(error),
        error => {
            let is_outside = matches!(error, RoundError::File { .. });
            Failure::because(is_outside, error.to_string(), error)
        }
    }
}

fn without_help() -> String {
    let names = Term::NAMES.map(|(name, _)| name).join(", ");
    format!("A term of the evaluation to do without ({names}), to see in a match what it is worth")
}
