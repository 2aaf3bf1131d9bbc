//! Hardness gadgets: drawings, compiled boards, and games on them.

use answers::gadgets::{
    BoardGame, BoardGameRequest, Compiled, Drawing, DrawingsRequest, FormulaRequest,
};
use axum::Json;
use axum::extract::State;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;

/// Gadgets of the hardness proof
///
/// The published ones, the mended ones, and those on narrow rivers. One that is asked for by name comes with
/// its contract, if it is a gate of compiled boards.
#[utoipa::path(get, path = "/api/gadgets", tag = "gadgets", params(DrawingsRequest),
    responses((status = 200, body = Vec<Drawing>), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn drawings(
    State(shared): State<Shared>,
    client: Client,
    Query(wanted): Query<DrawingsRequest>,
) -> Result<Json<Vec<Drawing>>, ApiError> {
    Ok(Json(shared.work.run(client, move || wanted.answer()).await?))
}

/// The board of a formula
///
/// A positive formula compiled to a board of Dou Shou Qi on which the same side wins as in the formula game.
#[utoipa::path(get, path = "/api/gadgets/board", tag = "gadgets", params(FormulaRequest),
    responses((status = 200, body = Compiled), (status = 400, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn board(
    State(shared): State<Shared>,
    client: Client,
    Query(formula): Query<FormulaRequest>,
) -> Result<Json<Compiled>, ApiError> {
    Ok(Json(shared.work.run(client, move || formula.answer()).await?))
}

/// A game on the board of a formula
///
/// The pieces and the legal moves after the moves given. With `reply`, what the program would play: by its
/// contracts for the side that wins the formula game, by search for the other one.
#[utoipa::path(get, path = "/api/gadgets/play", tag = "gadgets", params(FormulaRequest, BoardGameRequest),
    responses((status = 200, body = BoardGame), (status = 400, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn play(
    State(shared): State<Shared>,
    client: Client,
    Query(formula): Query<FormulaRequest>,
    Query(game): Query<BoardGameRequest>,
) -> Result<Json<BoardGame>, ApiError> {
    Ok(Json(shared.work.run(client, move || game.answer(&formula)).await?))
}
