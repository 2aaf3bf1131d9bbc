//! Arrays in and out of batch probes.

use ::game::truth::Truth;
use jungle::Color;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::convert::color;
use crate::failure;

fn as_array<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    given.py().import("numpy")?.call_method1("asarray", (given,))
}

/// All entries of an array of integers of any type and shape, in C order.
pub fn integers(given: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let array = as_array(given)?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "i" | "u" | "b") {
        return Err(failure::input(format!(
            "expected an array of integers, not of type {}",
            array.getattr("dtype")?
        )));
    }
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.cast::<PyArrayDyn<i64>>()?.try_readonly().map_err(failure::input)?;
    Ok(array.as_array().iter().copied().collect())
}

/// As [`integers`], narrowed; a number that does not fit is reported with its row.
fn narrowed<T: TryFrom<i64> + numpy::Element + Copy>(
    given: &Bound<'_, PyAny>,
    width: usize,
    what: &str,
) -> PyResult<Vec<T>> {
    let array = as_array(given)?;
    // The type that is asked for is copied as it is.
    if let Ok(exact) = array.cast::<PyArrayDyn<T>>() {
        let exact = exact.try_readonly().map_err(failure::input)?;
        return Ok(match exact.as_slice() {
            Ok(entries) => entries.to_vec(),
            Err(_) => exact.as_array().iter().copied().collect(),
        });
    }
    let narrow = |(at, number): (usize, i64)| {
        let row = at / width.max(1);
        T::try_from(number)
            .map_err(|_| failure::input(format!("row {row}: {number} is not a {what}")))
    };
    integers(&array)?.into_iter().enumerate().map(narrow).collect()
}

fn shape(given: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    as_array(given)?.getattr("shape")?.extract()
}

/// Squares of positions: shape (n, pieces).
pub fn squares(given: &Bound<'_, PyAny>, pieces: usize) -> PyResult<Vec<u8>> {
    let shape = shape(given)?;
    if shape.len() != 2 || shape[1] != pieces {
        return Err(failure::input(format!(
            "expected an array of shape (n, {pieces}), a square for each piece of the class, not \
             {shape:?}"
        )));
    }
    narrowed(given, pieces, "square")
}

/// Whole boards: shape (n, 63) or (n, 9, 7).
pub fn boards(given: &Bound<'_, PyAny>) -> PyResult<Vec<i8>> {
    let shape = shape(given)?;
    if !matches!(shape[..], [_, 63] | [_, 9, 7]) {
        return Err(failure::input(format!(
            "expected boards of shape (n, 63) or (n, 9, 7), not {shape:?}"
        )));
    }
    narrowed(given, 63, "piece")
}

/// Who is to move: a name for all, or an array with 0 for White and 1 for Black.
pub fn turns(given: &Bound<'_, PyAny>) -> PyResult<Vec<Color>> {
    if let Ok(name) = given.cast::<PyString>() {
        return Ok(vec![color(&name.to_cow()?)?]);
    }
    let turn = |number| match number {
        0 => Ok(Color::White),
        1 => Ok(Color::Black),
        other => Err(failure::input(format!("{other} is not a turn: 0 is White, 1 is Black"))),
    };
    if shape(given)?.len() != 1 {
        return Err(failure::input("turns are an array with one dimension"));
    }
    integers(given)?.into_iter().map(turn).collect()
}

/// The answers as a `mousetrap.Answers`: the outcome (1 win, 0 draw, -1 loss) and the plies, -1 where
/// there are none.
pub fn answers<'py>(
    py: Python<'py>,
    values: &[Truth],
    distances: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let outcome: Vec<i8> = values
        .iter()
        .map(|value| match value {
            Truth::Win(_) => 1,
            Truth::Draw => 0,
            Truth::Loss(_) => -1,
        })
        .collect();
    let plies: Vec<i16> = values
        .iter()
        .map(|value| match *value {
            Truth::Win(plies) | Truth::Loss(plies) if distances => {
                i16::try_from(plies).unwrap_or(i16::MAX)
            }
            _ => -1,
        })
        .collect();
    let (outcome, plies) = (PyArray1::from_vec(py, outcome), PyArray1::from_vec(py, plies));
    py.import("mousetrap.rows")?.getattr("Answers")?.call1((outcome, plies))
}
