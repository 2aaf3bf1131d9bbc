//! `mousetrap datagen`: games of the engine with itself, as data for training.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::Args;
use lab::schedule::Shard;
use serde::Serialize;
use training::{Description, GameFile, SelfPlay};

use crate::cli::RulesArg;
use crate::commands::tb::args::SetArgs;
use crate::commands::tb::set::Set;
use crate::commands::tune::{bar, games_failure, read_network, read_weights};
use crate::failure::Failure;
use crate::output::Output;

/// How long to wait between two lines where there is no terminal.
const QUIET: Duration = Duration::from_secs(60);

#[derive(Debug, Args)]
#[command(
    after_help = "The engine plays itself to win, at a fixed number of nodes a move, from random moves after the start, after
fewer pieces and after random placements, in half of the games with wolf and dog exchanged. Kept are all positions with
the score of the search (less the bonus for advancing), whether they are quiet, and the result: three bytes a
position, in a format that docs/training-data.md describes for other programs.

A game follows from its number and these options. Games that the folder holds are not played again, so an interrupted
run carries on; several machines divide the games with --shard.

Examples:
  mousetrap datagen --out data --games 1000000 --nodes 800 --tb --threads 2
  mousetrap datagen --out data --games 1000000 --nodes 800 --shard 3/64"
)]
pub struct DatagenArgs {
    /// The folder for the games
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// How many games to have, in all shards
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub games: u64,
    /// How many nodes a move
    #[arg(long, value_name = "N", default_value_t = 1500,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The first game's number; other numbers are other games
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Shard: play one of several parts, as in 2/8, into a file of its own
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: Shard,
    /// The weights of the features, as tuning wrote them; those in use if left out
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// The network that corrects them, as `mousetrap train` wrote it, or none; the usual one if neither is given
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// End games when endgame tables know their outcome
    #[arg(long)]
    pub tb: bool,
    /// The folder of tables, for --tb; $MOUSETRAP_TABLES or the user's data folder if left out
    #[arg(long, value_name = "DIR", requires = "tb")]
    pub tb_dir: Option<PathBuf>,
    /// How many threads play
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    #[command(flatten)]
    pub rules: RulesArg,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What a run came to.
#[derive(Serialize)]
struct Made {
    /// The file of games.
    file: PathBuf,
    /// Games in it.
    games: usize,
    /// Their positions.
    positions: u64,
    /// Games played now.
    played: usize,
    /// Positions of these a second.
    positions_per_second: f64,
    /// The size of the file.
    bytes: u64,
}

pub fn run(args: &DatagenArgs, output: &mut Output) -> Result<(), Failure> {
    let tables = if args.tb {
        let rules = args.rules.clone();
        Some(Set::open(&SetArgs { rules, dir: args.tb_dir.clone() })?.tablebase().clone())
    } else {
        None
    };
    let weights = args.weights.as_ref().map(read_weights).transpose()?;
    let network = args.network.as_ref().map(read_network).transpose()?.unwrap_or_default();
    let how = SelfPlay { rules: args.rules.rules, nodes: args.nodes, weights, network, tables };
    std::fs::create_dir_all(&args.out)
        .map_err(|error| Failure::outside(format!("making {}", args.out.display()), error))?;
    let Shard { index, of } = args.shard;
    let path = args.out.join(format!("games-{index}-of-{of}.mtg"));
    let mut file = GameFile::open(&path, &Description::of(&how)).map_err(games_failure)?;
    let numbers = args.seed..args.seed.saturating_add(args.games);
    let wanted = file.missing(numbers.filter(|&number| number % of == index - 1));
    let before = file.positions();
    let progress = Progress::new(wanted.len() as u64);
    let never = AtomicBool::new(false);
    let played = file.play(&wanted, &how, args.threads.into(), &never, |plies| progress.add(plies));
    progress.bar.finish_and_clear();
    played.map_err(games_failure)?;
    let seconds = progress.start.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(&path).map_or(0, |data| data.len());
    let made = Made {
        games: file.len(),
        positions: file.positions(),
        played: wanted.len(),
        positions_per_second: (file.positions() - before) as f64 / seconds.max(1e-9),
        bytes,
        file: path,
    };
    if args.json {
        return output.json(&made);
    }
    let Made { games, positions, played, positions_per_second, bytes, file } = made;
    writeln!(
        output,
        "{positions} positions of {games} games in {}, {bytes} bytes; {played} games played now, \
         {positions_per_second:.0} positions a second",
        file.display()
    )?;
    Ok(())
}

/// A bar on a terminal, elsewhere a line now and then.
struct Progress {
    bar: indicatif::ProgressBar,
    start: Instant,
    positions: AtomicU64,
    shown: Mutex<Instant>,
}

impl Progress {
    fn new(games: u64) -> Progress {
        let (bar, start) = (bar(games, "games"), Instant::now());
        Progress { bar, start, positions: AtomicU64::new(0), shown: Mutex::new(start) }
    }

    fn add(&self, plies: usize) {
        self.bar.inc(1);
        let positions = self.positions.fetch_add(plies as u64, Relaxed) + plies as u64;
        if std::io::stderr().is_terminal() {
            return;
        }
        if let Ok(mut shown) = self.shown.try_lock()
            && shown.elapsed() >= QUIET
        {
            *shown = Instant::now();
            let rate = positions as f64 / self.start.elapsed().as_secs_f64();
            let (games, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            anstream::eprintln!("{games} of {all} games, {rate:.0} positions a second");
        }
    }
}
