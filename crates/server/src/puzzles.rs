//! Puzzles: those that come with the program.

use answers::{DailyRequest, PuzzleDocument, PuzzleList, PuzzlesRequest};
use axum::Json;
use axum::extract::State;

use crate::Shared;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;

/// Puzzles
///
/// Those that come with the program, or some of them by theme and rating. In each, exactly one move keeps the win or the draw, and
/// so again after every reply of the solution; all of it is proved.
#[utoipa::path(get, path = "/api/puzzles", tag = "puzzles", params(PuzzlesRequest),
    responses((status = 200, body = PuzzleList), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody)))]
pub async fn list(
    State(shared): State<Shared>,
    Query(query): Query<PuzzlesRequest>,
) -> Result<Json<PuzzleList>, ApiError> {
    Ok(Json(query.answer(&shared.book)?))
}

/// The puzzle of the day
///
/// The same for everybody, another every day.
#[utoipa::path(get, path = "/api/puzzles/daily", tag = "puzzles", params(DailyRequest),
    responses((status = 200, body = PuzzleDocument), (status = 400, body = ErrorBody)))]
pub async fn daily(
    State(shared): State<Shared>,
    Query(query): Query<DailyRequest>,
) -> Result<Json<PuzzleDocument>, ApiError> {
    Ok(Json(query.answer(&shared.book)?))
}
