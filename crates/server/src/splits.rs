//! Causality: effect cones, the spanning tree, and the parts a position falls into.

use std::sync::Arc;

use answers::{Cone, ConeRequest, GameRequest, Refusal, Split, SplitRequest};
use axum::Json;
use axum::extract::State;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;

/// Cut a position into parts
///
/// Pieces that cannot affect each other within this many plies belong to different parts. The weights are
/// Burnett's: the least number of plies before one piece can affect another, the side to move
/// moving first.
#[utoipa::path(get, path = "/api/split", tag = "splits", params(GameRequest, SplitRequest),
    responses((status = 200, body = Split), (status = 400, body = ErrorBody)))]
pub async fn split(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(wanted): Query<SplitRequest>,
) -> Result<Json<Split>, ApiError> {
    let play = query.play()?;
    let state = Arc::clone(&shared);
    let split = shared.work.run(client, move || {
        let causality = state.causality(play.jungle().rules());
        Ok::<_, Refusal>(wanted.answer(&play, causality))
    });
    Ok(Json(split.await?))
}

/// The effect cone of a piece
///
/// When the piece, alone on the board, could be on each square at the earliest.
#[utoipa::path(get, path = "/api/cone", tag = "splits", params(GameRequest, ConeRequest),
    responses((status = 200, body = Cone), (status = 400, body = ErrorBody)))]
pub async fn cone(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(wanted): Query<ConeRequest>,
) -> Result<Json<Cone>, ApiError> {
    let play = query.play()?;
    let cone = shared.work.run(client, move || wanted.answer(&play));
    Ok(Json(cone.await?))
}
