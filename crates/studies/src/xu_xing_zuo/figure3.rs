//! Figure 3 of Xu, Xing & Zuo (A Region-divided Search Algorithm for Game Amazons): what a search by
//! regions takes, beside plain alpha-beta, by the number of sub-boards.
//!
//! The paper's numbers did not survive; what it says about them is: longer than plain with one
//! sub-board but acceptably so, shorter from two on, most of all with four, and less again beyond
//! that. Formula (6) predicts the size of the search.
//!
//! Games are recorded one a line as they are finished, so that a run can be resumed; shards of a
//! run, on other machines too, write their own files in the same folder.

mod sample;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use amazons::Size;
use charts::{Frame, Line, Lines};
use clap::Args;
use lab::schedule::Shard;
use serde::{Deserialize, Serialize};

pub use self::sample::{Reading, SampledRow};

use super::game::{self, Played, Step};
use crate::journal::{self, Damage, Journal};
use crate::parameter::{optional_text, text};
use crate::statistics::median;
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

/// Figure 3.
pub struct Figure3;

/// The parameters of Figure 3.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// The size of the board, as in 6 or 10
    #[arg(long, value_name = "SIZE", default_value = "10")]
    #[serde(with = "text")]
    pub size: Size,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub games: u64,
    /// How the evaluation varies from game to game
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Play by a faster search, and search as published only this many positions for each number of sub-boards,
    /// with and without the table, by both readings of the axis
    #[arg(long, value_name = "N")]
    pub sample: Option<u64>,
    /// Let the champion play the games of a sample with so many nodes a move, instead of alpha-beta to the paper's
    /// depths: minutes instead of days on the usual board
    #[arg(long, value_name = "N", requires = "sample")]
    pub play_nodes: Option<u64>,
    /// Give up a position of the sample after so many nodes of one search; 0 never does
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    pub most_nodes: u64,
    /// Play one shard of several, as in 2/8
    #[arg(long, value_name = "I/N")]
    #[serde(with = "optional_text")]
    pub shard: Option<Shard>,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            size: Size::USUAL,
            games: 200,
            seed: 1,
            sample: None,
            play_nodes: None,
            most_nodes: 0,
            shard: None,
        }
    }
}

impl Params {
    /// Who plays the games of a sample.
    fn players(&self) -> String {
        match self.play_nodes {
            Some(nodes) => format!("the champion at {nodes} nodes a move"),
            None => "alpha-beta to the paper's depths".to_owned(),
        }
    }
}

/// A game on file.
#[derive(Serialize, Deserialize)]
struct Recorded {
    game: u64,
    size: String,
    seed: u64,
    moves: Vec<String>,
    steps: Vec<RecordedStep>,
}

#[derive(Serialize, Deserialize)]
struct RecordedStep {
    step: u32,
    depth: u32,
    parts: u32,
    plain_nodes: u64,
    plain_ns: u64,
    divided_nodes: u64,
    divided_ns: u64,
    same_value: bool,
    same_move: bool,
    predicted: f64,
}

impl From<&Step> for RecordedStep {
    fn from(step: &Step) -> RecordedStep {
        let ns = |time: std::time::Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        RecordedStep {
            step: step.step,
            depth: step.depth,
            parts: step.parts,
            plain_nodes: step.plain.nodes,
            plain_ns: ns(step.plain.time),
            divided_nodes: step.divided.nodes,
            divided_ns: ns(step.divided.time),
            same_value: step.same_value,
            same_move: step.same_move,
            predicted: step.predicted,
        }
    }
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    games: usize,
    /// By the number of sub-boards.
    pub rows: Vec<PartsRow>,
    /// The same of a sample, by either reading; empty unless there was one.
    pub sampled: Vec<SampledRow>,
}

/// All positions with this many sub-boards; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct PartsRow {
    parts: u32,
    positions: u64,
    plain_nodes: u64,
    divided_nodes: u64,
    nodes_ratio: f64,
    time_ratio: f64,
    /// Half of the positions had a ratio of nodes of at most this.
    median_nodes_ratio: f64,
    /// The mean of formula (6) over the plain size.
    predicted_ratio: f64,
    same_value: f64,
    same_move: f64,
}

impl Study for Figure3 {
    const NAME: &'static str = "amazons";
    const TITLE: &'static str =
        "Xu, Xing & Zuo, Figure 3: search by regions beside plain alpha-beta";
    const ABOUT: &'static str =
        "Xu, Xing & Zuo, Figure 3: search by regions beside plain alpha-beta, by sub-boards";
    const SOURCE: Option<&'static str> =
        Some("Xu, Xing & Zuo, A Region-divided Search Algorithm for Game Amazons");
    const TAKES: &'static str = "minutes on 5x5, days on the usual board";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        if params.games == 0 {
            return Err(StudyError::parameter("games", "must be 1 or more"));
        }
        if let Some(sample) = params.sample {
            let found = sample::run(params, sample, context)?;
            return Ok(found.map(|(games, sampled)| Results { games, rows: Vec::new(), sampled }));
        }
        let mut games = match &context.folder {
            Some(folder) => {
                fs::create_dir_all(folder).map_err(StudyError::io("making", folder))?;
                read_all(params, folder)?
            }
            None => BTreeMap::new(),
        };
        play_missing(params, &mut games, context)?;
        games.retain(|number, _| *number < params.games);
        let rows = rows(games.values());
        Ok(Some(Results { games: games.len(), rows, sampled: Vec::new() }))
    }

    fn render(params: &Params, results: &Results) -> String {
        if params.sample.is_some() {
            return render_sample(params, results);
        }
        let mut text = format!(
            "{} games on {}, seed {}: divided over plain, by sub-boards\n",
            results.games, params.size, params.seed
        );
        let _ = writeln!(
            text,
            "{:>5} {:>9} {:>13} {:>13} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6}",
            "parts",
            "positions",
            "plain",
            "divided",
            "nodes",
            "median",
            "time",
            "(6)",
            "value",
            "move"
        );
        for row in &results.rows {
            let _ = writeln!(
                text,
                "{:>5} {:>9} {:>13} {:>13} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>5.1}% {:>5.1}%",
                row.parts,
                row.positions,
                row.plain_nodes,
                row.divided_nodes,
                row.nodes_ratio,
                row.median_nodes_ratio,
                row.time_ratio,
                row.predicted_ratio,
                100.0 * row.same_value,
                100.0 * row.same_move
            );
        }
        text + "published: somewhat above 1 with one sub-board, below 1 from two on, lowest at four\n"
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        if results.sampled.is_empty() { each(&results.rows) } else { each(&results.sampled) }
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        let Results { games, rows, sampled } = results;
        if let Some(sample) = params.sample {
            return record_sample(params, results, sample, draft);
        }
        debug_assert!(sampled.is_empty());
        draft
            .seed(params.seed)
            .parameter("size", params.size.to_string())
            .parameter("games", *games)
            .results(rows)
            .note("Times depend on what else the machine was doing; nodes do not.")
            .table("figure3", "Divided over plain, by sub-boards", table(rows))
            .chart(
                "figure3",
                "Search by regions over plain alpha-beta",
                draw(rows, params.size, *games),
            )
    }

    fn folder(params: &Params) -> String {
        format!("{}-{}", Self::NAME, params.size)
    }
}

fn render_sample(params: &Params, results: &Results) -> String {
    let mut text = format!(
        "{} games on {} by {}, seed {}; of every number of sub-boards at most {} positions\n\
         over plain alpha-beta: by regions as published (nothing remembered), with the table of shapes, \
         and the exact search of the champion\n",
        results.games,
        params.size,
        params.players(),
        params.seed,
        params.sample.unwrap_or_default()
    );
    for (reading, name) in [
        (Reading::Executing, "sub-boards in which a player can move"),
        (Reading::All, "all sub-boards with amazons"),
    ] {
        let _ = writeln!(
            text,
            "{name}\n{:>5} {:>9} {:>7} {:>6} {:>12} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
            "parts",
            "positions",
            "sampled",
            "timed",
            "plain",
            "nodes",
            "time",
            "median",
            "t. nodes",
            "t. time",
            "fast"
        );
        for row in results.sampled.iter().filter(|row| row.reading == reading) {
            let _ = writeln!(
                text,
                "{:>5} {:>9} {:>7} {:>6} {:>12} {:>8.3} {:>8.3} {:>8.3} {:>8.3} {:>8.3} {:>8.3}",
                row.parts,
                row.positions,
                row.sampled,
                row.timed,
                row.plain_nodes,
                row.nodes_ratio,
                row.time_ratio,
                row.median_time_ratio,
                row.table_nodes_ratio,
                row.table_time_ratio,
                row.fast_time_ratio
            );
        }
    }
    text + "published: somewhat above 1 with one sub-board, below 1 from two on, lowest at four\n"
}

fn record_sample(params: &Params, results: &Results, sample: u64, draft: Draft) -> Draft {
    let rows = &results.sampled;
    let mut table = Table::new([
        "reading",
        "parts",
        "positions",
        "sampled",
        "timed",
        "plain nodes",
        "nodes ratio",
        "time ratio",
        "median time ratio",
        "table nodes ratio",
        "table time ratio",
        "fast time ratio",
    ]);
    for row in rows {
        let reading = match row.reading {
            Reading::Executing => "executing",
            Reading::All => "all",
        };
        let counts = [row.parts.into(), row.positions, row.sampled, row.timed, row.plain_nodes];
        let ratios = [
            row.nodes_ratio,
            row.time_ratio,
            row.median_time_ratio,
            row.table_nodes_ratio,
            row.table_time_ratio,
            row.fast_time_ratio,
        ];
        let counts = counts.map(|count: u64| count.to_string());
        table.row(
            [reading.to_owned()]
                .into_iter()
                .chain(counts)
                .chain(ratios.map(|ratio| format!("{ratio:.4}"))),
        );
    }
    draft
        .seed(params.seed)
        .parameter("size", params.size.to_string())
        .parameter("games", results.games)
        .parameter("sample", sample)
        .parameter("played by", params.players())
        .parameter("most_nodes", params.most_nodes)
        .results(rows)
        .note("Times depend on what else the machine was doing; nodes do not.")
        .table("figure3", "By regions over plain, by sub-boards", table)
        .chart(
            "figure3",
            "Search by regions over plain alpha-beta",
            draw_sample(rows, params.size, results.games),
        )
}

/// The chart of a sample: time by both readings, with and without the table.
fn draw_sample(rows: &[SampledRow], size: Size, games: usize) -> String {
    let frame = Frame::new("Search by regions over plain alpha-beta")
        .subtitle(format!(
            "time, positions sampled from {games} games on {size}; published: lowest at four"
        ))
        .x("sub-boards")
        .y("divided / plain");
    let line = |name: &str, reading: Reading, of: fn(&SampledRow) -> f64| {
        let rows = rows.iter().filter(move |row| row.reading == reading);
        let rows = rows.filter(|row| row.parts > 0 && row.timed > 0);
        Line::new(name).points(rows.map(|row| (f64::from(row.parts), of(row))))
    };
    let published = |row: &SampledRow| row.time_ratio;
    let table = |row: &SampledRow| row.table_time_ratio;
    Lines::new(frame)
        .log_y()
        .whole_x()
        .level(1.0)
        .line(line("executing, as published", Reading::Executing, published))
        .line(line("all, as published", Reading::All, published))
        .line(line("executing, with table", Reading::Executing, table).dashed())
        .line(line("all, with table", Reading::All, table).dashed())
        .svg()
}

fn table(rows: &[PartsRow]) -> Table {
    let mut table = Table::new([
        "parts",
        "positions",
        "plain nodes",
        "divided nodes",
        "nodes ratio",
        "median nodes ratio",
        "time ratio",
        "formula (6)",
        "same value",
        "same move",
    ]);
    for row in rows {
        let counts = [row.parts.into(), row.positions, row.plain_nodes, row.divided_nodes];
        let ratios = [
            row.nodes_ratio,
            row.median_nodes_ratio,
            row.time_ratio,
            row.predicted_ratio,
            row.same_value,
            row.same_move,
        ];
        let counts = counts.map(|count: u64| count.to_string());
        table.row(counts.into_iter().chain(ratios.map(|ratio| format!("{ratio:.4}"))));
    }
    table
}

/// All games of this size and seed in the folder, of all shards.
fn read_all(params: &Params, folder: &Path) -> Result<BTreeMap<u64, Recorded>, StudyError> {
    let mut games = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(StudyError::io("reading", folder))? {
        let path = entry.map_err(StudyError::io("reading", folder))?.path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let found = journal::read::<Recorded>(&path, Damage::Refused)?.found;
        let same =
            |game: &Recorded| game.size == params.size.to_string() && game.seed == params.seed;
        games.extend(found.into_iter().filter(same).map(|game| (game.game, game)));
    }
    Ok(games)
}

/// Plays the games of this shard that are missing, and records each as it ends.
fn play_missing(
    params: &Params,
    games: &mut BTreeMap<u64, Recorded>,
    context: &mut Context<'_>,
) -> Result<(), StudyError> {
    let share = params.shard.unwrap_or(Shard { index: 1, of: 1 });
    let missing: Vec<u64> = (0..params.games)
        .filter(|number| number % share.of == share.index - 1 && !games.contains_key(number))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut journal = match &context.folder {
        Some(folder) => {
            let path = folder.join(format!("games-{}-of-{}.jsonl", share.index, share.of));
            Some(Journal::open::<Recorded>(&path, Damage::Refused)?.0)
        }
        None => None,
    };
    context.progress.begin("games", Some(missing.len() as u64));
    for number in missing {
        let played: Played = game::play(params.size, params.seed, number, |step| {
            context.progress.message(&format!("game {number}, move {}", step.step));
        });
        let game = Recorded {
            game: number,
            size: params.size.to_string(),
            seed: params.seed,
            moves: played.moves,
            steps: played.steps.iter().map(RecordedStep::from).collect(),
        };
        if let Some(journal) = &mut journal {
            journal.append(&game)?;
        }
        games.insert(number, game);
        context.advance()?;
    }
    context.progress.end();
    Ok(())
}

fn rows<'a>(games: impl Iterator<Item = &'a Recorded>) -> Vec<PartsRow> {
    let mut by_parts: BTreeMap<u32, Vec<&RecordedStep>> = BTreeMap::new();
    for step in games.flat_map(|game| &game.steps) {
        by_parts.entry(step.parts).or_default().push(step);
    }
    by_parts.into_iter().map(|(parts, steps)| row(parts, &steps)).collect()
}

fn row(parts: u32, steps: &[&RecordedStep]) -> PartsRow {
    let sum = |of: fn(&RecordedStep) -> u64| steps.iter().map(|step| of(step)).sum::<u64>();
    let (plain_nodes, divided_nodes) = (sum(|s| s.plain_nodes), sum(|s| s.divided_nodes));
    let ratios = steps.iter().map(|s| s.divided_nodes as f64 / s.plain_nodes as f64).collect();
    let count = steps.len() as f64;
    let share =
        |of: fn(&RecordedStep) -> bool| steps.iter().filter(|step| of(step)).count() as f64 / count;
    PartsRow {
        parts,
        positions: steps.len() as u64,
        plain_nodes,
        divided_nodes,
        nodes_ratio: divided_nodes as f64 / plain_nodes as f64,
        time_ratio: sum(|s| s.divided_ns) as f64 / sum(|s| s.plain_ns).max(1) as f64,
        median_nodes_ratio: median(ratios).unwrap_or(f64::NAN),
        predicted_ratio: steps.iter().map(|s| s.predicted).sum::<f64>() / count,
        same_value: share(|s| s.same_value),
        same_move: share(|s| s.same_move),
    }
}

/// A chart with a logarithmic scale of ratios: nodes, time and formula (6).
fn draw(rows: &[PartsRow], size: Size, games: usize) -> String {
    let frame = Frame::new("Search by regions over plain alpha-beta")
        .subtitle(format!(
            "{games} games on {size}; published: a little above 1 with one sub-board, lowest at four"
        ))
        .x("sub-boards")
        .y("divided / plain");
    let line = |name: &str, of: fn(&PartsRow) -> f64| {
        let rows = rows.iter().filter(|row| row.parts > 0);
        Line::new(name).points(rows.map(|row| (f64::from(row.parts), of(row))))
    };
    Lines::new(frame)
        .log_y()
        .whole_x()
        .level(1.0)
        .line(line("nodes", |row| row.nodes_ratio))
        .line(line("time", |row| row.time_ratio).dashed())
        .line(line("formula (6)", |row| row.predicted_ratio).dashed())
        .svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_of_sums_and_medians_of_ratios() {
        let step = |plain_nodes, divided_nodes, same_value| RecordedStep {
            step: 1,
            depth: 3,
            parts: 2,
            plain_nodes,
            plain_ns: 10,
            divided_nodes,
            divided_ns: 5,
            same_value,
            same_move: true,
            predicted: 0.5,
        };
        let steps = [step(100, 50, true), step(300, 30, false), step(10, 20, true)];
        let row = row(2, &steps.iter().collect::<Vec<_>>());
        assert_eq!((row.positions, row.plain_nodes, row.divided_nodes), (3, 410, 100));
        assert!((row.nodes_ratio - 100.0 / 410.0).abs() < 1e-12);
        assert_eq!((row.median_nodes_ratio, row.time_ratio), (0.5, 0.5));
        assert!((row.same_value - 2.0 / 3.0).abs() < 1e-12 && row.same_move == 1.0);
    }
}
