//! Errors of a request, as the client sees them: a status and a JSON object with a code for
//! programs and a sentence for people.

use std::error::Error;
use std::fmt::{self, Display};

use answers::{Kind, Refusal};
use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, QueryRejection, StringRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request was refused.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ApiError {
    /// The HTTP status.
    #[serde(skip)]
    status: StatusCode,
    /// The code, the reason, and what it is about.
    #[serde(flatten)]
    #[schema(value_type = Refusal)]
    refusal: Box<Refusal>,
    /// In how many seconds to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u32>,
}

/// The JSON of every refusal.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong.
    pub error: ApiError,
}

impl ApiError {
    /// An error with any status.
    pub fn new(status: StatusCode, code: &'static str, message: impl Display) -> ApiError {
        ApiError { status, refusal: Refusal::bad(code, message).into(), retry_after: None }
    }

    /// Something in the request cannot be understood or is not possible.
    pub fn bad(code: &'static str, message: impl Display) -> ApiError {
        Refusal::bad(code, message).into()
    }

    /// Something that was asked for is not there.
    pub fn missing(code: &'static str, message: impl Display) -> ApiError {
        Refusal::missing(code, message).into()
    }

    /// An internal error.
    pub fn internal(message: impl Display) -> ApiError {
        Refusal::new(Kind::Failed, "internal", message).into()
    }

    /// The server is busy; the client should come back.
    pub fn busy(message: impl Display, retry_after: u32) -> ApiError {
        ApiError {
            retry_after: Some(retry_after),
            ..ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
        }
    }
}

impl Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refusal.fmt(f)
    }
}

impl Error for ApiError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.refusal.source()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, retry) = (self.status, self.retry_after);
        let mut response = (status, Json(ErrorBody { error: self })).into_response();
        if let Some(seconds) = retry {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let status = match refusal.kind {
            Kind::Bad => StatusCode::BAD_REQUEST,
            Kind::Missing => StatusCode::NOT_FOUND,
            Kind::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError { status, refusal: refusal.into(), retry_after: None }
    }
}

impl From<QueryRejection> for ApiError {
    fn from(error: QueryRejection) -> ApiError {
        ApiError::bad("query", error.body_text())
    }
}

impl From<JsonRejection> for ApiError {
    fn from(error: JsonRejection) -> ApiError {
        ApiError::new(error.status(), "json", error.body_text())
    }
}

impl From<StringRejection> for ApiError {
    fn from(error: StringRejection) -> ApiError {
        ApiError::new(error.status(), "body", error.body_text())
    }
}

impl From<BytesRejection> for ApiError {
    fn from(error: BytesRejection) -> ApiError {
        ApiError::new(error.status(), "body", error.body_text())
    }
}
