//! What goes wrong with a request, as the client sees it: a status and a JSON object with a code for
//! programs and a sentence for people.

use std::fmt::Display;

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, QueryRejection, StringRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jungle::{
    IllegalMove, IllegalReason, ParseFenError, ParseMoveError, ParsePositionError, ParseRulesError,
    SetupError, Square,
};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request was refused.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ApiError {
    /// The HTTP status.
    #[serde(skip)]
    status: StatusCode,
    /// A name that stays the same, for programs and translations.
    #[schema(value_type = String, example = "in-water")]
    pub code: &'static str,
    /// The reason in English, with a remedy where there is one.
    pub message: String,
    /// The squares it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
    /// The pieces it is about, as letters of a FEN.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<char>,
    /// In how many seconds to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
}

/// How every refusal looks.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong.
    pub error: ApiError,
}

impl ApiError {
    /// An error with any status.
    pub fn new(status: StatusCode, code: &'static str, message: impl Display) -> ApiError {
        ApiError {
            status,
            code,
            message: message.to_string(),
            squares: Vec::new(),
            pieces: Vec::new(),
            retry_after: None,
        }
    }

    /// Something in the request cannot be understood or is not possible.
    pub fn bad(code: &'static str, message: impl Display) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// Something that was asked for is not there.
    pub fn missing(code: &'static str, message: impl Display) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, code, message)
    }

    /// Our own fault.
    pub fn internal(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// Too much is going on; the client should come back.
    pub fn busy(message: impl Display, retry_after: u32) -> ApiError {
        ApiError {
            retry_after: Some(retry_after),
            ..ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
        }
    }

    fn about(mut self, squares: &[Square]) -> ApiError {
        self.squares = squares.iter().map(ToString::to_string).collect();
        self
    }

    fn with_pieces(mut self, pieces: impl IntoIterator<Item = jungle::Piece>) -> ApiError {
        self.pieces = pieces.into_iter().map(jungle::Piece::letter).collect();
        self
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

impl From<ParseFenError> for ApiError {
    fn from(error: ParseFenError) -> ApiError {
        ApiError::bad("fen", error)
    }
}

impl From<SetupError> for ApiError {
    fn from(error: SetupError) -> ApiError {
        match error {
            SetupError::TwoOfAKind { piece, first, second } => {
                ApiError::bad("two-of-a-kind", &error).about(&[first, second]).with_pieces([piece])
            }
            SetupError::InWater { piece, square } => {
                ApiError::bad("in-water", &error).about(&[square]).with_pieces([piece])
            }
            SetupError::InOwnDen { piece } => ApiError::bad("own-den", &error)
                .about(&[jungle::board::DEN[piece.color]])
                .with_pieces([piece]),
            SetupError::BothDensTaken => ApiError::bad("both-dens", &error)
                .about(&[jungle::board::DEN.white, jungle::board::DEN.black]),
            SetupError::NoPieces => ApiError::bad("no-pieces", &error),
        }
    }
}

impl From<ParsePositionError> for ApiError {
    fn from(error: ParsePositionError) -> ApiError {
        match error {
            ParsePositionError::Fen(error) => error.into(),
            ParsePositionError::Setup(error) => error.into(),
        }
    }
}

impl From<ParseRulesError> for ApiError {
    fn from(error: ParseRulesError) -> ApiError {
        ApiError::bad("rules", error)
    }
}

impl From<IllegalMove> for ApiError {
    fn from(error: IllegalMove) -> ApiError {
        let code = match error.reason {
            IllegalReason::Over(_) => "game-over",
            IllegalReason::NoSuchPiece { .. } => "no-such-piece",
            IllegalReason::TooFar(_) => "too-far",
            IllegalReason::OwnDen => "move-own-den",
            IllegalReason::Water(_) => "cannot-swim",
            IllegalReason::NoJump(..) => "no-jump",
            IllegalReason::RatBlocks(_) => "rat-blocks",
            IllegalReason::OwnPiece(_) => "own-piece",
            IllegalReason::WrongVictim { .. } => "wrong-victim",
            IllegalReason::DoesNotTake { .. } => "too-strong",
            IllegalReason::Shore(_) => "shore",
            IllegalReason::Repetition => "third-time",
        };
        ApiError::bad(code, &error).about(&[error.from, error.to])
    }
}

impl From<ParseMoveError> for ApiError {
    fn from(error: ParseMoveError) -> ApiError {
        match error {
            ParseMoveError::NotAMove(_) => ApiError::bad("not-a-move", error),
            ParseMoveError::NoSuchPiece(error) => ApiError::bad("no-such-piece", error),
            ParseMoveError::Illegal(error) => error.into(),
        }
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
