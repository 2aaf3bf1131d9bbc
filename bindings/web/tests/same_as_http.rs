//! The desk answers as the server does: the same status and the same document, for every question of the page.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use jungle::Rules;
use mousetrap_web::{Desk, Files, Question};
use serde_json::Value;
use server::{Options, Server};
use tablebase::build::ensure_small;
use tablebase::storage::Fetched;
use tablebase::{rules_name, set_folder};
use tower::ServiceExt;

/// A site whose bundles are made from a folder of tables.
struct Site(PathBuf);

impl Files for Site {
    fn whole(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        if path == "opening.book" {
            return Ok(Some(library::book::SHIPPED.into()));
        }
        if path == "puzzles.txt" {
            return Ok(Some(puzzles::SHIPPED.as_bytes().to_vec()));
        }
        let Some(set) = path.strip_suffix(".bundle") else { return Ok(None) };
        let Ok(entries) = std::fs::read_dir(self.0.join(set)) else { return Ok(None) };
        let (mut list, mut contents) = (Vec::new(), Vec::new());
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "mtb") {
                let bytes = std::fs::read(&path)?;
                list.push((path.file_name().unwrap().to_str().unwrap().to_owned(), bytes.len()));
                contents.extend(bytes);
            }
        }
        let list = serde_json::to_vec(&list)?;
        Ok(Some([&(list.len() as u32).to_le_bytes()[..], &list, &contents].concat()))
    }

    fn part(&self, path: &str, range: Range<u64>) -> io::Result<Fetched> {
        let bytes = std::fs::read(self.0.join(path))?;
        let size = bytes.len() as u64;
        let bytes = bytes[range.start as usize..range.end.min(size) as usize].to_vec();
        Ok(Fetched { bytes, size })
    }
}

/// Both, over the same tables.
struct Both {
    desk: Desk,
    server: axum::Router,
}

impl Both {
    fn new(tables: &Path) -> Both {
        ensure_small(&Rules::STANDARD, &set_folder(tables, &Rules::STANDARD)).unwrap();
        assert!(tables.join(rules_name(&Rules::STANDARD)).is_dir());
        let options = Options {
            tables: tables.into(),
            threads: 1,
            hash: 32,
            max_searches: 1,
            access: server::access::Access::default(),
            games: None,
        };
        let desk = Desk::new(Arc::new(Site(tables.into())), 1);
        Both { desk, server: Server::new(&options).router() }
    }

    async fn http(&self, path: &str, body: Option<(&str, &str)>) -> (u16, String) {
        let request = match body {
            Some((kind, body)) => {
                let request = Request::post(path).header(header::CONTENT_TYPE, kind);
                request.body(Body::from(body.to_owned()))
            }
            None => Request::get(path).body(Body::empty()),
        };
        let response = self.server.clone().oneshot(request.unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    /// Asks both, and compares all but what differs from one time to the next.
    async fn compare(&mut self, path: &str, body: Option<(&str, &str)>) -> u16 {
        let (status, theirs) = self.http(path, body).await;
        let (bare, query) = path.split_once('?').unwrap_or((path, ""));
        let mut events = String::new();
        let question = Question { path: bare, query, body: body.map_or("", |(_, body)| body) };
        let reply = self.desk.ask(question, &mut |name, data| {
            // What a page has to keep is not part of the answer.
            if name == "keep" || name == "drop" {
                return;
            }
            events += &format!("event: {name}\ndata: {data}\n\n");
        });
        assert_eq!(reply.status, status, "{path}: {} {theirs}", reply.body);
        let ours = if events.is_empty() { reply.body } else { events };
        assert_eq!(timeless(&ours), timeless(&theirs), "{path}");
        status
    }
}

/// A document, or the last events of a stream, without times.
fn timeless(text: &str) -> Value {
    if let Ok(document) = serde_json::from_str(text) {
        return without_times(document);
    }
    if !text.starts_with("event:") {
        return text.into();
    }
    let mut events: Vec<&str> = text.trim_end().split("\n\n").collect();
    if events.iter().all(|event| event.starts_with("event: thought")) {
        // How many reports there are on the way depends on the time.
        events = events.split_off(events.len() - 1);
    }
    let event = |event: &str| {
        let (name, data) = event.split_once("\ndata: ").unwrap();
        serde_json::json!([name, without_times(serde_json::from_str(data).unwrap())])
    };
    events.into_iter().map(event).collect()
}

fn without_times(mut document: Value) -> Value {
    match &mut document {
        Value::Object(members) => {
            for name in ["time", "nps", "saved"] {
                members.remove(name);
            }
            // The remedy is in the words of the front end.
            if members.contains_key("code") {
                members.remove("message");
            }
            for value in members.values_mut() {
                *value = without_times(value.take());
            }
        }
        Value::Array(values) => {
            for value in values {
                *value = without_times(value.take());
            }
        }
        _ => {}
    }
    document
}

/// An ending of three pieces.
const ENDING: &str = "fen=7/7/3e3/7/7/7/T2E3/7/7%20w";

#[tokio::test]
async fn every_question_has_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut both = Both::new(folder.path());
    for path in [
        "/api/rules".to_owned(),
        "/api/moves".to_owned(),
        "/api/moves?moves=a3a4,a7a6&rules=leiden,repetition=draw".to_owned(),
        "/api/check?fen=7/7/7/1W5/7/7/7/7/7%20w".to_owned(),
        "/api/split?threshold=3&scores=false".to_owned(),
        format!("/api/split?{ENDING}&threshold=2"),
        "/api/cone?square=a3".to_owned(),
        "/api/escape?moves=a3a4,a7a6&left=20000".to_owned(),
        "/api/amazons/escape?size=6&local=power(4)&global=step(0.1)&left=9000".to_owned(),
        "/api/picture.svg?arrows=a3a4&flipped=true".to_owned(),
        "/art.svg".to_owned(),
        format!("/api/tablebase?{ENDING}"),
        format!("/api/tablebase/line?{ENDING}"),
        format!("/api/mine?{ENDING}&max_depth=2"),
        "/api/mine?class=E-L&max_depth=3&prune=true".to_owned(),
        "/api/puzzles?theme=race&from=1000&to=1500&limit=5".to_owned(),
        "/api/puzzles/daily?date=2026-12-24".to_owned(),
        "/api/drill?class=E-L&goal=resist&seed=3".to_owned(),
        format!("/api/drill/reply?{ENDING}"),
        "/api/statements?class=C-W".to_owned(),
        "/api/analyse?depth=6&lines=3".to_owned(),
        format!("/api/analyse?{ENDING}&depth=6"),
        "/api/best?level=elephant&seconds=0.000001".to_owned(),
        "/api/review?moves=a3a4,a7a6,g1f1&nodes=2000".to_owned(),
        "/api/amazons/position?size=6&moves=b1b4/b2".to_owned(),
        "/api/amazons/analyse?fen=W2xB1/2xx2/xxxxxx/W1Bx1x/3xxx/1B1xW1%20w&depth=2".to_owned(),
        "/api/gadgets".to_owned(),
        "/api/gadgets?name=mended-and".to_owned(),
        "/api/gadgets/board?formula=x%20%7C%20y&stepping=true".to_owned(),
        "/api/gadgets/play?formula=x&first=black&reply=true".to_owned(),
        "/api/gadgets/play?formula=x%26y&reply=true".to_owned(),
    ] {
        assert_eq!(both.compare(&path, None).await, 200, "{path}");
    }
    let pgn = "[Result \"*\"]\n\n1. Ea4 {a step} (1. Rf3) 1... ra6 *\n";
    assert_eq!(both.compare("/api/pgn/import", Some(("text/plain", pgn))).await, 200);
    let (_, imported) = both.http("/api/pgn/import", Some(("text/plain", pgn))).await;
    let imported: Value = serde_json::from_str(&imported).unwrap();
    let game = imported["games"][0].to_string();
    assert_eq!(both.compare("/api/pgn/export", Some(("application/json", &game))).await, 200);
}

#[tokio::test]
async fn games_are_kept_and_found_alike() {
    let folder = tempfile::tempdir().unwrap();
    let mut both = Both::new(folder.path());
    let pgn = "[White \"Anna\"]\n[Date \"2026.11.18\"]\n\n1. Ea4 Ra6 0-1\n\n[White \"B\"]\n\n1. Ea9 *\n\n1. Rf3 *\n";
    let text = |body| Some(("text/plain", body));
    assert_eq!(both.compare("/api/games/import?lines_before=7", text(pgn)).await, 200);
    let record = r#"{"tags":{"White":"You"},"line":{"moves":[{"move":"a3a4"},{"move":"a7a6"}]}}"#;
    let record = Some(("application/json", record));
    assert_eq!(both.compare("/api/games/save?id=game-1", record).await, 200);
    for (path, status) in [
        ("/api/games", 200),
        ("/api/games?player=anna&since=2026", 200),
        ("/api/games?position=l5t/1d3c1/r1p1w1e/7/7/E6/2W1P1R/1C3D1/T5L%20b", 200),
        ("/api/games?source=book&limit=3", 200),
        ("/api/games?since=soon", 400),
        ("/api/games?source=stolen", 400),
        ("/api/games/game?id=game-1", 200),
        ("/api/games/game?id=book-1", 200),
        ("/api/games/game?id=nobody", 404),
        ("/api/games/game", 400),
        ("/api/games/export?source=imported", 200),
        ("/api/explorer", 200),
        ("/api/explorer?source=own", 200),
        ("/api/explorer?moves=a3a4&source=imported", 200),
        ("/api/explorer?source=stolen", 400),
        ("/api/explorer?moves=a3c3", 400),
    ] {
        assert_eq!(both.compare(path, None).await, status, "{path}");
    }
    assert_eq!(both.compare("/api/games/delete", text("")).await, 400);
    assert_eq!(both.compare("/api/games/delete?source=imported", text("")).await, 200);
    assert_eq!(both.compare("/api/games", None).await, 200);
    // What the page kept is taken over again.
    let mut kept = Vec::new();
    let mut desk = Desk::new(Arc::new(Site(folder.path().into())), 1);
    let import = Question { path: "/api/games/import", query: "", body: pgn };
    desk.ask(import, &mut |name, data| kept.push((name.to_owned(), data.to_owned())));
    assert!(kept.len() == 2 && kept.iter().all(|(name, _)| name == "keep"), "{kept:?}");
    let rows: Vec<&str> = kept.iter().map(|(_, data)| data.as_str()).collect();
    let body = format!("{{\"reset\":true,\"games\":[{}]}}", rows.join(","));
    let mut again = Desk::new(Arc::new(Site(folder.path().into())), 1);
    let load = Question { path: "/library/load", query: "", body: &body };
    assert_eq!(again.ask(load, &mut |_, _| {}).body, r#"{"games":2}"#);
    let list = Question { path: "/api/games", query: "", body: "" };
    let (before, after) = (desk.ask(list, &mut |_, _| {}), again.ask(list, &mut |_, _| {}));
    assert_eq!((before.status, before.body), (after.status, after.body));
}

#[tokio::test]
async fn what_is_refused_is_refused_alike() {
    let folder = tempfile::tempdir().unwrap();
    let mut both = Both::new(folder.path());
    for (path, status) in [
        ("/api/moves?moves=a3c3", 400),
        ("/api/moves?fen=nonsense", 400),
        ("/api/moves?rules=chess", 400),
        ("/api/check", 400),
        ("/api/cone?square=z9", 400),
        ("/api/cone?square=a4", 400),
        ("/api/split?threshold=x", 400),
        ("/api/tablebase", 404),
        ("/api/tablebase?fen=7/7/3e3/3l3/7/7/3E3/1T5/7%20w", 404),
        ("/api/mine?class=ELT-WDC", 404),
        ("/api/mine?class=E-L&max_depth=40", 400),
        ("/api/puzzles?theme=fork", 400),
        ("/api/puzzles?id=nothing", 404),
        ("/api/puzzles/daily?date=today", 400),
        ("/api/drill", 400),
        ("/api/drill?class=X", 400),
        ("/api/drill?class=ELT-WDC", 404),
        ("/api/drill?class=E-L&goal=lose", 400),
        ("/api/drill/reply", 404),
        ("/api/statements?class=EL-WD", 404),
        ("/api/analyse?lines=9", 400),
        ("/api/analyse?seconds=-1", 400),
        ("/api/best?level=mouse", 400),
        ("/api/amazons/position?size=99", 400),
        ("/api/amazons/analyse?algorithm=guess", 400),
        ("/api/gadgets?name=none", 404),
        ("/api/gadgets/board?formula=x%20%26%20!y", 400),
        ("/api/gadgets/board", 400),
        ("/api/gadgets/play?formula=x&moves=a1a9", 400),
        ("/api/nothing", 404),
    ] {
        assert_eq!(both.compare(path, None).await, status, "{path}");
    }
    assert_eq!(both.compare("/api/pgn/import", Some(("text/plain", "1. nonsense"))).await, 400);
}
