//! The endgame tables, and asking them.
//!
//! Sets are opened when first asked for and kept, but only so many: rules can be combined in more ways
//! than there is room for. The small tables of the presets are built in the background when the server
//! starts; nothing is built because a client asks.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use game::truth::Truth;
use jungle::{Jungle, Position, Rules};
use serde::Serialize;
use tablebase::build::ensure_small;
use tablebase::storage::Memory;
use tablebase::{Line, LineError, ProbeError, Set, Tablebase, set_folder};
use utoipa::ToSchema;

use crate::Shared;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{GameQuery, Query};
use crate::moves::{self, EndingBody};

/// How many sets are kept open.
const MOST_SETS: usize = 16;

/// The sets of tables in a folder.
pub struct Tables {
    folder: PathBuf,
    open: Mutex<HashMap<Rules, Arc<Tablebase>>>,
}

impl Tables {
    /// Tables are in folders below this one, named after their rules.
    pub fn new(folder: impl Into<PathBuf>) -> Tables {
        Tables { folder: folder.into(), open: Mutex::default() }
    }

    /// Builds the small tables of every preset, if they are not there. That takes a few seconds; the
    /// failures are given back, since a server without tables is still of use.
    pub fn prepare(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for preset in Rules::PRESETS {
            let folder = set_folder(&self.folder, &preset.rules);
            if let Err(error) = ensure_small(&preset.rules, &folder) {
                failures.push(error.to_string());
            }
            // What was opened while tables were missing is looked at afresh.
            self.lock().clear();
        }
        failures
    }

    /// The set for these rules; one whose folder cannot be read is taken to be empty.
    pub fn set(&self, rules: &Rules) -> Arc<Tablebase> {
        let mut open = self.lock();
        if let Some(set) = open.get(rules) {
            return Arc::clone(set);
        }
        if open.len() >= MOST_SETS {
            open.clear();
        }
        let set = match Set::open(rules, set_folder(&self.folder, rules)) {
            Ok(set) => Arc::clone(set.tablebase()),
            Err(_) => Arc::new(Tablebase::new(rules, 0, Memory::default())),
        };
        open.insert(*rules, Arc::clone(&set));
        set
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Rules, Arc<Tablebase>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the tables say.
#[derive(Debug, Serialize, ToSchema)]
pub struct Probed {
    /// The position.
    pub fen: String,
    /// For the side to move: `win`, `draw` or `loss`.
    pub outcome: &'static str,
    /// In so many plies, unless it is a draw.
    pub plies: Option<u32>,
    /// All moves, best first.
    pub moves: Vec<ProbedRow>,
}

/// What a move achieves.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProbedRow {
    /// Coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form.
    pub san: String,
    /// For the side that makes it: `win`, `draw` or `loss`.
    pub outcome: &'static str,
    /// In so many plies, this move included, unless it is a draw.
    pub plies: Option<u32>,
}

/// Best play to the end.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProbedLine {
    /// Where it begins.
    pub fen: String,
    /// For the side to move: `win`, `draw` or `loss`.
    pub outcome: &'static str,
    /// In so many plies, unless it is a draw.
    pub plies: Option<u32>,
    /// The moves to the end; none for a draw.
    pub moves: Vec<String>,
    /// The same in the papers' form.
    pub san: Vec<String>,
    /// How the game ends; not for a draw that goes on.
    pub ending: Option<EndingBody>,
}

/// A value as its two keys.
fn keys(value: Truth) -> (&'static str, Option<u32>) {
    match value {
        Truth::Win(plies) => ("win", Some(plies)),
        Truth::Draw => ("draw", None),
        Truth::Loss(plies) => ("loss", Some(plies)),
    }
}

/// A failed lookup: tables that are not there are not found, tables that are broken are our fault.
pub(crate) fn failed(error: &ProbeError) -> ApiError {
    let advised = || match error.remedy() {
        Some(remedy) => format!("{error}; {remedy}"),
        None => error.to_string(),
    };
    match error {
        ProbeError::TooManyPieces { .. } => ApiError::missing("too-many-pieces", advised()),
        ProbeError::MissingTable { .. } => ApiError::missing("missing-table", advised()),
        ProbeError::CorruptTable { .. } | ProbeError::Unreadable { .. } => {
            ApiError::internal(advised())
        }
    }
}

/// Look up a position
///
/// The truth about a position and all its moves, where the endgame tables reach; 404 where they do not.
/// Repetition and move limits are not considered.
#[utoipa::path(get, path = "/api/tablebase", tag = "truth", params(GameQuery),
    responses((status = 200, body = Probed), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody)))]
pub async fn probe(
    State(shared): State<Shared>,
    Query(query): Query<GameQuery>,
) -> Result<Json<Probed>, ApiError> {
    let play = query.play()?;
    let set = shared.tables.set(play.jungle().rules());
    Ok(Json(look_up(&set, play.jungle(), play.position())?))
}

fn look_up(set: &Tablebase, jungle: &Jungle, position: &Position) -> Result<Probed, ApiError> {
    let probed = set.probe_position(position).map_err(|error| failed(&error))?;
    let (outcome, plies) = keys(probed.value);
    let row = |probed: &tablebase::ProbedMove| {
        let (outcome, plies) = keys(probed.value);
        let san = moves::san(jungle, position, probed.mv);
        ProbedRow { mv: probed.mv.to_string(), san, outcome, plies }
    };
    let moves = probed.moves.iter().map(row).collect();
    Ok(Probed { fen: position.to_string(), outcome, plies, moves })
}

/// Play a position out
///
/// The moves to the end of the game with best play by both sides: the quickest win, the longest defence.
#[utoipa::path(get, path = "/api/tablebase/line", tag = "truth", params(GameQuery),
    responses((status = 200, body = ProbedLine), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody)))]
pub async fn play_out(
    State(shared): State<Shared>,
    Query(query): Query<GameQuery>,
) -> Result<Json<ProbedLine>, ApiError> {
    let play = query.play()?;
    let (jungle, start) = (play.jungle(), play.position());
    let set = shared.tables.set(jungle.rules());
    let Line { value, moves: played, last } = set.line(start).map_err(|error| match error {
        LineError::Probe(error) => failed(&error),
        error @ LineError::Contradiction { .. } => ApiError::internal(error),
    })?;
    let (outcome, plies) = keys(value);
    let (moves, san) = moves::line(jungle, start, &played);
    let ending = jungle.ending(&last).map(moves::ending);
    Ok(Json(ProbedLine { fen: start.to_string(), outcome, plies, moves, san, ending }))
}
