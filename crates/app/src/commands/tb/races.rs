//! `mousetrap tb races`: the race rule held against every position of a layer of tables.

use std::io::{IsTerminal, Write};

use jungle::causality::Races;
use serde::Serialize;
use tablebase::material::Class;
use tablebase::races::{self, Report};
use tablebase::truth::Truths;

use crate::commands::tb::args::RacesArgs;
use crate::commands::tb::set::{Set, on_threads, verdict};
use crate::failure::Failure;
use crate::output::Output;

/// What was found; the names are a contract with other programs.
#[derive(Serialize)]
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
    let mut total = Report::default();
    for (at, &class) in wanted.iter().enumerate() {
        let name = set.name_of(&list[class]).to_string();
        if std::io::stderr().is_terminal() {
            anstream::eprint!("\r{name} ({} of {})\u{1b}[K\r", at + 1, wanted.len());
        }
        truths.forget_below(args.pieces - 1);
        let report = on_threads(args.threads, || {
            let solved = truths.load(class)?;
            Ok(races::check(&solved, &races))
        })?
        .map_err(|error| set.failure(&error))?;
        // The class itself will not be asked for again.
        truths.forget(class);
        print(output, args.json, &Row::new(name, &report))?;
        total = total.plus(report);
    }
    print(output, args.json, &Row::new("all".to_owned(), &total))?;
    if !args.json {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(
            output,
            "{:.1}% of all wins and {:.1}% of all losses are claimed",
            share(total.claimed_wins, total.wins),
            share(total.claimed_losses, total.losses)
        )?;
    }
    match total.example {
        None => Ok(()),
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
