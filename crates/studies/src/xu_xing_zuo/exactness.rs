//! How often values added up over regions differ from the truth, and why.

use std::fmt::Write;

use amazons::{Position, Size};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::Classes;
use super::formula5::{self, Comparison, Figures, Made, Tally};
use super::reasons::Reasons;
use crate::parameter::{text, within};
use crate::study::line;
use crate::{Context, Draft, Study, StudyError, Table};

/// How exact formula (5) is.
pub struct Exactness;

/// The parameters.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// The board whose games are looked at
    #[arg(long, value_name = "SIZE", default_value = "4")]
    #[serde(with = "text")]
    pub size: Size,
    /// How many amazons a side starts with: the first ones of the usual start
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..=4))]
    pub amazons: u32,
    /// Look at this many positions from random games, instead of all that can be reached
    #[arg(long, value_name = "N")]
    pub sample: Option<u64>,
    /// Only positions with at most this many empty squares
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub squares: u32,
    /// The depths to compare at, from 1
    #[arg(long, value_name = "PLIES", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..=12))]
    pub depth: u32,
    /// Decides which positions are sampled
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Params {
        let size = Size::new(4, 4).expect("four is a size");
        Params { size, amazons: 4, sample: None, squares: 12, depth: 4, seed: 1 }
    }
}

/// One depth, boards of one kind.
#[derive(Clone, Debug, Serialize)]
struct DepthRow {
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

/// The results; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    size: String,
    amazons: u32,
    squares: u32,
    sample: Option<u64>,
    seed: u64,
    /// Classes of positions that can be reached, when all were looked at.
    reachable: Option<u64>,
    rows: Vec<DepthRow>,
    solved: u64,
    disagreements: u64,
    brute_force_nodes: u64,
    solver_steps: u64,
    #[serde(flatten)]
    reasons: Reasons,
    #[serde(skip)]
    figures: Figures,
}

/// What a board is made of, in words.
pub(super) fn name(made: Made) -> &'static str {
    match made {
        Made::Filling => "filling only",
        Made::OneCompeting => "one competing",
        Made::Competing => "several competing",
    }
}

impl Study for Exactness {
    const NAME: &'static str = "amazons-exactness";
    const TITLE: &'static str = "How exact formula (5) of Xu, Xing & Zuo is, and why not";
    const ABOUT: &'static str =
        "How often values added up over regions differ from the truth, and why";
    const TAKES: &'static str = "minutes on 4x4";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        within("amazons", params.amazons, 1..=4)?;
        within("depth", params.depth, 1..=12)?;
        let start = formula5::start(params.size, params.amazons as usize);
        let mut compared = Comparison::new(params.depth);
        let reachable = match params.sample {
            None => Some(look_at_all(params, &start, &mut compared, context)?),
            Some(count) => {
                context.progress.begin("positions", Some(count));
                formula5::sampled(&start, count, params.squares, params.seed, |position| {
                    compared.look_at(position);
                    context.progress.advance();
                });
                context.progress.end();
                None
            }
        };
        let figures = compared.figures();
        Ok(Some(Results {
            size: params.size.to_string(),
            amazons: params.amazons,
            squares: params.squares,
            sample: params.sample,
            seed: params.seed,
            reachable,
            rows: rows(figures),
            solved: figures.solved,
            disagreements: figures.disagreements,
            brute_force_nodes: figures.brute_force_nodes,
            solver_steps: figures.solver_steps,
            reasons: Reasons::of(figures, compared.weights()),
            figures: figures.clone(),
        }))
    }

    fn render(_: &Params, results: &Results) -> String {
        results.head() + &results.reasons.render(&results.figures)
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        line(results)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        draft
            .seed(params.seed)
            .parameter("size", results.size.clone())
            .parameter("amazons", params.amazons)
            .parameter("squares", params.squares)
            .parameter("sample", params.sample)
            .parameter("depth", params.depth)
            .results(results)
            .table("exactness", "Differences by depth and what boards are made of", results.table())
    }
}

fn rows(figures: &Figures) -> Vec<DepthRow> {
    let mut rows = Vec::new();
    for (tallies, depth) in figures.tallies.iter().zip(1..) {
        for (made, &tally) in Made::ALL.into_iter().zip(tallies) {
            let Tally { positions, other_value, too_high, worse_move, .. } = tally;
            let Tally { won, thrown_away, plain_thrown_away, .. } = tally;
            rows.push(DepthRow {
                depth,
                made_of: name(made),
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
    rows
}

impl Results {
    /// The first table, and how the exact solver did.
    fn head(&self) -> String {
        let which = match (self.reachable, self.sample) {
            (Some(count), _) => format!("all that can be reached ({count} classes in all)"),
            (None, count) => format!("{} from random games", count.unwrap_or_default()),
        };
        let mut text = format!(
            "{} with {} {} a side, at most {} empty squares, positions in several parts: {which}\n",
            self.size,
            self.amazons,
            if self.amazons == 1 { "amazon" } else { "amazons" },
            self.squares
        );
        let _ = writeln!(
            text,
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
        );
        for row in &self.rows {
            let share = |count: u64| match row.positions {
                0 => "-".to_owned(),
                all => format!("{:.2}%", 100.0 * count as f64 / all as f64),
            };
            let _ = writeln!(
                text,
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
            );
        }
        let by_brute_force = match self.sample {
            Some(_) => format!("{} positions", self.brute_force_nodes),
            None => "a glance at each".to_owned(),
        };
        let _ = writeln!(
            text,
            "exact solver: {} solved, {} disagreements with brute force; {} steps against {by_brute_force}",
            self.solved, self.disagreements, self.solver_steps
        );
        text
    }

    fn table(&self) -> Table {
        let mut table = Table::new([
            "depth",
            "sub-boards",
            "positions",
            "other value",
            "too high",
            "worse move",
            "won",
            "thrown away",
            "thrown away by plain",
        ]);
        for row in &self.rows {
            table.row([
                row.depth.to_string(),
                row.made_of.to_owned(),
                row.positions.to_string(),
                row.other_value.to_string(),
                row.too_high.to_string(),
                row.worse_move.to_string(),
                row.won.to_string(),
                row.thrown_away.to_string(),
                row.plain_thrown_away.to_string(),
            ]);
        }
        table
    }
}

/// Looks at all positions that can be reached, and returns how many classes of them there are.
fn look_at_all(
    params: &Params,
    start: &Position,
    compared: &mut Comparison,
    context: &mut Context<'_>,
) -> Result<u64, StudyError> {
    context.progress.begin("classes", None);
    let classes = Classes::of(start, |found| {
        context.progress.message(&format!("{found} classes of positions listed"));
    });
    context.progress.end();
    let classes = classes.map_err(StudyError::TooManyClasses)?;
    context.progress.begin("classes", Some(classes.count()));
    classes.backwards(&compared.weights(), params.depth, |known| {
        if known.position.empty().len() <= params.squares {
            compared.look_at_known(known);
        }
        context.progress.advance();
    });
    context.progress.end();
    Ok(classes.count())
}
