//! Pictures of positions, and the art of the page: both come from `jungle::picture`, so that a piece
//! looks the same everywhere.

use std::sync::LazyLock;

use answers::PictureRequest;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use jungle::picture::sheet;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;
use crate::page::{constant, pack};

/// Picture (SVG)
#[utoipa::path(get, path = "/api/picture.svg", tag = "picture", params(PictureRequest),
    responses((status = 200, content_type = "image/svg+xml", body = String),
              (status = 400, body = ErrorBody)))]
pub async fn svg(Query(query): Query<PictureRequest>) -> Result<Response, ApiError> {
    Ok(([(CONTENT_TYPE, "image/svg+xml")], query.picture()?.to_svg()).into_response())
}

/// Picture (PNG)
#[utoipa::path(get, path = "/api/picture.png", tag = "picture", params(PictureRequest),
    responses((status = 200, content_type = "image/png", body = Vec<u8>),
              (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn png(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<PictureRequest>,
) -> Result<Response, ApiError> {
    let picture = query.picture()?;
    let png = shared.work.run(client, move || picture.to_png(1.0).map_err(PictureRequest::undrawn));
    let png = png.await?;
    Ok(([(CONTENT_TYPE, "image/png")], png).into_response())
}

/// The art of the page.
static ART: LazyLock<String> = LazyLock::new(sheet);

/// The same, compressed.
static PACKED_ART: LazyLock<Vec<u8>> = LazyLock::new(|| pack(ART.as_bytes()));

/// Sends the art of the page.
pub async fn art(headers: HeaderMap) -> Response {
    let art = constant(&headers, "image/svg+xml", ART.as_bytes(), &PACKED_ART);
    ([(CACHE_CONTROL, "no-cache")], art).into_response()
}
