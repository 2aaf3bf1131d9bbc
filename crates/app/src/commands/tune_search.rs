//! `mousetrap tune-search`: the constants of the search, tuned by many short matches.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use engine::Constants;
use indicatif::ProgressBar;
use lab::TimeControl;
use serde::Serialize;
use training::search_tuning::{self, SearchTuning, SearchTuningError};
use training::spsa::{Progress, Spsa};

use crate::cli::RulesArg;
use crate::commands::contest;
use crate::commands::tune::bar;
use crate::failure::Failure;
use crate::output::Output;

/// How many lines are printed on the way.
const LINES: u32 = 20;

#[derive(Debug, Args)]
#[command(
    after_help = "SPSA: in each iteration all constants are moved at random, each up or down, two champions with opposite moves play
a match, and every constant takes a small step to the side that won. Thousands of iterations are needed. Results
are kept in --data, and a run that was interrupted goes on there. What comes out is to be confirmed by a match.

Examples:
  mousetrap tune-search --data spsa --iterations 20000 --nodes 5000 --threads 2
  mousetrap tune-search --data spsa-null --constants null-base,null-margin --tc 1+0.01
  mousetrap match --a champion:null-margin=120 --b champion --tc 1+0.01 --sprt 0,5"
)]
pub struct TuneSearchArgs {
    /// Where results are kept
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help = constants_help())]
    pub constants: Vec<String>,
    /// How many iterations
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: u32,
    /// How many games an iteration: an even number
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub games: u64,
    /// Node limit per move [default: 10000]
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<u64>,
    /// Time control: base and increment in seconds, as in 1+0.01
    #[arg(long, value_name = "M+I", group = "limit")]
    pub tc: Option<String>,
    /// What both players are told besides, as in `mousetrap match`
    #[arg(long, value_name = "PARAMETERS", default_value = "hash=4,contempt=0,advance=0")]
    pub player: String,
    /// The rate: by how much of its step a game ahead moves a constant in the end
    #[arg(long, value_name = "R", default_value_t = 0.02)]
    pub rate: f64,
    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many games at a time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    #[command(flatten)]
    pub rules: RulesArg,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What came out. The names are a contract with other programs.
#[derive(Serialize)]
struct Tuned {
    iterations: u32,
    constants: Vec<Constant>,
    player: String,
}

#[derive(Serialize)]
struct Constant {
    name: String,
    from: i32,
    to: f64,
}

pub fn run(args: &TuneSearchArgs, output: &mut Output) -> Result<(), Failure> {
    if !(args.rate > 0.0 && args.rate.is_finite()) {
        return Err(Failure::Input("--rate must be more than 0".to_owned()));
    }
    let parameters = search_tuning::parameters(&args.constants).map_err(failure)?;
    let TuneSearchArgs { iterations, rate, seed, .. } = *args;
    let time_control = TimeControl::one_of(args.nodes, None, None, None, args.tc.as_deref())
        .map_err(|error| Failure::Input(error.to_string()))?;
    let tuning = SearchTuning {
        spsa: Spsa { parameters, iterations, rate, seed },
        games: args.games,
        time_control,
        player: args.player.clone(),
        rules: args.rules.rules,
        threads: args.threads.into(),
        journal: args.data.clone(),
    };
    let bar = bar(iterations.into(), "iterations");
    let mut failed = None;
    let done = tuning.run(&Arc::default(), |progress| {
        bar.set_position(progress.done.into());
        if !args.json && progress.done.is_multiple_of((iterations / LINES).max(1)) {
            failed = failed.take().or(show(&bar, &tuning, progress, output).err());
        }
    });
    bar.finish_and_clear();
    let Progress { done, values } = done.map_err(failure)?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    let rounded: Vec<i32> = values.iter().map(|value| value.round() as i32).collect();
    let player = format!("champion:{}", search_tuning::text(&tuning.spsa.parameters, &rounded));
    if !args.json {
        return Ok(writeln!(output, "{player}")?);
    }
    let constants = tuning.spsa.parameters.into_iter().zip(values);
    let constants =
        constants.map(|(before, to)| Constant { name: before.name, from: before.start, to });
    output.json(&Tuned { iterations: done, constants: constants.collect(), player })
}

fn show(
    bar: &ProgressBar,
    tuning: &SearchTuning,
    progress: &Progress,
    output: &mut Output,
) -> std::io::Result<()> {
    let values = tuning.spsa.parameters.iter().zip(&progress.values);
    let values: Vec<String> =
        values.map(|(parameter, value)| format!("{} {value:.2}", parameter.name)).collect();
    bar.suspend(|| {
        writeln!(output, "{:>7}: {}", progress.done, values.join(", "))
            .and_then(|()| Write::flush(output))
    })
}

fn failure(error: SearchTuningError) -> Failure {
    let remedy = match &error {
        SearchTuningError::Different { .. } => "; give the same options, or name another file",
        SearchTuningError::Busy { .. } => "; wait for it, or name another file",
        _ => "",
    };
    match error {
        SearchTuningError::Match(error) => contest::failure(error),
        error => {
            let is_outside = matches!(error, SearchTuningError::Journal { .. });
            Failure::because(is_outside, format!("{error}{remedy}"), error)
        }
    }
}

fn constants_help() -> String {
    let names = Constants::ALL.map(|constant| constant.name).join(", ");
    format!("Which constants, separated by commas; all if left out ({names})")
}
