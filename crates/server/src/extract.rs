//! Extractors: reading requests as axum does, but with our errors.

use answers::Refusal;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

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

/// The body of a request, as JSON.
pub struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, ApiError> {
        let body = axum::Json::from_request(request, state).await;
        let axum::Json(body) = body.map_err(|error| {
            ApiError::new(error.status(), Refusal::bad("json", error.body_text()))
        })?;
        Ok(JsonBody(body))
    }
}

/// The body of a request, as text.
pub struct TextBody(pub String);

impl<S: Send + Sync> FromRequest<S> for TextBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<TextBody, ApiError> {
        let body = String::from_request(request, state).await;
        let body = body.map_err(|error| {
            ApiError::new(error.status(), Refusal::bad("body", error.body_text()))
        })?;
        Ok(TextBody(body))
    }
}
