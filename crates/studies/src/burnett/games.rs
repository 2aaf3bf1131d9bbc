//! Games between Burnett's players: played if need be, then measured.
//!
//! Figures 19, 20 and 21 are different views of the same games, so the games lie in a folder of their own, by
//! players, effort, number and seed, and every figure can use the games of another.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use lab::contest::{Contest, ContestError};
use lab::record::{Archive, Document, RecordError};
use lab::schedule::Shard;
use serde::{Deserialize, Serialize};

use super::configuration::{BURNETT_GAMES, Configuration, Effort};
use super::{Measures, measure};
use crate::parameter::{optional_text, seconds};
use crate::{Context, StudyError};

/// What limits a move; without any, players search to their published depths.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct EffortParams {
    /// How many nodes a move may cost
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// How deep all players search; their published depths if no limit is given
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=30))]
    pub depth: Option<u32>,
    /// How many seconds a move may take
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time: Option<f64>,
}

impl EffortParams {
    /// The effort that was requested, or the published depths.
    pub fn effort(&self) -> Result<Effort, StudyError> {
        match (self.nodes, self.depth, self.time) {
            (Some(nodes), None, None) => Ok(Effort::Nodes(nodes)),
            (None, Some(depth), None) => Ok(Effort::Depth(depth)),
            (None, None, Some(seconds)) => seconds_a_move(seconds),
            (None, None, None) => Ok(Effort::PublishedDepth),
            _ => Err(StudyError::SeveralLimits),
        }
    }
}

/// This many seconds a move.
pub fn seconds_a_move(seconds: f64) -> Result<Effort, StudyError> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(Effort::Time(time)),
        _ => Err(StudyError::parameter(
            "time",
            format!("{seconds} is not a time for a move; try 0.1"),
        )),
    }
}

/// Which games, and where they are kept.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct GamesParams {
    /// How many games each configuration has
    #[arg(long, value_name = "N", default_value_t = BURNETT_GAMES)]
    pub games: u64,
    /// The seed of openings beyond the fortieth game
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Play one shard of several, as in 2/8
    #[arg(long, value_name = "I/N")]
    #[serde(with = "optional_text")]
    pub shard: Option<Shard>,
    /// Where games are kept and found again
    #[arg(long, value_name = "DIR", default_value = "results/games")]
    pub games_dir: PathBuf,
    /// Resume the games there, or use them if all are played
    #[arg(long)]
    pub resume: bool,
    /// How many games to play at a time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
}

impl Default for GamesParams {
    fn default() -> GamesParams {
        GamesParams {
            games: BURNETT_GAMES,
            seed: 1,
            shard: None,
            games_dir: "results/games".into(),
            resume: false,
            concurrency: 1,
        }
    }
}

/// A match that was played to the end.
pub struct Match {
    /// Who played.
    pub configuration: Configuration,
    /// The limit of a move.
    pub effort: Effort,
    /// The measurements of the games.
    pub measures: Measures,
    /// The commit of the program that began it.
    pub commit: String,
    /// Its games.
    pub archive: Archive,
}

/// Plays what has not been played and measures everything; `None` if only one shard was to be played.
pub fn play(
    params: &GamesParams,
    matches: &[(Configuration, Effort)],
    context: &mut Context<'_>,
) -> Result<Option<Vec<Match>>, StudyError> {
    let GamesParams { games, seed, .. } = *params;
    let folder_of = |configuration: Configuration, effort: Effort| {
        params.games_dir.join(configuration.folder(effort, games, seed))
    };
    // All parameters are checked before anything is played.
    for &(configuration, effort) in matches {
        complete(params, &folder_of(configuration, effort))?;
    }
    let mut played = Vec::new();
    for &(configuration, effort) in matches {
        let folder = folder_of(configuration, effort);
        let settings = configuration.settings(effort, games, seed)?;
        settings.check().map_err(ContestError::Settings)?;
        if !complete(params, &folder)? {
            context.progress.note(&format!("{configuration}, {effort}: {games} games"));
            let contest = Contest::new(settings.clone())?
                .concurrency(params.concurrency.into())
                .shard(params.shard)
                .stopped_by(context.stop.clone())
                .recorded_in(folder.clone(), params.resume, context.made_by.clone());
            contest.run(&mut *context.progress.contest(&settings)).map_err(exists)?;
        }
        if params.shard.is_some() {
            continue;
        }
        let archive = Archive::open(&folder)?;
        let (measures, commit) = (measure(&archive)?, commit(&archive.document));
        played.push(Match { configuration, effort, measures, commit, archive });
    }
    Ok(params.shard.is_none().then_some(played))
}

/// Whether all games are there, and may be used.
fn complete(params: &GamesParams, folder: &Path) -> Result<bool, StudyError> {
    let archive = match Archive::open(folder) {
        Ok(archive) => archive,
        Err(RecordError::Missing(_)) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let there = archive.games()?.len() as u64;
    if there == 0 || params.shard.is_some() {
        return Ok(false);
    }
    let folder = folder.to_owned();
    if !params.resume {
        return Err(StudyError::GamesThere(folder));
    }
    let has_parts = archive.paths.iter().any(|path| !path.ends_with("games.jsonl"));
    if there < params.games && has_parts {
        let missing = params.games - there;
        return Err(StudyError::PartsMissing { folder, missing, games: params.games });
    }
    Ok(there >= params.games)
}

fn commit(document: &Document) -> String {
    document.made_by.commit.clone().unwrap_or_else(|| "unknown".to_owned())
}

/// An existing record is a matter of these parameters.
fn exists(error: ContestError) -> StudyError {
    match error {
        ContestError::Record(RecordError::Exists(folder)) => StudyError::GamesThere(folder),
        error => error.into(),
    }
}
