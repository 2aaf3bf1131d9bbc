//! The contest runner: plays all games of a match or tournament, on threads.
//!
//! Threads take games in the order of their numbers, each with players of its own; one thread
//! writes the record and reports to the observer. Players that failed are replaced for the next game.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use jungle::{ByColor, Play};
use tablebase::Tablebase;

use crate::openings::{OpeningError, OpeningSource};
use crate::player::Player;
use crate::record::{Document, Provenance, RecordError, RecordedGame, Store};
use crate::referee::Referee;
use crate::schedule::{Schedule, Shard, seeds};
use crate::settings::SettingsError;
use crate::standing::{Scoreboard, Standing};
use crate::{Settings, Spec};

/// A contest, ready to be held.
pub struct Contest {
    settings: Settings,
    concurrency: usize,
    shard: Option<Shard>,
    folder: Option<(PathBuf, bool)>,
    made_by: Provenance,
    tables: Option<Arc<Tablebase>>,
    stop: Arc<AtomicBool>,
}

/// The result of a contest.
#[derive(Clone, Debug)]
pub struct ContestResult {
    /// The score.
    pub standing: Standing,
    /// How many games were played now.
    pub played: u64,
    /// How many had been played before.
    pub found: u64,
}

/// An observer of a contest.
pub trait Observer {
    /// The contest begins, or goes on: the number of games in all, and of those already played.
    fn begin(&mut self, _scheduled: u64, _scoreboard: &Scoreboard) {}

    /// A game was finished.
    fn finished(&mut self, _row: &RecordedGame, _scoreboard: &Scoreboard) {}
}

/// An observer that ignores everything.
pub struct Silent;

impl Observer for Silent {}

/// Why a contest could not be held or finished.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The settings are invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// There are too few openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// The record cannot be kept.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl Contest {
    /// A contest on one thread, without a record.
    ///
    /// # Errors
    ///
    /// If the settings are invalid.
    pub fn new(settings: Settings) -> Result<Contest, ContestError> {
        settings.check()?;
        Ok(Contest {
            settings,
            concurrency: 1,
            shard: None,
            folder: None,
            made_by: Provenance::default(),
            tables: None,
            stop: Arc::default(),
        })
    }

    /// Plays this many games at a time.
    #[must_use]
    pub fn concurrency(self, concurrency: usize) -> Contest {
        Contest { concurrency: concurrency.max(1), ..self }
    }

    /// Plays one shard only.
    #[must_use]
    pub fn shard(self, shard: Option<Shard>) -> Contest {
        Contest { shard, ..self }
    }

    /// Keeps a record in a folder, or resumes the one that is there.
    #[must_use]
    pub fn recorded_in(self, folder: PathBuf, resume: bool, made_by: Provenance) -> Contest {
        Contest { folder: Some((folder, resume)), made_by, ..self }
    }

    /// The tables to probe, if the settings say so.
    #[must_use]
    pub fn tables(self, tables: Option<Arc<Tablebase>>) -> Contest {
        Contest { tables, ..self }
    }

    /// Begins no further game once `stop` is set; games under way are finished.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> Contest {
        Contest { stop, ..self }
    }

    /// Plays all games that have not been played, until all are or the test is decided. A shard of a
    /// contest does not know the others' games, so a test never ends it early.
    ///
    /// # Errors
    ///
    /// If the record cannot be kept, or openings run out.
    pub fn run(self, observer: &mut dyn Observer) -> Result<ContestResult, ContestError> {
        let schedule = self.settings.schedule();
        let is_ours = |number: &u64| self.shard.is_none_or(|shard| shard.has(*number));
        let scheduled = (0..schedule.games()).filter(is_ours).count() as u64;
        let mut scoreboard = Scoreboard::new(&self.settings);
        let mut store = None;
        if let Some((folder, resume)) = &self.folder {
            let document = Document::new(&self.settings, self.made_by.clone());
            let (opened, games) = Store::open(folder, &document, self.shard, *resume)?;
            games.into_values().for_each(|game| scoreboard.add(game));
            store = Some(opened);
        }
        let found = scoreboard.len();
        observer.begin(scheduled, &scoreboard);
        let stops_early =
            |scoreboard: &Scoreboard| self.shard.is_none() && scoreboard.decision().is_some();
        let left: Vec<u64> = match stops_early(&scoreboard) {
            true => Vec::new(),
            false => (0..schedule.games()).filter(|n| is_ours(n) && !scoreboard.has(*n)).collect(),
        };
        let Settings { rules, seed, .. } = self.settings;
        let workers = WorkerPool {
            settings: &self.settings,
            schedule,
            referee: Referee::new(&self.settings, self.tables.clone()),
            openings: Mutex::new(self.settings.openings.source(rules, seed)),
            left,
            next: AtomicU64::new(0),
            stop: &self.stop,
            over: AtomicBool::new(false),
        };
        let outcome = thread::scope(|scope| {
            let (sender, rows) = channel();
            for _ in 0..self.concurrency.min(workers.left.len()) {
                let (sender, workers) = (sender.clone(), &workers);
                scope.spawn(move || workers.work(&sender));
            }
            drop(sender);
            let mut outcome = Ok(());
            // After a failure, games under way are waited for, but not recorded.
            for row in rows {
                let result = row.map_err(ContestError::Openings).and_then(|row| {
                    if outcome.is_ok() {
                        if let Some(store) = &mut store {
                            store.append(&row)?;
                        }
                        scoreboard.add(row.finished());
                        observer.finished(&row, &scoreboard);
                    }
                    Ok(())
                });
                if result.is_err() || stops_early(&scoreboard) {
                    workers.over.store(true, Ordering::Relaxed);
                }
                outcome = outcome.and(result);
            }
            outcome
        });
        outcome?;
        store.map_or(Ok(()), Store::finish)?;
        Ok(ContestResult {
            standing: scoreboard.standing(),
            played: scoreboard.len() - found,
            found,
        })
    }
}

/// The worker pool: what the threads that play games share.
struct WorkerPool<'a> {
    settings: &'a Settings,
    schedule: Schedule,
    referee: Referee,
    openings: Mutex<OpeningSource>,
    left: Vec<u64>,
    next: AtomicU64,
    /// Set from outside.
    stop: &'a AtomicBool,
    /// Set when the test is decided or the contest has failed.
    over: AtomicBool,
}

impl WorkerPool<'_> {
    /// Plays games until none are left.
    fn work(&self, rows: &Sender<Result<RecordedGame, OpeningError>>) {
        let mut seats: Vec<Seat<'_>> = self.settings.players.iter().map(Seat::new).collect();
        while !self.stop.load(Ordering::Relaxed) && !self.over.load(Ordering::Relaxed) {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&number) = self.left.get(next as usize) else { return };
            let row = self.play(number, &mut seats);
            // The receiver is gone only when the contest has failed.
            if rows.send(row).is_err() {
                return;
            }
        }
    }

    fn play(&self, number: u64, seats: &mut [Seat<'_>]) -> Result<RecordedGame, OpeningError> {
        let fixture = self.schedule.fixture(number);
        // A thread that panicked over an opening has left the list as it was.
        let opening =
            self.openings.lock().unwrap_or_else(PoisonError::into_inner).get(fixture.round)?;
        let ByColor { white, black } = fixture.players;
        let [white, black] = seats
            .get_disjoint_mut([white, black])
            .expect("the two players of a game are not the same");
        let seeds = seeds(self.settings.seed, number);
        let players: ByColor<&mut dyn Player<Play>> =
            ByColor { white: white.player(), black: black.player() };
        let played = self.referee.play(&opening, players, seeds)?;
        if played.decision.end.is_fault() {
            white.vacate();
            black.vacate();
        }
        Ok(RecordedGame { game: number, players: fixture.players, opening, played })
    }
}

/// A player that is made when first needed.
struct Seat<'a> {
    spec: &'a Spec,
    player: Option<Box<dyn Player<Play>>>,
}

impl<'a> Seat<'a> {
    fn new(spec: &'a Spec) -> Seat<'a> {
        Seat { spec, player: None }
    }

    fn player(&mut self) -> &mut dyn Player<Play> {
        self.player.get_or_insert_with(|| self.spec.build()).as_mut()
    }

    fn vacate(&mut self) {
        self.player = None;
    }
}
