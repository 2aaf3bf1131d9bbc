//! The Game of the Amazons as a client meets it.

mod common;

use amazons::exact::Solver;
use axum::Router;
use axum::http::StatusCode;
use common::get;
use serde_json::Value;

/// Five regions: one that both sides contest, two that White fills, one that Black fills, and a square that
/// neither side can reach.
const CUT: &str = "W2xB1/2xx2/xxxxxx/W1Bx1x/3xxx/1B1xW1%20w";

async fn with_router(test: impl AsyncFnOnce(Router)) {
    let folder = tempfile::tempdir().unwrap();
    test(common::router(folder.path())).await;
}

/// All moves of a position, written out.
fn written_out(position: &Value) -> Vec<String> {
    let moves = position["moves"].as_array().unwrap().iter();
    let mut moves: Vec<String> = moves.map(|mv| mv.as_str().unwrap().to_owned()).collect();
    moves.sort();
    moves
}

#[tokio::test]
async fn a_position_has_its_moves_and_regions() {
    with_router(async |router| {
        let (status, start) = get(&router, "/api/amazons/position").await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(start["fen"], amazons::fen::START);
        assert_eq!((&start["files"], &start["turn"]), (&Value::from(10), &Value::from("white")));
        assert_eq!(start["rows"][0], "...B..B...");
        assert_eq!((written_out(&start).len(), &start["count"]), (2_176, &Value::from(2_176)));
        assert_eq!(start["regions"].as_array().unwrap().len(), 1);
        let bytes = common::compressed(&router, "/api/amazons/position").await;
        assert!(bytes < 12_000, "the moves are sent in few bytes: {bytes}");

        let path = "/api/amazons/position?size=6&moves=b1b4/b2,b6b5/e5";
        let (_, played) = get(&router, path).await;
        assert_eq!(played["played"][0]["move"], "b1b4/b2");
        assert_eq!(played["played"][1]["fen"], played["fen"]);
        assert_eq!(played["winner"], Value::Null);

        let (_, cut) = get(&router, &format!("/api/amazons/position?fen={CUT}")).await;
        let position: amazons::Position = CUT.replace("%20", " ").parse().unwrap();
        let mut legal: Vec<String> = game::Game::moves(&amazons::Amazons, &position)
            .iter()
            .map(ToString::to_string)
            .collect();
        legal.sort();
        assert_eq!(written_out(&cut), legal);
        let regions = cut["regions"].as_array().unwrap();
        let of = |kind: &str, owner: Value| {
            regions.iter().filter(|r| r["kind"] == kind && r["owner"] == owner).count()
        };
        assert_eq!(
            [
                of("competing", Value::Null),
                of("filling", "white".into()),
                of("filling", "black".into()),
                of("terminating", Value::Null)
            ],
            [1, 2, 1, 1]
        );

        let (_, over) = get(&router, "/api/amazons/position?fen=Wx2/xx2/4/3B%20w").await;
        assert_eq!((&over["winner"], &over["count"]), (&Value::from("black"), &Value::from(0)));
    })
    .await;
}

#[tokio::test]
async fn searches_answer_and_regions_add_up() {
    with_router(async |router| {
        for algorithm in ["plain", "regions", "exact"] {
            let path = format!("/api/amazons/analyse?fen={CUT}&algorithm={algorithm}&nodes=20000");
            let (status, found) = get(&router, &path).await;
            assert_eq!((status, &found["algorithm"]), (StatusCode::OK, &Value::from(algorithm)));
            let effort = if algorithm == "exact" { "solver_steps" } else { "nodes" };
            assert!(found[effort].as_u64().unwrap() > 0);
            let best = found["best"].as_str().unwrap();
            let after = format!("/api/amazons/position?fen={CUT}&moves={best}");
            assert_eq!(get(&router, &after).await.0, StatusCode::OK, "{best} is legal");
            let parts = found["regions"].as_array().unwrap();
            assert_eq!(parts.len(), 4);
            match algorithm {
                "plain" => assert!(parts.iter().all(|part| part["pass"].is_null())),
                "regions" => {
                    let number = |part: &Value, key: &str| part[key].as_i64();
                    let passes: i64 = parts.iter().filter_map(|p| number(p, "pass")).sum();
                    let gains =
                        parts.iter().filter_map(|p| Some(number(p, "move")? - number(p, "pass")?));
                    let sum = passes + gains.max().unwrap();
                    assert_eq!(found["score"], serde_json::json!({"cp": sum}));
                }
                _ => {
                    assert_eq!(found["score"], Value::Null);
                    let position: amazons::Position = CUT.replace("%20", " ").parse().unwrap();
                    let winner = Solver::new().winner(&position, u64::MAX).unwrap();
                    assert_eq!(found["winner"], serde_json::to_value(winner).unwrap());
                }
            }
        }
        // A search that would take for ever ends, with an unknown winner.
        let (_, hard) = get(&router, "/api/amazons/analyse?algorithm=exact&nodes=500").await;
        assert_eq!((&hard["winner"], &hard["best"]), (&Value::Null, &Value::Null));
        let (_, short) = get(&router, "/api/amazons/analyse?size=10&nodes=2&depth=1").await;
        assert_eq!((&short["depth"], short["best"].is_string()), (&Value::from(0), true));
    })
    .await;
}

#[tokio::test]
async fn refusals_have_reasons() {
    with_router(async |router| {
        for (path, code) in [
            ("position?fen=nonsense", "fen"),
            ("position?fen=4/4/4/4", "fen"),
            ("position?fen=11/4/4/4%20w", "fen"),
            ("position?size=3", "size"),
            ("position?size=large", "size"),
            ("position?size=6&fen=4/4/4/4%20w", "size"),
            ("position?moves=d1d7", "not-a-move"),
            ("position?moves=d10d7/d8", "no-amazon"),
            ("position?moves=d1e3/e4", "amazon-cannot-go"),
            ("position?moves=d1d7/e9", "arrow-cannot-fly"),
            ("analyse?algorithm=luck", "algorithm"),
            ("analyse?nodes=many", "query"),
            ("analyse?seconds=0", "seconds"),
            ("analyse?fen=Wx2/xx2/4/3B%20w", "game-over"),
        ] {
            let (status, body) = get(&router, &format!("/api/amazons/{path}")).await;
            assert_eq!(status, StatusCode::BAD_REQUEST, "{path}");
            assert_eq!(body["error"]["code"], code, "{path}");
            assert!(body["error"]["message"].as_str().is_some_and(|text| text.len() > 8), "{path}");
        }
    })
    .await;
}
