//! Table 1 of van Rijn & Vis (2013, 2014): leaves, evaluation and best move from the start, one to
//! seven plies deep, under their rules.
//!
//! They searched with full minimax, a position that is already on the path being a leaf worth 0.
//! Here the leaves are counted, all of them, in bulk and without evaluating them, by `perft`; the value
//! comes from alpha-beta, and up to a few plies from full minimax as well, which must agree in
//! value and in leaves. The published time is that of full minimax, so it stands beside ours for the
//! leaves and for minimax, not for alpha-beta.

use std::fmt::Write;
use std::time::Instant;

use charts::{Frame, Line, Lines};
use clap::Args;
use game::Game;
use game::limits::Limits;
use game::perft::Perft;
use game::score::Score;
use jungle::{BurnettEval, Jungle, Move, Position, Rules};
use search::{AlphaBeta, Minimax, PathRepetition, Table as Transpositions, fixed};
use serde::{Deserialize, Serialize};

use super::{EVALUATIONS, LEAVES, PAPER_2013};
use crate::parameter::within;
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

/// The move column says this in every row.
const PUBLISHED_MOVE: &str = "Eb3";

/// Up to how many plies full minimax is run too.
const MINIMAX_PLIES: u32 = 5;
/// The transposition table of alpha-beta, in MiB.
const TABLE_SIZE: usize = 64;

/// Table 1, from the start under their rules.
pub struct Table1;

/// The parameters of Table 1.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many plies
    #[arg(long, value_name = "N", default_value_t = 7,
          value_parser = clap::value_parser!(u32).range(1..=7))]
    pub plies: u32,
}

impl Default for Params {
    fn default() -> Params {
        Params { plies: 7 }
    }
}

/// A depth, ours beside theirs; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct PlyRow {
    /// The depth.
    pub ply: u32,
    /// Leaves of the game tree, a repeated position being one.
    pub leaves: u64,
    leaves_by: &'static str,
    seconds: f64,
    /// The value at this depth, in the units of their evaluation.
    pub evaluation: i32,
    evaluation_by: &'static str,
    evaluation_nodes: u64,
    evaluation_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimax_seconds: Option<f64>,
    /// All moves that have this value.
    pub best_moves: Vec<String>,
    /// The published row.
    pub published: Published,
    /// Whether leaves, value and move are theirs.
    pub equal: bool,
}

/// A row as it was printed.
#[derive(Clone, Debug, Serialize)]
pub struct Published {
    leaves: u64,
    seconds: f64,
    evaluation: i32,
    #[serde(rename = "move")]
    mv: &'static str,
}

impl Published {
    fn at(ply: u32) -> Published {
        let at = ply as usize - 1;
        let (leaves, seconds) = LEAVES[at];
        Published { leaves, seconds, evaluation: EVALUATIONS[at], mv: PUBLISHED_MOVE }
    }
}

impl Study for Table1 {
    const NAME: &'static str = "table1";
    const TITLE: &'static str =
        "van Rijn & Vis (2013), Table 1: leaves, value and best move from the start";
    const ABOUT: &'static str =
        "van Rijn & Vis (2013), Table 1: leaves, value and best move, one to seven plies deep";
    const SOURCE: Option<&'static str> = Some(PAPER_2013);
    const TAKES: &'static str = "seconds";

    type Params = Params;
    type Results = Vec<PlyRow>;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Vec<PlyRow>>, StudyError> {
        within("plies", params.plies, 1..=7)?;
        let jungle = Jungle::new(Rules::LEIDEN);
        let start = Position::start();
        context.progress.begin("plies", Some(params.plies.into()));
        let mut rows = Vec::new();
        for ply in 1..=params.plies {
            rows.push(row(&jungle, &start, ply)?);
            context.advance()?;
        }
        context.progress.end();
        Ok(Some(rows))
    }

    fn render(_: &Params, rows: &Vec<PlyRow>) -> String {
        let mut text = format!(
            "{:>3} {:>13} {:>9}  {:>4} {:<15} {:>11} {:>9}   published\n",
            "ply", "leaves", "seconds", "eval", "best", "alpha-beta", "minimax"
        );
        rows.iter().for_each(|row| row.render(&mut text));
        let _ = writeln!(
            text,
            "\nleaves: every one counted by perft, repeated positions as leaves; seconds are for that\n\
             eval, best: by alpha-beta with a table, whose nodes are shown; repetition is worth 0\n\
             minimax: seconds of full minimax, which gave the same leaves and value (to ply {MINIMAX_PLIES})"
        );
        text
    }

    fn lines(rows: &Vec<PlyRow>) -> serde_json::Result<Vec<String>> {
        each(rows)
    }

    fn record(params: &Params, rows: &Vec<PlyRow>, draft: Draft) -> Draft {
        draft
            .rules(Rules::LEIDEN)
            .parameter("plies", params.plies)
            .results(rows)
            .note("A position that is already on the path is a leaf worth 0, as they counted.")
            .note("Their seconds are those of full minimax; ours, of counting the leaves.")
            .table("table1", "Leaves, value and best move, ours beside theirs", table(rows))
            .chart("seconds", "Seconds by depth", chart(rows))
    }
}

fn table(rows: &[PlyRow]) -> Table {
    let mut table = Table::new([
        "ply",
        "leaves",
        "published leaves",
        "value",
        "published value",
        "best",
        "published best",
        "seconds",
        "published seconds",
        "equal",
    ]);
    for row in rows {
        table.row([
            row.ply.to_string(),
            row.leaves.to_string(),
            row.published.leaves.to_string(),
            row.evaluation.to_string(),
            row.published.evaluation.to_string(),
            row.best_moves.join(" "),
            row.published.mv.to_owned(),
            format!("{:.3}", row.seconds),
            format!("{:.2}", row.published.seconds),
            if row.equal { "yes" } else { "no" }.to_owned(),
        ]);
    }
    table
}

fn chart(rows: &[PlyRow]) -> String {
    let frame = Frame::new("Table 1: time by depth")
        .subtitle("from the start; theirs is full minimax, ours counts the same leaves")
        .x("depth, plies")
        .y("seconds");
    let line = |name: &str, of: fn(&PlyRow) -> Option<f64>| {
        let points = rows.iter().filter_map(|row| Some((f64::from(row.ply), of(row)?)));
        Line::new(name).points(points)
    };
    Lines::new(frame)
        .log_y()
        .whole_x()
        .line(line("counting leaves", |row| Some(row.seconds)))
        .line(line("full minimax", |row| row.minimax_seconds))
        .line(line("published", |row| Some(row.published.seconds)).dashed())
        .svg()
}

fn row(jungle: &Jungle, start: &Position, ply: u32) -> Result<PlyRow, StudyError> {
    let clock = Instant::now();
    let leaves = Perft::new().repetition_leaves(true).count(jungle, start, ply);
    let seconds = clock.elapsed().as_secs_f64();

    let clock = Instant::now();
    let (score, nodes, best) = alpha_beta(jungle, start, ply)?;
    let evaluation_seconds = clock.elapsed().as_secs_f64();

    let mut minimax_seconds = None;
    if ply <= MINIMAX_PLIES {
        let clock = Instant::now();
        let mut minimax = Minimax::new(jungle, &BurnettEval).repetition(PathRepetition::Draw);
        let full = fixed(&mut minimax, start, ply, &Limits::none()).expect("there is no limit");
        minimax_seconds = Some(clock.elapsed().as_secs_f64());
        if (full.score, full.leaves) != (score, leaves) {
            return Err(StudyError::Contradiction(format!(
                "ply {ply}: minimax says {} from {} leaves, but alpha-beta says {score} and perft \
                 {leaves}: one of them is wrong",
                full.score, full.leaves
            )));
        }
    }

    let published = Published::at(ply);
    let best_moves: Vec<String> = best.iter().map(|mv| mv.algebraic().to_string()).collect();
    Ok(PlyRow {
        ply,
        leaves,
        leaves_by: "perft",
        seconds,
        evaluation: score.value(),
        evaluation_by: "alpha-beta",
        evaluation_nodes: nodes,
        evaluation_seconds,
        minimax_seconds,
        equal: leaves == published.leaves
            && score == Score::estimate(published.evaluation)
            && best_moves.iter().any(|mv| mv == published.mv),
        best_moves,
        published,
    })
}

/// The value, all moves that have it, and the nodes it took to find the value.
fn alpha_beta(
    jungle: &Jungle,
    start: &Position,
    ply: u32,
) -> Result<(Score, u64, Vec<Move>), StudyError> {
    let mut table = Transpositions::new(TABLE_SIZE)
        .map_err(|error| StudyError::resources(format!("a table of {TABLE_SIZE} MiB"), error))?;
    let mut values = Vec::new();
    let mut nodes = 0;
    // Every move is searched with an open window, so that ties are seen. Shallow searches first, for
    // the good first moves they leave in the table.
    for depth in 1..=ply {
        values.clear();
        for mv in jungle.moves(start) {
            let mut search = AlphaBeta::new(jungle, &BurnettEval)
                .repetition(PathRepetition::Draw)
                .only(&[mv])
                .table(table);
            let report =
                fixed(&mut search, start, depth, &Limits::none()).expect("there is no limit");
            nodes += report.nodes;
            values.push((mv, report.score));
            table = search.into_table().expect("it was given one");
        }
    }
    let best = values.iter().map(|(_, score)| *score).max().expect("the start has moves");
    let moves = values.iter().filter(|(_, score)| *score == best).map(|(mv, _)| *mv);
    Ok((best, nodes, moves.collect()))
}

impl PlyRow {
    fn render(&self, text: &mut String) {
        let PlyRow { ply, leaves, seconds, evaluation, evaluation_nodes, published, .. } = self;
        let minimax =
            self.minimax_seconds.map_or_else(String::new, |seconds| format!("{seconds:.3}"));
        let _ = writeln!(
            text,
            "{ply:>3} {leaves:>13} {seconds:>9.3}  {evaluation:>4} {:<15} {evaluation_nodes:>11} \
             {minimax:>9}   {} in {:.2} s, {} {}: {}",
            self.best_moves.join(" "),
            published.leaves,
            published.seconds,
            published.evaluation,
            published.mv,
            if self.equal { "equal" } else { "different" },
        );
    }
}
