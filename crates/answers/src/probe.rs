//! Tablebase probes: the truth about a position and its moves, and best play to the end.

use game::truth::{Plies, Truth};
use jungle::{Color, Ending, Jungle, Move, Position};
use serde::Serialize;
use tablebase::{LineError, ProbeError, Probed, Tablebase};

use crate::notation::{Notated, algebraic};

/// A probe: the truth about a position and all its moves. Repetition and move limits are not considered.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Probe {
    /// The position.
    pub fen: String,
    /// Its value for the side to move, or for the side that would be.
    #[serde(flatten)]
    pub truth: Truth,
    /// All moves, best first; none when the game is over.
    pub moves: Vec<ProbedMove>,
    /// How the game ended, if it is over.
    pub ending: Option<Ending>,
}

/// A move with its value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProbedMove {
    /// Coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form.
    pub san: String,
    /// For the side that makes it, this move counted.
    #[serde(flatten)]
    pub truth: Truth,
}

/// Best play by both sides to the end: the quickest win, the longest defence.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Line {
    /// Where it begins.
    pub fen: String,
    /// Its value for the side to move, or for the side that would be.
    #[serde(flatten)]
    pub truth: Truth,
    /// The moves to the end as coordinates; none for a draw, which has no end to play to.
    pub line: Vec<String>,
    /// The same in the papers' form.
    pub san: Vec<String>,
    /// How the game ends; null for a draw that goes on.
    pub ending: Option<Ending>,
    /// The moves that keep a draw, as coordinates.
    pub drawing: Vec<String>,
    /// The same in the papers' form.
    pub drawing_san: Vec<String>,
}

impl Probe {
    /// Probes a position and its moves.
    ///
    /// # Errors
    ///
    /// If a table that is needed is missing or damaged.
    pub fn of(
        tables: &Tablebase,
        jungle: &Jungle,
        position: &Position,
    ) -> Result<Probe, ProbeError> {
        let Probed { value, moves } = tables.probe_position(position)?;
        let row = |probed: &tablebase::ProbedMove| ProbedMove {
            mv: probed.mv.to_string(),
            san: algebraic(jungle, position, probed.mv),
            truth: probed.value,
        };
        Ok(Probe {
            fen: position.to_string(),
            truth: value,
            moves: moves.iter().map(row).collect(),
            ending: jungle.ending(position),
        })
    }
}

impl Line {
    /// Plays a position out.
    ///
    /// # Errors
    ///
    /// If a table that is needed is missing or damaged, or tables contradict each other.
    pub fn of(tables: &Tablebase, jungle: &Jungle, start: &Position) -> Result<Line, LineError> {
        let tablebase::Line { value, moves, last } = tables.line(start)?;
        let drawing = match value {
            Truth::Draw => drawing(tables, start)?,
            Truth::Win(_) | Truth::Loss(_) => Vec::new(),
        };
        let Notated { coordinates, algebraic: san } = Notated::new(jungle, start, &moves);
        Ok(Line {
            fen: start.to_string(),
            truth: value,
            line: coordinates,
            san,
            ending: jungle.ending(&last),
            drawing: drawing.iter().map(ToString::to_string).collect(),
            drawing_san: drawing.iter().map(|&mv| algebraic(jungle, start, mv)).collect(),
        })
    }
}

fn drawing(tables: &Tablebase, position: &Position) -> Result<Vec<Move>, ProbeError> {
    let moves = tables.probe_position(position)?.moves;
    let drawing = moves.iter().filter(|probed| probed.value == Truth::Draw);
    Ok(drawing.map(|probed| probed.mv).collect())
}

/// A truth in words: `Red to move wins in 3 plies`.
pub fn in_words(turn: Color, truth: Truth) -> String {
    match truth {
        Truth::Win(plies) => format!("{turn} to move wins in {}", Plies(plies)),
        Truth::Draw => format!("{turn} to move: a draw"),
        Truth::Loss(plies) => format!("{turn} to move loses in {}", Plies(plies)),
    }
}
