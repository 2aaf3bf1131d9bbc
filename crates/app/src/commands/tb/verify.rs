//! `mousetrap tb verify`: are the tables what was written, and is what was written true?
//!
//! Checksums take as long as reading the files. `--full` recomputes every position, class by class,
//! and holds in memory the class, and all of one piece less that were needed so far.

use std::io::{IsTerminal, Write};
use std::time::Instant;

use jungle::Color;
use rayon::prelude::*;
use serde::Serialize;
use tablebase::material::Material;
use tablebase::source::{Folder, Source};
use tablebase::stats::mapping;
use tablebase::table::{TableError, file_name};
use tablebase::truth::Truths;
use tablebase::verify::{self, Report};

use crate::commands::tb::args::VerifyArgs;
use crate::commands::tb::set::{Set, material_of, on_threads, table_files, verdict};
use crate::commands::tb::stats::nothing;
use crate::failure::Failure;
use crate::output::Output;

/// A table checked; the names are a contract with other programs.
#[derive(Serialize)]
struct Row {
    file: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    speed: Option<Speed>,
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
        let error = result.err();
        if error.is_some() || !args.full {
            let row = Row { file: file.clone(), ok: error.is_none(), error, speed: None };
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
            "{} of {} tables in {} are bad, {first} first; delete them and build them anew with \
             `mousetrap tb build`",
            bad.len(),
            files.len(),
            set.folder.display()
        ))),
    }
}

/// The files asked for that are there, smaller classes first.
fn wanted_files(set: &Set, args: &VerifyArgs) -> Result<Vec<String>, Failure> {
    if !args.class.is_empty() {
        let file = |class: &_| {
            let found = mapping(set.tablebase.classes(), set.rules(), *class).ok_or_else(|| {
                Failure::Input(format!("there is no table for {class} in {}", set.folder.display()))
            })?;
            Ok(file_name(set.tablebase.classes().list()[found.class].material))
        };
        return args.class.iter().map(file).collect();
    }
    let mut files = table_files(&set.folder)?;
    let pieces = |file: &String| material_of(file).map(Material::pieces);
    files.retain(|file| args.pieces.is_none_or(|wanted| pieces(file) == Some(wanted)));
    files.sort_by_key(pieces);
    if files.is_empty() { Err(nothing(set, args.pieces)) } else { Ok(files) }
}

/// Checks one file: that it is readable, names a class and belongs to the set, header and contents.
fn checksums(set: &Set, file: &str) -> Result<(), String> {
    let bytes = match Folder::new(&set.folder).open(file) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            let pieces = material_of(file).map_or(2, Material::pieces);
            return Err(format!("missing; build it with `{}`", set.build_command(pieces)));
        }
        Err(error) => return Err(error.to_string()),
    };
    verify::checksums(bytes).map_err(|error: TableError| error.to_string())?;
    let class = class_of(set, file).ok_or("no table of this set has this name; delete it")?;
    set.tablebase.table(class).map(drop).map_err(|error| error.to_string())
}

fn class_of(set: &Set, file: &str) -> Option<usize> {
    let material = material_of(file)?;
    set.tablebase.classes().list().iter().position(|class| class.material == material)
}

/// Recomputes all positions; gives the files that are not true.
fn verify_fully(
    set: &Set,
    files: &[String],
    args: &VerifyArgs,
    output: &mut Output,
) -> Result<Vec<String>, Failure> {
    let mut truths = Truths::new(&set.tablebase);
    let mut bad = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let Some(class) = class_of(set, file) else { continue };
        truths.forget_below(set.tablebase.classes().list()[class].material.pieces() - 1);
        let start = Instant::now();
        let is_watched = std::io::stderr().is_terminal();
        let progress = |done: u64| {
            if is_watched {
                let count = files.len();
                anstream::eprint!("\r{file} ({} of {count}): {done} positions\u{1b}[K\r", at + 1);
            }
        };
        let report = on_threads(args.threads, || verify::full(&mut truths, class, progress))?
            .map_err(|error| set.failure(&error))?;
        let seconds = start.elapsed().as_secs_f64();
        let row = Row {
            file: file.clone(),
            ok: report.is_good(),
            error: fault(&report),
            speed: Some(Speed {
                positions: report.positions,
                seconds,
                positions_per_second: (report.positions as f64 / seconds) as u64,
            }),
        };
        print(&row, args.json, output)?;
        bad.extend((!row.ok).then(|| file.clone()));
    }
    Ok(bad)
}

/// What is false in a table.
fn fault(report: &Report) -> Option<String> {
    if let Some(first) = &report.mismatch {
        let turn = first.position.turn();
        return Some(format!(
            "{} positions are false, the first {}: stored \"{}\", recomputed \"{}\"",
            report.mismatches,
            first.position,
            verdict(turn, first.stored),
            verdict(turn, first.recomputed)
        ));
    }
    let turn = Color::ALL.into_iter().find(|&turn| !report.counts[turn].agree())?;
    let counts = report.counts[turn];
    Some(format!(
        "the counts for {turn} to move are false: stored {:?}, recomputed {:?}",
        counts.stored, counts.counted
    ))
}

fn print(row: &Row, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        output.json(row)?;
    } else {
        let file = &row.file;
        match (&row.error, &row.speed) {
            (Some(error), _) => writeln!(output, "{file}  bad: {error}")?,
            (None, None) => writeln!(output, "{file}  good")?,
            (None, Some(Speed { positions, seconds, positions_per_second })) => writeln!(
                output,
                "{file}  good: {positions} positions in {seconds:.2} s, {positions_per_second}/s"
            )?,
        }
    }
    output.flush()
}
