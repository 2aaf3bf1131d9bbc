//! A client for the tests.
#![allow(dead_code, reason = "not every test needs everything")]

use std::path::Path;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use serde_json::Value;
use server::{Options, Server};
use tower::ServiceExt;

/// A server with the tables of a folder and one search at a time.
pub fn router(folder: &Path) -> Router {
    let options = Options {
        tables: folder.into(),
        threads: 1,
        hash: 4,
        max_searches: 1,
        access: server::access::Access::default(),
        games: None,
    };
    Server::new(&options).router()
}

pub async fn ask(router: &Router, request: Request<Body>) -> (StatusCode, Value) {
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status();
    assert!(response.headers().contains_key(header::CONTENT_SECURITY_POLICY));
    assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    let bytes = to_bytes(response.into_body(), 1 << 22).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

pub async fn get(router: &Router, path: &str) -> (StatusCode, Value) {
    ask(router, Request::get(path).body(Body::empty()).unwrap()).await
}

/// How many bytes an answer takes, compressed.
pub async fn compressed(router: &Router, path: &str) -> usize {
    let request = Request::get(path).header(header::ACCEPT_ENCODING, "gzip");
    let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip");
    to_bytes(response.into_body(), 1 << 22).await.unwrap().len()
}

pub async fn post(router: &Router, path: &str, kind: &str, body: String) -> (StatusCode, Value) {
    let request = Request::post(path).header(header::CONTENT_TYPE, kind).body(body.into()).unwrap();
    ask(router, request).await
}
