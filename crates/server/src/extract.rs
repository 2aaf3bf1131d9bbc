//! Extractors: reading requests as axum does, but with our errors.

use answers::GameRequest;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use jungle::{Play, Rules};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use crate::error::ApiError;

/// The query of a request.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, ApiError> {
        let axum::extract::Query(query) =
            axum::extract::Query::from_request_parts(parts, state).await?;
        Ok(Query(query))
    }
}

/// The body of a request, as JSON.
pub struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, ApiError> {
        let axum::Json(body) = axum::Json::from_request(request, state).await?;
        Ok(JsonBody(body))
    }
}

/// The body of a request, as text.
pub struct TextBody(pub String);

impl<S: Send + Sync> FromRequest<S> for TextBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<TextBody, ApiError> {
        Ok(TextBody(String::from_request(request, state).await?))
    }
}

/// Which position: where the game began, and what was played since.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GameQuery {
    /// Where the game began, as FEN; the usual start if left out.
    #[param(example = "7/7/3e3/7/7/7/3E3/7/7 w")]
    pub fen: Option<String>,
    /// The rules: a preset, or a preset with switches; `standard` if left out.
    #[param(example = "leiden,repetition=draw")]
    pub rules: Option<String>,
    /// The moves played since, separated by commas, as `a3b3` or `Eb3`.
    #[param(example = "a3a4,a7a6")]
    pub moves: Option<String>,
}

impl GameQuery {
    /// The request to `answers`.
    pub fn request(&self) -> GameRequest<'_> {
        let GameQuery { fen, rules, moves } = self;
        GameRequest { fen: fen.as_deref(), rules: rules.as_deref(), moves: moves.as_deref() }
    }

    /// The rules requested.
    pub fn rules(&self) -> Result<Rules, ApiError> {
        Ok(self.request().rules()?)
    }

    /// The game, played up to the position.
    pub fn play(&self) -> Result<Play, ApiError> {
        Ok(self.request().play()?)
    }

    /// The same, if the game goes on.
    pub fn unfinished(&self) -> Result<Play, ApiError> {
        Ok(self.request().unfinished()?)
    }
}
