//! `mousetrap tb build`: a line for every class that is built, and how long the rest will take.
//!
//! On a terminal, a bar below the lines shows the progress; elsewhere every line does. How long it
//! will take is judged by the positions done and left, not by the classes, which differ a lot.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use tablebase::build::{BuildReport, Event, Options, Wanted, build};

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
        ..Options::default()
    };
    let mut show = Show::new(output);
    let start = Instant::now();
    let result =
        build(&args.set.rules.rules, &folder, &wanted, &options, &mut |event| show.event(&event));
    let written = show.finish();
    let outcome = result?;
    written?;
    writeln!(
        output,
        "{} of {} classes built in {:.1} s; the tables are in {}",
        outcome.built,
        outcome.classes,
        start.elapsed().as_secs_f64(),
        folder.display()
    )?;
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
    start: Instant,
    classes: usize,
    done: usize,
    /// Positions to do, done by anyone, and done here.
    work: u64,
    work_done: u64,
    work_built: u64,
}

impl<'a> Show<'a> {
    fn new(output: &'a mut Output) -> Show<'a> {
        Show {
            output,
            failed: None,
            bar: None,
            start: Instant::now(),
            classes: 0,
            done: 0,
            work: 0,
            work_done: 0,
            work_built: 0,
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Planned { classes, present, work } => {
                (self.classes, self.done, self.work) = (*classes, *present, *work);
                if present > &0 {
                    self.line(&format!("{present} of {classes} classes are there already"));
                }
                if std::io::stderr().is_terminal() && self.done < self.classes {
                    self.bar = Some(bar(*work));
                }
            }
            Event::Started { class } => self.message(&class.to_string()),
            Event::Built { report, work } => {
                self.work_built += work;
                self.advance(*work);
                let rest = match self.bar {
                    None => left(self.start.elapsed(), self.work_done, self.work),
                    Some(_) => String::new(),
                };
                let line = format!("[{}/{}] {}{rest}", self.done, self.classes, summary(report));
                self.line(&line);
            }
            Event::Found { work, .. } => self.advance(*work),
            Event::Waiting { class, owner } => {
                let owner = owner.map_or_else(|| "another process".to_owned(), ToString::to_string);
                self.line(&format!("waiting for {class}, which {owner} is building"));
            }
        }
    }

    fn advance(&mut self, work: u64) {
        self.done += 1;
        self.work_done += work;
        if let Some(bar) = &self.bar {
            bar.set_position(self.work_done);
        }
    }

    fn message(&self, class: &str) {
        if let Some(bar) = &self.bar {
            let seconds = self.start.elapsed().as_secs_f64();
            let speed = self.work_built as f64 / seconds.max(1e-9) / 1e6;
            bar.set_message(format!(
                "{}/{} classes, {speed:.1} M positions/s, at {class}",
                self.done, self.classes
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
fn left(elapsed: Duration, done: u64, work: u64) -> String {
    if done == 0 || done >= work {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() / done as f64 * (work - done) as f64;
    match Duration::try_from_secs_f64(seconds) {
        Ok(rest) => format!(", {} left", HumanDuration(rest)),
        Err(_) => String::new(),
    }
}

fn bar(work: u64) -> ProgressBar {
    let bar = ProgressBar::new(work);
    let style = ProgressStyle::with_template("{wide_bar} {percent}%{left}: {msg}");
    let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
        let work = state.len().unwrap_or(0);
        // A terminal that does not take it is not a reason to stop.
        let _ = text.write_str(&left(state.elapsed(), state.pos(), work));
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
