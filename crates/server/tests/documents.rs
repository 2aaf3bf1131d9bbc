//! The documents as they come over HTTP.

mod common;
#[path = "../../answers/tests/samples/mod.rs"]
mod samples;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use samples::{SAMPLES, build_tables, hold, is_leiden};
use serde_json::Value;
use tower::ServiceExt;

#[tokio::test]
async fn answers_are_the_documents() {
    let folder = tempfile::tempdir().unwrap();
    build_tables(folder.path());
    let router = common::router(folder.path());
    for sample in SAMPLES.iter().filter(|sample| !sample.path.is_empty()) {
        let rules = if is_leiden(sample.name) { "&rules=leiden" } else { "" };
        let path = format!("{}{rules}", sample.path);
        let answer = match sample.name {
            "analysis" => last_event(&router, &path).await,
            _ => common::get(&router, &path).await.1,
        };
        hold(sample.name, answer);
    }
}

/// The last event of a stream.
async fn last_event(router: &Router, path: &str) -> Value {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let bytes = to_bytes(response.into_body(), 1 << 22).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let last = text.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap();
    serde_json::from_str(last).unwrap()
}
