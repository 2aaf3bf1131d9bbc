//! Figure 19: wins, draws and losses of the four configurations, on twenty positions, with both colours.

use std::io::Write;

use charts::{Bars, Frame, Group};
use jungle::Rules;
use lab::standing::Tally;
use lab::study::{Study, Table};
use lab::thesis::{CONFIGURATIONS, published};
use serde::Serialize;

use super::games::{self, Match};
use crate::cli::ReproArgs;
use crate::commands::contest::report::number;
use crate::commands::repro::record;
use crate::failure::Failure;
use crate::output::Output;

const TITLE: &str = "Burnett (2010), Figure 19: wins, draws and losses of four configurations";

/// Two standard errors on either side: the 95 % interval.
pub const INTERVAL: f64 = 1.96;

/// A row; the names are a contract with other programs.
#[derive(Clone, Serialize)]
pub struct Row {
    pub configuration: String,
    pub limit: String,
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub score: f64,
    /// The half-width of the score's 95 % interval, from pairs of games.
    pub score_error: f64,
    pub pentanomial: [u64; 5],
    pub elo: f64,
    pub elo_error: f64,
    /// How many standard errors of the difference lie between the two scores.
    pub apart: f64,
    pub mean_depth: [f64; 2],
    pub plies: u64,
    pub faults: usize,
    /// The games that begin at the thesis' own positions: wins, draws and losses.
    pub thesis_positions: [u64; 3],
    pub published: Published,
    pub digest: String,
    pub games_commit: String,
}

/// What was published.
#[derive(Clone, Serialize)]
pub struct Published {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub score: f64,
    pub score_error: f64,
}

impl Row {
    pub fn new(played: &Match, theirs: published::Result) -> Row {
        let measures = &played.measures;
        let Tally { wins, draws, losses, pairs } = measures.tally;
        let error = pairs.standard_error();
        let between = error.hypot(theirs.standard_error());
        let elo = pairs.elo();
        let thesis = &measures.thesis_tally;
        Row {
            configuration: played.configuration.to_string(),
            limit: played.effort.to_string(),
            games: measures.tally.games(),
            wins,
            draws,
            losses,
            score: measures.tally.score(),
            score_error: INTERVAL * error,
            pentanomial: pairs.0,
            elo: elo.value,
            elo_error: elo.error,
            apart: (measures.tally.score() - theirs.score()).abs() / between,
            mean_depth: [0, 1].map(|at| measures.players[at].mean_depth()),
            plies: measures.plies,
            faults: measures.faults,
            thesis_positions: [thesis.wins, thesis.draws, thesis.losses],
            published: Published {
                wins: theirs.wins,
                draws: theirs.draws,
                losses: theirs.losses,
                score: theirs.score(),
                score_error: INTERVAL * theirs.standard_error(),
            },
            digest: measures.digest.clone(),
            games_commit: played.commit.clone(),
        }
    }
}

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    let effort = games::effort(args)?;
    let matches = CONFIGURATIONS.map(|configuration| (configuration, effort));
    let Some(played) = games::play(args, &matches)? else { return Ok(()) };
    let rows: Vec<Row> = played
        .iter()
        .zip(published::FIGURE_19)
        .map(|(one, theirs)| Row::new(one, theirs))
        .collect();
    if args.json {
        rows.iter().try_for_each(|row| output.json(row))?;
    } else {
        writeln!(output, "{TITLE}")?;
        writeln!(output, "tufts, threshold 4, {effort}, {} games each\n", games::games(args))?;
        print(&rows, |row| row.configuration.clone(), output)?;
    }
    let study = record::study("figure19", TITLE)
        .rules(Rules::TUFTS)
        .seed(args.seed)
        .parameter("games", games::games(args))
        .parameter("limit", effort.to_string())
        .parameter("threshold", 4)
        .parameter("move_limit", 200)
        .results(&rows)
        .table("results", "Games, ours beside theirs", table(&rows))
        .plot("scores", "Points a game", scores(&rows, &effort.to_string()))
        .plot("games", "Wins, draws and losses", outcomes(&rows));
    record::write(args, "figure19", &remarks(study, &rows), output)
}

/// Prints ours beside theirs.
pub fn print(
    rows: &[Row],
    name: impl Fn(&Row) -> String,
    output: &mut Output,
) -> Result<(), Failure> {
    writeln!(
        output,
        "{:<18} {:>20} {:>15} {:>11}   {:>14} {:>15}   apart",
        "", "won drawn lost", "points %", "depth", "published", "points %"
    )?;
    for row in rows {
        let percent = |score: f64, error: f64| {
            format!("{} ± {}", number(100.0 * score, 1), number(100.0 * error, 1))
        };
        writeln!(
            output,
            "{:<18} {:>20} {:>15} {:>11}   {:>14} {:>15}   {} σ",
            name(row),
            format!("{} {:>4} {:>4}", row.wins, row.draws, row.losses),
            percent(row.score, row.score_error),
            format!("{:.2} {:.2}", row.mean_depth[0], row.mean_depth[1]),
            format!(
                "{} {:>3} {:>3}",
                row.published.wins, row.published.draws, row.published.losses
            ),
            percent(row.published.score, row.published.score_error),
            number(row.apart, 1),
        )?;
        let on_thesis: u64 = row.thesis_positions.iter().sum();
        if on_thesis < row.games {
            let [wins, draws, losses] = row.thesis_positions;
            let text = format!("{wins} {draws:>4} {losses:>4}");
            writeln!(output, "{:<18} {text:>20}", "  thesis' positions")?;
        }
        if row.faults > 0 {
            writeln!(output, "  {} games were lost by a fault", row.faults)?;
        }
    }
    Ok(writeln!(
        output,
        "\npoints: of the first player, with the 95 % interval; depth: mean plies of both players\n\
         apart: the difference between the two scores in standard errors"
    )?)
}

/// What a reader should know about these games.
pub fn remarks(study: Study, rows: &[Row]) -> Study {
    let study = study.note(
        "The thesis' intervals take games to be independent; ours come from pairs of games with \
         colours exchanged.",
    );
    let commits: std::collections::BTreeSet<&str> =
        rows.iter().map(|row| row.games_commit.as_str()).collect();
    let commits: Vec<&str> = commits.into_iter().collect();
    study.note(format!("The games were begun by a program of commit {}.", commits.join(", ")))
}

pub fn table(rows: &[Row]) -> Table {
    let mut table = Table::new([
        "configuration",
        "limit",
        "games",
        "won",
        "drawn",
        "lost",
        "score",
        "score ±",
        "Elo",
        "Elo ±",
        "depth of first",
        "depth of second",
        "published won",
        "published drawn",
        "published lost",
        "published score",
        "published score ±",
        "apart (σ)",
    ]);
    for row in rows {
        let three = |value: f64| number(value, 3);
        table.row([
            row.configuration.clone(),
            row.limit.clone(),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            three(row.score),
            three(row.score_error),
            number(row.elo, 1),
            number(row.elo_error, 1),
            number(row.mean_depth[0], 2),
            number(row.mean_depth[1], 2),
            row.published.wins.to_string(),
            row.published.draws.to_string(),
            row.published.losses.to_string(),
            three(row.published.score),
            three(row.published.score_error),
            number(row.apart, 2),
        ]);
    }
    table
}

fn scores(rows: &[Row], limit: &str) -> String {
    let frame = Frame::new("Figure 19: points a game of the first player")
        .subtitle(format!("{limit}; bars show the 95 % interval; published: 30 s a move"))
        .y("points a game");
    let bars = Bars::new(frame, ["ours", "published"]).numbers();
    rows.iter().fold(bars, |bars, row| bars.group(score_group(two_lines(row), row))).svg()
}

/// Our score and theirs, with their intervals.
pub fn score_group(name: String, row: &Row) -> Group {
    let (ours, theirs) = (row.score, row.published.score);
    let bounds = |score: f64, error: f64| ((score - error).max(0.0), (score + error).min(1.0));
    let (low, high) = bounds(ours, row.score_error);
    let (their_low, their_high) = bounds(theirs, row.published.score_error);
    Group::new(name).bar_between(ours, low, high).bar_between(theirs, their_low, their_high)
}

fn outcomes(rows: &[Row]) -> String {
    let frame = Frame::new("Figure 19: how the games ended")
        .subtitle("for the first player, in per cent; ours and then theirs")
        .y("per cent of the games");
    let bars = Bars::new(frame, ["won", "drawn", "lost"]).stacked().numbers();
    rows.iter()
        .fold(bars, |bars, row| {
            let percent = |count: u64, of: u64| (1000.0 * count as f64 / of as f64).round() / 10.0;
            let theirs = &row.published;
            let total = theirs.wins + theirs.draws + theirs.losses;
            let group = |name: String, counts: [u64; 3], of: u64| {
                counts.iter().fold(Group::new(name), |group, &n| group.bar(percent(n, of)))
            };
            bars.group(group(two_lines(row), [row.wins, row.draws, row.losses], row.games)).group(
                group("published".to_owned(), [theirs.wins, theirs.draws, theirs.losses], total),
            )
        })
        .svg()
}

/// The two players on a line each.
fn two_lines(row: &Row) -> String {
    row.configuration.replacen(" v ", "\nv ", 1)
}
