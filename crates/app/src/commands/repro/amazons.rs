//! Figure 3 of Xu, Xing & Zuo (A Region-divided Search Algorithm for Game Amazons): what a search by
//! regions takes, beside plain alpha-beta, by the number of sub-boards.
//!
//! The paper's numbers did not survive; what it says about them is: longer than plain with one
//! sub-board but acceptably so, shorter from two on, most of all with four, and less again beyond
//! that. Formula (6) predicts the size of the search.
//!
//! Games are written down one a line as they are finished, so that a run goes on where it was
//! stopped, and shares of a run, on other machines too, write files of their own in the same folder.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use amazons::experiment::{self, Played, Step};
use charts::{Frame, Line, Lines};
use serde::{Deserialize, Serialize};

use crate::cli::ReproArgs;
use crate::failure::Failure;
use crate::output::Output;

/// How many games are played unless somebody says otherwise.
const GAMES: u64 = 200;

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

/// A row of the result: all positions with so many sub-boards.
#[derive(Serialize)]
struct Row {
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

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    let wanted = args.games.unwrap_or(GAMES);
    if wanted == 0 {
        return Err(Failure::Input("no games to play: use --games 1 or more".to_owned()));
    }
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => PathBuf::from(format!("amazons-{}", args.size)),
    };
    fs::create_dir_all(&folder)
        .map_err(|error| Failure::outside(format!("making {}", folder.display()), error))?;
    let mut games = read_all(args, &folder)?;
    play_missing(args, &folder, &mut games)?;
    games.retain(|number, _| *number < wanted);

    let rows = rows(games.values());
    let chart = folder.join("figure3.svg");
    fs::write(&chart, draw(&rows, args, games.len()))
        .map_err(|error| Failure::outside(format!("writing {}", chart.display()), error))?;
    if args.json {
        return rows.iter().try_for_each(|row| output.json(row));
    }
    writeln!(
        output,
        "{} games on {}, seed {}: divided over plain, by sub-boards",
        games.len(),
        args.size,
        args.seed
    )?;
    writeln!(
        output,
        "{:>5} {:>9} {:>13} {:>13} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6}",
        "parts", "positions", "plain", "divided", "nodes", "median", "time", "(6)", "value", "move"
    )?;
    for row in &rows {
        writeln!(
            output,
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
        )?;
    }
    writeln!(
        output,
        "published: somewhat above 1 with one sub-board, below 1 from two on, lowest at four"
    )?;
    Ok(writeln!(output, "chart: {}", chart.display())?)
}

/// All games of this size and seed in the folder, whoever played them.
fn read_all(args: &ReproArgs, folder: &Path) -> Result<BTreeMap<u64, Recorded>, Failure> {
    let reading = |error| Failure::outside(format!("reading {}", folder.display()), error);
    let mut games = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(reading)? {
        let path = entry.map_err(reading)?.path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let text = fs::read_to_string(&path)
            .map_err(|error| Failure::outside(format!("reading {}", path.display()), error))?;
        for (at, line) in text.lines().enumerate() {
            match serde_json::from_str::<Recorded>(line) {
                Ok(game) if game.size == args.size.to_string() && game.seed == args.seed => {
                    games.insert(game.game, game);
                }
                Ok(_) => {}
                // A run that was killed may leave half a line at the end; that game is played again.
                Err(_) if at + 1 == text.lines().count() && !text.ends_with('\n') => {}
                Err(error) => {
                    return Err(Failure::outside(
                        format!(
                            "line {} of {} (remove the line, and the game is played again)",
                            at + 1,
                            path.display()
                        ),
                        error,
                    ));
                }
            }
        }
    }
    Ok(games)
}

fn play_missing(
    args: &ReproArgs,
    folder: &Path,
    games: &mut BTreeMap<u64, Recorded>,
) -> Result<(), Failure> {
    let share = args.shard;
    let missing: Vec<u64> = (0..args.games.unwrap_or(GAMES))
        .filter(|number| number % share.of == share.at && !games.contains_key(number))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let path = folder.join(format!("games-{}-of-{}.jsonl", share.at, share.of));
    let writing = |error| Failure::outside(format!("writing {}", path.display()), error);
    // What a killed run left of a line must not run into the next.
    if let Ok(text) = fs::read_to_string(&path)
        && !text.ends_with('\n')
    {
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        fs::write(&path, whole).map_err(writing)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(writing)?;
    let progress = indicatif::ProgressBar::new(missing.len() as u64).with_style(
        indicatif::ProgressStyle::with_template("{pos}/{len} games  {msg}  {eta} left")
            .expect("a template without mistakes"),
    );
    for number in missing {
        let played: Played = experiment::play(args.size, args.seed, number, |step| {
            progress.set_message(format!("game {number}, move {}", step.step));
        });
        let game = Recorded {
            game: number,
            size: args.size.to_string(),
            seed: args.seed,
            moves: played.moves,
            steps: played.steps.iter().map(RecordedStep::from).collect(),
        };
        let line = serde_json::to_string(&game)
            .map_err(|error| Failure::outside("writing JSON", error))?;
        file.write_all(format!("{line}\n").as_bytes()).map_err(writing)?;
        games.insert(number, game);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(())
}

fn rows<'a>(games: impl Iterator<Item = &'a Recorded>) -> Vec<Row> {
    let mut by_parts: BTreeMap<u32, Vec<&RecordedStep>> = BTreeMap::new();
    for step in games.flat_map(|game| &game.steps) {
        by_parts.entry(step.parts).or_default().push(step);
    }
    by_parts.into_iter().map(|(parts, steps)| row(parts, &steps)).collect()
}

fn row(parts: u32, steps: &[&RecordedStep]) -> Row {
    let sum = |of: fn(&RecordedStep) -> u64| steps.iter().map(|step| of(step)).sum::<u64>();
    let (plain_nodes, divided_nodes) = (sum(|s| s.plain_nodes), sum(|s| s.divided_nodes));
    let mut ratios: Vec<f64> =
        steps.iter().map(|s| s.divided_nodes as f64 / s.plain_nodes as f64).collect();
    ratios.sort_by(f64::total_cmp);
    let count = steps.len() as f64;
    let share =
        |of: fn(&RecordedStep) -> bool| steps.iter().filter(|step| of(step)).count() as f64 / count;
    Row {
        parts,
        positions: steps.len() as u64,
        plain_nodes,
        divided_nodes,
        nodes_ratio: divided_nodes as f64 / plain_nodes as f64,
        time_ratio: sum(|s| s.divided_ns) as f64 / sum(|s| s.plain_ns).max(1) as f64,
        median_nodes_ratio: ratios[ratios.len() / 2],
        predicted_ratio: steps.iter().map(|s| s.predicted).sum::<f64>() / count,
        same_value: share(|s| s.same_value),
        same_move: share(|s| s.same_move),
    }
}

/// A chart with a logarithmic scale of ratios: nodes, time and formula (6).
fn draw(rows: &[Row], args: &ReproArgs, games: usize) -> String {
    let frame = Frame::new("Search by regions over plain alpha-beta")
        .subtitle(format!(
            "{games} games on {}; published: a little above 1 with one sub-board, lowest at four",
            args.size
        ))
        .x("sub-boards")
        .y("divided / plain");
    let line = |name: &str, of: fn(&Row) -> f64| {
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
