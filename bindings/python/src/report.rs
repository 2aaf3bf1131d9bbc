//! Scores, lines and analyses as Python objects.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use ::engine::Answer;
use ::game::score::Verdict;
use ::game::truth::Truth;
use jungle::Play;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::plain;
use crate::moves::{Move, Outcome};

/// A score for the player to move: an estimate in hundredths of a unit (`cp`), or a win or
/// loss in a number of plies, or a certain draw.
///
/// ```python
/// >>> position = mousetrap.Position("7/3C3/7/7/7/7/7/7/6r w")
/// >>> score = mousetrap.Engine().analyse(position, depth=3).score
/// >>> score.win, score.cp, str(score)
/// (1, None, 'win in 1')
/// ```
#[pyclass(module = "mousetrap", frozen)]
#[derive(Clone)]
pub struct Score {
    score: ::game::score::Score,
    drawn: bool,
}

impl Score {
    fn verdict(&self) -> Verdict {
        if self.drawn { Verdict::Known(Truth::Draw) } else { self.score.verdict() }
    }
}

#[pymethods]
impl Score {
    /// The estimate; `None` where the truth is known.
    #[getter]
    fn cp(&self) -> Option<i32> {
        match self.verdict() {
            Verdict::Estimate(value) => Some(value),
            Verdict::Known(_) => None,
        }
    }

    /// Won in this many plies.
    #[getter]
    fn win(&self) -> Option<u32> {
        self.score.plies().filter(|_| self.score.is_win())
    }

    /// Lost in this many plies.
    #[getter]
    fn loss(&self) -> Option<u32> {
        self.score.plies().filter(|_| self.score.is_loss())
    }

    /// Whether a draw is certain.
    #[getter]
    fn draw(&self) -> bool {
        self.drawn
    }

    fn __str__(&self) -> String {
        self.verdict().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Score('{}')", self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Score>().is_ok_and(|other| {
            let other = other.get();
            (other.score, other.drawn) == (self.score, self.drawn)
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.__str__(), self.drawn).hash(&mut hasher);
        hasher.finish()
    }

    fn __lt__(&self, other: PyRef<'_, Score>) -> bool {
        self.score < other.score
    }

    fn __le__(&self, other: PyRef<'_, Score>) -> bool {
        self.score <= other.score
    }

    fn __gt__(&self, other: PyRef<'_, Score>) -> bool {
        self.score > other.score
    }

    fn __ge__(&self, other: PyRef<'_, Score>) -> bool {
        self.score >= other.score
    }
}

/// A principal variation with its score.
///
/// ```python
/// >>> line = mousetrap.Engine().analyse(mousetrap.Position(), depth=4).lines[0]
/// >>> line.depth, len(line.moves) > 0, sum(line.chances.values())
/// (4, True, 1000)
/// ```
#[pyclass(module = "mousetrap", frozen)]
#[derive(Clone)]
pub struct Line(pub ::engine::Line);

#[pymethods]
impl Line {
    /// How many plies were searched throughout.
    #[getter]
    fn depth(&self) -> u32 {
        self.0.depth
    }

    /// The selective depth: the most plies searched anywhere.
    #[getter]
    fn seldepth(&self) -> u32 {
        self.0.seldepth
    }

    /// 1 for the best line, 2 for the second best, and so on.
    #[getter]
    fn index(&self) -> usize {
        self.0.index
    }

    /// The score for the player to move.
    #[getter]
    fn score(&self) -> Score {
        Score { score: self.0.score, drawn: self.0.drawn }
    }

    /// `'exact'`, or `'lower'` or `'upper'` where the score is only a bound.
    #[getter]
    fn bound<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.0.bound)
    }

    /// How the game may end, in thousandths: `win`, `draw`, `loss`.
    #[getter]
    fn chances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        Ok(plain(py, &self.0.chances)?.cast_into()?)
    }

    /// The moves.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        self.0.pv.iter().map(|&mv| Move(mv)).collect()
    }

    /// The nodes so far, on all threads.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes
    }

    /// The time so far, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time.as_secs_f64()
    }

    /// How many positions were found in the endgame tables.
    #[getter]
    fn tbhits(&self) -> u64 {
        self.0.tbhits
    }

    fn __repr__(&self) -> String {
        let moves: Vec<String> = self.0.pv.iter().map(ToString::to_string).collect();
        let score = self.score().__str__();
        format!("Line(depth={}, score='{score}', moves='{}')", self.0.depth, moves.join(" "))
    }
}

/// The result of a search: the best move and the best lines.
///
/// ```python
/// >>> analysis = mousetrap.Engine().analyse(mousetrap.Position(), nodes=2000, lines=3)
/// >>> analysis.best in mousetrap.Position().moves(), len(analysis.lines)
/// (True, 3)
/// >>> analysis.nodes
/// 2000
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct Analysis {
    play: Play,
    answer: Answer,
}

impl Analysis {
    /// The result of a search of this game's position.
    pub fn new(play: Play, answer: Answer) -> Analysis {
        Analysis { play, answer }
    }
}

#[pymethods]
impl Analysis {
    /// Everything as plain data: what `mousetrap analyse --json` prints.
    ///
    /// ```python
    /// >>> position = mousetrap.Position("7/3C3/7/7/7/7/7/7/6r w")
    /// >>> data = mousetrap.Engine().analyse(position, depth=3).data()
    /// >>> data["bestmove"], data["score"], data["lines"][0]["san"]
    /// ('d8d9', {'win': 1}, ['Cd9#'])
    /// ```
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        Ok(plain(py, &answers::Analysis::new(&self.play, &self.answer))?.cast_into()?)
    }

    /// The best move found; `None` only if the game is over.
    #[getter]
    fn best(&self) -> Option<Move> {
        self.answer.best.map(Move)
    }

    /// The reply that is expected (the ponder move).
    #[getter]
    fn ponder(&self) -> Option<Move> {
        self.answer.ponder.map(Move)
    }

    /// The best lines, best first.
    #[getter]
    fn lines(&self) -> Vec<Line> {
        self.answer.lines.iter().cloned().map(Line).collect()
    }

    /// The score of the best move for the player who makes it. Of a finished game: a loss, or a draw.
    #[getter]
    fn score(&self) -> Score {
        match self.answer.lines.first() {
            Some(line) => Line(line.clone()).score(),
            None => {
                let truth = self.play.truth().unwrap_or(Truth::Draw);
                Score { score: truth.into(), drawn: truth == Truth::Draw }
            }
        }
    }

    /// How deep the best line was searched.
    #[getter]
    fn depth(&self) -> u32 {
        self.answer.lines.first().map_or(0, |line| line.depth)
    }

    /// The nodes searched, on all threads.
    #[getter]
    fn nodes(&self) -> u64 {
        self.answer.nodes
    }

    /// How long it took, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.answer.time.as_secs_f64()
    }

    /// How the game ended, if it is over.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.answer.ending.map(Outcome)
    }

    fn __repr__(&self) -> String {
        let best = self.answer.best.map_or_else(|| "None".to_owned(), |mv| format!("'{mv}'"));
        let score = self.score().__str__();
        format!("Analysis(best={best}, score='{score}', depth={})", self.depth())
    }
}
