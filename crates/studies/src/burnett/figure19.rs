//! Figure 19: wins, draws and losses of the four configurations, on twenty positions, with both colours.

use std::collections::BTreeSet;
use std::fmt::Write;

use charts::{Bars, Frame, Group};
use clap::Args;
use jungle::Rules;
use lab::standing::Tally;
use serde::{Deserialize, Serialize};

use super::configuration::CONFIGURATIONS;
use super::games::{self, EffortParams, GamesParams, Match};
use super::{BURNETT, published};
use crate::statistics::{INTERVAL, number};
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

/// Figure 19.
pub struct Figure19;

/// The parameters of Figure 19.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// What a move may cost.
    #[command(flatten)]
    #[serde(flatten)]
    pub effort: EffortParams,
    /// Which games.
    #[command(flatten)]
    #[serde(flatten)]
    pub games: GamesParams,
}

/// The games of a configuration, ours beside theirs; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct ConfigurationResult {
    /// Who played, as in `split v plain`.
    pub configuration: String,
    /// The limit of a move.
    pub limit: String,
    /// How many games.
    pub games: u64,
    /// Games that the first player won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points a game of the first player.
    pub score: f64,
    /// The half-width of the score's 95 % interval, from pairs of games.
    pub score_error: f64,
    /// Pairs of games by score: 0, ½, 1, 1½, 2.
    pub pentanomial: [u64; 5],
    /// The advantage in Elo.
    pub elo: f64,
    /// The half-width of its 95 % interval.
    pub elo_error: f64,
    /// How many standard errors of the difference lie between the two scores.
    pub apart: f64,
    /// Mean plies of the searches of both.
    pub mean_depth: [f64; 2],
    /// Plies played in all.
    pub plies: u64,
    /// Games lost because a player failed.
    pub faults: usize,
    /// The games that begin at Burnett's positions: wins, draws and losses.
    pub thesis_positions: [u64; 3],
    /// The published values.
    pub published: Published,
    /// A digest of all games.
    pub digest: String,
    /// The commit of the program that began them.
    pub games_commit: String,
}

/// The published values.
#[derive(Clone, Debug, Serialize)]
pub struct Published {
    /// Games that the first player won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points a game of the first player.
    pub score: f64,
    /// The half-width of its 95 % interval, games taken to be independent.
    pub score_error: f64,
}

impl ConfigurationResult {
    /// The result of a match beside the published one.
    pub fn new(played: &Match, theirs: published::MatchResult) -> ConfigurationResult {
        let measures = &played.measures;
        let Tally { wins, draws, losses, pairs } = measures.tally;
        let error = pairs.standard_error();
        let between = error.hypot(theirs.standard_error());
        let elo = pairs.elo();
        let burnett = &measures.burnett_tally;
        ConfigurationResult {
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
            thesis_positions: [burnett.wins, burnett.draws, burnett.losses],
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

impl Study for Figure19 {
    const NAME: &'static str = "figure19";
    const TITLE: &'static str =
        "Burnett (2010), Figure 19: wins, draws and losses of four configurations";
    const ABOUT: &'static str =
        "Burnett (2010), Figure 19: wins, draws and losses of four configurations";
    const SOURCE: Option<&'static str> = Some(BURNETT);
    const TAKES: &'static str = "a quarter of an hour for 40 games each at the published depths";

    type Params = Params;
    type Results = Vec<ConfigurationResult>;

    fn run(
        params: &Params,
        context: &mut Context<'_>,
    ) -> Result<Option<Vec<ConfigurationResult>>, StudyError> {
        let effort = params.effort.effort()?;
        let matches = CONFIGURATIONS.map(|configuration| (configuration, effort));
        let Some(played) = games::play(&params.games, &matches, context)? else { return Ok(None) };
        let rows = played.iter().zip(published::FIGURE_19);
        Ok(Some(rows.map(|(one, theirs)| ConfigurationResult::new(one, theirs)).collect()))
    }

    fn render(params: &Params, rows: &Vec<ConfigurationResult>) -> String {
        format!(
            "{}\ntufts, threshold 4, {}, {} games each\n\n{}",
            Self::TITLE,
            limit(rows),
            params.games.games,
            beside(rows, |row| row.configuration.clone())
        )
    }

    fn lines(rows: &Vec<ConfigurationResult>) -> serde_json::Result<Vec<String>> {
        each(rows)
    }

    fn record(params: &Params, rows: &Vec<ConfigurationResult>, draft: Draft) -> Draft {
        let draft = draft
            .rules(Rules::TUFTS)
            .seed(params.games.seed)
            .parameter("games", params.games.games)
            .parameter("limit", limit(rows))
            .parameter("threshold", 4)
            .parameter("move_limit", 200)
            .results(rows)
            .table("results", "Games, ours beside theirs", table(rows))
            .chart("scores", "Points a game", scores(rows, limit(rows)))
            .chart("games", "Wins, draws and losses", outcomes(rows));
        remarks(draft, rows)
    }
}

/// The limit that all games were played under.
fn limit(rows: &[ConfigurationResult]) -> &str {
    rows.first().map_or("", |row| &row.limit)
}

/// Ours beside theirs.
pub(super) fn beside(
    rows: &[ConfigurationResult],
    name: impl Fn(&ConfigurationResult) -> String,
) -> String {
    let mut text = format!(
        "{:<18} {:>20} {:>15} {:>11}   {:>14} {:>15}   apart\n",
        "", "won drawn lost", "points %", "depth", "published", "points %"
    );
    let percent = |score: f64, error: f64| {
        format!("{} ± {}", number(100.0 * score, 1), number(100.0 * error, 1))
    };
    for row in rows {
        let _ = writeln!(
            text,
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
        );
        let on_published: u64 = row.thesis_positions.iter().sum();
        if on_published < row.games {
            let [wins, draws, losses] = row.thesis_positions;
            let games = format!("{wins} {draws:>4} {losses:>4}");
            let _ = writeln!(text, "{:<18} {games:>20}", "  Burnett's positions");
        }
        if row.faults > 0 {
            let _ = writeln!(text, "  {} games were lost by a fault", row.faults);
        }
    }
    text + "\npoints: of the first player, with the 95 % interval; depth: mean plies of both players\n\
            apart: the difference between the two scores in standard errors\n"
}

/// Notes for readers of these games.
pub(super) fn remarks(draft: Draft, rows: &[ConfigurationResult]) -> Draft {
    let commits: BTreeSet<&str> = rows.iter().map(|row| row.games_commit.as_str()).collect();
    let commits: Vec<&str> = commits.into_iter().collect();
    draft
        .note(
            "Burnett's intervals take games to be independent; ours come from pairs of games with \
             colours exchanged.",
        )
        .note(format!("The games were begun by a program of commit {}.", commits.join(", ")))
}

/// Games as a table.
pub(super) fn table(rows: &[ConfigurationResult]) -> Table {
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

fn scores(rows: &[ConfigurationResult], limit: &str) -> String {
    let frame = Frame::new("Figure 19: points a game of the first player")
        .subtitle(format!("{limit}; bars show the 95 % interval; published: 30 s a move"))
        .y("points a game");
    let bars = Bars::new(frame, ["ours", "published"]).numbers();
    rows.iter().fold(bars, |bars, row| bars.group(score_group(two_lines(row), row))).svg()
}

/// Our score and theirs, with their intervals.
pub(super) fn score_group(name: String, row: &ConfigurationResult) -> Group {
    let (ours, theirs) = (row.score, row.published.score);
    let bounds = |score: f64, error: f64| ((score - error).max(0.0), (score + error).min(1.0));
    let (low, high) = bounds(ours, row.score_error);
    let (their_low, their_high) = bounds(theirs, row.published.score_error);
    Group::new(name).bar_between(ours, low, high).bar_between(theirs, their_low, their_high)
}

fn outcomes(rows: &[ConfigurationResult]) -> String {
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
fn two_lines(row: &ConfigurationResult) -> String {
    row.configuration.replacen(" v ", "\nv ", 1)
}
