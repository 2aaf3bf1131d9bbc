//! `mousetrap tb verify`: checks tables against their checksums, and their values against the rules.
//!
//! Checksums take as long as reading the files. `--full` recomputes every position, class by class,
//! and holds in memory the class, and all of one piece less that were needed so far. What is finished stands in the
//! ledger of the set, so that a run that was killed is resumed by another like it.

use std::io::{IsTerminal, Write};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use answers::{Refusal, in_words};
use jungle::Color;
use rayon::prelude::*;
use serde::Serialize;
use tablebase::Material;
use tablebase::class::Loader;
use tablebase::verify::ledger::{self, Identity, Ledger, LedgerEntry};
use tablebase::verify::{self, VerifyReport};

use crate::commands::contest::program;
use crate::commands::tb::args::VerifyArgs;
use crate::commands::tb::set::{Set, on_threads};
use crate::failure::Failure;
use crate::output::Output;

/// A table checked; the names are a contract with other programs.
#[derive(Serialize)]
struct VerifyRow {
    file: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    speed: Option<Speed>,
    /// What the ledger has of an earlier run that found it good; nothing was recomputed then.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<Verified>,
}

/// What the ledger of a set says of a table; the names are a contract with other programs.
#[derive(Clone, Serialize)]
pub struct Verified {
    /// Whether every position was right.
    pub good: bool,
    /// By which version of the program.
    pub version: String,
    positions: u64,
    /// In seconds since 1970.
    time: u64,
}

impl Verified {
    pub fn new(entry: &LedgerEntry) -> Verified {
        let LedgerEntry { good, version, positions, time, .. } = entry.clone();
        Verified { good, version, positions, time }
    }

    /// In a word or two.
    pub fn in_words(&self) -> String {
        if self.good { self.version.clone() } else { format!("false, by {}", self.version) }
    }
}

#[derive(Serialize)]
struct Speed {
    positions: u64,
    seconds: f64,
    positions_per_second: u64,
}

pub fn run(args: &VerifyArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open_as_it_is(&args.set)?;
    let files = wanted_files(&set, args)?;
    // A thread pool wants work that can be sent to it; the output stays here.
    let checked = on_threads(args.threads, || {
        files.par_iter().map(|file| checksums(&set, file)).collect::<Vec<_>>()
    })?;
    let mut bad = Vec::new();
    for (file, result) in files.iter().zip(checked) {
        let error = result.err().map(|refusal| refusal.message);
        if error.is_some() || !args.full {
            let ok = error.is_none();
            let row = VerifyRow { file: file.clone(), ok, error, speed: None, verified: None };
            print(&row, args.json, output)?;
            bad.extend((!row.ok).then(|| file.clone()));
        }
    }
    if args.full && bad.is_empty() {
        bad = verify_fully(&set, &files, args, output)?;
    }
    match bad.first() {
        None if args.json => Ok(()),
        None => Ok(writeln!(output, "{} tables are good", files.len())?),
        Some(first) => Err(Failure::Outside(format!(
            "{} of {} tables in {} are bad, {first} first; delete them and rebuild them with \
             `mousetrap tb build`",
            bad.len(),
            files.len(),
            set.folder().display()
        ))),
    }
}

/// The files asked for that are there, smaller classes first.
fn wanted_files(set: &Set, args: &VerifyArgs) -> Result<Vec<String>, Failure> {
    if !args.class.is_empty() {
        let file = |class: &Material| {
            let file = set.tablebase().file_of(*class);
            file.map_err(|_| {
                let folder = set.folder().display();
                Failure::Input(format!("there is no table for {class} in {folder}"))
            })
        };
        return args.class.iter().map(file).collect();
    }
    let mut files = set.files()?;
    let pieces = |file: &String| set.tablebase().class_of_file(file).map(Material::pieces);
    files.retain(|file| args.pieces.is_none_or(|wanted| pieces(file) == Some(wanted)));
    files.sort_by_key(pieces);
    if files.is_empty() { Err(set.empty(args.pieces).into()) } else { Ok(files) }
}

/// Checks one file: that it names a class of the set and is readable, header and contents.
fn checksums(set: &Set, file: &str) -> Result<(), Refusal> {
    let class = set.tablebase().class_of_file(file).ok_or_else(|| {
        Refusal::bad("not-a-table", "no table of this set has this name; delete it")
    })?;
    verify::checksums(set.tablebase(), class).map_err(|error| set.refusal(error))
}

/// Recomputes all positions; returns the files that are wrong.
fn verify_fully(
    set: &Set,
    files: &[String],
    args: &VerifyArgs,
    output: &mut Output,
) -> Result<Vec<String>, Failure> {
    let mut loader = Loader::new(set.tablebase());
    let mut ledger = Ledger::read(set.folder()).map_err(|error| unreadable(set, error))?;
    let mut recording = true;
    let mut bad = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let Some(class) = set.tablebase().class_of_file(file) else { continue };
        let identity = set.tablebase().identity(class).map_err(|error| set.failure(error))?;
        if let Some(entry) = ledger.entry(&identity).filter(|entry| entry.good && !args.again) {
            let verified = Some(Verified::new(entry));
            let file = file.clone();
            let row = VerifyRow { file, ok: true, error: None, speed: None, verified };
            print(&row, args.json, output)?;
            continue;
        }
        loader.forget_below(class.pieces() - 1);
        let start = Instant::now();
        let is_watched = std::io::stderr().is_terminal();
        let progress = |done: u64| {
            if is_watched {
                let count = files.len();
                anstream::eprint!("\r{file} ({} of {count}): {done} positions\u{1b}[K\r", at + 1);
            }
        };
        let report = on_threads(args.threads, || verify::full(&mut loader, class, progress))?
            .map_err(|error| set.failure(error))?;
        let seconds = start.elapsed().as_secs_f64();
        let row = VerifyRow {
            file: file.clone(),
            ok: report.is_good(),
            error: fault(&report),
            speed: Some(Speed {
                positions: report.positions,
                seconds,
                positions_per_second: (report.positions as f64 / seconds) as u64,
            }),
            verified: None,
        };
        if recording && let Err(error) = ledger.record(entry(identity, &report, seconds)) {
            // A set that cannot be written, as on a disk of data, can be verified all the same.
            anstream::eprintln!("the ledger in {} is not kept: {error}", set.folder().display());
            recording = false;
        }
        print(&row, args.json, output)?;
        bad.extend((!row.ok).then(|| file.clone()));
    }
    Ok(bad)
}

fn unreadable(set: &Set, error: std::io::Error) -> Failure {
    Failure::outside(format!("reading {}", set.folder().join(ledger::FILE).display()), error)
}

/// What the ledger will say of a table.
fn entry(identity: Identity, report: &VerifyReport, seconds: f64) -> LedgerEntry {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (good, positions, version) = (report.is_good(), report.positions, program::version());
    LedgerEntry { identity, good, positions, seconds, version, time: now.as_secs() }
}

/// What is wrong in a table.
fn fault(report: &VerifyReport) -> Option<String> {
    if let Some(first) = &report.mismatch {
        let turn = first.position.turn();
        return Some(format!(
            "{} positions are false, the first {}: stored \"{}\", recomputed \"{}\"",
            report.mismatches,
            first.position,
            in_words(turn, first.stored),
            in_words(turn, first.recomputed)
        ));
    }
    let turn = Color::ALL.into_iter().find(|&turn| !report.counts[turn].agree())?;
    let counts = report.counts[turn];
    Some(format!(
        "the counts for {turn} to move are false: stored {:?}, recomputed {:?}",
        counts.stored, counts.counted
    ))
}

fn print(row: &VerifyRow, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        output.json(row)?;
    } else {
        let file = &row.file;
        match (&row.error, &row.speed) {
            (Some(error), _) => writeln!(output, "{file}  bad: {error}")?,
            (None, None) => match &row.verified {
                None => writeln!(output, "{file}  good")?,
                Some(verified) => {
                    writeln!(output, "{file}  good: verified before, by {}", verified.version)?;
                }
            },
            (None, Some(Speed { positions, seconds, positions_per_second })) => writeln!(
                output,
                "{file}  good: {positions} positions in {seconds:.2} s, {positions_per_second}/s"
            )?,
        }
    }
    output.flush()
}
