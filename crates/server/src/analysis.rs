//! The engine: analysis as a stream of events, a move at a level, and a review of a whole game.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use answers::{Best, GameRequest, LevelRequest, Refusal, ReviewRequest, SearchRequest};
use axum::Json;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use engine::Level;
use futures_core::Stream;
use game::limits::Limits;
use jungle::{Play, Rules};
use serde::Serialize;
use tokio::sync::mpsc;
use utoipa::ToSchema;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;
use crate::queue::in_place;
use crate::searches::{Slot, Ticket};

/// How many events may wait for a slow client; the others are left out.
const BACKLOG: usize = 16;
/// When to come back, in seconds, if no thread can be started.
const RETRY_AFTER: u16 = 5;
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
#[utoipa::path(get, path = "/api/analyse", tag = "engine", params(GameRequest, SearchRequest),
    responses((status = 200, content_type = "text/event-stream", body = Sent),
              (status = 400, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn analyse(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(search): Query<SearchRequest>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let play = query.unfinished()?;
    let (limits, lines) = (search.limits()?, search.lines()?);
    let mut slot = analyst(&shared, client, *play.jungle().rules(), lines).await?;
    let ticket = slot.ticket();
    let control = ticket.0.clone();
    let (sender, receiver) = mpsc::channel(BACKLOG);
    start(move || {
        let Ok(engine) = slot.engine(lines, Level::FULL) else { return };
        let answer = answers::analyse(engine, &play, limits, &control, |analysis| {
            // A client that reads too slowly misses a few.
            let _ = sender.try_send(event("thought", &analysis));
        });
        drop(slot);
        let _ = sender.blocking_send(event("thought", &answer));
    })?;
    Ok(Sse::new(Events { receiver, _ticket: ticket }).keep_alive(KeepAlive::default()))
}

/// Runs a search on a thread of its own.
fn start(search: impl FnOnce() + Send + 'static) -> Result<(), Refusal> {
    let started = std::thread::Builder::new().spawn(search).map(drop);
    started.map_err(|error| Refusal::busy(format!("no thread for a search: {error}"), RETRY_AFTER))
}

/// A move at a level
#[utoipa::path(get, path = "/api/best", tag = "engine", params(GameRequest, LevelRequest),
    responses((status = 200, body = Best), (status = 400, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn best(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(wanted): Query<LevelRequest>,
) -> Result<Json<Best>, ApiError> {
    let play = query.unfinished()?;
    let ((name, level), limits) = (wanted.level()?, wanted.limits()?);
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
        Best::choose(engine, &play, (name, level), limits, &control)
    });
    let best = best.await?;
    drop(ticket);
    Ok(Json(best))
}

/// Review a game
///
/// A stream of server-sent events: `position`, with a `Review`, for every position of the game from the first to the
/// last, and `done`.
#[utoipa::path(get, path = "/api/review", tag = "engine", params(GameRequest, ReviewRequest),
    responses((status = 200, content_type = "text/event-stream", body = Sent),
              (status = 400, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn review(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<GameRequest>,
    Query(wanted): Query<ReviewRequest>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let whole = query.play()?;
    let slot = analyst(&shared, client, *whole.jungle().rules(), 1).await?;
    let ticket = slot.ticket();
    let control = ticket.0.clone();
    // Room for all events: an engine never waits for a client to read.
    let (sender, receiver) = mpsc::channel(whole.moves().len() + 2);
    start(move || run_review(slot, &whole, wanted.limits(), &control, &sender))?;
    Ok(Sse::new(Events { receiver, _ticket: ticket }).keep_alive(KeepAlive::default()))
}

fn run_review(
    mut slot: Slot,
    whole: &Play,
    limits: impl Fn() -> Limits,
    control: &engine::Control,
    sender: &mpsc::Sender<Event>,
) {
    let Ok(engine) = slot.engine(1, Level::FULL) else { return };
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
