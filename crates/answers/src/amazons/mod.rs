//! The Game of the Amazons: a position with its legal moves and regions, and the results of
//! searches.

mod analysis;

use amazons::notation::IllegalMove;
use amazons::region::{self, Kind, Region as Area};
use amazons::{Amazons, Size, player_name};
use game::{Game, Outcome, Side};
use serde::{Deserialize, Serialize};

pub use self::analysis::{Algorithm, AnalysedRegion, Analysis, Question, SearchRequest, Solving};
use crate::refusal::{self, Refusal};

/// A game of Amazons as text: where it began, and what was played since.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct GameRequest {
    /// Where the game began: the ranks from the top with `W` and `B` for amazons, `x` for arrows and numbers of
    /// empty squares, then the side to move; the usual start if left out.
    #[cfg_attr(feature = "openapi", param(example = "W2xB1/2xx2/xxxxxx/W1Bx1x/3xxx/1B1xW1 w"))]
    pub fen: Option<String>,
    /// The board whose start is meant, in place of `fen`: 4 to 10, or files and ranks as in 5x6.
    #[cfg_attr(feature = "openapi", param(example = "6"))]
    pub size: Option<String>,
    /// The moves played since, separated by commas: from, to, a slash, and what the arrow hits.
    #[cfg_attr(feature = "openapi", param(example = "d1d7/g7"))]
    pub moves: Option<String>,
}

impl GameRequest {
    fn start(&self) -> Result<amazons::Position, Refusal> {
        let size = match (&self.fen, &self.size) {
            (Some(_), Some(_)) => {
                return Err(Refusal::bad("size", "a position or a size: give one, not both"));
            }
            (Some(fen), None) => return fen.parse().map_err(|error| because("fen", error)),
            (None, Some(size)) => size.parse().map_err(|error| because("size", error))?,
            (None, None) => Size::USUAL,
        };
        amazons::Position::start(size.files(), size.ranks()).map_err(|error| because("size", error))
    }

    /// The position, and the moves that led to it with the positions after them.
    ///
    /// # Errors
    ///
    /// If something is not understood or not possible.
    pub fn play(&self) -> Result<(amazons::Position, Vec<PlayedMove>), Refusal> {
        let mut position = self.start()?;
        let mut played = Vec::new();
        let texts = self.moves.as_deref().unwrap_or("").split(',').filter(|text| !text.is_empty());
        // No game is longer than the squares it blocks, so the list needs no limit.
        for text in texts {
            let mv = Amazons.read_move(&position, text.trim())?;
            Amazons.make(&mut position, mv);
            played.push(PlayedMove { mv: mv.to_string(), fen: position.to_string() });
        }
        Ok((position, played))
    }
}

fn because(code: &'static str, error: impl std::error::Error + Send + Sync + 'static) -> Refusal {
    Refusal::because(refusal::Kind::Bad, code, error)
}

impl From<IllegalMove> for Refusal {
    fn from(error: IllegalMove) -> Refusal {
        let code = match error {
            IllegalMove::Parse(_) => "not-a-move",
            IllegalMove::NoAmazon(..) => "no-amazon",
            IllegalMove::Step(..) => "amazon-cannot-go",
            IllegalMove::Arrow(..) => "arrow-cannot-fly",
        };
        because(code, error)
    }
}

/// A position of Amazons, with its legal moves and regions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = AmazonsPosition))]
pub struct Position {
    /// The position.
    pub fen: String,
    /// The size of the board, as in `10x10`.
    pub size: String,
    /// How many files the board has.
    pub files: u8,
    /// How many ranks.
    pub ranks: u8,
    /// The ranks from the top: `W` and `B` for amazons, `x` for arrows, `.` for empty squares.
    pub rows: Vec<String>,
    /// Who is to move.
    pub turn: Side,
    /// The hash of the position, in hexadecimal.
    pub key: String,
    /// How many squares are empty.
    pub empty: u32,
    /// How many legal moves there are.
    pub count: u64,
    /// The legal moves: from, to, a slash, and what the arrow hits.
    pub moves: Vec<String>,
    /// The regions into which arrows cut the board, by their first squares.
    pub regions: Vec<Region>,
    /// Who has won, if the game is over: the side to move cannot.
    pub winner: Option<Side>,
    /// The moves given, with the positions after them.
    pub played: Vec<PlayedMove>,
}

/// A move of Amazons that was played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = AmazonsPlayedMove))]
pub struct PlayedMove {
    /// The move: from, to, a slash, and what the arrow hit.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub fen: String,
}

/// A region: an area that no move leaves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = AmazonsRegion))]
pub struct Region {
    /// `terminating` (neither side can move in it), `competing` (both sides) or `filling` (one side).
    pub kind: &'static str,
    /// Who fills it, if one side does.
    pub owner: Option<Side>,
    /// Its squares, those of amazons included.
    pub squares: Vec<String>,
    /// How many of them are empty.
    pub empty: u32,
}

impl Region {
    fn new(position: &amazons::Position, region: &Area) -> Region {
        let (kind, owner) = match region.kind {
            Kind::Terminating => ("terminating", None),
            Kind::Competing => ("competing", None),
            Kind::Filling(owner) => ("filling", Some(owner)),
        };
        Region {
            kind,
            owner,
            squares: region.squares.into_iter().map(|square| square.to_string()).collect(),
            empty: (region.squares & position.empty()).len(),
        }
    }
}

impl std::fmt::Display for Region {
    /// `filling (White): a1 a2 b1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let owner =
            self.owner.map(|owner| format!(" ({})", player_name(owner))).unwrap_or_default();
        write!(f, "{}{owner}: {}", self.kind, self.squares.join(" "))
    }
}

impl Position {
    /// A position, and the moves that led to it.
    pub fn new(position: &amazons::Position, played: Vec<PlayedMove>) -> Position {
        let (size, regions) = (position.size(), region::regions(position));
        let moves = Amazons.moves(position);
        Position {
            fen: position.to_string(),
            size: size.to_string(),
            files: size.files(),
            ranks: size.ranks(),
            rows: rows(position),
            turn: position.turn(),
            key: format!("{:016x}", position.key()),
            empty: position.empty().len(),
            count: moves.len() as u64,
            moves: moves.iter().map(ToString::to_string).collect(),
            regions: regions.iter().map(|region| Region::new(position, region)).collect(),
            winner: winner(position),
            played,
        }
    }
}

/// Who has won, if the game is over.
pub fn winner(position: &amazons::Position) -> Option<Side> {
    match Amazons.outcome(position)? {
        Outcome::Win(side) => Some(side),
        Outcome::Draw => None,
    }
}

fn rows(position: &amazons::Position) -> Vec<String> {
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
