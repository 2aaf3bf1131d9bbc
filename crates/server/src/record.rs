//! Game records: PGN in, a tree of moves out, and back.

use answers::record::{self, Exported, Imported, Record};
use axum::Json;
use axum::extract::State;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{JsonBody, TextBody};

/// Read PGN
///
/// The body is the text. Games that cannot be read are named in `faults`; if none can, that is an error.
#[utoipa::path(post, path = "/api/pgn/import", tag = "record",
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = Imported), (status = 400, body = ErrorBody),
              (status = 413, body = ErrorBody)))]
pub async fn import(
    State(shared): State<Shared>,
    client: Client,
    TextBody(text): TextBody,
) -> Result<Json<Imported>, ApiError> {
    Ok(Json(shared.work.run(client, move || record::import(&text)).await?))
}

/// Write PGN
///
/// Every move is checked.
#[utoipa::path(post, path = "/api/pgn/export", tag = "record", request_body = Record,
    responses((status = 200, body = Exported), (status = 400, body = ErrorBody),
              (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
              (status = 422, body = ErrorBody)))]
pub async fn export(
    State(shared): State<Shared>,
    client: Client,
    JsonBody(body): JsonBody<Record>,
) -> Result<Json<Exported>, ApiError> {
    Ok(Json(shared.work.run(client, move || record::export(&body)).await?))
}
