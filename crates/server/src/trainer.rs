//! The endgame trainer: endings to practise, the replies of the tables, and statements about a class.
//!
//! Statements are found by passes over a whole table, as trees are grown, and wait in the same queue.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use answers::{
    Drill, DrillReply, DrillRequest, GameRequest, Refusal, Statements, StatementsRequest,
    WantedStatements,
};
use axum::Json;
use axum::extract::State;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;
use crate::queue::in_place;

/// The statements of how many classes are kept.
const KEPT: usize = 32;

/// Statements that were found.
#[derive(Default)]
pub struct Known(Mutex<VecDeque<(WantedStatements, Arc<Statements>)>>);

impl Known {
    /// Forgets all, as after tables were replaced.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn find(&self, wanted: &WantedStatements) -> Option<Arc<Statements>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| known == wanted).map(|(_, found)| Arc::clone(found))
    }

    fn keep(&self, wanted: WantedStatements, found: &Arc<Statements>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(KEPT - 1);
        kept.push_front((wanted, Arc::clone(found)));
    }
}

/// An ending to practise
///
/// A position of a class, drawn at random, that is won, drawn or lost for Red, who is to move.
#[utoipa::path(get, path = "/api/drill", tag = "truth", params(DrillRequest),
    responses((status = 200, body = Drill), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody)))]
pub async fn drill(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<DrillRequest>,
) -> Result<Json<Drill>, ApiError> {
    let rules = query.rules()?;
    let state = Arc::clone(&shared);
    let drill = shared.work.run(client, move || query.answer(&*state.tables.set(&rules)?));
    Ok(Json(drill.await?))
}

/// A perfect reply
///
/// The move of the tables: the shortest win, the longest defence, and in a draw the move that leaves the fewest answers that hold
/// it.
#[utoipa::path(get, path = "/api/drill/reply", tag = "truth", params(GameRequest),
    responses((status = 200, body = DrillReply), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody)))]
pub async fn reply(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
) -> Result<Json<DrillReply>, ApiError> {
    let play = query.unfinished()?;
    let state = Arc::clone(&shared);
    let reply = shared
        .work
        .run(client, move || DrillReply::of(&*state.tables.set(play.jungle().rules())?, &play));
    Ok(Json(reply.await?))
}

/// Rules of thumb about a class
///
/// Statements that hold in every position of the class, with Red to move: each with its conditions and an example. Up to
/// three pieces.
#[utoipa::path(get, path = "/api/statements", tag = "truth", params(StatementsRequest),
    responses((status = 200, body = Statements), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn statements(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<StatementsRequest>,
) -> Result<Json<Statements>, ApiError> {
    let wanted = query.wanted()?;
    if let Some(found) = shared.statements.find(&wanted) {
        return Ok(Json((*found).clone()));
    }
    let place = shared.trees.queue().place(client).await?;
    // Another request may have found them meanwhile.
    if let Some(found) = shared.statements.find(&wanted) {
        return Ok(Json((*found).clone()));
    }
    let state = Arc::clone(&shared);
    let found = in_place(place, move || {
        let set = state.tables.set(wanted.rules())?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(state.trees.threads()).build();
        let found = pool.map_err(Refusal::internal)?.install(|| wanted.find(&set))?;
        let found = Arc::new(found);
        state.statements.keep(wanted, &found);
        Ok::<_, Refusal>(found)
    });
    Ok(Json((*found.await?).clone()))
}
