//! Legal moves, rules, and whether a board is possible: the page's request after every move.

use answers::{CheckRequest, Checked, GameRequest, GameState, RuleBook};
use axum::Json;

use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;

/// Legal moves
///
/// Plays the moves from the FEN, checks them, and lists the legal moves or how the game ended.
#[utoipa::path(get, path = "/api/moves", tag = "game", params(GameRequest),
    responses((status = 200, body = GameState), (status = 400, body = ErrorBody)))]
pub async fn moves(Query(query): Query<GameRequest>) -> Result<Json<GameState>, ApiError> {
    Ok(Json(GameState::of(&query.play()?)))
}

/// Check a board
///
/// For an editor: lists everything that is wrong with a board. Only a text that is not a FEN is an error.
#[utoipa::path(get, path = "/api/check", tag = "game", params(CheckRequest),
    responses((status = 200, body = Checked), (status = 400, body = ErrorBody)))]
pub async fn check(Query(query): Query<CheckRequest>) -> Result<Json<Checked>, ApiError> {
    Ok(Json(query.answer()?))
}

/// Rules
///
/// The presets and the switches. A set of rules is written as a preset's name, or as a name followed by
/// switches: `leiden,repetition=draw`.
#[utoipa::path(get, path = "/api/rules", tag = "game", responses((status = 200, body = RuleBook)))]
pub async fn rules() -> Json<RuleBook> {
    Json(RuleBook::presets())
}
