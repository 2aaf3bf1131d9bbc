//! Krad & Petrakos: *Complexity Driven Algorithm for Computer Games*, and the experiment that their paper
//! lacks: complexity-driven search against alpha-beta with the same evaluation at equal nodes a game, on
//! Jungle and Amazons.
//!
//! A [`Contender`] is a way to search and to divide a budget among moves; a [`Board`] is a game with an
//! evaluation, an order of moves and openings; [`play()`] plays one game between two contenders from one
//! opening, each with a number of nodes for all its moves. [`Experiment`] plays all games of the study and keeps them on
//! file, pair by pair as they are finished, so that a run can be resumed. Everything follows from the seed.

mod board;
mod contender;
mod experiment;
mod ledger;
mod picture;
mod play;

pub use board::{Board, SmallAmazons};
pub use contender::{Contender, ContenderError, Thought};
pub use experiment::{Cell, Chosen, Experiment, Family, Found};
pub use ledger::{Ledger, Pair, Playing};
pub use picture::TreePicture;
pub use play::{Played, Step, play};

use std::fmt::Write;

use charts::{Bars, Frame, Group, Line, Lines};
use clap::Args;
use experiment::{ORDERED, PLAIN, TRIALS};
use serde::{Deserialize, Serialize};

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
    /// The nodes of each side for a game, one number or several
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = BUDGETS,
          value_parser = clap::value_parser!(u64).range(100..))]
    pub budgets: Vec<u64>,
    /// The largest budget at which other comparisons than with the best alpha-beta are made
    #[arg(long, value_name = "N", default_value_t = SIDELINES)]
    pub sidelines: u64,
    /// The seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many games to play at a time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
}

const SIDELINES: u64 = 100_000;
const BUDGETS: [u64; 5] = [10_000, 30_000, 100_000, 300_000, 1_000_000];

impl Default for Params {
    fn default() -> Params {
        Params {
            games: 400,
            budgets: BUDGETS.to_vec(),
            sidelines: SIDELINES,
            seed: 1,
            concurrency: 1,
        }
    }
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The comparisons.
    pub rows: Vec<Comparison>,
    /// What was chosen on each game.
    pub chosen: Vec<Chosen>,
    #[serde(skip)]
    found: Found,
}

/// A comparison, as printed and recorded.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    board: &'static str,
    nodes: u64,
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
            nodes: cell.nodes,
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

    /// Elo with the ends of its 95 % interval.
    fn interval(&self) -> (f64, f64, f64) {
        (self.elo, self.elo - self.elo_error, self.elo + self.elo_error)
    }
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
        let Params { games, seed, sidelines, concurrency, ref budgets } = *params;
        if games == 0 || games % 2 == 1 {
            let reason = format!("{games} games are not pairs: ask for an even number");
            return Err(StudyError::parameter("games", reason));
        }
        let mut budgets = budgets.clone();
        budgets.sort_unstable();
        budgets.dedup();
        let mut ledger = context
            .folder
            .as_ref()
            .map_or_else(|| Ok(Ledger::default()), |folder| Ledger::open(folder))?;
        context.progress.begin("steps", None);
        let Context { progress, stop, .. } = context;
        let study = Experiment { games, seed, budgets, sidelines, threads: concurrency.into() };
        let found = study.run(&mut ledger, stop, &mut |step| progress.message(step))?;
        context.progress.end();
        Ok(Some(Results {
            rows: found.cells.iter().map(Comparison::new).collect(),
            chosen: found.chosen.clone(),
            found,
        }))
    }

    fn render(params: &Params, results: &Results) -> String {
        let mut text = String::new();
        for Chosen { board, reference, local } in &results.chosen {
            let _ = writeln!(
                text,
                "{board}, {} games a row; chosen at {TRIALS} nodes: {reference} and escape:local={local}",
                params.games
            );
            let _ = writeln!(
                text,
                "  {:>9} {:<9} {:<38} {:<33} {:>15} {:>10} {:>6}  pairs",
                "nodes", "family", "contender", "against", "Elo", "spent", "plies"
            );
            for row in results.rows.iter().filter(|row| row.board == *board) {
                let _ = writeln!(
                    text,
                    "  {:>9} {:<9} {:<38} {:<33} {:>+7.1} ± {:>5.1} {:>5.2} {:>4.2} {:>6.1}  {:?}",
                    row.nodes,
                    family(row.family),
                    row.a,
                    row.b,
                    row.elo,
                    row.elo_error,
                    row.spent[0],
                    row.spent[1],
                    row.plies,
                    row.pairs
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
            .parameter("budgets", params.budgets.clone())
            .note("Amazons is played on six by six; nodes are positions looked at, on both games, those to order moves included")
            .results(results)
            .table("cells", "Games by contender", results.cells());
        for chosen in &results.chosen {
            let board = chosen.board;
            draft = draft
                .chart(
                    &format!("elo-{board}"),
                    format!("Elo by budget on {board}"),
                    results.elo_chart(chosen),
                )
                .chart(
                    &format!("trials-{board}"),
                    format!("Local escape functions on {board}"),
                    results.trials_chart(board),
                )
                .chart(
                    &format!("spending-{board}"),
                    format!("The budget by move on {board}"),
                    results.spending_chart(board),
                );
        }
        draft
    }
}

impl Results {
    fn cells(&self) -> Table {
        let mut cells = Table::new([
            "board",
            "nodes",
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
                row.nodes.to_string(),
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

    /// Elo of the chosen local function by budget, a line an opponent; and of what else met the reference.
    fn elo_chart(&self, chosen: &Chosen) -> String {
        let Chosen { board, reference, local } = chosen;
        let escape = format!("escape:local={local}");
        let games = self.rows.first().map_or(0, |row| row.games);
        let frame = Frame::new(format!("Elo by budget at equal nodes a game: {board}"))
            .subtitle(format!("{games} games each, every evaluation charged, with 95 % intervals"))
            .x("nodes a game")
            .y("Elo")
            .size(1000, 560);
        let mut chart = Lines::new(frame).log_x().level(0.0);
        let mut pairs = vec![(&escape[..], PLAIN), (&escape, ORDERED)];
        if reference != ORDERED && reference != PLAIN {
            pairs.push((&escape, reference));
        }
        pairs.extend([("uct", &reference[..]), (ORDERED, PLAIN)]);
        for (a, b) in pairs {
            let mut line = Line::new(format!("{} against {}", short(a), short(b)));
            let of = |row: &&Comparison| row.board == *board && row.a == a && row.b == b;
            for row in self.rows.iter().filter(of) {
                let (elo, low, high) = row.interval();
                line = line.point_between(row.nodes as f64, elo, low, high);
            }
            chart = chart.line(line);
        }
        chart.svg()
    }

    /// The local functions at the budgets where all were tried.
    fn trials_chart(&self, board: &str) -> String {
        let rows: Vec<&Comparison> = self
            .rows
            .iter()
            .filter(|row| row.board == board && row.family == Family::Local)
            .collect();
        let mut budgets: Vec<u64> = rows.iter().map(|row| row.nodes).collect();
        budgets.dedup();
        let frame =
            Frame::new(format!("Local escape functions against ordered alpha-beta: {board}"))
                .subtitle("every evaluation charged, with 95 % intervals")
                .y("Elo")
                .size(1000, 480);
        let series = budgets.iter().map(|nodes| format!("{nodes} nodes a game"));
        let mut bars = Bars::new(frame, series);
        let mut names: Vec<&str> = Vec::new();
        for row in &rows {
            if !names.contains(&&row.a[..]) {
                names.push(&row.a);
            }
        }
        for name in names {
            let label = name.strip_prefix("escape:local=").unwrap_or(name);
            let mut group = Group::new(label.replace('(', "\n("));
            for nodes in &budgets {
                let row = rows.iter().find(|row| row.a == name && row.nodes == *nodes);
                group = match row {
                    Some(row) => {
                        let (elo, low, high) = row.interval();
                        group.bar_between(elo, low, high)
                    }
                    None => group.gap(),
                };
            }
            bars = bars.group(group);
        }
        bars.svg()
    }

    /// What part of the game's budget went into each move, with a fixed share and with a sloping function.
    fn spending_chart(&self, board: &str) -> String {
        let cells: Vec<&Cell> =
            self.found.cells.iter().filter(|cell| cell.board == board).collect();
        let most = cells.iter().filter(|cell| cell.family == Family::Time).map(|cell| cell.nodes);
        let Some(nodes) = most.max() else { return String::new() };
        let frame = Frame::new(format!("Where the budget goes: {board}, {nodes} nodes a game"))
            .subtitle(
                "mean share of the game's nodes spent on each move, over games that got there",
            )
            .x("move")
            .y("per cent of the budget");
        let mut chart = Lines::new(frame).y_from_zero().whole_x();
        let wanted = [Family::Time, Family::Escape, Family::Uct];
        let mut shown: Vec<&str> = Vec::new();
        for cell in cells {
            let is_new = !shown.contains(&&cell.a[..]);
            if cell.nodes != nodes || !wanted.contains(&cell.family) || !is_new {
                continue;
            }
            shown.push(&cell.a);
            let games: Vec<&Vec<u64>> = cell.pairs.iter().flat_map(|pair| &pair.moves).collect();
            let longest = games.iter().map(|moves| moves.len()).max().unwrap_or(0);
            let mut line = Line::new(short(&cell.a));
            for at in 0..longest {
                let spent: Vec<u64> =
                    games.iter().filter_map(|moves| moves.get(at).copied()).collect();
                // A mean over few games says little.
                if spent.len() * 5 < games.len() || (at % 3 != 0 && longest > 40) {
                    continue;
                }
                let mean = spent.iter().sum::<u64>() as f64 / spent.len() as f64;
                line = line.point((at + 1) as f64, 100.0 * mean / nodes as f64);
            }
            chart = chart.line(line);
        }
        chart.svg()
    }
}

fn family(family: Family) -> &'static str {
    match family {
        Family::Baseline => "baseline",
        Family::Local => "local",
        Family::Escape => "escape",
        Family::Uct => "uct",
        Family::Time => "time",
    }
}

/// A contender for a legend.
fn short(contender: &str) -> String {
    contender.replace("alphabeta", "α-β").replace("local=", "").replace("global=", "")
}
