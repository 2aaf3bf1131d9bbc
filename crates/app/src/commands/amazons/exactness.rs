//! `mousetrap amazons exactness`: how often values added up over regions differ from the truth.

use std::io::Write;

use amazons::exactness::{self, Exactness, Made, Tally};
use serde::Serialize;

use super::args::ExactnessArgs;
use crate::failure::Failure;
use crate::output::Output;

/// A row: one depth, boards of one kind.
#[derive(Serialize)]
struct Row {
    depth: u32,
    made_of: &'static str,
    positions: u64,
    other_value: u64,
    too_high: u64,
    worse_move: u64,
    won: u64,
    thrown_away: u64,
    plain_thrown_away: u64,
}

#[derive(Serialize)]
struct Shown {
    size: String,
    amazons: u32,
    squares: u32,
    sample: Option<u64>,
    seed: u64,
    /// Classes of positions that can be reached, when all were looked at.
    reachable: Option<u64>,
    rows: Vec<Row>,
    solved: u64,
    disagreements: u64,
    brute_force_nodes: u64,
    solver_steps: u64,
}

fn name(made: Made) -> &'static str {
    match made {
        Made::Filling => "filling only",
        Made::OneCompeting => "one competing",
        Made::Competing => "several competing",
    }
}

pub fn run(args: &ExactnessArgs, output: &mut Output) -> Result<(), Failure> {
    let start = exactness::start(args.size, args.amazons as usize);
    if args.sample.is_none() && start.empty().len() > 14 {
        return Err(Failure::Input(format!(
            "{} squares to fill have too many positions to look at all: use --sample 1000",
            start.empty().len()
        )));
    }
    let mut compared = Exactness::new(args.depth);
    let progress = match args.sample {
        Some(count) => indicatif::ProgressBar::new(count),
        None => indicatif::ProgressBar::new_spinner(),
    };
    let look = |position: &amazons::Position| {
        compared.look_at(position);
        progress.inc(1);
    };
    let reachable = match args.sample {
        None => Some(exactness::reachable(&start, args.squares, look)),
        Some(count) => {
            exactness::sampled(&start, count, args.squares, args.seed, look);
            None
        }
    };
    progress.finish_and_clear();

    let figures = compared.figures();
    let mut rows = Vec::new();
    for (tallies, depth) in figures.tallies.iter().zip(1..) {
        for (made, &tally) in Made::ALL.into_iter().zip(tallies) {
            let Tally { positions, other_value, too_high, worse_move, .. } = tally;
            let Tally { won, thrown_away, plain_thrown_away, .. } = tally;
            let made_of = name(made);
            rows.push(Row {
                depth,
                made_of,
                positions,
                other_value,
                too_high,
                worse_move,
                won,
                thrown_away,
                plain_thrown_away,
            });
        }
    }
    if args.json {
        return output.json(&Shown {
            size: args.size.to_string(),
            amazons: args.amazons,
            squares: args.squares,
            sample: args.sample,
            seed: args.seed,
            reachable,
            rows,
            solved: figures.solved,
            disagreements: figures.disagreements,
            brute_force_nodes: figures.brute_force_nodes,
            solver_steps: figures.solver_steps,
        });
    }
    let which = match (reachable, args.sample) {
        (Some(count), _) => format!("all that can be reached ({count} classes in all)"),
        (None, count) => format!("{} from random games", count.unwrap_or_default()),
    };
    writeln!(
        output,
        "{} with {} amazons a side, at most {} empty squares, positions in several parts: {which}",
        args.size, args.amazons, args.squares
    )?;
    writeln!(
        output,
        "{:>5} {:<18} {:>9} {:>12} {:>9} {:>11} {:>9} {:>12} {:>12}",
        "depth",
        "sub-boards",
        "positions",
        "other value",
        "too high",
        "worse move",
        "won",
        "thrown away",
        "(by plain)"
    )?;
    for row in &rows {
        let share = |count: u64| match row.positions {
            0 => "-".to_owned(),
            all => format!("{:.2}%", 100.0 * count as f64 / all as f64),
        };
        writeln!(
            output,
            "{:>5} {:<18} {:>9} {:>12} {:>9} {:>11} {:>9} {:>12} {:>12}",
            row.depth,
            row.made_of,
            row.positions,
            share(row.other_value),
            share(row.too_high),
            share(row.worse_move),
            row.won,
            row.thrown_away,
            row.plain_thrown_away
        )?;
    }
    Ok(writeln!(
        output,
        "exact solver: {} solved, {} disagreements with brute force; {} steps against {} positions",
        figures.solved, figures.disagreements, figures.solver_steps, figures.brute_force_nodes
    )?)
}
