//! `Game`: records, in and out of PGN.

use jungle::Play;
use jungle::pgn::{self, GameRecord, Line, Node};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::failure;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;

/// A game record: tags, moves, comments and variations. From a position, the game that led to it.
///
/// ```python
/// >>> position = mousetrap.Position()
/// >>> _ = position.push("Ea4"), position.push("ra6")
/// >>> game = mousetrap.Game(position, tags={"White": "Ann"})
/// >>> game.pgn().splitlines()[-1]
/// '1. Ea4 Ra6 *'
/// >>> mousetrap.Game.from_pgn(game.pgn()) == game
/// True
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct Game {
    record: GameRecord,
}

impl Game {
    fn play(&self) -> PyResult<Play> {
        self.record.play().map_err(failure::illegal)
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (position=None, tags=None))]
    fn new(
        position: Option<PyRef<'_, Position>>,
        tags: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Game> {
        let play = position.map_or_else(
            || Play::start(jungle::Jungle::new(jungle::Rules::STANDARD)),
            |position| position.play.clone(),
        );
        let mut record = GameRecord::from_play(&play);
        for (name, value) in tags.into_iter().flatten() {
            let (name, value) = (name.str()?, value.str()?);
            record.tags.set(&name.to_cow()?, &value.to_cow()?).map_err(failure::input)?;
        }
        Ok(Game { record })
    }

    /// The first game of a text; `read_pgn` has all of them.
    ///
    /// ```python
    /// >>> mousetrap.Game.from_pgn("1. Ea4 ra6 2. Ea5?? rxa5 0-1").result
    /// '0-1'
    /// ```
    #[staticmethod]
    fn from_pgn(text: &str) -> PyResult<Game> {
        match pgn::read(text).next() {
            Some(Ok(record)) => Ok(Game { record }),
            Some(Err(error)) => Err(failure::input(error)),
            None => Err(failure::input("there is no game in the text")),
        }
    }

    /// The game as PGN, a line break at its end.
    ///
    /// ```python
    /// >>> print(mousetrap.Game().pgn().splitlines()[-1])
    /// *
    /// ```
    fn pgn(&self) -> String {
        self.record.to_string()
    }

    /// The tags, as far as they are known.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in self.record.tags.iter() {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// The value of one tag.
    ///
    /// ```python
    /// >>> mousetrap.Game(tags={"Event": "Tea"}).tag("Event")
    /// 'Tea'
    /// ```
    fn tag(&self, name: &str) -> PyResult<&str> {
        self.record.tags.get(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    /// The rules in force.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.record.rules)
    }

    /// The main line.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        self.record.line.moves.iter().map(|node| Move(node.mv)).collect()
    }

    /// How it ended, as PGN has it; `'*'` if it goes on or is unknown.
    #[getter]
    fn result(&self) -> &'static str {
        self.record.result.as_str()
    }

    /// The position after this many moves of the main line; after all of them by default. Its history
    /// comes with it.
    ///
    /// ```python
    /// >>> game = mousetrap.Game.from_pgn("1. Ea4 ra6 *")
    /// >>> game.position(1).turn, game.position().turn
    /// ('black', 'white')
    /// ```
    #[pyo3(signature = (ply=None))]
    fn position(&self, ply: Option<usize>) -> PyResult<Position> {
        let mut play = self.play()?;
        let plies = play.moves().len();
        let wanted = ply.unwrap_or(plies);
        if wanted > plies {
            return Err(PyIndexError::new_err(format!("the game has {plies} plies")));
        }
        for _ in wanted..plies {
            play.undo();
        }
        Ok(Position::of(play))
    }

    /// The main line with comments, annotations and variations, as plain data: a dictionary for each move.
    ///
    /// ```python
    /// >>> game = mousetrap.Game.from_pgn("1. Ea4 {bold} (1. Eb3 $1) 1... ra6 *")
    /// >>> game.nodes()[0]["comments"], game.nodes()[0]["variations"][0][0]["nags"]
    /// (['bold'], [1])
    /// ```
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        line(py, &self.record.line)
    }

    fn __len__(&self) -> usize {
        self.record.line.moves.len()
    }

    fn __str__(&self) -> String {
        self.pgn()
    }

    fn __repr__(&self) -> String {
        let name = |tag| self.record.tags.get(tag).unwrap_or("?");
        format!(
            "Game('{} - {}, {} plies, {}')",
            name("White"),
            name("Black"),
            self.record.line.moves.len(),
            self.record.result
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| other.get().record == self.record)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_pgn")?, (slf.get().pgn(),)))
    }
}

fn line<'py>(py: Python<'py>, line: &Line) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for moved in &line.moves {
        list.append(node(py, moved)?)?;
    }
    Ok(list)
}

fn node<'py>(py: Python<'py>, node: &Node) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("move", Move(node.mv))?;
    let nags: Vec<u16> = node.nags.iter().copied().map(u16::from).collect();
    dict.set_item("nags", nags)?;
    let comments: Vec<&str> = node.comments.iter().map(pgn::Comment::as_str).collect();
    dict.set_item("comments", comments)?;
    let variations = PyList::empty(py);
    // As deep as the reader allows, and no deeper.
    for variation in &node.variations {
        variations.append(line(py, variation)?)?;
    }
    dict.set_item("variations", variations)?;
    Ok(dict)
}

/// All games of a PGN text.
///
/// ```python
/// >>> len(mousetrap.read_pgn("1. Ea4 ra6 *  1. Eb3 1-0"))
/// 2
/// ```
#[pyfunction]
#[pyo3(signature = (text))]
pub fn read_pgn(text: &str) -> PyResult<Vec<Game>> {
    let games = pgn::read(text).map(|record| record.map(|record| Game { record }));
    games.collect::<Result<_, _>>().map_err(failure::input)
}
