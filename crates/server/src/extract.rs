//! Extractors: reading requests as axum does, but with our errors.

use answers::Refusal;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::guard::{BODY_TIME, MOST_BODY, too_late};

/// The query of a request.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, ApiError> {
        let query = axum::extract::Query::from_request_parts(parts, state).await;
        let axum::extract::Query(query) =
            query.map_err(|error| Refusal::bad("query", error.body_text()))?;
        Ok(Query(query))
    }
}

/// Waits for a body to arrive, but not for ever. What it asks for may take longer.
async fn in_time<T>(body: impl Future<Output = T>) -> Result<T, ApiError> {
    let arrived = tokio::time::timeout(BODY_TIME, body).await;
    arrived.map_err(|_| too_late("the body did not arrive", BODY_TIME))
}

/// A body that is too large, in our words; others as axum has them.
fn refusal(code: &'static str, status: StatusCode, text: String) -> ApiError {
    let message = match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            format!("the body has more than {MOST_BODY} bytes: send it in parts")
        }
        _ => text,
    };
    ApiError::new(status, Refusal::bad(code, message))
}

/// The body of a request, as JSON.
pub struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, ApiError> {
        let body = in_time(axum::Json::from_request(request, state)).await?;
        let axum::Json(body) =
            body.map_err(|error| refusal("json", error.status(), error.body_text()))?;
        Ok(JsonBody(body))
    }
}

/// The body of a request, as text.
pub struct TextBody(pub String);

impl<S: Send + Sync> FromRequest<S> for TextBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<TextBody, ApiError> {
        let body = in_time(String::from_request(request, state)).await?;
        let body = body.map_err(|error| refusal("body", error.status(), error.body_text()))?;
        Ok(TextBody(body))
    }
}
