//! `mousetrap tb build`: a line for every class that is built, and how long the rest will take.
//!
//! On a terminal, a bar below the lines shows the progress; elsewhere every line does. How long it
//! will take is judged by the positions done and left, not by the classes, which differ a lot.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use tablebase::build::{BuildReport, Event, Options, Progress, Wanted, build};

use super::args::BuildArgs;
use super::folder;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &BuildArgs, output: &mut Output) -> Result<(), Failure> {
    let wanted = wanted(args)?;
    let folder = folder(&args.set)?;
    let options = Options {
        threads: args.threads.map(usize::from),
        memory: args.memory.0,
        wdl_only: args.wdl_only,
        both_sides: args.both_sides,
        ..Options::default()
    };
    let mut show = Show::new(output);
    let start = Instant::now();
    let result =
        build(&args.set.rules.rules, &folder, &wanted, &options, &mut |event| show.event(&event));
    let written = show.finish();
    let outcome = result?;
    written?;
    let (built, classes, folder) = (outcome.built, outcome.classes, folder.display());
    if built == 0 {
        writeln!(
            output,
            "all {classes} classes are ready, none had to be built; the tables are in {folder}"
        )?;
    } else {
        let seconds = start.elapsed().as_secs_f64();
        writeln!(
            output,
            "{built} of {classes} classes built in {seconds:.1} s; the tables are in {folder}"
        )?;
    }
    Ok(())
}

fn wanted(args: &BuildArgs) -> Result<Wanted, Failure> {
    match args.pieces {
        Some(pieces) if args.class.is_empty() => Ok(Wanted::Pieces(pieces)),
        pieces => {
            let most = pieces.unwrap_or(u32::MAX);
            match args.class.iter().find(|class| class.pieces() > most) {
                Some(class) => Err(Failure::Input(format!(
                    "the class {class} has {} pieces, more than --pieces {most}; leave out --pieces",
                    class.pieces()
                ))),
                None => Ok(Wanted::Classes(args.class.clone())),
            }
        }
    }
}

/// Reports progress to the user.
struct Show<'a> {
    output: &'a mut Output,
    /// The first failure to write; later lines are not tried.
    failed: Option<Failure>,
    /// Only on a terminal.
    bar: Option<ProgressBar>,
    progress: Progress,
    /// The same, for the bar, which looks by itself.
    shown: Arc<Mutex<Progress>>,
}

impl<'a> Show<'a> {
    fn new(output: &'a mut Output) -> Show<'a> {
        let progress = Progress::new();
        let shown = Arc::new(Mutex::new(progress));
        Show { output, failed: None, bar: None, progress, shown }
    }

    fn event(&mut self, event: &Event<'_>) {
        self.progress.event(event);
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = self.progress;
        if let Some(bar) = &self.bar {
            bar.set_position(self.progress.done);
        }
        match event {
            Event::Planned { classes, present, total, .. } => {
                if present > &0 {
                    self.line(&format!("{present} of {classes} classes are there already"));
                }
                if std::io::stderr().is_terminal() && present < classes {
                    self.bar = Some(bar(*total, Arc::clone(&self.shown)));
                }
            }
            Event::Started { class } => self.message(&class.to_string()),
            Event::Built { report, .. } => {
                let rest = match self.bar {
                    None => left(&self.progress),
                    Some(_) => String::new(),
                };
                let Progress { present, classes, .. } = self.progress;
                self.line(&format!("[{present}/{classes}] {}{rest}", summary(report)));
            }
            Event::Found { .. } => {}
            Event::Waiting { class, owner } => {
                let owner = owner.map_or_else(|| "another process".to_owned(), ToString::to_string);
                self.line(&format!("waiting for {class}, which {owner} is building"));
            }
        }
    }

    fn message(&self, class: &str) {
        if let Some(bar) = &self.bar {
            let Progress { present, classes, built, .. } = self.progress;
            let seconds = self.progress.elapsed().as_secs_f64();
            let speed = built as f64 / seconds.max(1e-9) / 1e6;
            bar.set_message(format!(
                "{present}/{classes} classes, {speed:.1} M positions/s, at {class}"
            ));
        }
    }

    fn line(&mut self, text: &str) {
        if self.failed.is_some() {
            return;
        }
        let output = &mut *self.output;
        let mut write = || -> Result<(), Failure> {
            writeln!(output, "{text}")?;
            output.flush()
        };
        let result = match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        };
        self.failed = result.err();
    }

    fn finish(self) -> Result<(), Failure> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.failed.map_or(Ok(()), Err)
    }
}

/// How long it will take if it goes on like this; nothing while that is unknown.
fn left(progress: &Progress) -> String {
    match progress.left().filter(|rest| !rest.is_zero()) {
        Some(rest) => format!(", {} left", HumanDuration(rest)),
        None => String::new(),
    }
}

fn bar(work: u64, progress: Arc<Mutex<Progress>>) -> ProgressBar {
    let bar = ProgressBar::new(work);
    let style = ProgressStyle::with_template("{wide_bar} {percent}%{left}: {msg}");
    let left = move |_: &ProgressState, text: &mut dyn fmt::Write| {
        let progress = *progress.lock().unwrap_or_else(PoisonError::into_inner);
        // A terminal that does not take it is not a reason to stop.
        let _ = text.write_str(&left(&progress));
    };
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left);
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn summary(report: &BuildReport) -> String {
    let total = report.total();
    format!(
        "{}: {} positions, {} won, {} lost, {} drawn, longest {}, {:.2} s, {:.1} M/s, {} bytes, \
         {:.3} bits/position",
        report.class,
        total.placements(),
        total.wins,
        total.losses,
        total.draws,
        total.longest,
        report.time.as_secs_f64(),
        report.positions_per_second() / 1e6,
        report.bytes,
        report.bits_per_position(),
    )
}
