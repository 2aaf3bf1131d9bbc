//! `Engine`: the champion.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::engine::{Answer, Control, Event, Level, Options, Request};
use game::limits::Limits;
use game::score::Bound as Exactness;
use jungle::Play;
use pyo3::prelude::*;

use crate::failure;
use crate::moves::Move;
use crate::position::Position;
use crate::report::Analysis;
use crate::tables::Tablebase;
use crate::waiting::Waiting;

/// The default time, as on the command line.
const USUAL_TIME: Duration = Duration::from_secs(5);

/// The engine. It keeps its transposition table from one search to the next; one search runs at
/// a time, without holding Python's lock, and Ctrl-C ends it.
///
/// ```python
/// >>> engine = mousetrap.Engine(hash=16)
/// >>> position = mousetrap.Position("5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w")
/// >>> analysis = engine.analyse(position, depth=10)
/// >>> analysis.score.win
/// 5
/// >>> [move.algebraic for move in analysis.lines[0].moves]
/// ['Re9', 'Txe9', 'Pd8', 'Lxe2', 'Pd9']
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct Engine {
    inner: Mutex<::engine::Engine>,
    options: Options,
    /// The contempt, if given; else none in an analysis, and the default in a game.
    contempt: Option<i32>,
}

/// A checked request.
fn request(
    play: &Play,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<f64>,
    moves: Option<Vec<jungle::Move>>,
    endless: bool,
) -> PyResult<Request> {
    if depth == Some(0) || nodes == Some(0) {
        return Err(failure::input("the limit must be 1 or more"));
    }
    let time = match time {
        None => None,
        Some(seconds) if seconds.is_finite() && (0.0..=1e7).contains(&seconds) => {
            Some(Duration::from_secs_f64(seconds))
        }
        Some(_) => return Err(failure::input("expected a number of seconds, as in 2.5")),
    };
    let unlimited = depth.is_none() && nodes.is_none() && time.is_none();
    let time = time.or((unlimited && !endless).then_some(USUAL_TIME));
    let moves = moves.unwrap_or_default();
    if let Some(mv) = moves.iter().find(|mv| !play.legal_moves().contains(mv)) {
        return Err(failure::illegal(format!("{mv} is not legal in this position")));
    }
    let limits = Limits { depth: depth.map(|depth| depth.min(190)), nodes, time, ..Limits::none() };
    Ok(Request::from(limits).among(moves))
}

impl Engine {
    /// The engine, when no other thread is using it.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, ::engine::Engine> {
        // An engine is still usable after a search that broke off.
        use pyo3::sync::MutexExt;
        self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Thinks to the end, or until Ctrl-C.
    fn think(
        &self,
        py: Python<'_>,
        play: &Play,
        request: Request,
        options: Options,
    ) -> PyResult<Answer> {
        let mut engine = self.lock(py);
        engine.set_options(options).map_err(failure::input)?;
        let (sender, receiver) = channel();
        // The receiver goes away only when the caller has stopped waiting.
        let search = engine.go(play, request, move |event| {
            if let Event::Finished(answer) = event {
                let _ = sender.send(answer);
            }
        });
        let waited = Waiting::new(receiver).next(py);
        if waited.is_err() {
            let engine = &mut *engine;
            py.detach(|| engine.stop());
        }
        drop(search);
        waited?.ok_or_else(|| failure::outside("the search cannot be started on another thread"))
    }
}

/// The moves to consider, given as such or as text.
fn considered(
    position: &Position,
    moves: Option<Vec<Bound<'_, PyAny>>>,
) -> PyResult<Option<Vec<jungle::Move>>> {
    moves.map(|moves| moves.iter().map(|mv| position.read(mv)).collect()).transpose()
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, hash=64, threads=1, level=20, contempt=None, evaluation="champion", tables=None, seed=None))]
    fn new(
        hash: usize,
        threads: usize,
        level: u8,
        contempt: Option<i32>,
        evaluation: &str,
        tables: Option<PyRef<'_, Tablebase>>,
        seed: Option<u64>,
    ) -> PyResult<Engine> {
        let level =
            Level::new(level).ok_or_else(|| failure::input("the level must be from 0 to 20"))?;
        let evaluation = match evaluation {
            "champion" => ::engine::Evaluation::Champion,
            "burnett" | "thesis" => ::engine::Evaluation::Burnett,
            other => {
                return Err(failure::input(format!(
                    "'{other}' is not an evaluation: expected champion or burnett"
                )));
            }
        };
        let options = Options {
            hash,
            threads,
            level,
            contempt: contempt.unwrap_or_default(),
            evaluation,
            ..Options::default()
        };
        let mut inner = ::engine::Engine::new();
        inner.set_options(options.clone()).map_err(failure::input)?;
        inner.set_tables(tables.map(|tables| tables.tablebase()));
        if let Some(seed) = seed {
            inner.set_seed(seed);
        }
        Ok(Engine { inner: Mutex::new(inner), options, contempt })
    }

    /// Searches a position: by `depth` (plies), `nodes` or `time` (seconds), whichever limit is
    /// reached first, for five seconds if none is given. `lines` asks for more than the best line, `moves`
    /// for these moves only.
    ///
    /// ```python
    /// >>> engine = mousetrap.Engine()
    /// >>> engine.analyse(mousetrap.Position("5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w"), nodes=20000)
    /// Analysis(best='f9e9', score='win in 5', depth=7)
    /// >>> len(engine.analyse(mousetrap.Position(), depth=3, lines=24).lines)
    /// 24
    /// ```
    #[pyo3(signature = (position, *, depth=None, nodes=None, time=None, lines=1, moves=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn analyse(
        &self,
        py: Python<'_>,
        position: PyRef<'_, Position>,
        depth: Option<u32>,
        nodes: Option<u64>,
        time: Option<f64>,
        lines: usize,
        moves: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<Analysis> {
        let play = position.play.clone();
        let moves = considered(&position, moves)?;
        drop(position);
        let request = request(&play, depth, nodes, time, moves, false)?;
        let options = Options { lines, ..self.options.clone() };
        let answer = self.think(py, &play, request, options)?;
        Ok(Analysis::new(play, answer))
    }

    /// Iterative deepening, step by step: an iterator of `Analysis`, each deeper than the one
    /// before. Without a limit it goes on; leaving the loop ends the search, and so does the next
    /// one.
    ///
    /// ```python
    /// >>> for analysis in mousetrap.Engine().deepen(mousetrap.Position(), depth=3):
    /// ...     print(analysis.depth, analysis.best is not None)
    /// 1 True
    /// 2 True
    /// 3 True
    /// ```
    #[pyo3(signature = (position, *, depth=None, nodes=None, time=None, lines=1, moves=None))]
    fn deepen(
        slf: &Bound<'_, Self>,
        position: PyRef<'_, Position>,
        depth: Option<u32>,
        nodes: Option<u64>,
        time: Option<f64>,
        lines: usize,
        moves: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<Deepening> {
        let play = position.play.clone();
        let moves = considered(&position, moves)?;
        drop(position);
        let request = request(&play, depth, nodes, time, moves, true)?;
        let wanted = lines.min(match request.moves.len() {
            0 => play.legal_moves().len(),
            some => some,
        });
        let this = slf.get();
        let mut engine = this.lock(slf.py());
        let options = Options { lines, ..this.options.clone() };
        engine.set_options(options).map_err(failure::input)?;
        let (sender, receiver) = channel();
        let search = engine.go(&play, request, move |event| drop(sender.send(event)));
        Ok(Deepening {
            control: search.control(),
            events: Waiting::new(receiver),
            wanted,
            found: Mutex::default(),
            play,
            _engine: slf.clone().unbind(),
        })
    }

    /// The move to make; limits as for `analyse`. Below level 20 it errs on purpose. It plays to win: it
    /// prefers advancing to waiting, and avoids draws a little unless `contempt` is set.
    ///
    /// ```python
    /// >>> position = mousetrap.Position("7/3C3/7/7/7/7/7/7/6r w")
    /// >>> mousetrap.Engine(level=3).play(position, nodes=1000)
    /// Move('d8d9')
    /// ```
    #[pyo3(signature = (position, *, depth=None, nodes=None, time=None))]
    fn play(
        &self,
        py: Python<'_>,
        position: PyRef<'_, Position>,
        depth: Option<u32>,
        nodes: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Move> {
        let play = position.play.clone();
        drop(position);
        let request = request(&play, depth, nodes, time, None, false)?;
        let options = Options {
            contempt: self.contempt.unwrap_or(Options::USUAL_CONTEMPT),
            advance: Options::USUAL_ADVANCE,
            ..self.options.clone()
        };
        let answer = self.think(py, &play, request, options)?;
        match (answer.best, answer.ending) {
            (Some(best), _) => Ok(Move(best)),
            (None, Some(ending)) => Err(failure::illegal(format!("the game is over ({ending})"))),
            (None, None) => Err(failure::illegal("there is no legal move")),
        }
    }

    /// Clears the transposition table and the history: another game begins.
    ///
    /// ```python
    /// >>> mousetrap.Engine().new_game()
    /// ```
    fn new_game(&self, py: Python<'_>) {
        let engine = &mut *self.lock(py);
        py.detach(|| engine.new_game());
    }

    fn __repr__(&self) -> String {
        let options = &self.options;
        format!(
            "Engine(hash={}, threads={}, level={})",
            options.hash,
            options.threads,
            options.level.number()
        )
    }
}

/// A search under way; see `Engine.deepen`.
///
/// ```python
/// >>> search = mousetrap.Engine().deepen(mousetrap.Position())
/// >>> next(search).depth
/// 1
/// >>> search.stop()
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct Deepening {
    control: Arc<Control>,
    events: Waiting<Event>,
    /// How many lines make a depth complete.
    wanted: usize,
    found: Mutex<Found>,
    play: Play,
    /// An engine that goes away ends its search.
    _engine: Py<Engine>,
}

#[derive(Default)]
struct Found {
    lines: Vec<::engine::Line>,
    /// The last depth reported.
    reported: Option<u32>,
}

impl Found {
    /// Adds a line; returns the answer so far, if that completes a depth.
    fn take(&mut self, line: ::engine::Line, wanted: usize) -> Option<Answer> {
        if line.bound != Exactness::Exact {
            return None;
        }
        if self.lines.first().is_some_and(|known| known.depth != line.depth) {
            self.lines.clear();
        }
        self.lines.retain(|known| known.index != line.index);
        let (nodes, time, depth) = (line.nodes, line.time, line.depth);
        self.lines.push(line);
        self.lines.sort_by_key(|line| line.index);
        if self.lines.len() < wanted || self.reported.is_some_and(|reported| reported >= depth) {
            return None;
        }
        self.reported = Some(depth);
        let lines = self.lines.clone();
        let pv = lines.first().map(|line| line.pv.as_slice()).unwrap_or_default();
        let (best, ponder) = (pv.first().copied(), pv.get(1).copied());
        Some(Answer { best, ponder, ending: None, lines, nodes, time })
    }
}

#[pymethods]
impl Deepening {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Analysis>> {
        loop {
            let event = self.events.next(py).inspect_err(|_| self.control.stop())?;
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                None => return Ok(None),
                Some(Event::Line(line)) => {
                    if let Some(answer) = found.take(line, self.wanted) {
                        return Ok(Some(Analysis::new(self.play.clone(), answer)));
                    }
                }
                Some(Event::Finished(answer)) => {
                    // Table results and finished games come without intermediate lines.
                    if found.reported.is_none() {
                        found.reported = Some(u32::MAX);
                        return Ok(Some(Analysis::new(self.play.clone(), answer)));
                    }
                }
            }
        }
    }

    /// Ends the search at once.
    ///
    /// ```python
    /// >>> mousetrap.Engine().deepen(mousetrap.Position()).stop()
    /// ```
    fn stop(&self) {
        self.control.stop();
    }
}

impl Drop for Deepening {
    fn drop(&mut self) {
        self.control.stop();
    }
}
