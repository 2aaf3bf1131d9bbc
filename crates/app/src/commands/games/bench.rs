//! `mousetrap games bench`: how quickly games are kept and found.

use std::io::Write;
use std::time::{Duration, Instant};

use answers::games::{Explorer, Shelves};
use game::rng::Rng;
use jungle::pgn::GameRecord;
use jungle::{Jungle, Play, Rules};
use library::{Filter, Import, Located, Page, Source, Sqlite, Store, import};
use serde::Serialize;

use super::args::BenchArgs;
use super::outside;
use crate::failure::Failure;
use crate::output::Output;

/// What was measured, in milliseconds.
#[derive(Debug, Serialize)]
struct Measured {
    games: u32,
    plies: usize,
    bytes: u64,
    import: f64,
    /// Games in which a position occurred, with the first page of them.
    find_median: f64,
    find_slowest: f64,
    /// The explorer: all moves, how often, and how they scored.
    explore_median: f64,
    explore_slowest: f64,
}

/// A random game.
fn random_game(seed: u64) -> Play {
    let mut rng = Rng::new(seed);
    let mut play = Play::start(Jungle::new(Rules::STANDARD));
    while play.ending().is_none() && play.moves().len() < 150 {
        let moves = play.legal_moves();
        let Some(&mv) = rng.choose(&moves) else { break };
        if play.play(mv).is_err() {
            break;
        }
    }
    play
}

pub fn run(args: &BenchArgs, output: &mut Output) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::outside("making a folder", error))?;
    let path = folder.path().join("games.sqlite");
    let store = Sqlite::new(&path);
    let games: Vec<Play> = (0..args.games.into()).map(random_game).collect();
    let plies = games.iter().map(|play| play.moves().len()).sum();
    let text: String =
        games.iter().map(|play| format!("{}\n", GameRecord::from_play(play))).collect();
    let begun = Instant::now();
    let how = Import::new(Source::Imported);
    let report = import(&store, text.as_bytes(), &how, &mut |_| {}).map_err(outside)?;
    let imported = begun.elapsed();
    let mut rng = Rng::new(1);
    let (mut finds, mut explores) = (Vec::new(), Vec::new());
    for _ in 0..args.questions {
        // Shallow positions, which many games share, as well as deep ones.
        let Some(game) = rng.choose(&games) else { break };
        let is_shallow = rng.below(2) == 0;
        let depth = rng.below(if is_shallow { 4 } else { game.moves().len() + 1 });
        let mut play = Play::start(Jungle::new(Rules::STANDARD));
        for mv in game.moves().iter().take(depth) {
            if play.play(*mv).is_err() {
                break;
            }
        }
        let key = Located::of(play.position()).key();
        let begun = Instant::now();
        let filter = Filter { position: Some(key), ..Filter::default() };
        let found = store.find(&filter, Page::default()).map_err(outside)?;
        finds.push(begun.elapsed());
        let begun = Instant::now();
        let shelves = Shelves { store: &store, book: &|| None };
        let explored = Explorer::of(shelves, &play, Source::Imported).map_err(super::failure)?;
        explores.push(begun.elapsed());
        if found.total != explored.games || found.total == 0 {
            return Err(Failure::Outside(
                "a bug: a position that occurred was not found".to_owned(),
            ));
        }
    }
    let bytes = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
    let ((find_median, find_slowest), (explore_median, explore_slowest)) =
        (spread(finds), spread(explores));
    let measured = Measured {
        games: args.games,
        plies,
        bytes,
        import: milliseconds(imported),
        find_median,
        find_slowest,
        explore_median,
        explore_slowest,
    };
    if args.json {
        return output.json(&measured);
    }
    writeln!(
        output,
        "{} games of {} plies on average imported in {:.0} ms ({:.1} MB on the disk; {} were new)\n\
         find a position:    median {:.2} ms, slowest {:.2} ms\n\
         explore a position: median {:.2} ms, slowest {:.2} ms",
        measured.games,
        plies / games.len().max(1),
        measured.import,
        bytes as f64 / 1e6,
        report.added,
        measured.find_median,
        measured.find_slowest,
        measured.explore_median,
        measured.explore_slowest
    )?;
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The median and the slowest.
fn spread(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let at = |index: usize| times.get(index).map_or(0.0, |time| milliseconds(*time));
    (at(times.len() / 2), at(times.len().saturating_sub(1)))
}
