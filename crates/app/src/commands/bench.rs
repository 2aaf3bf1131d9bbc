//! `mousetrap bench`: speed, as a ratio measured in one run.

use std::io::Write;
use std::time::Instant;

use game::Game;
use game::perft::perft;
use jungle::naive::{Board, Naive};
use jungle::{Jungle, Move, Position};
use lab::openings::{DEFAULT_PLIES, Openings};
use serde::Serialize;

use crate::cli::{Bench, BenchArgs, BenchPerftArgs, BenchThreadsArgs};
use crate::commands::{bench_parts, causality, escape};
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &BenchArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.what {
        None => bench_engine(args, output),
        Some(Bench::Threads(args)) => bench_threads(args, output),
        Some(Bench::Perft(args)) => bench_perft(args, output),
        Some(Bench::Parts(args)) => bench_parts::run(args, output),
        Some(Bench::Split(args)) => causality::bench::split(args, output),
        Some(Bench::Mst(args)) => causality::bench_mst::run(args, output),
        Some(Bench::Escape(args)) => escape::bench::run(args, output),
    }
}

#[derive(Serialize)]
struct EngineBench {
    nodes: u64,
    seconds: f64,
    nps: u64,
}

fn bench_engine(args: &BenchArgs, output: &mut Output) -> Result<(), Failure> {
    let engine::bench::Bench { nodes, time } = engine::bench::run(args.depth);
    let seconds = time.as_secs_f64();
    let nps = (nodes as f64 / seconds.max(1e-9)) as u64;
    if args.json {
        return output.json(&EngineBench { nodes, seconds, nps });
    }
    writeln!(output, "nodes   {nodes}\nseconds {seconds:.3}\nnps     {nps}")?;
    Ok(())
}

#[derive(Serialize)]
struct ThreadsBench {
    threads: u16,
    depth: u32,
    rounds: u32,
    positions: usize,
    /// On one thread, all positions and rounds together.
    seconds_on_one: f64,
    seconds: f64,
    /// How many times sooner several threads are done with all of it.
    ratio: f64,
    /// The geometric mean of how many times sooner they are done with a position, the short ones counting
    /// as much as the long.
    mean_ratio: f64,
    nodes_on_one: u64,
    nodes: u64,
}

fn bench_threads(args: &BenchThreadsArgs, output: &mut Output) -> Result<(), Failure> {
    let &BenchThreadsArgs { threads, depth, rounds, .. } = args;
    let rules = jungle::Rules::STANDARD;
    let mut source = Openings::Generated { plies: DEFAULT_PLIES }.source(rules, args.seed);
    let mut positions = engine::bench::positions();
    for number in 0..args.openings {
        let opening = source.get(number.into());
        positions.push(opening.map_err(|error| Failure::Outside(error.to_string()))?);
    }
    let engine = |threads: u16| {
        let mut engine = engine::Engine::new();
        let options = engine::Options {
            threads: usize::from(threads),
            hash: args.hash as usize,
            ..engine::Options::default()
        };
        let set = engine.set_options(options);
        set.map(|()| engine).map_err(|error| Failure::Outside(error.to_string()))
    };
    let mut engines = [engine(1)?, engine(threads)?];
    let mut sums = vec![[0.0; 2]; positions.len()];
    let mut nodes = [0; 2];
    for round in 1..=rounds {
        for (position, sums) in positions.iter().zip(&mut sums) {
            // Either in turns at each position, so that they meet the machine in the same mood.
            for (at, engine) in engines.iter_mut().enumerate() {
                let bench = engine::bench::search(engine, position, depth);
                sums[at] += bench.time.as_secs_f64();
                nodes[at] += bench.nodes;
            }
        }
        if !args.json {
            let [one, several] = total(&sums);
            let ratio = one / several;
            writeln!(
                output,
                "round {round}: 1 thread {one:.2} s, {threads} threads {several:.2} s, {ratio:.2} x; \
                 {:.2} times as many nodes",
                nodes[1] as f64 / nodes[0] as f64
            )?;
        }
    }
    let [seconds_on_one, seconds] = total(&sums);
    let logs: f64 = sums.iter().map(|[one, several]| (one / several.max(1e-9)).ln()).sum();
    let result = ThreadsBench {
        threads,
        depth,
        rounds,
        positions: positions.len(),
        seconds_on_one,
        seconds,
        ratio: seconds_on_one / seconds,
        mean_ratio: (logs / sums.len() as f64).exp(),
        nodes_on_one: nodes[0],
        nodes: nodes[1],
    };
    if args.json {
        return output.json(&result);
    }
    writeln!(
        output,
        "\n{threads} threads reach depth {depth} {:.2} times as soon as one; {:.2} in the geometric mean of {} positions\n\
         They search {:.2} times as many nodes a second, and need {:.2} times as many.",
        result.ratio,
        result.mean_ratio,
        positions.len(),
        result.ratio * nodes[1] as f64 / nodes[0] as f64,
        nodes[1] as f64 / nodes[0] as f64,
    )?;
    Ok(())
}

/// The seconds of all positions.
fn total(sums: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|at| sums.iter().map(|seconds| seconds[at]).sum())
}

/// The designs of counting that `docs/decisions/0002-move-generation.md` compares.
#[derive(Serialize)]
struct Design {
    name: &'static str,
    nodes: u64,
    /// The best of the rounds: noise only ever slows a run down.
    seconds: f64,
    nps: u64,
    /// How many times faster than the naive generator.
    ratio: f64,
}

fn bench_perft(args: &BenchPerftArgs, output: &mut Output) -> Result<(), Failure> {
    let rules = args.rules.rules;
    let (jungle, naive) = (Jungle::new(rules), Naive { rules });
    let start = Position::start();
    let board = Board::from(&start);
    let depth = args.depth;

    let counts: [(&str, &dyn Fn() -> u64); 4] = [
        ("naive generator, last ply in bulk", &|| perft(&OnePly(&naive), &board, depth)),
        ("bitboards, moves listed at every ply", &|| perft(&Listed(&jungle), &start, depth)),
        ("bitboards, last ply in bulk", &|| perft(&OnePly(&jungle), &start, depth)),
        ("bitboards, last two plies in bulk", &|| perft(&jungle, &start, depth)),
    ];
    let mut best = [f64::INFINITY; 4];
    let mut nodes = [0; 4];
    for _ in 0..args.rounds {
        for (at, (_, count)) in counts.iter().enumerate() {
            let start = Instant::now();
            nodes[at] = count();
            best[at] = best[at].min(start.elapsed().as_secs_f64());
        }
    }
    if !args.json {
        writeln!(output, "perft {depth}, {rules}, one thread, best of {} rounds", args.rounds)?;
    }
    for (at, (name, _)) in counts.iter().enumerate() {
        let seconds = best[at];
        let nps = (nodes[at] as f64 / seconds) as u64;
        let ratio = best[0] / seconds;
        let design = Design { name, nodes: nodes[at], seconds, nps, ratio };
        if args.json {
            output.json(&design)?;
            continue;
        }
        let million = nps as f64 / 1e6;
        writeln!(
            output,
            "{name:<37} {:>12} leaves {seconds:>8.3} s {million:>8.1} M/s {ratio:>6.1} x",
            design.nodes
        )?;
    }
    if nodes.iter().any(|&count| count != nodes[0]) {
        return Err(Failure::Outside(format!("the generators disagree: {nodes:?}")));
    }
    Ok(())
}

/// A game that counts only the last ply in bulk.
struct OnePly<'a, G>(&'a G);

/// A game that lists its moves even to count them.
struct Listed<'a>(&'a Jungle);

macro_rules! delegate {
    ($($item:tt)*) => {
        fn side_to_move(&self, position: &Self::Position) -> game::Side {
            self.0.side_to_move(position)
        }
        fn outcome(&self, position: &Self::Position) -> Option<game::Outcome> {
            self.0.outcome(position)
        }
        fn push_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) {
            self.0.push_moves(position, moves);
        }
        fn make(&self, position: &mut Self::Position, mv: Self::Move) -> Self::Undo {
            self.0.make(position, mv)
        }
        fn unmake(&self, position: &mut Self::Position, mv: Self::Move, undo: Self::Undo) {
            self.0.unmake(position, mv, undo);
        }
        fn key(&self, position: &Self::Position) -> u64 {
            self.0.key(position)
        }
        fn fresh_key(&self, position: &Self::Position) -> u64 {
            self.0.fresh_key(position)
        }
    };
}

impl<G: Game> Game for OnePly<'_, G> {
    type Position = G::Position;
    type Move = G::Move;
    type Undo = G::Undo;
    delegate!();
    fn count_moves(&self, position: &Self::Position) -> u64 {
        self.0.count_moves(position)
    }
}

impl Game for Listed<'_> {
    type Position = Position;
    type Move = Move;
    type Undo = ();
    delegate!();
}
