//! Duels: games between two people on two devices, over HTTP.
//!
//! Whoever invites gets links; the keys in them hold the seats, and nothing else does. What a player does is checked by the
//! crate [`duel`] and kept before it is answered (`desk`). Players and spectators hear of everything by a stream of
//! events, and may ask for the whole at any time.

pub(crate) mod desk;
mod limits;
mod qr;
mod stream;

use std::sync::Arc;

use answers::{Kind, Refusal};
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use duel::{
    Action, BadKey, BadTerms, Deed, Duel, DuelId, Event, Key, Opening, Pace, Refused, Stage, Terms,
    View,
};
use jungle::{Color, Rules};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use self::desk::{Desk, Live, now};
use self::limits::Kind as Limit;
pub use self::qr::{__path_qr, qr};
pub use self::stream::{__path_events, events};
use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{JsonBody, Query};

/// The header that holds the key of a seat.
const KEY_HEADER: &str = "x-mousetrap-key";

/// Threads for work that waits for the store: writing, tending, and reading some duels at once.
pub(crate) const BLOCKING: usize = 6;

/// Which side the host wants.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Wish {
    /// Red, who begins.
    White,
    /// Blue.
    Black,
    /// Either.
    #[default]
    Random,
}

/// An invitation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDuel {
    /// The key that will hold the host's seat: 128 random bits that the host's device made, as hexadecimal. Asking twice
    /// with the same key gives the same duel.
    #[schema(example = "00112233445566778899aabbccddeeff")]
    pub key: Key,
    /// The rules; `standard` if left out.
    pub rules: Option<String>,
    /// The side of the host.
    #[serde(default)]
    pub side: Wish,
    /// How much time there is.
    #[serde(default)]
    pub pace: Pace,
}

/// The acceptance of an invitation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Joining {
    /// The key of the invitation.
    #[schema(value_type = Key, example = "00112233445566778899aabbccddeeff")]
    pub invitation: String,
    /// The key that will hold the guest's seat; left out, nobody joins, and the answer shows what one is invited to.
    #[schema(example = "ffeeddccbbaa99887766554433221100")]
    pub key: Option<Key>,
}

/// Which duel.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DuelQuery {
    /// The name of a duel.
    #[param(value_type = String, example = "00112233445566778899aabbccddeeff")]
    pub id: String,
}

/// How links to this server begin.
#[derive(Debug, Serialize, ToSchema)]
pub struct Links {
    /// The address at which other devices in the network find the server, if it listens to them: `http://192.0.2.7:8089/`.
    pub network: Option<String>,
    /// What lets guests in, to be added to links as `?guest=…`, where the server asks for a token.
    pub guest: Option<String>,
}

/// The key in the header of a request, if there is one.
pub struct SeatKey(pub Option<Key>);

impl<S: Send + Sync> FromRequestParts<S> for SeatKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<SeatKey, ApiError> {
        let Some(value) = parts.headers.get(KEY_HEADER) else { return Ok(SeatKey(None)) };
        let key = value.to_str().ok().and_then(|text| text.parse().ok());
        key.map(|key| SeatKey(Some(key))).ok_or_else(|| bad_key(BadKey).into())
    }
}

fn bad_key(error: BadKey) -> Refusal {
    Refusal::because(Kind::Bad, "duel-key", error)
}

/// Why something is not done, as a refusal.
pub(crate) fn refusal(refused: Refused) -> Refusal {
    let code = match &refused {
        Refused::Alone => "duel-alone",
        Refused::Taken => "duel-taken",
        Refused::NoInvitation => "duel-invitation",
        Refused::Oneself => "duel-oneself",
        Refused::Over(_) => "duel-over",
        Refused::GoesOn => "duel-goes-on",
        Refused::Stale | Refused::Ahead(_) => "duel-stale",
        Refused::NotYourTurn => "duel-turn",
        Refused::NoOffer => "duel-no-offer",
        Refused::Enough => "duel-enough",
        Refused::NoMove => "duel-no-move",
        Refused::NotAMove(error) => return error.clone().into(),
        Refused::Illegal(error) => return error.clone().into(),
    };
    Refusal::because(Kind::Bad, code, refused)
}

/// Something that was refused as the state of the duel is: 409.
fn conflict(refusal: Refusal) -> ApiError {
    let is_state = refusal.kind == Kind::Bad && refusal.code.starts_with("duel-");
    if is_state { ApiError::new(StatusCode::CONFLICT, refusal) } else { refusal.into() }
}

/// The duel that a request is about.
fn named(query: &DuelQuery) -> Result<DuelId, Refusal> {
    query.id.parse().map_err(bad_key)
}

/// Counts a request for something that does not exist, or for a seat with a key that does not hold it.
fn count_wrong<T>(desk: &Desk, client: Client, found: Result<T, Refusal>) -> Result<T, ApiError> {
    found.map_err(|refusal| {
        if matches!(refusal.code, "no-such-duel" | "duel-seat" | "duel-invitation")
            && let Err(too_often) = desk.limits.take(client, Limit::Wrong)
        {
            return too_often;
        }
        let status = if refusal.code == "duel-seat" {
            StatusCode::FORBIDDEN
        } else {
            return conflict(refusal);
        };
        ApiError::new(status, refusal)
    })
}

/// Refuses somebody who has guessed too often; not where the duel is in memory, so that others at the same address go on.
fn check_guesses(desk: &Desk, client: Client, id: DuelId) -> Result<(), ApiError> {
    if desk.knows(id) { Ok(()) } else { desk.limits.check(client, Limit::Wrong) }
}

/// Looks at a duel with a key. One that seems to hold no seat may have joined at another server a moment ago: then the
/// duel is read again, unless whoever asks has guessed too often.
async fn look_with_key<T>(
    desk: &Arc<Desk>,
    client: Client,
    live: &Live,
    at: impl Fn(&Duel) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    match desk.look(live, &at).await? {
        Err(refusal)
            if refusal.code == "duel-seat" && desk.limits.check(client, Limit::Wrong).is_ok() =>
        {
            live.doubt();
            desk.look(live, &at).await?
        }
        seen => seen,
    }
}

fn no_seat() -> Refusal {
    Refusal::bad("duel-seat", "this key holds no seat in this game: copy the whole link")
}

/// What the holder of a key sees of a duel.
fn view(duel: &Duel, key: Option<&Key>) -> Result<View, Refusal> {
    let you = key.map(|key| duel.seat_of(key).ok_or_else(no_seat)).transpose()?;
    Ok(View::of(duel, you, key, now()))
}

/// Invite somebody to a game
///
/// When this is answered, the game is kept. The answer has the key of the invitation; whoever has that may join.
#[utoipa::path(post, path = "/api/duel/new", tag = "duel", request_body = NewDuel,
    responses((status = 200, body = View), (status = 400, body = ErrorBody), (status = 408, body = ErrorBody),
              (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), (status = 422, body = ErrorBody),
              (status = 429, body = ErrorBody), (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn begin(
    State(shared): State<Shared>,
    client: Client,
    JsonBody(body): JsonBody<NewDuel>,
) -> Result<Json<View>, ApiError> {
    let rules: Rules =
        body.rules.as_deref().unwrap_or("standard").parse().map_err(Refusal::from)?;
    let bad = |error: BadTerms| Refusal::because(Kind::Bad, "duel-pace", error);
    let terms = Terms { rules, pace: body.pace.checked().map_err(bad)? };
    let desk = &shared.duels;
    desk.limits.take(client, Limit::Begin)?;
    let side = match body.side {
        Wish::White => Color::White,
        Wish::Black => Color::Black,
        // The name is as random as the key that it follows from.
        Wish::Random => Color::ALL[usize::from(body.key.hash().to_string().as_bytes()[0] & 1)],
    };
    let opening = Opening::invite(&body.key, terms, side, now());
    let id = opening.id;
    desk.begin(opening).await?;
    let live = desk.live(id);
    let view = desk.look(&live, |duel| view(duel, Some(&body.key))).await??;
    Ok(Json(view))
}

/// Accept an invitation
///
/// Or, without a key, see what one is invited to. Accepting twice with the same key is accepting once.
#[utoipa::path(post, path = "/api/duel/join", tag = "duel", request_body = Joining,
    responses((status = 200, body = View), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
              (status = 408, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
              (status = 415, body = ErrorBody), (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
              (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn join(
    State(shared): State<Shared>,
    client: Client,
    JsonBody(body): JsonBody<Joining>,
) -> Result<Json<View>, ApiError> {
    let desk = &shared.duels;
    let Joining { invitation, key } = body;
    let invitation: Key = invitation.parse().map_err(bad_key)?;
    let id = invitation.duel();
    check_guesses(desk, client, id)?;
    let Some(key) = key else {
        let live = desk.live(id);
        let seen = desk.look(&live, |duel| view(duel, None)).await.and_then(|seen| seen);
        return Ok(Json(count_wrong(desk, client, seen)?));
    };
    desk.limits.take(client, Limit::Act)?;
    let joining = key.clone();
    let joined = desk.change(id, move |duel, _| duel.join(&invitation, &joining)).await;
    let joined = count_wrong(desk, client, joined)?;
    Ok(Json(view(&joined, Some(&key))?))
}

/// A game between two people
///
/// As the holder of the key in the header sees it; without a key as a spectator does.
#[utoipa::path(get, path = "/api/duel", tag = "duel",
    params(DuelQuery, ("x-mousetrap-key" = Option<Key>, Header, description = "The key of a seat")),
    responses((status = 200, body = View), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
              (status = 404, body = ErrorBody), (status = 429, body = ErrorBody), (status = 500, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn show(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<DuelQuery>,
    SeatKey(key): SeatKey,
) -> Result<Json<View>, ApiError> {
    let desk = &shared.duels;
    let id = named(&query)?;
    check_guesses(desk, client, id)?;
    let live = desk.live(id);
    let seen = look_with_key(desk, client, &live, |duel| view(duel, key.as_ref())).await;
    Ok(Json(count_wrong(desk, client, seen)?))
}

/// Do something in a game
///
/// Move, offer, accept, decline, resign, or say something. When this is answered, it is kept: it survives a server that
/// is killed. A move that is sent again because the answer was lost is made once.
#[utoipa::path(post, path = "/api/duel/act", tag = "duel", request_body = Action,
    params(DuelQuery, ("x-mousetrap-key" = Key, Header, description = "The key of a seat")),
    responses((status = 200, body = View), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
              (status = 404, body = ErrorBody), (status = 408, body = ErrorBody), (status = 409, body = ErrorBody),
              (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), (status = 422, body = ErrorBody),
              (status = 429, body = ErrorBody), (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn act(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<DuelQuery>,
    SeatKey(key): SeatKey,
    JsonBody(action): JsonBody<Action>,
) -> Result<Json<View>, ApiError> {
    let desk = &shared.duels;
    let id = named(&query)?;
    check_guesses(desk, client, id)?;
    desk.limits.take(client, Limit::Act)?;
    // Whether there is such a seat is asked first: who has none learns nothing of the game's rules for moves.
    let live = desk.live(id);
    let seat = key.as_ref().ok_or_else(no_seat);
    let seat = match seat {
        Ok(key) => {
            let seat = |duel: &Duel| {
                let seat = duel.seat_of(key).ok_or_else(no_seat)?;
                Ok((seat, duel.stage() == Stage::Over && duel.play().moves().len() < 2))
            };
            look_with_key(desk, client, &live, seat).await
        }
        Err(refusal) => Err(refusal),
    };
    drop(live);
    let (seat, was_called_off) = count_wrong(desk, client, seat)?;
    if was_called_off && matches!(action.deed, Deed::Offer { .. } | Deed::Accept { .. }) {
        // Another game after one that was hardly begun is as an invitation.
        desk.limits.take(client, Limit::Begin)?;
    }
    let done = desk.change(id, move |duel, now| -> Result<Vec<Event>, Refused> {
        duel.decide(seat, &action, now)
    });
    let duel = done.await.map_err(conflict)?;
    Ok(Json(view(&duel, key.as_ref())?))
}

/// How links to this server begin
#[utoipa::path(get, path = "/api/duel/links", tag = "duel", responses((status = 200, body = Links)))]
pub async fn links(State(shared): State<Shared>) -> Json<Links> {
    let network = shared.network.map(|address| format!("http://{address}/"));
    Json(Links { network, guest: shared.guest.clone() })
}
