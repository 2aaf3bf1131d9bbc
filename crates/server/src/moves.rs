//! Legal moves, rules, and whether a board is possible: what the page asks after every move.

use std::collections::BTreeMap;

use axum::Json;
use game::Game;
use jungle::rules::SWITCHES;
use jungle::{Color, EndReason, Ending, Jungle, Move, Notation, Play, Position, Rules, Setup};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::extract::{GameQuery, Query};

const ALGEBRAIC: Notation = Notation::Algebraic { marks: true };

/// A position in a game, with everything that can be done in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameState {
    /// The position, with its counters.
    pub fen: String,
    /// The rules, in their shortest form.
    pub rules: String,
    /// Who is to move: `white` or `black`.
    pub turn: &'static str,
    /// The legal moves; none when the game is over.
    pub moves: Vec<LegalMove>,
    /// How the game ended, if it is over.
    pub ending: Option<EndingBody>,
    /// How often the position has occurred in this game.
    pub occurrences: usize,
    /// The moves that led here.
    pub played: Vec<PlayedMove>,
}

/// A legal move.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMove {
    /// Coordinates, as in `a3b3`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form, as in `Eb3`.
    pub san: String,
    /// The letter of the animal taken, if one is.
    pub captures: Option<char>,
}

/// A move that was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayedMove {
    /// Coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form.
    pub san: String,
    /// The letter of the animal taken, if one was.
    pub captures: Option<char>,
    /// The position after it.
    pub fen: String,
}

/// How a game ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct EndingBody {
    /// `white`, `black`, or none for a draw.
    pub winner: Option<&'static str>,
    /// `den`, `annihilation`, `no-legal-move`, `repetition`, `move-limit` or `quiet-limit`.
    pub reason: &'static str,
    /// In words.
    pub text: String,
}

/// A colour in JSON.
pub fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// An ending in JSON.
pub fn ending(ending: Ending) -> EndingBody {
    let reason = match ending.reason {
        EndReason::Den => "den",
        EndReason::Annihilation => "annihilation",
        EndReason::NoLegalMove => "no-legal-move",
        EndReason::Repetition => "repetition",
        EndReason::MoveLimit => "move-limit",
        EndReason::QuietLimit => "quiet-limit",
    };
    EndingBody { winner: ending.winner.map(side), reason, text: ending.to_string() }
}

/// A move in the papers' form.
pub fn san(jungle: &Jungle, position: &Position, mv: Move) -> String {
    ALGEBRAIC.write(jungle, position, mv)
}

/// Moves, one after another, in both forms.
pub fn line(jungle: &Jungle, position: &Position, moves: &[Move]) -> (Vec<String>, Vec<String>) {
    let mut position = position.clone();
    let mut both = (Vec::new(), Vec::new());
    for &mv in moves {
        both.0.push(mv.to_string());
        both.1.push(san(jungle, &position, mv));
        jungle.make(&mut position, mv);
    }
    both
}

/// Legal moves
///
/// Plays the moves from the FEN, checks them, and says what can be played next or how the game ended.
#[utoipa::path(get, path = "/api/moves", tag = "game", params(GameQuery),
    responses((status = 200, body = GameState), (status = 400, body = ErrorBody)))]
pub async fn moves(Query(query): Query<GameQuery>) -> Result<Json<GameState>, ApiError> {
    let play = query.play()?;
    Ok(Json(state(&play)?))
}

fn state(play: &Play) -> Result<GameState, ApiError> {
    let (jungle, position) = (play.jungle(), play.position());
    let letter = |mv: Move| mv.captured.map(jungle::Animal::letter);
    let mut replay = Play::new(jungle.clone(), &play.initial_setup())?;
    let mut played = Vec::with_capacity(play.moves().len());
    for &mv in play.moves() {
        let san = san(jungle, replay.position(), mv);
        replay.play(mv)?;
        let fen = replay.setup().to_string();
        played.push(PlayedMove { mv: mv.to_string(), san, captures: letter(mv), fen });
    }
    Ok(GameState {
        fen: play.setup().to_string(),
        rules: jungle.rules().to_string(),
        turn: side(position.turn()),
        moves: play
            .legal_moves()
            .into_iter()
            .map(|mv| LegalMove {
                mv: mv.to_string(),
                san: san(jungle, position, mv),
                captures: letter(mv),
            })
            .collect(),
        ending: play.ending().map(ending),
        occurrences: play.occurrences(),
        played,
    })
}

/// Which board to check.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CheckQuery {
    /// The position as FEN, possible or not.
    #[param(example = "7/7/7/1W5/7/7/7/7/7 w")]
    pub fen: String,
    /// The rules; `standard` if left out.
    pub rules: Option<String>,
}

/// What is wrong with a board.
#[derive(Debug, Serialize, ToSchema)]
pub struct Checked {
    /// Whether it is a position.
    pub valid: bool,
    /// The FEN with all six fields.
    pub fen: String,
    /// All faults; none if it is valid.
    pub faults: Vec<ApiError>,
    /// How the game has already ended, if it has.
    pub ending: Option<EndingBody>,
}

/// Check a board
///
/// For an editor: lists everything that is wrong with a board. Only a text that is no FEN is an error.
#[utoipa::path(get, path = "/api/check", tag = "game", params(CheckQuery),
    responses((status = 200, body = Checked), (status = 400, body = ErrorBody)))]
pub async fn check(Query(query): Query<CheckQuery>) -> Result<Json<Checked>, ApiError> {
    let jungle = Jungle::new(crate::extract::rules(query.rules.as_deref())?);
    let setup: Setup = query.fen.parse()?;
    let faults = faults(&setup);
    let over = setup.position().ok().and_then(|position| jungle.ending(&position));
    Ok(Json(Checked {
        valid: faults.is_empty(),
        fen: setup.to_string(),
        faults,
        ending: over.map(ending),
    }))
}

/// All faults of a setup: each is mended by taking the offending piece away, until none is left.
fn faults(setup: &Setup) -> Vec<ApiError> {
    use jungle::SetupError;
    let mut setup = setup.clone();
    let mut faults = Vec::new();
    while let Err(fault) = setup.position() {
        let offender = match &fault {
            SetupError::TwoOfAKind { second, .. } => Some(*second),
            SetupError::InWater { square, .. } => Some(*square),
            SetupError::InOwnDen { piece } => Some(jungle::board::DEN[piece.color]),
            SetupError::BothDensTaken => Some(jungle::board::DEN.white),
            SetupError::NoPieces => None,
        };
        // The piece that goes may stand wrongly as well.
        let alone = |square: jungle::Square| {
            let mut one = Setup::empty();
            one.board[square.index()] = setup.board[square.index()];
            one.position().err()
        };
        let also = match &fault {
            SetupError::TwoOfAKind { second, .. } => alone(*second),
            _ => None,
        };
        // A board emptied by mending had other faults than being empty.
        if offender.is_some() || faults.is_empty() {
            faults.push(fault.into());
            faults.extend(also.map(ApiError::from));
        }
        match offender {
            Some(square) => setup.board[square.index()] = None,
            None => break,
        }
    }
    faults
}

/// All rules.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulesBody {
    /// The presets.
    pub presets: Vec<PresetBody>,
    /// The switches that make house rules out of a preset.
    pub switches: Vec<SwitchBody>,
}

/// A preset.
#[derive(Debug, Serialize, ToSchema)]
pub struct PresetBody {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// The position of every switch.
    pub switches: BTreeMap<&'static str, String>,
}

/// A switch.
#[derive(Debug, Serialize, ToSchema)]
pub struct SwitchBody {
    /// Its name.
    pub name: &'static str,
    /// What it can be.
    pub values: Vec<&'static str>,
    /// What it means.
    pub summary: &'static str,
}

/// Rules
///
/// The presets and the switches. A set of rules is written as a preset's name, or as a name followed by
/// switches: `leiden,repetition=draw`.
#[utoipa::path(get, path = "/api/rules", tag = "game", responses((status = 200, body = RulesBody)))]
pub async fn rules() -> Json<RulesBody> {
    Json(RulesBody {
        presets: Rules::PRESETS
            .into_iter()
            .map(|preset| PresetBody {
                name: preset.name,
                summary: preset.summary,
                switches: SWITCHES.iter().map(|s| (s.name, preset.rules.switch(s))).collect(),
            })
            .collect(),
        switches: SWITCHES
            .iter()
            .map(|s| SwitchBody { name: s.name, values: s.values.to_vec(), summary: s.summary })
            .collect(),
    })
}
