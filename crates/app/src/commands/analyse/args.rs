//! The command line of `mousetrap analyse`.

use clap::Args;

use crate::commands::tb::args::SetArgs;

#[derive(Debug, Args)]
#[command(
    after_help = "Thinks for five seconds if no limit is given. The score is for the player to move, in hundredths
of a unit: 100 promises about 64 points in a hundred games.

Endgame tables are used if there are any; those of up to three pieces are made when first needed.

Algorithms (--algorithm):
  champion  the strongest: selective search with the tuned evaluation
  table     alpha-beta with a table and Burnett's evaluation, nothing left out, repetition ignored
  plain, ordering, split, both   Burnett's players; of split and both, with a threshold,
            as in both:threshold=3
  sum, verified, guided          what was tried beyond it (see `mousetrap match --help`)
Only the champion uses endgame tables, several threads and several lines.

Examples:
  mousetrap analyse
  mousetrap analyse '5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w' --lines 3
  mousetrap analyse --algorithm table --depth 14 --rules leiden
  mousetrap analyse --algorithm both:threshold=3 --depth 6 --rules tufts
  mousetrap analyse --nodes 1000000 --json"
)]
pub struct AnalyseArgs {
    /// The position as FEN; the start if left out
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    /// Think for this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time: Option<f64>,
    /// Search this many plies deep
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=190))]
    pub depth: Option<u32>,
    /// Search this many nodes
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Show the best K lines
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub lines: usize,
    /// How to search: champion, table, plain, ordering, split, both, sum, verified or guided
    #[arg(long, default_value = "champion", value_parser = algorithm)]
    pub algorithm: Algorithm,
    #[command(flatten)]
    pub set: SetArgs,
    /// Use no endgame tables
    #[arg(long)]
    pub no_tables: bool,
    /// How many threads search
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// The size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub hash: usize,
    /// Print one JSON object at the end, and nothing before
    #[arg(long)]
    pub json: bool,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    Champion,
    Exact,
    /// One of Burnett's players, or one derived from them.
    Published(players::Algorithm),
}

fn algorithm(text: &str) -> Result<Algorithm, String> {
    // Parameters may follow a colon, as they do in the names of players in a match.
    let (name, parameters) = text.split_once([':', ',']).unwrap_or((text, ""));
    match name {
        "champion" | "table" | "exact" if !parameters.is_empty() => {
            Err(format!("'{name}' has no parameters"))
        }
        "champion" => Ok(Algorithm::Champion),
        // It was called exact, as is what `match` calls sum.
        "table" | "exact" => Ok(Algorithm::Exact),
        _ => {
            let words = if parameters.is_empty() { "" } else { "," };
            let named = format!("{name}{words}{parameters}").parse();
            named
                .map(Algorithm::Published)
                .map_err(|error: players::ParseAlgorithmError| format!("{error} (or champion)"))
        }
    }
}

/// Reads a time in seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && (0.0..=1e7).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds, as in 2.5".to_owned()),
    }
}
