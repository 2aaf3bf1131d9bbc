//! The command line of `mousetrap match`, `tournament` and `openings`, and the file that can
//! replace it.
//!
//! A file has the same keys as the command line; the command line takes precedence. So every
//! value is optional here, and the defaults come last.

use std::path::{Path, PathBuf};

use clap::Args;
use jungle::Rules;
use lab::players::KINDS;
use lab::players::burnett::PARAMETERS;
use lab::schedule::Shard;
use players::Interrupted;
use serde::{Deserialize, Deserializer};

use crate::cli::RulesArg;
use crate::failure::Failure;

/// The kinds of players, for the long help.
fn players() -> String {
    let mut text = String::from("Players (SPEC):");
    for kind in KINDS {
        text.push_str(&format!("\n  {:<42} {}", kind.usage, kind.summary));
    }
    text + "\n\n" + PARAMETERS + "\n\nThe parameters of escape: see `mousetrap escape --help`."
}

#[derive(Debug, Args)]
#[command(
    before_long_help = players(),
    after_help = "Games come in pairs from one opening with colours exchanged. With --sprt the match ends when
the test is decided. With --out, every finished game is kept at once, and --resume goes on
after a kill without playing a game twice; with nodes or depth as the limit, the same seed gives
the same games on any number of threads.

Examples:
  mousetrap match --a sparring:depth=4 --b greedy --games 100
  mousetrap match --a sparring --b 'uci:./engine --fast ; Hash=16' --nodes 2000 --concurrency 2
  mousetrap match --a sparring:depth=5 --b sparring:depth=4 --sprt 0,10 --out depth-5
  mousetrap match --a 'escape:local=power(2),global=step(0.03)' --b ordering --game-nodes 100000
  mousetrap match --a sparring:depth=5 --b sparring:depth=4 --sprt 0,10 --out depth-5 --resume"
)]
pub struct MatchArgs {
    /// A TOML file with the same keys as these options; options take precedence
    #[arg(value_name = "FILE.toml")]
    pub file: Option<PathBuf>,
    /// The first player (see --help for the kinds)
    #[arg(long, value_name = "SPEC")]
    pub a: Option<String>,
    /// The second player
    #[arg(long, value_name = "SPEC")]
    pub b: Option<String>,
    /// End the match by an SPRT (sequential probability ratio test): elo0,elo1 or elo0,elo1,alpha,beta
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// The Elo model of the SPRT: logistic or normalised
    #[arg(long, value_name = "MODEL")]
    pub sprt_model: Option<String>,
    #[command(flatten)]
    pub contest: ContestArgs,
}

#[derive(Debug, Args)]
#[command(
    before_long_help = players(),
    after_help = "Each two players play --games games against each other, in pairs with colours exchanged; all
play from the same openings.

Example:
  mousetrap tournament --players greedy --players random --players sparring:depth=2 --games 20"
)]
pub struct TournamentArgs {
    /// A TOML file with the same keys as these options; options take precedence
    #[arg(value_name = "FILE.toml")]
    pub file: Option<PathBuf>,
    /// A player; may be given several times (see --help for the kinds)
    #[arg(long, value_name = "SPEC")]
    pub players: Vec<String>,
    #[command(flatten)]
    pub contest: ContestArgs,
}

/// What matches and tournaments have in common.
#[derive(Debug, Default, Args)]
pub struct ContestArgs {
    /// The openings: start, burnett, burnett-removal, a file of FENs; generated from the seed if left out
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,
    /// How many games to play, at most (between each two players) [default: 100; with --sprt 20000]
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Node limit per move [default: 10000]
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<u64>,
    /// Node limit per side for a whole game; what one move saves is left for the next
    #[arg(long, value_name = "N", group = "limit")]
    pub game_nodes: Option<u64>,
    /// Depth limit, in plies
    #[arg(long, value_name = "D", group = "limit")]
    pub depth: Option<u32>,
    /// Time limit per move, in seconds
    #[arg(long, value_name = "S", group = "limit")]
    pub time: Option<f64>,
    /// Time control: base and increment in seconds, as in 10+0.1 (or 1:30+1)
    #[arg(long, value_name = "M+I", group = "limit")]
    pub tc: Option<String>,
    /// Concurrency: how many games to play at a time [default: 1]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<u16>,
    /// The rules, as in leiden,repetition=draw (see `mousetrap rules`) [default: standard]
    #[arg(long, value_name = "RULES")]
    pub rules: Option<Rules>,
    /// The random seed of openings and players [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Move limit: draw a game when each side has made this many moves [default: 200]
    #[arg(long, value_name = "N")]
    pub move_limit: Option<u32>,
    /// What a limit leaves of the depth it interrupts, for Burnett's players that do not say so themselves: nothing
    /// (discard), the root's best move so far (root), or all with static values (static) [default: discard]
    #[arg(long, value_name = "HOW")]
    pub interrupted: Option<Interrupted>,
    /// Adjudicate games by endgame tables
    #[arg(long)]
    pub tb: bool,
    /// The folder of tables, for --tb; $MOUSETRAP_TABLES or the user's data folder if left out
    #[arg(long, value_name = "DIR")]
    pub tb_dir: Option<PathBuf>,
    /// Time margin: how many seconds late a move may come, with --time and --tc [default: 0.2]
    #[arg(long, value_name = "S")]
    pub margin: Option<f64>,
    /// Timeout in seconds for a program without a time limit [default: 60]
    #[arg(long, value_name = "S")]
    pub timeout: Option<f64>,
    /// Keep the settings, every finished game, a PGN and the result in this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Resume the contest in --out
    #[arg(long)]
    pub resume: bool,
    /// Shard: play one of several parts, as in 2/8, into a common --out (see `mousetrap lab merge`)
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The contents of a file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    a: Option<String>,
    b: Option<String>,
    players: Option<Vec<String>>,
    sprt: Option<String>,
    sprt_model: Option<String>,
    openings: Option<String>,
    games: Option<u64>,
    nodes: Option<u64>,
    game_nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<f64>,
    tc: Option<String>,
    concurrency: Option<u16>,
    #[serde(default, deserialize_with = "rules")]
    rules: Option<Rules>,
    seed: Option<u64>,
    move_limit: Option<u32>,
    #[serde(default, deserialize_with = "interrupted")]
    interrupted: Option<Interrupted>,
    #[serde(default)]
    tb: bool,
    tb_dir: Option<PathBuf>,
    margin: Option<f64>,
    timeout: Option<f64>,
    out: Option<PathBuf>,
    #[serde(default)]
    resume: bool,
    #[serde(default)]
    json: bool,
}

fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rules>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

fn interrupted<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Interrupted>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

impl File {
    fn read(path: Option<&Path>) -> Result<File, Failure> {
        let Some(path) = path else { return Ok(File::default()) };
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::outside(format!("reading {}", path.display()), error))?;
        toml::from_str(&text).map_err(|error| Failure::input(path.display(), error))
    }
}

/// A contest as requested.
#[derive(Debug)]
pub struct Asked {
    pub players: Vec<String>,
    pub sprt: Option<String>,
    pub sprt_model: Option<String>,
    pub contest: ContestArgs,
}

impl MatchArgs {
    /// The command line and the file together.
    pub fn asked(self) -> Result<Asked, Failure> {
        let mut file = File::read(self.file.as_deref())?;
        let player = |name: &str, given: Option<String>, other: Option<String>| {
            given.or(other).ok_or_else(|| {
                Failure::Input(format!(
                    "the player {name} is missing; name it as in --{name} sparring:depth=3"
                ))
            })
        };
        if file.players.is_some() {
            return Err(Failure::Input(
                "a match is between a and b; for players use `mousetrap tournament`".to_owned(),
            ));
        }
        let players =
            vec![player("a", self.a, file.a.take())?, player("b", self.b, file.b.take())?];
        Ok(Asked {
            players,
            sprt: self.sprt.or(file.sprt.take()),
            sprt_model: self.sprt_model.or(file.sprt_model.take()),
            contest: self.contest.or(file),
        })
    }
}

impl TournamentArgs {
    /// The command line and the file together.
    pub fn asked(self) -> Result<Asked, Failure> {
        let mut file = File::read(self.file.as_deref())?;
        if file.a.is_some() || file.b.is_some() || file.sprt.is_some() {
            return Err(Failure::Input(
                "a tournament has players, not a, b and sprt; for those use `mousetrap match`"
                    .to_owned(),
            ));
        }
        let named = file.players.take().unwrap_or_default();
        let players = if self.players.is_empty() { named } else { self.players };
        Ok(Asked { players, sprt: None, sprt_model: None, contest: self.contest.or(file) })
    }
}

impl ContestArgs {
    fn or(self, file: File) -> ContestArgs {
        let limited = self.nodes.is_some()
            || self.game_nodes.is_some()
            || self.depth.is_some()
            || self.time.is_some()
            || self.tc.is_some();
        // A limit on the command line takes precedence over any limit in the file.
        let [file_nodes, file_depth] =
            [file.nodes, file.depth.map(u64::from)].map(|n| n.filter(|_| !limited));
        ContestArgs {
            openings: self.openings.or(file.openings),
            games: self.games.or(file.games),
            nodes: self.nodes.or(file_nodes),
            game_nodes: self.game_nodes.or(file.game_nodes.filter(|_| !limited)),
            depth: self.depth.or(file_depth.map(|depth| depth as u32)),
            time: self.time.or(file.time.filter(|_| !limited)),
            tc: self.tc.or(file.tc.filter(|_| !limited)),
            concurrency: self.concurrency.or(file.concurrency),
            rules: self.rules.or(file.rules),
            seed: self.seed.or(file.seed),
            move_limit: self.move_limit.or(file.move_limit),
            interrupted: self.interrupted.or(file.interrupted),
            tb: self.tb || file.tb,
            tb_dir: self.tb_dir.or(file.tb_dir),
            margin: self.margin.or(file.margin),
            timeout: self.timeout.or(file.timeout),
            out: self.out.or(file.out),
            resume: self.resume || file.resume,
            shard: self.shard,
            json: self.json || file.json,
        }
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "Positions after random plies, no two images of each other under mirroring and exchange of
colours, and none in which a shallow search finds a side better off by a piece. The same seed
gives the same positions.

Example:
  mousetrap openings --count 500 --plies 8 --seed 1 --out book.epd"
)]
pub struct OpeningsArgs {
    /// How many positions
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub count: u64,
    /// How many random plies
    #[arg(long, value_name = "P", default_value_t = lab::openings::DEFAULT_PLIES,
          value_parser = clap::value_parser!(u32).range(1..=200))]
    pub plies: u32,
    /// The random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub rules: RulesArg,
    /// Write to this file
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
