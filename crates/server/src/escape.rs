//! Complexity-driven search: what it chose, and the tree as it grew.

use std::sync::Arc;

use answers::{EscapeRequest, EscapeSearch, GameRequest, Refusal, amazons};
use axum::Json;
use axum::extract::State;
use game::limits::StopFlag;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;
use crate::queue::in_place;

/// Search a position by complexity
///
/// Best first, by a score and what has been spent on it: why each candidate escaped, the root against the global
/// escape function as the budget was spent, and the tree that grew.
#[utoipa::path(get, path = "/api/escape", tag = "escape", params(GameRequest, EscapeRequest),
    responses((status = 200, body = EscapeSearch), (status = 400, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn jungle(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(wanted): Query<EscapeRequest>,
) -> Result<Json<EscapeSearch>, ApiError> {
    let play = query.unfinished()?;
    searched(&shared, client, move |stop| wanted.answer(&play, stop)).await
}

/// Search a position of Amazons by complexity
///
/// The same of the other game.
#[utoipa::path(get, path = "/api/amazons/escape", tag = "amazons",
    params(amazons::GameRequest, EscapeRequest),
    responses((status = 200, body = EscapeSearch), (status = 400, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn amazons(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<amazons::GameRequest>,
    Query(wanted): Query<EscapeRequest>,
) -> Result<Json<EscapeSearch>, ApiError> {
    let (position, _) = query.play()?;
    searched(&shared, client, move |stop| wanted.answer_amazons(&position, stop)).await
}

/// Searches in one of the places that all searches share; ends when the client goes.
async fn searched(
    shared: &Shared,
    client: Client,
    search: impl FnOnce(StopFlag) -> Result<EscapeSearch, Refusal> + Send + 'static,
) -> Result<Json<EscapeSearch>, ApiError> {
    let place = shared.searches.place(client).await?;
    shared.metrics.search();
    let ticket = shared.searches.flag(&place);
    let stop = StopFlag::from(Arc::clone(&ticket.0));
    let found = in_place(place, move || search(stop)).await?;
    drop(ticket);
    Ok(Json(found))
}
