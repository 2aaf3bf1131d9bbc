//! The arguments of `mousetrap games`.

use std::path::PathBuf;

use answers::games::GamesRequest;
use clap::{Args, Subcommand};

use crate::cli::RulesArg;

#[derive(Debug, Args)]
#[command(
    after_help = "Games that are played on the board are kept by themselves; others come from PGN files. Mirror images count
as the same position.

Examples:
  mousetrap games import club.pgn tournament.pgn
  mousetrap games list --player anna --since 2026-01
  mousetrap games find --position '7/7/3e3/7/7/7/3E3/7/7 w'
  mousetrap games explore --source book
  mousetrap games export --source own > mine.pgn"
)]
pub struct GamesArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: GamesCommand,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum GamesCommand {
    /// List games, the latest first; all conditions hold together
    #[command(visible_alias = "find")]
    List(ListArgs),
    /// Print a game as PGN
    Show(ShowArgs),
    /// What was played in a position, how often, and how it scored
    Explore(ExploreArgs),
    /// Keep the games of PGN files
    Import(ImportArgs),
    /// Write games as PGN
    Export(ExportArgs),
    /// Delete games, by name or by conditions
    Delete(DeleteArgs),
    /// Read the whole database and check that it holds together
    Check(DatabaseArg),
    /// Measure how quickly games are kept and found
    Bench(BenchArgs),
}

#[derive(Clone, Debug, Args)]
pub struct DatabaseArg {
    /// The file that games are kept in, or postgres://USER@HOST/NAME; $MOUSETRAP_GAMES or a file in the user's data folder if left out
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,
}

/// Which games are meant.
#[derive(Clone, Debug, Args)]
pub struct Conditions {
    /// Where they come from: own, imported or book; own and imported ones if left out
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<String>,
    /// A part of a player's name
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// The result: 1-0, 0-1, 1/2-1/2 or *
    #[arg(long, value_name = "RESULT")]
    pub result: Option<String>,
    /// The rules; any if left out
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,
    /// The first day, month or year: 2026-11-18, 2026-11, 2026
    #[arg(long, value_name = "DAY")]
    pub since: Option<String>,
    /// The last day, month or year
    #[arg(long, value_name = "DAY")]
    pub until: Option<String>,
    /// A position that occurred
    #[arg(long, value_name = "FEN")]
    pub position: Option<String>,
}

impl Conditions {
    /// As every front end asks it.
    pub fn request(&self) -> GamesRequest {
        let Conditions { source, player, result, rules, since, until, position } = self.clone();
        GamesRequest {
            source,
            player,
            result,
            rules,
            since,
            until,
            position,
            ..GamesRequest::default()
        }
    }
}

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub conditions: Conditions,
    /// How many to leave out at the beginning
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: u64,
    /// How many at most; at most 500
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: u64,
    #[command(flatten)]
    pub database: DatabaseArg,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The name of the game, as `games list` gives it
    #[arg(value_name = "ID")]
    pub id: String,
    #[command(flatten)]
    pub database: DatabaseArg,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  mousetrap games explore
  mousetrap games explore --moves a3b3 --source imported
  mousetrap games explore 'l5t/1d3c1/r1p1w1e/7/7/7/1EW1P1R/1C3D1/T5L b' --json")]
pub struct ExploreArgs {
    /// The position as FEN; the start if left out
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    /// Moves played since, separated by commas
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Which games are counted: own, imported or book
    #[arg(long, value_name = "SOURCE", default_value = "book")]
    pub source: String,
    #[command(flatten)]
    pub rules: RulesArg,
    #[command(flatten)]
    pub database: DatabaseArg,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Games that are there already are not kept twice, so an import that was interrupted can be repeated. Games
that cannot be read are named with file, game and line; the others are kept, and the exit code is 1."
)]
pub struct ImportArgs {
    /// The files; - is the standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// What the games are: imported, or own for a copy of one's own
    #[arg(long, value_name = "SOURCE", default_value = "imported")]
    pub source: String,
    #[command(flatten)]
    pub database: DatabaseArg,
    /// Print one JSON object a file
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub conditions: Conditions,
    /// The file to write; the standard output if left out
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub database: DatabaseArg,
}

#[derive(Debug, Args)]
pub struct DeleteArgs {
    /// Names of games, as `games list` gives them
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    #[command(flatten)]
    pub conditions: Conditions,
    /// Delete all games
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub database: DatabaseArg,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Makes up random games, imports them into a database of its own, which is deleted afterwards, and asks for
positions of every depth. Times are in milliseconds."
)]
pub struct BenchArgs {
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// How many questions of each kind
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub questions: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
