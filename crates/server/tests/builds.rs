//! Tables built on request: by whom, one at a time, cancelled and carried on, and used when they are done.

mod common;

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use common::{ask, get, post, router};
use jungle::Rules;
use serde_json::{Value, json};
use server::access::Access;
use server::{Options, Server};
use tablebase::build::Inventory;
use tablebase::set_folder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

const PATH: &str = "/api/tablebase/build";
/// Rules for which nothing is there.
const RULES: &str = "standard,traps=everybody";

async fn start(router: &Router, rules: &str, pieces: u32) -> (u16, Value) {
    let body = json!({"rules": rules, "pieces": pieces}).to_string();
    let (status, body) = post(router, PATH, "application/json", body).await;
    (status.as_u16(), body)
}

async fn cancel(router: &Router) -> (u16, Value) {
    let (status, body) = ask(router, Request::delete(PATH).body(Body::empty()).unwrap()).await;
    (status.as_u16(), body)
}

/// Waits until a build is in a state.
async fn until(router: &Router, state: &str) -> Value {
    let begun = Instant::now();
    loop {
        let (_, body) = get(router, PATH).await;
        if body["state"] == state {
            return body;
        }
        assert_eq!(body["state"], "running", "{body}");
        assert!(begun.elapsed() < Duration::from_secs(600), "{body}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The tables in the folder of a set, and nothing that a build leaves behind.
fn tables(folder: &Path, rules: &str) -> BTreeSet<String> {
    let rules: Rules = rules.parse().unwrap();
    let files = std::fs::read_dir(set_folder(folder, &rules)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let names: BTreeSet<String> = names.filter(|name| name != "manifest.json").collect();
    assert!(names.iter().all(|name| name.ends_with(".mtb")), "{names:?}");
    names
}

fn complete(folder: &Path, rules: &str) -> Option<u32> {
    let rules: Rules = rules.parse().unwrap();
    Inventory::new(&rules, &set_folder(folder, &rules)).unwrap().complete()
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_built_and_used_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    let nothing = json!({
        "state": "idle", "rules": null, "pieces": null, "done": 0, "total": 0, "seconds": 0.0,
        "estimate": null, "bytes": 0, "error": null, "allowed": true,
    });
    assert_eq!(get(&router, PATH).await, (StatusCode::OK, nothing));
    let probe = format!("/api/tablebase?rules={RULES}&fen=7/7/3e3/7/7/7/3E2R/7/7%20w");
    let (status, missing) = get(&router, &probe).await;
    assert_eq!((status.as_u16(), &missing["error"]["code"]), (404, &json!("missing-table")));
    assert!(missing["error"]["message"].as_str().unwrap().contains(PATH), "{missing}");

    let about = format!("{PATH}?rules={RULES}&pieces=3");
    let (_, before) = get(&router, &about).await;
    assert_eq!((&before["state"], &before["done"]), (&json!("idle"), &json!(0)));
    let expected = before["bytes"].as_u64().unwrap();
    assert!(before["estimate"].as_f64().unwrap() > 0.0, "{before}");

    let (status, body) = start(&router, RULES, 3).await;
    assert!(status == 202 && body["state"] == "running" || body["state"] == "done", "{body}");
    assert_eq!((&body["rules"], &body["pieces"]), (&json!(RULES), &json!(3)));
    let done = until(&router, "done").await;
    assert_eq!((&done["done"], &done["error"]), (&done["total"], &Value::Null));
    assert_eq!((&done["total"], &done["estimate"]), (&before["total"], &Value::Null));
    let bytes = done["bytes"].as_u64().unwrap();
    assert!(bytes / 2 < expected && expected < bytes * 2, "{bytes}, not {expected}");
    assert_eq!(complete(folder.path(), RULES), Some(3));
    assert_eq!(tables(folder.path(), RULES).len(), 52);

    assert_eq!(get(&router, &probe).await.0, StatusCode::OK, "without a restart");
    let (status, again) = start(&router, RULES, 3).await;
    assert_eq!((status, &again["state"], &again["bytes"]), (200, &json!("done"), &json!(bytes)));
    // Tables do not depend on this switch.
    let (status, same) = start(&router, &format!("{RULES},move-limit=100"), 2).await;
    assert_eq!((status, &same["state"]), (200, &json!("done")));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_build_at_a_time_that_can_be_cancelled_and_carried_on() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    let (status, body) = start(&router, RULES, 4).await;
    assert_eq!((status, &body["state"]), (202, &json!("running")));
    let (status, body) = start(&router, &format!("{RULES},move-limit=100"), 4).await;
    assert_eq!((status, &body["rules"]), (202, &json!(RULES)), "the same tables");
    let (status, body) = start(&router, "leiden", 4).await;
    assert_eq!((status, &body["error"]["code"]), (409, &json!("build-running")));
    let (_, running) = get(&router, &format!("{PATH}?rules=leiden&pieces=4")).await;
    assert_eq!((&running["state"], &running["rules"]), (&json!("running"), &json!(RULES)));

    let begun = Instant::now();
    let half_way = loop {
        let (_, body) = get(&router, PATH).await;
        if body["done"].as_u64() > Some(0) && body["estimate"].as_f64() > Some(0.0) {
            break body;
        }
        assert!(begun.elapsed() < Duration::from_secs(600), "{body}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(half_way["done"].as_u64() < half_way["total"].as_u64(), "{half_way}");
    let (_, metrics) = get(&router, "/api/moves").await;
    assert_eq!(metrics["turn"], "white", "the board goes on");

    // The class under way is given up at once, or soon after on a busy machine (202).
    assert!([200, 202].contains(&cancel(&router).await.0));
    let stopped = until(&router, "idle").await;
    let finished = tables(folder.path(), RULES);
    assert!(!finished.is_empty() && finished.len() < 186, "{}", finished.len());
    assert_eq!(cancel(&router).await.0, 200, "nothing to cancel");

    // It begins with what is there.
    let (status, body) = start(&router, RULES, 4).await;
    assert_eq!(status, 202, "{body}");
    assert!(body["done"].as_u64() >= stopped["done"].as_u64(), "{body}");
    assert!([200, 202].contains(&cancel(&router).await.0));
    until(&router, "idle").await;
    assert!(tables(folder.path(), RULES).is_superset(&finished));
    assert_eq!(complete(folder.path(), RULES), Some(3), "the small ones come first");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_built_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    for (rules, pieces, code) in
        [("chess", 3, "rules"), ("standard", 1, "pieces"), ("standard", 5, "pieces")]
    {
        let (status, body) = start(&router, rules, pieces).await;
        assert_eq!((status, body["error"]["code"].as_str()), (400, Some(code)), "{body}");
        let (status, body) = get(&router, &format!("{PATH}?rules={rules}&pieces={pieces}")).await;
        assert_eq!((status.as_u16(), body["error"]["code"].as_str()), (400, Some(code)), "{body}");
    }
    let (status, _) = post(&router, PATH, "text/plain", r#"{"pieces": 3}"#.to_owned()).await;
    assert_eq!(
        status,
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "which a form of another page could send"
    );
    assert_eq!(post(&router, PATH, "application/json", "{}".to_owned()).await.0.as_u16(), 422);

    // A file in the way.
    let set = set_folder(folder.path(), &RULES.parse().unwrap());
    std::fs::write(&set, b"x").unwrap();
    let (status, body) = start(&router, RULES, 2).await;
    assert_eq!((status, body["error"]["code"].as_str()), (500, Some("not-writable")), "{body}");
    std::fs::remove_file(&set).unwrap();
    let (_, body) = start(&router, RULES, 2).await;
    assert!(body["error"].is_null(), "{body}");
    until(&router, "done").await;

    // A damaged table is left alone, and named.
    let victim = set.join(tables(folder.path(), RULES).first().unwrap());
    std::fs::write(&victim, b"nonsense").unwrap();
    let (status, body) = start(&router, RULES, 2).await;
    assert_eq!((status, body["error"]["code"].as_str()), (500, Some("damaged-table")), "{body}");
    assert_eq!(std::fs::read(&victim).unwrap(), b"nonsense");
}

/// The status and the body of an answer, over a real connection.
async fn talk(to: std::net::SocketAddr, method: &str, headers: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(to).await.unwrap();
    let body = json!({"rules": RULES, "pieces": 4}).to_string();
    let host = if headers.contains("host:") { "" } else { "host: localhost\r\n" };
    let head = format!(
        "{method} {PATH} HTTP/1.1\r\n{host}{headers}connection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

/// A server that listens, and what stops it.
async fn live(
    folder: &Path,
    access: Access,
) -> (std::net::SocketAddr, oneshot::Sender<()>, tokio::task::JoinHandle<std::io::Result<()>>) {
    let options = Options {
        tables: folder.into(),
        threads: 2,
        hash: 4,
        max_searches: 1,
        access,
        games: None,
    };
    let server = Server::new(&options);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let served = tokio::spawn(server.serve(listener, async { drop(stopped.await) }));
    (address, stop, served)
}

#[tokio::test(flavor = "multi_thread")]
async fn builds_are_refused_to_strangers() {
    let folder = tempfile::tempdir().unwrap();
    let refused = async |address, headers: &str| {
        for method in ["POST", "DELETE"] {
            let (status, body) = talk(address, method, headers).await;
            let code = body["error"]["code"].as_str();
            assert_eq!((status, code), (403, Some("builds-not-allowed")), "{method} {headers}");
            let message = body["error"]["message"].as_str().unwrap();
            assert!(message.contains("--allow-builds"), "{message}");
        }
        let (status, body) = talk(address, "GET", headers).await;
        assert_eq!((status, &body["allowed"]), (200, &json!(false)));
    };
    let proxied = Access { behind_proxy: true, ..Access::default() };
    let (address, _stop, _) = live(folder.path(), proxied.clone()).await;
    refused(address, "").await;
    refused(address, "x-forwarded-for: 127.0.0.1\r\n").await;
    // A proxy that the server was not told of.
    let hosts = vec!["board.example".to_owned()];
    let (address, _stop, _) = live(folder.path(), Access { hosts, ..Access::default() }).await;
    refused(address, "x-forwarded-for: 192.0.2.7\r\n").await;
    refused(address, "host: board.example\r\n").await;
    assert_eq!(talk(address, "POST", "sec-fetch-site: cross-site\r\n").await.0, 403);
    assert_eq!(talk(address, "GET", "").await.1["allowed"], true, "on this machine");

    let token = Access { token: Some("secret".to_owned()), ..proxied.clone() };
    let (address, _stop, _) = live(folder.path(), token).await;
    assert_eq!(talk(address, "GET", "").await.0, 401);
    let (_, body) = talk(address, "GET", "authorization: Bearer secret\r\n").await;
    assert_eq!(body["allowed"], true);
    let generous = Access { allow_builds: true, ..proxied };
    let (address, _stop, _) = live(folder.path(), generous).await;
    assert_eq!(talk(address, "GET", "x-forwarded-for: 192.0.2.7\r\n").await.1["allowed"], true);
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "nothing was built");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_stops_its_build() {
    let folder = tempfile::tempdir().unwrap();
    let (address, stop, served) = live(folder.path(), Access::default()).await;
    assert_eq!(talk(address, "POST", "").await.0, 202);
    let begun = Instant::now();
    stop.send(()).unwrap();
    served.await.unwrap().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
    // No claim is left: the class under way was finished, and no other was begun.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let finished = tables(folder.path(), RULES);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(tables(folder.path(), RULES), finished);
}
