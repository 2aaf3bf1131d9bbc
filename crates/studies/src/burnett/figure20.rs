//! Figure 20: the mean depth of the four players.
//!
//! With nodes or a time as the limit the depths are read off games under that limit, as Burnett did. Without, the
//! games are those at the published depths, which do not show how deep a player would have searched: so
//! positions of these games are searched by all four players, each with the number of nodes that stands for
//! Burnett's thirty seconds. That takes minutes and not days, and compares all players on the same positions.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Mutex;

use charts::{Bars, Frame, Group};
use clap::Args;
use game::limits::Limits;
use jungle::{Position, Rules, Setup};
use lab::record::RecordedGame;
use players::{Algorithm, BurnettPlayer};
use rayon::prelude::*;
use search::Report;
use serde::{Deserialize, Serialize};

use super::configuration::{CONFIGURATIONS, Effort, NODES_FOR_30_SECONDS};
use super::games::{self, EffortParams, GamesParams, Match};
use super::{BURNETT, published};
use crate::journal::{Damage, Journal};
use crate::parameter::within;
use crate::statistics::{INTERVAL, mean, number, spread};
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

/// Figure 20.
pub struct Figure20;

/// The parameters of Figure 20.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
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
    /// How many positions to search, where the games do not have the depths
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub positions: u32,
}

impl Default for Params {
    fn default() -> Params {
        Params { effort: EffortParams::default(), games: GamesParams::default(), positions: 200 }
    }
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The players.
    pub players: Vec<PlayerDepth>,
    games_limit: String,
    limit: String,
    measured_on: String,
}

/// The depth of a player; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerDepth {
    player: &'static str,
    searches: u64,
    mean_depth: f64,
    /// The half-width of its 95 % interval.
    error: f64,
    /// Without searches that saw the end of the game, and stopped there.
    mean_open_depth: f64,
    /// How much deeper than the player without heuristics, in per cent.
    gain: f64,
    published: f64,
    published_gain: f64,
}

/// A search, as it is recorded.
#[derive(Clone, Serialize, Deserialize)]
struct Searched {
    position: String,
    player: String,
    nodes: u64,
    depth: u32,
    decided: bool,
}

/// Depths that were reached, and whether the end of the game was seen.
type Depths = Vec<(u32, bool)>;

impl Study for Figure20 {
    const NAME: &'static str = "figure20";
    const TITLE: &'static str = "Burnett (2010), Figure 20: mean depth of the four players";
    const ABOUT: &'static str = "Burnett (2010), Figure 20: mean depth of the four players";
    const SOURCE: Option<&'static str> = Some(BURNETT);
    const TAKES: &'static str = "a quarter of an hour besides the games of figure19";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        within("positions", params.positions, 1..=100_000)?;
        let effort = params.effort.effort()?;
        let matches = CONFIGURATIONS.map(|configuration| (configuration, effort));
        let Some(played) = games::play(&params.games, &matches, context)? else { return Ok(None) };
        let (depths, limit, measured_on) = match effort {
            Effort::Nodes(_) | Effort::Time(_) => (
                in_games(&played),
                effort.to_string(),
                format!("all moves of {} games of each configuration", params.games.games),
            ),
            Effort::PublishedDepth | Effort::Depth(_) => {
                let all = all_positions(&played)?;
                let positions: Vec<&Position> = spread(&all, params.positions as usize).collect();
                (
                    in_positions(&params.games, &positions, NODES_FOR_30_SECONDS, context)?,
                    format!("{NODES_FOR_30_SECONDS} nodes a move"),
                    format!(
                        "{} positions of games at {effort}, searched by each player",
                        params.positions
                    ),
                )
            }
        };
        Ok(Some(Results {
            players: rows(&depths),
            games_limit: effort.to_string(),
            limit,
            measured_on,
        }))
    }

    fn render(_: &Params, results: &Results) -> String {
        let mut text = format!(
            "{}\ntufts, threshold 4, {}; {}\n\n{:<10} {:>9} {:>14} {:>8} {:>12}   {:>9} {:>8}\n",
            Self::TITLE,
            results.limit,
            results.measured_on,
            "",
            "searches",
            "mean depth",
            "gain",
            "game open",
            "published",
            "gain"
        );
        for row in &results.players {
            let _ = writeln!(
                text,
                "{:<10} {:>9} {:>14} {:>7} % {:>10}   {:>9} {:>6} %",
                row.player,
                row.searches,
                format!("{} ± {}", number(row.mean_depth, 2), number(row.error, 2)),
                number(row.gain, 1),
                number(row.mean_open_depth, 2),
                row.published,
                number(row.published_gain, 1)
            );
        }
        text + "\ngain: over the player without heuristics; game open: without searches that saw the end \
                of the game\n"
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        each(&results.players)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        let rows = &results.players;
        draft
            .rules(Rules::TUFTS)
            .seed(params.games.seed)
            .parameter("games", params.games.games)
            .parameter("games_limit", results.games_limit.clone())
            .parameter("limit", results.limit.clone())
            .parameter("measured_on", results.measured_on.clone())
            .parameter("threshold", 4)
            .results(rows)
            .note("Searches go to depths 2, 4, 6 and so on, so a mean is between even numbers.")
            .table("depth", "Mean depth, ours beside theirs", table(rows))
            .chart("depth", "Mean depth", chart(rows, &results.limit))
    }
}

/// The depths of all moves, by player.
fn in_games(played: &[Match]) -> [Depths; 4] {
    let mut all: [Depths; 4] = Default::default();
    for one in played {
        let players = [one.configuration.first, one.configuration.second];
        for (player, measures) in players.into_iter().zip(&one.measures.players) {
            let at = Algorithm::ALL.iter().position(|known| *known == player);
            let Some(depths) = at.map(|at| &mut all[at]) else { continue };
            for (&depth, &count) in &measures.depths {
                let open = measures.open_depths.get(&depth).copied().unwrap_or(0);
                depths.extend((0..count).map(|n| (depth, n >= open)));
            }
        }
    }
    all
}

/// All positions of all games in which a move was chosen.
fn all_positions(played: &[Match]) -> Result<Vec<Position>, StudyError> {
    let mut all = Vec::new();
    for one in played {
        let mut games = Vec::new();
        one.archive.for_each_game(|row| games.push(row))?;
        games.sort_by_key(|row| row.game);
        for row in games {
            all.extend(positions(&row)?);
        }
    }
    Ok(all)
}

/// The positions of a game in which a move was chosen.
pub(super) fn positions(row: &RecordedGame) -> Result<Vec<Position>, StudyError> {
    row.positions().map_err(|error| StudyError::resources("reading a game", error))
}

/// The depths that each player reaches in each position.
fn in_positions(
    params: &GamesParams,
    positions: &[&Position],
    nodes: u64,
    context: &mut Context<'_>,
) -> Result<[Depths; 4], StudyError> {
    let path = params.games_dir.join("figure20.jsonl");
    let (journal, known) = Journal::open::<Searched>(&path, Damage::PassedOver)?;
    let known: HashMap<(String, String), Searched> = known
        .into_iter()
        .filter(|search| search.nodes == nodes)
        .map(|search| ((search.position.clone(), search.player.clone()), search))
        .collect();
    context.progress.begin("searches", Some(4 * positions.len() as u64));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(params.concurrency.into())
        .build()
        .map_err(|error| StudyError::resources("starting threads", error))?;
    let shared = Mutex::new((journal, &mut *context));
    let search = |position: &Position, algorithm: Algorithm| -> Result<(u32, bool), StudyError> {
        let key = (Setup::from(position).to_string(), algorithm.to_string());
        let (found, is_new) = match known.get(&key) {
            Some(search) => (search.clone(), false),
            None => {
                let player = BurnettPlayer::new(algorithm, Rules::TUFTS);
                let Report { depth, score, .. } =
                    player.choose(position, &Limits::nodes(nodes)).report;
                let (position, player) = key;
                let decided = score.is_decided();
                (Searched { position, player, nodes, depth, decided }, true)
            }
        };
        let mut shared = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (journal, context) = &mut *shared;
        if is_new {
            journal.append(&found)?;
        }
        context.advance()?;
        Ok((found.depth, found.decided))
    };
    let all = pool.install(|| -> Result<Vec<[(u32, bool); 4]>, StudyError> {
        positions
            .par_iter()
            .map(|position| {
                let mut row = [(0, false); 4];
                for (at, algorithm) in Algorithm::ALL.into_iter().enumerate() {
                    row[at] = search(position, algorithm)?;
                }
                Ok(row)
            })
            .collect()
    })?;
    context.progress.end();
    Ok(std::array::from_fn(|at| all.iter().map(|row| row[at]).collect()))
}

fn rows(depths: &[Depths; 4]) -> Vec<PlayerDepth> {
    let (base, _) = mean(depths[0].iter().map(|(depth, _)| *depth));
    let published_base = published::mean_depth(Algorithm::Plain);
    let players = Algorithm::ALL.into_iter().zip(depths);
    players
        .map(|(player, depths)| {
            let (mean_depth, error) = mean(depths.iter().map(|(depth, _)| *depth));
            let open = depths.iter().filter(|(_, decided)| !decided);
            let published = published::mean_depth(player);
            PlayerDepth {
                player: player.name(),
                searches: depths.len() as u64,
                mean_depth,
                error: INTERVAL * error,
                mean_open_depth: mean(open.map(|(depth, _)| *depth)).0,
                gain: 100.0 * (mean_depth / base - 1.0),
                published,
                published_gain: 100.0 * (published / published_base - 1.0),
            }
        })
        .collect()
}

fn table(rows: &[PlayerDepth]) -> Table {
    let mut table = Table::new([
        "player",
        "searches",
        "mean depth",
        "±",
        "gain %",
        "mean depth, game open",
        "published",
        "published gain %",
    ]);
    for row in rows {
        table.row([
            row.player.to_owned(),
            row.searches.to_string(),
            number(row.mean_depth, 3),
            number(row.error, 3),
            number(row.gain, 1),
            number(row.mean_open_depth, 3),
            row.published.to_string(),
            number(row.published_gain, 1),
        ]);
    }
    table
}

fn chart(rows: &[PlayerDepth], subtitle: &str) -> String {
    let frame = Frame::new("Figure 20: mean depth").subtitle(subtitle).y("plies");
    let bars = Bars::new(frame, ["ours", "published (30 s a move)"]).numbers();
    let round = |value: f64| (100.0 * value).round() / 100.0;
    rows.iter()
        .fold(bars, |bars, row| {
            let (low, high) = (row.mean_depth - row.error, row.mean_depth + row.error);
            let ours = Group::new(row.player).bar_between(round(row.mean_depth), low, high);
            bars.group(ours.bar(row.published))
        })
        .svg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jungle::{Jungle, Square};

    #[test]
    fn searches_are_written_down_and_not_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let params = GamesParams { games_dir: folder.path().to_owned(), ..GamesParams::default() };
        let context = &mut Context::default();
        let start = Position::start();
        let mut next = start.clone();
        let jungle = Jungle::new(Rules::TUFTS);
        next.make(jungle.find_move(&start, Square::A3, Square::A4).unwrap());
        let line = [&start, &next];
        let once = in_positions(&params, &line, 3000, context).unwrap();
        assert!(once.iter().all(|depths| depths.len() == 2 && depths[0].0 >= 2));
        let journal = folder.path().join("figure20.jsonl");
        let lines = || std::fs::read_to_string(&journal).unwrap().lines().count();
        let before = lines();
        assert_eq!(in_positions(&params, &line, 3000, context).unwrap(), once);
        assert_eq!(lines(), before);
        let other = in_positions(&params, &line, 30, context).unwrap();
        assert_ne!(other, once, "other nodes are another search");

        let rows = rows(&once);
        assert_eq!(rows.len(), 4);
        assert_eq!((rows[0].gain, rows[0].published), (0.0, 7.76));
    }
}
