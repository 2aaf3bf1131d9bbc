//! Games between two people over HTTP: invitations, seats, forged and repeated messages, floods, and several servers.

mod common;

use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use common::{ask, get, post};
use game::rng::Rng;
use serde_json::{Value, json};
use server::access::Access;
use server::client::Client;
use server::{Database, Options, Server};

#[cfg(feature = "postgres")]
#[path = "../../library/tests/cluster/mod.rs"]
mod cluster;

const HOST: &str = "000102030405060708090a0b0c0d0e0f";
const GUEST: &str = "f0e0d0c0b0a090807060504030201000";
const STRANGER: &str = "ffffffffffffffffffffffffffffffff";

fn with(games: Option<Database>, folder: &Path) -> Server {
    Server::new(&Options {
        tables: folder.join("tables"),
        threads: 1,
        hash: 4,
        max_searches: 1,
        access: Access::default(),
        games,
    })
}

fn in_file(folder: &Path) -> Router {
    with(Some(folder.join("games.sqlite").into()), folder).router()
}

async fn send(router: &Router, path: &str, body: Value) -> (StatusCode, Value) {
    post(router, path, "application/json", body.to_string()).await
}

async fn act(
    router: &Router,
    id: &str,
    key: &str,
    version: u32,
    deed: Value,
) -> (StatusCode, Value) {
    let request = Request::post(format!("/api/duel/act?id={id}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header("x-mousetrap-key", key)
        .body(json!({"version": version, "deed": deed}).to_string().into());
    ask(router, request.unwrap()).await
}

fn mv(text: &str) -> Value {
    json!({"do": "move", "move": text})
}

async fn look(router: &Router, id: &str, key: &str) -> (StatusCode, Value) {
    let request = Request::get(format!("/api/duel?id={id}")).header("x-mousetrap-key", key);
    ask(router, request.body(Body::empty()).unwrap()).await
}

/// A duel that both have joined: its name.
async fn begun(at: &Router, joined_at: &Router, pace: Value) -> String {
    let wish = json!({"key": HOST, "side": "white", "pace": pace});
    let (status, body) = send(at, "/api/duel/new", wish).await;
    assert_eq!((status.as_u16(), &body["stage"]), (200, &json!("open")), "{body}");
    let invitation = body["invitation"].as_str().unwrap();
    let (status, body) =
        send(joined_at, "/api/duel/join", json!({"invitation": invitation, "key": GUEST})).await;
    assert_eq!(
        (status.as_u16(), &body["stage"], &body["you"]),
        (200, &json!("playing"), &json!("black"))
    );
    body["id"].as_str().unwrap().to_owned()
}

fn code(answer: &(StatusCode, Value)) -> (u16, &str) {
    (answer.0.as_u16(), answer.1["error"]["code"].as_str().unwrap_or(""))
}

#[tokio::test]
async fn a_game_is_played_and_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let router = in_file(folder.path());
    let id =
        begun(&router, &router, json!({"kind": "clock", "initial": 300, "increment": 3})).await;
    assert_eq!(act(&router, &id, HOST, 1, mv("a3a4")).await.0, 200);
    let (status, body) = act(&router, &id, GUEST, 2, mv("a7a6")).await;
    assert_eq!((status.as_u16(), &body["moves"]), (200, &json!(["a3a4", "a7a6"])));
    assert!(body["white_left"].as_u64().unwrap() <= 303_000, "{body}");
    // Another process with the same file, as after a kill.
    let again = in_file(folder.path());
    let (_, body) = look(&again, &id, GUEST).await;
    assert_eq!(
        (&body["version"], &body["you"], &body["turn"]),
        (&json!(3), &json!("black"), &json!("white"))
    );
    assert_eq!(act(&again, &id, HOST, 3, mv("a4a5")).await.0, 200);
    // The first one does not know of that; nothing is lost, nothing is played twice.
    assert_eq!(code(&act(&router, &id, HOST, 3, mv("g3g4")).await), (409, "duel-stale"));
    assert_eq!(
        act(&router, &id, HOST, 3, mv("a4a5")).await.1["moves"].as_array().unwrap().len(),
        3
    );
    let (_, watched) = get(&router, &format!("/api/duel?id={id}")).await;
    assert_eq!((&watched["you"], &watched["invitation"]), (&Value::Null, &Value::Null));
    let (_, over) = act(&router, &id, GUEST, 4, json!({"do": "resign"})).await;
    assert_eq!(
        (&over["result"], &over["text"]),
        (&json!("1-0"), &json!("Red wins: Blue resigned"))
    );
    act(&router, &id, HOST, 5, json!({"do": "offer", "offer": "rematch"})).await;
    let (_, both) = act(&router, &id, GUEST, 6, json!({"do": "accept", "offer": "rematch"})).await;
    let next = both["rematch"].as_str().unwrap();
    assert_eq!(look(&again, next, HOST).await.1["you"], "black", "sides are exchanged");
}

#[tokio::test]
async fn invitations_are_kept_once_and_taken_once() {
    let folder = tempfile::tempdir().unwrap();
    let router = in_file(folder.path());
    let wish = json!({"key": HOST, "rules": "leiden", "pace": {"kind": "days", "days": 3}});
    let (_, first) = send(&router, "/api/duel/new", wish.clone()).await;
    let (_, second) = send(&router, "/api/duel/new", wish).await;
    assert_eq!((&first["id"], &first["invitation"]), (&second["id"], &second["invitation"]));
    let invitation = first["invitation"].as_str().unwrap();
    let (_, seen) = send(&router, "/api/duel/join", json!({"invitation": invitation})).await;
    assert_eq!(
        (&seen["rules"], &seen["stage"], &seen["you"]),
        (&json!("leiden"), &json!("open"), &Value::Null)
    );
    let join =
        |key: &str| send(&router, "/api/duel/join", json!({"invitation": invitation, "key": key}));
    assert_eq!(code(&join(HOST).await), (409, "duel-oneself"));
    assert_eq!(join(GUEST).await.0, 200);
    assert_eq!(join(GUEST).await.1["version"], 1, "an answer was lost");
    assert_eq!(code(&join(STRANGER).await), (409, "duel-taken"));
    // Nothing of a key is in the file.
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap_or_default();
        for secret in [HOST, GUEST, invitation] {
            assert!(!bytes.windows(32).any(|window| window == secret.as_bytes()));
        }
    }
    for bad in [
        json!({"key": "short"}),
        json!({"key": HOST, "rules": "chess"}),
        json!({"key": HOST, "pace": {"kind": "clock", "initial": 1, "increment": 0}}),
        json!({"key": HOST, "pace": {"kind": "days", "days": 0}}),
        json!({"key": HOST, "side": "green"}),
        json!({"key": HOST, "name": "Anna"}),
    ] {
        let (status, body) = send(&router, "/api/duel/new", bad).await;
        assert!(status == 400 || status == 422, "{body}");
    }
}

#[tokio::test]
async fn forged_and_repeated_messages_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let router = in_file(folder.path());
    let id = begun(&router, &router, json!({"kind": "free"})).await;
    act(&router, &id, HOST, 1, mv("a3a4")).await;
    let invitation =
        json!(duel::Key::from_bytes(std::array::from_fn(|n| n as u8)).invitation().to_string());
    let before = look(&router, &id, HOST).await.1;
    for (key, deed, expected) in [
        (HOST, mv("a4a5"), (409, "duel-turn")),
        (GUEST, mv("a4a5"), (400, "no-such-piece")),
        (GUEST, mv("a7a5"), (400, "too-far")),
        (GUEST, mv("'; DROP TABLE duels; --"), (400, "not-a-move")),
        (STRANGER, mv("a7a6"), (403, "duel-seat")),
        (invitation.as_str().unwrap(), mv("a7a6"), (403, "duel-seat")),
        (&id, mv("a7a6"), (403, "duel-seat")),
        ("", mv("a7a6"), (400, "duel-key")),
        (GUEST, json!({"do": "accept", "offer": "draw"}), (409, "duel-no-offer")),
        (GUEST, json!({"do": "offer", "offer": "takeback"}), (409, "duel-no-move")),
        (GUEST, json!({"do": "win"}), (422, "json")),
        (GUEST, json!({"do": "say", "phrase": "You are stupid"}), (422, "json")),
        (GUEST, json!({"do": "move", "move": "a7a6", "by": "white"}), (422, "json")),
    ] {
        let answer = act(&router, &id, key, 2, deed.clone()).await;
        assert_eq!(code(&answer), expected, "{deed}");
    }
    assert_eq!(code(&act(&router, &id, GUEST, 1, mv("a7a6")).await), (409, "duel-stale"));
    assert_eq!(
        code(&act(&router, &id, GUEST, 4_000_000_000, mv("a7a6")).await),
        (409, "duel-stale")
    );
    assert_eq!(
        act(&router, &id, HOST, 1, mv("a3a4")).await.1["version"],
        2,
        "a replay is no second move"
    );
    let request = Request::post(format!("/api/duel/act?id={id}"))
        .header(header::CONTENT_TYPE, "application/json")
        .body(json!({"version": 2, "deed": mv("a7a6")}).to_string().into());
    assert_eq!(code(&ask(&router, request.unwrap()).await), (403, "duel-seat"), "no key at all");
    assert_eq!(look(&router, &id, HOST).await.1, before);
}

/// A request of a client of its own.
async fn from(router: &Router, client: [u8; 4], mut request: Request<Body>) -> (StatusCode, Value) {
    request.extensions_mut().insert(Client::of(client.into()));
    ask(router, request).await
}

/// Bytes that were a message once, or never.
fn fuzzed(rng: &mut Rng, id: &str) -> Vec<u8> {
    let keys = [HOST, GUEST, STRANGER, id, "0", ""];
    let key = keys[rng.below(keys.len())];
    let whole = match rng.below(4) {
        0 => {
            json!({"version": rng.below(6), "deed": mv(["a7a6", "a4a5", "d9d8", "g7g6"][rng.below(4)])})
        }
        1 => json!({"version": rng.below(6), "deed": {"do": "resign"}}),
        2 => json!({"invitation": key, "key": key}),
        _ => json!({"key": key, "version": 2, "deed": {"do": "accept", "offer": "draw"}}),
    };
    let mut bytes = whole.to_string().into_bytes();
    for _ in 0..rng.below(4) {
        let at = rng.below(bytes.len());
        match rng.below(3) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, rng.below(256) as u8),
        }
    }
    bytes
}

#[tokio::test]
async fn nothing_that_is_made_up_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let router = in_file(folder.path());
    let id = begun(&router, &router, json!({"kind": "free"})).await;
    act(&router, &id, HOST, 1, mv("a3a4")).await;
    let before = look(&router, &id, HOST).await.1;
    let mut rng = Rng::new(35);
    for round in 0..4000u32 {
        let path = ["/api/duel/act", "/api/duel/join", "/api/duel/act"][rng.below(3)];
        // Every key but the two that hold a seat; names with a digit changed.
        let (key, name) = match rng.below(4) {
            0 => (STRANGER.to_owned(), id.clone()),
            1 => (
                format!("{:032x}", u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())),
                id.clone(),
            ),
            2 => (HOST.replacen('0', "1", 1), id.clone()),
            _ => (GUEST.to_owned(), id.replacen(id.chars().last().unwrap(), "z", 1)),
        };
        let request = Request::post(format!("{path}?id={name}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-mousetrap-key", key)
            .body(fuzzed(&mut rng, &id).into());
        // Each from an address of its own, so that limits do not do the work.
        let [_, a, b, c] = round.to_be_bytes();
        let (status, body) = from(&router, [10, a, b, c], request.unwrap()).await;
        assert!(status.is_client_error(), "{path}: {status} {body}");
    }
    assert_eq!(look(&router, &id, HOST).await.1, before);
}

#[tokio::test]
async fn guesses_and_floods_from_one_address_are_cut_off_and_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let router = in_file(folder.path());
    let id = begun(&router, &router, json!({"kind": "free"})).await;
    let guess = |client: u8, number: u32| {
        let request = Request::get(format!("/api/duel?id={number:032x}")).body(Body::empty());
        from(&router, [192, 0, 2, client], request.unwrap())
    };
    let mut answers = Vec::new();
    for number in 0..60 {
        answers.push(code(&guess(1, number).await).0);
    }
    assert!(answers.starts_with(&[404; 20]) && answers.ends_with(&[429; 20]), "{answers:?}");
    let look = |client: u8| {
        let request = Request::get(format!("/api/duel?id={id}")).body(Body::empty());
        from(&router, [192, 0, 2, client], request.unwrap())
    };
    let (status, body) = guess(1, 60).await;
    assert_eq!(
        (status.as_u16(), body["error"]["retry_after"].is_u64()),
        (429, true),
        "a guesser waits"
    );
    assert_eq!(look(1).await.0, 200, "those who play at the same address do not");
    assert_eq!(look(2).await.0, 200);
    let mut begun = Vec::new();
    for number in 0..40 {
        let wish = json!({"key": format!("{number:032x}")}).to_string();
        let request =
            Request::post("/api/duel/new").header(header::CONTENT_TYPE, "application/json");
        begun.push(
            from(&router, [192, 0, 2, 3], request.body(wish.into()).unwrap()).await.0.as_u16(),
        );
    }
    assert!(begun.starts_with(&[200; 30]) && begun.ends_with(&[429; 9]), "{begun:?}");
}

#[tokio::test]
async fn games_called_off_and_begun_again_count_as_invitations() {
    let folder = tempfile::tempdir().unwrap();
    let router = in_file(folder.path());
    let mut id = begun(&router, &router, json!({"kind": "free"})).await;
    let version = |body: &Value| body["version"].as_u64().unwrap_or_default() as u32;
    let again = json!({"do": "offer", "offer": "rematch"});
    for round in 0..40 {
        let seen = version(&look(&router, &id, HOST).await.1);
        let (_, mut body) = act(&router, &id, HOST, seen, json!({"do": "resign"})).await;
        for key in [HOST, GUEST] {
            let (status, answer) = act(&router, &id, key, version(&body), again.clone()).await;
            if status == 429 {
                assert!(round > 10, "{round}");
                return;
            }
            body = answer;
        }
        id = body["rematch"].as_str().unwrap().to_owned();
    }
    panic!("one after the other, without end");
}

#[tokio::test]
async fn codes_are_drawn_of_links_alone() {
    let router = common::router(tempfile::tempdir().unwrap().path());
    let code = async |text: String| post(&router, "/api/qr", "text/plain", text).await.0;
    assert_eq!(code("http://192.0.2.7:8089/#/friend".to_owned()).await, 200);
    assert_eq!(code(String::new()).await, 400);
    assert_eq!(code("x".repeat(401)).await, 400);
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_database_play_one_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut cluster = cluster::Cluster::start();
    let database = || Some(Database::postgres(&cluster.address()).unwrap());
    let [one, two] =
        [database(), database()].map(|database| with(database, folder.path()).router());
    let id = begun(&one, &two, json!({"kind": "free"})).await;
    // The first one knows the game from before the guest joined at the second.
    assert_eq!(look(&one, &id, GUEST).await.0, 200);
    // Neither was told what the other did: the versions in the database decide.
    let moves = ["a3a4", "g7g6", "a4a5", "g6g7", "a5a6", "g7g6"];
    for (ply, text) in moves.iter().enumerate() {
        let (router, key) = if ply % 2 == 0 { (&one, HOST) } else { (&two, GUEST) };
        let (status, body) = act(router, &id, key, ply as u32 + 1, mv(text)).await;
        assert_eq!(status, 200, "{body}");
    }
    // Both want the same seat's move at once, at different servers: it is made once.
    let (left, right) =
        tokio::join!(act(&one, &id, HOST, 7, mv("a6a5")), act(&two, &id, HOST, 7, mv("a6a5")));
    assert_eq!((left.0.as_u16(), right.0.as_u16()), (200, 200), "{} {}", left.1, right.1);
    assert_eq!(look(&two, &id, GUEST).await.1["moves"].as_array().unwrap().len(), 7);
    // The games that are kept are shared as well.
    let record = json!({"line": {"moves": [{"move": "a3a4"}]}}).to_string();
    assert_eq!(post(&one, "/api/games/save?id=game-1", "application/json", record).await.0, 200);
    assert_eq!(get(&two, "/api/games/game?id=game-1").await.0, 200);
    // Without the database there is an answer, and it says when to come back; with it again the game goes on.
    cluster.kill();
    let (status, body) = act(&one, &id, GUEST, 8, mv("g6g7")).await;
    assert_eq!(
        (status.as_u16(), &body["error"]["code"]),
        (503, &json!("games-unavailable")),
        "{body}"
    );
    cluster.run();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(act(&one, &id, GUEST, 8, mv("g6g7")).await.0, 200);
    // The other server is asked about a version that it does not know yet, and looks.
    let (status, body) = act(&two, &id, HOST, 9, mv("a5a4")).await;
    assert_eq!((status.as_u16(), body["moves"].as_array().unwrap().len()), (200, 9), "{body}");
}
