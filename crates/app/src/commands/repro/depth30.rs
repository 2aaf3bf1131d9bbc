//! How deep the engine sees in thirty seconds, on the thesis' twenty positions.
//!
//! Burnett (2010) gives a mean of 9.28 plies with everything turned on (Figure 20). The positions are
//! those of his Appendix A, White to move. A finished position is written down at once, and not
//! searched again when the command is run once more.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::time::Duration;

use charts::{Bars, Frame, Group};
use engine::{Control, Engine, Limits, Options, bench};
use game::score::Verdict;
use jungle::{Jungle, Play, Rules, Setup};
use lab::study::Table;
use serde::{Deserialize, Serialize};

use super::record;
use crate::cli::ReproArgs;
use crate::failure::Failure;
use crate::output::Output;

const TITLE: &str = "Burnett (2010), Figure 20: depth of the engine in 30 seconds on his positions";
const PUBLISHED_MEAN: f64 = 9.28;
const USUAL_SECONDS: f64 = 30.0;
/// The most MiB of table; short searches do with less.
const MOST_HASH: usize = 1024;

const POSITIONS: [(&str, &str); 20] = [
    ("a", "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L"),
    ("b", "7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7"),
    ("c", "6t/l1d1w1c/5e1/3p2R/7/r2P3/1C5/E1W1D1L/T6"),
    ("d", "7/2d1wct/1l3e1/6R/7/3p3/r3P2/1EW1DL1/1TC4"),
    ("e", "6R/1d2w2/1p1P3/7/7/7/1r3e1/2E1Dl1/7"),
    ("f", "5t1/1lr1w2/1Ep4/3P3/6d/7/1W3ce/1D2C2/T3LR1"),
    ("g", "6t/1d4c/1lp1w1e/r2P3/7/6R/1EW4/1C3D1/T5L"),
    ("h", "6t/2d3c/l2pwe1/Tr4R/3P3/7/1E4L/1CW2D1/7"),
    ("i", "6t/2d3c/1l1pwe1/Tr5/3P2R/7/1E4L/1CW2D1/7"),
    ("j", "6t/1dp1wc1/l3e1R/1r5/3L3/E6/2W1P2/1C3D1/T6"),
    ("k", "l5t/1d3c1/r2pw2/7/6e/7/E1W1P1R/1C4L/T4D1"),
    ("l", "l6/1d3c1/3pwe1/6t/3P3/r6/1CW4/E3DLR/1T5"),
    ("m", "6t/l1d1w1c/5e1/3p3/7/3P3/1C5/E1W1D1L/T6"),
    ("n", "6t/l1d1w2/5e1/3p3/7/r2P3/1C5/E1W1D1L/T6"),
    ("o", "6t/l1d3c/5e1/3p3/7/r2P3/1C5/E1W1D1L/T6"),
    ("p", "6t/l3w1c/5e1/3p3/7/r2P3/1C5/E1W1D1L/T6"),
    ("q", "6t/l1d1w1c/5e1/7/7/r2P3/1C5/E1W1D1L/T6"),
    ("r", "7/l1d1w1c/5e1/3p3/7/r2P3/1C5/E1W1D1L/T6"),
    ("s", "6t/2d1w1c/5e1/3p3/7/r2P3/1C5/E1W1D1L/T6"),
    ("t", "6t/l1d1w1c/7/3p3/7/r2P3/1C5/E1W1D1L/T6"),
];

/// A finished position, as it is printed and written down.
#[derive(Clone, Serialize, Deserialize)]
struct Row {
    position: String,
    depth: u32,
    seldepth: u32,
    score: i32,
    /// Plies to a win (or, negative, to a loss) if one was proved, after which the search stops early.
    proved: Option<i64>,
    nodes: u64,
    time: f64,
    bestmove: String,
    /// The limit and the search that it is a result of.
    seconds: f64,
    signature: u64,
}

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    let seconds = args.time.unwrap_or(USUAL_SECONDS);
    let signature = bench::run(8).nodes;
    let path = progress_file()?;
    let same = |row: &Row| row.seconds == seconds && row.signature == signature;
    let done: Vec<Row> = read(&path).into_iter().filter(same).collect();
    if !args.json {
        writeln!(
            output,
            "Champion, one thread, {seconds} s a position, tufts, {} MiB",
            hash(seconds)
        )?;
        if !done.is_empty() {
            let (count, path) = (done.len(), path.display());
            writeln!(output, "{count} positions were searched before (from {path})")?;
        }
        writeln!(output, "\n    depth/sel      score         nodes   seconds  best")?;
        output.flush()?;
    }
    let mut rows = Vec::new();
    for (name, board) in POSITIONS {
        let row = match done.iter().find(|row| row.position == name) {
            Some(row) => row.clone(),
            None => {
                let row = search(name, board, seconds, signature)?;
                write_down(&path, &row)?;
                row
            }
        };
        if args.json {
            output.json(&row)?;
        } else {
            write_row(&row, output)?;
        }
        output.flush()?;
        rows.push(row);
    }
    let mean = |rows: &[&Row]| {
        rows.iter().map(|row| f64::from(row.depth)).sum::<f64>() / rows.len().max(1) as f64
    };
    let all = mean(&rows.iter().collect::<Vec<_>>());
    if !args.json {
        let open: Vec<&Row> = rows.iter().filter(|row| row.proved.is_none()).collect();
        writeln!(output, "\nmean depth {all:.2} plies; published {PUBLISHED_MEAN}")?;
        writeln!(output, "of the {} not proved won or lost {:.2}", open.len(), mean(&open))?;
    }
    let study = record::study("depth30", TITLE)
        .rules(Rules::TUFTS)
        .parameter("seconds", seconds)
        .parameter("hash_mib", hash(seconds) as u64)
        .parameter("threads", 1)
        .parameter("search_signature", signature)
        .results(&rows)
        .note(format!(
            "Mean depth {all:.2} plies; published, with both heuristics, {PUBLISHED_MEAN}."
        ))
        .table("depth30", "Depth by position", table(&rows))
        .plot("depth", "Depth by position", chart(&rows, seconds));
    record::write(args, "depth30", &study, output)
}

fn table(rows: &[Row]) -> Table {
    let mut table =
        Table::new(["position", "depth", "selective depth", "score", "proved", "nodes", "best"]);
    for row in rows {
        table.row([
            row.position.clone(),
            row.depth.to_string(),
            row.seldepth.to_string(),
            row.score.to_string(),
            row.proved.map_or_else(String::new, |plies| plies.to_string()),
            row.nodes.to_string(),
            row.bestmove.clone(),
        ]);
    }
    table
}

fn chart(rows: &[Row], seconds: f64) -> String {
    let frame = Frame::new(format!("Depth of the engine in {seconds} s on the thesis' positions"))
        .subtitle(format!("the thesis' best player: {PUBLISHED_MEAN} plies on average in 30 s"))
        .x("position")
        .y("plies");
    let bars = Bars::new(frame, [""]);
    let group = |row: &Row| Group::new(row.position.clone()).bar(f64::from(row.depth));
    rows.iter().fold(bars, |bars, row| bars.group(group(row))).svg()
}

/// The MiB of table that suit a search of so many seconds: 1 GiB for half a minute.
fn hash(seconds: f64) -> usize {
    ((seconds * 35.0) as usize).clamp(16, MOST_HASH)
}

fn search(name: &str, board: &str, seconds: f64, signature: u64) -> Result<Row, Failure> {
    let setup: Setup = format!("{board} w")
        .parse()
        .map_err(|error| Failure::input("a position of the thesis", error))?;
    let play = Play::new(Jungle::new(Rules::TUFTS), &setup)
        .map_err(|error| Failure::input("a position of the thesis", error))?;
    let mut engine = Engine::new();
    engine
        .set_options(Options { hash: hash(seconds), ..Options::default() })
        .map_err(|error| Failure::Outside(error.to_string()))?;
    let limits = Limits::time(Duration::from_secs_f64(seconds));
    let answer = engine.think(&play, limits, &Control::new(false), &mut |_| ());
    let line = answer.lines.first();
    Ok(Row {
        position: name.to_owned(),
        depth: line.map_or(0, |line| line.depth),
        seldepth: line.map_or(0, |line| line.seldepth),
        score: answer.score().value(),
        proved: match answer.score().verdict() {
            Verdict::Win(plies) => Some(i64::from(plies)),
            Verdict::Loss(plies) => Some(-i64::from(plies)),
            Verdict::Estimate(_) => None,
        },
        nodes: answer.nodes,
        time: answer.time.as_secs_f64(),
        bestmove: answer.best.map_or_else(String::new, |mv| mv.to_string()),
        seconds,
        signature,
    })
}

fn write_row(row: &Row, output: &mut Output) -> Result<(), Failure> {
    let score = match row.proved {
        Some(plies) if plies > 0 => format!("win {plies}"),
        Some(plies) => format!("loss {}", -plies),
        None => format!("{:+.2}", f64::from(row.score) / 100.0),
    };
    let Row { position, depth, seldepth, nodes, time, bestmove, .. } = row;
    writeln!(
        output,
        "({position}) {depth:>5}/{seldepth:<3} {score:>10} {nodes:>13} {time:>9.2}  {bestmove}"
    )?;
    Ok(())
}

/// Where finished positions are written down.
fn progress_file() -> Result<PathBuf, Failure> {
    use etcetera::BaseStrategy;
    let strategy = etcetera::choose_base_strategy()
        .map_err(|error| Failure::outside("finding the data folder", error))?;
    let folder = strategy.data_dir().join("mousetrap");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::outside(format!("creating {}", folder.display()), error))?;
    Ok(folder.join("depth30.jsonl"))
}

/// What was written down; a line that was cut short by a kill is passed over.
fn read(path: &PathBuf) -> Vec<Row> {
    let Ok(file) = File::open(path) else { return Vec::new() };
    let lines = BufReader::new(file).lines().map_while(Result::ok);
    lines.filter_map(|line| serde_json::from_str(&line).ok()).collect()
}

fn write_down(path: &PathBuf, row: &Row) -> Result<(), Failure> {
    let failed = |error| Failure::outside(format!("writing {}", path.display()), error);
    let text =
        serde_json::to_string(row).map_err(|error| Failure::outside("writing JSON", error))?;
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    // The line break goes first: it ends what a kill may have left behind.
    write!(file, "\n{text}").map_err(failed)
}
