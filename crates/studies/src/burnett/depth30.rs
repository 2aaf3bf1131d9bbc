//! Depth of the engine in thirty seconds, on Burnett's twenty positions.
//!
//! Burnett (2010) gives a mean of 9.28 plies with everything turned on (Figure 20). The positions are
//! those of his Appendix A, White to move. A finished position is recorded at once, and not
//! searched again when the command is run once more.

use std::fmt::Write;
use std::time::Duration;

use charts::{Bars, Frame, Group};
use clap::Args;
use engine::{Control, Engine, Options, bench};
use game::limits::Limits;
use jungle::{Jungle, Play, Rules, Setup};
use serde::{Deserialize, Serialize};

use super::BURNETT;
use crate::journal::{Damage, Journal};
use crate::parameter::seconds;
use crate::statistics::{mean, number};
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

const PUBLISHED_MEAN: f64 = 9.28;
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

/// The file that finished positions are kept in.
const JOURNAL: &str = "depth30.jsonl";

/// The depth of the engine in thirty seconds.
pub struct Depth30;

/// Its parameters.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many seconds a position may take
    #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = seconds)]
    pub time: f64,
}

impl Default for Params {
    fn default() -> Params {
        Params { time: 30.0 }
    }
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The positions.
    pub positions: Vec<PositionRow>,
    /// How many of them were searched by an earlier run.
    found: usize,
    signature: u64,
}

/// A finished position, as it is printed and recorded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PositionRow {
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

impl Study for Depth30 {
    const NAME: &'static str = "depth30";
    const TITLE: &'static str =
        "Burnett (2010), Figure 20: depth of the engine in 30 seconds on his positions";
    const ABOUT: &'static str =
        "Burnett (2010), Figure 20: depth of the engine in 30 seconds on his positions";
    const SOURCE: Option<&'static str> = Some(BURNETT);
    const TAKES: &'static str = "ten minutes";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        let seconds = params.time;
        let signature = bench::run(8).nodes;
        let (mut journal, known) = match &context.data {
            Some(data) => {
                let (journal, known) =
                    Journal::open::<PositionRow>(&data.join(JOURNAL), Damage::PassedOver)?;
                (Some(journal), known)
            }
            None => (None, Vec::new()),
        };
        let same = |row: &PositionRow| row.seconds == seconds && row.signature == signature;
        let known: Vec<PositionRow> = known.into_iter().filter(same).collect();
        context.progress.begin("positions", Some(POSITIONS.len() as u64));
        let mut positions = Vec::new();
        for (name, board) in POSITIONS {
            let row = match known.iter().find(|row| row.position == name) {
                Some(row) => row.clone(),
                None => {
                    let row = search(name, board, seconds, signature)?;
                    journal.as_mut().map_or(Ok(()), |journal| journal.append(&row))?;
                    row
                }
            };
            positions.push(row);
            context.advance()?;
        }
        context.progress.end();
        Ok(Some(Results { positions, found: known.len(), signature }))
    }

    fn render(params: &Params, results: &Results) -> String {
        let mut text = format!(
            "Champion, one thread, {} s a position, tufts, {} MiB\n",
            params.time,
            hash(params.time)
        );
        if results.found > 0 {
            let _ = writeln!(text, "{} positions were searched before", results.found);
        }
        text.push_str("\n    depth/sel      score         nodes   seconds  best\n");
        results.positions.iter().for_each(|row| row.render(&mut text));
        let open = || results.positions.iter().filter(|row| row.proved.is_none());
        let _ = writeln!(
            text,
            "\nmean depth {:.2} plies; published {PUBLISHED_MEAN}\n\
             of the {} not proved won or lost {}",
            results.mean_depth(),
            open().count(),
            number(mean(open().map(|row| row.depth)).0, 2)
        );
        text
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        each(&results.positions)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        let rows = &results.positions;
        draft
            .rules(Rules::TUFTS)
            .parameter("seconds", params.time)
            .parameter("hash_mib", hash(params.time) as u64)
            .parameter("threads", 1)
            .parameter("search_signature", results.signature)
            .results(rows)
            .note(format!(
                "Mean depth {:.2} plies; published, with both heuristics, {PUBLISHED_MEAN}.",
                results.mean_depth()
            ))
            .table("depth30", "Depth by position", table(rows))
            .chart("depth", "Depth by position", chart(rows, params.time))
    }
}

impl Results {
    fn mean_depth(&self) -> f64 {
        mean(self.positions.iter().map(|row| row.depth)).0
    }
}

fn table(rows: &[PositionRow]) -> Table {
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

fn chart(rows: &[PositionRow], seconds: f64) -> String {
    let frame = Frame::new(format!("Depth of the engine in {seconds} s on Burnett's positions"))
        .subtitle(format!("Burnett's best player: {PUBLISHED_MEAN} plies on average in 30 s"))
        .x("position")
        .y("plies");
    let bars = Bars::new(frame, [""]);
    let group = |row: &PositionRow| Group::new(row.position.clone()).bar(f64::from(row.depth));
    rows.iter().fold(bars, |bars, row| bars.group(group(row))).svg()
}

/// The MiB of table that suit a search of this many seconds: 1 GiB for half a minute.
fn hash(seconds: f64) -> usize {
    ((seconds * 35.0) as usize).clamp(16, MOST_HASH)
}

fn search(
    name: &str,
    board: &str,
    seconds: f64,
    signature: u64,
) -> Result<PositionRow, StudyError> {
    let setup: Setup = format!("{board} w").parse().expect("Burnett's positions are FENs");
    let play =
        Play::new(Jungle::new(Rules::TUFTS), &setup).expect("Burnett's positions can be played");
    let mut engine = Engine::new();
    engine.set_options(Options { hash: hash(seconds), ..Options::default() }).map_err(|error| {
        StudyError::resources(format!("a table of {} MiB", hash(seconds)), error)
    })?;
    let limits = Limits::time(Duration::from_secs_f64(seconds));
    let answer = engine.think(&play, limits, &Control::new(false), &mut |_| ());
    let line = answer.lines.first();
    Ok(PositionRow {
        position: name.to_owned(),
        depth: line.map_or(0, |line| line.depth),
        seldepth: line.map_or(0, |line| line.seldepth),
        score: answer.score().value(),
        proved: answer.score().plies().map(|plies| {
            let plies = i64::from(plies);
            if answer.score().is_win() { plies } else { -plies }
        }),
        nodes: answer.nodes,
        time: answer.time.as_secs_f64(),
        bestmove: answer.best.map_or_else(String::new, |mv| mv.to_string()),
        seconds,
        signature,
    })
}

impl PositionRow {
    fn render(&self, text: &mut String) {
        let score = match self.proved {
            Some(plies) if plies > 0 => format!("win {plies}"),
            Some(plies) => format!("loss {}", -plies),
            None => format!("{:+.2}", f64::from(self.score) / 100.0),
        };
        let PositionRow { position, depth, seldepth, nodes, time, bestmove, .. } = self;
        let _ = writeln!(
            text,
            "({position}) {depth:>5}/{seldepth:<3} {score:>10} {nodes:>13} {time:>9.2}  {bestmove}"
        );
    }
}
