//! Game records: PGN in, a tree of moves out, and back.
//!
//! A board keeps the tree; `jungle::pgn` alone knows what a record may hold and how it is written.

use std::collections::BTreeMap;

use game::Game;
use jungle::pgn::{Comment, GameRecord, GameResult, Line, Node, PgnError, PgnFault, Tags, read};
use jungle::{Animal, Color, Jungle, Play, Setup, parse_move};
use serde::{Deserialize, Serialize};

use crate::notation::algebraic;
use crate::refusal::{Cause, Kind, Refusal};

/// The most games read from one text.
const MOST_GAMES: usize = 50;
/// The most moves of a record, variations included.
const MOST_MOVES: usize = 10_000;

/// A game record.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Record {
    /// The tags.
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
    pub line: RecordLine,
}

/// A sequence of moves.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordLine {
    /// The comment before the first move.
    #[serde(default)]
    pub comments: Vec<String>,
    /// The moves.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub moves: Vec<RecordNode>,
}

/// A move with its annotations.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordNode {
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
    /// The comment after the move.
    #[serde(default)]
    pub comments: Vec<String>,
    /// Variations: what could have been played instead.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub variations: Vec<RecordLine>,
}

/// The games of a text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Imported {
    /// The games that could be read.
    pub games: Vec<Record>,
    /// What was wrong with the others.
    pub faults: Vec<String>,
    /// The same as data, in the same order.
    pub causes: Vec<Cause>,
}

/// A record as text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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

/// Reads PGN.
///
/// # Errors
///
/// If no game can be read, or there are too many moves.
pub fn import(text: &str) -> Result<Imported, Refusal> {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    let mut budget = MOST_MOVES;
    for game in read(text).take(MOST_GAMES) {
        match game {
            Ok(record) => games.push(body(&record, &mut budget)?),
            Err(error) => errors.push(error),
        }
    }
    if games.is_empty() {
        let none = PgnError { line: 1, fault: PgnFault::NoGame };
        return Err(errors.into_iter().next().unwrap_or(none).into());
    }
    let faults = errors.iter().map(ToString::to_string).collect();
    Ok(Imported { games, faults, causes: errors.iter().map(Cause::from).collect() })
}

fn body(record: &GameRecord, budget: &mut usize) -> Result<Record, Refusal> {
    let play = Play::new(Jungle::new(record.rules), &record.start)?;
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    Ok(Record {
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
) -> Result<RecordLine, Refusal> {
    let mut setup = start.clone();
    let mut moves = Vec::with_capacity(line.moves.len());
    for node in &line.moves {
        *budget = budget.checked_sub(1).ok_or_else(too_long)?;
        let position = setup.position()?;
        let variations = node.variations.iter();
        let variations = variations
            .map(|line| line_body(line, jungle, &setup, budget))
            .collect::<Result<_, _>>()?;
        let san = algebraic(jungle, &position, node.mv);
        let after = Setup::from(&jungle.after(&position, node.mv));
        setup = Setup {
            quiet_plies: if node.mv.is_capture() { 0 } else { setup.quiet_plies.saturating_add(1) },
            move_number: setup.move_number.saturating_add((after.turn == Color::White).into()),
            ..after
        };
        moves.push(RecordNode {
            mv: node.mv.to_string(),
            san,
            captures: node.mv.captured.map(Animal::letter),
            fen: setup.to_string(),
            nags: node.nags.clone(),
            comments: node.comments.iter().map(ToString::to_string).collect(),
            variations,
        });
    }
    Ok(RecordLine { comments: line.comments.iter().map(ToString::to_string).collect(), moves })
}

fn too_long() -> Refusal {
    Refusal::bad(
        "too-many-moves",
        format!("more than {MOST_MOVES} moves: send fewer games at once"),
    )
}

/// Writes PGN; every move is checked.
///
/// # Errors
///
/// If something is not understood or not possible.
pub fn export(body: &Record) -> Result<Exported, Refusal> {
    Ok(Exported { pgn: game_record(body)?.to_string() })
}

/// The game of a record; every move is checked.
pub(crate) fn game_record(body: &Record) -> Result<GameRecord, Refusal> {
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
    Ok(record)
}

fn tags(tags: &BTreeMap<String, String>) -> Result<Tags, Refusal> {
    let mut known = Tags::default();
    for (name, value) in tags {
        known.set(name, value).map_err(|error| Refusal::because(Kind::Bad, "tag", error))?;
    }
    Ok(known)
}

pub(crate) fn result(text: &str) -> Result<GameResult, Refusal> {
    let all = [
        GameResult::Win(Color::White),
        GameResult::Win(Color::Black),
        GameResult::Draw,
        GameResult::Unfinished,
    ];
    all.into_iter().find(|result| result.as_str() == text).ok_or_else(|| {
        Refusal::bad("result", format!("'{text}' is not a result: use 1-0, 0-1, 1/2-1/2 or *"))
    })
}

fn line(
    body: &RecordLine,
    jungle: &Jungle,
    start: &jungle::Position,
    budget: &mut usize,
) -> Result<Line, Refusal> {
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
