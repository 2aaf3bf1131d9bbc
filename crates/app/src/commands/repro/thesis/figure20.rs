//! Figure 20: how deep each of the four players sees on average.
//!
//! With `--nodes` or `--time` the depths are read off games under that limit, as the thesis did. Without, the
//! games are those at the published depths, which say nothing about how deep anyone would have seen: so
//! positions of these games are searched by all four players, each with the number of nodes that stands for the
//! thesis' thirty seconds. That takes minutes and not days, and compares all players on the same positions.

use std::io::Write;
use std::sync::Mutex;

use charts::{Bars, Frame, Group};
use game::Game;
use jungle::{Jungle, Position, Rules, Setup, parse_move};
use lab::study::Table;
use lab::thesis::{CONFIGURATIONS, Effort, NODES_FOR_30_SECONDS, published};
use players::{Algorithm, ThesisPlayer};
use rayon::prelude::*;
use search::Limits;
use serde::{Deserialize, Serialize};

use super::figure19::INTERVAL;
use super::games::{self, Match};
use super::journal::Journal;
use crate::cli::ReproArgs;
use crate::commands::contest::report::number;
use crate::commands::repro::record;
use crate::failure::Failure;
use crate::output::Output;

const TITLE: &str = "Burnett (2010), Figure 20: mean depth of the four players";

/// How many positions are searched unless somebody says otherwise.
const POSITIONS: u32 = 200;

/// A row; the names are a contract with other programs.
#[derive(Clone, Serialize)]
struct Row {
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

/// A search, as it is written down.
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

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    let effort = games::effort(args)?;
    let matches = CONFIGURATIONS.map(|configuration| (configuration, effort));
    let Some(played) = games::play(args, &matches)? else { return Ok(()) };
    let measured_in_games = matches!(effort, Effort::Nodes(_) | Effort::Time(_));
    let wanted = args.positions.unwrap_or(POSITIONS) as usize;
    let (depths, limit) = if measured_in_games {
        (in_games(&played), effort.to_string())
    } else {
        let depths = in_positions(args, &sample(&played, wanted)?, NODES_FOR_30_SECONDS)?;
        (depths, format!("{NODES_FOR_30_SECONDS} nodes a move"))
    };
    let rows = rows(&depths);
    let source = if measured_in_games {
        format!("all moves of {} games of each configuration", games::games(args))
    } else {
        format!("{wanted} positions of games at {effort}, searched by each player")
    };
    if args.json {
        rows.iter().try_for_each(|row| output.json(row))?;
    } else {
        writeln!(output, "{TITLE}\ntufts, threshold 4, {limit}; {source}\n")?;
        print(&rows, output)?;
    }
    let study = record::study("figure20", TITLE)
        .rules(Rules::TUFTS)
        .seed(args.seed)
        .parameter("games", games::games(args))
        .parameter("games_limit", effort.to_string())
        .parameter("limit", limit.clone())
        .parameter("measured_on", source.clone())
        .parameter("threshold", 4)
        .results(&rows)
        .note("Searches go to depths 2, 4, 6 and so on, so a mean is between even numbers.")
        .table("depth", "Mean depth, ours beside theirs", table(&rows))
        .plot("depth", "Mean depth", chart(&rows, &limit));
    record::write(args, "figure20", &study, output)
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

/// So many positions, evenly spread over all games.
fn sample(played: &[Match], wanted: usize) -> Result<Vec<Position>, Failure> {
    let jungle = Jungle::new(Rules::TUFTS);
    let mut all = Vec::new();
    for one in played {
        let mut games = Vec::new();
        lab::record::for_each_game(&one.paths, |row| games.push(row))
            .map_err(crate::commands::contest::record_failure)?;
        games.sort_by_key(|row| row.game);
        for row in games {
            all.extend(positions(&jungle, &row.opening, row.moves.iter().map(|m| m.mv.as_str()))?);
        }
    }
    let count = wanted.min(all.len()).max(1);
    let step = all.len() as f64 / count as f64;
    Ok((0..count).filter_map(|n| all.get((n as f64 * step) as usize).cloned()).collect())
}

/// The positions of a game in which a move was chosen.
pub fn positions<'a>(
    jungle: &Jungle,
    opening: &str,
    moves: impl Iterator<Item = &'a str>,
) -> Result<Vec<Position>, Failure> {
    let damaged = |error: &dyn std::fmt::Display| Failure::outside("reading a game", error);
    let setup: Setup = opening.parse().map_err(|error| damaged(&error))?;
    let mut position = setup.position().map_err(|error| damaged(&error))?;
    let mut found = Vec::new();
    for text in moves {
        found.push(position.clone());
        let mv = parse_move(jungle, &position, text).map_err(|error| damaged(&error))?;
        jungle.make(&mut position, mv);
    }
    Ok(found)
}

/// The depths that each player reaches in each position.
fn in_positions(
    args: &ReproArgs,
    positions: &[Position],
    nodes: u64,
) -> Result<[Depths; 4], Failure> {
    let path = args.games_dir.join("figure20.jsonl");
    let (journal, known) = Journal::open::<Searched>(&path)?;
    let known: std::collections::HashMap<(String, String), Searched> = known
        .into_iter()
        .filter(|search| search.nodes == nodes)
        .map(|search| ((search.position.clone(), search.player.clone()), search))
        .collect();
    let journal = Mutex::new(journal);
    let progress = indicatif::ProgressBar::new(4 * positions.len() as u64).with_style(
        indicatif::ProgressStyle::with_template("{wide_bar} {pos}/{len} searches, {eta} left")
            .expect("a template without mistakes"),
    );
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.concurrency.into())
        .build()
        .map_err(|error| Failure::outside("starting threads", error))?;
    let search = |position: &Position, algorithm: Algorithm| -> Result<(u32, bool), Failure> {
        let key = (Setup::from(position).to_string(), algorithm.to_string());
        let found = match known.get(&key) {
            Some(search) => search.clone(),
            None => {
                let player = ThesisPlayer::new(algorithm, Rules::TUFTS);
                let choice = player.choose(position, &Limits::nodes(nodes));
                let (depth, decided) = (choice.depth, choice.score.is_decided());
                let (position, player) = key;
                let search = Searched { position, player, nodes, depth, decided };
                let mut journal = journal.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                journal.append(&search)?;
                search
            }
        };
        progress.inc(1);
        Ok((found.depth, found.decided))
    };
    let all = pool.install(|| {
        let rows: Result<Vec<[(u32, bool); 4]>, Failure> = positions
            .par_iter()
            .map(|position| {
                let mut row = [(0, false); 4];
                for (at, algorithm) in Algorithm::ALL.into_iter().enumerate() {
                    row[at] = search(position, algorithm)?;
                }
                Ok(row)
            })
            .collect();
        rows
    })?;
    progress.finish_and_clear();
    Ok(std::array::from_fn(|at| all.iter().map(|row| row[at]).collect()))
}

fn rows(depths: &[Depths; 4]) -> Vec<Row> {
    let (base, _) = mean(depths[0].iter().map(|(depth, _)| *depth));
    let published_base = published::mean_depth(Algorithm::Plain);
    let players = Algorithm::ALL.into_iter().zip(depths);
    players
        .map(|(player, depths)| {
            let (mean_depth, error) = mean(depths.iter().map(|(depth, _)| *depth));
            let open = depths.iter().filter(|(_, decided)| !decided);
            let published = published::mean_depth(player);
            Row {
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

/// The mean and its standard error.
pub fn mean(numbers: impl Iterator<Item = u32> + Clone) -> (f64, f64) {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().map(f64::from).sum::<f64>() / count;
    let square = numbers.map(|number| (f64::from(number) - mean).powi(2)).sum::<f64>();
    (mean, (square / count / (count - 1.0).max(1.0)).sqrt())
}

fn print(rows: &[Row], output: &mut Output) -> Result<(), Failure> {
    writeln!(
        output,
        "{:<10} {:>9} {:>14} {:>8} {:>12}   {:>9} {:>8}",
        "", "searches", "mean depth", "gain", "game open", "published", "gain"
    )?;
    for row in rows {
        writeln!(
            output,
            "{:<10} {:>9} {:>14} {:>7} % {:>10}   {:>9} {:>6} %",
            row.player,
            row.searches,
            format!("{} ± {}", number(row.mean_depth, 2), number(row.error, 2)),
            number(row.gain, 1),
            number(row.mean_open_depth, 2),
            row.published,
            number(row.published_gain, 1)
        )?;
    }
    Ok(writeln!(
        output,
        "\ngain: over the player without heuristics; game open: without searches that saw the end of the game"
    )?)
}

fn table(rows: &[Row]) -> Table {
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

fn chart(rows: &[Row], subtitle: &str) -> String {
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
    use crate::cli::{Cli, Command};
    use clap::Parser;

    #[test]
    fn searches_are_written_down_and_not_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().to_str().unwrap();
        let cli = Cli::parse_from(["mousetrap", "repro", "figure20", "--games-dir", dir]);
        let Command::Repro(args) = cli.command else { panic!("it is a reproduction") };
        let jungle = Jungle::new(Rules::TUFTS);
        let start = jungle::fen::START;
        let line = positions(&jungle, start, ["a3a4", "a7a6"].into_iter()).unwrap();
        assert_eq!(line.len(), 2, "a position for each move");
        let once = in_positions(&args, &line, 3000).unwrap();
        assert!(once.iter().all(|depths| depths.len() == 2 && depths[0].0 >= 2));
        let journal = folder.path().join("figure20.jsonl");
        let lines = || std::fs::read_to_string(&journal).unwrap().lines().count();
        let before = lines();
        assert_eq!(in_positions(&args, &line, 3000).unwrap(), once);
        assert_eq!(lines(), before);
        assert_ne!(in_positions(&args, &line, 30).unwrap(), once, "other nodes are another search");

        let rows = rows(&once);
        assert_eq!(rows.len(), 4);
        assert_eq!((rows[0].gain, rows[0].published), (0.0, 7.76));
    }

    #[test]
    fn means_have_their_usual_errors() {
        let (of, error) = mean([8, 8, 10, 10].into_iter());
        assert_eq!(of, 9.0);
        assert!((error - (4.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        assert_eq!(mean([8].into_iter()), (8.0, 0.0));
    }
}
