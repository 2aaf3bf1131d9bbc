//! The endgame tables, and probing them.
//!
//! Sets are opened when first needed and kept, up to a limit: rules can be combined in more ways
//! than there is room for. The small tables of the presets are built in the background when the server
//! starts; others when somebody asks who may, see [`builds`](crate::builds). Opening and probing is work for a
//! [`Queue`](crate::queue::Queue).

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use answers::{GameRequest, Line, Probe, Refusal};
use axum::Json;
use axum::extract::State;
use jungle::Rules;
use tablebase::build::ensure_small;
use tablebase::{Budget, Set, Tablebase, set_folder};

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;

/// How many sets are kept open.
const MOST_SETS: usize = 16;
/// How many bytes of table files all sets together keep in memory: what a few classes of five pieces take.
const MEMORY: u64 = 256 << 20;

/// The sets of tables in a folder.
pub struct Tables {
    folder: PathBuf,
    /// Of all sets together, those that an engine still holds included.
    budget: Arc<Budget>,
    open: Mutex<HashMap<Rules, Arc<Tablebase>>>,
}

impl Tables {
    /// Tables are in folders below this one, named after their rules.
    pub fn new(folder: impl Into<PathBuf>) -> Tables {
        Tables::within(folder, MEMORY)
    }

    fn within(folder: impl Into<PathBuf>, memory: u64) -> Tables {
        let budget = Arc::new(Budget::new(memory));
        Tables { folder: folder.into(), budget, open: Mutex::default() }
    }

    /// Builds the small tables of every preset, if they are not there. That takes a few seconds; the
    /// failures are returned, since a server without tables is still useful.
    pub fn prepare(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for preset in Rules::PRESETS {
            let folder = set_folder(&self.folder, &preset.rules);
            if let Err(error) = ensure_small(&preset.rules, &folder) {
                failures.push(error.to_string());
            }
            // Sets opened while tables were missing are opened again.
            self.lock().clear();
        }
        failures
    }

    /// Opens all sets again when they are next needed, as after tables were added or replaced.
    pub fn reload(&self) {
        self.lock().clear();
    }

    /// How many bytes of table files are kept in memory.
    pub fn cached(&self) -> u64 {
        self.budget.kept()
    }

    /// The set for these rules.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn set(&self, rules: &Rules) -> Result<Arc<Tablebase>, Refusal> {
        let mut open = self.lock();
        if let Some(set) = open.get(rules) {
            return Ok(Arc::clone(set));
        }
        if open.len() >= MOST_SETS {
            open.clear();
        }
        let set = Set::open_within(rules, set_folder(&self.folder, rules), &self.budget)?;
        open.insert(*rules, Arc::clone(set.tablebase()));
        Ok(Arc::clone(set.tablebase()))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Rules, Arc<Tablebase>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Look up a position
///
/// The truth about a position and all its moves, where the endgame tables reach; 404 where they do not.
/// Repetition and move limits are not considered.
#[utoipa::path(get, path = "/api/tablebase", tag = "truth", params(GameRequest),
    responses((status = 200, body = Probe), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody)))]
pub async fn probe(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
) -> Result<Json<Probe>, ApiError> {
    let play = query.play()?;
    let state = Arc::clone(&shared);
    shared.metrics.probe();
    let probe = shared.work.run(client, move || {
        let set = state.tables.set(play.jungle().rules())?;
        Ok::<_, Refusal>(Probe::of(&set, play.jungle(), play.position())?)
    });
    Ok(Json(probe.await?))
}

/// Play a position out
///
/// The moves to the end of the game with best play by both sides: the quickest win, the longest defence.
#[utoipa::path(get, path = "/api/tablebase/line", tag = "truth", params(GameRequest),
    responses((status = 200, body = Line), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody)))]
pub async fn line(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
) -> Result<Json<Line>, ApiError> {
    let play = query.play()?;
    let state = Arc::clone(&shared);
    shared.metrics.probe();
    let line = shared.work.run(client, move || {
        let set = state.tables.set(play.jungle().rules())?;
        Ok::<_, Refusal>(Line::of(&set, play.jungle(), play.position())?)
    });
    Ok(Json(line.await?))
}

#[cfg(test)]
mod tests {
    use jungle::Position;

    use super::*;

    /// Looks up where both elephants stand, all over the board.
    fn ask(set: &Tablebase) {
        let squares = || jungle::Square::ALL.into_iter();
        for (white, black) in squares().flat_map(|one| squares().map(move |other| (one, other))) {
            let mut setup = jungle::Setup::empty();
            setup.board[white.index()] = jungle::Piece::from_letter('E');
            setup.board[black.index()] = jungle::Piece::from_letter('e');
            let position: Option<Position> = setup.position().ok();
            position.map(|position| set.probe(&position).unwrap());
        }
    }

    #[test]
    fn all_sets_share_one_budget() {
        let folder = tempfile::tempdir().unwrap();
        let presets = [Rules::STANDARD, Rules::LEIDEN];
        for rules in &presets {
            ensure_small(rules, &set_folder(folder.path(), rules)).unwrap();
        }
        let roomy = Tables::within(folder.path(), u64::MAX);
        let kept = presets.map(|rules| {
            ask(&roomy.set(&rules).unwrap());
            roomy.budget.kept()
        });
        assert!(0 < kept[0] && kept[0] < kept[1], "{kept:?}");
        let tight = Tables::within(folder.path(), kept[1] - 1);
        for rules in presets.iter().cycle().take(4) {
            ask(&tight.set(rules).unwrap());
            assert!(tight.budget.kept() < kept[1]);
        }
    }
}
