//! Mining: how a collection of puzzles is made.
//!
//! 1. **Sources.** [`tables`] samples every class of two, three and four pieces; [`games`] lets levels of the engine play each
//!    other and looks at the ends of their games. A position is a *candidate* if it passes every [`Filter`].
//! 2. **Selection.** [`select`] takes candidates from all sources in turn, those with rare themes first, and of those with the
//!    same solution shape in a source one.
//! 3. **Rating.** Levels try every selected puzzle ([`crate::rate`]); what nearly all find is dropped.
//!
//! Work is divided into units (a class, a few games), each of which follows from the seed and its name alone. What is done
//! is in a [`journal`], so that a run that was ended goes on where it stopped, with the same result on any number
//! of threads.

pub mod games;
pub mod journal;
pub mod report;
pub mod select;
pub mod tables;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use engine::EngineError;
use game::Game;
use jungle::causality::Races;
use jungle::{Jungle, Move, Position, Rules};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tablebase::Tablebase;
use thiserror::Error;

use crate::identity::Identity;
use crate::judge::{Judge, JudgeError};
use crate::proof::solve;
use crate::rate::{Found, LEVELS, Rater};
use crate::theme::themes;
use crate::{Book, Goal, Proof, Puzzle};

use self::journal::{Entry, Journal, JournalError};
use self::report::Report;

/// The most plies of a solution.
pub const MOST_PLIES: usize = 9;
/// The fewest plies of a solution from tables, and from games.
pub const LEAST_PLIES: [usize; 2] = [3, 1];
/// The fewest legal moves of the solver in the first position.
const LEAST_MOVES: usize = 4;
/// A puzzle that more levels find is too easy.
pub const MOST_LEVELS: u32 = 19;

/// What is mined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The rules.
    pub rules: String,
    /// What everything follows from.
    pub seed: u64,
    /// The most pieces of the classes that are sampled.
    pub pieces: u32,
    /// How many positions of a class are sampled at most.
    pub samples: u64,
    /// How many candidates of a class, or of a unit of games, are enough.
    pub enough: usize,
    /// How many games are played.
    pub games: u64,
    /// How many puzzles are selected and rated.
    pub want: usize,
    /// Whether every level tries every puzzle, also above those that have found it.
    #[serde(default)]
    pub every_level: bool,
}

/// What a position has to pass, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// It was looked at.
    Looked,
    /// It is won in five plies or more, or drawn; a race that distances alone decide does not count.
    Result,
    /// Exactly one move keeps that.
    OnlyMove,
    /// There are at least four legal moves, and if the move takes something, something else can be taken too.
    NotTrivial,
    /// The solution has at least three plies; from games, one.
    Length,
    /// It is not the same game as another one.
    Distinct,
}

impl Filter {
    /// All, in their order.
    pub const ALL: [Filter; 6] = [
        Filter::Looked,
        Filter::Result,
        Filter::OnlyMove,
        Filter::NotTrivial,
        Filter::Length,
        Filter::Distinct,
    ];

    /// What it asks.
    pub const fn about(self) -> &'static str {
        match self {
            Filter::Looked => "positions looked at",
            Filter::Result => "won in 5 plies or more, or drawn, and not by a mere race",
            Filter::OnlyMove => "exactly one move keeps that",
            Filter::NotTrivial => "a choice of moves, and no lone capture",
            Filter::Length => "a solution of three plies or more (from games, of one)",
            Filter::Distinct => "not the same game as another",
        }
    }
}

/// How many positions passed each filter.
pub type Funnel = [u64; Filter::ALL.len()];

/// What a unit of work found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its name: a class, or some games.
    pub name: String,
    /// How many positions passed each filter.
    pub funnel: Funnel,
    /// The candidates, not rated yet.
    pub found: Vec<Puzzle>,
}

/// Why mining ended early.
#[derive(Debug, Error)]
pub enum MineError {
    /// A table is missing or damaged.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There is no memory for the engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl From<io::Error> for MineError {
    fn from(error: io::Error) -> MineError {
        MineError::Journal(error.into())
    }
}

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is done now.
    pub stage: Stage,
    /// How many units, or puzzles, are done.
    pub done: usize,
    /// Of how many.
    pub total: usize,
}

/// The stages of mining.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Looking for candidates.
    Looking,
    /// Letting the levels try them.
    Rating,
}

/// Mines a book, carrying on what the journal in a folder has.
///
/// # Errors
///
/// If a table is missing or the journal cannot be written.
pub fn mine(
    options: &Options,
    rules: Rules,
    tables: &Arc<Tablebase>,
    folder: &Path,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(Book, Report), MineError> {
    let (journal, entries) = Journal::open(folder, options)?;
    let journal = Mutex::new(journal);
    let jungle = Jungle::new(rules);
    let units = look(options, &jungle, tables, &entries, &journal, progress)?;
    let selected = select::select(&jungle, &units, options.want);
    let levels = rate_all(options, &selected, &entries, &journal, progress)?;
    let mut puzzles = Vec::new();
    for (mut puzzle, found) in selected.iter().cloned().zip(&levels) {
        puzzle.rating = found.rating();
        if found.levels() <= MOST_LEVELS {
            puzzles.push(puzzle);
        }
    }
    let report = Report::new(options, &units, &selected, &levels, &puzzles);
    Ok((Book::new(rules, puzzles), report))
}

/// Does all units that the journal does not have.
fn look(
    options: &Options,
    jungle: &Jungle,
    tables: &Arc<Tablebase>,
    entries: &[Entry],
    journal: &Mutex<Journal>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<Unit>, MineError> {
    let classes = tables::classes(tables, options.pieces)?;
    let batches = games::batches(options.games);
    let total = classes.len() + batches.len();
    let mut known: HashMap<String, Unit> = HashMap::new();
    for entry in entries {
        if let Some(unit) = entry.unit(jungle.rules()) {
            known.insert(unit.name.clone(), unit);
        }
    }
    let done = Mutex::new(0);
    let finish = |unit: Unit, is_new: bool| -> Result<Unit, MineError> {
        if is_new {
            lock(journal).add(&Entry::of(&unit, jungle.rules()))?;
        }
        let mut done = lock(&done);
        *done += 1;
        progress(Progress { stage: Stage::Looking, done: *done, total });
        Ok(unit)
    };
    let mut units: Vec<Unit> = classes
        .par_iter()
        .map(|class| match known.get(class.name()) {
            Some(unit) => finish(unit.clone(), false),
            None => finish(tables::unit(options, tables, class)?, true),
        })
        .collect::<Result<_, _>>()?;
    let played: Vec<Unit> = batches
        .par_iter()
        .map(|batch| match known.get(&batch.name()) {
            Some(unit) => finish(unit.clone(), false),
            None => finish(games::unit(options, jungle, batch)?, true),
        })
        .collect::<Result<_, _>>()?;
    units.extend(played);
    Ok(units)
}

/// Has the levels try all puzzles that the journal does not have.
fn rate_all(
    options: &Options,
    selected: &[Puzzle],
    entries: &[Entry],
    journal: &Mutex<Journal>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<Found>, MineError> {
    let known: HashMap<&str, Found> = entries.iter().filter_map(Entry::rated).collect();
    let (done, total) = (Mutex::new(0), selected.len());
    selected
        .par_iter()
        .map_init(Rater::new, |rater, puzzle| {
            let found = match known.get(puzzle.id.as_str()) {
                Some(&found) => found,
                None => {
                    let found = match options.every_level {
                        true => rater.try_all(puzzle)?,
                        false => rater.try_up(puzzle)?,
                    };
                    lock(journal).add(&Entry::of_rating(&puzzle.id, found))?;
                    found
                }
            };
            let mut done = lock(&done);
            *done += 1;
            progress(Progress { stage: Stage::Rating, done: *done, total });
            Ok(found)
        })
        .collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many levels found how many puzzles.
pub fn by_level(levels: &[Found]) -> [usize; LEVELS] {
    std::array::from_fn(|level| levels.iter().filter(|found| found.by(level)).count())
}

/// Looks at positions one by one, and keeps what is a puzzle.
struct Sieve {
    races: Races,
    unit: Unit,
    seen: HashSet<Identity>,
}

impl Sieve {
    fn new(name: String, rules: &Rules) -> Sieve {
        let unit = Unit { name, funnel: Funnel::default(), found: Vec::new() };
        Sieve { races: Races::new(rules), unit, seen: HashSet::new() }
    }

    fn count(&mut self, filter: Filter) {
        self.unit.funnel[filter as usize] += 1;
    }

    /// Looks at a position with this result for the side to move, if it has one that counts.
    fn look(
        &mut self,
        judge: &mut impl Judge,
        position: &Position,
        goal: Option<Goal>,
        proof: Proof,
    ) -> Result<(), JudgeError> {
        self.count(Filter::Looked);
        let Some(goal) = goal else { return Ok(()) };
        if self.races.judge(position).is_some() {
            return Ok(());
        }
        self.count(Filter::Result);
        let Some(first) = judge.only_move(position, goal)? else { return Ok(()) };
        self.count(Filter::OnlyMove);
        if is_trivial(judge.jungle(), position, first) {
            return Ok(());
        }
        self.count(Filter::NotTrivial);
        let solution = solve(judge, position, goal, MOST_PLIES)?;
        if solution.len() < LEAST_PLIES[usize::from(proof == Proof::Search)] {
            return Ok(());
        }
        self.count(Filter::Length);
        let identity = Identity::of(judge.jungle(), position);
        if !self.seen.insert(identity.clone()) {
            return Ok(());
        }
        self.count(Filter::Distinct);
        let themes = themes(judge, position, goal, &solution)?;
        let (id, rules, start) = (identity.name(), *judge.jungle().rules(), position.clone());
        self.unit.found.push(Puzzle { id, rules, start, goal, solution, themes, rating: 0, proof });
        Ok(())
    }
}

/// Whether there is hardly a choice: few moves, or one capture, which is the solution.
fn is_trivial(jungle: &Jungle, position: &Position, first: Move) -> bool {
    let moves = jungle.moves(position);
    let captures = moves.iter().filter(|mv| mv.is_capture()).count();
    moves.len() < LEAST_MOVES || (first.is_capture() && captures < 2)
}
