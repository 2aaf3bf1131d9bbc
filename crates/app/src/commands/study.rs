//! Studies on the command line: their progress on standard error, their results on standard output, and the
//! remedies for their errors.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use etcetera::BaseStrategy;
use indicatif::{ProgressBar, ProgressStyle};
use lab::Settings;
use lab::contest::Observer;
use studies::{Context, Finished, Progress, Study, StudyError};

use crate::commands::contest::{self, program};
use crate::commands::tb;
use crate::failure::Failure;
use crate::output::Output;

/// The parameters of a measurement, and how its results are shown.
#[derive(Debug, Args)]
pub struct Measure<P: Args> {
    #[command(flatten)]
    pub params: P,
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// Leave a record in this folder, and keep there what a run that is stopped can go on with
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Runs a measurement and shows it.
pub fn measure<S: Study>(args: &Measure<S::Params>, output: &mut Output) -> Result<(), Failure> {
    let Some(finished) = studies::run::<S>(&args.params, &mut context(args.out.clone()))? else {
        return Ok(());
    };
    print(&finished, args.json, output)?;
    if let Some(folder) = &args.out {
        finished.record().write(folder)?;
    }
    Ok(())
}

/// Results as text, or as lines of JSON.
pub fn print(finished: &Finished, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        finished.lines().iter().try_for_each(|line| writeln!(output, "{line}"))?;
    } else {
        write!(output, "{}", finished.text())?;
    }
    output.flush()
}

/// The context of a run of this program.
pub fn context(folder: Option<PathBuf>) -> Context<'static> {
    Context {
        made_by: program::made_by(),
        folder,
        tables: tb::tables_folder(None).ok(),
        data: etcetera::choose_base_strategy()
            .ok()
            .map(|strategy| strategy.data_dir().join("mousetrap")),
        progress: Box::new(Shown { bar: ProgressBar::hidden() }),
        ..Context::default()
    }
}

/// Progress as a bar, on a terminal; notes as lines, anywhere.
struct Shown {
    bar: ProgressBar,
}

impl Progress for Shown {
    fn note(&mut self, text: &str) {
        self.bar.suspend(|| anstream::eprintln!("{text}"));
    }

    fn begin(&mut self, unit: &str, total: Option<u64>) {
        self.bar = match total {
            Some(total) => {
                let template = format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{eta}} left {{msg}}");
                let style = ProgressStyle::with_template(&template)
                    .unwrap_or_else(|_| ProgressStyle::default_bar());
                ProgressBar::new(total).with_style(style)
            }
            None => ProgressBar::new_spinner(),
        };
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    fn message(&mut self, text: &str) {
        self.bar.set_message(text.to_owned());
    }

    fn advance(&mut self) {
        self.bar.inc(1);
    }

    fn end(&mut self) {
        self.bar.finish_and_clear();
    }

    fn contest<'a>(&'a mut self, settings: &Settings) -> Box<dyn Observer + 'a> {
        Box::new(contest::progress::Progress::new(settings))
    }
}

/// An error of a study with the flag that helps.
impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Failure {
        let mut message = match error {
            StudyError::Contest(error) => return contest::failure(error),
            StudyError::Record(error) => return contest::record_failure(error),
            StudyError::Tables(error) => return error.into(),
            StudyError::Build(error) => return error.into(),
            StudyError::Parameter { name, ref reason } => {
                format!("--{}: {reason}", name.replace('_', "-"))
            }
            ref error => error.to_string(),
        };
        message.push_str(remedy(&error));
        Failure::because(error.is_outside(), message, error)
    }
}

/// The remedy on the command line.
fn remedy(error: &StudyError) -> &'static str {
    match error {
        StudyError::GamesThere(_) => {
            "; add --resume to use them, or choose another folder with --games-dir"
        }
        StudyError::ResultsThere(_) => {
            "; add --resume to continue them, or name another folder with --out"
        }
        StudyError::OtherRun { .. } => "; name another place with --out",
        StudyError::PartsMissing { .. } => " with --shard",
        StudyError::SeveralLimits => " (--nodes, --depth or --time)",
        StudyError::BudgetNeeded(_) => " with --game-nodes",
        StudyError::TooManyClasses(_) => ": use --sample 1000",
        StudyError::NoTables => "; name one with --dir",
        _ => "",
    }
}
