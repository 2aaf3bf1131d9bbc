//! The interface as a client meets it.

mod common;

use std::path::Path;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use common::{get, post, router};
use jungle::Rules;
use serde_json::{Value, json};
use tablebase::build::{Options, Wanted, build};
use tablebase::set_folder;
use tower::ServiceExt;

#[tokio::test]
async fn moves_are_legal_and_refusals_have_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    let (status, state) = get(&router, "/api/moves?moves=a3a4,ra6").await;
    assert_eq!((status, state["turn"].as_str()), (StatusCode::OK, Some("white")));
    assert_eq!(state["played"][0]["san"], "Ea4");
    for (path, status, code) in [
        ("/api/moves?moves=c3c4", 400, "cannot-swim"),
        ("/api/moves?fen=7/7/7/1W5/7/7/7/7/7%20w", 400, "in-water"),
        ("/api/moves?fen=nonsense", 400, "fen"),
        ("/api/moves?rules=chess", 400, "rules"),
        ("/api/analyse?lines=9", 400, "lines"),
        ("/api/analyse?lines=many", 400, "query"),
        ("/api/best?level=dragon", 400, "level"),
        ("/api/cone?square=a5", 400, "no-piece"),
        ("/api/picture.png?size=9999", 400, "size"),
        ("/api/tablebase", 404, "too-many-pieces"),
        ("/api/nothing", 404, "not-found"),
    ] {
        let (found, body) = get(&router, path).await;
        assert_eq!(
            (found.as_u16(), body["error"]["code"].as_str()),
            (status, Some(code)),
            "{path}"
        );
        assert!(body["error"]["message"].as_str().is_some_and(|text| text.len() > 8), "{path}");
    }
    let long = format!("/api/moves?fen={}", "7".repeat(20_000));
    assert_eq!(get(&router, &long).await.0, StatusCode::URI_TOO_LONG);
    let (status, _) = post(&router, "/api/moves", "text/plain", String::new()).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
    let (status, _) = post(&router, "/api/pgn/import", "text/plain", "x".repeat(300_000)).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_board_is_checked_fault_by_fault() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    let (_, checked) = get(&router, "/api/check?fen=7/7/7/1W5/7/7/7/W6/3C3%20w").await;
    assert_eq!(checked["valid"], false);
    let codes: Vec<&str> =
        checked["faults"].as_array().unwrap().iter().filter_map(|f| f["code"].as_str()).collect();
    assert_eq!(codes, ["own-den", "two-of-a-kind", "in-water"]);
    let (_, checked) = get(&router, "/api/check?fen=7/7/7/1W5/7/7/7/7/7%20w").await;
    assert_eq!(checked["faults"][0]["squares"][0], "b6");
}

#[tokio::test]
async fn the_engine_answers_and_streams() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    let (status, best) = get(&router, "/api/best?fen=7/3T3/7/7/7/7/7/6c/7%20w&level=rat").await;
    assert_eq!((status, best["move"].as_str()), (StatusCode::OK, Some("d8d9")));
    let request = Request::get("/api/analyse?depth=4&lines=2").body(Body::empty()).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let last = text.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let thought: Value = serde_json::from_str(last).unwrap();
    assert_eq!(
        (&thought["done"], thought["lines"].as_array().unwrap().len()),
        (&Value::Bool(true), 2)
    );
    let (status, over) = get(&router, "/api/analyse?fen=3T3/7/7/7/7/7/7/6c/7%20b").await;
    assert_eq!(
        (status, over["error"]["code"].as_str()),
        (StatusCode::BAD_REQUEST, Some("game-over"))
    );
}

#[tokio::test]
async fn figure_13_falls_into_two_scored_parts() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    let path = "/api/split?rules=tufts&fen=7/7/1cd1e2/4R2/7/7/1C5/r1P4/7%20w";
    let (_, split) = get(&router, path).await;
    assert_eq!(split["tree"], serde_json::json!([0, 1, 1, 2, 3, 5]));
    assert_eq!(split["parts"][0], serde_json::json!(["a2", "b3", "c2"]));
    let parts = split["search"]["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2);
    assert!(parts.iter().all(|part| part["non_move"]["cp"].is_i64()));
    assert_eq!(
        get(&router, &format!("{path}&threshold=5")).await.1["parts"].as_array().unwrap().len(),
        1
    );
}

/// Writes all tables of two pieces into a folder, as the server expects them.
fn small_tables(rules: &Rules, folder: &Path) {
    let folder = set_folder(folder, rules);
    build(rules, &folder, &Wanted::Pieces(2), &Options::default(), &mut |_| ()).unwrap();
}

/// Follows a way down a tree as it is in JSON.
fn follow<'a>(tree: &'a Value, path: &Value) -> &'a Value {
    let answers = path.as_array().unwrap().iter().map(|answer| answer.as_u64().unwrap());
    answers.fold(tree, |at, answer| &at["children"][answer as usize]["then"])
}

#[tokio::test]
async fn a_tree_explains_a_class_and_a_position() {
    let folder = tempfile::tempdir().unwrap();
    small_tables(&Rules::STANDARD, folder.path());
    let router = router(folder.path());
    let (status, mined) = get(&router, "/api/mine?class=E-T&max_depth=12").await;
    assert_eq!((status, mined["class"].as_str()), (StatusCode::OK, Some("E-T")));
    assert_eq!((&mined["path"], &mined["swapped"]), (&Value::Null, &Value::Bool(false)));
    let report = &mined["report"];
    let sum = |counts: &Value| -> u64 {
        ["white", "draw", "black"].iter().map(|outcome| counts[outcome].as_u64().unwrap()).sum()
    };
    assert_eq!(report["positions"].as_u64(), Some(sum(&report["tree"]["counts"])));
    let children = report["tree"]["children"].as_array().unwrap();
    let below: u64 = children.iter().map(|child| sum(&child["then"]["counts"])).sum();
    assert_eq!(below, sum(&report["tree"]["counts"]));

    // The truth, the way to a leaf, and what the leaf says agree, for both sides to move.
    for (fen, turn) in [
        ("7/7/3t3/7/7/7/7/3E3/7%20w", "white"),
        ("7/3e3/7/7/7/7/3T3/7/7%20b", "black"),
        ("7/1E5/7/7/7/7/5t1/7/7%20w", "white"),
    ] {
        let (_, probed) = get(&router, &format!("/api/tablebase?fen={fen}")).await;
        let (_, mined) = get(&router, &format!("/api/mine?fen={fen}&max_depth=12")).await;
        assert_eq!(mined["class"], "E-T", "{fen}");
        assert_eq!(mined["swapped"], turn == "black");
        let leaf = follow(&mined["report"]["tree"], &mined["path"]);
        // The tree is perfect for this class, so that it cannot be wrong about any position.
        assert_eq!(mined["report"]["errors"], 0);
        let said = match probed["outcome"].as_str().unwrap() {
            "win" => "white",
            "loss" => "black",
            _ => "draw",
        };
        assert_eq!(leaf["outcome"], said, "{fen}");
    }
    for (query, status, code) in [
        ("class=E-", 400, "class"),
        ("class=EE-T", 400, "class"),
        ("class=E-T&features=luck", 400, "features"),
        ("class=E-T&features=,", 400, "features"),
        ("class=E-T&max_depth=13", 400, "max-depth"),
        ("class=E-T&max_depth=deep", 400, "query"),
        ("class=EL-TC&max_depth=9", 400, "max-depth"),
        ("class=E-T&rules=chess", 400, "rules"),
        ("class=EL-T", 404, "missing-table"),
        ("class=ELT-EL", 404, "too-many-pieces"),
        ("", 404, "too-many-pieces"),
        ("fen=3E3/7/7/7/7/7/7/6t/7%20b", 400, "game-over"),
    ] {
        let (found, body) = get(&router, &format!("/api/mine?{query}")).await;
        let answer = (found.as_u16(), body["error"]["code"].as_str());
        assert_eq!(answer, (status, Some(code)), "{query}");
    }
}

#[tokio::test]
async fn records_go_in_and_out() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    let pgn = "[Rules \"leiden\"]\n\n1. Ea4 {bold} (1. Eb3 $1) 1... ra6 *";
    let (_, read) = post(&router, "/api/pgn/import", "text/plain", pgn.to_owned()).await;
    let game = &read["games"][0];
    assert_eq!(game["line"]["moves"][0]["variations"][0]["moves"][0]["move"], "a3b3");
    let (status, written) =
        post(&router, "/api/pgn/export", "application/json", game.to_string()).await;
    assert_eq!(status, StatusCode::OK);
    let text = written["pgn"].as_str().unwrap().to_owned();
    let (_, again) = post(&router, "/api/pgn/import", "text/plain", text).await;
    assert_eq!(again["games"][0]["line"], game["line"]);
}

/// What a page needs to say the same in another language.
#[tokio::test]
async fn errors_of_reading_have_causes() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    let import =
        async |pgn: &str| post(&router, "/api/pgn/import", "text/plain", pgn.to_owned()).await.1;
    let illegal = import("1. Ea4 ra6\n2. Ea5 (2. Eb4 rb6 3. Ec4!) *").await;
    assert_eq!(illegal["error"]["code"], "pgn");
    assert_eq!(
        illegal["error"]["cause"],
        json!({"code": "cannot-swim", "squares": ["a4", "b4"], "text": "Eb4", "line": 2, "ply": 3})
    );
    for (pgn, cause) in [
        (
            "1. Ea4 ra6 2. Wc4",
            json!({"code": "cannot-swim", "squares": ["c3", "c4"], "text": "Wc4", "line": 1, "ply": 3}),
        ),
        (
            "1. Ec3b3",
            json!({"code": "no-such-piece", "squares": ["c3"], "pieces": ["E"], "text": "Ec3b3", "line": 1, "ply": 1}),
        ),
        ("1. e4", json!({"code": "not-a-move", "text": "e4", "line": 1, "ply": 1})),
        (
            "[FEN \"7/7/7/7/7/7/7/6x/7 w\"]",
            json!({"code": "fen", "detail": "letter", "text": "x", "rank": 2, "line": 1}),
        ),
        (
            "[FEN \"7/7/7/1W5/7/7/7/7/7 w\"]",
            json!({"code": "in-water", "squares": ["b6"], "pieces": ["W"], "line": 1}),
        ),
        (
            "\n[Rules \"leiden,shore=ajar\"]",
            json!({"code": "unknown-value", "switches": ["shore"], "text": "ajar", "line": 2}),
        ),
        ("1. Ea4 {so", json!({"code": "unclosed-comment", "line": 1})),
        ("", json!({"code": "no-game", "line": 1})),
    ] {
        assert_eq!(import(pgn).await["error"]["cause"], cause, "{pgn}");
    }
    let some = import("1. Ea4 *\n1. Ea5 *").await;
    assert_eq!(some["games"].as_array().unwrap().len(), 1);
    assert_eq!(some["faults"].as_array().unwrap().len(), 1);
    assert_eq!(some["causes"][0]["code"], "too-far");

    for (fen, detail, text) in [
        ("", "empty", None),
        ("7/7/7/7/7/7/7/7/7", "side", None),
        ("7/7/7/7/7/7/7/7/7 w -", "fields", Some("3")),
        ("7/7/7/7/7/7/7/7 w", "ranks", Some("8")),
        ("7/7/7/7/7/7/7/7/6 w", "files", Some("6")),
        ("7/7/7/7/7/7/7/6x/7 w", "letter", Some("x")),
        ("7/7/7/7/7/7/7/7/7 white", "side", Some("white")),
        ("7/7/7/7/7/7/7/7/7 w KQ - 0 1", "dashes", Some("KQ")),
        ("7/7/7/7/7/7/7/7/7 w - - -1 1", "counters", Some("-1")),
    ] {
        let path = format!("/api/moves?fen={}", fen.replace(' ', "%20"));
        let (_, body) = get(&router, &path).await;
        let error = &body["error"];
        assert_eq!((error["code"].as_str(), error["detail"].as_str()), (Some("fen"), Some(detail)));
        assert_eq!(
            (&error["cause"]["code"], error["cause"]["text"].as_str()),
            (&error["detail"], text)
        );
    }
    for (rules, cause) in [
        ("chess", json!({"code": "unknown-preset", "text": "chess"})),
        ("leiden,shores=open", json!({"code": "unknown-switch", "text": "shores"})),
        ("leiden,shore", json!({"code": "no-value", "text": "shore"})),
        (
            "leiden,shore=ajar",
            json!({"code": "unknown-value", "switches": ["shore"], "text": "ajar"}),
        ),
    ] {
        let (_, body) = get(&router, &format!("/api/moves?rules={rules}")).await;
        assert_eq!(body["error"]["cause"], cause, "{rules}");
    }
}

#[tokio::test]
async fn the_description_lists_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    let (_, api) = get(&router, "/api/openapi.json").await;
    let paths: Vec<&String> = api["paths"].as_object().unwrap().keys().collect();
    for path in [
        "/api/moves",
        "/api/analyse",
        "/api/best",
        "/api/tablebase",
        "/api/tablebase/build",
        "/api/mine",
        "/api/split",
        "/api/cone",
        "/api/amazons/position",
        "/api/amazons/analyse",
        "/api/gadgets",
        "/api/gadgets/board",
        "/api/gadgets/play",
    ] {
        assert!(paths.iter().any(|known| *known == path), "{path}");
    }
    assert_eq!(get(&router, "/").await.0, StatusCode::OK);
    assert_eq!(get(&router, "/amazons").await.0, StatusCode::OK);
    assert_eq!(get(&router, "/gadgets").await.0, StatusCode::OK);
    assert_eq!(get(&router, "/../Cargo.toml").await.0, StatusCode::NOT_FOUND);
}

/// The viewer needs nothing from elsewhere, and may do what no other page may: inline styles.
#[cfg(feature = "api-docs")]
#[tokio::test]
async fn the_description_is_shown_without_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let router = router(folder.path());
    let ask = async |path: &str| {
        let request = Request::get(path).body(Body::empty()).unwrap();
        router.clone().oneshot(request).await.unwrap()
    };
    assert_eq!(ask("/api/docs").await.headers()["location"], "/api/docs/");
    for file in ["", "swagger-ui.css", "swagger-ui-bundle.js", "swagger-initializer.js"] {
        let response = ask(&format!("/api/docs/{file}")).await;
        assert_eq!(response.status(), StatusCode::OK, "{file}");
        let policy = response.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("style-src 'self' 'unsafe-inline'"), "{file}: {policy}");
        assert!(!policy.contains("http"), "{file}: {policy}");
    }
    let page = ask("/").await;
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    assert!(!policy.contains("unsafe"), "{policy}");
}
