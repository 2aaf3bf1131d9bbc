//! Requests: games given as text.

use std::time::Duration;

use jungle::{Jungle, Play, Rules, Setup, fen, parse_move};
use serde::Deserialize;

use crate::refusal::Refusal;

/// The longest game that a request may contain, in plies.
pub const MOST_PLIES: usize = 2_000;

/// A game as text: where it began, by which rules, and what was played since.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct GameRequest {
    /// Where the game began, as FEN; the usual start if left out.
    #[cfg_attr(feature = "openapi", param(example = "7/7/3e3/7/7/7/3E3/7/7 w"))]
    pub fen: Option<String>,
    /// The rules: a preset, or a preset with switches; `standard` if left out.
    #[cfg_attr(feature = "openapi", param(example = "leiden,repetition=draw"))]
    pub rules: Option<String>,
    /// The moves played since, separated by commas, as `a3b3` or `Eb3`.
    #[cfg_attr(feature = "openapi", param(example = "a3a4,a7a6"))]
    pub moves: Option<String>,
}

impl GameRequest {
    /// The rules asked for.
    ///
    /// # Errors
    ///
    /// If they are not understood.
    pub fn rules(&self) -> Result<Rules, Refusal> {
        Ok(self.rules.as_deref().unwrap_or("standard").parse()?)
    }

    /// The game, played up to the position.
    ///
    /// # Errors
    ///
    /// If something is not understood or not possible.
    pub fn play(&self) -> Result<Play, Refusal> {
        let setup: Setup = self.fen.as_deref().unwrap_or(fen::START).parse()?;
        let mut play = Play::new(Jungle::new(self.rules()?), &setup)?;
        let texts = self.moves.as_deref().unwrap_or("").split(',').filter(|text| !text.is_empty());
        for (ply, text) in texts.enumerate() {
            if ply >= MOST_PLIES {
                return Err(Refusal::bad(
                    "too-many-moves",
                    format!("more than {MOST_PLIES} moves: begin at a later FEN"),
                ));
            }
            let mv = parse_move(play.jungle(), play.position(), text.trim())?;
            play.play(mv)?;
        }
        Ok(play)
    }

    /// The same, if the game goes on.
    ///
    /// # Errors
    ///
    /// If it is over too.
    pub fn unfinished(&self) -> Result<Play, Refusal> {
        let play = self.play()?;
        match play.ending() {
            Some(ending) => Err(Refusal::bad("game-over", format!("the game is over: {ending}"))),
            None => Ok(play),
        }
    }
}

/// A requested time, cut off at the most.
pub(crate) fn time(
    seconds: Option<f64>,
    usual: Duration,
    most: Duration,
) -> Result<Duration, Refusal> {
    match seconds {
        None => Ok(usual),
        Some(seconds) if seconds > 0.0 => {
            Ok(Duration::try_from_secs_f64(seconds).unwrap_or(most).min(most))
        }
        Some(seconds) => {
            Err(Refusal::bad("seconds", format!("{seconds} is not a valid number of seconds")))
        }
    }
}
