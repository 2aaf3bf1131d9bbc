//! Figure 2 of van Rijn & Vis (2014): three decision trees for two-piece endgames, checked against our tables.
//!
//! Table 3 of the paper leaves some features ambiguous. All readings considered are tried; the one
//! that `mining` uses is named, and the best of the others. Then come the smallest perfect trees
//! that were found with the same features. The record has pictures of the features.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use jungle::{Color, Rules};
use mining::cells::{self, Cells};
use mining::data::Dataset;
use mining::feature::pictures::PICTURES;
use mining::feature::table3::{Crossed, Metric, READING, Reading};
use mining::feature::{available, select};
use mining::population::Population;
use mining::readings::{self, FIGURE_2};
use serde::{Deserialize, Serialize};
use tablebase::class::Loader;
use tablebase::{Set, set_folder};

use super::PAPER_2014;
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

/// Figure 2, on our tables.
pub struct Figure2;

/// The parameters of Figure 2.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// The folder of tables; the user's data folder if left out
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The trees on their classes.
    pub trees: Vec<TreeRow>,
    /// How many readings of the features were tried.
    pub readings: usize,
    /// How many of them make the published errors.
    pub fitting: usize,
    /// Readings that differ in one choice from the one that is used.
    pub neighbours: Vec<Neighbour>,
}

/// A tree on a class; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct TreeRow {
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

/// A reading with one choice changed, and the errors of the three trees under it.
#[derive(Clone, Debug, Serialize)]
pub struct Neighbour {
    change: String,
    errors: [u64; 3],
}

type Populations = Vec<(readings::Published, Population)>;

impl Study for Figure2 {
    const NAME: &'static str = "figure2";
    const TITLE: &'static str =
        "van Rijn & Vis (2014), Figure 2: three decision trees for two pieces";
    const ABOUT: &'static str =
        "van Rijn & Vis (2014), Figure 2: three decision trees for two pieces, and their errors";
    const SOURCE: Option<&'static str> = Some(PAPER_2014);
    const TAKES: &'static str = "seconds";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        let tables = context.tables(params.dir.as_ref())?;
        let set = Set::open_or_build(&Rules::LEIDEN, set_folder(&tables, &Rules::LEIDEN))?;
        let populations = populations(&set)?;
        let trees = populations.iter().map(|(tree, population)| row(tree, population)).collect();
        let all = readings::all();
        let published = FIGURE_2.map(|tree| tree.errors);
        let is_neighbour = |reading: &&Reading| changes(reading) == 1;
        Ok(Some(Results {
            trees,
            readings: all.len(),
            fitting: all.iter().filter(|one| errors(one, &populations) == published).count(),
            neighbours: all
                .iter()
                .filter(is_neighbour)
                .map(|reading| Neighbour {
                    change: difference(reading),
                    errors: errors(reading, &populations),
                })
                .collect(),
        }))
    }

    fn render(_: &Params, results: &Results) -> String {
        let mut text = format!(
            "tree  {:<53}{:<7}{:>10}{:>8}{:>11}   smallest tree found with Table 3\n",
            "for", "class", "positions", "errors", "published"
        );
        for row in &results.trees {
            let _ = writeln!(
                text,
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
            );
        }
        let _ = writeln!(
            text,
            "\nThe reading: {}.\nOf {} readings tried, {} make the published errors.\n\
             One choice changed at a time, errors of (a), (b), (c):",
            words(&READING),
            results.readings,
            results.fitting
        );
        for Neighbour { change, errors: [a, b, c] } in &results.neighbours {
            let _ = writeln!(text, "  {a:>4} {b:>4} {c:>4}  {change}");
        }
        text
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        each(&results.trees)
    }

    fn record(_: &Params, results: &Results, draft: Draft) -> Draft {
        let draft = draft
            .rules(Rules::LEIDEN)
            .parameter("reading", words(&READING))
            .results(&results.trees)
            .table("trees", "Errors of the trees, ours beside theirs", table(&results.trees));
        PICTURES.iter().fold(draft, |draft, drawn| {
            let name = format!("feature-{}", drawn.feature);
            let title = format!("The feature {}", drawn.feature);
            draft.chart(&name, title, drawn.picture().square_size(40).to_svg())
        })
    }
}

/// The trees, each with every class that it is for.
fn populations(set: &Set) -> Result<Populations, StudyError> {
    let mut loader = Loader::new(set.tablebase());
    let mut populations = Vec::new();
    for tree in FIGURE_2 {
        for class in tree.classes {
            let material = class.parse().expect("the paper names classes");
            let population =
                Population::load(&mut loader, material).map_err(|error| set.failed(error))?;
            populations.push((tree, population));
        }
    }
    Ok(populations)
}

fn row(tree: &readings::Published, population: &Population) -> TreeRow {
    let all = available(population.pieces(), false);
    let features = select(&all, &["table3".to_owned()]).expect("there is such a group");
    let data = Dataset::new(vec![population.clone()], features);
    let smallest = cells::smallest(&Cells::new(&data));
    let errors = tree.errors_in(&READING, population);
    TreeRow {
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
    }
}

/// The errors of the three trees under a reading, the most of any class.
fn errors(reading: &Reading, populations: &Populations) -> [u64; 3] {
    let mut errors = [0; 3];
    for (tree, population) in populations {
        let place = (tree.letter as u8 - b'a') as usize;
        errors[place] = errors[place].max(tree.errors_in(reading, population));
    }
    errors
}

/// In how many choices a reading differs from the one that is used.
fn changes(reading: &Reading) -> usize {
    usize::from(reading.metric != READING.metric)
        + usize::from(reading.white_earlier != READING.white_earlier)
        + usize::from(reading.black_earlier != READING.black_earlier)
        + usize::from(reading.crossed != READING.crossed)
        + usize::from(reading.distance_d != READING.distance_d)
}

fn table(rows: &[TreeRow]) -> Table {
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
    format!("{} is unopposed if at least {moves} moves earlier in a trap", color.chess_name())
}

fn crossed(crossed: Crossed) -> &'static str {
    match crossed {
        Crossed::Yes => "a piece on rank 7 or beyond can cross",
        Crossed::No => "a piece on rank 7 or beyond cannot cross",
        Crossed::AsElsewhere => "on rank 7 and beyond crossing is as elsewhere",
    }
}

fn den((piece, den): (Color, Color)) -> String {
    let (piece, den) = (piece.chess_name(), den.chess_name());
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
