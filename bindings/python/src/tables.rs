//! `Tablebase`: endgame tables.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ::game::truth;
use etcetera::BaseStrategy;
use jungle::{Animal, Color, Piece, Rules as Inner, Square};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tablebase::batch::{Batch, Metric, Placed, USUAL_LIMIT};
use tablebase::build::{self, Event, Options};
use tablebase::export::{Batches, Export, ExportError, atomically};
use tablebase::{Material, Set, SetError, set_folder};

use crate::arrow::RecordBatches;
use crate::convert::{self, plain, rows};
use crate::mining::{self, DecisionTree};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;
use crate::{batch, failure, waiting};

/// The game-theoretic value of a position, for the player to move: win, draw or loss, and in how many
/// plies.
///
/// ```python
/// >>> tables = mousetrap.Tablebase.open(rules="leiden")
/// >>> truth = tables.probe(mousetrap.Position("7/7/3e3/7/7/7/3E3/7/7 w", rules="leiden"))
/// >>> truth, truth.outcome, truth.plies
/// (Truth('loss in 12'), 'loss', 12)
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct Truth(pub truth::Truth);

#[pymethods]
impl Truth {
    /// `'win'`, `'draw'` or `'loss'`.
    #[getter]
    fn outcome(&self) -> &'static str {
        match self.0 {
            truth::Truth::Win(_) => "win",
            truth::Truth::Draw => "draw",
            truth::Truth::Loss(_) => "loss",
        }
    }

    /// How many plies it takes; `None` for a draw.
    #[getter]
    fn plies(&self) -> Option<u32> {
        match self.0 {
            truth::Truth::Win(plies) | truth::Truth::Loss(plies) => Some(plies),
            truth::Truth::Draw => None,
        }
    }

    fn __str__(&self) -> String {
        match self.plies() {
            Some(plies) => format!("{} in {plies}", self.outcome()),
            None => "draw".to_owned(),
        }
    }

    fn __repr__(&self) -> String {
        format!("Truth('{}')", self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Truth>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

/// A set of endgame tables, opened with `open` or `build`.
///
/// ```python
/// >>> tables = mousetrap.Tablebase.open(rules="leiden")
/// >>> tables.rules, tables.pieces
/// (Rules('leiden'), 3)
/// >>> tables.stats(pieces=2)
/// [{'pieces': 2, 'placements': 160068, 'stalemates': 0, 'wins': 82852, 'losses': 64501, 'draws': 12715, 'longest': 34}]
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct Tablebase {
    pub set: Arc<Set>,
    batch: Arc<Batch>,
}

impl Tablebase {
    fn of(set: Set) -> Tablebase {
        let batch = Batch::new(set.tablebase().clone(), USUAL_LIMIT);
        Tablebase { set: Arc::new(set), batch: Arc::new(batch) }
    }

    pub fn tablebase(&self) -> Arc<tablebase::Tablebase> {
        self.set.tablebase().clone()
    }

    /// Whether a position is under rules that the tables are for.
    fn check(&self, position: &Position) -> PyResult<()> {
        let (asked, known) = (position.play.jungle().rules(), self.set.rules());
        if self.set.tablebase().is_for(asked) {
            return Ok(());
        }
        Err(failure::input(format!(
            "the position is under the rules {asked}, and the tables are for {known}"
        )))
    }
}

/// The folder of tables: `dir`, else `$MOUSETRAP_TABLES`, else the user's data folder.
pub fn tables_folder(dir: Option<PathBuf>) -> PyResult<PathBuf> {
    const VARIABLE: &str = "MOUSETRAP_TABLES";
    let data = || etcetera::choose_base_strategy().map(|base| base.data_dir());
    tablebase::tables_folder(dir, std::env::var_os(VARIABLE), data).map_err(|error| {
        failure::outside(format!(
            "finding the data folder (give `dir`, or set {VARIABLE}): {error}"
        ))
    })
}

/// A class by name.
pub fn class(name: &str) -> PyResult<Material> {
    name.parse().map_err(failure::input)
}

/// The pieces of a class in the order in which they were written: `EL-RT` has the rat third.
fn pieces_as_named(name: &str) -> PyResult<Vec<Piece>> {
    class(name)?;
    let mut color = Color::White;
    let mut pieces = Vec::new();
    for letter in name.chars() {
        match Animal::from_letter(letter) {
            Some(animal) => pieces.push(Piece { color, animal }),
            // The dash, the class being one.
            None => color = Color::Black,
        }
    }
    Ok(pieces)
}

/// An event of a build, owned, on its way to Python.
enum BuildEvent {
    Planned { classes: usize, present: usize },
    Started(String),
    Built { class: String, positions: u64, bytes: u64, seconds: f64 },
    Found(String),
    Waiting(String),
}

impl BuildEvent {
    fn of(event: &Event<'_>) -> BuildEvent {
        match event {
            Event::Planned { classes, present, .. } => {
                BuildEvent::Planned { classes: *classes, present: *present }
            }
            Event::Started { class } => BuildEvent::Started(class.to_string()),
            Event::Built { report, .. } => BuildEvent::Built {
                class: report.class.to_string(),
                positions: report.total().placements(),
                bytes: report.bytes,
                seconds: report.time.as_secs_f64(),
            },
            Event::Found { class, .. } => BuildEvent::Found(class.to_string()),
            Event::Waiting { class, .. } => BuildEvent::Waiting(class.to_string()),
        }
    }

    fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let named = |event: &str, class: &String| {
            dict.set_item("event", event)?;
            dict.set_item("class", class)
        };
        match self {
            BuildEvent::Planned { classes, present } => {
                dict.set_item("event", "planned")?;
                dict.set_item("classes", classes)?;
                dict.set_item("present", present)?;
            }
            BuildEvent::Started(class) => named("started", class)?,
            BuildEvent::Found(class) => named("found", class)?,
            BuildEvent::Waiting(class) => named("waiting", class)?,
            BuildEvent::Built { class, positions, bytes, seconds } => {
                named("built", class)?;
                dict.set_item("positions", positions)?;
                dict.set_item("bytes", bytes)?;
                dict.set_item("seconds", seconds)?;
            }
        }
        Ok(dict)
    }
}

fn wanted(pieces: Option<u32>, classes: Option<Vec<String>>) -> PyResult<build::Wanted> {
    match (pieces, classes) {
        (Some(_), Some(_)) => Err(failure::input("give pieces or classes, not both")),
        (None, Some(names)) => {
            let classes = names.iter().map(|name| class(name)).collect::<PyResult<_>>()?;
            Ok(build::Wanted::Classes(classes))
        }
        (pieces, None) => {
            let pieces = pieces.unwrap_or(4);
            if !(2..=build::MOST_PIECES).contains(&pieces) {
                return Err(failure::input(format!(
                    "tables have 2 to {} pieces, not {pieces}",
                    build::MOST_PIECES
                )));
            }
            Ok(build::Wanted::Pieces(pieces))
        }
    }
}

#[pymethods]
impl Tablebase {
    /// Opens the tables for some rules in a folder of tables (`dir`, else `$MOUSETRAP_TABLES`, else the
    /// user's data folder). Those of up to three pieces are built if they are not there, which takes a few
    /// seconds once.
    ///
    /// ```python
    /// >>> mousetrap.Tablebase.open(rules="leiden").pieces >= 3
    /// True
    /// ```
    #[staticmethod]
    #[pyo3(signature = (dir=None, rules=None))]
    fn open(
        py: Python<'_>,
        dir: Option<PathBuf>,
        rules: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Tablebase> {
        let rules = convert::rules(rules)?;
        let folder = set_folder(&tables_folder(dir)?, &rules);
        let work = move |_: &(dyn Fn(()) + Sync)| Set::open_or_build(&rules, folder);
        let set = waiting::run(py, work, || {}, |()| Ok(()))?;
        Ok(Tablebase::of(set.map_err(failure::set)?))
    }

    /// Builds tables and opens them: all of up to `pieces` pieces (four by default), or some
    /// `classes` by name and what they lead to. A build that was interrupted, by Ctrl-C too, carries on
    /// where it stopped. `progress` is called with a dictionary for every event: `planned`, `started`,
    /// `built`, `found`, `waiting`.
    ///
    /// ```python
    /// >>> events = []
    /// >>> tables = mousetrap.Tablebase.build(2, dir=scratch, rules="leiden", progress=events.append)
    /// >>> events[0], events[-1]["event"]
    /// ({'event': 'planned', 'classes': 10, 'present': 0}, 'built')
    /// ```
    #[staticmethod]
    #[pyo3(signature = (pieces=None, *, classes=None, dir=None, rules=None, threads=None, memory=None, wdl_only=false, both_sides=false, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn build(
        py: Python<'_>,
        pieces: Option<u32>,
        classes: Option<Vec<String>>,
        dir: Option<PathBuf>,
        rules: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
        memory: Option<u64>,
        wdl_only: bool,
        both_sides: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Tablebase> {
        let rules: Inner = convert::rules(rules)?;
        let wanted = wanted(pieces, classes)?;
        if threads == Some(0) {
            return Err(failure::input("threads must be 1 or more"));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let usual = Options::default();
        let memory = memory.unwrap_or(usual.memory);
        let options =
            Options { threads, memory, wdl_only, both_sides, stop: stop.clone(), ..usual };
        let folder = set_folder(&tables_folder(dir)?, &rules);
        let built = folder.clone();
        let work = move |report: &(dyn Fn(BuildEvent) + Sync)| {
            // The builder wants a watcher that could move between its threads; ours stays here.
            let (sender, events) = std::sync::mpsc::channel();
            std::thread::scope(|scope| {
                let building = scope.spawn(move || {
                    let mut watch = |event: Event<'_>| drop(sender.send(BuildEvent::of(&event)));
                    build::build(&rules, &built, &wanted, &options, &mut watch)
                });
                events.iter().for_each(report);
                building.join()
            })
        };
        let report = |event: BuildEvent| match progress {
            Some(progress) => progress.call1((event.dict(py)?,)).map(drop),
            None => Ok(()),
        };
        let done = waiting::run(py, work, || stop.store(true, Relaxed), report)?;
        done.map_err(|_| failure::outside("the build broke off; this is a fault of mousetrap"))?
            .map_err(failure::build)?;
        let set = py.detach(|| Set::open(&rules, folder));
        Ok(Tablebase::of(set.map_err(failure::set)?))
    }

    /// The rules of the tables.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(*self.set.rules())
    }

    /// The folder of the set.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.set.folder().to_owned()
    }

    /// The most pieces of any table in the folder.
    #[getter]
    fn pieces(&self) -> u32 {
        self.set.largest()
    }

    /// The names of the classes that have their own table, of this many pieces or of all.
    ///
    /// ```python
    /// >>> mousetrap.Tablebase.open(rules="leiden").classes(2)[:4]
    /// ['R-R', 'C-R', 'T-R', 'E-R']
    /// ```
    #[pyo3(signature = (pieces=None))]
    fn classes(&self, pieces: Option<u32>) -> Vec<String> {
        let wanted = |material: &Material| {
            let count = material.pieces();
            pieces.map_or(count <= self.set.largest(), |pieces| pieces == count)
        };
        let classes = self.set.tablebase().classes();
        classes.filter(wanted).map(|class| class.to_string()).collect()
    }

    /// The truth about a position, without regard to repetition and move limits.
    ///
    /// ```python
    /// >>> tables = mousetrap.Tablebase.open(rules="leiden")
    /// >>> tables.probe(mousetrap.Position("t6/7/T6/7/7/7/7/7/7 w", rules="leiden"))
    /// Truth('win in 19')
    /// ```
    fn probe(&self, py: Python<'_>, position: PyRef<'_, Position>) -> PyResult<Truth> {
        self.check(&position)?;
        let board = position.play.position().clone();
        drop(position);
        let value = py.detach(|| self.set.tablebase().probe(&board));
        value.map(Truth).map_err(|error| failure::probe(&self.set, error))
    }

    /// All legal moves with what they achieve for the player who makes them, best first.
    ///
    /// ```python
    /// >>> tables = mousetrap.Tablebase.open(rules="leiden")
    /// >>> position = mousetrap.Position("t6/7/T6/7/7/7/7/7/7 w", rules="leiden")
    /// >>> tables.probe_moves(position)[0]
    /// (Move('a7a6'), Truth('win in 19'))
    /// ```
    fn probe_moves(
        &self,
        py: Python<'_>,
        position: PyRef<'_, Position>,
    ) -> PyResult<Vec<(Move, Truth)>> {
        self.check(&position)?;
        let board = position.play.position().clone();
        drop(position);
        let probed = py.detach(|| self.set.tablebase().probe_position(&board));
        let moves = probed.map_err(|error| failure::probe(&self.set, error))?.moves;
        Ok(moves.into_iter().map(|found| (Move(found.mv), Truth(found.value))).collect())
    }

    /// A probe as plain data: what `mousetrap tb probe --json` prints.
    ///
    /// ```python
    /// >>> tables = mousetrap.Tablebase.open(rules="leiden")
    /// >>> data = tables.data(mousetrap.Position("t6/7/T6/7/7/7/7/7/7 w", rules="leiden"))
    /// >>> data["outcome"], data["plies"], data["moves"][0]["move"]
    /// ('win', 19, 'a7a6')
    /// ```
    fn data<'py>(
        &self,
        py: Python<'py>,
        position: PyRef<'_, Position>,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.check(&position)?;
        let play = position.play.clone();
        drop(position);
        let (jungle, board) = (play.jungle(), play.position());
        let probe = py.detach(|| answers::Probe::of(self.set.tablebase(), jungle, board));
        let probe = probe.map_err(|error| failure::probe(&self.set, error))?;
        Ok(plain(py, &probe)?.cast_into()?)
    }

    /// Best play by both sides to the end, as plain data: what `mousetrap tb line --json` prints.
    ///
    /// ```python
    /// >>> tables = mousetrap.Tablebase.open(rules="leiden")
    /// >>> line = tables.line(mousetrap.Position("t6/7/T6/7/7/7/7/7/7 w", rules="leiden"))
    /// >>> line["plies"], len(line["line"]), line["ending"]["winner"]
    /// (19, 19, 'white')
    /// ```
    fn line<'py>(
        &self,
        py: Python<'py>,
        position: PyRef<'_, Position>,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.check(&position)?;
        let play = position.play.clone();
        drop(position);
        let (jungle, board) = (play.jungle(), play.position());
        let line = py.detach(|| answers::Line::of(self.set.tablebase(), jungle, board));
        let line = line.map_err(|error| failure::line(&self.set, error))?;
        Ok(plain(py, &line)?.cast_into()?)
    }

    /// The truth about many whole boards at once, as `Position.board` gives them: an array of shape (n, 9,
    /// 7) or (n, 63). `turn` is a side for all, or an array with 0 for White and 1 for Black. The answer has
    /// two arrays: `outcome` (1 win, 0 draw, -1 loss, for the player to move) and `plies` (-1 for a draw).
    /// Without `distances` only outcomes are given.
    ///
    /// ```python
    /// >>> import numpy
    /// >>> tables = mousetrap.Tablebase.open(rules="leiden")
    /// >>> fens = ["7/7/3e3/7/7/7/3E3/7/7 w", "t6/7/T6/7/7/7/7/7/7 w"]
    /// >>> boards = numpy.stack([mousetrap.Position(fen).board() for fen in fens])
    /// >>> outcome, plies = tables.probe_boards(boards)
    /// >>> outcome.tolist(), plies.tolist()
    /// ([-1, 1], [12, 19])
    /// ```
    #[pyo3(signature = (boards, turn=None, *, distances=true))]
    fn probe_boards<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        turn: Option<&Bound<'py, PyAny>>,
        distances: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let boards = batch::boards(boards)?;
        let turns = turn.map_or(Ok(vec![Color::White]), batch::turns)?;
        let metric = if distances { Metric::Distances } else { Metric::Outcomes };
        let values = py.detach(|| self.batch.probe_boards(&boards, &turns, metric));
        let values = values.map_err(|error| failure::batch(&self.set, error))?;
        batch::answers(py, &values, distances)
    }

    /// The truth about many positions of one class: an array of shape (n, pieces) with the squares (0 is a1,
    /// 62 is g9) of the pieces in the order in which the name has them. Otherwise as
    /// `probe_boards`, and quicker.
    ///
    /// ```python
    /// >>> tables = mousetrap.Tablebase.open(rules="leiden")
    /// >>> tables.probe_class("E-E", [[17, 45], [0, 62]]).plies.tolist()
    /// [12, 34]
    /// ```
    #[pyo3(signature = (name, squares, turn=None, *, distances=true))]
    fn probe_class<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        squares: &Bound<'py, PyAny>,
        turn: Option<&Bound<'py, PyAny>>,
        distances: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pieces = pieces_as_named(name)?;
        let squares = batch::squares(squares, pieces.len())?;
        let turns = turn.map_or(Ok(vec![Color::White]), batch::turns)?;
        let metric = if distances { Metric::Distances } else { Metric::Outcomes };
        let placed = Placed { pieces: &pieces, squares: &squares, turns: &turns };
        let values = py.detach(|| self.batch.probe(placed, metric));
        let values = values.map_err(|error| failure::batch(&self.set, error))?;
        batch::answers(py, &values, distances)
    }

    /// All positions of a class, White to move, as Arrow record batches that are handed over without
    /// copying: to pyarrow, Polars, DuckDB or any library with Arrow's C interface. A column of squares for
    /// each piece, `turn`, `outcome` and `plies` as in `to_parquet`, and a column for each of the
    /// `features` requested (as in `mine`).
    ///
    /// ```python
    /// >>> import pyarrow
    /// >>> table = pyarrow.table(mousetrap.Tablebase.open(rules="leiden").batches("E-R"))
    /// >>> table.num_rows, table.column_names
    /// (2940, ['w_E', 'b_R', 'turn', 'outcome', 'plies'])
    /// ```
    #[pyo3(signature = (name, *, features=None, size=65536))]
    fn batches(
        &self,
        py: Python<'_>,
        name: &str,
        features: Option<&str>,
        size: usize,
    ) -> PyResult<RecordBatches> {
        let class = class(name)?;
        if size == 0 {
            return Err(failure::input("batch size must be 1 or more"));
        }
        let chosen = match features {
            Some(list) => mining::features(class, Some(list), None)?,
            None => Vec::new(),
        };
        let batches = py.detach(|| Batches::new(self.set.tablebase(), class, size));
        let batches = batches.map_err(|error| failure::probe(&self.set, error))?;
        Ok(RecordBatches::new(class, *self.set.rules(), batches, chosen))
    }

    /// Writes a class, or a `sample` of its positions, as a Parquet file, in the columns of
    /// `mousetrap tb export --help`. The file appears when it is complete.
    ///
    /// ```python
    /// >>> mousetrap.Tablebase.open(rules="leiden").to_parquet("E-R", scratch + "/E-R.parquet")
    /// ```
    #[pyo3(signature = (name, path, *, sample=None, seed=1))]
    fn to_parquet(
        &self,
        py: Python<'_>,
        name: &str,
        path: PathBuf,
        sample: Option<u64>,
        seed: u64,
    ) -> PyResult<()> {
        let class = class(name)?;
        let set = self.set.clone();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let work = move |_: &(dyn Fn(()) + Sync)| {
            let export = Export::new(set.tablebase(), class, sample, seed)?.stopped_by(stopped);
            atomically::<ExportError>(&path, |file| export.write_parquet(file))
        };
        let written = waiting::run(py, work, || stop.store(true, Relaxed), |()| Ok(()))?;
        written.map_err(|error| failure::export(&self.set, error))
    }

    /// How many positions are won, lost and drawn, White to move: a record for each number of pieces, or
    /// with `per_class` for each class. The records are a list that knows how to become a data frame.
    ///
    /// ```python
    /// >>> rows = mousetrap.Tablebase.open(rules="leiden").stats(pieces=2, per_class=True)
    /// >>> rows[0]["class"], rows[0]["wins"]
    /// ('R-R', 2055)
    /// >>> int(rows.frame()["placements"].sum())
    /// 160068
    /// ```
    #[pyo3(signature = (pieces=None, *, per_class=false))]
    fn stats<'py>(
        &self,
        py: Python<'py>,
        pieces: Option<u32>,
        per_class: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let refused = |error| failure::refused(&self.set, error);
        let layers = match pieces {
            Some(pieces) => vec![pieces],
            None => {
                let mut whole = Vec::new();
                for pieces in 2..=self.set.largest() {
                    match self.set.check(pieces) {
                        Ok(()) => whole.push(pieces),
                        // A layer still being built does not hide the others.
                        Err(SetError::Incomplete { .. }) => {}
                        Err(error) => return Err(refused(error)),
                    }
                }
                if whole.is_empty() {
                    return Err(refused(self.set.empty(None)));
                }
                whole
            }
        };
        let mut found = Vec::new();
        for pieces in layers {
            if per_class {
                found.extend(self.set.stats_by_class(pieces).map_err(refused)?);
            } else {
                found.push(self.set.stats(pieces).map_err(refused)?);
            }
        }
        rows(py, plain(py, &found)?)
    }

    /// The features of the positions of a class: a record for each.
    ///
    /// ```python
    /// >>> tables = mousetrap.Tablebase.open(rules="leiden")
    /// >>> tables.features("C-W")[0]["name"], tables.features("C-W")[0]["values"]
    /// ('closest', ['white', 'black'])
    /// ```
    fn features<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        rows(py, mining::listed(py, class(name)?)?.into_any())
    }

    /// A decision tree that explains a class: C4.5 on all its positions. `features` and `without` are lists
    /// with commas of groups (`table3`, `cones`, `squares`), kinds (`gap`) and names, `criterion` is
    /// `'gain-ratio'` or `'gain'`.
    ///
    /// ```python
    /// >>> tree = mousetrap.Tablebase.open(rules="leiden").mine("C-C", features="table3")
    /// >>> tree.positions, tree.errors
    /// (2352, 0)
    /// ```
    #[pyo3(signature = (name, *, features=None, without=None, max_depth=None, min_leaf=1, prune=false, criterion="gain-ratio"))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn mine(
        &self,
        py: Python<'_>,
        name: &str,
        features: Option<&str>,
        without: Option<&str>,
        max_depth: Option<u32>,
        min_leaf: u64,
        prune: bool,
        criterion: &str,
    ) -> PyResult<DecisionTree> {
        let class = class(name)?;
        let chosen = mining::features(class, features, without)?;
        let options = mining::options(max_depth, min_leaf, criterion)?;
        let (set, stop) = (self.set.clone(), options.stop.clone());
        let work =
            move |_: &(dyn Fn(()) + Sync)| mining::grow(&set, class, chosen, &options, prune);
        let tree = waiting::run(py, work, || stop.store(true, Relaxed), |()| Ok(()))?;
        tree.map_err(|error| failure::probe(&self.set, error))
    }

    /// The candidates for the first question of a tree: for each feature the question that gains most, with
    /// its `gain`, `split_information` and `gain_ratio` in bits.
    ///
    /// ```python
    /// >>> rows = mousetrap.Tablebase.open(rules="leiden").questions("C-C", features="parity")
    /// >>> rows[0]["feature"], 0 <= rows[0]["gain"] <= 1
    /// ('parity', True)
    /// ```
    #[pyo3(signature = (name, *, features=None, without=None))]
    fn questions<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        features: Option<&str>,
        without: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = class(name)?;
        let chosen = mining::features(class, features, without)?;
        let found = py.detach(|| mining::questions(&self.set, class, chosen));
        let found = found.map_err(|error| failure::probe(&self.set, error))?;
        let list = PyList::empty(py);
        for question in found {
            list.append(question.dict(py)?)?;
        }
        rows(py, list.into_any())
    }

    /// Single probes of these positions in a loop in Rust on one thread, this many times: what batches are
    /// measured against.
    #[pyo3(signature = (name, squares, turn=None, rounds=1))]
    fn _probe_one_by_one(
        &self,
        py: Python<'_>,
        name: &str,
        squares: &Bound<'_, PyAny>,
        turn: Option<&Bound<'_, PyAny>>,
        rounds: u32,
    ) -> PyResult<()> {
        let pieces = pieces_as_named(name)?;
        let squares = batch::squares(squares, pieces.len())?;
        let turns = turn.map_or(Ok(vec![Color::White]), batch::turns)?;
        let mut positions = Vec::new();
        for (row, own) in squares.chunks(pieces.len()).enumerate() {
            let turn = turns.get(row).or(turns.first()).copied().unwrap_or(Color::White);
            let placed = own.iter().filter_map(|&at| Square::from_index(at)).zip(pieces.clone());
            positions.push(jungle::Position::from_pieces(placed.collect::<Vec<_>>(), turn));
        }
        let positions: Result<Vec<_>, _> = positions.into_iter().collect();
        let positions = positions.map_err(failure::input)?;
        py.detach(|| {
            for position in (0..rounds).flat_map(|_| &positions) {
                std::hint::black_box(self.set.tablebase().probe(position)?);
            }
            Ok(())
        })
        .map_err(|error| failure::probe(&self.set, error))
    }

    fn __repr__(&self) -> String {
        format!("Tablebase('{}', rules='{}')", self.set.folder().display(), self.set.rules())
    }
}
