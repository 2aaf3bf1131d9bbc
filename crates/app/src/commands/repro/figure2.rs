//! Figure 2 of van Rijn & Vis (2014): three trees for two-piece endgames, held against our tables.
//!
//! Table 3 of the paper leaves its features open here and there. All readings that were thought of are
//! tried; the one that `mining` uses is named, and the best of the others. Then come the smallest
//! perfect trees that were found with the same features. The record has pictures of the features.

use std::io::Write;

use jungle::{Color, Rules};
use lab::study::Table;
use mining::cells::{self, Cells};
use mining::data::Dataset;
use mining::feature::pictures::PICTURES;
use mining::feature::table3::{Crossed, Metric, READING, Reading};
use mining::feature::{available, select};
use mining::population::Population;
use mining::readings::{self, FIGURE_2};
use serde::Serialize;
use tablebase::truth::Truths;

use super::record;
use crate::cli::{ReproArgs, RulesArg};
use crate::commands::tb::args::SetArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

const TITLE: &str = "van Rijn & Vis (2014), Figure 2: three decision trees for two pieces";

/// A tree on a class; the names are a contract with other programs.
#[derive(Serialize)]
struct Row {
    tree: char,
    about: &'static str,
    class: String,
    positions: u64,
    errors: u64,
    published_errors: u64,
    equal: bool,
    /// The smallest tree found with the features of Table 3, and what it cannot get right.
    smallest_questions: usize,
    smallest_leaves: usize,
    smallest_errors: u64,
}

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    let rules = RulesArg { rules: Rules::LEIDEN };
    let set = Set::open(&SetArgs { rules, dir: args.dir.clone() })?;
    let mut truths = Truths::new(&set.tablebase);
    let mut populations = Vec::new();
    for tree in FIGURE_2 {
        for class in tree.classes {
            let material = class.parse().map_err(|error| Failure::input("bad class", error))?;
            let population = Population::load(&mut truths, material);
            populations.push((tree, population.map_err(|error| set.failure(&error))?));
        }
    }
    if !args.json {
        writeln!(
            output,
            "tree  {:<53}{:<7}{:>10}{:>8}{:>11}   smallest tree found with Table 3",
            "for", "class", "positions", "errors", "published"
        )?;
    }
    let mut rows = Vec::new();
    for (tree, population) in &populations {
        let all = available(population.pieces(), false);
        let features = select(&all, &["table3".to_owned()])
            .map_err(|error| Failure::input("bad features", error))?;
        let data = Dataset::new(vec![population.clone()], features);
        let smallest = cells::smallest(&Cells::new(&data));
        let errors = tree.errors_in(&READING, population);
        let row = Row {
            tree: tree.letter,
            about: tree.about,
            class: population.material().to_string(),
            positions: smallest.positions(),
            errors,
            published_errors: tree.errors,
            equal: errors == tree.errors,
            smallest_questions: smallest.questions(),
            smallest_leaves: smallest.leaves().count(),
            smallest_errors: smallest.verify(&data),
        };
        if args.json {
            output.json(&row)?;
        } else {
            writeln!(
                output,
                "({})   {:<53}{:<7}{:>10}{:>8}{:>11}   {} questions, {} leaves, {} errors",
                row.tree,
                row.about,
                row.class,
                row.positions,
                row.errors,
                row.published_errors,
                row.smallest_questions,
                row.smallest_leaves,
                row.smallest_errors
            )?;
        }
        rows.push(row);
    }
    if !args.json {
        compare(&populations, output)?;
    }
    let study = record::study("figure2", TITLE)
        .rules(Rules::LEIDEN)
        .parameter("reading", words(&READING))
        .results(&rows)
        .table("trees", "Errors of the trees, ours beside theirs", table(&rows));
    let study = PICTURES.iter().fold(study, |study, drawn| {
        let title = format!("The feature {}", drawn.feature);
        study.plot(
            &format!("feature-{}", drawn.feature),
            title,
            drawn.picture().square_size(40).to_svg(),
        )
    });
    record::write(args, "figure2", &study, output)
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new([
        "tree",
        "for",
        "class",
        "positions",
        "errors",
        "published errors",
        "questions of the smallest",
        "leaves of the smallest",
        "errors of the smallest",
    ]);
    for row in rows {
        table.row([
            row.tree.to_string(),
            row.about.to_owned(),
            row.class.clone(),
            row.positions.to_string(),
            row.errors.to_string(),
            row.published_errors.to_string(),
            row.smallest_questions.to_string(),
            row.smallest_leaves.to_string(),
            row.smallest_errors.to_string(),
        ]);
    }
    table
}

/// What becomes of the trees under other readings.
fn compare(
    populations: &[(readings::Published, Population)],
    output: &mut Output,
) -> Result<(), Failure> {
    let errors = |reading: &Reading| {
        let mut errors = [0; 3];
        for (tree, population) in populations {
            let place = (tree.letter as u8 - b'a') as usize;
            errors[place] = errors[place].max(tree.errors_in(reading, population));
        }
        errors
    };
    let all = readings::all();
    let published = FIGURE_2.map(|tree| tree.errors);
    let fits = all.iter().filter(|reading| errors(reading) == published).count();
    writeln!(output, "\nThe reading: {}.", words(&READING))?;
    writeln!(output, "Of {} readings tried, {fits} make the published errors.", all.len())?;
    writeln!(output, "One choice changed at a time, errors of (a), (b), (c):")?;
    for reading in all {
        let changed = usize::from(reading.metric != READING.metric)
            + usize::from(reading.white_earlier != READING.white_earlier)
            + usize::from(reading.black_earlier != READING.black_earlier)
            + usize::from(reading.crossed != READING.crossed)
            + usize::from(reading.distance_d != READING.distance_d);
        if changed == 1 {
            let [a, b, c] = errors(&reading);
            writeln!(output, "  {a:>4} {b:>4} {c:>4}  {}", difference(&reading))?;
        }
    }
    Ok(())
}

fn metric(metric: Metric) -> &'static str {
    match metric {
        Metric::Manhattan => "distances to dens and traps are Manhattan distances",
        Metric::RoundTheDen => {
            "distances to dens and traps are Manhattan distances, round the own den"
        }
        Metric::Walking => "distances to dens and traps are moves of something that walks",
        Metric::Moves => "distances to dens and traps are moves of the piece itself",
    }
}

fn earlier(color: Color, moves: i16) -> String {
    format!("{color} is unopposed if at least {moves} moves earlier in a trap")
}

fn crossed(crossed: Crossed) -> &'static str {
    match crossed {
        Crossed::Yes => "a piece on rank 7 or beyond can cross",
        Crossed::No => "a piece on rank 7 or beyond cannot cross",
        Crossed::AsElsewhere => "on rank 7 and beyond crossing is as elsewhere",
    }
}

fn den((piece, den): (Color, Color)) -> String {
    format!("distance_d is between {piece}'s piece and {den}'s den")
}

fn words(reading: &Reading) -> String {
    [
        metric(reading.metric).to_owned(),
        earlier(Color::White, reading.white_earlier),
        earlier(Color::Black, reading.black_earlier),
        crossed(reading.crossed).to_owned(),
        den(reading.distance_d),
    ]
    .join("; ")
}

/// What is not as in the reading that is used.
fn difference(reading: &Reading) -> String {
    if reading.metric != READING.metric {
        metric(reading.metric).to_owned()
    } else if reading.white_earlier != READING.white_earlier {
        earlier(Color::White, reading.white_earlier)
    } else if reading.black_earlier != READING.black_earlier {
        earlier(Color::Black, reading.black_earlier)
    } else if reading.crossed != READING.crossed {
        crossed(reading.crossed).to_owned()
    } else {
        den(reading.distance_d)
    }
}
