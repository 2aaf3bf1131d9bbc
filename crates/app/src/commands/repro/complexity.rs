//! The experiment that Krad and Petrakos' paper lacks: complexity-driven search against alpha-beta with the
//! same evaluation at equal nodes a game, on Jungle and Amazons.
//!
//! Games are written down pair by pair as they are finished, so that a run goes on where it was stopped.

use std::io::Write;

use charts::{Bars, Frame, Group, Line, Lines};
use lab::complexity::{Cell, Experiment, Family, Found, Ledger, LedgerError, Regrets};
use lab::study::{Study, Table};
use serde::Serialize;

use crate::cli::ReproArgs;
use crate::commands::contest::{program, record_failure};
use crate::commands::repro::record;
use crate::failure::Failure;
use crate::output::Output;

/// How many games a cell has unless somebody says otherwise.
const GAMES: u64 = 400;

/// A comparison, as printed and recorded.
#[derive(Serialize)]
struct Row {
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

impl Row {
    fn new(cell: &Cell) -> Row {
        let elo = cell.score.elo();
        let games = 2 * cell.pairs.len() as u64;
        let mean = |sum: u64| sum as f64 / games as f64;
        Row {
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
#[derive(Serialize)]
struct Bin {
    board: &'static str,
    contender: String,
    moves: usize,
    /// The mean share of what was left.
    share: f64,
    regret: f64,
    /// Half the width of the 95 % interval.
    error: f64,
}

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    let games = args.games.unwrap_or(GAMES);
    if games == 0 || games % 2 == 1 {
        return Err(Failure::Input(format!(
            "{games} games are not pairs: use an even number of --games"
        )));
    }
    let folder = record::folder(args, "complexity");
    let experiment = Experiment { games, seed: args.seed };
    let mut ledger = Ledger::open(&folder).map_err(failure)?;
    let bar = indicatif::ProgressBar::new_spinner();
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    let found = experiment
        .run(&mut ledger, &mut |step| bar.set_message(step.to_owned()))
        .map_err(failure)?;
    bar.finish_and_clear();

    let rows: Vec<Row> = found.cells.iter().map(Row::new).collect();
    let bins: Vec<Bin> = found.regrets.iter().flat_map(bins).collect();
    study(&experiment, &found, &rows, &bins).write(&folder).map_err(record_failure)?;
    if args.json {
        return rows.iter().try_for_each(|row| output.json(row));
    }
    print(&found, &rows, &bins, output)?;
    Ok(writeln!(output, "record: {}", folder.display())?)
}

fn failure(error: LedgerError) -> Failure {
    match error {
        LedgerError::Disk(..) => Failure::Outside(error.to_string()),
        LedgerError::Damaged(..) => Failure::Input(error.to_string()),
    }
}

fn print(found: &Found, rows: &[Row], bins: &[Bin], output: &mut Output) -> Result<(), Failure> {
    for (board, nodes) in Experiment::nodes() {
        writeln!(output, "{board}, {nodes} nodes a game for each side")?;
        writeln!(
            output,
            "  {:<9} {:<46} {:<16} {:>15} {:>6} {:>12} {:>5}  pairs",
            "family", "contender", "against", "Elo", "games", "spent", "plies"
        )?;
        for row in rows.iter().filter(|row| row.board == board) {
            writeln!(
                output,
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
            )?;
        }
        writeln!(output, "  the small search, best first:")?;
        for tuned in found.tuned.iter().filter(|tuned| tuned.board == board) {
            for (contender, score) in &tuned.tried {
                writeln!(
                    output,
                    "    {contender:<50} {:.3} in {} games",
                    score.score(),
                    2 * score.pairs()
                )?;
            }
        }
        writeln!(output, "  what moves gave away, by the share of what was left that they took:")?;
        for bin in bins.iter().filter(|bin| bin.board == board) {
            writeln!(
                output,
                "    {:<46} share {:.4}: {:>6.1} ± {:>5.1} ({} moves)",
                bin.contender, bin.share, bin.regret, bin.error, bin.moves
            )?;
        }
    }
    Ok(())
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
                error: 1.96 * (variance / count).sqrt(),
            }
        })
        .collect()
}

fn study(experiment: &Experiment, found: &Found, rows: &[Row], bins: &[Bin]) -> Study {
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
    for row in rows {
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
    let mut regrets = Table::new(["board", "contender", "moves", "share", "regret", "error"]);
    for bin in bins {
        regrets.row([
            bin.board.to_owned(),
            bin.contender.clone(),
            bin.moves.to_string(),
            format!("{:.5}", bin.share),
            format!("{:.2}", bin.regret),
            format!("{:.2}", bin.error),
        ]);
    }
    let mut tuned = Table::new(["board", "contender", "games", "score"]);
    for found in &found.tuned {
        for (contender, score) in &found.tried {
            tuned.row([
                found.board.to_owned(),
                contender.clone(),
                (2 * score.pairs()).to_string(),
                format!("{:.4}", score.score()),
            ]);
        }
    }
    let mut study = Study::new("complexity", "Complexity-driven search against alpha-beta")
        .made_by(program::made_by())
        .seed(experiment.seed)
        .rules("tufts")
        .parameter("games", experiment.games)
        .note("Amazons is played on six by six; nodes are positions looked at, on both games")
        .results(&rows)
        .table("cells", "Games by contender", cells)
        .table("tuning", "The small search for better functions", tuned)
        .table("regret", "What moves gave away, by the share they took", regrets);
    for (board, nodes) in Experiment::nodes() {
        study = study
            .parameter(&format!("nodes-{board}"), nodes)
            .plot(&format!("elo-{board}"), format!("Elo on {board}"), elo_chart(board, rows))
            .plot(
                &format!("budget-{board}"),
                format!("The budget by move on {board}"),
                budget_chart(board, found),
            )
            .plot(
                &format!("regret-{board}"),
                format!("What moves gave away on {board}"),
                regret_chart(board, bins),
            );
    }
    study
}

/// Elo against plain alpha-beta, a bar a contender.
fn elo_chart(board: &str, rows: &[Row]) -> String {
    let rows: Vec<&Row> =
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
    // Commas within brackets do not part anything.
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
