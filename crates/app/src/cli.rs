//! The command line.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use jungle::picture::PieceSet;
use jungle::{Rules, Setup};
use lab::schedule::Shard;

use crate::commands::amazons::args::AmazonsArgs;
use crate::commands::analyse::args::{AnalyseArgs, seconds};
use crate::commands::causality::args::{BenchMstArgs, BenchSplitArgs, ConeArgs, SplitArgs};
use crate::commands::contest::args::{MatchArgs, OpeningsArgs, TournamentArgs};
use crate::commands::escape::args::{BenchEscapeArgs, EscapeArgs};
use crate::commands::gadgets::args::GadgetsArgs;
use crate::commands::lab::LabArgs;
use crate::commands::mine::args::MineArgs;
use crate::commands::play::PlayArgs;
use crate::commands::report::ReportArgs;
use crate::commands::tb::args::TbArgs;
use crate::commands::tune::TuneArgs;
use crate::failure::Failure;

/// Dou Shou Qi (Jungle, Animal Chess, 斗兽棋): play, analyse, look up, experiment.
#[derive(Debug, Parser)]
#[command(name = "mousetrap", version, propagate_version = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start the board in a local web server
    Serve(ServeArgs),
    /// Play and analyse in the terminal
    Play(PlayArgs),
    /// Show a position: in the terminal, as SVG or PNG, with its legal moves
    Show(ShowArgs),
    /// Count the move sequences of every length up to a depth
    Perft(PerftArgs),
    /// Explain the rule presets and house-rule switches
    Rules(RulesArgs),
    /// Cut a position into parts that cannot affect each other for a while
    Split(SplitArgs),
    /// Show how soon a piece can be on each square
    Cone(ConeArgs),
    /// Endgame tables: build, look up, verify, count, export
    Tb(TbArgs),
    /// Explain endgame tables by decision trees and by sentences without exception
    Mine(MineArgs),
    /// Say what the engine thinks of a position
    Analyse(AnalyseArgs),
    /// Search by escape functions, over a budget for the whole game, and explain how
    Escape(EscapeArgs),
    /// Play a match between two players and say what it proves
    Match(MatchArgs),
    /// Play all of several players against each other
    Tournament(TournamentArgs),
    /// Generate varied, balanced starting positions
    Openings(OpeningsArgs),
    /// Bring together what several machines played
    Lab(LabArgs),
    /// The Game of the Amazons: play, analyse, count, show, solve
    Amazons(AmazonsArgs),
    /// Hardness gadgets: draw, decide their lemmas, compile formulas to boards, play them
    Gadgets(GadgetsArgs),
    /// Compute published results anew and show them beside the originals
    Repro(ReproArgs),
    /// Gather all records of reproductions and studies into one page
    Report(ReportArgs),
    /// Fit the evaluation to games of the engine with itself
    Tune(TuneArgs),
    /// Measure speed on this machine
    Bench(BenchArgs),
    /// Be an engine for other programs, speaking UCI
    Uci,
    /// Be an engine for XBoard and WinBoard, speaking their protocol
    Xboard,
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Write manual pages
    Man(ManArgs),
}

/// Rules, as most commands take them.
#[derive(Clone, Debug, Args)]
pub struct RulesArg {
    /// A preset, or a preset with switches as in leiden,repetition=draw (see `mousetrap rules`)
    #[arg(long, value_name = "RULES", default_value = "standard")]
    pub rules: Rules,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The board is at the address that is printed; the interface for programs is described
under /api/docs there. Only this machine can reach it unless --bind says otherwise.

Examples:
  mousetrap serve --open
  mousetrap serve --port 0 --threads 4 --hash 1024
  mousetrap serve --bind 0.0.0.0 --max-searches 8"
)]
pub struct ServeArgs {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: IpAddr,
    /// The port to listen on; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value_t = 8089)]
    pub port: u16,
    /// Show the board in the browser
    #[arg(long)]
    pub open: bool,
    /// The folder of endgame tables; $MOUSETRAP_TABLES or the user's data folder if left out
    #[arg(long, value_name = "DIR")]
    pub tb_dir: Option<PathBuf>,
    /// How many threads all searches have together; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// How much memory all searches have together for what they remember, in MiB
    #[arg(long, value_name = "MB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: u32,
    /// How many searches run at once; a few more wait, and the others are told to come back
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub max_searches: u16,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  mousetrap show
  mousetrap show '7/7/3e3/7/7/7/3E3/7/7 w' --moves
  mousetrap show --svg start.svg --pieces hanzi")]
pub struct ShowArgs {
    /// The position as FEN; the start if left out
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub rules: RulesArg,
    /// List the legal moves
    #[arg(long)]
    pub moves: bool,
    /// Write a picture as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a picture as PNG
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// How the pieces look
    #[arg(long, value_name = "animals|hanzi", default_value = "animals")]
    pub pieces: PieceSet,
    /// Print one JSON object instead of a board
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Prints a line a depth: depth, leaves, seconds, leaves a second.

Examples:
  mousetrap perft 6
  mousetrap perft 7 --rules leiden --repetition-leaves
  mousetrap perft 9 --hash 1024 --threads 2
  mousetrap perft 3 --divide --fen '7/7/3e3/7/7/7/3E3/7/7 w'")]
pub struct PerftArgs {
    /// How many plies to count
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    /// The position as FEN; the start if left out
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    #[command(flatten)]
    pub rules: RulesArg,
    /// How many threads to count on
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Show the leaves below each move
    #[arg(long)]
    pub divide: bool,
    /// Remember counts in a table of this many MiB
    #[arg(long, value_name = "MB", default_value_t = 0)]
    pub hash: usize,
    /// Count a position that already stands on the path as a leaf, as van Rijn & Vis do
    #[arg(long)]
    pub repetition_leaves: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RulesArgs {
    /// Explain these rules only
    #[arg(value_name = "RULES")]
    pub rules: Option<Rules>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Every run prints ours beside theirs and leaves a record: parameters, results as JSON and CSV, and
plots, in results/NAME or --out. `mousetrap report` makes a page of all records. Games of Figures 19 to
23 are kept in --games-dir as they are finished; --resume goes on with them, or uses them again.

Examples:
  mousetrap repro --list
  mousetrap repro table1 --plies 5
  mousetrap repro table2 --pieces 3
  mousetrap repro figure2
  mousetrap repro depth14
  mousetrap repro depth30 --time 30
  mousetrap repro figure19                        # forty games each, at the published depths
  mousetrap repro figure19 --resume               # after a kill
  mousetrap repro figure19 --nodes 100000         # a number of nodes for every move
  mousetrap repro figure19 --games 400 --shard 1/8
  mousetrap repro figure21 --resume               # read off the games of Figure 19
  mousetrap repro amazons --size 6 --out amazons-6x6
  mousetrap repro splitting --resume              # Elo over thresholds and budgets
  mousetrap repro complexity                      # Elo over escape functions"
)]
pub struct ReproArgs {
    /// What to reproduce
    #[arg(value_name = "NAME", required_unless_present = "list")]
    pub name: Option<String>,
    /// List what can be reproduced
    #[arg(long, conflicts_with = "name")]
    pub list: bool,
    /// table1: how many plies
    #[arg(long, value_name = "N", default_value_t = 7,
          value_parser = clap::value_parser!(u32).range(1..=7))]
    pub plies: u32,
    /// table2: only the row of so many pieces
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=4))]
    pub pieces: Option<u32>,
    /// How many seconds a position or a move may take, where that can be chosen
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time: Option<f64>,
    /// figure19 to 22, gain: how many nodes a move or a search may cost; splitting: one or several, as in
    /// 500,1500,4500
    #[arg(long, value_name = "N", value_delimiter = ',',
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Vec<u64>,
    /// figure19 to 21: how deep all players search; their published depths if no limit is given.
    /// gain: how deep to compare
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=30))]
    pub depth: Option<u32>,
    /// The folder of tables; the user's data folder if left out
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The folder to write to; results/NAME if left out
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// amazons: the size of the board, as in 6 or 10
    #[arg(long, value_name = "SIZE", default_value = "10")]
    pub size: amazons::Size,
    /// How many games: of each configuration, 40 if left out; of amazons, 200; of
    /// each cell of splitting and complexity, 400
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// How many positions to search: figure20, 200 if left out; gain, 100
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub positions: Option<u32>,
    /// Where dice come from: openings beyond the fortieth game; in amazons, how the evaluation varies
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Play one part of several, as in 2/8
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// figure19 to 22: where games are kept and found again
    #[arg(long, value_name = "DIR", default_value = "results/games")]
    pub games_dir: PathBuf,
    /// figure19 to 22, splitting: go on with the games there, or use them if all are played
    #[arg(long)]
    pub resume: bool,
    /// figure19 to 22: how many games to play at a time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// splitting: a player to measure against `ordering`; give it several times (see
    /// `mousetrap match --help` for what there is)
    #[arg(long, value_name = "SPEC")]
    pub players: Vec<String>,
    /// Print one JSON object a row
    #[arg(long)]
    pub json: bool,
}

impl ReproArgs {
    /// What a move or a search may cost, where there is one such limit.
    pub fn budget(&self) -> Option<u64> {
        self.nodes.first().copied()
    }
}

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
    Threads(BenchThreadsArgs),
    /// Move generation: the fast generator beside the naive one, in turns
    Perft(BenchPerftArgs),
    /// Searching parts separately: exactly, as the thesis does, and the board as a whole
    Parts(BenchPartsArgs),
    /// Cutting positions into parts: tables and words beside the plain way, in turns
    Split(BenchSplitArgs),
    /// Spanning trees: updated after each move, and computed anew
    Mst(BenchMstArgs),
    /// Complexity-driven search: whether memory stays flat
    Escape(BenchEscapeArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Prints a line a depth, for random positions that fall into parts which cannot touch
within it: how many do, how often the thesis' implied score is the value and its move a best one, and
how many positions each search visits. The exact search is checked against the whole board.

Examples:
  mousetrap bench parts
  mousetrap bench parts --pieces 10 --depth 4 --json"
)]
pub struct BenchPartsArgs {
    /// How many random positions
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub positions: u32,
    /// How many pieces each position has
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(2..=16))]
    pub pieces: u32,
    /// How deep to search
    #[arg(long, value_name = "PLIES", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..=10))]
    pub depth: u32,
    /// The seed of the random positions
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub rules: RulesArg,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Searches the positions of `mousetrap bench` and generated openings, one thread and several in
turns at each, with an empty table each time. The more positions, the better: what a thread more gains
varies a lot between them. Takes some minutes; nothing else should run meanwhile.

Examples:
  mousetrap bench threads
  mousetrap bench threads --threads 8 --depth 22 --rounds 10 --json"
)]
pub struct BenchThreadsArgs {
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
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct BenchPerftArgs {
    /// How deep to count; both generators count to this depth
    #[arg(long, value_name = "PLIES", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=8))]
    pub depth: u32,
    /// How many times each generator counts
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    #[command(flatten)]
    pub rules: RulesArg,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write a page for every command into this directory, instead of the main page to the output
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Reads a FEN given on the command line; none means the start.
pub fn setup(fen: Option<&str>) -> Result<Setup, Failure> {
    let text = fen.unwrap_or(jungle::fen::START);
    text.parse().map_err(|error| Failure::input("bad FEN", error))
}

/// As [`setup`], checked.
pub fn position(fen: Option<&str>) -> Result<jungle::Position, Failure> {
    setup(fen)?.position().map_err(|error| Failure::input("impossible position", error))
}
