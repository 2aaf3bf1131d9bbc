//! Game records: PGN in, a tree of moves out, and back.
//!
//! The page keeps the tree; what a record may hold and how it is written is known to `jungle::pgn` alone.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use game::Game;
use jungle::pgn::{Comment, GameRecord, GameResult, Line, Node, Tags, read};
use jungle::{Animal, Color, Jungle, Play, Setup, parse_move};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Shared;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{JsonBody, TextBody};
use crate::moves;

/// The most games read from one text.
const MOST_GAMES: usize = 50;
/// The most moves of a record, variations included.
const MOST_MOVES: usize = 10_000;

/// A game record.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct RecordBody {
    /// Who, where and when.
    #[serde(default)]
    pub tags: BTreeMap<String, String>,
    /// The rules; `standard` if left out.
    #[serde(default = "standard")]
    pub rules: String,
    /// Where it begins; the usual start if left out.
    #[serde(default = "start")]
    pub fen: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; what the last position says if left out.
    #[serde(default)]
    pub result: Option<String>,
    /// The moves.
    #[serde(default)]
    pub line: LineBody,
}

/// A sequence of moves.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
pub struct LineBody {
    /// What is said before the first move.
    #[serde(default)]
    pub comments: Vec<String>,
    /// The moves.
    #[serde(default)]
    #[schema(no_recursion)]
    pub moves: Vec<NodeBody>,
}

/// A move with what is said about it.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct NodeBody {
    /// The move; either form is read, coordinates are written.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form; not read.
    #[serde(default)]
    pub san: String,
    /// The letter of the animal taken; not read.
    #[serde(default)]
    pub captures: Option<char>,
    /// The position after the move; not read.
    #[serde(default)]
    pub fen: String,
    /// Numeric annotations: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    #[serde(default)]
    pub nags: Vec<u8>,
    /// What is said after the move.
    #[serde(default)]
    pub comments: Vec<String>,
    /// What could have been played instead.
    #[serde(default)]
    #[schema(no_recursion)]
    pub variations: Vec<LineBody>,
}

/// What a text holds.
#[derive(Debug, Serialize, ToSchema)]
pub struct Imported {
    /// The games that could be read.
    pub games: Vec<RecordBody>,
    /// What was wrong with the others.
    pub faults: Vec<String>,
}

/// A record as text.
#[derive(Debug, Serialize, ToSchema)]
pub struct Exported {
    /// The PGN.
    pub pgn: String,
}

fn standard() -> String {
    "standard".to_owned()
}

fn start() -> String {
    jungle::fen::START.to_owned()
}

/// Read PGN
///
/// The body is the text. Games that cannot be read are named in `faults`; if none can, that is an error.
#[utoipa::path(post, path = "/api/pgn/import", tag = "record",
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = Imported), (status = 400, body = ErrorBody),
              (status = 413, body = ErrorBody)))]
pub async fn import(
    State(shared): State<Shared>,
    TextBody(text): TextBody,
) -> Result<Json<Imported>, ApiError> {
    let _permit = shared.pictures.acquire().await.map_err(ApiError::internal)?;
    let task = tokio::task::spawn_blocking(move || imported(&text));
    Ok(Json(task.await.map_err(ApiError::internal)??))
}

fn imported(text: &str) -> Result<Imported, ApiError> {
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    let mut budget = MOST_MOVES;
    for game in read(text).take(MOST_GAMES) {
        match game {
            Ok(record) => games.push(body(&record, &mut budget)?),
            Err(error) => faults.push(error.to_string()),
        }
    }
    match (games.is_empty(), faults.first()) {
        (true, Some(fault)) => Err(ApiError::bad("pgn", fault)),
        (true, None) => Err(ApiError::bad("pgn", "there is no game in the text")),
        (false, _) => Ok(Imported { games, faults }),
    }
}

fn body(record: &GameRecord, budget: &mut usize) -> Result<RecordBody, ApiError> {
    let play = Play::new(Jungle::new(record.rules), &record.start)?;
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    Ok(RecordBody {
        tags: record.tags.iter().map(owned).collect(),
        rules: record.rules.to_string(),
        fen: record.start.to_string(),
        result: Some(record.result.to_string()),
        line: line_body(&record.line, play.jungle(), &record.start, budget)?,
    })
}

fn line_body(
    line: &Line,
    jungle: &Jungle,
    start: &Setup,
    budget: &mut usize,
) -> Result<LineBody, ApiError> {
    let mut setup = start.clone();
    let mut moves = Vec::with_capacity(line.moves.len());
    for node in &line.moves {
        *budget = budget.checked_sub(1).ok_or_else(too_long)?;
        let position = setup.position()?;
        let variations = node.variations.iter();
        let variations = variations
            .map(|line| line_body(line, jungle, &setup, budget))
            .collect::<Result<_, _>>()?;
        let san = moves::san(jungle, &position, node.mv);
        let after = Setup::from(&jungle.after(&position, node.mv));
        setup = Setup {
            quiet_plies: if node.mv.is_capture() { 0 } else { setup.quiet_plies.saturating_add(1) },
            move_number: setup.move_number.saturating_add((after.turn == Color::White).into()),
            ..after
        };
        moves.push(NodeBody {
            mv: node.mv.to_string(),
            san,
            captures: node.mv.captured.map(Animal::letter),
            fen: setup.to_string(),
            nags: node.nags.clone(),
            comments: node.comments.iter().map(ToString::to_string).collect(),
            variations,
        });
    }
    Ok(LineBody { comments: line.comments.iter().map(ToString::to_string).collect(), moves })
}

fn too_long() -> ApiError {
    ApiError::bad(
        "too-many-moves",
        format!("more than {MOST_MOVES} moves: send fewer games at once"),
    )
}

/// Write PGN
///
/// Every move is checked.
#[utoipa::path(post, path = "/api/pgn/export", tag = "record", request_body = RecordBody,
    responses((status = 200, body = Exported), (status = 400, body = ErrorBody),
              (status = 413, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn export(
    State(shared): State<Shared>,
    JsonBody(body): JsonBody<RecordBody>,
) -> Result<Json<Exported>, ApiError> {
    let _permit = shared.pictures.acquire().await.map_err(ApiError::internal)?;
    let task = tokio::task::spawn_blocking(move || exported(&body));
    Ok(Json(Exported { pgn: task.await.map_err(ApiError::internal)?? }))
}

fn exported(body: &RecordBody) -> Result<String, ApiError> {
    let setup: Setup = body.fen.parse()?;
    let mut record = GameRecord::new(body.rules.parse()?, setup);
    let jungle = Jungle::new(record.rules);
    record.tags = tags(&body.tags)?;
    let mut budget = MOST_MOVES;
    record.line = line(&body.line, &jungle, &record.start.position()?, &mut budget)?;
    record.result = match &body.result {
        Some(text) => result(text)?,
        // A game that was played on after a draw by repetition has no result of its own.
        None => record.play().map_or(GameResult::Unfinished, |play| play.ending().into()),
    };
    Ok(record.to_string())
}

fn tags(tags: &BTreeMap<String, String>) -> Result<Tags, ApiError> {
    let mut known = Tags::default();
    for (name, value) in tags {
        known.set(name, value).map_err(|error| ApiError::bad("tag", error))?;
    }
    Ok(known)
}

fn result(text: &str) -> Result<GameResult, ApiError> {
    let all = [
        GameResult::Win(Color::White),
        GameResult::Win(Color::Black),
        GameResult::Draw,
        GameResult::Unfinished,
    ];
    all.into_iter().find(|result| result.as_str() == text).ok_or_else(|| {
        ApiError::bad("result", format!("'{text}' is not a result: use 1-0, 0-1, 1/2-1/2 or *"))
    })
}

fn line(
    body: &LineBody,
    jungle: &Jungle,
    start: &jungle::Position,
    budget: &mut usize,
) -> Result<Line, ApiError> {
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(body.moves.len());
    for node in &body.moves {
        *budget = budget.checked_sub(1).ok_or_else(too_long)?;
        let mv = parse_move(jungle, &position, &node.mv)?;
        let variations = node.variations.iter();
        let variations = variations
            .map(|body| line(body, jungle, &position, budget))
            .collect::<Result<_, _>>()?;
        let comments = node.comments.iter().map(|text| Comment::new(text)).collect();
        moves.push(Node { mv, nags: node.nags.clone(), comments, variations });
        jungle.make(&mut position, mv);
    }
    Ok(Line { comments: body.comments.iter().map(|text| Comment::new(text)).collect(), moves })
}
