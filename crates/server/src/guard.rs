//! Limits for every request: headers, sizes and times.

use std::sync::Arc;
use std::time::Duration;

use answers::Refusal;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use crate::access::{Access, gate, identify};
use crate::error::ApiError;
use crate::metrics::{Metrics, observe};

/// The largest body of a request.
pub const MOST_BODY: usize = 256 << 10;
/// The longest address of a request: room for a game of two thousand plies.
const LONGEST_ADDRESS: usize = 16 << 10;
/// How long a request may take to arrive and be answered. Streams are answered when they begin.
const ANSWER_TIME: Duration = Duration::from_secs(60);
/// How long a body may take to arrive.
pub const BODY_TIME: Duration = Duration::from_secs(10);

/// No script, style, picture or connection from anywhere else, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Puts the guards around all routes.
pub(crate) fn guarded(router: Router, access: Arc<Access>, metrics: Arc<Metrics>) -> Router {
    let compressed = DefaultPredicate::new().and(NotForContentType::const_new("text/event-stream"));
    router
        .fallback(|request: Request| async move {
            let message = format!("there is no {}", request.uri().path());
            ApiError::from(Refusal::missing("not-found", message))
        })
        .method_not_allowed_fallback(|request: Request| async move {
            let message =
                format!("{} is not allowed for {}", request.method(), request.uri().path());
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, Refusal::bad("method", message))
        })
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(middleware::from_fn(in_time))
        .layer(CompressionLayer::new().compress_when(compressed))
        .layer(CatchPanicLayer::custom(|_| {
            let refusal = Refusal::failed("a bug: the request could not be answered");
            ApiError::from(refusal).into_response()
        }))
        .layer(middleware::from_fn_with_state(Arc::clone(&access), gate))
        .layer(middleware::from_fn_with_state(metrics, observe))
        .layer(middleware::from_fn_with_state(access, identify))
        .layer(middleware::from_fn(with_headers))
}

/// Refuses long addresses and gives up on requests that take too long.
async fn in_time(request: Request, next: Next) -> Response {
    if request.uri().to_string().len() > LONGEST_ADDRESS {
        let message = format!("the address is longer than {LONGEST_ADDRESS} bytes");
        let refusal = Refusal::bad("address", message);
        return ApiError::new(StatusCode::URI_TOO_LONG, refusal).into_response();
    }
    match tokio::time::timeout(ANSWER_TIME, next.run(request)).await {
        Ok(response) => response,
        Err(_) => too_late("not done", ANSWER_TIME).into_response(),
    }
}

/// A request took too long.
pub fn too_late(what: &str, limit: Duration) -> ApiError {
    let message = format!("{what} within {} seconds", limit.as_secs());
    ApiError::new(StatusCode::REQUEST_TIMEOUT, Refusal::bad("timeout", message))
}

async fn with_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=(), payment=()",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
