//! Figures 22 and 23: both heuristics against ordering, with thirty, five and two seconds a move.
//!
//! What stands for the thirty seconds is a parameter; the other two get a sixth and a fifteenth of it.

use std::fmt::Write;

use charts::{Bars, Frame, Line, Lines};
use clap::Args;
use jungle::Rules;
use serde::{Deserialize, Serialize};

use super::configuration::{CONFIGURATIONS, Effort, NODES_FOR_30_SECONDS};
use super::figure19::{self, ConfigurationResult};
use super::games::{self, GamesParams};
use super::{BURNETT, published};
use crate::parameter::seconds;
use crate::statistics::number;
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

/// Figures 22 and 23.
pub struct Figure22;

/// The parameters of Figures 22 and 23.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many nodes a move may cost where Burnett gave thirty seconds; 8,000,000 if no limit is given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// How many seconds a move may take where Burnett gave thirty
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time: Option<f64>,
    /// Which games.
    #[command(flatten)]
    #[serde(flatten)]
    pub games: GamesParams,
}

impl Params {
    /// The effort that stands for this many of Burnett's seconds.
    fn effort(&self, seconds: u32) -> Result<Effort, StudyError> {
        let longest = published::FIGURES_22_23[0].0;
        let share = f64::from(seconds) / f64::from(longest);
        match (self.time, self.nodes) {
            (Some(_), Some(_)) => Err(StudyError::SeveralLimits),
            (Some(time), None) => games::seconds_a_move(time * share),
            (None, nodes) => {
                let nodes = nodes.unwrap_or(NODES_FOR_30_SECONDS) as f64 * share;
                Ok(Effort::Nodes((nodes.round() as u64).max(1)))
            }
        }
    }
}

/// The games at an effort; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct EffortResult {
    published_seconds: u32,
    depth_of_both: f64,
    published_depth_of_both: f64,
    #[serde(flatten)]
    games: ConfigurationResult,
}

impl Study for Figure22 {
    const NAME: &'static str = "figure22";
    const TITLE: &'static str =
        "Burnett (2010), Figures 22 and 23: both heuristics against ordering, by time a move";
    const ABOUT: &'static str =
        "Burnett (2010), Figures 22 and 23: both heuristics against ordering, by time a move";
    const SOURCE: Option<&'static str> = Some(BURNETT);
    const TAKES: &'static str = "a day at the published effort; minutes with 20,000 nodes";

    type Params = Params;
    type Results = Vec<EffortResult>;

    fn run(
        params: &Params,
        context: &mut Context<'_>,
    ) -> Result<Option<Vec<EffortResult>>, StudyError> {
        let mut matches = Vec::new();
        for (seconds, ..) in published::FIGURES_22_23 {
            matches.push((CONFIGURATIONS[3], params.effort(seconds)?));
        }
        let Some(played) = games::play(&params.games, &matches, context)? else { return Ok(None) };
        let rows = played.iter().zip(published::FIGURES_22_23).map(
            |(one, (published_seconds, result, published_depth_of_both))| EffortResult {
                published_seconds,
                depth_of_both: one.measures.players[0].mean_depth(),
                published_depth_of_both,
                games: ConfigurationResult::new(one, result),
            },
        );
        Ok(Some(rows.collect()))
    }

    fn render(params: &Params, rows: &Vec<EffortResult>) -> String {
        let mut text = format!(
            "{}\ntufts, threshold 4, {} games each\n\n{}",
            Self::TITLE,
            params.games.games,
            figure19::beside(&games_of(rows), |row| row.limit.clone())
        );
        let ours: Vec<String> = rows.iter().map(|row| number(row.depth_of_both, 2)).collect();
        let theirs: Vec<String> =
            rows.iter().map(|row| row.published_depth_of_both.to_string()).collect();
        let _ = writeln!(
            text,
            "\ndepth of both: ours {}, published {}",
            ours.join(", "),
            theirs.join(", ")
        );
        text
    }

    fn lines(rows: &Vec<EffortResult>) -> serde_json::Result<Vec<String>> {
        each(rows)
    }

    fn record(params: &Params, rows: &Vec<EffortResult>, draft: Draft) -> Draft {
        let games = games_of(rows);
        let limits: Vec<String> = games.iter().map(|row| row.limit.clone()).collect();
        let draft = draft
            .rules(Rules::TUFTS)
            .seed(params.games.seed)
            .parameter("games", params.games.games)
            .parameter("limits", limits)
            .parameter("threshold", 4)
            .parameter("move_limit", 200)
            .results(rows)
            .table("results", "Games, ours beside theirs", figure19::table(&games))
            .table("depth", "Mean depth of both", depths(rows))
            .chart("scores", "Points a game", scores(rows))
            .chart("depth", "Mean depth of both", chart(rows));
        figure19::remarks(draft, &games)
    }
}

fn games_of(rows: &[EffortResult]) -> Vec<ConfigurationResult> {
    rows.iter().map(|row| row.games.clone()).collect()
}

fn depths(rows: &[EffortResult]) -> Table {
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

fn scores(rows: &[EffortResult]) -> String {
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

fn chart(rows: &[EffortResult]) -> String {
    let frame = Frame::new("Figure 23: mean depth of both heuristics")
        .subtitle("ours at efforts in the same proportion")
        .x("published seconds a move")
        .y("plies");
    let points = |of: fn(&EffortResult) -> f64| {
        rows.iter().map(|row| (f64::from(row.published_seconds), of(row))).collect::<Vec<_>>()
    };
    Lines::new(frame)
        .log_x()
        .line(Line::new("ours").points(points(|row| row.depth_of_both)))
        .line(Line::new("published").dashed().points(points(|row| row.published_depth_of_both)))
        .svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_times_get_their_share() {
        let params = Params { nodes: Some(3000), ..Params::default() };
        let efforts = [30, 5, 2].map(|seconds| params.effort(seconds).unwrap());
        assert_eq!(efforts, [3000, 500, 200].map(Effort::Nodes));
        let both = Params { time: Some(3.0), ..params };
        assert!(matches!(both.effort(30), Err(StudyError::SeveralLimits)));
    }
}
