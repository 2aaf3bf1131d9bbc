//! Games over HTTP: kept, found, deleted; whose they are; and a database that fails.

mod common;

use std::net::Ipv4Addr;
use std::path::Path;

use axum::Router;
use common::{get, post, router};
use serde_json::{Value, json};
use server::access::Access;
use server::{Options, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

fn with_file(file: &Path) -> Router {
    let options = Options {
        tables: file.with_extension("tables"),
        threads: 1,
        hash: 4,
        max_searches: 1,
        access: Access::default(),
        games: Some(file.into()),
    };
    Server::new(&options).router()
}

const PGN: &str =
    "[White \"Anna\"]\n\n1. Ea4 Ra6 0-1\n\n[White \"Bert\"]\n\n1. Ea9 *\n\n1. Rf3 *\n";

#[tokio::test]
async fn games_go_in_and_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let router = with_file(&folder.path().join("games.sqlite"));
    let (status, body) = post(&router, "/api/games/import", "text/plain", PGN.to_owned()).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!((&body["read"], &body["added"], &body["faulty"]), (&json!(3), &json!(2), &json!(1)));
    assert!(body["faults"][0].as_str().unwrap().starts_with("game 2, line 7: "), "{body}");
    assert_eq!(body["causes"][0]["line"], 7);
    let record = json!({"tags": {"White": "You", "Date": "2026.11.18"}, "line": {"moves": [{"move": "a3a4"}]}});
    let save = "/api/games/save?id=game-1";
    let (status, body) = post(&router, save, "application/json", record.to_string()).await;
    assert_eq!(
        (status.as_u16(), &body["source"], &body["result"]),
        (200, &json!("own"), &json!("*"))
    );
    let (_, body) = get(&router, "/api/games").await;
    assert_eq!((&body["total"], &body["games"][0]["id"]), (&json!(3), &json!("game-1")));
    let (_, body) = get(&router, "/api/games/game?id=game-1").await;
    assert_eq!(body["record"]["line"]["moves"][0]["move"], "a3a4");
    let (_, body) = get(&router, "/api/explorer?source=imported").await;
    let moves = body["moves"].as_array().unwrap();
    let elephant = moves.iter().find(|one| one["move"] == "a3a4").unwrap();
    assert_eq!((&body["games"], &elephant["results"]["black"]), (&json!(2), &json!(1)));
    let (_, book) = get(&router, "/api/explorer").await;
    assert_eq!(book["moves"].as_array().unwrap().len(), 24, "the book has every first move");
    assert!(book["moves"].as_array().unwrap().iter().all(|one| one["judged"]["depth"].is_u64()));
    for (path, kind, body) in [
        ("/api/games/delete", "text/plain", ""),
        ("/api/games/delete?since=soon", "text/plain", ""),
        ("/api/games/delete?source=imported&limit=1", "text/plain", ""),
        ("/api/games/delete?source=imported&playr=Anna", "text/plain", ""),
        ("/api/games/import", "text/plain", "\u{0}"),
        ("/api/games/save?id=../x", "application/json", "{}"),
        ("/api/games/save?id=book-1", "application/json", "{}"),
        ("/api/games/save?id=a", "application/json", r#"{"line":{"moves":[{"move":"a3c3"}]}}"#),
        ("/api/games/import?source=book", "text/plain", PGN),
    ] {
        let (status, body) = post(&router, path, kind, body.to_owned()).await;
        assert_eq!(status, 400, "{path}: {body}");
    }
    let far =
        "/api/games/import?lines_before=18446744073709551615&games_before=18446744073709551615";
    let (status, body) = post(&router, far, "text/plain", "x 1-0".to_owned()).await;
    assert_eq!((status.as_u16(), &body["faulty"]), (200, &json!(1)), "{body}");
    let (_, body) =
        post(&router, "/api/games/delete?ids=game-1", "text/plain", String::new()).await;
    assert_eq!(body, json!({"deleted": 1}));
}

#[tokio::test]
async fn a_damaged_database_is_an_error_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.sqlite");
    std::fs::write(&file, "nonsense ".repeat(1000)).unwrap();
    let router = with_file(&file);
    for path in ["/api/games", "/api/explorer?source=own", "/api/games/game?id=x"] {
        let (status, body) = get(&router, path).await;
        assert_eq!(
            (status.as_u16(), &body["error"]["code"]),
            (500, &json!("damaged-games")),
            "{path}"
        );
        assert!(
            body["error"]["message"].as_str().unwrap().contains("move the file away"),
            "{body}"
        );
    }
    for path in ["/api/moves", "/api/explorer?source=book"] {
        assert_eq!(get(&router, path).await.0, 200, "{path}");
    }
    std::fs::remove_file(&file).unwrap();
    assert_eq!(get(&router, "/api/games").await.0, 200, "without a new start");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_the_owners() {
    let folder = tempfile::tempdir().unwrap();
    // Tests without a connection have nobody to keep out.
    assert_eq!(get(&router(folder.path()), "/api/games").await.0, 200);
    let access = Access { behind_proxy: true, allow_builds: true, ..Access::default() };
    let options = Options {
        tables: folder.path().into(),
        threads: 1,
        hash: 4,
        max_searches: 1,
        access,
        games: None,
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(Server::new(&options).serve(listener, std::future::pending()));
    let talk = async |head: &str| -> (u16, Value) {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!(
            "{head} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    };
    for head in [
        "GET /api/games",
        "GET /api/games/game?id=a",
        "GET /api/games/export",
        "GET /api/explorer?source=own",
        "POST /api/games/delete?source=own",
        "POST /api/games/import",
    ] {
        let (status, body) = talk(head).await;
        assert_eq!((status, body["error"]["code"].as_str()), (403, Some("not-owner")), "{head}");
    }
    for head in ["GET /api/explorer", "GET /api/games?source=book", "GET /api/games/game?id=book-1"]
    {
        assert_eq!(talk(head).await.0, 200, "{head}");
    }
}
