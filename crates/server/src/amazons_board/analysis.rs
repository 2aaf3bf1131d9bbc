//! What the searches say about a position of Amazons: plain alpha-beta, alpha-beta over regions with the values
//! that it adds up, and the exact solver of endgames.
//!
//! A search has nodes and seconds, both bounded, takes one of the places that all searches share, and ends when
//! its client goes. The exact solver counts steps and knows no clock; it is given steps in growing portions, and
//! between two of them the clock and the client are looked at. It keeps what it has learned, so at most
//! about half of the work is done twice.

use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons::divide::{Divide, SubBoard};
use amazons::evaluate::Weights;
use amazons::exact::{Solver, TooHard};
use amazons::region;
use amazons::{Amazons, Move, Position};
use axum::Json;
use axum::extract::State;
use game::limits::StopFlag;
use game::score::{Score, Verdict};
use game::{Game, Side};
use search::{Limits, Meter, Schedule, deepen};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{AmazonsQuery, AmazonsRegion, side, winner};
use crate::Shared;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;

/// What a search may spend if not told otherwise, and at most.
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
/// Beyond this an exact value in words helps nobody.
const LONGEST_VALUE: usize = 40;

/// How to search.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AmazonsSearch {
    /// `plain` (alpha-beta), `regions` (alpha-beta over regions) or `exact` (who wins, for endgames); `regions`
    /// if left out.
    #[param(example = "regions")]
    pub algorithm: Option<String>,
    /// At most so many positions, or steps of the exact solver; 200,000 if left out. Ten million, or a million
    /// steps, is the most.
    #[param(minimum = 1)]
    pub nodes: Option<u64>,
    /// At most so many seconds; 3 if left out, 15 at most.
    pub seconds: Option<f64>,
    /// At most so many plies.
    #[param(minimum = 1)]
    pub depth: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {
    Plain,
    Regions,
    Exact,
}

impl Algorithm {
    const ALL: [(&'static str, Algorithm); 3] =
        [("plain", Algorithm::Plain), ("regions", Algorithm::Regions), ("exact", Algorithm::Exact)];
}

impl AmazonsSearch {
    fn algorithm(&self) -> Result<(&'static str, Algorithm), ApiError> {
        let wanted = self.algorithm.as_deref().unwrap_or("regions");
        let found = Algorithm::ALL.into_iter().find(|(name, _)| *name == wanted);
        found.ok_or_else(|| {
            let message = format!("'{wanted}' is not an algorithm: use plain, regions or exact");
            ApiError::bad("algorithm", message)
        })
    }

    fn limits(&self) -> Result<Limits, ApiError> {
        Ok(Limits::nodes(self.nodes.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES))
            .with_time(crate::analysis::time(self.seconds, USUAL_TIME, LONGEST)?)
            .with_depth(self.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST)))
    }
}

/// What a search says about a position of Amazons.
#[derive(Debug, Serialize, ToSchema)]
pub struct AmazonsAnalysis {
    /// Which search: `plain`, `regions` or `exact`.
    pub algorithm: &'static str,
    /// The position.
    pub fen: String,
    /// Who is to move.
    pub turn: &'static str,
    /// What the position is worth to the side to move; the exact solver knows no estimates.
    pub score: Option<AmazonsScore>,
    /// The best move; the exact solver has one if it wins.
    pub best: Option<String>,
    /// Who wins with best play, if that was found out for certain.
    pub winner: Option<&'static str>,
    /// How many plies were searched throughout.
    pub depth: u32,
    /// The positions visited, or the steps of the exact solver.
    pub nodes: u64,
    /// The time taken, in milliseconds.
    pub time: u64,
    /// The regions in which somebody can move, with their values: for `regions` where arrows cut the board, and
    /// for `exact`.
    pub parts: Vec<AmazonsPart>,
}

/// What a position is worth.
#[derive(Debug, Serialize, ToSchema)]
pub struct AmazonsScore {
    /// `estimate`, `win` or `loss`, for the side to move.
    pub kind: &'static str,
    /// The estimate, in hundredths of a square of territory, or the plies to the win or loss.
    pub value: i32,
}

impl From<Score> for AmazonsScore {
    fn from(score: Score) -> AmazonsScore {
        let (kind, value) = crate::analysis::verdict(score);
        AmazonsScore { kind, value }
    }
}

/// A region and what it is worth. The value of the board by regions is the sum of `pass` over all of them and
/// the largest difference of `move` and `pass`.
#[derive(Debug, Serialize, ToSchema)]
pub struct AmazonsPart {
    /// The region.
    pub region: AmazonsRegion,
    /// What it is worth to the side to move if she moves in it; none if she cannot.
    #[serde(rename = "move")]
    pub mv: Option<i32>,
    /// What it is worth to the side to move if she moves elsewhere.
    pub pass: Option<i32>,
    /// The best move in it.
    pub best: Option<String>,
    /// By `exact`: its value as a combinatorial game, White's moves positive, if that is short enough to tell.
    pub value: Option<String>,
}

/// Analyse a position of Amazons
///
/// Deeper and deeper until the nodes, the seconds or the depth are used up, or, with `exact`, who wins for
/// certain if that can be found out within so many steps. When all places for searches are taken the request
/// waits for a while; when too many wait, the answer is 503 with `Retry-After`.
#[utoipa::path(get, path = "/api/amazons/analyse", tag = "amazons", params(AmazonsQuery, AmazonsSearch),
    responses((status = 200, body = AmazonsAnalysis), (status = 400, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn analyse(
    State(shared): State<Shared>,
    Query(query): Query<AmazonsQuery>,
    Query(search): Query<AmazonsSearch>,
) -> Result<Json<AmazonsAnalysis>, ApiError> {
    let (position, _) = query.play()?;
    let ((name, algorithm), limits) = (search.algorithm()?, search.limits()?);
    if let Some(winner) = winner(&position) {
        let message = format!("the game is over: {} wins", amazons::player_name(winner));
        return Err(ApiError::bad("game-over", message));
    }
    let place = shared.searches.place().await?;
    let ticket = shared.searches.flag();
    let limits = limits.with_stop(Arc::clone(&ticket.0));
    let thinking = tokio::task::spawn_blocking(move || {
        let _place = place;
        let begun = Instant::now();
        let mut found = match algorithm {
            Algorithm::Plain => {
                searched(&mut Divide::plain(Weights::default()), &position, &limits)
            }
            Algorithm::Regions => {
                let mut search = Divide::new(Weights::default());
                let mut found = searched(&mut search, &position, &limits);
                found.parts = parts(&mut search, &position, found.depth, &limits);
                found
            }
            Algorithm::Exact => solved(&position, &limits),
        };
        found.algorithm = name;
        found.time = begun.elapsed().as_millis() as u64;
        found
    });
    let found = thinking.await.map_err(ApiError::internal)?;
    drop(ticket);
    Ok(Json(found))
}

/// Nothing yet.
fn unknown(position: &Position) -> AmazonsAnalysis {
    AmazonsAnalysis {
        algorithm: "",
        fen: position.to_string(),
        turn: side(position.turn()),
        score: None,
        best: None,
        winner: None,
        depth: 0,
        nodes: 0,
        time: 0,
        parts: Vec::new(),
    }
}

fn searched(search: &mut Divide, position: &Position, limits: &Limits) -> AmazonsAnalysis {
    // Whoever cannot move in a region waits there, so that filling it takes two plies a square.
    let last = limits.last_depth().min(2 * position.empty().len());
    let limits = limits.clone().with_depth(last);
    let report = deepen(search, position, Schedule::EVERY_PLY, &limits, |_| ());
    let winner = match report.score.verdict() {
        Verdict::Win(_) => Some(position.turn()),
        Verdict::Loss(_) => Some(!position.turn()),
        Verdict::Estimate(_) => None,
    };
    AmazonsAnalysis {
        score: Some(report.score.into()),
        best: report.best().map(|mv| mv.to_string()),
        winner: winner.map(side),
        depth: report.depth,
        nodes: report.nodes,
        ..unknown(position)
    }
}

/// The values that the search has added up; it remembers them, so that this costs next to nothing.
fn parts(
    search: &mut Divide,
    position: &Position,
    depth: u32,
    limits: &Limits,
) -> Vec<AmazonsPart> {
    let found = search.sub_boards(position, depth, &mut Meter::new(limits)).unwrap_or_default();
    let part = |part: SubBoard| AmazonsPart {
        region: AmazonsRegion::new(position, &part.region),
        mv: part.moving.map(|found| found.value),
        pass: Some(part.non_move),
        best: part.moving.and_then(|found| found.best).map(|mv| mv.to_string()),
        value: None,
    };
    found.into_iter().map(part).collect()
}

/// The exact solver within its limits.
struct Patient<'a> {
    solver: Solver,
    steps: u64,
    deadline: Instant,
    stop: Option<&'a StopFlag>,
}

impl Patient<'_> {
    fn left(&self) -> u64 {
        let stopped = self.stop.is_some_and(StopFlag::is_raised);
        if stopped || Instant::now() >= self.deadline {
            return 0;
        }
        self.steps.saturating_sub(self.solver.steps())
    }

    /// Who wins, if there are steps and time enough.
    fn winner(&mut self, position: &Position) -> Option<Side> {
        let mut portion = FIRST_STEPS;
        loop {
            let limit = portion.min(self.left());
            if limit == 0 {
                return None;
            }
            match self.solver.winner(position, limit) {
                Ok(player) => return Some(player),
                Err(TooHard { .. }) => portion *= 2,
            }
        }
    }

    fn winning_move(&mut self, position: &Position) -> Option<Move> {
        let wins = |mv: &Move| {
            self.winner(&Amazons.after(position, *mv)).is_some_and(|who| who == position.turn())
        };
        Amazons.moves(position).into_iter().find(wins)
    }

    fn value(&mut self, part: &Position) -> Option<String> {
        let value = self.solver.describe(part, VALUE_STEPS.min(self.left()))?;
        Some(value).filter(|text| text.len() <= LONGEST_VALUE)
    }
}

fn solved(position: &Position, limits: &Limits) -> AmazonsAnalysis {
    let mut solver = Patient {
        solver: Solver::new(),
        steps: limits.nodes.unwrap_or(USUAL_NODES).min(MOST_STEPS),
        deadline: Instant::now() + limits.time.unwrap_or(USUAL_TIME),
        stop: limits.stop.as_ref(),
    };
    let winner = solver.winner(position);
    let best = match winner {
        Some(player) if player == position.turn() => solver.winning_move(position),
        _ => None,
    };
    let regions = region::regions(position);
    let parts = regions.iter().filter(|region| region.kind.is_executing()).map(|region| {
        let value = solver.value(&position.restricted(region.squares));
        let region = AmazonsRegion::new(position, region);
        AmazonsPart { region, mv: None, pass: None, best: None, value }
    });
    let parts = parts.collect();
    AmazonsAnalysis {
        best: best.map(|mv| mv.to_string()),
        winner: winner.map(side),
        nodes: solver.solver.steps(),
        parts,
        ..unknown(position)
    }
}
