//! Parallel speed-up: how much sooner several threads reach a depth than one.

use std::fmt::Write;

use clap::Args;
use engine::{Engine, Options, bench};
use jungle::Rules;
use lab::openings::{DEFAULT_PLIES, Openings};
use serde::{Deserialize, Serialize};

use crate::parameter::within;
use crate::statistics::geometric_mean;
use crate::study::line;
use crate::{Context, Draft, Study, StudyError};

/// The speed-up of several threads.
pub struct Threads;

/// What is searched, and how.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many threads to compare with one
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u16).range(2..=256))]
    pub threads: u16,
    /// How deep to search
    #[arg(long, value_name = "PLIES", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: u32,
    /// How many times all positions are searched by either
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// How many generated openings are searched besides
    #[arg(long, value_name = "N", default_value_t = 284,
          value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub openings: u32,
    /// The seed of the openings
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// The size of the table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub hash: u32,
}

impl Default for Params {
    fn default() -> Params {
        Params { threads: 2, depth: 16, rounds: 1, openings: 284, seed: 1, hash: 64 }
    }
}

/// The results of both; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Speedup {
    threads: u16,
    depth: u32,
    rounds: u32,
    positions: usize,
    /// On one thread, all positions and rounds together.
    seconds_on_one: f64,
    seconds: f64,
    /// How many times sooner several threads finish all of it.
    ratio: f64,
    /// The geometric mean of how many times sooner they finish a position, the short ones counting
    /// as much as the long.
    mean_ratio: f64,
    nodes_on_one: u64,
    nodes: u64,
}

impl Study for Threads {
    const NAME: &'static str = "bench-threads";
    const TITLE: &'static str = "Several threads beside one";
    const ABOUT: &'static str =
        "Several threads beside one, in turns: how much sooner they reach a depth";
    const TAKES: &'static str = "minutes";

    type Params = Params;
    type Results = Speedup;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Speedup>, StudyError> {
        let &Params { threads, depth, rounds, .. } = params;
        within("threads", threads, 2..=256)?;
        within("depth", depth, 1..=60)?;
        within("rounds", rounds, 1..=1000)?;
        within("hash", params.hash, 1..=65536)?;
        let mut source =
            Openings::Generated { plies: DEFAULT_PLIES }.source(Rules::STANDARD, params.seed);
        let mut positions = bench::positions();
        for number in 0..params.openings {
            positions.push(source.get(number.into())?);
        }
        let mut engines = [engine(params, 1)?, engine(params, threads)?];
        let mut sums = vec![[0.0; 2]; positions.len()];
        let mut nodes = [0; 2];
        context.progress.begin("positions", Some(u64::from(rounds) * positions.len() as u64));
        for round in 1..=rounds {
            for (position, sums) in positions.iter().zip(&mut sums) {
                // Either in turns at each position, so that both meet the same load.
                for (at, engine) in engines.iter_mut().enumerate() {
                    let found = bench::search(engine, position, depth);
                    sums[at] += found.time.as_secs_f64();
                    nodes[at] += found.nodes;
                }
                context.advance()?;
            }
            let [one, several] = total(&sums);
            context.progress.note(&format!(
                "round {round}: 1 thread {one:.2} s, {threads} threads {several:.2} s, {:.2} x; {:.2} \
                 times as many nodes",
                one / several,
                nodes[1] as f64 / nodes[0] as f64
            ));
        }
        context.progress.end();
        let [seconds_on_one, seconds] = total(&sums);
        let ratios = sums.iter().map(|[one, several]| one / several.max(1e-9));
        Ok(Some(Speedup {
            threads,
            depth,
            rounds,
            positions: positions.len(),
            seconds_on_one,
            seconds,
            ratio: seconds_on_one / seconds,
            mean_ratio: geometric_mean(ratios),
            nodes_on_one: nodes[0],
            nodes: nodes[1],
        }))
    }

    fn render(_: &Params, result: &Speedup) -> String {
        let Speedup { threads, depth, ratio, mean_ratio, positions, .. } = result;
        let more = result.nodes as f64 / result.nodes_on_one as f64;
        let mut text = format!(
            "{threads} threads reach depth {depth} {ratio:.2} times as soon as one; {mean_ratio:.2} in the \
             geometric mean of {positions} positions\n"
        );
        let _ = writeln!(
            text,
            "They search {:.2} times as many nodes a second, and need {more:.2} times as many.",
            ratio * more
        );
        text
    }

    fn lines(result: &Speedup) -> serde_json::Result<Vec<String>> {
        line(result)
    }

    fn record(params: &Params, result: &Speedup, draft: Draft) -> Draft {
        draft
            .rules(Rules::STANDARD)
            .seed(params.seed)
            .parameter("openings", params.openings)
            .parameter("hash_mib", params.hash)
            .results(result)
    }
}

fn engine(params: &Params, threads: u16) -> Result<Engine, StudyError> {
    let mut engine = Engine::new();
    let options =
        Options { threads: usize::from(threads), hash: params.hash as usize, ..Options::default() };
    let what = || format!("{threads} threads and a table of {} MiB", params.hash);
    engine.set_options(options).map_err(|error| StudyError::resources(what(), error))?;
    Ok(engine)
}

/// The seconds of all positions.
fn total(sums: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|at| sums.iter().map(|seconds| seconds[at]).sum())
}
