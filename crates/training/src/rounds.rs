//! Rounds of self-play: play to win, fit, play a match against the round before, and again.
//!
//! Each round plays with the weights of the last one that gained, fits new ones to its games and to those of the rounds
//! before (within a window), and lets the two meet in a match. It ends when a sequential test of no gain against 20 Elo is decided,
//! at the latest after a number of games. The rounds end when one shows no gain: the test says so, or it is undecided and the
//! 95 % interval is not above zero. Everything is kept in a folder, a folder a round, and a run that was killed goes on where it was:
//!
//! ```text
//! round-0/weights.rs    the weights it all began with
//! round-1/games         self-play by round-0's weights
//! round-1/weights.rs    fitted to them
//! round-1/match/        the new ones against the old ones
//! ```

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use engine::Correction;
use engine::eval::features::Weights;
use engine::eval::text::{self, NotWeights};
use jungle::Rules;
use lab::contest::{Contest, ContestError, Observer};
use lab::record::{Provenance, RecordedGame};
use lab::standing::{Scoreboard, Tally};
use lab::stats::{Model, Sprt, SprtDecision};
use lab::{Settings, SpecError, TimeControl};
use tablebase::Tablebase;

use crate::file::{Description, GameFile, GameFileError};
use crate::fit::{Fit, fit};
use crate::games::Games;
use crate::lesson::{Lesson, lessons};
use crate::self_play::SelfPlay;

/// What ends the match of a round early.
const TEST: Sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };

/// The settings of the rounds.
#[derive(Clone)]
pub struct Rounds {
    /// Where everything is kept.
    pub folder: PathBuf,
    /// How many rounds at most.
    pub most: u32,
    /// The rules.
    pub rules: Rules,
    /// Games of self-play a round.
    pub games: u64,
    /// Nodes a move, in self-play and in the match.
    pub nodes: u64,
    /// To how many rounds' games weights are fitted: the last ones.
    pub window: u32,
    /// The λ of the TD targets.
    pub lambda: f32,
    /// Options of the fit.
    pub fit: Fit,
    /// Games of the match, at most.
    pub match_games: u64,
    /// How many games at a time.
    pub threads: usize,
    /// Tables that end games of self-play that they know.
    pub tables: Option<Arc<Tablebase>>,
    /// Kept with the records of matches.
    pub made_by: Provenance,
}

/// What happens in a round.
#[derive(Clone, Copy, Debug)]
pub enum RoundEvent {
    /// Self-play begins: games to play, and those played before.
    Plays {
        /// Which round.
        round: u32,
        /// All games of the round.
        games: u64,
        /// Of these, played before.
        found: u64,
    },
    /// A game of self-play ended.
    Played,
    /// Weights are fitted to this many positions.
    Fits {
        /// How many.
        positions: usize,
    },
    /// An epoch ended, with this error on positions held back.
    Epoch {
        /// Which, from 1.
        epoch: u32,
        /// The error.
        error: f64,
    },
    /// The match begins or goes on: all games, and those played before.
    Meets {
        /// All games.
        games: u64,
        /// Of these, played before.
        found: u64,
    },
    /// A game of the match ended.
    Met,
    /// A round is over.
    Over(RoundResult),
}

/// What a round came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundResult {
    /// Which, from 1.
    pub round: u32,
    /// How many of its games of self-play were decided.
    pub decided: u64,
    /// How many games of self-play it had.
    pub games: u64,
    /// How many positions its weights were fitted to; 0 if that was done by an earlier run.
    pub positions: usize,
    /// The match against the weights that it began with.
    pub tally: Tally,
    /// Whether its test found a gain or none; none of these after as many games as it has at most.
    pub decision: Option<SprtDecision>,
}

impl RoundResult {
    /// Whether the match shows a gain.
    pub fn gained(&self) -> bool {
        let elo = self.tally.pairs.elo();
        self.decision.map_or(elo.value - elo.error > 0.0, |decision| decision == SprtDecision::H1)
    }
}

/// Why rounds cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RoundError {
    /// A file of games.
    #[error(transparent)]
    Games(#[from] GameFileError),
    /// A file or folder.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// A file of weights.
    #[error("{path}: {source}", path = path.display())]
    Weights {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        source: NotWeights,
    },
    /// The folder's name cannot be written in the name of a player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The match.
    #[error(transparent)]
    Match(#[from] ContestError),
    /// There is nothing to fit to.
    #[error("the games have no quiet position to fit to; play more games")]
    Nothing,
}

impl Rounds {
    /// Plays the rounds, beginning with these weights, until one gains nothing, all are played or `stop` is set. Returns
    /// what each came to; [`best`](Self::best) has the weights.
    ///
    /// # Errors
    ///
    /// If files cannot be read or written. What is done is kept.
    pub fn run(
        &self,
        start: &Weights,
        stop: &Arc<AtomicBool>,
        tell: &(dyn Fn(RoundEvent) + Sync),
    ) -> Result<Vec<RoundResult>, RoundError> {
        if !self.weights_of(0).exists() {
            let floats: Vec<f32> = start.iter().map(|&weight| f32::from(weight)).collect();
            self.write(&self.weights_of(0), &text::source(&floats))?;
        }
        let mut results: Vec<RoundResult> = Vec::new();
        for round in 1..=self.most {
            if let Some(result) = self.round(round, stop, tell)? {
                tell(RoundEvent::Over(result));
                results.push(result);
                if result.gained() {
                    continue;
                }
            }
            break;
        }
        Ok(results)
    }

    /// The weights of the last round that gained, or those it all began with.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn best(&self, results: &[RoundResult]) -> Result<Weights, RoundError> {
        let gained = results.iter().rev().find(|result| result.gained());
        read_weights(&self.weights_of(gained.map_or(0, |result| result.round)))
    }

    /// One round; none if it was stopped.
    fn round(
        &self,
        round: u32,
        stop: &Arc<AtomicBool>,
        tell: &(dyn Fn(RoundEvent) + Sync),
    ) -> Result<Option<RoundResult>, RoundError> {
        let player = Arc::new(read_weights(&self.weights_of(round - 1))?);
        self.play(round, Arc::clone(&player), stop, tell)?;
        if stop.load(Relaxed) {
            return Ok(None);
        }
        let played = Games::read(&self.games_of(round))?;
        let (decided, games) = (played.decided() as u64, played.len() as u64);
        let mut positions = 0;
        if !self.weights_of(round).exists() {
            positions = self.fit(round, &player, tell)?;
        }
        let Some((tally, decision)) = self.meet(round, stop, tell)? else { return Ok(None) };
        Ok(Some(RoundResult { round, decided, games, positions, tally, decision }))
    }

    fn play(
        &self,
        round: u32,
        weights: Arc<Weights>,
        stop: &AtomicBool,
        tell: &(dyn Fn(RoundEvent) + Sync),
    ) -> Result<(), RoundError> {
        let Rounds { rules, nodes, tables, .. } = self.clone();
        let how =
            SelfPlay { rules, nodes, weights: Some(weights), network: Correction::Off, tables };
        self.make_folder(round)?;
        let mut file = GameFile::open(&self.games_of(round), &Description::of(&how))?;
        let first = u64::from(round) << 32;
        let missing = file.missing(first..first + self.games);
        let found = self.games - missing.len() as u64;
        tell(RoundEvent::Plays { round, games: self.games, found });
        file.play(&missing, &how, self.threads, stop, |_| tell(RoundEvent::Played))?;
        Ok(())
    }

    /// Fits weights to the games of this round and of those before it in the window.
    fn fit(
        &self,
        round: u32,
        start: &Weights,
        tell: &(dyn Fn(RoundEvent) + Sync),
    ) -> Result<usize, RoundError> {
        let mut taught: Vec<Lesson> = Vec::new();
        let oldest = round.saturating_sub(self.window.max(1) - 1).max(1);
        for round in oldest..=round {
            for game in Games::read(&self.games_of(round))?.iter() {
                taught.extend(lessons(&game?, self.lambda));
            }
        }
        if taught.is_empty() {
            return Err(RoundError::Nothing);
        }
        tell(RoundEvent::Fits { positions: taught.len() });
        let progress = |epoch, error| tell(RoundEvent::Epoch { epoch, error });
        let fitted = fit(&self.rules, start, &taught, self.fit, progress);
        self.write(&self.weights_of(round), &text::source(&fitted.weights))?;
        Ok(taught.len())
    }

    /// The match of a round's weights against those it began with; none if it was stopped.
    fn meet(
        &self,
        round: u32,
        stop: &Arc<AtomicBool>,
        tell: &(dyn Fn(RoundEvent) + Sync),
    ) -> Result<Option<(Tally, Option<SprtDecision>)>, RoundError> {
        let player = |round: u32| {
            // Without contempt and bonus equals draw more, and the interval is narrower.
            let weights = self.weights_of(round);
            format!("champion:hash=2,contempt=0,advance=0,weights={}", weights.display()).parse()
        };
        let players = vec![player(round)?, player(round - 1)?];
        let settings = Settings {
            games: self.match_games,
            rules: self.rules,
            seed: u64::from(round),
            sprt: Some(TEST),
            ..Settings::new(players, TimeControl::Nodes(self.nodes))
        };
        let folder = self.folder_of(round).join("match");
        let resume = folder.exists();
        let contest = Contest::new(settings)?
            .concurrency(self.threads)
            .recorded_in(folder, resume, self.made_by.clone())
            .stopped_by(Arc::clone(stop));
        let result = contest.run(&mut Telling { tell })?;
        let tally = result.standing.first_pairing();
        let decision = result.standing.test.and_then(|test| test.decision);
        let over = decision.is_some() || tally.games() == self.match_games;
        Ok(over.then_some((tally, decision)))
    }

    fn folder_of(&self, round: u32) -> PathBuf {
        self.folder.join(format!("round-{round}"))
    }

    fn games_of(&self, round: u32) -> PathBuf {
        self.folder_of(round).join("games")
    }

    fn weights_of(&self, round: u32) -> PathBuf {
        self.folder_of(round).join("weights.rs")
    }

    fn make_folder(&self, round: u32) -> Result<(), RoundError> {
        let path = self.folder_of(round);
        std::fs::create_dir_all(&path).map_err(|source| RoundError::File { path, source })
    }

    /// Writes a file whole or not at all.
    fn write(&self, path: &Path, contents: &str) -> Result<(), RoundError> {
        let failed = |source| RoundError::File { path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let draft = path.with_extension("draft");
        std::fs::write(&draft, contents).map_err(failed)?;
        std::fs::rename(&draft, path).map_err(failed)
    }
}

fn read_weights(path: &Path) -> Result<Weights, RoundError> {
    let contents = std::fs::read_to_string(path)
        .map_err(|source| RoundError::File { path: path.to_owned(), source })?;
    text::parse(&contents).map_err(|source| RoundError::Weights { path: path.to_owned(), source })
}

/// Tells of the games of a match.
struct Telling<'a> {
    tell: &'a (dyn Fn(RoundEvent) + Sync),
}

impl Observer for Telling<'_> {
    fn begin(&mut self, scheduled: u64, scoreboard: &Scoreboard) {
        (self.tell)(RoundEvent::Meets { games: scheduled, found: scoreboard.len() });
    }

    fn finished(&mut self, _: &RecordedGame, _: &Scoreboard) {
        (self.tell)(RoundEvent::Met);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::features::USUAL;
    use std::sync::Mutex;

    #[test]
    fn rounds_go_on_where_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let rounds = Rounds {
            folder: folder.path().join("rounds"),
            most: 1,
            rules: Rules::STANDARD,
            games: 6,
            nodes: 40,
            window: 2,
            lambda: 0.9,
            fit: Fit { epochs: 1, ..Fit::default() },
            match_games: 24,
            threads: 2,
            tables: None,
            made_by: Provenance::default(),
        };
        // Stopped after two games of self-play, then after one of the match.
        let halt = |after: fn(&RoundEvent) -> bool, times: u32| {
            let (stop, count) = (Arc::new(AtomicBool::new(false)), Mutex::new(0));
            let tell = |event| {
                let mut count = count.lock().unwrap();
                *count += u32::from(after(&event));
                stop.store(*count >= times, Relaxed);
            };
            rounds.run(USUAL, &stop, &tell).unwrap()
        };
        assert_eq!(halt(|event| matches!(event, RoundEvent::Played), 2), []);
        assert!(!rounds.weights_of(1).exists());
        assert_eq!(halt(|event| matches!(event, RoundEvent::Met), 1), []);
        assert!(rounds.weights_of(1).exists());
        let seen = Mutex::new((0, 0));
        let tell = |event| match event {
            RoundEvent::Plays { found, .. } => seen.lock().unwrap().0 = found,
            RoundEvent::Meets { found, .. } => seen.lock().unwrap().1 = found,
            RoundEvent::Played | RoundEvent::Fits { .. } => panic!("done before"),
            _ => {}
        };
        let results = rounds.run(USUAL, &Arc::default(), &tell).unwrap();
        let (games, met) = *seen.lock().unwrap();
        assert!(games == 6 && (1..24).contains(&met), "{games} and {met}");
        let [result] = results[..] else { panic!("{results:?}") };
        assert!(result.tally.games() == 24 || result.decision.is_some(), "{result:?}");
        let best = read_weights(&rounds.weights_of(u32::from(result.gained()))).unwrap();
        assert_eq!(rounds.best(&results).unwrap(), best);
    }
}
