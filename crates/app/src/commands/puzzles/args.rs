//! The command line of `mousetrap puzzles`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use puzzles::{Date, Theme};

use crate::commands::tb::args::SetArgs;

#[derive(Debug, Args)]
pub struct PuzzlesArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: PuzzlesCommand,
}

/// What to do with puzzles.
#[derive(Debug, Subcommand)]
pub enum PuzzlesCommand {
    /// Solve a puzzle in the terminal: the one of today, one by name, or one by theme and rating
    Solve(SolveArgs),
    /// Show a puzzle with its solution
    Show(ShowArgs),
    /// List the puzzles that come with the program
    List(ListArgs),
    /// Prove every puzzle again, at every node of its solution
    Verify(VerifyArgs),
    /// Make a collection of puzzles from endgame tables and games
    Mine(MineArgs),
}

/// Which puzzles.
#[derive(Clone, Debug, Args)]
pub struct Choice {
    /// Only puzzles with this theme
    #[arg(long, value_name = "THEME")]
    pub theme: Option<Theme>,
    /// Only puzzles rated this or higher
    #[arg(long, value_name = "RATING", default_value_t = 0)]
    pub from: u32,
    /// Only puzzles rated this or lower
    #[arg(long, value_name = "RATING", default_value_t = 9999)]
    pub to: u32,
    /// Read the puzzles from this file; those that come with the program if left out
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Type a move as a3b3 or Ea4, or one of: hint, solution, quit. A wrong move may be tried again.

Examples:
  mousetrap puzzles solve
  mousetrap puzzles solve --theme zugzwang --from 1500
  mousetrap puzzles solve --date 2026-12-24"
)]
pub struct SolveArgs {
    /// The puzzle's name; without it, one that fits --theme, --from and --to, or the one of the day
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// The day whose puzzle it is; today if left out
    #[arg(long, value_name = "DATE", conflicts_with = "id")]
    pub date: Option<Date>,
    #[command(flatten)]
    pub choice: Choice,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The puzzle's name, as `list` prints it
    #[arg(value_name = "ID")]
    pub id: String,
    /// Read the puzzles from this file; those that come with the program if left out
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "With --json, an object a puzzle: id, rules, fen, goal (win or draw), solution (moves as a3b3, of both
sides), themes, rating, and proved (tables or search).

Examples:
  mousetrap puzzles list --theme block-jump
  mousetrap puzzles list --from 1800 --json"
)]
pub struct ListArgs {
    #[command(flatten)]
    pub choice: Choice,
    /// Count them by pieces, length, rating and theme, instead of a line each
    #[arg(long, conflicts_with = "json")]
    pub count: bool,
    /// Print one JSON object per puzzle
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "At every move of the solver it is proved that no other move keeps the result, and at every
reply that none lasts longer: by tables of up to four pieces (`mousetrap tb build --pieces 4`,
a minute), or for puzzles of more pieces by an exact search of wins within four moves. Names,
themes and that no two are the same game are checked, too.

Examples:
  mousetrap puzzles verify
  mousetrap puzzles verify --sample 100 --seed 3"
)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// The puzzles to prove; those that come with the program if left out
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Prove only so many, picked at random
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub sample: Option<usize>,
    /// The random seed by which they are picked
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many threads to use; all cores if left out
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "How the puzzles that come with the program were made: by this command with its defaults.

1. Candidates from tables. Of every class of two, three and four pieces (up to the names of
   animals), positions are sampled until 60 are found. A candidate is won in five plies or
   more, or drawn; it is not decided by a mere race; exactly one of at least four moves keeps
   that; the move is no lone capture; and after the best defence (the one that lasts longest)
   exactly one move keeps it again: a solution of 3 to 9 plies. Tables prove every node of it.
2. Candidates from games. Levels 1 to 9 of the engine play each other from random openings, and
   the last 24 positions of decided games are looked at, with every move that could have been
   played there, those of more than four pieces. Here exactly one move forces a win within four
   moves (7 plies), which takes 5 plies or more, and no other move does: an exact search that
   leaves nothing out proves it, again at every node of the solution.
3. Of positions that are the same game (mirror images, colours exchanged, animals renamed) one
   is kept, and of each class one with the same shape of solution. Those with rare themes are
   selected first, from all classes in turn.
4. The levels from 0 to 20 try every selected puzzle, from the lowest up, until four in a row
   have found it. The rating is 500 and 100 for every level that fails; what more than 19 of 21
   levels find is dropped.

Everything follows from the seed, on any number of threads. What is done is in the journal in
the folder of --work: an interrupted run carries on where it stopped.

Examples:
  mousetrap puzzles mine --out puzzles.txt
  mousetrap puzzles mine --pieces 3 --games 0 --want 200 --out small.txt --work small"
)]
pub struct MineArgs {
    #[command(flatten)]
    pub set: SetArgs,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The folder of the journal; the name of the file with .work if left out
    #[arg(long, value_name = "DIR")]
    pub work: Option<PathBuf>,
    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Sample classes of up to this many pieces
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=5))]
    pub pieces: u32,
    /// Sample at most this many positions of a class
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub samples: u64,
    /// How many candidates of a class are enough
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub enough: usize,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 160)]
    pub games: u64,
    /// How many puzzles to select and rate
    #[arg(long, value_name = "N", default_value_t = 2_600)]
    pub want: usize,
    /// Let every level try every puzzle, also above four in a row that have found it: ten times the work
    #[arg(long)]
    pub every_level: bool,
    /// How many threads to use; all cores if left out
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// A number of puzzles, which is not none.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("expected a number from 1 on".to_owned()),
        Ok(number) => Ok(number),
    }
}
