//! The stream of a duel: everything that happens, as it happens.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use duel::Key;
use futures_core::Stream;
use tokio::sync::mpsc;

use super::desk::OfDesk;
use super::limits::Streaming;
use super::{DuelQuery, SeatKey, check_guesses, count_wrong, look_with_key, named, view};
use crate::Shared;
use crate::analysis::Sent;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;

/// A client that hears nothing for longer knows that its connection is dead.
const ALIVE: Duration = Duration::from_secs(8);

/// What happens in a duel, for one client.
pub struct Happening {
    receiver: mpsc::Receiver<Event>,
    _streaming: Streaming<OfDesk>,
}

impl Stream for Happening {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context).map(|event| event.map(Ok))
    }
}

/// What happens in a game
///
/// A stream of server-sent events: `duel`, with a `View`, at once and whenever something has changed. A client that
/// reads slowly misses some, never the last. A line comes every few seconds even if nothing happens.
#[utoipa::path(get, path = "/api/duel/events", tag = "duel",
    params(DuelQuery, ("x-mousetrap-key" = Option<Key>, Header, description = "The key of a seat")),
    responses((status = 200, content_type = "text/event-stream", body = Sent), (status = 400, body = ErrorBody),
              (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 429, body = ErrorBody),
              (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn events(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<DuelQuery>,
    SeatKey(key): SeatKey,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let desk = &shared.duels;
    let id = named(&query)?;
    check_guesses(desk, client, id)?;
    let streaming = Streaming::new(OfDesk(Arc::clone(desk)), client)?;
    let live = desk.live(id);
    let mut versions = live.subscribe();
    versions.mark_changed();
    let may_see = |duel: &duel::Duel| view(duel, key.as_ref()).map(drop);
    count_wrong(desk, client, look_with_key(desk, client, &live, may_see).await)?;
    let (sender, receiver) = mpsc::channel(1);
    let (desk, mut closed) = (Arc::clone(desk), desk.closed());
    tokio::spawn(async move {
        loop {
            tokio::select! {
                changed = versions.changed() => if changed.is_err() { return },
                _ = closed.wait_for(|closed| *closed) => return,
                () = sender.closed() => return,
            }
            let seen = desk.look(&live, |duel| view(duel, key.as_ref())).await;
            // It comes back and asks again.
            let Ok(Ok(seen)) = seen else { return };
            let event = Event::default().event("duel").json_data(&seen).unwrap_or_default();
            if sender.send(event).await.is_err() {
                return;
            }
        }
    });
    let alive = KeepAlive::new().interval(ALIVE);
    Ok(Sse::new(Happening { receiver, _streaming: streaming }).keep_alive(alive))
}
