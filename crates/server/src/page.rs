//! The pages, embedded in the binary: the two boards and the gadgets.

use std::io::Write;
use std::sync::LazyLock;

use answers::Refusal;
use axum::extract::Path;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::error::ApiError;

/// A file of the page.
struct File {
    path: &'static str,
    kind: &'static str,
    data: &'static [u8],
    tag: LazyLock<String>,
    /// Compressed once, not for every request.
    packed: LazyLock<Vec<u8>>,
}

/// Files of `dist`, the built `web/`, by their kinds.
macro_rules! files {
    ($($path:literal: $kind:literal,)*) => {
        [$(File {
            path: $path,
            kind: $kind,
            data: include_bytes!(concat!("../dist/", $path)),
            tag: LazyLock::new(|| tag(include_bytes!(concat!("../dist/", $path)))),
            packed: LazyLock::new(|| pack(include_bytes!(concat!("../dist/", $path)))),
        }),*]
    };
}

static FILES: [File; 14] = files! {
    "amazons.css": "text/css; charset=utf-8",
    "amazons.html": "text/html; charset=utf-8",
    "amazons.js": "text/javascript; charset=utf-8",
    "app.css": "text/css; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "gadgets.css": "text/css; charset=utf-8",
    "gadgets.html": "text/html; charset=utf-8",
    "gadgets.js": "text/javascript; charset=utf-8",
    "icon-192.png": "image/png",
    "icon-512.png": "image/png",
    "icon-maskable.png": "image/png",
    "icon.svg": "image/svg+xml",
    "index.html": "text/html; charset=utf-8",
    "manifest.webmanifest": "application/manifest+json",
};

/// What tells this version of a file from others.
fn tag(data: &[u8]) -> String {
    format!("\"{}\"", &blake3::hash(data).to_hex()[..24])
}

/// Data compressed as well as gzip can.
pub(crate) fn pack(data: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    // Memory takes everything.
    let _ = packer.write_all(data);
    packer.finish().unwrap_or_default()
}

/// Something that never changes, compressed where the client understands that.
pub(crate) fn constant(
    headers: &HeaderMap,
    kind: &'static str,
    data: &'static [u8],
    packed: &'static [u8],
) -> Response {
    let accepted = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let packs = accepted.flat_map(|value| value.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_none_or(|weight: f32| weight > 0.0)
    });
    let mut response = if packs && !packed.is_empty() {
        ([(CONTENT_ENCODING, "gzip")], packed).into_response()
    } else {
        data.into_response()
    };
    let own = response.headers_mut();
    own.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    own.insert(VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// `/`
pub async fn index(headers: HeaderMap) -> Response {
    asset("index.html", &headers)
}

/// `/amazons`
pub async fn amazons(headers: HeaderMap) -> Response {
    asset("amazons.html", &headers)
}

/// `/gadgets`
pub async fn gadgets(headers: HeaderMap) -> Response {
    asset("gadgets.html", &headers)
}

/// Any other file of the page.
pub async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    asset(&path, &headers)
}

fn asset(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = FILES.iter().find(|file| file.path == path) else {
        let refusal = Refusal::missing("not-found", format!("there is no /{path}"));
        return ApiError::from(refusal).into_response();
    };
    let caching = [(ETAG, file.tag.as_str()), (CACHE_CONTROL, "no-cache")];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == file.tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    (caching, constant(headers, file.kind, file.data, &file.packed)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_file_is_served() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("dist");
        let built = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut built: Vec<String> = built.map(|name| name.into_string().unwrap()).collect();
        built.sort();
        assert_eq!(built, FILES.each_ref().map(|file| file.path));
    }
}
