//! Complexity-driven search: whether memory stays flat over very many expansions.

use std::fmt::Write;
use std::sync::atomic::Ordering;

use clap::Args;
use game::limits::{Limits, StopFlag};
use jungle::{BurnettEval, Jungle, Move, Position, Rules};
use players::StrongestFirst;
use search::escape::{Curve, Escape, Event, Settings};
use serde::{Deserialize, Serialize};

use crate::parameter::{text, within};
use crate::study::each;
use crate::{Context, Draft, Study, StudyError};

/// The memory of complexity-driven search.
pub struct EscapeMemory;

/// How much is expanded, and kept.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many nodes to expand
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub expansions: u64,
    /// How many nodes to keep at most
    #[arg(long, value_name = "N", default_value_t = 200_000,
          value_parser = clap::value_parser!(u32).range(10_000..))]
    pub memory: u32,
    /// The local escape function
    #[arg(long, value_name = "CURVE", default_value = "step(0.2)")]
    #[serde(with = "text")]
    pub local: Curve,
    /// A preset, or a preset with switches as in leiden,repetition=draw
    #[arg(long, value_name = "RULES", default_value = "standard")]
    #[serde(with = "text")]
    pub rules: Rules,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            expansions: 1_000_000,
            memory: 200_000,
            local: Curve::Step(0.2),
            rules: Rules::STANDARD,
        }
    }
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The state on the way.
    pub rows: Vec<MemoryRow>,
    peak: usize,
    bytes: usize,
    deepest: u32,
    ended: &'static str,
}

/// The state at some point; the names are a contract with other programs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MemoryRow {
    expansions: u64,
    visits: u64,
    prunings: u64,
    /// What the process holds in memory, if the system reports it.
    resident_bytes: Option<u64>,
}

impl Study for EscapeMemory {
    const NAME: &'static str = "bench-escape";
    const TITLE: &'static str = "Complexity-driven search: whether memory stays flat";
    const ABOUT: &'static str = "Complexity-driven search: whether memory stays flat";
    const TAKES: &'static str = "seconds";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        if params.expansions == 0 {
            return Err(StudyError::parameter("expansions", "must be 1 or more"));
        }
        within("memory", params.memory, 10_000..=u32::MAX)?;
        let jungle = Jungle::new(params.rules);
        let settings = Settings {
            local: params.local.clone(),
            global: Curve::Never,
            memory: params.memory as usize,
            ..Settings::default()
        };
        let stop = StopFlag::new();
        let limits = Limits::none().with_stop(stop.clone());
        let mut search = Escape::new(&jungle, &BurnettEval, settings).order(StrongestFirst);
        let every = (params.expansions / 10).max(1);
        let mut row = MemoryRow::default();
        let mut rows = Vec::new();
        context.progress.begin("samples", Some(10));
        let mut watch = |_: &[Move], event: Event<Move>| match event {
            Event::Visited { .. } => row.visits += 1,
            Event::Pruned(_) => row.prunings += 1,
            Event::Expanded { .. } => {
                row.expansions += 1;
                if row.expansions.is_multiple_of(every) {
                    row.resident_bytes = resident();
                    rows.push(row.clone());
                    context.progress.advance();
                }
                if row.expansions >= params.expansions || context.stop.load(Ordering::Relaxed) {
                    stop.raise();
                }
            }
            _ => {}
        };
        let answer = search.search_watched(&Position::start(), &limits, &mut watch);
        context.progress.end();
        Ok(Some(Results {
            rows,
            peak: answer.peak,
            bytes: search.bytes(),
            deepest: answer.deepest,
            ended: answer.ended.as_str(),
        }))
    }

    fn render(_: &Params, results: &Results) -> String {
        let mut text = format!(
            "{:>12} {:>14} {:>9} {:>14}\n",
            "expansions", "visits", "prunings", "resident bytes"
        );
        for row in &results.rows {
            let resident = row.resident_bytes.map_or("?".to_owned(), |bytes| bytes.to_string());
            let MemoryRow { expansions, visits, prunings, .. } = row;
            let _ = writeln!(text, "{expansions:>12} {visits:>14} {prunings:>9} {resident:>14}");
        }
        let Results { peak, bytes, deepest, ended, .. } = results;
        let _ = writeln!(
            text,
            "kept {peak} nodes at most ({bytes} bytes for the tree and its copy), {deepest} plies deep: \
             {ended}"
        );
        text
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        each(&results.rows)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        draft
            .rules(params.rules)
            .parameter("memory", params.memory)
            .parameter("local", params.local.to_string())
            .results(results)
    }
}

/// The resident memory of this process; on Linux only.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(1024 * kibibytes)
}
