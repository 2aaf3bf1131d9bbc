//! The command line of `mousetrap tb`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tablebase::Material;

use crate::cli::RulesArg;
use crate::commands::study::Measure;
use crate::commands::tb::size::Size;

#[derive(Debug, Args)]
pub struct TbArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: TbCommand,
}

/// What to do with endgame tables.
#[derive(Debug, Subcommand)]
pub enum TbCommand {
    /// Build tables, carrying on where an earlier build stopped
    Build(BuildArgs),
    /// List the tables that are there
    List(ListArgs),
    /// Look up a position and all its moves
    Probe(ProbeArgs),
    /// Play a position out with best play by both sides
    Line(LineArgs),
    /// Show the longest wins of each class
    Longest(LongestArgs),
    /// Count wins, losses and draws
    Stats(StatsArgs),
    /// Check tables against their checksums, or position by position
    Verify(VerifyArgs),
    /// Show what is worth looking at: mutual zugzwangs, fortresses, wins by one move only
    Catalogue(CatalogueArgs),
    /// Say who wins when both sides begin with only some animals, on their usual squares
    SolveStarts(SolveStartsArgs),
    /// Say what building would take, class by class, and write it as jobs for a cluster
    Plan(PlanArgs),
    /// Write the set as one would give it to a data archive
    Publish(PublishArgs),
    /// Fetch a published set from a web host
    Fetch(FetchArgs),
    /// Check the race rule (wins and losses by distance alone) against every position
    Races(RacesArgs),
    /// Solve a class for every number of passes that each side may spend
    Tempo(TempoArgs),
    /// Write tables in other formats
    Export(ExportArgs),
    /// Measure building, probing and sizes on this machine
    Bench(Measure<studies::bench::tables::Params>),
}

/// Where tables are, and their rules.
#[derive(Clone, Debug, Args)]
pub struct SetArgs {
    #[command(flatten)]
    pub rules: RulesArg,
    /// The folder of tables, with a folder for each set of rules in it; $MOUSETRAP_TABLES or the
    /// user's data folder if left out
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Prints one line per class: its positions (with either side to move, mirror images
counted apart), who wins, the longest win or loss in plies, time and size.

An interrupted build carries on where it stopped. Several builds, also on other machines that
share the folder, divide the classes among them.

Examples:
  mousetrap tb build --pieces 4
  mousetrap tb build --class EL-RT --rules leiden
  mousetrap tb build --pieces 5 --threads 8 --memory 16G"
)]
pub struct BuildArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// Build all classes of up to this many pieces
    #[arg(long, value_name = "N", required_unless_present = "class",
          value_parser = clap::value_parser!(u32).range(2..=6))]
    pub pieces: Option<u32>,
    /// Build this class only, and what it leads to; may be given several times
    #[arg(long, value_name = "CLASS")]
    pub class: Vec<Material>,
    /// How many threads to use; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// How much memory to use at most, as in 8G or 500M
    #[arg(long, value_name = "SIZE", default_value = "8G", allow_hyphen_values = true)]
    pub memory: Size,
    /// In the largest tables requested, store outcomes but no distances
    #[arg(long)]
    pub wdl_only: bool,
    /// In the largest tables requested, store both sides to move: twice the size, for hosts on a network, where a probe
    /// then asks one table only
    #[arg(long)]
    pub both_sides: bool,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// Print one JSON object per table
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ProbeArgs {
    /// The position as FEN
    #[arg(value_name = "FEN", num_args = 0.., required_unless_present = "stdin")]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub set: SetArgs,
    /// Read one FEN per line from the input
    #[arg(long, conflicts_with = "fen")]
    pub stdin: bool,
    /// Print one JSON object per position
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct LineArgs {
    /// The position as FEN
    #[arg(value_name = "FEN", num_args = 1..)]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub set: SetArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct LongestArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// Only classes of this many pieces
    #[arg(long, value_name = "N")]
    pub pieces: Option<u32>,
    /// Only this class
    #[arg(long, value_name = "CLASS")]
    pub class: Option<Material>,
    /// How many positions of each class to show
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub first: u16,
    /// Print one JSON object per class
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct StatsArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// Only classes of this many pieces
    #[arg(long, value_name = "N")]
    pub pieces: Option<u32>,
    /// A row for each named class instead of one for each number of pieces
    #[arg(long)]
    pub per_class: bool,
    /// Print one JSON object per row
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// Recompute every position from its successors with the ordinary move generator; tables that the ledger in
    /// the folder (verified.jsonl) lists, unchanged, are not recomputed
    #[arg(long)]
    pub full: bool,
    /// With --full, recompute also what the ledger lists
    #[arg(long, requires = "full")]
    pub again: bool,
    /// Only classes of this many pieces
    #[arg(long, value_name = "N")]
    pub pieces: Option<u32>,
    /// Only this class; may be given several times
    #[arg(long, value_name = "CLASS")]
    pub class: Vec<Material>,
    /// How many threads to use; all cores if left out
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Print one JSON object per table
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Prints one line per class: placements of its pieces, mirror images counted apart; mutual
zugzwangs, in which whoever moves loses (full) or does worse than if it were the other's turn (half);
fortresses, drawn whoever moves though one side has less; wins with either side to move, and those that
only one of several moves wins.

Examples:
  mousetrap tb catalogue --pieces 3
  mousetrap tb catalogue --class EL-RT --out el-rt.html"
)]
pub struct CatalogueArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// Only classes of this many pieces
    #[arg(long, value_name = "N")]
    pub pieces: Option<u32>,
    /// Only this class; may be given several times
    #[arg(long, value_name = "CLASS", conflicts_with = "pieces")]
    pub class: Vec<Material>,
    /// Write a page with a diagram of each kind in each class to this file, as HTML
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How many threads to use; all cores if left out
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Print one JSON object per class
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Red, who moves first, has one number of animals and Blue another; every choice of
animals is a start, on the squares where they stand at the beginning of a game. The tables of all these
pieces have to be there.

Examples:
  mousetrap tb solve-starts
  mousetrap tb solve-starts --white 3 --black 2 --json"
)]
pub struct SolveStartsArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// How many animals Red has
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=5))]
    pub white: u32,
    /// How many animals Blue has
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=5))]
    pub black: u32,
    /// Print one JSON object per start
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Prints a line for each number of pieces: classes, positions, the memory of the largest class, the size
of the tables and the processor time, all of it estimated; with --json an object for each class.

With --slurm, DIR gets job arrays and submit.sh, which submits them: a task builds a class, a layer waits for
the one before it, and classes of like memory share an array. A task that is requeued or submitted again finds
what is done. The folder of tables has to be one that all machines see.

Examples:
  mousetrap tb plan --pieces 6
  mousetrap tb plan --pieces 6 --rules leiden --dir /shared/tables --slurm jobs && sh jobs/submit.sh"
)]
pub struct PlanArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// All classes of up to this many pieces
    #[arg(long, value_name = "N", required_unless_present = "class",
          value_parser = clap::value_parser!(u32).range(2..=6))]
    pub pieces: Option<u32>,
    /// This class only, and what it leads to; may be given several times
    #[arg(long, value_name = "CLASS", conflicts_with = "pieces")]
    pub class: Vec<Material>,
    /// Write job arrays for Slurm into this folder
    #[arg(long, value_name = "DIR")]
    pub slurm: Option<PathBuf>,
    /// How many threads a task uses
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Allow for wins so long that distances take two bytes: about twice the memory
    #[arg(long)]
    pub wide: bool,
    /// In the largest tables, store outcomes but no distances
    #[arg(long)]
    pub wdl_only: bool,
    /// Print one JSON object per class
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Every table is checked against its checksums and copied into a folder for the rules, with a manifest of
sizes and BLAKE3, statistics by class, the ledger of what was verified, samples as Parquet (with the feature `parquet`)
and a data card (README.md); beside it CITATION.cff. What is there already is not written again; several sets
can share DIR.

Examples:
  mousetrap tb publish public --rules leiden"
)]
pub struct PublishArgs {
    /// The folder to write
    #[arg(value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub set: SetArgs,
    /// Sample classes of up to this many pieces; 0 for none
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub sample_pieces: u32,
    /// How many positions of a class to sample
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub sample: u64,
    /// The random seed of samples
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "URL is that of a folder written by `mousetrap tb publish`, on any web host; hosts that answer requests for
ranges of bytes let half a file go on where it broke off. Every file is verified against the manifest before it
gets its name; tables that are there are kept. An https URL needs the program curl.

Examples:
  mousetrap tb fetch https://example.org/tables --rules leiden --pieces 4"
)]
pub struct FetchArgs {
    /// Where the published set is
    #[arg(value_name = "URL")]
    pub url: String,
    #[command(flatten)]
    pub set: SetArgs,
    /// Only tables of up to this many pieces
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub pieces: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Prints one line per class, both sides to move together and mirror images counted
apart: positions, claims of the rule (fired), claims with the true distance (exact) and with a larger
one (upper bounds), the longest claim in plies, and false claims, of which there must be none.

With --out every finished class is kept at once, and a run with the same file goes on after it.

Examples:
  mousetrap tb races --pieces 3 --rules leiden
  mousetrap tb races --pieces 4 --rules leiden --out races.jsonl"
)]
pub struct RacesArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// All classes of this many pieces
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(2..=5))]
    pub pieces: u32,
    /// How many threads to use; all cores if left out
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Keep each finished class in this file, and leave out those that are in it
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON object per class
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A pass is a move that a side makes elsewhere. Prints a line for every number of passes of Red and of
Blue: how many positions each side wins, with Red to move and with Blue to move. A side that has passes to
spend has pieces elsewhere, so that taking all its pieces of the class does not end the game; `any` is any
number of times.

Needs no tables. Two pieces take a second, three some minutes.

Examples:
  mousetrap tb tempo D-D
  mousetrap tb tempo RC-E --passes 1 --rules leiden --json"
)]
pub struct TempoArgs {
    /// Red's animals, a dash and Blue's: T-RC is a tiger against rat and cat
    #[arg(value_name = "CLASS")]
    pub class: Material,
    #[command(flatten)]
    pub rules: RulesArg,
    /// The most passes that are told apart from any number
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(0..=8))]
    pub passes: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Red's animals, a dash and Blue's: EL-RT is elephant and lion against rat and tiger
    #[arg(value_name = "CLASS")]
    pub class: Material,
    #[command(flatten)]
    pub set: SetArgs,
    /// The papers' text format, or Parquet
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "parquet"])]
    pub format: String,
    /// The file to write; text goes to the output if left out
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Only this many positions, picked at random
    #[arg(long, value_name = "N")]
    pub sample: Option<u64>,
    /// The random seed by which positions are picked
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}
