//! The Game of the Amazons: a position with everything that can be done in it, and its regions.
//!
//! The start of the usual board has 2,176 moves, so they are not listed one by one: for every amazon where she
//! can go, and for every such square what her arrow can hit, as one text.

pub mod analysis;

use std::collections::BTreeMap;

use amazons::notation::IllegalMove;
use amazons::region::{self, Kind, Region};
use amazons::{Amazons, Position, Size};
use axum::Json;
use game::{Game, Outcome, Side};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;

/// Which position: where the game began, and what was played since.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AmazonsQuery {
    /// Where the game began: the ranks from the top with `W` and `B` for amazons, `x` for arrows and numbers of
    /// empty squares, then the side to move; the usual start if left out.
    #[param(example = "W2xB1/2xx2/xxxxxx/W1Bx1x/3xxx/1B1xW1 w")]
    pub fen: Option<String>,
    /// The board whose start is meant, in place of `fen`: 4 to 10, or files and ranks as in 5x6.
    #[param(example = "6")]
    pub size: Option<String>,
    /// The moves played since, separated by commas: from, to, a slash, and what the arrow hits.
    #[param(example = "d1d7/g7")]
    pub moves: Option<String>,
}

impl AmazonsQuery {
    /// Where the game began.
    fn start(&self) -> Result<Position, ApiError> {
        let size = match (&self.fen, &self.size) {
            (Some(_), Some(_)) => {
                return Err(ApiError::bad("size", "a position or a size: give one, not both"));
            }
            (Some(fen), None) => return fen.parse().map_err(|error| ApiError::bad("fen", error)),
            (None, Some(size)) => {
                size.parse::<Size>().map_err(|error| ApiError::bad("size", error))?
            }
            (None, None) => Size::USUAL,
        };
        Position::start(size.files(), size.ranks()).map_err(|error| ApiError::bad("size", error))
    }

    /// The position, and the moves that led to it with the positions after them.
    fn play(&self) -> Result<(Position, Vec<AmazonsPlayed>), ApiError> {
        let mut position = self.start()?;
        let mut played = Vec::new();
        let texts = self.moves.as_deref().unwrap_or("").split(',').filter(|text| !text.is_empty());
        // No game is longer than the squares it blocks, so the list needs no limit.
        for text in texts {
            let mv = Amazons.read_move(&position, text.trim()).map_err(|error| {
                let code = match error {
                    IllegalMove::Parse(_) => "not-a-move",
                    IllegalMove::NoAmazon(..) => "no-amazon",
                    IllegalMove::Step(..) => "amazon-cannot-go",
                    IllegalMove::Arrow(..) => "arrow-cannot-fly",
                };
                ApiError::bad(code, error)
            })?;
            Amazons.make(&mut position, mv);
            played.push(AmazonsPlayed { mv: mv.to_string(), fen: position.to_string() });
        }
        Ok((position, played))
    }
}

/// A position of Amazons, with everything that can be done in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AmazonsPosition {
    /// The position.
    pub fen: String,
    /// How many files the board has.
    pub files: u8,
    /// How many ranks.
    pub ranks: u8,
    /// The ranks from the top: `W` and `B` for amazons, `x` for arrows, `.` for empty squares.
    pub rows: Vec<String>,
    /// Who is to move.
    pub turn: &'static str,
    /// How many squares are empty.
    pub empty: u32,
    /// How many legal moves there are.
    pub count: u64,
    /// The legal moves: by the square of the amazon and the square she goes to, the squares that her arrow can
    /// hit, separated by spaces.
    #[schema(value_type = Object, example = json!({"a4": {"b4": "a4 a5 b5"}}))]
    pub moves: BTreeMap<String, BTreeMap<String, String>>,
    /// The regions into which arrows cut the board, by their first squares.
    pub regions: Vec<AmazonsRegion>,
    /// Who has won, if the game is over: the side to move cannot.
    pub winner: Option<&'static str>,
    /// The moves given, with the positions after them.
    pub played: Vec<AmazonsPlayed>,
}

/// A move that was played.
#[derive(Debug, Serialize, ToSchema)]
pub struct AmazonsPlayed {
    /// The move: from, to, a slash, and what the arrow hit.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub fen: String,
}

/// An area that no move leaves.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AmazonsRegion {
    /// `terminating` (nobody can move in it), `competing` (both sides) or `filling` (one side).
    pub kind: &'static str,
    /// Who fills it, if one side does.
    pub owner: Option<&'static str>,
    /// Its squares, amazons' included.
    pub squares: Vec<String>,
    /// How many of them are empty.
    pub empty: u32,
}

impl AmazonsRegion {
    fn new(position: &Position, region: &Region) -> AmazonsRegion {
        let (kind, owner) = match region.kind {
            Kind::Terminating => ("terminating", None),
            Kind::Competing => ("competing", None),
            Kind::Filling(owner) => ("filling", Some(side(owner))),
        };
        AmazonsRegion {
            kind,
            owner,
            squares: region.squares.into_iter().map(|square| square.to_string()).collect(),
            empty: (region.squares & position.empty()).len(),
        }
    }
}

/// A player as the interface names her.
pub fn side(player: Side) -> &'static str {
    match player {
        Side::First => "white",
        Side::Second => "black",
    }
}

/// Who has won, if the game is over.
fn winner(position: &Position) -> Option<Side> {
    match Amazons.outcome(position)? {
        Outcome::Win(player) => Some(player),
        Outcome::Draw => None,
    }
}

fn rows(position: &Position) -> Vec<String> {
    let size = position.size();
    let letter = |square| match square {
        _ if position.empty().contains(square) => '.',
        _ if position.amazons(Side::First).contains(square) => 'W',
        _ if position.amazons(Side::Second).contains(square) => 'B',
        _ => 'x',
    };
    let row = |rank| {
        let squares = (0..size.files()).filter_map(|file| amazons::Square::new(file, rank));
        squares.map(letter).collect()
    };
    (0..size.ranks()).rev().map(row).collect()
}

fn moves(position: &Position) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for mv in Amazons.moves(position) {
        let steps = found.entry(mv.from.to_string()).or_default();
        let arrows = steps.entry(mv.to.to_string()).or_default();
        if !arrows.is_empty() {
            arrows.push(' ');
        }
        arrows.push_str(&mv.arrow.to_string());
    }
    found
}

/// A position of Amazons
///
/// The board, the legal moves, the regions into which arrows cut it, and who has won if the game is over.
#[utoipa::path(get, path = "/api/amazons/position", tag = "amazons", params(AmazonsQuery),
    responses((status = 200, body = AmazonsPosition), (status = 400, body = ErrorBody)))]
pub async fn position(
    Query(query): Query<AmazonsQuery>,
) -> Result<Json<AmazonsPosition>, ApiError> {
    let (position, played) = query.play()?;
    let regions = region::regions(&position);
    Ok(Json(AmazonsPosition {
        fen: position.to_string(),
        files: position.size().files(),
        ranks: position.size().ranks(),
        rows: rows(&position),
        turn: side(position.turn()),
        empty: position.empty().len(),
        count: Amazons.count_moves(&position),
        moves: moves(&position),
        regions: regions.iter().map(|region| AmazonsRegion::new(&position, region)).collect(),
        winner: winner(&position).map(side),
        played,
    }))
}
