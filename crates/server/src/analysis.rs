//! The engine: analysis as a stream of events, a move at a level, and a review of a whole game.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use answers::{Analysis, Best, GameRequest, Refusal};
use axum::Json;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use engine::{Level, Line};
use futures_core::Stream;
use game::limits::Limits;
use jungle::{Play, Rules};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use utoipa::{IntoParams, ToSchema};

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;
use crate::queue::in_place;
use crate::searches::{Slot, Ticket};

/// The longest that one request may search.
const LONGEST: Duration = Duration::from_secs(120);
/// The most nodes that one request may search.
const MOST_NODES: u64 = 4_000_000_000;
/// The most lines.
const MOST_LINES: usize = 5;
/// The least time between two events.
const PAUSE: Duration = Duration::from_millis(100);
/// How many events may wait for a slow client; the others are left out.
const BACKLOG: usize = 16;
/// The default time of the strongest level.
const USUAL_THOUGHT: Duration = Duration::from_millis(2_000);
/// When to come back, in seconds, if no thread can be started.
const RETRY_AFTER: u16 = 5;
/// The longest thought for one move of a game.
const LONGEST_THOUGHT: Duration = Duration::from_secs(30);
/// The nodes a review spends on each position.
const REVIEW_NODES: u64 = 200_000;
/// The most nodes a review may spend on each position.
const MOST_REVIEW_NODES: u64 = 2_000_000;

/// How long to search.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// How many lines, 1 to 5; 1 if left out.
    #[param(minimum = 1, maximum = 5)]
    pub lines: Option<usize>,
    /// At most this many plies.
    pub depth: Option<u32>,
    /// At most this many nodes.
    pub nodes: Option<u64>,
    /// At most this many seconds; 120 is the most.
    pub seconds: Option<f64>,
}

impl SearchQuery {
    fn limits(&self) -> Result<Limits, Refusal> {
        Ok(Limits {
            depth: self.depth.map(|depth| depth.clamp(1, 200)),
            nodes: Some(self.nodes.unwrap_or(MOST_NODES).clamp(1, MOST_NODES)),
            time: Some(time(self.seconds, LONGEST, LONGEST)?),
            ..Limits::default()
        })
    }

    fn lines(&self) -> Result<usize, Refusal> {
        let lines = self.lines.unwrap_or(1);
        if (1..=MOST_LINES).contains(&lines) {
            Ok(lines)
        } else {
            Err(Refusal::bad("lines", format!("{lines} lines: use 1 to {MOST_LINES}")))
        }
    }
}

/// A requested time, cut off at the most.
pub(crate) fn time(
    seconds: Option<f64>,
    usual: Duration,
    most: Duration,
) -> Result<Duration, Refusal> {
    match seconds {
        None => Ok(usual),
        Some(seconds) if seconds > 0.0 => {
            Ok(Duration::try_from_secs_f64(seconds).unwrap_or(most).min(most))
        }
        Some(seconds) => {
            Err(Refusal::bad("seconds", format!("{seconds} is not a valid number of seconds")))
        }
    }
}

/// A server-sent event.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub struct Sent {
    /// Its name.
    event: String,
    /// JSON, as text.
    data: String,
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

/// An engine with this many lines and the tables, as soon as one is free.
async fn analyst(
    shared: &Shared,
    client: Client,
    rules: Rules,
    lines: usize,
) -> Result<Slot, Refusal> {
    let mut slot = shared.searches.slot(client).await?;
    shared.metrics.search();
    let state = Arc::clone(shared);
    in_place((), move || {
        let tables = state.tables.set(&rules)?;
        slot.engine(lines, Level::FULL)?.set_tables(Some(tables));
        Ok::<_, Refusal>(slot)
    })
    .await
}

/// Analyse
///
/// A stream of server-sent events: `thought`, with an `Analysis`, whenever there is something new, the last one with
/// `done`.
/// The search ends when the client goes. When all engines are busy the request waits for a while; when
/// too many wait, the answer is 503 with `Retry-After`.
#[utoipa::path(get, path = "/api/analyse", tag = "engine", params(GameRequest, SearchQuery),
    responses((status = 200, content_type = "text/event-stream", body = Sent),
              (status = 400, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn analyse(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(search): Query<SearchQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let play = query.unfinished()?;
    let (limits, lines) = (search.limits()?, search.lines()?);
    let mut slot = analyst(&shared, client, *play.jungle().rules(), lines).await?;
    let ticket = slot.ticket();
    let control = ticket.0.clone();
    let (sender, receiver) = mpsc::channel(BACKLOG);
    start(move || {
        let mut news = News::new(lines);
        let Ok(engine) = slot.engine(lines, Level::FULL) else { return };
        let answer = engine.think(&play, limits, &control, &mut |line: Line| {
            if sender.is_closed() {
                control.stop();
            }
            if let Some(lines) = news.take(line) {
                // A client that reads too slowly misses a few.
                let _ = sender.try_send(event("thought", &Analysis::so_far(&play, lines)));
            }
        });
        drop(slot);
        let _ = sender.blocking_send(event("thought", &Analysis::new(&play, &answer)));
    })?;
    Ok(Sse::new(Events { receiver, _ticket: ticket }).keep_alive(KeepAlive::default()))
}

/// Runs a search on a thread of its own.
fn start(search: impl FnOnce() + Send + 'static) -> Result<(), Refusal> {
    let started = std::thread::Builder::new().spawn(search).map(drop);
    started.map_err(|error| Refusal::busy(format!("no thread for a search: {error}"), RETRY_AFTER))
}

/// The latest lines of a search, reported now and then.
struct News {
    wanted: usize,
    lines: Vec<Line>,
    last_sent: Instant,
}

impl News {
    fn new(wanted: usize) -> News {
        News { wanted, lines: Vec::new(), last_sent: Instant::now() }
    }

    /// Adds a line; returns all lines, if it is time to report them.
    fn take(&mut self, line: Line) -> Option<&[Line]> {
        if line.pv.is_empty() {
            return None;
        }
        let index = line.index.max(1) - 1;
        match self.lines.get_mut(index) {
            Some(known) => *known = line,
            None => self.lines.push(line),
        }
        let is_time = index + 1 >= self.wanted && self.last_sent.elapsed() >= PAUSE;
        if is_time {
            self.last_sent = Instant::now();
        }
        is_time.then_some(&self.lines)
    }
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

/// A move at a level
#[utoipa::path(get, path = "/api/best", tag = "engine", params(GameRequest, LevelQuery),
    responses((status = 200, body = Best), (status = 400, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn best(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(wanted): Query<LevelQuery>,
) -> Result<Json<Best>, ApiError> {
    let play = query.unfinished()?;
    let (name, level) = answers::level(wanted.level.as_deref().unwrap_or("elephant"))?;
    let time = time(wanted.seconds, USUAL_THOUGHT, LONGEST_THOUGHT)?;
    let mut slot = shared.searches.slot(client).await?;
    shared.metrics.search();
    let ticket = slot.ticket();
    let (control, state) = (ticket.0.clone(), Arc::clone(&shared));
    let best = in_place((), move || {
        let engine = slot.player(level)?;
        // The beginners' levels play without endgame tables.
        let tables = match level {
            Level::FULL => Some(state.tables.set(play.jungle().rules())?),
            _ => None,
        };
        engine.set_tables(tables);
        let answer = engine.think(&play, Limits::time(time), &control, &mut |_| ());
        let best = Best::new(&play, &answer, (name, level));
        best.ok_or_else(|| Refusal::failed("the engine found no move"))
    });
    let best = best.await?;
    drop(ticket);
    Ok(Json(best))
}

/// How thoroughly to review.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReviewQuery {
    /// Nodes for each position, up to two million; 200,000 if left out.
    pub nodes: Option<u64>,
}

/// Review a game
///
/// A stream of server-sent events: `position`, with a `Review`, for every position of the game from the first to the
/// last, and `done`.
#[utoipa::path(get, path = "/api/review", tag = "engine", params(GameRequest, ReviewQuery),
    responses((status = 200, content_type = "text/event-stream", body = Sent),
              (status = 400, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn review(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(wanted): Query<ReviewQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let whole = query.play()?;
    let nodes = wanted.nodes.unwrap_or(REVIEW_NODES).clamp(1_000, MOST_REVIEW_NODES);
    let slot = analyst(&shared, client, *whole.jungle().rules(), 1).await?;
    let ticket = slot.ticket();
    let control = ticket.0.clone();
    // Room for all events: an engine never waits for a client to read.
    let (sender, receiver) = mpsc::channel(whole.moves().len() + 2);
    start(move || run_review(slot, &whole, nodes, &control, &sender))?;
    Ok(Sse::new(Events { receiver, _ticket: ticket }).keep_alive(KeepAlive::default()))
}

fn run_review(
    mut slot: Slot,
    whole: &Play,
    nodes: u64,
    control: &engine::Control,
    sender: &mpsc::Sender<Event>,
) {
    let Ok(engine) = slot.engine(1, Level::FULL) else { return };
    let end = Instant::now() + LONGEST;
    let limits = || Limits {
        nodes: Some(nodes),
        time: Some(end.saturating_duration_since(Instant::now())),
        ..Limits::default()
    };
    let is_done = answers::review(engine, whole, control, limits, |reviewed| {
        match sender.try_send(event("position", &reviewed)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    if is_done {
        let _ = sender.try_send(event("done", &serde_json::json!({})));
    }
}
