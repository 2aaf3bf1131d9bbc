//! Between Python's values and ours.

use jungle::{Color, Rules as Inner, Square};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::failure;
use crate::rules::Rules;

/// A side, as Python names it.
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The side of this name.
pub fn color(name: &str) -> PyResult<Color> {
    match name.to_ascii_lowercase().as_str() {
        "white" | "w" => Ok(Color::White),
        "black" | "b" => Ok(Color::Black),
        _ => Err(failure::input(format!("'{name}' is not a side: expected white or black"))),
    }
}

/// The square of this name.
pub fn square(name: &str) -> PyResult<Square> {
    name.parse().map_err(failure::input)
}

/// Rules as a value or as text; the standard ones if nothing is given.
pub fn rules(given: Option<&Bound<'_, PyAny>>) -> PyResult<Inner> {
    let Some(given) = given else { return Ok(Inner::STANDARD) };
    if let Ok(rules) = given.cast::<Rules>() {
        return Ok(rules.get().0);
    }
    let text = given.cast::<PyString>().map_err(|_| {
        pyo3::exceptions::PyTypeError::new_err("rules are a Rules or their text, as in 'leiden'")
    })?;
    text.to_cow()?.parse().map_err(failure::input)
}

/// The board as an array of ranks, a1 first.
pub fn board<'py, T: numpy::Element + Copy>(
    py: Python<'py>,
    cell: impl Fn(Square) -> T,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let cells: Vec<T> = Square::ALL.into_iter().map(cell).collect();
    numpy::PyArray1::from_vec(py, cells).reshape([9, 7])
}

/// Data that can be written as JSON, as plain Python values in the same order.
pub fn plain<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(failure::outside)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Records as a `mousetrap.Rows`.
pub fn rows<'py>(py: Python<'py>, records: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    py.import("mousetrap.rows")?.getattr("Rows")?.call1((records,))
}
