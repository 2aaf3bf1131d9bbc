//! The engine façade: options and games in, events and best moves out.

use std::collections::TryReserveError;
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use game::limits::Limits;
use game::rng::{Rng, mix};
use game::score::{Bound, Score};
use game::truth::Truth;
use jungle::{Move, Play, Rules};
use search::shared_table::SharedTable;
use tablebase::{ProbedMove, Tablebase};

use crate::control::Control;
use crate::endgame::Endgames;
use crate::eval::features::Weights;
use crate::eval::network::Network;
use crate::eval::{BurnettSum, Champion, Evaluation, Evaluator, Networked};
use crate::level::Level;
use crate::pacing::Pacing;
use crate::report::{Answer, Chances, Event, Line};
use crate::request::Request;
use crate::search::{
    Constant, Constants, Histories, Iterations, Reductions, RootMove, Searching, Selectivity,
    Shared, Worker,
};
use crate::time::TimeManager;

/// Engine options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The size of the transposition table in MiB.
    pub hash: usize,
    /// How many threads search.
    pub threads: usize,
    /// How many best lines are looked for.
    pub lines: usize,
    /// The move overhead: how much of the clock is lost in transit on every move.
    pub overhead: Duration,
    /// The strength level.
    pub level: Level,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The weights of the features in the champion's evaluation, if not the usual ones.
    pub weights: Option<Arc<Weights>>,
    /// The network that corrects them.
    pub network: Correction,
    /// Contempt: how much worse than even a draw is, in hundredths of a small piece: with more than 0 the engine
    /// avoids draws against a weaker player, with less it seeks them against a stronger one. An analysis,
    /// one that is infinite or of several lines, takes no side and ignores it.
    pub contempt: i32,
    /// The advance bonus: what every row forward of its own pieces is worth to the player at the root, beyond
    /// the evaluation. It makes an engine that plays prefer attacking to waiting. An analysis ignores it.
    pub advance: i32,
    /// Who decides when to move.
    pub pacing: Pacing,
    /// A heuristic of the search to turn off, for experiments.
    pub without: Option<Selectivity>,
    /// The constants of the search, for experiments.
    pub constants: Constants,
}

/// Which network corrects the champion's evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// The one that the program comes with, for the weights that it was made for: with other weights there is none.
    #[default]
    Usual,
    /// None: the features alone.
    Off,
    /// This one.
    By(Arc<Network>),
}

impl Options {
    /// The network that corrects the champion's evaluation, if there is one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        match &self.network {
            Correction::Usual if self.weights.is_none() => Some(Network::usual()),
            Correction::Usual | Correction::Off => None,
            Correction::By(network) => Some(network),
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            lines: 1,
            overhead: Duration::from_millis(10),
            level: Level::FULL,
            evaluation: Evaluation::default(),
            weights: None,
            network: Correction::default(),
            contempt: 0,
            advance: 0,
            pacing: Pacing::default(),
            without: None,
            constants: Constants::default(),
        }
    }
}

impl Options {
    /// The options of an engine that plays a game rather than analyses: it wants to win.
    pub fn playing() -> Options {
        Options {
            contempt: Options::USUAL_CONTEMPT,
            advance: Options::USUAL_ADVANCE,
            ..Options::default()
        }
    }

    /// The largest table that can be asked for, in MiB.
    pub const MOST_HASH: usize = 1 << 20;
    /// The largest contempt, positive or negative.
    pub const MOST_CONTEMPT: i32 = 1000;
    /// The contempt of an engine that plays a game.
    pub const USUAL_CONTEMPT: i32 = 30;
    /// The advance bonus of an engine that plays a game.
    pub const USUAL_ADVANCE: i32 = 2;
    /// The largest advance bonus that can be asked for.
    pub const MOST_ADVANCE: i32 = 20;
    /// The most lines that can be asked for.
    pub const MOST_LINES: usize = 256;
    /// The most threads that can be asked for.
    pub const MOST_THREADS: usize = 512;
}

/// Why an option was refused.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Not enough memory.
    #[error("there is no memory for a table of {megabytes} MiB; ask for less")]
    Hash {
        /// What was asked for, in MiB.
        megabytes: usize,
        /// What the allocator says.
        source: TryReserveError,
    },
    /// Contempt this large would be taken for a win.
    #[error("contempt must be from -{most} to {most}", most = Options::MOST_CONTEMPT)]
    Contempt,
    /// An advance bonus this large would outweigh the evaluation.
    #[error("the advance bonus must be from 0 to {}", Options::MOST_ADVANCE)]
    Advance,
    /// A constant of the search is out of range.
    #[error("{name} must be from {least} to {most}")]
    Constant {
        /// Its name.
        name: &'static str,
        /// The least it can be.
        least: i32,
        /// The most.
        most: i32,
    },
    /// A number is out of range.
    #[error("the number of {what} must be from {} to {}", range.0, range.1)]
    Range {
        /// What the number is.
        what: &'static str,
        /// The least and the most it can be.
        range: (usize, usize),
    },
}

/// The champion engine.
pub struct Engine {
    options: Options,
    tables: Option<Arc<Endgames>>,
    learned: Arc<Mutex<Learned>>,
    running: Option<Running>,
    /// The random numbers for levels that err on purpose.
    seed: u64,
    /// How much stack a search has.
    stack: usize,
    /// How many plies less late moves are searched.
    reductions: Arc<Reductions>,
}

/// What is kept from one search to the next: the transposition table and the histories.
struct Learned {
    table: SharedTable,
    /// One for each thread.
    histories: Vec<Histories>,
    /// The rules that these belong to.
    rules: Option<Rules>,
}

impl Learned {
    fn forget(&mut self) {
        self.table.clear();
        for histories in &mut self.histories {
            histories.clear();
        }
    }
}

struct Running {
    control: Arc<Control>,
    thread: JoinHandle<()>,
}

/// A running search.
///
/// Dropping it does not stop the search; the engine does, when it is given something else to do.
pub struct Search {
    control: Arc<Control>,
    answer: mpsc::Receiver<Answer>,
}

impl Search {
    /// The control that stops it from anywhere.
    pub fn control(&self) -> Arc<Control> {
        self.control.clone()
    }

    /// Ends it at once.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Ponderhit: the move pondered on was made.
    pub fn ponderhit(&self) {
        self.control.ponderhit();
    }

    /// Waits for the answer.
    pub fn wait(self) -> Answer {
        self.answer.recv().unwrap_or_else(|_| Answer {
            best: None,
            ponder: None,
            ending: None,
            lines: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
        })
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine with the usual options and no endgame tables.
    pub fn new() -> Engine {
        let options = Options::default();
        // A table of one cache line can always be allocated; a larger one is tried.
        let table = SharedTable::new(options.hash).or_else(|_| SharedTable::new(0));
        let table = table.unwrap_or_else(|_| SharedTable::none());
        let learned = Learned { table, histories: Vec::new(), rules: None };
        let seed = RandomState::new().hash_one(0);
        let learned = Arc::new(Mutex::new(learned));
        let reductions = Arc::new(Reductions::new(&options.constants));
        Engine { options, tables: None, learned, running: None, seed, stack: STACK, reductions }
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets the options; a search that is running is stopped first.
    ///
    /// # Errors
    ///
    /// If a number is out of range or there is not enough memory; nothing is changed then.
    pub fn set_options(&mut self, options: Options) -> Result<(), EngineError> {
        let check = |what, number: usize, most| {
            let range = (1, most);
            if (1..=most).contains(&number) {
                Ok(())
            } else {
                Err(EngineError::Range { what, range })
            }
        };
        check("threads", options.threads, Options::MOST_THREADS)?;
        check("lines", options.lines, Options::MOST_LINES)?;
        check("MiB of hash", options.hash, Options::MOST_HASH)?;
        if options.contempt.abs() > Options::MOST_CONTEMPT {
            return Err(EngineError::Contempt);
        }
        if !(0..=Options::MOST_ADVANCE).contains(&options.advance) {
            return Err(EngineError::Advance);
        }
        if let Some(Constant { name, least, most, .. }) = options.constants.out_of_range() {
            return Err(EngineError::Constant { name, least, most });
        }
        self.stop();
        if options.hash != self.options.hash {
            let megabytes = options.hash;
            let table = SharedTable::new(megabytes)
                .map_err(|source| EngineError::Hash { megabytes, source })?;
            self.learned().table = table;
        }
        if options.constants != self.options.constants {
            self.reductions = Arc::new(Reductions::new(&options.constants));
        }
        self.options = options;
        Ok(())
    }

    /// The endgame tables to use, or none. They count only in games under their rules.
    pub fn set_tables(&mut self, tables: Option<Arc<Tablebase>>) {
        self.stop();
        self.tables = tables.map(|tables| Arc::new(Endgames::new(tables)));
    }

    /// Makes the mistakes of the lower levels follow from `seed`; otherwise they differ every time.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Another game begins: clears what was learnt in the last one.
    pub fn new_game(&mut self) {
        self.stop();
        self.learned().forget();
    }

    /// Stops the running search, if there is one, and waits until it has answered.
    pub fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.control.stop();
            // A handler that panics ends its own thread only.
            let _ = running.thread.join();
        }
    }

    /// Thinks about the position of `play` on other threads, reporting every event to `handler`. A
    /// search that is still running is stopped first. Where no thread can be started, a short search on this one
    /// gives the answer.
    pub fn go(
        &mut self,
        play: &Play,
        request: impl Into<Request>,
        handler: impl FnMut(Event) + Send + 'static,
    ) -> Search {
        self.stop();
        let request = request.into();
        let control = Arc::new(Control::new(request.ponder));
        let (sender, answer) = mpsc::channel();
        let thinker = self.thinker();
        let play = play.clone();
        let (shared, handler) = (control.clone(), Mutex::new(handler));
        let job = move |request: Request| {
            let tell = |event| {
                (handler.lock().unwrap_or_else(PoisonError::into_inner))(event);
            };
            let mut report = |line| tell(Event::Line(line));
            let think = || thinker.think(&play, request, &shared, &mut report);
            // Whatever goes wrong, a game must not be lost for lack of an answer.
            let answer =
                catch_unwind(AssertUnwindSafe(think)).unwrap_or_else(|_| any_answer(&play));
            tell(Event::Finished(answer.clone()));
            // The receiver may be gone.
            let _ = sender.send(answer);
        };
        // The thread takes the job; if it cannot be started, the job is still here.
        let job = Arc::new(Mutex::new(Some(job)));
        let take =
            |job: &Mutex<Option<_>>| job.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (offered, asked) = (job.clone(), request.clone());
        let start = move || {
            if let Some(job) = take(&offered) {
                job(asked);
            }
        };
        match std::thread::Builder::new().stack_size(self.stack).spawn(start) {
            Ok(thread) => self.running = Some(Running { control: control.clone(), thread }),
            Err(_) => {
                if let Some(job) = take(&job) {
                    let limits = Limits::depth(8).with_nodes(20_000);
                    control.ponderhit();
                    job(Request { infinite: false, ponder: false, limits, ..request });
                }
            }
        }
        Search { control, answer }
    }

    /// Thinks on this thread (and helpers), reporting every line to `report`; for callers that have nothing
    /// else to do meanwhile. `control` can end it from another thread.
    pub fn think(
        &mut self,
        play: &Play,
        request: impl Into<Request>,
        control: &Control,
        report: &mut dyn FnMut(Line),
    ) -> Answer {
        self.stop();
        control.start_clock();
        self.thinker().think(play, request.into(), control, report)
    }

    fn thinker(&self) -> Thinker {
        Thinker {
            options: self.options.clone(),
            tables: self.tables.clone(),
            learned: self.learned.clone(),
            seed: self.seed,
            reductions: self.reductions.clone(),
        }
    }

    fn learned(&self) -> MutexGuard<'_, Learned> {
        lock(&self.learned)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Lines are long and frames hold a list of moves each.
const STACK: usize = 16 << 20;

fn lock(learned: &Mutex<Learned>) -> MutexGuard<'_, Learned> {
    // After a panic, the table and the histories are still usable.
    learned.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first legal move: better than none.
fn any_answer(play: &Play) -> Answer {
    Answer {
        best: play.legal_moves().first().copied(),
        ponder: None,
        ending: play.ending(),
        lines: Vec::new(),
        nodes: 0,
        time: Duration::ZERO,
    }
}

/// All that a search needs, apart from the engine that started it.
struct Thinker {
    options: Options,
    tables: Option<Arc<Endgames>>,
    learned: Arc<Mutex<Learned>>,
    seed: u64,
    reductions: Arc<Reductions>,
}

impl Thinker {
    /// The answer where the tables have a win or a loss: the shortest win, the longest loss.
    fn known_answer(
        &self,
        play: &Play,
        endgames: &Endgames,
        known: &[ProbedMove],
        started: Instant,
    ) -> Answer {
        let lines: Vec<Line> = known
            .iter()
            .take(self.options.lines)
            .enumerate()
            .map(|(index, probed)| {
                let score = Score::from(probed.value);
                let pv = match probed.value {
                    Truth::Draw => vec![probed.mv],
                    Truth::Win(_) | Truth::Loss(_) => endgames.line(play, probed.mv),
                };
                Line {
                    depth: pv.len() as u32,
                    seldepth: pv.len() as u32,
                    index: index + 1,
                    score,
                    bound: Bound::Exact,
                    drawn: probed.value == Truth::Draw,
                    chances: match probed.value {
                        Truth::Draw => Chances { win: 0, draw: 1000, loss: 0 },
                        Truth::Win(_) | Truth::Loss(_) => Chances::of(score),
                    },
                    nodes: 0,
                    time: started.elapsed(),
                    hashfull: 0,
                    tbhits: known.len() as u64,
                    pv,
                    signs: None,
                }
            })
            .collect();
        let best = lines.first().map(|line| line.pv.as_slice()).unwrap_or_default();
        Answer {
            best: best.first().copied(),
            ponder: best.get(1).copied(),
            ending: None,
            nodes: 0,
            time: started.elapsed(),
            lines,
        }
    }

    fn think(
        &self,
        play: &Play,
        mut request: Request,
        control: &Control,
        report: &mut dyn FnMut(Line),
    ) -> Answer {
        if let Some(most) = self.options.level.nodes() {
            request.limits = request.limits.within(&Limits::nodes(most));
        }
        let request = &request;
        let rules = play.jungle().rules();
        match self.options.evaluation {
            Evaluation::Champion => {
                let weights = self.options.weights.clone();
                match self.options.network() {
                    Some(network) => {
                        let judge = Networked::new(rules, weights, Arc::clone(network));
                        self.think_with(judge, play, request, control, report)
                    }
                    None => {
                        let judge = Champion::new(rules, weights);
                        self.think_with(judge, play, request, control, report)
                    }
                }
            }
            Evaluation::Burnett => {
                self.think_with(BurnettSum::default(), play, request, control, report)
            }
        }
    }

    fn think_with<E: Evaluator>(
        &self,
        evaluator: E,
        play: &Play,
        request: &Request,
        control: &Control,
        report: &mut dyn FnMut(Line),
    ) -> Answer {
        let started = Instant::now();
        let level = self.options.level;
        let wanted_lines = self.options.lines.max(level.lines());
        let ending = play.ending();
        let mut root_moves = root_moves(play, request);
        if ending.is_some() || root_moves.is_empty() {
            control.wait_to_answer(request.infinite);
            return Answer { ending, ..any_answer(play) };
        }
        let rules = play.jungle().rules();
        let usable = |tables: &&Endgames| tables.rules() == rules && level == Level::FULL;
        let mut tables = self.tables.as_deref().filter(usable);
        let mut drawn = false;
        if let Some(endgames) = tables
            && let Some(mut known) = endgames.moves(play)
        {
            known.retain(|probed| root_moves.iter().any(|root| root.mv == probed.mv));
            if known.first().is_some_and(|best| best.value != Truth::Draw) {
                let answer = self.known_answer(play, endgames, &known, started);
                answer.lines.iter().cloned().for_each(report);
                control.wait_to_answer(request.infinite);
                return answer;
            }
            // Drawn: keep the draw, and pose the other player as many problems as a search without the
            // tables can find.
            root_moves.retain(|root| {
                known.iter().any(|probed| probed.mv == root.mv && probed.value == Truth::Draw)
            });
            drawn = true;
            tables = None;
        }

        let mut learned = lock(&self.learned);
        let learned = &mut *learned;
        if learned.rules.as_ref() != Some(rules) {
            learned.forget();
            learned.rules = Some(*rules);
        }
        learned.table.new_search();
        let threads = self.options.threads;
        let analysis = request.infinite || self.options.lines > 1;
        let mut options = self.options.clone();
        if analysis {
            (options.contempt, options.advance) = (0, 0);
        }
        let quiet = options.without != Some(Selectivity::History);
        let continuation = quiet && options.without != Some(Selectivity::Continuation);
        learned.histories.resize_with(threads, Histories::new);
        for histories in &mut learned.histories {
            histories.set_used(quiet, continuation);
        }
        let shared = Shared {
            table: &learned.table,
            tables,
            control,
            finished: AtomicBool::new(false),
            reductions: &self.reductions,
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            table_hits: AtomicU64::new(0),
            searching: (threads > 1).then(Searching::new),
            iterations: Iterations::default(),
            request,
            time: TimeManager::new(request, self.options.overhead, self.options.pacing),
            started,
        };

        let workers = learned.histories.iter_mut().enumerate().map(|(index, histories)| {
            Worker::new(&shared, index, play, evaluator.clone(), histories, &options)
        });
        let mut helpers: Vec<_> = workers.collect();
        let mut main = helpers.remove(0);
        let mut lines = std::thread::scope(|scope| {
            let running = helpers.into_iter().filter_map(|mut helper| {
                let moves = root_moves.clone();
                let job = move || drop(helper.deepen(moves, 1, &mut |_| ()));
                // Without a helper the search is slower, not worse.
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, job).ok()
            });
            let running: Vec<_> = running.collect();
            let found = main.deepen(root_moves.clone(), wanted_lines, &mut |line| {
                if line.index <= self.options.lines {
                    report(if drawn { as_drawn(line) } else { line });
                }
            });
            control.wait_to_answer(request.infinite);
            shared.finished.store(true, std::sync::atomic::Ordering::Relaxed);
            for helper in running {
                // Nor is a failed helper a loss.
                let _ = helper.join();
            }
            let count = wanted_lines.min(found.moves.len());
            let top = found.moves[..count].iter().enumerate();
            top.map(|(index, root)| main.line(root, index, found.depth))
                .map(|line| if drawn { as_drawn(line) } else { line })
                .collect::<Vec<_>>()
        });
        let nodes = shared.total_nodes();

        // Where a level errs on purpose, its choice goes first.
        let seed = play.position().key() ^ play.moves().len() as u64;
        let chosen = level.choose(&lines, &mut Rng::new(self.seed ^ mix(seed)));
        if chosen > 0 {
            lines[..=chosen].rotate_right(1);
        }
        lines.truncate(self.options.lines);

        let best = lines.first().and_then(|line| line.pv.first().copied());
        let ponder = lines.first().and_then(|line| line.pv.get(1).copied());
        Answer {
            best: best.or(Some(root_moves[0].mv)),
            ponder,
            ending: None,
            lines,
            nodes,
            time: started.elapsed(),
        }
    }
}

/// A line of a position that the tables call drawn.
fn as_drawn(line: Line) -> Line {
    let chances = Chances { win: 0, draw: 1000, loss: 0 };
    Line { score: Score::DRAW, drawn: true, bound: Bound::Exact, chances, ..line }
}

/// The moves to consider.
fn root_moves(play: &Play, request: &Request) -> Vec<RootMove> {
    let legal = play.legal_moves();
    let wanted = |mv: &Move| request.moves.is_empty() || request.moves.contains(mv);
    let mut moves: Vec<Move> = legal.iter().copied().filter(wanted).collect();
    if moves.is_empty() {
        moves = legal;
    }
    moves.into_iter().map(RootMove::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_a_thread_has_an_answer() {
        // No system has such a stack.
        let mut engine = Engine::new();
        engine.stack = usize::MAX / 4;
        let play = Play::start(jungle::Jungle::new(Rules::STANDARD));
        for (infinite, ponder) in [(false, false), (true, false), (false, true)] {
            let request = Request { infinite, ponder, ..Request::default() };
            let answer = engine.go(&play, request, |_| ()).wait();
            assert!(answer.nodes > 100 && play.legal_moves().contains(&answer.best.unwrap()));
        }
    }

    #[test]
    fn without_time_every_move_is_looked_at_once() {
        // One step to the den.
        let setup: jungle::Setup = "7/3T3/7/7/7/7/7/7/2c4 w".parse().unwrap();
        let play = Play::new(jungle::Jungle::new(Rules::STANDARD), &setup).unwrap();
        for stopped in [false, true] {
            let control = Control::new(false);
            if stopped {
                control.stop();
            }
            let answer =
                Engine::new().think(&play, Limits::time(Duration::ZERO), &control, &mut |_| ());
            assert_eq!(answer.best.unwrap().to_string(), "d8d9");
            assert!(answer.lines[0].score > Score::DRAW, "{:?}", answer.lines);
        }
    }

    #[test]
    fn what_came_before_is_not_on_the_clock() {
        let control = Control::new(false);
        std::thread::sleep(Duration::from_millis(60));
        let play = Play::start(jungle::Jungle::new(Rules::STANDARD));
        let limits = Limits::time(Duration::from_millis(50));
        let answer = Engine::new().think(&play, limits, &control, &mut |_| ());
        assert!(answer.lines[0].depth > 1, "{:?}", answer.lines);
    }
}
