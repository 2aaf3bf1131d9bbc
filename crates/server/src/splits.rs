//! Causality: effect cones, the spanning tree, and the parts a position falls into.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use jungle::causality::Time;
use jungle::{Bitboard, Position, Rules, Square};
use search::Limits;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Shared;
use crate::analysis::{ScoreBody, score_of};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{GameQuery, Query};
use crate::moves::side;

/// The threshold of the published experiments.
const USUAL_THRESHOLD: u8 = 4;

/// What searching the parts may cost.
const SCORE_NODES: u64 = 100_000;
const SCORE_TIME: Duration = Duration::from_millis(500);

/// Where to cut.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ThresholdQuery {
    /// Edges heavier than so many plies are cut; 4 if left out.
    #[param(maximum = 40)]
    pub threshold: Option<u8>,
    /// Whether to search the parts for their scores; they are unless this says no.
    pub scores: Option<bool>,
}

/// A position cut into parts.
#[derive(Debug, Serialize, ToSchema)]
pub struct SplitBody {
    /// The position.
    pub fen: String,
    /// Edges heavier than this were cut.
    pub threshold: u8,
    /// The largest weight in the tree: from this threshold on there is one part.
    pub t_max: Option<u8>,
    /// The spanning tree, lightest edge first.
    pub tree: Vec<EdgeBody>,
    /// The parts.
    pub parts: Vec<PartBody>,
    /// The part that owns each square, a1 first, along the ranks; none for dens and unreachable squares.
    pub owners: Vec<Option<usize>>,
}

/// An edge of the spanning tree.
#[derive(Debug, Serialize, ToSchema)]
pub struct EdgeBody {
    /// The square of one piece.
    pub one: String,
    /// The square of the other.
    pub other: String,
    /// In how many plies one can affect the other at the earliest; none if never.
    pub weight: Option<u8>,
    /// Whether the edge is cut.
    pub cut: bool,
}

/// A part.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartBody {
    /// Where its pieces stand.
    pub pieces: Vec<String>,
    /// The squares its pieces may use.
    pub territory: Vec<String>,
    /// The part as a position of its own.
    pub fen: String,
    /// What it is worth, if it was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<PartScores>,
}

/// What a part is worth to the side to move, in the units of the thesis' evaluation: to move in it, and to
/// move elsewhere.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartScores {
    /// The best move in the part, if there is one.
    pub best: Option<String>,
    /// What it is worth.
    #[serde(rename = "move")]
    pub mv: Option<ScoreBody>,
    /// What not moving in the part is worth.
    pub pass: Option<ScoreBody>,
}

/// Searches every part by itself, as the thesis does; nothing if there is only one.
fn scores(rules: Rules, position: &Position, threshold: u8) -> Vec<(Bitboard, PartScores)> {
    let limits = Limits::nodes(SCORE_NODES).with_time(SCORE_TIME);
    let split = players::search_parts(rules, threshold.into(), position, &limits);
    let searched = split.parts.into_iter().filter(|part| part.non_move.is_some());
    searched
        .map(|part| {
            let scores = PartScores {
                best: part.best.map(|(mv, _)| mv.to_string()),
                mv: part.best.map(|(_, score)| score_of(score)),
                pass: part.non_move.map(score_of),
            };
            (part.part.position.occupied(), scores)
        })
        .collect()
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

/// Cut a position into parts
///
/// Pieces that cannot affect each other within so many plies belong to different parts. The weights are
/// those of the thesis: the least number of plies before one piece can affect another, the side to move
/// moving first.
#[utoipa::path(get, path = "/api/split", tag = "splits", params(GameQuery, ThresholdQuery),
    responses((status = 200, body = SplitBody), (status = 400, body = ErrorBody)))]
pub async fn split(
    State(shared): State<Shared>,
    Query(query): Query<GameQuery>,
    Query(ThresholdQuery { threshold, scores: scored }): Query<ThresholdQuery>,
) -> Result<Json<SplitBody>, ApiError> {
    let play = query.play()?;
    let threshold = threshold.unwrap_or(USUAL_THRESHOLD);
    let position = play.position();
    let causality = shared.causality(play.jungle().rules());
    let split = causality.split(position, position.turn(), threshold);
    let nodes = split.nodes();
    let mut found = Vec::new();
    if scored.unwrap_or(true) && split.parts().len() > 1 && play.ending().is_none() {
        let (rules, position) = (*play.jungle().rules(), position.clone());
        let _permit = shared.pictures.acquire().await.map_err(ApiError::internal)?;
        let task = tokio::task::spawn_blocking(move || scores(rules, &position, threshold));
        found = task.await.map_err(ApiError::internal)?;
    }
    let mut scores_of = |pieces: Bitboard| {
        let at = found.iter().position(|(known, _)| *known == pieces)?;
        Some(found.swap_remove(at).1)
    };
    let weight = |time: Time| time.get();
    Ok(Json(SplitBody {
        fen: position.to_string(),
        threshold,
        t_max: split.t_max().and_then(weight),
        tree: split
            .tree()
            .map(|edge| EdgeBody {
                one: nodes[edge.one].square.to_string(),
                other: nodes[edge.other].square.to_string(),
                weight: weight(edge.weight),
                cut: weight(edge.weight).is_none_or(|weight| weight > threshold),
            })
            .collect(),
        parts: split
            .parts()
            .iter()
            .map(|part| PartBody {
                pieces: squares(part.pieces),
                territory: squares(part.territory),
                fen: part.position(position, position.turn()).to_string(),
                scores: scores_of(part.pieces),
            })
            .collect(),
        owners: Square::ALL.into_iter().map(|square| split.owner(square)).collect(),
    }))
}

/// Whose cone.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SquareQuery {
    /// The square of the piece.
    #[param(example = "a3")]
    pub square: String,
}

/// An effect cone.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConeBody {
    /// The position.
    pub fen: String,
    /// Where the piece stands.
    pub square: String,
    /// The letter of the piece, capital for White.
    pub piece: char,
    /// Whose it is.
    pub side: &'static str,
    /// In how many plies the piece can be on each square, a1 first, along the ranks; none if never.
    pub plies: Vec<Option<u8>>,
    /// The same in moves of the piece.
    pub moves: Vec<Option<u8>>,
}

/// The effect cone of a piece
///
/// When the piece, alone on the board, could be on each square at the earliest.
#[utoipa::path(get, path = "/api/cone", tag = "splits", params(GameQuery, SquareQuery),
    responses((status = 200, body = ConeBody), (status = 400, body = ErrorBody)))]
pub async fn cone(
    State(shared): State<Shared>,
    Query(query): Query<GameQuery>,
    Query(SquareQuery { square }): Query<SquareQuery>,
) -> Result<Json<ConeBody>, ApiError> {
    let play = query.play()?;
    let position = play.position();
    let square: Square = square.parse().map_err(|error| ApiError::bad("square", error))?;
    let causality = shared.causality(play.jungle().rules());
    let graph = causality.graph(position, position.turn());
    let node = graph.nodes().iter().find(|node| node.square == square);
    let node =
        node.ok_or_else(|| ApiError::bad("no-piece", format!("there is no piece on {square}")))?;
    let cone = node.cone();
    let in_plies = cone.in_plies(node.piece.color, position.turn());
    Ok(Json(ConeBody {
        fen: position.to_string(),
        square: square.to_string(),
        piece: node.piece.letter(),
        side: side(node.piece.color),
        plies: Square::ALL.into_iter().map(|square| in_plies.at(square).get()).collect(),
        moves: Square::ALL.into_iter().map(|square| cone.at(square).get()).collect(),
    }))
}
