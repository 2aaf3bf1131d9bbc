//! The engine: analysis as a stream of events, a move at a level, and a review of a whole game.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use engine::{Chances, Level, Limits, Line};
use futures_core::Stream;
use game::score::{Score, Verdict};
use jungle::{Jungle, Play, Position};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use utoipa::{IntoParams, ToSchema};

use crate::Shared;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{GameQuery, Query};
use crate::moves;
use crate::searches::Ticket;

/// The longest that one request may search.
const LONGEST: Duration = Duration::from_secs(120);
/// The most nodes that one request may search.
const MOST_NODES: u64 = 4_000_000_000;
/// The most lines.
const MOST_LINES: usize = 5;
/// The least time between two events: more often than this nobody can read.
const PAUSE: Duration = Duration::from_millis(100);
/// How many events may wait for a slow client; the others are left out.
const BACKLOG: usize = 16;
/// What the strongest level thinks if not told otherwise.
const USUAL_THOUGHT: Duration = Duration::from_millis(2_000);
/// The longest thought for one move of a game.
const LONGEST_THOUGHT: Duration = Duration::from_secs(30);
/// The nodes a review spends on each position.
const REVIEW_NODES: u64 = 200_000;
/// The most nodes a review may spend on each position.
const MOST_REVIEW_NODES: u64 = 2_000_000;

/// The levels that the board offers, weakest first, and how well the engine plays at them.
pub const LEVELS: [(&str, u8); 8] = [
    ("rat", 0),
    ("cat", 3),
    ("dog", 6),
    ("wolf", 9),
    ("panther", 12),
    ("tiger", 15),
    ("lion", 18),
    ("elephant", 20),
];

/// What a line is worth.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ScoreBody {
    /// `estimate`, `win`, `loss` or `draw`, for the side to move.
    pub kind: &'static str,
    /// The estimate, or the plies to the win or loss.
    pub value: i32,
    /// The chances of the side to move in thousandths: win, draw, loss.
    #[schema(value_type = Vec<u16>)]
    pub chances: [u16; 3],
}

fn score(line: &Line) -> ScoreBody {
    let Chances { win, draw, loss } = line.chances;
    let (kind, value) = verdict(line.score);
    let kind = if line.drawn { "draw" } else { kind };
    ScoreBody { kind, value, chances: [win, draw, loss] }
}

/// A score without a line.
pub fn score_of(score: Score) -> ScoreBody {
    let Chances { win, draw, loss } = Chances::of(score);
    let (kind, value) = verdict(score);
    ScoreBody { kind, value, chances: [win, draw, loss] }
}

pub(crate) fn verdict(score: Score) -> (&'static str, i32) {
    match score.verdict() {
        Verdict::Win(plies) => ("win", plies as i32),
        Verdict::Loss(plies) => ("loss", plies as i32),
        Verdict::Estimate(value) => ("estimate", value),
    }
}

/// A line of play.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LineBody {
    /// How deep it was searched.
    pub depth: u32,
    /// What it is worth.
    pub score: ScoreBody,
    /// The moves as coordinates.
    pub moves: Vec<String>,
    /// The same in the papers' form.
    pub san: Vec<String>,
}

/// What the engine thinks at some moment.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Thought {
    /// How many plies were searched throughout.
    pub depth: u32,
    /// The most plies searched anywhere.
    pub seldepth: u32,
    /// The nodes so far.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// Positions found in the endgame tables.
    pub tbhits: u64,
    /// How full the engine's memory is, in thousandths.
    pub hashfull: u32,
    /// The time so far, in milliseconds.
    pub time: u64,
    /// Whether the search is over.
    pub done: bool,
    /// The best lines, best first.
    pub lines: Vec<LineBody>,
}

impl Thought {
    fn new(jungle: &Jungle, position: &Position, lines: &[Line], done: bool) -> Option<Thought> {
        let last = lines.iter().max_by_key(|line| line.nodes)?;
        let first = lines.first()?;
        Some(Thought {
            depth: first.depth,
            seldepth: first.seldepth,
            nodes: last.nodes,
            nps: last.nps(),
            tbhits: last.tbhits,
            hashfull: last.hashfull,
            time: last.time.as_millis() as u64,
            done,
            lines: lines
                .iter()
                .map(|line| {
                    let (moves, san) = moves::line(jungle, position, &line.pv);
                    LineBody { depth: line.depth, score: score(line), moves, san }
                })
                .collect(),
        })
    }
}

/// How long to search.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// How many lines, 1 to 5; 1 if left out.
    #[param(minimum = 1, maximum = 5)]
    pub lines: Option<usize>,
    /// At most so many plies.
    pub depth: Option<u32>,
    /// At most so many nodes.
    pub nodes: Option<u64>,
    /// At most so many seconds; 120 is the most.
    pub seconds: Option<f64>,
}

impl SearchQuery {
    fn limits(&self) -> Result<Limits, ApiError> {
        Ok(Limits {
            depth: self.depth.map(|depth| depth.clamp(1, 200)),
            nodes: Some(self.nodes.unwrap_or(MOST_NODES).clamp(1, MOST_NODES)),
            time: Some(time(self.seconds, LONGEST, LONGEST)?),
            ..Limits::default()
        })
    }

    fn lines(&self) -> Result<usize, ApiError> {
        let lines = self.lines.unwrap_or(1);
        if (1..=MOST_LINES).contains(&lines) {
            Ok(lines)
        } else {
            Err(ApiError::bad("lines", format!("{lines} lines: use 1 to {MOST_LINES}")))
        }
    }
}

/// A time asked for, cut off at the most.
pub(crate) fn time(
    seconds: Option<f64>,
    usual: Duration,
    most: Duration,
) -> Result<Duration, ApiError> {
    match seconds {
        None => Ok(usual),
        Some(seconds) if seconds > 0.0 => {
            Ok(Duration::try_from_secs_f64(seconds).unwrap_or(most).min(most))
        }
        Some(seconds) => Err(ApiError::bad(
            "seconds",
            format!("{seconds} is not a valid number of seconds to think for"),
        )),
    }
}

/// Events for a client; the search behind them ends when it goes.
pub struct Events {
    receiver: mpsc::Receiver<Event>,
    _ticket: Ticket,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context).map(|event| event.map(Ok))
    }
}

fn event(name: &str, body: &impl Serialize) -> Event {
    Event::default().event(name).json_data(body).unwrap_or_default()
}

fn over(play: &Play) -> Result<(), ApiError> {
    match play.ending() {
        Some(ending) => Err(ApiError::bad("game-over", format!("the game is over: {ending}"))),
        None => Ok(()),
    }
}

/// Analyse
///
/// A stream of server-sent events: `thought` whenever there is something new, the last one with `done`.
/// The search ends when the client goes. When all engines are busy the request waits for a while; when
/// too many wait, the answer is 503 with `Retry-After`.
#[utoipa::path(get, path = "/api/analyse", tag = "engine", params(GameQuery, SearchQuery),
    responses((status = 200, content_type = "text/event-stream", body = Thought),
              (status = 400, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn analyse(
    State(shared): State<Shared>,
    Query(query): Query<GameQuery>,
    Query(search): Query<SearchQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let play = query.play()?;
    over(&play)?;
    let (limits, lines) = (search.limits()?, search.lines()?);
    let mut slot = shared.searches.slot().await?;
    let tables = shared.tables.set(play.jungle().rules());
    let ticket = shared.searches.ticket();
    let control = ticket.0.clone();
    let (sender, receiver) = mpsc::channel(BACKLOG);
    slot.engine(lines, Level::FULL)?.set_tables(Some(tables));
    std::thread::spawn(move || {
        let (jungle, position) = (play.jungle().clone(), play.position().clone());
        let mut found: Vec<Line> = Vec::new();
        let mut told = Instant::now();
        let Ok(engine) = slot.engine(lines, Level::FULL) else { return };
        let answer = engine.think(&play, limits, &control, &mut |line: Line| {
            if sender.is_closed() {
                control.stop();
            }
            if line.pv.is_empty() {
                return;
            }
            let index = line.index.max(1) - 1;
            let is_last = index + 1 >= lines;
            found.truncate(lines);
            match found.get_mut(index) {
                Some(known) => *known = line,
                None => found.push(line),
            }
            if is_last && told.elapsed() >= PAUSE {
                told = Instant::now();
                if let Some(thought) = Thought::new(&jungle, &position, &found, false) {
                    // A client that reads too slowly misses a few.
                    let _ = sender.try_send(event("thought", &thought));
                }
            }
        });
        drop(slot);
        let lines = if answer.lines.is_empty() { found } else { answer.lines };
        if let Some(thought) = Thought::new(&jungle, &position, &lines, true) {
            let _ = sender.blocking_send(event("thought", &thought));
        }
    });
    Ok(Sse::new(Events { receiver, _ticket: ticket }).keep_alive(KeepAlive::default()))
}

/// How to play.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LevelQuery {
    /// `rat` (a beginner), `cat`, `dog`, `wolf`, `panther`, `tiger`, `lion` or `elephant` (as well as
    /// it can); `elephant` if left out.
    #[param(example = "cat")]
    pub level: Option<String>,
    /// How long the strongest level may think; 2 if left out, 30 at most.
    pub seconds: Option<f64>,
}

/// A move to play.
#[derive(Debug, Serialize, ToSchema)]
pub struct Best {
    /// Coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form.
    pub san: String,
    /// The level at which it was found.
    pub level: &'static str,
    /// What the engine thinks of it; the weaker levels do not tell.
    pub score: Option<ScoreBody>,
    /// What it expects to follow, this move first.
    pub line: Vec<String>,
}

/// A move at a level
#[utoipa::path(get, path = "/api/best", tag = "engine", params(GameQuery, LevelQuery),
    responses((status = 200, body = Best), (status = 400, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn best(
    State(shared): State<Shared>,
    Query(query): Query<GameQuery>,
    Query(wanted): Query<LevelQuery>,
) -> Result<Json<Best>, ApiError> {
    let play = query.play()?;
    over(&play)?;
    let name = wanted.level.as_deref().unwrap_or("elephant");
    let found = LEVELS.into_iter().find(|(known, _)| *known == name);
    let (name, number) = found.ok_or_else(|| {
        let names: Vec<&str> = LEVELS.iter().map(|(name, _)| *name).collect();
        ApiError::bad("level", format!("'{name}' is not a level: use one of {}", names.join(", ")))
    })?;
    let level = Level::new(number).unwrap_or(Level::FULL);
    let time = time(wanted.seconds, USUAL_THOUGHT, LONGEST_THOUGHT)?;
    let mut slot = shared.searches.slot().await?;
    let tables = shared.tables.set(play.jungle().rules());
    let ticket = shared.searches.ticket();
    let control = ticket.0.clone();
    let thinking = tokio::task::spawn_blocking(move || {
        let engine = slot.player(level)?;
        // Beginners do not know the endgame by heart.
        engine.set_tables((level == Level::FULL).then_some(tables));
        let answer = engine.think(&play, Limits::time(time), &control, &mut |_| ());
        Ok::<_, ApiError>((answer, play))
    });
    let (answer, play) = thinking.await.map_err(ApiError::internal)??;
    drop(ticket);
    let mv = answer.best.ok_or_else(|| ApiError::internal("the engine found no move"))?;
    let line = answer.lines.iter().find(|line| line.pv.first() == Some(&mv));
    Ok(Json(Best {
        mv: mv.to_string(),
        san: moves::san(play.jungle(), play.position(), mv),
        level: name,
        score: line.filter(|_| level == Level::FULL).map(score),
        line: line.map_or_else(Vec::new, |line| line.pv.iter().map(ToString::to_string).collect()),
    }))
}

/// How thoroughly to review.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReviewQuery {
    /// Nodes for each position, up to two million; 200,000 if left out.
    pub nodes: Option<u64>,
}

/// What the engine thinks of a position of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reviewed {
    /// How many moves had been played.
    pub ply: usize,
    /// How many positions there are.
    pub of: usize,
    /// What the position is worth to the side to move; none if the game is over.
    pub score: Option<ScoreBody>,
    /// The best move.
    pub best: Option<String>,
    /// The best line in the papers' form.
    pub san: Vec<String>,
    /// How the game ended, if it did.
    pub ending: Option<moves::EndingBody>,
}

/// Review a game
///
/// A stream of server-sent events, `position` for every position of the game from the first to the last,
/// and `done`.
#[utoipa::path(get, path = "/api/review", tag = "engine", params(GameQuery, ReviewQuery),
    responses((status = 200, content_type = "text/event-stream", body = Reviewed),
              (status = 400, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn review(
    State(shared): State<Shared>,
    Query(query): Query<GameQuery>,
    Query(wanted): Query<ReviewQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let whole = query.play()?;
    let nodes = wanted.nodes.unwrap_or(REVIEW_NODES).clamp(1_000, MOST_REVIEW_NODES);
    let mut slot = shared.searches.slot().await?;
    let tables = shared.tables.set(whole.jungle().rules());
    let ticket = shared.searches.ticket();
    let control = ticket.0.clone();
    let (sender, receiver) = mpsc::channel(BACKLOG);
    slot.engine(1, Level::FULL)?.set_tables(Some(tables));
    std::thread::spawn(move || {
        let Ok(mut play) = Play::new(whole.jungle().clone(), &whole.initial_setup()) else {
            return;
        };
        let end = Instant::now() + LONGEST;
        let of = whole.moves().len() + 1;
        for ply in 0..of {
            let Ok(engine) = slot.engine(1, Level::FULL) else { return };
            let ending = play.ending();
            let mut reviewed = Reviewed {
                ply,
                of,
                score: None,
                best: None,
                san: Vec::new(),
                ending: ending.map(moves::ending),
            };
            if ending.is_none() {
                let limits = Limits {
                    nodes: Some(nodes),
                    time: Some(end.saturating_duration_since(Instant::now())),
                    ..Limits::default()
                };
                let answer = engine.think(&play, limits, &control, &mut |_| ());
                if control.stopped() {
                    return;
                }
                reviewed.score = answer.lines.first().map(score);
                reviewed.best = answer.best.map(|mv| mv.to_string());
                let line = answer.lines.first().map_or(&[][..], |line| &line.pv);
                reviewed.san = moves::line(play.jungle(), play.position(), line).1;
            }
            if sender.blocking_send(event("position", &reviewed)).is_err() {
                return;
            }
            if let Some(&mv) = whole.moves().get(ply)
                && play.play(mv).is_err()
            {
                return;
            }
        }
        let _ = sender.blocking_send(event("done", &serde_json::json!({})));
    });
    Ok(Sse::new(Events { receiver, _ticket: ticket }).keep_alive(KeepAlive::default()))
}
