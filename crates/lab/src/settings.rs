//! The settings of a contest: everything that decides which games it consists of.

use std::time::Duration;

use jungle::Rules;

use crate::openings::DEFAULT_PLIES;
use crate::schedule::Schedule;
use crate::stats::Sprt;
use crate::{Openings, Spec, TimeControl};

/// How many games a match with a test has at most by default.
pub const TEST_GAMES: u64 = 20_000;

/// The settings of a contest: everything that decides which games it consists of.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who plays: two in a match, more in a tournament.
    pub players: Vec<Spec>,
    /// The time control.
    pub time_control: TimeControl,
    /// The rules.
    pub rules: Rules,
    /// The seed of openings and players.
    pub seed: u64,
    /// Where games begin.
    pub openings: Openings,
    /// How many games each two players play, at most: an even number.
    pub games: u64,
    /// A game is drawn when each side has made this many moves.
    pub move_limit: u32,
    /// Whether games are ended when endgame tables know their outcome.
    pub tablebases: bool,
    /// The test that ends the match, if there is one.
    pub sprt: Option<Sprt>,
    /// By how much a move on the clock may be late.
    pub margin: Duration,
    /// How long a player without a clock is waited for.
    pub patience: Duration,
}

/// Invalid settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// There are fewer than two players.
    #[error("a contest needs at least two players")]
    TooFewPlayers,
    /// Games come in pairs.
    #[error(
        "the number of games must be even, as games come in pairs with colours exchanged: {0} is odd, {even} will do",
        even = .0.saturating_add(1)
    )]
    OddGames(u64),
    /// There is nothing to play.
    #[error("the number of games must be 2 or more")]
    NoGames,
    /// A test is between two players.
    #[error("a sequential test is between two players, and there are {0}")]
    SprtOfMany(usize),
    /// Games without a move.
    #[error("the move limit must be 1 or more")]
    NoMoves,
}

impl Settings {
    /// The default settings: a hundred games from generated openings under the standard rules.
    pub fn new(players: Vec<Spec>, time_control: TimeControl) -> Settings {
        Settings {
            players,
            time_control,
            rules: Rules::STANDARD,
            seed: 1,
            openings: Openings::Generated { plies: DEFAULT_PLIES },
            games: 100,
            move_limit: 200,
            tablebases: false,
            sprt: None,
            margin: Duration::from_millis(200),
            patience: Duration::from_secs(60),
        }
    }

    /// Checks the settings.
    ///
    /// # Errors
    ///
    /// Says why not.
    pub fn check(&self) -> Result<(), SettingsError> {
        match self.players.len() {
            0 | 1 => return Err(SettingsError::TooFewPlayers),
            players if players > 2 && self.sprt.is_some() => {
                return Err(SettingsError::SprtOfMany(players));
            }
            _ => {}
        }
        if self.games == 0 {
            return Err(SettingsError::NoGames);
        }
        if !self.games.is_multiple_of(2) {
            return Err(SettingsError::OddGames(self.games));
        }
        if self.move_limit == 0 { Err(SettingsError::NoMoves) } else { Ok(()) }
    }

    /// The schedule: who plays whom.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.players.len(), self.games)
    }

    /// The names of the players; a spec that occurs again gets a number.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (at, spec) in self.players.iter().enumerate() {
            let before =
                self.players[..at].iter().filter(|other| other.as_str() == spec.as_str()).count();
            names.push(match before {
                0 => spec.to_string(),
                before => format!("{spec} #{}", before + 1),
            });
        }
        names
    }
}
