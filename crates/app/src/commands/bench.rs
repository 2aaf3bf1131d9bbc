//! `mousetrap bench`: speed, as a ratio measured in one run, and the signature of the search.

use std::io::Write;

use clap::{Args, Subcommand};
use serde::Serialize;
use studies::bench;

use crate::commands::study::{Measure, measure};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Without a command: searches fixed positions on one thread and prints how many nodes that took. The
number is the search's signature, the same on every machine; only the speed differs."
)]
pub struct BenchArgs {
    /// What to measure instead of the engine
    #[command(subcommand)]
    pub what: Option<Bench>,
    /// How deep to search
    #[arg(long, value_name = "PLIES", default_value_t = engine::bench::DEPTH,
          value_parser = clap::value_parser!(u32).range(1..=40))]
    pub depth: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What to measure.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// Several threads beside one, in turns: how much sooner they reach a depth
    #[command(after_help = THREADS)]
    Threads(Measure<bench::threads::Params>),
    /// Move generation: the fast generator beside the naive one, in turns
    Perft(Measure<bench::perft::Params>),
    /// Searching parts separately: exactly, as Burnett does, and the board as a whole
    #[command(after_help = PARTS)]
    Parts(Measure<bench::parts::Params>),
    /// Proofs by parts: against tables, and beside a search in games
    #[command(after_help = PROOFS)]
    Proofs(Measure<bench::proofs::Params>),
    /// Cutting positions into parts: the fast implementation beside the plain one, in turns
    Split(Measure<bench::split::Params>),
    /// Spanning trees: updated after each move, and recomputed
    #[command(after_help = MST)]
    Mst(Measure<bench::spanning_tree::Params>),
    /// Complexity-driven search: whether memory stays flat
    #[command(after_help = ESCAPE)]
    Escape(Measure<bench::escape::Params>),
    /// The champion's clock: a stopping rule fitted to what moves give away
    #[command(after_help = CLOCK)]
    Clock(Measure<bench::clock::Params>),
}

const THREADS: &str = "\
Searches the positions of `mousetrap bench` and generated openings, one thread and several in
turns at each, with an empty table each time. The more positions, the better: what a thread more gains
varies a lot between them. Takes some minutes; nothing else should run meanwhile.

Examples:
  mousetrap bench threads
  mousetrap bench threads --threads 8 --depth 22 --rounds 10 --json";

const PARTS: &str = "\
Prints a line a depth, for random positions that fall into parts which cannot touch
within it: how many do, how often Burnett's implied score is the value and its move a best one, and
how many positions each search visits. The exact search is checked against the whole board.

Examples:
  mousetrap bench parts
  mousetrap bench parts --pieces 10 --depth 4 --json";

const PROOFS: &str = "\
With classes: how many of their positions are proved, and that no proof is false or refused by the checker.
Without: how many positions of five to eight pieces from games are proved, and how many of those a search
does not decide.

Examples:
  mousetrap bench proofs --class CD-D --positions 0
  mousetrap bench proofs --games 500 --nodes 20000 --pieces 2 --json";

const MST: &str = "\
Compares updating the spanning tree after a move with recomputing it, for
our board and for open boards with up to 2,000 pieces; counts by how much weights change in a move,
and how often Update-MST as published yields a tree that is not minimal.";

const ESCAPE: &str = "\
Searches the start until a number of nodes have been expanded, and prints what memory was held on
the way: it stays flat once the limit of nodes is reached.

Examples:
  mousetrap bench escape
  mousetrap bench escape --expansions 100000000 --memory 1000000";

const CLOCK: &str = "\
Plays the champion against itself, searches every few positions far longer than a game would, and notes after each
depth what its best move gives away. A rule to stop by is fitted to that, and compared with others at
equal nodes a move. Its numbers are those of the engine's: `champion:pacing=fitted`.

Examples:
  mousetrap bench clock
  mousetrap bench clock --games 400 --nodes 1000000 --concurrency 8 --out clock";

pub fn run(args: &BenchArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.what {
        None => signature(args, output),
        Some(Bench::Threads(args)) => measure::<bench::Threads>(args, output),
        Some(Bench::Perft(args)) => measure::<bench::MoveGeneration>(args, output),
        Some(Bench::Parts(args)) => measure::<bench::Parts>(args, output),
        Some(Bench::Proofs(args)) => measure::<bench::Proofs>(args, output),
        Some(Bench::Split(args)) => measure::<bench::Splits>(args, output),
        Some(Bench::Mst(args)) => measure::<bench::SpanningTrees>(args, output),
        Some(Bench::Escape(args)) => measure::<bench::EscapeMemory>(args, output),
        Some(Bench::Clock(args)) => measure::<bench::Clock>(args, output),
    }
}

/// The names are a contract with other programs.
#[derive(Serialize)]
struct Signature {
    nodes: u64,
    seconds: f64,
    nps: u64,
}

fn signature(args: &BenchArgs, output: &mut Output) -> Result<(), Failure> {
    let engine::bench::Bench { nodes, time } = engine::bench::run(args.depth);
    let (seconds, nps) = (time.as_secs_f64(), game::limits::nps(nodes, time));
    if args.json {
        return output.json(&Signature { nodes, seconds, nps });
    }
    Ok(writeln!(output, "nodes   {nodes}\nseconds {seconds:.3}\nnps     {nps}")?)
}
