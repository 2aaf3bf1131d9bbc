//! The command line.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use jungle::picture::PieceSet;
use jungle::{Rules, Setup};

use crate::commands::amazons::args::AmazonsArgs;
use crate::commands::analyse::args::AnalyseArgs;
use crate::commands::bench::BenchArgs;
use crate::commands::book::BookArgs;
use crate::commands::causality::args::{ConeArgs, SplitArgs};
use crate::commands::contest::args::{MatchArgs, OpeningsArgs, TournamentArgs};
use crate::commands::datagen::DatagenArgs;
use crate::commands::escape::args::EscapeArgs;
use crate::commands::gadgets::args::GadgetsArgs;
use crate::commands::games::args::GamesArgs;
use crate::commands::lab::LabArgs;
use crate::commands::mine::args::MineArgs;
use crate::commands::overview;
use crate::commands::play::PlayArgs;
use crate::commands::prove::ProveArgs;
use crate::commands::puzzles::args::PuzzlesArgs;
use crate::commands::report::ReportArgs;
use crate::commands::repro::ReproArgs;
use crate::commands::tb::args::TbArgs;
use crate::commands::train::TrainArgs;
use crate::commands::tune::TuneArgs;
use crate::commands::tune_search::TuneSearchArgs;
use crate::failure::Failure;

/// Dou Shou Qi (Jungle, Animal Chess, 斗兽棋): play, analyse, look up, experiment.
#[derive(Debug, Parser)]
#[command(name = "mousetrap", version, propagate_version = true)]
pub struct Cli {
    /// What to do; where to begin if left out.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// The command line, with its commands listed by what one wants.
    pub fn grouped() -> clap::Command {
        let command = flowing(Cli::command());
        let (begin, list) = (overview::first(), overview::list(&command));
        command.help_template(format!(
            "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{begin}{list}\n\nOptions:\n{{options}}\n\n\
             `mousetrap COMMAND --help` says more of a command."
        ))
    }
}

/// The same with paragraphs of the help in one line each, so that they are broken once, where the terminal ends.
fn flowing(command: clap::Command) -> clap::Command {
    let after = command.get_after_help().map(|text| paragraphs(&text.to_string()));
    let command = command.mut_subcommands(flowing);
    match after {
        Some(after) => command.after_help(after),
        None => command,
    }
}

/// Joins a line that begins at the margin to a long one before it; lists and examples are indented.
fn paragraphs(text: &str) -> String {
    const LONG: usize = 60;
    let mut joined = String::new();
    let mut before = "";
    for line in text.lines() {
        let prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
        if !joined.is_empty() {
            joined.push(if prose(before) && prose(line) && before.len() >= LONG {
                ' '
            } else {
                '\n'
            });
        }
        joined.push_str(line);
        before = line;
    }
    joined
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
    /// How the game is played, and its presets and house rules
    Rules(RulesArgs),
    /// Cut a position into parts that cannot affect each other for a while
    Split(SplitArgs),
    /// Show how soon a piece can be on each square
    Cone(ConeArgs),
    /// Endgame tables: build, look up, verify, count, export
    Tb(TbArgs),
    /// Prove wins of positions that no table holds, by parts
    Prove(ProveArgs),
    /// Explain endgame tables by decision trees and by rules without exception
    Mine(MineArgs),
    /// Games that are kept: list, find by position, explore, import and export PGN
    Games(GamesArgs),
    /// The opening book: the engine's own games and its analysis of the first plies
    Book(BookArgs),
    /// Puzzles: solve, list, mine and prove them
    Puzzles(PuzzlesArgs),
    /// Analyse a position with the engine
    Analyse(AnalyseArgs),
    /// Complexity-driven search, over a budget for the whole game, and how it went
    Escape(EscapeArgs),
    /// Play a match between two players, with Elo and its error
    Match(MatchArgs),
    /// Play all of several players against each other
    Tournament(TournamentArgs),
    /// Generate varied, balanced starting positions
    Openings(OpeningsArgs),
    /// Merge the games that several machines played
    Lab(LabArgs),
    /// The Game of the Amazons: play, analyse, count, show, solve
    Amazons(AmazonsArgs),
    /// Hardness gadgets: draw, decide their lemmas, compile formulas to boards, play them
    Gadgets(GadgetsArgs),
    /// Reproduce published results and show them beside the originals
    Repro(ReproArgs),
    /// Gather all records of reproductions and studies into one page
    Report(ReportArgs),
    /// Fit the evaluation to games of the engine with itself, once or in rounds
    Tune(TuneArgs),
    /// Tune the constants of the search by many short matches (SPSA)
    TuneSearch(TuneSearchArgs),
    /// Play games of the engine with itself as data for training
    Datagen(DatagenArgs),
    /// Train a network for the evaluation on such games
    Train(TrainArgs),
    /// Measure speed on this machine
    Bench(BenchArgs),
    /// Run as an engine for other programs, speaking UCI
    Uci,
    /// Run as an engine for XBoard and WinBoard, speaking their protocol
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
under /api/docs there. Only this machine can reach it unless --bind is given.

Examples:
  mousetrap serve --open
  mousetrap serve --port 0 --threads 4 --hash 1024
  mousetrap serve --bind 0.0.0.0 --token --max-searches 8"
)]
pub struct ServeArgs {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: IpAddr,
    /// Answer to this name too, beside localhost and the address; may be given several times
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,
    /// Ask clients for a token: this one, $MOUSETRAP_TOKEN, or a new one
    #[arg(long, value_name = "TOKEN", num_args = 0..=1, default_missing_value = "")]
    pub token: Option<String>,
    /// Take clients' addresses from the X-Forwarded-For of a reverse proxy
    #[arg(long)]
    pub behind_proxy: bool,
    /// Let everybody who gets in have endgame tables built, not only clients on this machine or with the token
    #[arg(long)]
    pub allow_builds: bool,
    /// Log to the standard error: error, warn, info (a line a request) or debug
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    pub log: tracing::Level,
    /// The port to listen on; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value_t = 8089)]
    pub port: u16,
    /// Show the board in the browser
    #[arg(long)]
    pub open: bool,
    /// The folder of endgame tables; $MOUSETRAP_TABLES or the user's data folder if left out
    #[arg(long, value_name = "DIR")]
    pub tb_dir: Option<PathBuf>,
    /// The file that games are kept in, or postgres://USER@HOST/NAME, a database that several servers share;
    /// $MOUSETRAP_GAMES or a file in the user's data folder if left out
    #[arg(long, value_name = "FILE|ADDRESS")]
    pub database: Option<PathBuf>,
    /// How many threads all searches have together; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// How much memory the transposition tables of all searches have together, in MiB
    #[arg(long, value_name = "MB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: u32,
    /// How many searches run at once; a few more wait, and the others are refused
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
    /// Count with a hash table of this many MiB
    #[arg(long, value_name = "MB", default_value_t = 0)]
    pub hash: usize,
    /// Count a position that is already on the path as a leaf, as van Rijn & Vis do
    #[arg(long)]
    pub repetition_leaves: bool,
    /// Print one JSON object per line
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

/// A game that begins at a FEN given on the command line.
pub fn play(rules: Rules, fen: Option<&str>) -> Result<jungle::Play, Failure> {
    jungle::Play::new(jungle::Jungle::new(rules), &setup(fen)?)
        .map_err(|error| Failure::input("impossible position", error))
}
