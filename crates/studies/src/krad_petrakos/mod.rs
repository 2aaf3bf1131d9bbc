//! Krad & Petrakos: *Complexity Driven Algorithm for Computer Games*, and the experiment that their paper
//! lacks: complexity-driven search against alpha-beta with the same evaluation at equal nodes a game, on
//! Jungle and Amazons.
//!
//! A [`Contender`] is a way to search and to divide a budget among moves; a [`Board`] is a game with an
//! evaluation, an order of moves and openings; [`play()`] plays one game between two contenders from one
//! opening, each with a number of nodes for all its moves. [`regret()`] is what a move gave away against a
//! deeper search. [`Experiment`] plays all games of the study and keeps them on file, pair by pair as they are
//! finished, so that a run can be resumed. Everything follows from the seed.

mod board;
mod contender;
mod experiment;
mod ledger;
mod picture;
mod play;
mod regret;

pub use board::{Board, SmallAmazons};
pub use contender::{Contender, ContenderError, Thought};
pub use experiment::{Cell, Experiment, Family, Found, Regrets, Tuned};
pub use ledger::{Judged, Ledger, Pair};
pub use picture::TreePicture;
pub use play::{Played, Step, play};
pub use regret::regret;

use std::fmt::Write;

use charts::{Bars, Frame, Group, Line, Lines};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::statistics::INTERVAL;
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

/// The games that the paper lacks.
pub struct Complexity;

/// Their parameters.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many games each cell has, an even number
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub games: u64,
    /// The seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Params {
        Params { games: 400, seed: 1 }
    }
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The comparisons.
    pub rows: Vec<Comparison>,
    /// What moves gave away.
    pub bins: Vec<Bin>,
    #[serde(skip)]
    found: Found,
}

/// A comparison, as printed and recorded.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    board: &'static str,
    family: Family,
    a: String,
    b: String,
    games: u64,
    elo: f64,
    elo_error: f64,
    superiority: f64,
    /// Pairs by the points of `a`: 0, ½, 1, 1½, 2.
    pairs: [u64; 5],
    /// What each spent of its budget, on average, and how many plies a game had.
    spent: [f64; 2],
    plies: f64,
}

impl Comparison {
    fn new(cell: &Cell) -> Comparison {
        let elo = cell.score.elo();
        let games = 2 * cell.pairs.len() as u64;
        let mean = |sum: u64| sum as f64 / games as f64;
        Comparison {
            board: cell.board,
            family: cell.family,
            a: cell.a.clone(),
            b: cell.b.clone(),
            games,
            elo: elo.value,
            elo_error: elo.error,
            superiority: cell.score.superiority(),
            pairs: cell.score.0,
            spent: [0, 1].map(|who| {
                let spent: u64 = cell.pairs.iter().map(|pair| pair.spent[who]).sum();
                mean(spent) / cell.nodes as f64
            }),
            plies: mean(cell.pairs.iter().map(|pair| pair.plies as u64).sum()),
        }
    }
}

/// The moves of a contender that took about the same share, and what they gave away.
#[derive(Clone, Debug, Serialize)]
pub struct Bin {
    board: &'static str,
    contender: String,
    moves: usize,
    /// The mean share of what was left.
    share: f64,
    regret: f64,
    /// Half the width of the 95 % interval.
    error: f64,
}

impl Study for Complexity {
    const NAME: &'static str = "complexity";
    const TITLE: &'static str = "Complexity-driven search against alpha-beta";
    const ABOUT: &'static str =
        "Krad & Petrakos: the games their paper lacks, against alpha-beta at equal nodes a game";
    const SOURCE: Option<&'static str> =
        Some("Krad & Petrakos, Complexity Driven Algorithm for Computer Games");
    const TAKES: &'static str = "an hour";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        let Params { games, seed } = *params;
        if games == 0 || games % 2 == 1 {
            let reason = format!("{games} games are not pairs: ask for an even number");
            return Err(StudyError::parameter("games", reason));
        }
        let mut ledger = context
            .folder
            .as_ref()
            .map_or_else(|| Ok(Ledger::default()), |folder| Ledger::open(folder))?;
        context.progress.begin("steps", None);
        let found = Experiment { games, seed }
            .run(&mut ledger, &mut |step| context.progress.message(step))?;
        context.progress.end();
        Ok(Some(Results {
            rows: found.cells.iter().map(Comparison::new).collect(),
            bins: found.regrets.iter().flat_map(bins).collect(),
            found,
        }))
    }

    fn render(_: &Params, results: &Results) -> String {
        let mut text = String::new();
        for (board, nodes) in Experiment::nodes() {
            let _ = writeln!(text, "{board}, {nodes} nodes a game for each side");
            let _ = writeln!(
                text,
                "  {:<9} {:<46} {:<16} {:>15} {:>6} {:>12} {:>5}  pairs",
                "family", "contender", "against", "Elo", "games", "spent", "plies"
            );
            for row in results.rows.iter().filter(|row| row.board == board) {
                let _ = writeln!(
                    text,
                    "  {:<9} {:<46} {:<16} {:>+7.1} ± {:>5.1} {:>6} {:>5.2} {:>5.2} {:>6.1}  {:?}",
                    family(row.family),
                    row.a,
                    row.b,
                    row.elo,
                    row.elo_error,
                    row.games,
                    row.spent[0],
                    row.spent[1],
                    row.plies,
                    row.pairs
                );
            }
            let _ = writeln!(text, "  the small search, best first:");
            for tuned in results.found.tuned.iter().filter(|tuned| tuned.board == board) {
                for (contender, score) in &tuned.tried {
                    let _ = writeln!(
                        text,
                        "    {contender:<50} {:.3} in {} games",
                        score.score(),
                        2 * score.pairs()
                    );
                }
            }
            let _ = writeln!(
                text,
                "  what moves gave away, by the share of what was left that they took:"
            );
            for bin in results.bins.iter().filter(|bin| bin.board == board) {
                let _ = writeln!(
                    text,
                    "    {:<46} share {:.4}: {:>6.1} ± {:>5.1} ({} moves)",
                    bin.contender, bin.share, bin.regret, bin.error, bin.moves
                );
            }
        }
        text
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        each(&results.rows)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        let mut draft = draft
            .seed(params.seed)
            .rules("tufts")
            .parameter("games", params.games)
            .note("Amazons is played on six by six; nodes are positions looked at, on both games")
            .results(&results.rows)
            .table("cells", "Games by contender", results.cells())
            .table("tuning", "The small search for better functions", results.tuning())
            .table("regret", "What moves gave away, by the share they took", results.regrets());
        for (board, nodes) in Experiment::nodes() {
            draft = draft
                .parameter(&format!("nodes-{board}"), nodes)
                .chart(
                    &format!("elo-{board}"),
                    format!("Elo on {board}"),
                    elo_chart(board, &results.rows),
                )
                .chart(
                    &format!("budget-{board}"),
                    format!("The budget by move on {board}"),
                    budget_chart(board, &results.found),
                )
                .chart(
                    &format!("regret-{board}"),
                    format!("What moves gave away on {board}"),
                    regret_chart(board, &results.bins),
                );
        }
        draft
    }
}

impl Results {
    fn cells(&self) -> Table {
        let mut cells = Table::new([
            "board",
            "family",
            "a",
            "b",
            "games",
            "elo",
            "elo_error",
            "superiority",
            "spent_a",
            "spent_b",
            "plies",
        ]);
        for row in &self.rows {
            let number = |value: f64| format!("{value:.4}");
            cells.row([
                row.board.to_owned(),
                family(row.family).to_owned(),
                row.a.clone(),
                row.b.clone(),
                row.games.to_string(),
                number(row.elo),
                number(row.elo_error),
                number(row.superiority),
                number(row.spent[0]),
                number(row.spent[1]),
                number(row.plies),
            ]);
        }
        cells
    }

    fn regrets(&self) -> Table {
        let mut regrets = Table::new(["board", "contender", "moves", "share", "regret", "error"]);
        for bin in &self.bins {
            regrets.row([
                bin.board.to_owned(),
                bin.contender.clone(),
                bin.moves.to_string(),
                format!("{:.5}", bin.share),
                format!("{:.2}", bin.regret),
                format!("{:.2}", bin.error),
            ]);
        }
        regrets
    }

    fn tuning(&self) -> Table {
        let mut tuned = Table::new(["board", "contender", "games", "score"]);
        for found in &self.found.tuned {
            for (contender, score) in &found.tried {
                tuned.row([
                    found.board.to_owned(),
                    contender.clone(),
                    (2 * score.pairs()).to_string(),
                    format!("{:.4}", score.score()),
                ]);
            }
        }
        tuned
    }
}

fn family(family: Family) -> &'static str {
    match family {
        Family::Local => "local",
        Family::Global => "global",
        Family::Time => "time",
        Family::Baseline => "baseline",
        Family::Tuned => "tuned",
    }
}

/// The moves of a contender in four groups of equal size, by the share they took.
fn bins(regrets: &Regrets) -> Vec<Bin> {
    let mut moves = regrets.moves.clone();
    moves.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = moves.len().div_ceil(4).max(1);
    moves
        .chunks(size)
        .map(|chunk| {
            let count = chunk.len() as f64;
            let mean = |of: &dyn Fn(&(f64, i32)) -> f64| chunk.iter().map(of).sum::<f64>() / count;
            let regret = mean(&|(_, regret)| f64::from(*regret));
            let variance = mean(&|(_, one)| (f64::from(*one) - regret).powi(2));
            Bin {
                board: regrets.board,
                contender: regrets.contender.clone(),
                moves: chunk.len(),
                share: mean(&|(share, _)| *share),
                regret,
                error: INTERVAL * (variance / count).sqrt(),
            }
        })
        .collect()
}

/// Elo against plain alpha-beta, a bar a contender.
fn elo_chart(board: &str, rows: &[Comparison]) -> String {
    let rows: Vec<&Comparison> =
        rows.iter().filter(|row| row.board == board && row.b == "alphabeta").collect();
    let games = rows.first().map_or(0, |row| row.games);
    let frame = Frame::new(format!("Elo against alpha-beta at equal nodes a game: {board}"))
        .subtitle(format!("{games} games each, with 95 % intervals"))
        .y("Elo")
        .size(1500, 480);
    let mut bars = Bars::new(frame, ["Elo"]);
    for row in rows {
        let (low, high) = (row.elo - row.elo_error, row.elo + row.elo_error);
        bars = bars.group(Group::new(label(&row.a)).bar_between(row.elo, low, high));
    }
    bars.svg()
}

/// A contender in short lines.
fn label(contender: &str) -> String {
    let (name, rest) = contender.split_once(':').unwrap_or((contender, ""));
    let short = rest.replace("local=", "").replace("global=", "");
    let mut lines = vec![name.replace("alphabeta", "α-β")];
    // Commas within brackets do not separate.
    let mut depth = 0;
    lines.extend(
        short
            .split(|letter: char| {
                depth += i32::from(letter == '(') - i32::from(letter == ')');
                letter == ',' && depth == 0
            })
            .filter(|part| !part.is_empty())
            .map(str::to_owned),
    );
    // What stands in brackets gets a line of its own: names of categories are narrow.
    lines.join("\n").replace('(', "\n(")
}

/// What part of the game's budget went into each move.
fn budget_chart(board: &str, found: &Found) -> String {
    let frame = Frame::new(format!("Where the budget goes: {board}"))
        .subtitle("mean share of the game's nodes spent on each move, over games that got there")
        .x("move")
        .y("per cent of the budget");
    let mut chart = Lines::new(frame).y_from_zero().whole_x();
    let mut shown = 0;
    for cell in &found.cells {
        let wanted = match cell.family {
            Family::Global | Family::Tuned => cell.b == "alphabeta",
            Family::Baseline => cell.a == "alphabeta:table",
            Family::Time => shown < 5 && cell.a.contains("linear"),
            Family::Local => false,
        };
        if cell.board != board || !wanted {
            continue;
        }
        shown += 1;
        let games: Vec<&Vec<u64>> = cell.pairs.iter().flat_map(|pair| &pair.moves).collect();
        let longest = games.iter().map(|moves| moves.len()).max().unwrap_or(0);
        let mut line = Line::new(label(&cell.a).replace("\n(", "(").replace('\n', " "));
        for at in 0..longest {
            let spent: Vec<u64> = games.iter().filter_map(|moves| moves.get(at).copied()).collect();
            // A mean over few games says little.
            if spent.len() * 5 < games.len() || (at % 3 != 0 && longest > 40) {
                continue;
            }
            let mean = spent.iter().sum::<u64>() as f64 / spent.len() as f64;
            line = line.point((at + 1) as f64, 100.0 * mean / cell.nodes as f64);
        }
        chart = chart.line(line);
    }
    chart.svg()
}

/// What moves gave away by the share they took.
fn regret_chart(board: &str, bins: &[Bin]) -> String {
    let frame = Frame::new(format!("What moves gave away by what they took: {board}"))
        .subtitle("mean in units of the evaluation against a deeper search, with 95 % intervals")
        .x("share of what was left")
        .y("regret");
    let mut chart = Lines::new(frame).y_from_zero();
    let mut names: Vec<&str> = Vec::new();
    for bin in bins.iter().filter(|bin| bin.board == board) {
        if !names.contains(&&bin.contender[..]) {
            names.push(&bin.contender);
        }
    }
    for name in names {
        let mut line = Line::new(label(name).replace("\n(", "(").replace('\n', " "));
        for bin in bins.iter().filter(|bin| bin.board == board && bin.contender == name) {
            let (low, high) = (bin.regret - bin.error, bin.regret + bin.error);
            line = line.point_between(bin.share, bin.regret, low, high);
        }
        chart = chart.line(line);
    }
    chart.svg()
}
