//! The Game of the Amazons: a position with its legal moves and regions, and the results of the searches.
//!
//! A search has nodes and seconds, both bounded, takes one of the places that all searches share, and ends when
//! its client goes.

use std::sync::Arc;
use std::time::Duration;

use answers::Refusal;
use answers::amazons::{Algorithm, Analysis, GameRequest, Position, Question, Solving, winner};
use axum::Json;
use axum::extract::State;
use game::limits::Limits;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::Shared;
use crate::analysis::time;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;
use crate::queue::in_place;

/// The default and the largest budget of a search.
const USUAL_NODES: u64 = 200_000;
const MOST_NODES: u64 = 10_000_000;
/// The exact solver remembers every step, so it has fewer.
const MOST_STEPS: u64 = 1_000_000;
const USUAL_TIME: Duration = Duration::from_secs(3);
const LONGEST: Duration = Duration::from_secs(15);
/// The deepest search that can be asked for.
const DEEPEST: u32 = 200;
/// The first portion of the exact solver's steps.
const FIRST_STEPS: u64 = 4_000;
/// What the exact value of one region may cost.
const VALUE_STEPS: u64 = 20_000;
/// A longer exact value is left out.
const LONGEST_VALUE: usize = 40;

/// A position of Amazons
///
/// The board, the legal moves, the regions into which arrows cut it, and who has won if the game is over.
#[utoipa::path(get, path = "/api/amazons/position", tag = "amazons", params(GameRequest),
    responses((status = 200, body = Position), (status = 400, body = ErrorBody)))]
pub async fn position(Query(query): Query<GameRequest>) -> Result<Json<Position>, ApiError> {
    let (position, played) = query.play()?;
    Ok(Json(Position::new(&position, played)))
}

/// How to search.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AmazonsSearch {
    /// `plain` (alpha-beta), `regions` (alpha-beta over regions) or `exact` (who wins, for endgames); `regions`
    /// if left out.
    #[param(example = "regions")]
    pub algorithm: Option<String>,
    /// At most this many positions, or steps of the exact solver; 200,000 if left out. Ten million, or a million
    /// steps, is the most.
    #[param(minimum = 1)]
    pub nodes: Option<u64>,
    /// At most this many seconds; 3 if left out, 15 at most.
    pub seconds: Option<f64>,
    /// At most this many plies.
    #[param(minimum = 1)]
    pub depth: Option<u32>,
}

impl AmazonsSearch {
    fn question(&self) -> Result<Question, Refusal> {
        let algorithm: Algorithm = self.algorithm.as_deref().unwrap_or("regions").parse()?;
        let nodes = self.nodes.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES);
        let limits = Limits::nodes(nodes)
            .with_time(time(self.seconds, USUAL_TIME, LONGEST)?)
            .with_depth(self.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST));
        let steps = nodes.min(MOST_STEPS);
        let solving = Solving {
            steps,
            steps_each: steps,
            value_steps: VALUE_STEPS,
            portion: FIRST_STEPS,
            longest_value: LONGEST_VALUE,
        };
        let solving = (algorithm == Algorithm::Exact).then_some(solving);
        Ok(Question { algorithm, limits, solving })
    }
}

/// Analyse a position of Amazons
///
/// Deeper and deeper until the nodes, the seconds or the depth are used up, or, with `exact`, who wins for
/// certain if that can be found within this many steps. When all places for searches are taken the request
/// waits for a while; when too many wait, the answer is 503 with `Retry-After`.
#[utoipa::path(get, path = "/api/amazons/analyse", tag = "amazons", params(GameRequest, AmazonsSearch),
    responses((status = 200, body = Analysis), (status = 400, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn analyse(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(search): Query<AmazonsSearch>,
) -> Result<Json<Analysis>, ApiError> {
    let (position, _) = query.play()?;
    let mut question = search.question()?;
    if let Some(winner) = winner(&position) {
        let message = format!("the game is over: {} wins", amazons::player_name(winner));
        return Err(Refusal::bad("game-over", message).into());
    }
    let place = shared.searches.place(client).await?;
    shared.metrics.search();
    let ticket = shared.searches.flag(&place);
    question.limits = question.limits.with_stop(Arc::clone(&ticket.0));
    let found = in_place(place, move || Ok::<_, Refusal>(Analysis::new(&position, &question)));
    let found = found.await?;
    drop(ticket);
    Ok(Json(found))
}
