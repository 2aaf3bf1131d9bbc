//! Figures 22 and 23: both heuristics against ordering, with thirty, five and two seconds a move.
//!
//! Given `--nodes` or `--time` for the thirty seconds, the other two get a sixth and a fifteenth of it.

use std::io::Write;

use charts::{Bars, Frame, Line, Lines};
use jungle::Rules;
use lab::study::Table;
use lab::thesis::{CONFIGURATIONS, Effort, NODES_FOR_30_SECONDS, published};
use serde::Serialize;

use super::figure19::{self, Row as Games};
use super::games;
use crate::cli::ReproArgs;
use crate::commands::contest::report::number;
use crate::commands::repro::record;
use crate::failure::Failure;
use crate::output::Output;

const TITLE: &str =
    "Burnett (2010), Figures 22 and 23: both heuristics against ordering, by time a move";

/// A row; the names are a contract with other programs.
#[derive(Serialize)]
struct Row {
    published_seconds: u32,
    depth_of_both: f64,
    published_depth_of_both: f64,
    #[serde(flatten)]
    games: Games,
}

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    let longest = published::FIGURES_22_23[0].0;
    let efforts = published::FIGURES_22_23.map(|(seconds, ..)| effort(args, seconds, longest));
    let configuration = CONFIGURATIONS[3];
    let mut matches = Vec::new();
    for effort in efforts {
        matches.push((configuration, effort?));
    }
    let Some(played) = games::play(args, &matches)? else { return Ok(()) };
    let rows: Vec<Row> = played
        .iter()
        .zip(published::FIGURES_22_23)
        .map(|(one, (published_seconds, result, published_depth_of_both))| Row {
            published_seconds,
            depth_of_both: one.measures.players[0].mean_depth(),
            published_depth_of_both,
            games: Games::new(one, result),
        })
        .collect();
    if args.json {
        rows.iter().try_for_each(|row| output.json(row))?;
    } else {
        writeln!(output, "{TITLE}\ntufts, threshold 4, {} games each\n", games::games(args))?;
        let games: Vec<Games> = rows.iter().map(|row| row.games.clone()).collect();
        figure19::print(&games, |row| row.limit.clone(), output)?;
        writeln!(
            output,
            "\ndepth of both: ours {}, published {}",
            {
                let ours: Vec<String> =
                    rows.iter().map(|row| number(row.depth_of_both, 2)).collect();
                ours.join(", ")
            },
            {
                let theirs: Vec<String> =
                    rows.iter().map(|row| row.published_depth_of_both.to_string()).collect();
                theirs.join(", ")
            }
        )?;
    }
    let games: Vec<Games> = rows.iter().map(|row| row.games.clone()).collect();
    let study = record::study("figure22", TITLE)
        .rules(Rules::TUFTS)
        .seed(args.seed)
        .parameter("games", games::games(args))
        .parameter("limits", rows.iter().map(|row| row.games.limit.clone()).collect::<Vec<_>>())
        .parameter("threshold", 4)
        .parameter("move_limit", 200)
        .results(&rows)
        .table("results", "Games, ours beside theirs", figure19::table(&games))
        .table("depth", "Mean depth of both", depths(&rows))
        .plot("scores", "Points a game", scores(&rows))
        .plot("depth", "Mean depth of both", chart(&rows));
    record::write(args, "figure22", &figure19::remarks(study, &games), output)
}

/// What stands for so many of the thesis' seconds.
fn effort(args: &ReproArgs, seconds: u32, longest: u32) -> Result<Effort, Failure> {
    if args.depth.is_some() {
        return Err(Failure::Input(
            "figure22 compares efforts, and a depth is the same for all: give --nodes or --time for \
             the thirty seconds"
                .to_owned(),
        ));
    }
    if args.time.is_some() && args.budget().is_some() {
        return Err(games::several());
    }
    let share = f64::from(seconds) / f64::from(longest);
    match args.time {
        Some(time) => games::seconds_a_move(time * share),
        None => {
            let nodes = args.budget().unwrap_or(NODES_FOR_30_SECONDS) as f64 * share;
            Ok(Effort::Nodes((nodes.round() as u64).max(1)))
        }
    }
}

fn depths(rows: &[Row]) -> Table {
    let mut table = Table::new(["published seconds", "limit", "mean depth", "published"]);
    for row in rows {
        table.row([
            row.published_seconds.to_string(),
            row.games.limit.clone(),
            number(row.depth_of_both, 3),
            row.published_depth_of_both.to_string(),
        ]);
    }
    table
}

fn scores(rows: &[Row]) -> String {
    let frame = Frame::new("Figure 22: points a game of both heuristics against ordering")
        .subtitle("bars show the 95 % interval")
        .x("what stands for 30, 5 and 2 seconds a move")
        .y("points a game");
    let bars = Bars::new(frame, ["ours", "published"]).numbers();
    rows.iter()
        .fold(bars, |bars, row| {
            let name = format!("{}\n({} s)", row.games.limit, row.published_seconds);
            bars.group(figure19::score_group(name, &row.games))
        })
        .svg()
}

fn chart(rows: &[Row]) -> String {
    let frame = Frame::new("Figure 23: mean depth of both heuristics")
        .subtitle("ours at efforts in the same proportion")
        .x("published seconds a move")
        .y("plies");
    let points = |of: fn(&Row) -> f64| {
        rows.iter().map(|row| (f64::from(row.published_seconds), of(row))).collect::<Vec<_>>()
    };
    Lines::new(frame)
        .log_x()
        .line(Line::new("ours").points(points(|row| row.depth_of_both)))
        .line(Line::new("published").dashed().points(points(|row| row.published_depth_of_both)))
        .svg()
}
