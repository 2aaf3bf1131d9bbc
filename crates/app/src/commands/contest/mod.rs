//! `mousetrap match` and `mousetrap tournament`: from arguments to a contest.

pub mod args;
pub mod openings;
pub mod program;
pub mod progress;
pub mod report;

use std::path::Path;
use std::time::{Duration, Instant};

use lab::contest::{Contest, ContestError};
use lab::record::RecordError;
use lab::settings::TEST_GAMES;
use lab::stats::{Model, Sprt};
use lab::summary::Summary;
use lab::{Settings, Spec, SpecError, TimeControl};

use self::args::{Asked, ContestArgs, MatchArgs, TournamentArgs};
use self::progress::Progress;
use crate::cli::RulesArg;
use crate::commands::tb::args::SetArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

/// The name of the file with the result.
pub const RESULT: &str = "result.json";

pub fn run_match(args: MatchArgs, output: &mut Output) -> Result<(), Failure> {
    run(args.asked()?, output)
}

pub fn run_tournament(args: TournamentArgs, output: &mut Output) -> Result<(), Failure> {
    run(args.asked()?, output)
}

fn run(asked: Asked, output: &mut Output) -> Result<(), Failure> {
    let settings = settings(&asked)?;
    let args = asked.contest;
    if args.out.is_none() && (args.resume || args.shard.is_some()) {
        return Err(Failure::Input(
            "--resume and --shard need a folder: name it with --out".to_owned(),
        ));
    }
    let concurrency = args.concurrency.unwrap_or(1);
    if concurrency == 0 {
        return Err(Failure::Input("--concurrency must be 1 or more".to_owned()));
    }
    let tables = if settings.tablebases {
        let rules = RulesArg { rules: settings.rules };
        Some(Set::open(&SetArgs { rules, dir: args.tb_dir.clone() })?.tablebase().clone())
    } else {
        None
    };
    let mut contest = Contest::new(settings.clone())
        .map_err(failure)?
        .concurrency(concurrency.into())
        .shard(args.shard)
        .tables(tables);
    if let Some(out) = &args.out {
        contest = contest.recorded_in(out.clone(), args.resume, program::made_by());
    }
    let start = Instant::now();
    let mut progress = Progress::new(&settings);
    let result = contest.run(&mut progress);
    drop(progress);
    let report = result.map_err(failure)?;
    let seconds = start.elapsed().as_secs_f64();
    let shown = Summary::new(&report.standing, &settings.time_control, settings.rules);
    if let Some(out) = args.out.as_deref().filter(|_| args.shard.is_none()) {
        write_result(out, &shown)?;
    }
    if args.json {
        return output.json(&shown);
    }
    report::write(&shown, output)?;
    report::write_work(&report, seconds, args.out.as_deref(), args.shard, output)
}

/// Writes the result into the folder of a contest.
pub fn write_result(folder: &Path, shown: &Summary) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(shown)
        .map_err(|error| Failure::outside("writing JSON", error))?;
    lab::record::write_whole(&folder.join(RESULT), &(text + "\n")).map_err(record_failure)
}

/// Reads a player; an engine without a path has to be on the `PATH`.
fn spec(text: &str) -> Result<Spec, SpecError> {
    let spec: Spec = text.parse()?;
    spec.check_program(&std::env::var_os("PATH").unwrap_or_default())?;
    Ok(spec)
}

fn settings(asked: &Asked) -> Result<Settings, Failure> {
    let args = &asked.contest;
    let players = with_interrupted(asked)?
        .iter()
        .map(|text| spec(text).map_err(|error| Failure::input(text, error)))
        .collect::<Result<Vec<_>, _>>()?;
    let usual = Settings::new(players, time_control(args)?);
    let sprt = sprt(asked)?;
    let rules = args.rules.unwrap_or(usual.rules);
    let seconds = |name: &str, seconds: Option<f64>, usual: Duration| match seconds {
        None => Ok(usual),
        Some(seconds) => Duration::try_from_secs_f64(seconds)
            .map_err(|error| Failure::input(format_args!("{name} {seconds}"), error)),
    };
    Ok(Settings {
        rules,
        seed: args.seed.unwrap_or(usual.seed),
        openings: match &args.openings {
            None => usual.openings.clone(),
            Some(name) => openings::named(name, rules)?,
        },
        games: args.games.unwrap_or(if sprt.is_some() { TEST_GAMES } else { usual.games }),
        move_limit: args.move_limit.unwrap_or(usual.move_limit),
        tablebases: args.tb,
        sprt,
        margin: seconds("--margin", args.margin, usual.margin)?,
        patience: seconds("--timeout", args.timeout, usual.patience)?,
        ..usual
    })
}

/// The players, with what a limit leaves of the depth that it interrupts.
fn with_interrupted(asked: &Asked) -> Result<Vec<String>, Failure> {
    let Some(interrupted) = asked.contest.interrupted else { return Ok(asked.players.clone()) };
    let changed = |spec: &String| lab::players::burnett::with_interrupted(spec, interrupted);
    if asked.players.iter().all(|spec| changed(spec).is_none()) {
        return Err(Failure::Input(
            "--interrupted is for Burnett's players: plain, ordering, split and both".to_owned(),
        ));
    }
    Ok(asked.players.iter().map(|spec| changed(spec).unwrap_or_else(|| spec.clone())).collect())
}

fn time_control(args: &ContestArgs) -> Result<TimeControl, Failure> {
    TimeControl::one_of(args.nodes, args.game_nodes, args.depth, args.time, args.tc.as_deref())
        .map_err(Failure::bad)
}

fn sprt(asked: &Asked) -> Result<Option<Sprt>, Failure> {
    let model = match asked.sprt_model.as_deref() {
        None | Some("logistic") => Model::Logistic,
        Some("normalised" | "normalized") => Model::Normalised,
        Some(other) => {
            return Err(Failure::Input(format!(
                "'{other}' is not an Elo model: expected logistic or normalised"
            )));
        }
    };
    match asked.sprt.as_deref() {
        None if asked.sprt_model.is_some() => {
            Err(Failure::Input("--sprt-model goes with --sprt".to_owned()))
        }
        None => Ok(None),
        Some(text) => {
            let sprt: Sprt = text.parse().map_err(|error| Failure::input("--sprt", error))?;
            Ok(Some(Sprt { model, ..sprt }))
        }
    }
}

/// A contest that failed, as the user sees it.
pub fn failure(error: ContestError) -> Failure {
    match error {
        ContestError::Record(error) => record_failure(error),
        error => Failure::bad(error),
    }
}

/// A record that cannot be written or read, as the user sees it.
pub fn record_failure(error: RecordError) -> Failure {
    let remedy = match &error {
        RecordError::Exists(_) => "; add --resume to continue it, or choose another --out",
        RecordError::Different { .. } => "; use the same settings, or choose another --out",
        RecordError::Busy(_) => "; wait for it, or play another --shard",
        RecordError::Line { .. } | RecordError::Game { .. } | RecordError::File { .. } => {
            "; move the file away to start over"
        }
        RecordError::Io { .. } | RecordError::Missing(_) => "",
    };
    Failure::because(error.is_outside(), format!("{error}{remedy}"), error)
}
