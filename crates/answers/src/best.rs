//! A move to play, at a level.

use engine::{Chances, Level};
use game::score::Verdict;
use jungle::Play;
use serde::Serialize;

use crate::analysis::AnalysisLine;
use crate::notation::algebraic;
use crate::refusal::Refusal;

/// The levels that boards offer, weakest first, with the engine's strength at each.
pub const LEVELS: [(&str, u8); 8] = [
    ("rat", 0),
    ("cat", 3),
    ("dog", 6),
    ("wolf", 9),
    ("panther", 12),
    ("tiger", 15),
    ("lion", 18),
    ("elephant", 20),
];

/// The level of this name.
///
/// # Errors
///
/// If there is none.
pub fn level(name: &str) -> Result<(&'static str, Level), Refusal> {
    let found = LEVELS.into_iter().find(|(known, _)| *known == name);
    let (name, number) = found.ok_or_else(|| {
        let names: Vec<&str> = LEVELS.iter().map(|(name, _)| *name).collect();
        Refusal::bad("level", format!("'{name}' is not a level: use one of {}", names.join(", ")))
    })?;
    Ok((name, Level::new(number).unwrap_or(Level::FULL)))
}

/// A move to play.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Best {
    /// Coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form.
    pub san: String,
    /// The level at which it was found.
    pub level: &'static str,
    /// The engine's score of it; null at the weaker levels.
    pub score: Option<Verdict>,
    /// How the game may end; null at the weaker levels.
    pub chances: Option<Chances>,
    /// The expected line, this move first, as coordinates.
    pub pv: Vec<String>,
}

impl Best {
    /// The move that a search at a level chose; none if the game is over.
    pub fn new(play: &Play, answer: &engine::Answer, level: (&'static str, Level)) -> Option<Best> {
        let mv = answer.best?;
        let line = answer.lines.iter().find(|line| line.pv.first() == Some(&mv));
        let line = line.map(|line| AnalysisLine::new(play, line));
        let shown = line.as_ref().filter(|_| level.1 == Level::FULL);
        Some(Best {
            mv: mv.to_string(),
            san: algebraic(play.jungle(), play.position(), mv),
            level: level.0,
            score: shown.map(|line| line.score),
            chances: shown.map(|line| line.chances),
            pv: line.map_or_else(Vec::new, |line| line.pv),
        })
    }
}
