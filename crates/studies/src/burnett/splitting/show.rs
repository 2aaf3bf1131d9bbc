//! The study as text, tables and plots.

use std::fmt::Write;

use charts::{Bars, Frame, Group, Line, Lines};

use super::{Cell, DepthRow, MOVE_LIMIT, Params, RULES, Results, YARDSTICK};
use crate::{Draft, Table};

/// Both tables as text.
pub fn text(cells: &[Cell], depths: &[DepthRow]) -> String {
    let mut text = String::new();
    if let Some(Cell { asked, .. }) = cells.first() {
        let _ = writeln!(
            text,
            "Against {YARDSTICK} at equal nodes, {} games a cell from generated openings, {RULES}, seed {}\n",
            asked.games, asked.seed
        );
    }
    let _ = writeln!(
        text,
        "{:<27} {:>6} {:>5} {:>5} {:>5} {:>15}  {:>5} {:>8}  pairs 0 ½ 1 1½ 2",
        "player", "nodes", "won", "drawn", "lost", "Elo", "depth", YARDSTICK
    );
    for cell in cells {
        let pairs: Vec<String> = cell.pairs.0.iter().map(u64::to_string).collect();
        let _ = writeln!(
            text,
            "{:<27} {:>6} {:>5} {:>5} {:>5} {:>7.1} ± {:>5.1}  {:>5.2} {:>8.2}  {}",
            cell.asked.player,
            cell.asked.nodes,
            cell.wins,
            cell.draws,
            cell.losses,
            cell.elo,
            cell.elo_error,
            cell.depth,
            cell.yardstick_depth,
            pairs.join(" ")
        );
    }
    if let Some(row) = depths.first() {
        let _ = writeln!(
            text,
            "\nAt equal depths, on {} positions of games: nodes for each of {YARDSTICK}'s, and moves that the \
             whole board\nat the same depth calls worse than the best, or worse by 200 or more\n",
            row.positions
        );
    }
    let _ = writeln!(
        text,
        "{:<27} {:>5} {:>6} {:>7} {:>12} {:>7} {:>9} {:>6}",
        "player", "depth", "cut", "nodes", "where cut", "worse", "blunders", "loss"
    );
    for row in depths {
        let where_cut = row.nodes_where_cut.map_or("–".to_owned(), |nodes| format!("{nodes:.3}"));
        let _ = writeln!(
            text,
            "{:<27} {:>5} {:>5.1}% {:>7.3} {:>12} {:>6.1}% {:>8.1}% {:>6.2}",
            row.player,
            row.depth,
            100.0 * row.cut,
            row.nodes,
            where_cut,
            100.0 * row.worse,
            100.0 * row.blunders,
            row.loss
        );
    }
    text
}

/// The record of the study.
pub fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
    let Results { cells, depths } = results;
    let mut nodes: Vec<u64> = cells.iter().map(|cell| cell.asked.nodes).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let players = in_order(cells.iter().map(|cell| cell.asked.player.as_str()));
    let budgets = |player: &str| cells.iter().filter(|cell| cell.asked.player == player).count();
    let (map, others): (Vec<&str>, Vec<&str>) =
        players.iter().partition(|player| budgets(player) > 1);
    let mut draft = draft
        .rules(RULES)
        .seed(params.seed)
        .parameter("games", cells.first().map_or(0, |cell| cell.asked.games))
        .parameter("move limit", MOVE_LIMIT)
        .parameter("nodes", nodes)
        .parameter("players", players)
        .parameter("against", YARDSTICK)
        .results(results)
        .table("cells", "Matches at equal nodes", cell_table(cells))
        .table("depths", "Choices at equal depths", depth_table(depths));
    if !map.is_empty() {
        let title = "Players that use parts against ordering, by nodes";
        draft = draft.chart("map", title, elo_lines(title, cells, &map));
    }
    if let Some(first) = cells.iter().find(|cell| others.contains(&cell.asked.player.as_str())) {
        let nodes = first.asked.nodes;
        let title = format!("All players against ordering, {nodes} nodes a move");
        let cells = cells.iter().filter(|cell| cell.asked.nodes == nodes);
        draft = draft.chart("players", title.clone(), elo_bars(&title, cells));
    }
    draft.chart("nodes", "Nodes at equal depths", depth_chart(depths, NODES)).chart(
        "worse",
        "Worse moves at equal depths",
        depth_chart(depths, WORSE),
    )
}

fn in_order<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut known: Vec<&str> = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known
}

fn cell_table(cells: &[Cell]) -> Table {
    let mut table = Table::new([
        "player",
        "nodes",
        "games",
        "won",
        "drawn",
        "lost",
        "elo",
        "error",
        "depth",
        "ordering depth",
    ]);
    for cell in cells {
        table.row([
            cell.asked.player.clone(),
            cell.asked.nodes.to_string(),
            cell.asked.games.to_string(),
            cell.wins.to_string(),
            cell.draws.to_string(),
            cell.losses.to_string(),
            format!("{:.1}", cell.elo),
            format!("{:.1}", cell.elo_error),
            format!("{:.2}", cell.depth),
            format!("{:.2}", cell.yardstick_depth),
        ]);
    }
    table
}

fn depth_table(rows: &[DepthRow]) -> Table {
    let mut table = Table::new([
        "player",
        "depth",
        "positions",
        "cut",
        "nodes",
        "nodes where cut",
        "worse",
        "blunders",
        "loss",
    ]);
    for row in rows {
        table.row([
            row.player.clone(),
            row.depth.to_string(),
            row.positions.to_string(),
            format!("{:.3}", row.cut),
            format!("{:.3}", row.nodes),
            row.nodes_where_cut.map_or_else(String::new, |nodes| format!("{nodes:.3}")),
            format!("{:.3}", row.worse),
            format!("{:.3}", row.blunders),
            format!("{:.2}", row.loss),
        ]);
    }
    table
}

/// Elo by nodes, a line for each player. The points of a budget are drawn side by side, so that their error
/// bars do not overlap.
fn elo_lines(title: &str, cells: &[Cell], players: &[&str]) -> String {
    let games = cells.first().map_or(0, |cell| cell.asked.games);
    let frame = Frame::new(title)
        .subtitle(format!("{games} games a point, {RULES}, 95 % intervals; above 0 is better"))
        .x("nodes a move (points of a budget side by side)")
        .y("Elo");
    let mut chart = Lines::new(frame).log_x().level(0.0);
    for (at, player) in players.iter().enumerate() {
        let aside = 1.035_f64.powf(at as f64 - (players.len() as f64 - 1.0) / 2.0);
        let mut line = Line::new(player.trim_start_matches("both:"));
        for cell in cells.iter().filter(|cell| cell.asked.player == **player) {
            let x = cell.asked.nodes as f64 * aside;
            let (low, high) = (cell.elo - cell.elo_error, cell.elo + cell.elo_error);
            line = line.point_between(x, cell.elo, low, high);
        }
        chart = chart.line(line);
    }
    chart.svg()
}

/// Elo of all players with one budget.
fn elo_bars<'a>(title: &str, cells: impl Iterator<Item = &'a Cell>) -> String {
    let frame = Frame::new(title)
        .subtitle(format!("{RULES}, 95 % intervals; above 0 is better"))
        .y("Elo")
        .size(1080, 460);
    let mut chart = Bars::new(frame, [""]);
    for cell in cells {
        let (low, high) = (cell.elo - cell.elo_error, cell.elo + cell.elo_error);
        chart = chart.group(Group::new(short(&cell.asked.player)).bar_between(cell.elo, low, high));
    }
    chart.svg()
}

/// The name of a player in two or three lines.
fn short(player: &str) -> String {
    player.replacen(':', "\n", 1).replace("threshold=", "").replace("by=", "").replace(',', "\n")
}

/// A quantity of the table of depths: its title, its axis, and the value.
type Quantity = (&'static str, &'static str, fn(&DepthRow) -> f64);

const NODES: Quantity =
    ("What a search to a given depth costs", "nodes for each of ordering's", |row| row.nodes);
const WORSE: Quantity =
    ("Moves that the whole board calls worse at the same depth", "% of moves", |row| {
        100.0 * row.worse
    });

fn depth_chart(rows: &[DepthRow], (title, axis, of): Quantity) -> String {
    let mut depths: Vec<u32> = rows.iter().map(|row| row.depth).collect();
    depths.dedup();
    let positions = rows.first().map_or(0, |row| row.positions);
    let frame = Frame::new(title)
        .subtitle(format!("{positions} positions of games, {RULES}"))
        .y(axis)
        .size(1080, 460);
    let mut chart = Bars::new(frame, depths.iter().map(|depth| format!("{depth} plies deep")));
    for player in in_order(rows.iter().map(|row| row.player.as_str())) {
        let mut group = Group::new(short(player));
        for depth in &depths {
            let row = rows.iter().find(|row| row.player == player && row.depth == *depth);
            group = group.bar(row.map_or(f64::NAN, of));
        }
        chart = chart.group(group);
    }
    chart.svg()
}
