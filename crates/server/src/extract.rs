//! Reading requests: as axum does, but with our errors.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use jungle::{Jungle, Play, Rules, Setup, fen, parse_move};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use crate::error::ApiError;

/// The longest game a request may bring along, in plies.
pub const MOST_PLIES: usize = 2_000;

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
    /// The rules asked for.
    pub fn rules(&self) -> Result<Rules, ApiError> {
        rules(self.rules.as_deref())
    }

    /// The game, played up to the position.
    pub fn play(&self) -> Result<Play, ApiError> {
        let jungle = Jungle::new(self.rules()?);
        let setup: Setup = self.fen.as_deref().unwrap_or(fen::START).parse()?;
        let mut play = Play::new(jungle, &setup)?;
        let texts = self.moves.as_deref().unwrap_or("").split(',').filter(|text| !text.is_empty());
        for (ply, text) in texts.enumerate() {
            if ply >= MOST_PLIES {
                return Err(ApiError::bad(
                    "too-many-moves",
                    format!("more than {MOST_PLIES} moves: begin at a later FEN"),
                ));
            }
            let mv = parse_move(play.jungle(), play.position(), text.trim())?;
            play.play(mv)?;
        }
        Ok(play)
    }
}

/// Rules by their text.
pub fn rules(text: Option<&str>) -> Result<Rules, ApiError> {
    Ok(text.unwrap_or("standard").parse()?)
}
