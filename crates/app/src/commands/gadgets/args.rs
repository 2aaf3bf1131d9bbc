//! The arguments of `mousetrap gadgets`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use jungle::Rules;
use jungle::picture::PieceSet;

#[derive(Debug, Args)]
pub struct GadgetsArgs {
    /// What to do
    #[command(subcommand)]
    pub command: GadgetsCommand,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum GadgetsCommand {
    /// List the gadgets: as published, mended, composed
    List(ListArgs),
    /// Show a gadget, or a generalised board from a file: as text, SVG or PNG
    Show(ShowArgs),
    /// Verify the claims and contracts of gadgets by solving local games, with lines of play
    Verify(VerifyArgs),
    /// Count what the published protector lets back
    Protector(ProtectorArgs),
    /// Compile a positive formula into a board
    Compile(CompileArgs),
    /// Play a formula's board: the winning side by its strategy, the other as asked
    Play(PlayArgs),
    /// Solve a formula's whole board, with nothing assumed about gadgets
    Solve(SolveArgs),
    /// Play random formulas, both sides first, and count what the strategies lose
    Trial(TrialArgs),
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A board file holds rows of squares: ~ water, . land, w b traps, A B dens of White
and Black, R C W D P T L E White's pieces, r c f d p t l e Black's (f is Black's wolf).
After the rows: 'turn black', and 'under c3 w' for the terrain under a piece.

Examples:
  mousetrap gadgets show and
  mousetrap gadgets show mended-relay --svg relay.svg
  mousetrap gadgets show my-board.txt --png board.png"
)]
pub struct ShowArgs {
    /// The name of a gadget (see `gadgets list`), or a file with a board
    #[arg(value_name = "NAME|FILE")]
    pub what: String,
    /// Write a picture as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a picture as PNG
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// How the pieces look
    #[arg(long, value_name = "animals|hanzi", default_value = "animals")]
    pub pieces: PieceSet,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The rules of a generalised board.
#[derive(Clone, Copy, Debug, Args)]
pub struct BoardRulesArgs {
    /// The rules; those of the paper if left out
    #[arg(long, value_name = "RULES", default_value = "leiden")]
    pub rules: Rules,
    /// The strength with which a piece in an enemy trap takes: its full one, or zero
    #[arg(long, value_enum, default_value = "full")]
    pub trapped: TrappedArg,
}

/// The strength of a trapped piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TrappedArg {
    /// Its own
    Full,
    /// None: it takes only what is trapped itself
    Zero,
}

/// Which gadgets to verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Which {
    /// The mended set
    Mended,
    /// The published drawings
    Published,
    /// Both
    All,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The mended set takes under a minute. Some of the published claims have tens of millions
of states and take minutes and some gigabytes; --limit leaves those undecided.

Examples:
  mousetrap gadgets verify
  mousetrap gadgets verify mended-relay --lines
  mousetrap gadgets verify --set all --limit 20000000
  mousetrap gadgets verify fanout --repair"
)]
pub struct VerifyArgs {
    /// Only these gadgets
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Which set, when no gadget is named
    #[arg(long, value_enum, default_value = "mended")]
    pub set: Which,
    /// Leave a claim undecided when it has more states
    #[arg(long, value_name = "STATES", default_value_t = 10_000_000,
          value_parser = clap::value_parser!(u64).range(1..=200_000_000))]
    pub limit: u64,
    #[command(flatten)]
    pub rules: BoardRulesArgs,
    /// Show the line of play of every claim, not only of those that fail
    #[arg(long)]
    pub lines: bool,
    /// Repair: search small changes of the named gadget for one whose claims all hold
    #[arg(long, visible_alias = "mend", requires = "names")]
    pub repair: bool,
    /// How many squares the search may change
    #[arg(long, value_name = "N", default_value_t = 1, requires = "repair",
          value_parser = clap::value_parser!(u8).range(1..=2))]
    pub changes: u8,
    /// Print one JSON object per claim
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "FORMULA is positive, in conjunctive form: '(x | y) & (x | z | w)', or a file with such a
formula or with DIMACS: 'p cnf 4 2', then clauses of positive numbers, each ended by 0.

Examples:
  mousetrap gadgets compile '(x | y) & (x | z | w)' --svg board.svg
  mousetrap gadgets compile formula.cnf --text board.txt
  mousetrap gadgets compile 'x & y' --walking --text board.txt
  mousetrap gadgets compile --curve"
)]
pub struct CompileArgs {
    /// A formula, or a file with one
    #[arg(value_name = "FORMULA", required_unless_present = "curve")]
    pub formula: Option<String>,
    /// Write the board as SVG, gadgets labelled
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the board as PNG
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Write the board as text
    #[arg(long, value_name = "FILE")]
    pub text: Option<PathBuf>,
    /// Print how boards grow, up to 12 variables and 20 clauses
    #[arg(long, conflicts_with = "formula")]
    pub curve: bool,
    /// Use stepping stones: no leap is longer than three squares of water
    #[arg(long)]
    pub stepping: bool,
    /// Use the published gadgets, on which panthers walk: for formulas whose variables occur once, or twice in a row
    #[arg(long, conflicts_with_all = ["stepping", "curve"])]
    pub walking: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "For so many panthers below a BLACK EDGE and so many above it, how many White can bring to its lower
side, and whether the edge is left as it was found; then, with a count that gives White every doubtful case, whether chains leak.
With three panthers, also what OUTFLOW and AND do with more than they were made for; then the contracts of all published
gadgets, whole protectors against every play of White, and games on boards on which panthers walk.

Examples:
  mousetrap gadgets protector --trapped zero
  mousetrap gadgets protector --edges 2 --panthers 2"
)]
pub struct ProtectorArgs {
    /// How many panthers at most
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u8).range(1..=4))]
    pub panthers: u8,
    /// Solve chains of up to so many edges exactly
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u8).range(1..=3))]
    pub edges: u8,
    /// Leave a game undecided when it has more states
    #[arg(long, value_name = "STATES", default_value_t = 10_000_000,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub limit: u64,
    #[command(flatten)]
    pub rules: BoardRulesArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How the side without a strategy plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Against {
    /// Takes what it can, else runs
    Greedy,
    /// Any legal move
    Random,
    /// Plays ahead against the strategy and looks for holes in it
    Search,
}

/// Who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum First {
    /// White, as in the formula game
    White,
    /// Black
    Black,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The winner of the formula game plays by strategy: White takes his variables and brings a
signal to Black's den; Black takes his, holds every gadget, and runs to White's den.

Examples:
  mousetrap gadgets play '(x | y) & (x | z | w)'
  mousetrap gadgets play 'x & y' --adversary random --seed 7 --moves
  mousetrap gadgets play '(x | y) & z' --first black --adversary search"
)]
pub struct PlayArgs {
    /// A formula, or a file with one
    #[arg(value_name = "FORMULA")]
    pub formula: String,
    /// How the other side plays
    #[arg(long, visible_alias = "against", value_enum, default_value = "greedy")]
    pub adversary: Against,
    /// Who moves first
    #[arg(long, value_enum, default_value = "white")]
    pub first: First,
    /// The seed of the other side's choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Use stepping stones: no leap is longer than three squares of water
    #[arg(long)]
    pub stepping: bool,
    /// Show every move
    #[arg(long)]
    pub moves: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Lists every position that can be reached and works backwards from the dens. Positions are counted one by
one; what takes memory, about 150 bytes each, are arrangements of the pieces that can meet.

Examples:
  mousetrap gadgets solve 'x & y'
  mousetrap gadgets solve '(x | y) & z' --first black --json"
)]
pub struct SolveArgs {
    /// A formula, or a file with one
    #[arg(value_name = "FORMULA")]
    pub formula: String,
    /// Who moves first
    #[arg(long, value_enum, default_value = "white")]
    pub first: First,
    /// Give up when there are more arrangements
    #[arg(long, value_name = "N", default_value_t = 40_000_000,
          value_parser = clap::value_parser!(u64).range(1..=500_000_000))]
    pub limit: u64,
    #[command(flatten)]
    pub rules: BoardRulesArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Every formula is played twice, White first and Black first; the winner of the formula game plays by
strategy. A game that he does not win, or in which a contract is broken, is printed.

Examples:
  mousetrap gadgets trial
  mousetrap gadgets trial --formulas 100 --adversary random --seed 3"
)]
pub struct TrialArgs {
    /// How many formulas
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub formulas: u32,
    /// The most variables of a formula
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u8).range(1..=14))]
    pub variables: u8,
    /// The most clauses of a formula
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u8).range(1..))]
    pub clauses: u8,
    /// How the side without a strategy plays
    #[arg(long, value_enum, default_value = "search")]
    pub adversary: Against,
    /// Everything random follows from this
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub rules: BoardRulesArgs,
    /// Use stepping stones: no leap is longer than three squares of water
    #[arg(long)]
    pub stepping: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
