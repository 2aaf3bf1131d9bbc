//! The command line of `mousetrap escape`.

use std::path::PathBuf;

use clap::Args;
use search::escape::Curve;

use crate::cli::RulesArg;

#[derive(Debug, Args)]
#[command(
    after_help = "The search of Krad and Petrakos: best first, by a score and what has been spent on it. An escape
function (CURVE) says how good a score has to be, from 1 (a win) when nothing is spent to -1
(anything) when all is:
  step(T)        1 up to the share T, -1 beyond
  linear         a straight line; linear(A,B) falls between the shares A and B
  power(K)       1 - 2x^K: late for K above 1, at once below
  sigmoid(M,K)   logistic around the share M with steepness K
  file(PATH)     straight lines between points, a line 'share score' each
  never          1 throughout
The local one decides which child is searched next, the global one when to move.

Examples:
  mousetrap escape --explain
  mousetrap escape '7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w' --explain --svg tree.svg
  mousetrap escape --local 'power(2)' --global 'linear(0,0.1)' --left 50000 --json
  mousetrap escape --published
  mousetrap match --a 'escape:local=power(2)' --b ordering --game-nodes 100000"
)]
pub struct EscapeArgs {
    /// The position as FEN; the start if left out
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub rules: RulesArg,
    /// The local escape function
    #[arg(long, value_name = "CURVE", default_value = "power(2)")]
    pub local: Curve,
    /// The global escape function
    #[arg(long, value_name = "CURVE", default_value = "step(0.0222)")]
    pub global: Curve,
    /// Other settings, as in scale=half(500),expand=1,depth=8,memory=100000,solving=conjunction
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "")]
    pub set: String,
    /// How many nodes are left for the rest of the game
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub left: u64,
    /// How many nodes this move may cost at most; all that are left if left out
    #[arg(long, value_name = "N")]
    pub most: Option<u64>,
    /// Show the tree that grew, why candidates escaped, and what was spent
    #[arg(long)]
    pub explain: bool,
    /// explain: how many steps of the search to show
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub steps: usize,
    /// explain: how many plies of the tree to show
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..=12))]
    pub plies: u32,
    /// explain: how many children of a node to show, those that took most
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..=20))]
    pub children: u32,
    /// Draw the tree and the budget curve
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Show the paper's own example step by step instead
    #[arg(long, conflicts_with_all = ["fen", "explain", "svg", "json"])]
    pub published: bool,
}
