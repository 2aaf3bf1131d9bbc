//! A move to play, at a level.

use std::time::Duration;

use engine::{Chances, Control, Engine, Level};
use game::limits::Limits;
use game::score::Verdict;
use jungle::Play;
use serde::{Deserialize, Serialize};

use crate::analysis::AnalysisLine;
use crate::notation::algebraic;
use crate::refusal::Refusal;
use crate::request::time;

/// The default time of the strongest level.
const USUAL_THOUGHT: Duration = Duration::from_millis(2_000);
/// The longest thought for one move of a game.
const LONGEST_THOUGHT: Duration = Duration::from_secs(30);

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

/// The level of this name, or with this place in the list, from 1.
///
/// # Errors
///
/// If there is none.
pub fn level(name: &str) -> Result<(&'static str, Level), Refusal> {
    let known = |place: usize, known: &str| known == name || (place + 1).to_string() == name;
    let found = LEVELS.into_iter().enumerate().find(|&(place, (name, _))| known(place, name));
    let (_, (name, number)) = found.ok_or_else(|| {
        let names: Vec<&str> = LEVELS.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        Refusal::bad("level", format!("'{name}' is not a level: use one of {names}, or 1 to 8"))
    })?;
    Ok((name, Level::new(number).unwrap_or(Level::FULL)))
}

/// How to play.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct LevelRequest {
    /// `rat` (a beginner), `cat`, `dog`, `wolf`, `panther`, `tiger`, `lion` or `elephant` (as well as
    /// it can), or 1 to 8; `elephant` if left out.
    #[cfg_attr(feature = "openapi", param(example = "cat"))]
    pub level: Option<String>,
    /// How long the strongest level may think; 2 if left out, 30 at most.
    pub seconds: Option<f64>,
}

impl LevelRequest {
    /// The level, with its name.
    ///
    /// # Errors
    ///
    /// If there is none of this name.
    pub fn level(&self) -> Result<(&'static str, Level), Refusal> {
        level(self.level.as_deref().unwrap_or("elephant"))
    }

    /// How long the engine may think.
    ///
    /// # Errors
    ///
    /// If the seconds are not a time.
    pub fn limits(&self) -> Result<Limits, Refusal> {
        Ok(Limits::time(time(self.seconds, USUAL_THOUGHT, LONGEST_THOUGHT)?))
    }
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
    /// Lets an engine that is set to this level choose a move.
    ///
    /// # Errors
    ///
    /// If it finds none.
    pub fn choose(
        engine: &mut Engine,
        play: &Play,
        level: (&'static str, Level),
        limits: Limits,
        control: &Control,
    ) -> Result<Best, Refusal> {
        let answer = engine.think(play, limits, control, &mut |_| ());
        let best = Best::new(play, &answer, level);
        best.ok_or_else(|| Refusal::failed("the engine found no move"))
    }

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
