//! Games that are kept, and the opening explorer.
//!
//! Games are the owner's: others may see the book alone. A database that is locked, damaged or on a full disk is an error
//! of these requests and of no others; it is opened again at the next one.

use std::sync::Arc;

use answers::games::{
    self, Deleted, Explorer, ExplorerRequest, ExportedGames, GameList, GamesRequest, IdRequest,
    ImportRequest, ImportedGames, OpenedGame, Shelves,
};
use answers::record::Record;
use answers::{GameRequest, Refusal};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use library::{Kept, Source, book};

use crate::Shared;
use crate::access::IsOwner;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{JsonBody, Query, TextBody};

/// Answers a question about games on a thread for work that waits.
async fn ask<T: Send + 'static>(
    shared: Shared,
    client: Client,
    allowed: bool,
    question: impl FnOnce(Shelves<'_>) -> Result<T, Refusal> + Send + 'static,
) -> Result<Json<T>, ApiError> {
    if !allowed {
        let message = "games are kept for the owner of this server: open the board on the same machine, or start the \
                       server with `--token` and open the address that it prints";
        return Err(ApiError::new(StatusCode::FORBIDDEN, Refusal::bad("not-owner", message)));
    }
    let games = Arc::clone(&shared.games);
    let answer = shared
        .work
        .run(client, move || question(Shelves { store: &*games, book: &|| Some(book::shipped()) }));
    Ok(Json(answer.await?))
}

/// The book is for everybody.
fn is_book(source: Option<&str>) -> bool {
    source == Some(Source::Book.name())
}

/// Games that are kept
///
/// The latest first. All conditions hold together. The book's games are listed with `source=book` only.
#[utoipa::path(get, path = "/api/games", tag = "games", params(GamesRequest),
    responses((status = 200, body = GameList), (status = 400, body = ErrorBody),
              (status = 403, body = ErrorBody), (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list(
    State(shared): State<Shared>,
    client: Client,
    IsOwner(owner): IsOwner,
    Query(query): Query<GamesRequest>,
) -> Result<Json<GameList>, ApiError> {
    let allowed = owner || is_book(query.source.as_deref());
    ask(shared, client, allowed, move |shelves| games::find(shelves, &query)).await
}

/// A game that is kept
#[utoipa::path(get, path = "/api/games/game", tag = "games", params(IdRequest),
    responses((status = 200, body = OpenedGame), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
              (status = 404, body = ErrorBody), (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn game(
    State(shared): State<Shared>,
    client: Client,
    IsOwner(owner): IsOwner,
    Query(query): Query<IdRequest>,
) -> Result<Json<OpenedGame>, ApiError> {
    let allowed = owner || query.id.starts_with("book-");
    ask(shared, client, allowed, move |shelves| games::open(shelves, &query)).await
}

/// Keep a game
///
/// Under a name that the client chooses, in place of the game that has it: a game that goes on is sent again after every
/// move. When this is answered, the game survives a power cut.
#[utoipa::path(post, path = "/api/games/save", tag = "games", params(IdRequest), request_body = Record,
    responses((status = 200, body = Kept), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
              (status = 408, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), (status = 422, body = ErrorBody),
              (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn save(
    State(shared): State<Shared>,
    client: Client,
    IsOwner(owner): IsOwner,
    Query(query): Query<IdRequest>,
    JsonBody(body): JsonBody<Record>,
) -> Result<Json<Kept>, ApiError> {
    ask(shared, client, owner, move |shelves| games::save(shelves.store, &query, &body)).await
}

/// Delete games
///
/// Those that the parameters mean, all of them: `limit` and `offset` are refused. Without any parameter nothing is deleted.
#[utoipa::path(post, path = "/api/games/delete", tag = "games", params(GamesRequest),
    responses((status = 200, body = Deleted), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
              (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn delete(
    State(shared): State<Shared>,
    client: Client,
    IsOwner(owner): IsOwner,
    Query(query): Query<GamesRequest>,
) -> Result<Json<Deleted>, ApiError> {
    ask(shared, client, owner, move |shelves| games::delete(shelves.store, &query)).await
}

/// Keep the games of a PGN
///
/// The body is the text; a long one may come in parts, cut between games. Games that are there already are not kept twice,
/// and those that cannot be read are named.
#[utoipa::path(post, path = "/api/games/import", tag = "games", params(ImportRequest),
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = ImportedGames), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
              (status = 408, body = ErrorBody), (status = 413, body = ErrorBody), (status = 500, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn import(
    State(shared): State<Shared>,
    client: Client,
    IsOwner(owner): IsOwner,
    Query(query): Query<ImportRequest>,
    TextBody(text): TextBody,
) -> Result<Json<ImportedGames>, ApiError> {
    ask(shared, client, owner, move |shelves| games::import(shelves.store, &query, &text)).await
}

/// Games as PGN
///
/// A part at a time: 500 games, or `limit`, from `offset` on.
#[utoipa::path(get, path = "/api/games/export", tag = "games", params(GamesRequest),
    responses((status = 200, body = ExportedGames), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
              (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn export(
    State(shared): State<Shared>,
    client: Client,
    IsOwner(owner): IsOwner,
    Query(query): Query<GamesRequest>,
) -> Result<Json<ExportedGames>, ApiError> {
    let allowed = owner || is_book(query.source.as_deref());
    ask(shared, client, allowed, move |shelves| games::export(shelves, &query)).await
}

/// What was played in a position
///
/// Each move, how often it was played and how the games ended, from one's own games, imported ones or the book; and what
/// the book's analysis says of it in the first plies.
#[utoipa::path(get, path = "/api/explorer", tag = "games", params(GameRequest, ExplorerRequest),
    responses((status = 200, body = Explorer), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
              (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn explorer(
    State(shared): State<Shared>,
    client: Client,
    IsOwner(owner): IsOwner,
    Query(query): Query<GameRequest>,
    Query(wanted): Query<ExplorerRequest>,
) -> Result<Json<Explorer>, ApiError> {
    let (play, source) = (query.play()?, wanted.source()?);
    let allowed = owner || source == Source::Book;
    ask(shared, client, allowed, move |shelves| Explorer::of(shelves, &play, source)).await
}
