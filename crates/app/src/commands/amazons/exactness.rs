//! `mousetrap amazons exactness`: how often values added up over regions differ from the truth, and why.

use std::io::Write;

use amazons::classes::Classes;
use amazons::exactness::{self, Exactness, Made, Tally};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::args::ExactnessArgs;
use super::reasons::Reasons;
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
    #[serde(flatten)]
    reasons: Reasons,
}

/// What a board is made of, in words.
pub fn name(made: Made) -> &'static str {
    match made {
        Made::Filling => "filling only",
        Made::OneCompeting => "one competing",
        Made::Competing => "several competing",
    }
}

pub fn run(args: &ExactnessArgs, output: &mut Output) -> Result<(), Failure> {
    let start = exactness::start(args.size, args.amazons as usize);
    let mut compared = Exactness::new(args.depth);
    let reachable = match args.sample {
        None => Some(look_at_all(args, &start, &mut compared)?),
        Some(count) => {
            let progress = ProgressBar::new(count);
            exactness::sampled(&start, count, args.squares, args.seed, |position| {
                compared.look_at(position);
                progress.inc(1);
            });
            progress.finish_and_clear();
            None
        }
    };

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
    let reasons = Reasons::of(figures, compared.weights());
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
            reasons,
        });
    }
    let which = match (reachable, args.sample) {
        (Some(count), _) => format!("all that can be reached ({count} classes in all)"),
        (None, count) => format!("{} from random games", count.unwrap_or_default()),
    };
    writeln!(
        output,
        "{} with {} {} a side, at most {} empty squares, positions in several parts: {which}",
        args.size,
        args.amazons,
        if args.amazons == 1 { "amazon" } else { "amazons" },
        args.squares
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
    let by_brute_force = match args.sample {
        Some(_) => format!("{} positions", figures.brute_force_nodes),
        None => "a glance at each".to_owned(),
    };
    writeln!(
        output,
        "exact solver: {} solved, {} disagreements with brute force; {} steps against {by_brute_force}",
        figures.solved, figures.disagreements, figures.solver_steps
    )?;
    reasons.write(figures, output)
}

/// Looks at all positions that can be reached, and returns how many classes of them there are.
fn look_at_all(
    args: &ExactnessArgs,
    start: &amazons::Position,
    compared: &mut Exactness,
) -> Result<u64, Failure> {
    let progress = ProgressBar::new_spinner();
    let classes = Classes::of(start, |found| {
        progress.set_message(format!("{found} classes of positions listed"));
        progress.tick();
    });
    let classes = classes.map_err(|error| Failure::Input(format!("{error}: use --sample 1000")))?;
    progress.set_length(classes.count());
    progress.set_style(ProgressStyle::default_bar());
    classes.backwards(&compared.weights(), args.depth, |known| {
        if known.position.empty().len() <= args.squares {
            compared.look_at_known(known);
        }
        progress.inc(1);
    });
    progress.finish_and_clear();
    Ok(classes.count())
}
