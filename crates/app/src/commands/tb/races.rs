//! `mousetrap tb races`: the race rule held against every position of a layer of tables.
//!
//! With `--out` every class is written down when it is done, a line each, and not checked again by a later
//! run with the same file.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use jungle::causality::Races;
use serde::{Deserialize, Serialize};
use tablebase::material::Class;
use tablebase::races::{self, Report};
use tablebase::truth::Truths;

use crate::commands::tb::args::RacesArgs;
use crate::commands::tb::set::{Set, on_threads, verdict};
use crate::failure::Failure;
use crate::output::Output;

/// What was found; the names are a contract with other programs.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Row {
    class: String,
    positions: u64,
    wins: u64,
    losses: u64,
    fired: u64,
    correct: u64,
    claimed_wins: u64,
    claimed_losses: u64,
    exact: u64,
    upper_bounds: u64,
    longest: u32,
    false_claims: u64,
}

impl Row {
    fn new(class: String, report: &Report) -> Row {
        Row {
            class,
            positions: report.positions,
            wins: report.wins,
            losses: report.losses,
            fired: report.claimed() + report.false_claims,
            correct: report.claimed(),
            claimed_wins: report.claimed_wins,
            claimed_losses: report.claimed_losses,
            exact: report.exact,
            upper_bounds: report.claimed() - report.exact,
            longest: report.longest,
            false_claims: report.false_claims,
        }
    }

    /// Both together, under the name of the first.
    fn plus(self, other: &Row) -> Row {
        Row {
            class: self.class,
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            fired: self.fired + other.fired,
            correct: self.correct + other.correct,
            claimed_wins: self.claimed_wins + other.claimed_wins,
            claimed_losses: self.claimed_losses + other.claimed_losses,
            exact: self.exact + other.exact,
            upper_bounds: self.upper_bounds + other.upper_bounds,
            longest: self.longest.max(other.longest),
            false_claims: self.false_claims + other.false_claims,
        }
    }
}

/// A line of the file of `--out`.
#[derive(Serialize, Deserialize)]
struct Kept {
    rules: String,
    #[serde(flatten)]
    row: Row,
}

/// The classes that were checked before, and where to write down the next ones.
struct Journal {
    file: Option<File>,
    rules: String,
    known: BTreeMap<String, Row>,
}

impl Journal {
    fn open(path: Option<&Path>, rules: String) -> Result<Journal, Failure> {
        let mut journal = Journal { file: None, rules, known: BTreeMap::new() };
        let Some(path) = path else { return Ok(journal) };
        let reading = |error| Failure::outside(format!("reading {}", path.display()), error);
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(reading(error)),
        };
        // A line that was cut off by a kill is written again.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        for (at, line) in whole.lines().enumerate() {
            let about = || format!("{}, line {}", path.display(), at + 1);
            let kept: Kept = serde_json::from_str(line).map_err(|error| {
                Failure::input(&about(), format!("{error}; name another file with --out"))
            })?;
            if kept.rules != journal.rules {
                return Err(Failure::Input(format!(
                    "{} is about {}, not {}; name another file with --out",
                    about(),
                    kept.rules,
                    journal.rules
                )));
            }
            journal.known.insert(kept.row.class.clone(), kept.row);
        }
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(path).map_err(reading)?;
        file.set_len(whole.len() as u64).map_err(reading)?;
        journal.file = Some(file);
        Ok(journal)
    }

    fn keep(&mut self, row: &Row) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let kept = Kept { rules: self.rules.clone(), row: row.clone() };
        let failed = |error: std::io::Error| Failure::outside("writing the results", error);
        let line = serde_json::to_string(&kept).map_err(|error| failed(error.into()))?;
        file.write_all((line + "\n").as_bytes()).map_err(failed)
    }
}

/// How far it is, on standard error: on a terminal always, elsewhere now and then.
struct Progress {
    start: Instant,
    shown: Instant,
    left: usize,
    done: usize,
}

/// How long to wait between two lines where there is no terminal.
const QUIET: Duration = Duration::from_secs(30);

impl Progress {
    fn show(&mut self, name: &str) {
        let watched = std::io::stderr().is_terminal();
        if !watched && self.shown.elapsed() < QUIET {
            return;
        }
        self.shown = Instant::now();
        let eta = match self.done {
            0 => String::new(),
            done => {
                let each = self.start.elapsed().as_secs_f64() / done as f64;
                format!(", about {:.0} s left", each * (self.left - done) as f64)
            }
        };
        let text = format!("{name} ({} of {}{eta})", self.done + 1, self.left);
        if watched {
            anstream::eprint!("\r{text}\u{1b}[K\r");
        } else {
            anstream::eprintln!("{text}");
        }
    }
}

pub fn run(args: &RacesArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    let mut truths = Truths::new(&set.tablebase);
    let races = Races::new(set.tablebase.classes().rules());
    let list = set.tablebase.classes().list();
    let of_size = |class: &Class| class.material.pieces() == args.pieces;
    let wanted: Vec<usize> = (0..list.len()).filter(|&at| of_size(&list[at])).collect();
    if wanted.is_empty() {
        return Err(super::stats::nothing(&set, Some(args.pieces)));
    }
    if !args.json {
        writeln!(
            output,
            "{:<10}{:>14}{:>14}{:>9}{:>14}{:>14}{:>8}{:>8}",
            "class", "positions", "fired", "share", "exact", "upper bounds", "longest", "false"
        )?;
    }
    let rules = set.tablebase.classes().rules().to_string();
    let mut journal = Journal::open(args.out.as_deref(), rules)?;
    let name_of = |class: usize| set.name_of(&list[class]).to_string();
    let left = wanted.iter().filter(|&&class| !journal.known.contains_key(&name_of(class))).count();
    let now = Instant::now();
    let mut progress = Progress { start: now, shown: now, left, done: 0 };
    let mut total = Row { class: "all".to_owned(), ..Row::default() };
    let mut example = None;
    for &class in &wanted {
        let name = name_of(class);
        if let Some(row) = journal.known.get(&name) {
            print(output, args.json, row)?;
            total = total.plus(row);
            continue;
        }
        progress.show(&name);
        truths.forget_below(args.pieces - 1);
        let report = on_threads(args.threads, || {
            let solved = truths.load(class)?;
            Ok(races::check(&solved, &races))
        })?
        .map_err(|error| set.failure(&error))?;
        // The class itself will not be asked for again.
        truths.forget(class);
        let row = Row::new(name, &report);
        journal.keep(&row)?;
        print(output, args.json, &row)?;
        total = total.plus(&row);
        example = example.or(report.example);
        progress.done += 1;
    }
    print(output, args.json, &total)?;
    if !args.json {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(
            output,
            "{:.1}% of all wins and {:.1}% of all losses are claimed",
            share(total.claimed_wins, total.wins),
            share(total.claimed_losses, total.losses)
        )?;
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
            verdict(position.turn(), claim),
            verdict(position.turn(), truth)
        ))),
    }
}

fn print(output: &mut Output, json: bool, row: &Row) -> Result<(), Failure> {
    if json {
        output.json(row)?;
    } else {
        let share = 100.0 * row.fired as f64 / row.positions.max(1) as f64;
        writeln!(
            output,
            "{:<10}{:>14}{:>14}{share:>8.1}%{:>14}{:>14}{:>8}{:>8}",
            row.class,
            row.positions,
            row.fired,
            row.exact,
            row.upper_bounds,
            row.longest,
            row.false_claims
        )?;
    }
    output.flush()
}
