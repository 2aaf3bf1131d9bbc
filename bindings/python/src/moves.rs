//! `Move`, and how games end.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use jungle::{Animal, Ending};
use pyo3::prelude::*;

use crate::convert::{color_name, square};
use crate::failure;

/// A move: which animal goes where, and what it takes there. It prints as coordinates.
///
/// ```python
/// >>> move = mousetrap.Position().parse("Eb3")
/// >>> str(move), move.algebraic, move.animal, move.captured
/// ('a3b3', 'Eb3', 'elephant', None)
/// >>> move in mousetrap.Position().moves()
/// True
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct Move(pub jungle::Move);

fn animal(name: &str) -> PyResult<Animal> {
    let found = Animal::ALL.into_iter().find(|animal| animal.to_string() == name);
    found.ok_or_else(|| failure::input(format!("'{name}' is not an animal")))
}

#[pymethods]
impl Move {
    #[new]
    #[pyo3(signature = (animal, origin, target, captured=None))]
    fn new(animal: &str, origin: &str, target: &str, captured: Option<&str>) -> PyResult<Move> {
        Ok(Move(jungle::Move {
            animal: self::animal(animal)?,
            from: square(origin)?,
            to: square(target)?,
            captured: captured.map(self::animal).transpose()?,
        }))
    }

    /// What moves, as in `'elephant'`.
    #[getter]
    fn animal(&self) -> String {
        self.0.animal.to_string()
    }

    /// Where it stands.
    #[getter]
    fn origin(&self) -> String {
        self.0.from.to_string()
    }

    /// Where it goes.
    #[getter]
    fn target(&self) -> String {
        self.0.to.to_string()
    }

    /// What it takes, if anything.
    #[getter]
    fn captured(&self) -> Option<String> {
        self.0.captured.map(|animal| animal.to_string())
    }

    /// Algebraic notation, as in `'Eb3'` or `'Txb1'`.
    #[getter]
    fn algebraic(&self) -> String {
        self.0.algebraic().to_string()
    }

    /// The mirror image, left to right.
    ///
    /// ```python
    /// >>> str(mousetrap.Position().parse("a3b3").mirror())
    /// 'g3f3'
    /// ```
    fn mirror(&self) -> Move {
        Move(self.0.mirror())
    }

    /// The move with the colours exchanged and the board turned round.
    ///
    /// ```python
    /// >>> str(mousetrap.Position().parse("a3b3").flip())
    /// 'g7f7'
    /// ```
    fn flip(&self) -> Move {
        Move(self.0.flip())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Move>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (Bound<'py, PyAny>, (String, String, String, Option<String>)) {
        let Move(mv) = slf.get();
        let captured = mv.captured.map(|animal| animal.to_string());
        let parts = (mv.animal.to_string(), mv.from.to_string(), mv.to.to_string(), captured);
        (slf.get_type().into_any(), parts)
    }
}

/// How and why a game ended.
///
/// ```python
/// >>> position = mousetrap.Position("3C3/7/7/7/7/7/7/7/6r b")
/// >>> position.outcome()
/// Outcome('Red wins by entering the den')
/// >>> position.outcome().winner, position.outcome().result
/// ('white', '1-0')
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct Outcome(pub Ending);

#[pymethods]
impl Outcome {
    /// `'white'`, `'black'`, or `None` for a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.0.winner.map(color_name)
    }

    /// What ended it, in words that fit after "by".
    #[getter]
    fn reason(&self) -> String {
        self.0.reason.to_string()
    }

    /// As PGN has it: `'1-0'`, `'0-1'` or `'1/2-1/2'`.
    #[getter]
    fn result(&self) -> &'static str {
        jungle::pgn::GameResult::from(Some(self.0)).as_str()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Outcome('{}')", self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Outcome>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}
