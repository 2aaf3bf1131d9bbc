//! The pages, embedded in the binary: the two boards.

use answers::Refusal;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

use crate::error::ApiError;

/// The built files of `web/`.
#[derive(Embed)]
#[folder = "dist"]
struct Assets;

/// `/`
pub async fn index(headers: HeaderMap) -> Response {
    asset("index.html", &headers)
}

/// `/amazons`
pub async fn amazons(headers: HeaderMap) -> Response {
    asset("amazons.html", &headers)
}

/// Any other file of the page.
pub async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    asset(&path, &headers)
}

fn asset(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Assets::get(path) else {
        let refusal = Refusal::missing("not-found", format!("there is no /{path}"));
        return ApiError::from(refusal).into_response();
    };
    let hash = file.metadata.sha256_hash();
    let tag =
        hash[..12].iter().fold("\"".to_owned(), |tag, byte| format!("{tag}{byte:02x}")) + "\"";
    let caching = [(ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".to_owned())];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let kind = match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    };
    (caching, [(CONTENT_TYPE, kind)], file.data.into_owned()).into_response()
}
