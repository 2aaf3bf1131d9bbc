//! Splits and cones.

use std::collections::BTreeMap;
use std::sync::Arc;

use answers::{Cone, Heights, Split, SplitSearch};
use game::limits::Limits;
use jungle::causality::{Causality, Cone as Heat, Movement};
use jungle::{Play, Square};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{board, plain};
use crate::failure;

/// As `mousetrap split --json`.
pub fn split<'py>(
    py: Python<'py>,
    play: &Play,
    threshold: u8,
    depth: Option<u32>,
) -> PyResult<Bound<'py, PyDict>> {
    let (rules, position) = (*play.jungle().rules(), play.position());
    if depth.is_some() && play.ending().is_some() {
        return Err(failure::input("the game is over, so there is nothing to search"));
    }
    let split = py.detach(|| {
        let causality = Arc::new(Causality::new(&rules));
        let split = Split::new(&rules, &causality, position, threshold);
        match depth {
            Some(depth) => {
                let limits = Limits::depth(depth);
                split.searched(SplitSearch::new(rules, causality, position, threshold, &limits))
            }
            None => split,
        }
    });
    Ok(plain(py, &split)?.cast_into()?)
}

pub fn split_svg(play: &Play, threshold: u8) -> String {
    let causality = Causality::new(play.jungle().rules());
    let position = play.position();
    let graph = causality.graph(position, position.turn());
    causality.split(position, position.turn(), threshold).picture(position, &graph).to_svg()
}

/// As `mousetrap cone --json`, with arrays for heights and a picture.
pub fn cone<'py>(py: Python<'py>, play: &Play, square: Square) -> PyResult<Bound<'py, PyDict>> {
    let (rules, position) = (play.jungle().rules(), play.position());
    let cone = Cone::of(rules, position, square).map_err(failure::input)?;
    let heights: BTreeMap<&str, &Heights> =
        [("moves", &cone.moves), ("a", &cone.a), ("b", &cone.b)].into();
    let dict: Bound<'py, PyDict> = plain(py, &cone)?.cast_into()?;
    for (name, heights) in heights {
        dict.set_item(name, array(py, heights)?)?;
    }
    if let Some(piece) = position.piece_at(square) {
        let heat = Heat::project(Movement::of(piece.animal, rules), piece.color, square);
        dict.set_item("svg", heat.picture(piece, square).to_svg())?;
    }
    Ok(dict)
}

/// Heights as a board; -1 for never.
fn array<'py>(py: Python<'py>, heights: &Heights) -> PyResult<Bound<'py, PyArray2<i16>>> {
    let height = |square: Square| heights.get(&square.to_string()).copied().flatten();
    board(py, |square| height(square).map_or(-1, i16::from))
}
