//! Games between the thesis' players: played if need be, then measured.
//!
//! Figures 19, 20 and 21 are different views of the same games, so the games lie in a folder of their own, by
//! players, effort, number and seed, and every figure can use what another has had played.

use std::path::{Path, PathBuf};

use lab::contest::{Contest, ContestError};
use lab::record::{self, Document, RecordError};
use lab::thesis::{Configuration, Effort, Measures, THESIS_GAMES, measure};

use crate::cli::ReproArgs;
use crate::commands::contest::progress::Progress;
use crate::commands::contest::{program, record_failure};
use crate::failure::Failure;

/// A match that was played to the end.
pub struct Match {
    pub configuration: Configuration,
    pub effort: Effort,
    pub measures: Measures,
    /// The commit of the program that began it.
    pub commit: String,
    /// Its records.
    pub paths: Vec<PathBuf>,
}

/// The effort that was asked for, or the published depths.
pub fn effort(args: &ReproArgs) -> Result<Effort, Failure> {
    match (args.budget(), args.depth, args.time) {
        (Some(nodes), None, None) => Ok(Effort::Nodes(nodes)),
        (None, Some(depth), None) => Ok(Effort::Depth(depth)),
        (None, None, Some(seconds)) => seconds_a_move(seconds),
        (None, None, None) => Ok(Effort::PublishedDepth),
        _ => Err(several()),
    }
}

/// More than one limit was given.
pub fn several() -> Failure {
    Failure::Input("give one limit: --nodes, --depth or --time".to_owned())
}

/// So many seconds a move.
pub fn seconds_a_move(seconds: f64) -> Result<Effort, Failure> {
    match std::time::Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(Effort::Time(time)),
        _ => Err(Failure::Input(format!("--time {seconds}: a move takes time; try 0.1"))),
    }
}

/// How many games each configuration has.
pub fn games(args: &ReproArgs) -> u64 {
    args.games.unwrap_or(THESIS_GAMES)
}

/// Plays what has not been played and measures everything; nothing if only one part was to be played.
pub fn play(
    args: &ReproArgs,
    matches: &[(Configuration, Effort)],
) -> Result<Option<Vec<Match>>, Failure> {
    let games = games(args);
    let folder_of = |configuration: Configuration, effort: Effort| {
        args.games_dir.join(configuration.folder(effort, games, args.seed))
    };
    // Whatever is wrong is said before anything is played.
    for &(configuration, effort) in matches {
        complete(args, &folder_of(configuration, effort), games)?;
    }
    let mut played = Vec::new();
    for &(configuration, effort) in matches {
        let folder = folder_of(configuration, effort);
        let settings = configuration
            .settings(effort, games, args.seed)
            .map_err(|error| Failure::Input(error.to_string()))?;
        settings.check().map_err(|error| Failure::Input(error.to_string()))?;
        if !complete(args, &folder, games)? {
            anstream::eprintln!("{configuration}, {effort}: {games} games");
            let mut progress = Progress::new(&settings);
            let contest = Contest::new(settings)
                .map_err(|error| Failure::Input(error.to_string()))?
                .concurrency(args.concurrency.into())
                .shard(args.shard)
                .recorded_in(folder.clone(), args.resume, program::made_by());
            let result = contest.run(&mut progress);
            progress.finish();
            result.map_err(failure)?;
        }
        if args.shard.is_some() {
            continue;
        }
        let (document, paths) = record::records(&folder).map_err(record_failure)?;
        let measures = measure(&document, &paths).map_err(record_failure)?;
        let commit = commit(&document);
        played.push(Match { configuration, effort, measures, commit, paths });
    }
    let Some(shard) = args.shard else { return Ok(Some(played)) };
    anstream::eprintln!(
        "part {shard} is played; when all parts are, run the command with --resume and without --shard"
    );
    Ok(None)
}

/// Whether all games are there, and may be used.
fn complete(args: &ReproArgs, folder: &Path, games: u64) -> Result<bool, Failure> {
    let (_, paths) = match record::records(folder) {
        Ok(records) => records,
        Err(RecordError::Missing(_)) => return Ok(false),
        Err(error) => return Err(record_failure(error)),
    };
    let there = record::read_games(&paths).map_err(record_failure)?.len() as u64;
    if there == 0 || args.shard.is_some() {
        return Ok(false);
    }
    if !args.resume {
        return Err(Failure::Input(format!(
            "{} has {there} games already; add --resume to use them, or choose another --games-dir",
            folder.display()
        )));
    }
    let has_parts = paths.iter().any(|path| !path.ends_with("games.jsonl"));
    if there < games && has_parts {
        return Err(Failure::Input(format!(
            "{} of {games} games are missing in {}: play the other parts with --shard",
            games - there,
            folder.display()
        )));
    }
    Ok(there >= games)
}

fn commit(document: &Document) -> String {
    document.made_by.commit.clone().unwrap_or_else(|| "unknown".to_owned())
}

fn failure(error: ContestError) -> Failure {
    match error {
        ContestError::Record(RecordError::Exists(path)) => Failure::Input(format!(
            "{} is there already; add --resume to go on with it, or choose another --games-dir",
            path.display()
        )),
        ContestError::Record(error) => record_failure(error),
        error => Failure::Input(error.to_string()),
    }
}
