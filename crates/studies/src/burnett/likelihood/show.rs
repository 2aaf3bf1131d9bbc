//! The likelihoods as text, tables and a chart.

use std::fmt::Write;

use charts::{Bars, Frame, Group};
use jungle::Rules;

use super::{Params, Row};
use crate::statistics::number;
use crate::{Draft, Table};

/// The rows, the likeliest first.
fn sorted(rows: &[Row]) -> Vec<&Row> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|one, other| other.log_likelihood.total.total_cmp(&one.log_likelihood.total));
    sorted
}

pub(super) fn text(params: &Params, rows: &[Row]) -> String {
    let mut text = format!(
        "How the thesis was played: {} games a match, {} nodes for 30 s, drawn after {} plies\n\n\
         {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}   combination\n",
        params.games.games,
        params.nodes,
        2 * params.move_limit,
        "total",
        "games",
        "21 a",
        "21 b–f",
        "(depths)",
        "posterior",
    );
    for row in sorted(rows) {
        let logs = row.log_likelihood;
        let one = |value: f64| number(value, 1);
        let _ = writeln!(
            text,
            "{:>9} {:>9} {:>9} {:>9} {:>9} {:>9}   {}",
            one(logs.total),
            one(logs.games),
            one(logs.frequency),
            one(logs.ways),
            one(logs.depths),
            number(row.posterior, 3),
            row.combination
        );
    }
    text.push_str("\nlogarithms of likelihoods, to base e; total: games, 21 a and 21 b–f\n");
    for row in sorted(rows) {
        let _ = writeln!(text, "\n{}", row.combination);
        for one in &row.matches {
            let games = |[won, drawn, lost]: [u64; 3]| format!("{won}/{drawn}/{lost}");
            let _ = writeln!(
                text,
                "  {:<18} {:>8} nodes {:>10}  published {:>9}   depth {:.2} {:.2}   {:.0} plies",
                one.configuration,
                one.nodes,
                games(one.ours),
                games(one.published),
                one.depths[0],
                one.depths[1],
                one.plies
            );
        }
        let says = |yes: bool| if yes { "comes out" } else { "does not" };
        for (side, drawings) in ["White", "Black"].into_iter().zip(row.drawings) {
            let (first, second) = (says(drawings.figure_13), says(drawings.figure_14b));
            let _ = writeln!(text, "  {side} as A: Figure 13 {first}, 14 (b) {second}");
        }
    }
    text
}

pub(super) fn record(params: &Params, rows: &[Row], draft: Draft) -> Draft {
    draft
        .rules(Rules::TUFTS)
        .seed(params.games.seed)
        .parameter("games", params.games.games)
        .parameter("nodes", params.nodes)
        .parameter("move_limit", params.move_limit)
        .results(&rows)
        .note(
            "Likelihoods are Dirichlet-multinomial: published counts after ours, with a uniform prior. \
             Cuts within a game are not independent and count as one.",
        )
        .note("A posterior compares the combinations of this table with each other, and no others.")
        .table("likelihoods", "Logarithms of likelihoods", likelihoods(rows))
        .table("games", "Games, ours beside theirs", games(rows))
        .chart("likelihoods", "Log-likelihood below the best", chart(rows))
}

fn likelihoods(rows: &[Row]) -> Table {
    let mut table =
        Table::new(["combination", "total", "games", "21 a", "21 b-f", "depths", "posterior"]);
    for row in sorted(rows) {
        let logs = row.log_likelihood;
        let values = [logs.total, logs.games, logs.frequency, logs.ways, logs.depths];
        let [total, games, frequency, ways, depths] = values.map(|value| number(value, 2));
        let posterior = number(row.posterior, 4);
        table.row([row.combination.clone(), total, games, frequency, ways, depths, posterior]);
    }
    table
}

fn games(rows: &[Row]) -> Table {
    let mut table = Table::new([
        "combination",
        "configuration",
        "nodes",
        "won",
        "drawn",
        "lost",
        "published won",
        "published drawn",
        "published lost",
        "depth of first",
        "depth of second",
        "plies",
    ]);
    for row in rows {
        for one in &row.matches {
            let [won, drawn, lost] = one.ours.map(|count| count.to_string());
            let published = one.published.map(|count| count.to_string());
            let [their_won, their_drawn, their_lost] = published;
            table.row([
                row.combination.clone(),
                one.configuration.clone(),
                one.nodes.to_string(),
                won,
                drawn,
                lost,
                their_won,
                their_drawn,
                their_lost,
                number(one.depths[0], 2),
                number(one.depths[1], 2),
                number(one.plies, 1),
            ]);
        }
    }
    table
}

fn chart(rows: &[Row]) -> String {
    let sorted = sorted(rows);
    let best = sorted.first().map_or(0.0, |row| row.log_likelihood.total);
    let frame = Frame::new("How the thesis was played")
        .subtitle("combinations by how much less likely they make its figures")
        .y("ln of the likelihood, below the best");
    let bars = Bars::new(frame, ["below the best"]).numbers();
    sorted
        .iter()
        .fold(bars, |bars, row| {
            let below = (10.0 * (best - row.log_likelihood.total)).round() / 10.0;
            bars.group(Group::new(row.combination.replace(',', "\n")).bar(below))
        })
        .svg()
}
