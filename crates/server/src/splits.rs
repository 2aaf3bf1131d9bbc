//! Causality: effect cones, the spanning tree, and the parts a position falls into.

use std::sync::Arc;
use std::time::Duration;

use answers::{Cone, GameRequest, Refusal, Split, SplitSearch};
use axum::Json;
use axum::extract::State;
use game::limits::Limits;
use jungle::causality::Causality;
use jungle::{Play, Square};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;

/// The threshold of the published experiments.
const USUAL_THRESHOLD: u8 = 4;

/// The budget of searching the parts.
const SCORE_NODES: u64 = 100_000;
const SCORE_TIME: Duration = Duration::from_millis(500);

/// Where to cut.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ThresholdQuery {
    /// Edges heavier than this many plies are cut; 4 if left out.
    #[param(maximum = 40)]
    pub threshold: Option<u8>,
    /// Whether to search the parts for their scores; yes if left out.
    pub scores: Option<bool>,
}

/// Cut a position into parts
///
/// Pieces that cannot affect each other within this many plies belong to different parts. The weights are
/// Burnett's: the least number of plies before one piece can affect another, the side to move
/// moving first.
#[utoipa::path(get, path = "/api/split", tag = "splits", params(GameRequest, ThresholdQuery),
    responses((status = 200, body = Split), (status = 400, body = ErrorBody)))]
pub async fn split(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(ThresholdQuery { threshold, scores }): Query<ThresholdQuery>,
) -> Result<Json<Split>, ApiError> {
    let play = query.play()?;
    let threshold = threshold.unwrap_or(USUAL_THRESHOLD);
    let state = Arc::clone(&shared);
    let split = shared.work.run(client, move || {
        let (rules, position) = (*play.jungle().rules(), play.position());
        let causality = state.causality(&rules);
        let split = Split::new(&rules, &causality, position, threshold);
        let is_searched = scores.unwrap_or(true);
        Ok::<_, Refusal>(if is_searched { searched(split, causality, &play) } else { split })
    });
    Ok(Json(split.await?))
}

/// With the scores of the parts, if there are several and the game goes on.
fn searched(split: Split, causality: Arc<Causality>, play: &Play) -> Split {
    if split.parts.len() < 2 || play.ending().is_some() {
        return split;
    }
    let limits = Limits::nodes(SCORE_NODES).with_time(SCORE_TIME);
    let (rules, threshold) = (*play.jungle().rules(), split.threshold);
    split.searched(SplitSearch::new(rules, causality, play.position(), threshold, &limits))
}

/// Whose cone.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SquareQuery {
    /// The square of the piece.
    #[param(example = "a3")]
    pub square: String,
}

/// The effect cone of a piece
///
/// When the piece, alone on the board, could be on each square at the earliest.
#[utoipa::path(get, path = "/api/cone", tag = "splits", params(GameRequest, SquareQuery),
    responses((status = 200, body = Cone), (status = 400, body = ErrorBody)))]
pub async fn cone(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(SquareQuery { square }): Query<SquareQuery>,
) -> Result<Json<Cone>, ApiError> {
    let play = query.play()?;
    let square: Square =
        square.parse().map_err(|error| Refusal::because(answers::Kind::Bad, "square", error))?;
    let cone =
        shared.work.run(client, move || Cone::of(play.jungle().rules(), play.position(), square));
    Ok(Json(cone.await?))
}
