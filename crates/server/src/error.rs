//! Refusals as HTTP responses: a status, and a JSON object with a code for programs and a sentence for people.

use answers::{Kind, Refusal};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tablebase::Remedy;
use utoipa::ToSchema;

/// A [`Refusal`] as a response.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    refusal: Box<Refusal>,
}

/// The JSON of every refusal.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong.
    pub error: Refusal,
}

impl ApiError {
    /// A refusal with a status of its own.
    pub fn new(status: StatusCode, refusal: Refusal) -> ApiError {
        ApiError { status, refusal: refusal.advised(words).into() }
    }
}

impl<E: Into<Refusal>> From<E> for ApiError {
    fn from(error: E) -> ApiError {
        let refusal = error.into();
        let status = match refusal.kind {
            Kind::Bad => StatusCode::BAD_REQUEST,
            Kind::Missing => StatusCode::NOT_FOUND,
            Kind::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Kind::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError::new(status, refusal)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let retry = self.refusal.retry_after;
        let body = Json(ErrorBody { error: *self.refusal });
        let mut response = (self.status, body).into_response();
        if let Some(seconds) = retry {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// The remedy for a client over HTTP: tables are built where the server runs.
pub(crate) fn words(remedy: Remedy) -> String {
    match remedy {
        Remedy::Build { pieces } => format!(
            "build the tables of up to {pieces} pieces for these rules on the server, by `POST /api/tablebase/build` \
             or with `mousetrap tb build`"
        ),
        remedy => remedy.to_string(),
    }
}
