//! `mousetrap tb races`: the race rule checked against every position of a layer of tables.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use answers::in_words;
use studies::races::{Event, RaceRow, check_layer};

use crate::commands::tb::args::RacesArgs;
use crate::commands::tb::set::{Set, on_threads};
use crate::failure::Failure;
use crate::output::Output;

/// Progress, on standard error: on a terminal always, elsewhere now and then.
struct Progress {
    start: Instant,
    shown: Instant,
}

/// How long to wait between two lines where there is no terminal.
const QUIET: Duration = Duration::from_secs(30);

impl Progress {
    fn show(&mut self, name: &str, done: usize, of: usize) {
        let watched = std::io::stderr().is_terminal();
        if !watched && self.shown.elapsed() < QUIET {
            return;
        }
        self.shown = Instant::now();
        let eta = match done {
            0 => String::new(),
            _ => {
                let each = self.start.elapsed().as_secs_f64() / done as f64;
                format!(", about {:.0} s left", each * (of - done) as f64)
            }
        };
        let text = format!("{name} ({} of {of}{eta})", done + 1);
        if watched {
            anstream::eprint!("\r{text}\u{1b}[K\r");
        } else {
            anstream::eprintln!("{text}");
        }
    }
}

pub fn run(args: &RacesArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    if !args.json {
        writeln!(
            output,
            "{:<10}{:>14}{:>14}{:>9}{:>14}{:>14}{:>8}{:>8}",
            "class", "positions", "fired", "share", "exact", "upper bounds", "longest", "false"
        )?;
    }
    let now = Instant::now();
    let mut progress = Progress { start: now, shown: now };
    let mut failed = None;
    let checked = on_threads(args.threads, || {
        check_layer(&set, args.pieces, args.out.as_deref(), &mut |event| match event {
            Event::Begun { class, done, of } => {
                progress.show(class, done, of);
                true
            }
            Event::Done(row) => {
                failed = print(output, args.json, row).err();
                failed.is_none()
            }
        })
    })?;
    failed.map_or(Ok(()), Err)?;
    let (total, example) = checked?;
    print(output, args.json, &total)?;
    if !args.json {
        let [wins, losses] = total.claimed();
        writeln!(output, "{wins:.1}% of all wins and {losses:.1}% of all losses are claimed")?;
    }
    match example {
        None if total.false_claims == 0 => Ok(()),
        None => Err(Failure::Outside(format!(
            "{} claims are false, found by an earlier run; run it without --out for an example",
            total.false_claims
        ))),
        Some((position, claim, truth)) => Err(Failure::Outside(format!(
            "{} claims are false, one of them about {position}: claimed \"{}\", in truth \"{}\"",
            total.false_claims,
            in_words(position.turn(), claim),
            in_words(position.turn(), truth)
        ))),
    }
}

fn print(output: &mut Output, json: bool, row: &RaceRow) -> Result<(), Failure> {
    if json {
        output.json(row)?;
    } else {
        writeln!(
            output,
            "{:<10}{:>14}{:>14}{:>8.1}%{:>14}{:>14}{:>8}{:>8}",
            row.class,
            row.positions,
            row.fired,
            row.share(),
            row.exact,
            row.upper_bounds,
            row.longest,
            row.false_claims
        )?;
    }
    output.flush()
}
