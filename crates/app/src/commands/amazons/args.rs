//! The command line of `mousetrap amazons`.

use std::path::PathBuf;

use amazons::Size;
use amazons::player::Kind;
use answers::amazons::Algorithm;
use clap::{Args, Subcommand};
use studies::{bench, xu_xing_zuo};

use crate::commands::study::Measure;

#[derive(Debug, Args)]
pub struct AmazonsArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: AmazonsCommand,
}

/// What to do with the Game of the Amazons.
#[derive(Debug, Subcommand)]
pub enum AmazonsCommand {
    /// Play against the program, or let it play against itself
    Play(PlayArgs),
    /// Analyse a position: its regions, its value, the best move, and who wins if that can be solved
    Analyse(AnalyseArgs),
    /// Solve a board: who wins with best play, with a proof that can be checked
    Solve(SolveArgs),
    /// The database of small contested regions: build it, verify it, look into it
    Regions(RegionsArgs),
    /// Check a proof that a player wins, with a program that shares nothing with the solver
    CheckProof(CheckProofArgs),
    /// Count the move sequences of every length up to a depth
    Perft(PerftArgs),
    /// Show a position in the terminal or as SVG, with its regions and legal moves
    Show(ShowArgs),
    /// How often values added up over regions differ from the truth, and why
    #[command(after_help = EXACTNESS)]
    Exactness(Measure<xu_xing_zuo::exactness::Params>),
    /// Play two searches against each other at equal time or nodes: by regions and plain, or others
    #[command(after_help = MATCH)]
    Match(Measure<xu_xing_zuo::duel::Params>),
    /// Measure move generation and search against their plain versions, in turns
    #[command(after_help = BENCH)]
    Bench(Measure<bench::amazons::Params>),
}

const EXACTNESS: &str = "\
Without --sample every position that can be reached is looked at, once for each class
of positions that are the same up to symmetry, the players' colours and dead squares.
That is possible on 4x4 with any number of amazons, and on 4x5 with one a side; larger
boards need --sample.

The second table says why values differ: each difference is put down to the first
assumption of the formula whose repair makes it vanish.
  cut inside  what falls apart inside the search is added up again
  ties        sub-boards that stop early are evaluated for the player stuck there
  stuck       a sub-board where the player to move is stuck is taken for finished
  over        sub-boards are filled on when the other player has no move left anywhere
  must fill   owners fill every sub-board of theirs at every turn
  must move   both move in every contested sub-board at every turn
  several     some of the last four together
  plies       a ply is a move in every sub-board instead of in one
  elsewhere   answers are given where the other has moved, and nothing less than one
              move a ply, anywhere, will do
The smallest position of each kind is shown.

Examples:
  mousetrap amazons exactness --size 4 --depth 3
  mousetrap amazons exactness --size 4 --amazons 2 --depth 3
  mousetrap amazons exactness --size 6 --sample 2000 --squares 9";

const MATCH: &str = "\
Players: champion[:regions=off,selective=off,table=off] (the strong player, whole or without some of it),
regions (search by regions as published), plain (the same without cutting), and, with --game-nodes,
escape[:local=CURVE,global=CURVE,…], alphabeta[:table,global=CURVE], uct[:c=C] (see
`mousetrap escape --help` for the curves). With --game-nodes every move has what is left: regions
and plain spend an eighth of it.

Examples:
  mousetrap amazons match --size 6 --games 100 --milliseconds 50
  mousetrap amazons match --size 6 --games 100 --nodes 20000
  mousetrap amazons match --a champion --b plain --size 8 --games 400 --sprt 0,200
  mousetrap amazons match --a champion --b champion:regions=off --size 8 --split 2
  mousetrap amazons match --size 6 --a 'escape:local=never' --b plain --game-nodes 20000";

const BENCH: &str = "\
With --reach: how many of twenty 8x8 endgames of each size each solver solves, the
exact one and brute force, and how long they take. Both give up after a million
positions looked at.

Examples:
  mousetrap amazons bench
  mousetrap amazons bench --reach";

/// A position: given as text, or the start on a board of some size.
#[derive(Clone, Debug, Args)]
pub struct PositionArgs {
    /// The position, as in '3B2B3/10/10/B8B/10/10/W8W/10/10/3W2W3 w'; the start if left out
    #[arg(value_name = "POSITION", num_args = 0..)]
    pub position: Vec<String>,
    /// The board to start on, as in 6 or 5x6
    #[arg(long, value_name = "SIZE", conflicts_with = "position")]
    pub size: Option<Size>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Moves are typed as d1d7/g7: from d1 to d7, arrow to g7. 'moves' lists the legal
ones, 'undo' takes back your last move, 'quit' ends the game.

Examples:
  mousetrap amazons play
  mousetrap amazons play --size 6 --side black --seconds 5
  mousetrap amazons play --size 6 --side none"
)]
pub struct PlayArgs {
    #[command(flatten)]
    pub position: PositionArgs,
    /// Your side
    #[arg(long, value_name = "SIDE", default_value = "white",
          value_parser = ["white", "black", "both", "none"])]
    pub side: String,
    /// How long the program thinks about a move
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds)]
    pub seconds: f64,
    /// The program's player: champion, regions or plain
    #[arg(long, value_name = "PLAYER", default_value = "champion")]
    pub player: Kind,
    /// Search without cutting the board into regions: the same as --player plain
    #[arg(long, conflicts_with = "player")]
    pub plain: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The board is the start on W files and H ranks, or --fen. A proof has the winner's move for
every position that can come up against her; `mousetrap amazons check-proof` checks it.

Examples:
  mousetrap amazons solve --size 5x4
  mousetrap amazons solve --size 4x4 --proof 4x4.proof
  mousetrap amazons solve --fen 'W2B/x1x1/2Wx/4 w' --json"
)]
pub struct SolveArgs {
    /// The board to solve the start of, files first, as in 5x4
    #[arg(long, value_name = "WxH", required_unless_present = "fen")]
    pub size: Option<Size>,
    /// The position to solve, in place of the start
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Write a proof to this file
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Give up after expanding this many positions
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Two to the power of this many positions are remembered, 24 bytes each
    #[arg(long, value_name = "BITS", default_value_t = 22,
          value_parser = clap::value_parser!(u32).range(10..=32))]
    pub table_bits: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Every contested region is listed once, up to symmetry and colours, with at most two amazons a
side: ranks from the top, the integers between which its value lies, mean, temperature, value.

Examples:
  mousetrap amazons regions regions.txt --build 6
  mousetrap amazons regions regions.txt --verify
  mousetrap amazons regions regions.txt --hottest 10"
)]
pub struct RegionsArgs {
    /// The file of the database
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Build it: all regions of up to this many squares, those of amazons included
    #[arg(long, value_name = "SQUARES", value_parser = clap::value_parser!(u32).range(2..=8),
          conflicts_with_all = ["verify", "hottest"])]
    pub build: Option<u32>,
    /// Play out every region beside settled moves and compare who wins
    #[arg(long)]
    pub verify: bool,
    /// List the regions in which a move is worth most
    #[arg(long, value_name = "N")]
    pub hottest: Option<usize>,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit code 1 says that the file proves nothing.

Example:
  mousetrap amazons check-proof 4x4.proof")]
pub struct CheckProofArgs {
    /// The proof, as `amazons solve --proof` writes it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  mousetrap amazons analyse --size 8 --depth 3
  mousetrap amazons analyse 'W1xB2/1x1x2/xxxx1x/2Wx2/xxxxB1/4x1 w'")]
pub struct AnalyseArgs {
    #[command(flatten)]
    pub position: PositionArgs,
    /// How deep to search
    #[arg(long, value_name = "PLIES", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    /// Stop searching after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub seconds: f64,
    /// The search: champion, regions, plain or exact
    #[arg(long, value_name = "SEARCH", default_value = "regions")]
    pub algorithm: Algorithm,
    /// How many steps the exact solver may take; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub steps: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Prints a line a depth: depth, leaves, seconds, leaves a second.

Examples:
  mousetrap amazons perft 2
  mousetrap amazons perft 4 --size 4 --threads 2")]
pub struct PerftArgs {
    /// How many plies to count
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    #[command(flatten)]
    pub position: PositionArgs,
    /// How many threads to count on
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Count with a hash table of this many MiB
    #[arg(long, value_name = "MB", default_value_t = 0)]
    pub hash: usize,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  mousetrap amazons show
  mousetrap amazons show --size 6 --moves
  mousetrap amazons show 'W1xB/1x2/x1x1/2Wx w' --regions --svg regions.svg")]
pub struct ShowArgs {
    #[command(flatten)]
    pub position: PositionArgs,
    /// List the legal moves
    #[arg(long)]
    pub moves: bool,
    /// Tint and list the regions
    #[arg(long)]
    pub regions: bool,
    /// Write a picture as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object instead of a board
    #[arg(long)]
    pub json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("expected a number of seconds above 0, as in 0.5".to_owned()),
    }
}
