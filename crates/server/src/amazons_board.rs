//! The Game of the Amazons: a position with its legal moves and regions, and the results of the searches.
//!
//! A search has nodes and seconds, both bounded, takes one of the places that all searches share, and ends when
//! its client goes.

use std::sync::Arc;

use answers::Refusal;
use answers::amazons::{Analysis, GameRequest, Position, SearchRequest};
use axum::Json;
use axum::extract::State;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;
use crate::queue::in_place;

/// A position of Amazons
///
/// The board, the legal moves, the regions into which arrows cut it, and who has won if the game is over.
#[utoipa::path(get, path = "/api/amazons/position", tag = "amazons", params(GameRequest),
    responses((status = 200, body = Position), (status = 400, body = ErrorBody)))]
pub async fn position(Query(query): Query<GameRequest>) -> Result<Json<Position>, ApiError> {
    let (position, played) = query.play()?;
    Ok(Json(Position::new(&position, played)))
}

/// Analyse a position of Amazons
///
/// Deeper and deeper until the nodes, the seconds or the depth are used up, or, with `exact`, who wins for
/// certain if that can be found within this many steps. When all places for searches are taken the request
/// waits for a while; when too many wait, the answer is 503 with `Retry-After`.
#[utoipa::path(get, path = "/api/amazons/analyse", tag = "amazons", params(GameRequest, SearchRequest),
    responses((status = 200, body = Analysis), (status = 400, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn analyse(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(search): Query<SearchRequest>,
) -> Result<Json<Analysis>, ApiError> {
    let (position, _) = query.play()?;
    let mut question = search.question(&position)?;
    let place = shared.searches.place(client).await?;
    shared.metrics.search();
    let ticket = shared.searches.flag(&place);
    question.limits = question.limits.with_stop(Arc::clone(&ticket.0));
    let found = in_place(place, move || Ok::<_, Refusal>(Analysis::new(&position, &question)));
    let found = found.await?;
    drop(ticket);
    Ok(Json(found))
}
