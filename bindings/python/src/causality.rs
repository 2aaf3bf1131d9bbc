//! Splits and cones as plain data.

use jungle::board::DENS;
use jungle::causality::{Causality, Cone, Graph, Movement, Split, Time};
use jungle::{Bitboard, Play, Square};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{board, color_name};
use crate::failure;

fn cut(play: &Play, threshold: u8) -> (Graph, Split) {
    let causality = Causality::new(play.jungle().rules());
    let position = play.position();
    let graph = causality.graph(position, position.turn());
    (graph, causality.split(position, position.turn(), threshold))
}

/// As `mousetrap split --json`.
pub fn split<'py>(py: Python<'py>, play: &Play, threshold: u8) -> PyResult<Bound<'py, PyDict>> {
    let (graph, split) = cut(play, threshold);
    let nodes = graph.nodes();
    let dict = PyDict::new(py);
    dict.set_item("fen", play.position().to_string())?;
    dict.set_item("rules", play.jungle().rules().to_string())?;
    dict.set_item("first", color_name(play.position().turn()))?;
    dict.set_item("threshold", threshold)?;
    let mut pieces = Vec::new();
    for node in nodes {
        let piece = PyDict::new(py);
        piece.set_item("square", node.square.to_string())?;
        piece.set_item("piece", node.piece.letter())?;
        pieces.push(piece);
    }
    dict.set_item("pieces", pieces)?;
    let row = |one| (0..nodes.len()).map(|other| graph.time(one, other).get()).collect::<Vec<_>>();
    dict.set_item("times", (0..nodes.len()).map(row).collect::<Vec<_>>())?;
    let weights: Vec<Option<u8>> = split.tree().map(|edge| edge.weight.get()).collect();
    dict.set_item("tree", weights)?;
    let mut edges = Vec::new();
    for edge in graph.tree() {
        let mut ends = [edge.one, edge.other].map(|at| nodes[at].square.to_string());
        ends.sort();
        let item = PyDict::new(py);
        let [from, to] = ends;
        item.set_item("from", from)?;
        item.set_item("to", to)?;
        item.set_item("plies", edge.weight.get())?;
        item.set_item("cut", edge.weight > split.threshold())?;
        edges.push(item);
    }
    dict.set_item("edges", edges)?;
    dict.set_item("tmax", split.t_max().and_then(Time::get))?;
    let parts: Vec<Vec<String>> = split.parts().iter().map(|part| names(part.pieces)).collect();
    dict.set_item("parts", parts)?;
    let owner = PyDict::new(py);
    for square in Square::ALL {
        owner.set_item(square.to_string(), split.owner(square))?;
    }
    dict.set_item("owner", owner)?;
    let dens = PyDict::new(py);
    for den in DENS {
        let parts = split.parts().iter().enumerate();
        let open: Vec<usize> =
            parts.filter(|(_, part)| part.territory.contains(den)).map(|(at, _)| at).collect();
        dens.set_item(den.to_string(), open)?;
    }
    dict.set_item("dens", dens)?;
    Ok(dict)
}

pub fn split_svg(play: &Play, threshold: u8) -> String {
    let (graph, split) = cut(play, threshold);
    split.picture(play.position(), &graph).to_svg()
}

/// As `mousetrap cone --json`, with arrays for heights.
pub fn cone<'py>(py: Python<'py>, play: &Play, square: Square) -> PyResult<Bound<'py, PyDict>> {
    let piece = play.position().piece_at(square);
    let piece = piece.ok_or_else(|| failure::input(format!("there is no piece on {square}")))?;
    let movement = Movement::of(piece.animal, play.jungle().rules());
    let cone = Cone::project(movement, piece.color, square);
    let heights = |cone: &Cone| board(py, |at| cone.at(at).get().map_or(-1, i16::from));
    let dict = PyDict::new(py);
    dict.set_item("square", square.to_string())?;
    dict.set_item("piece", piece.letter())?;
    dict.set_item("rules", play.jungle().rules().to_string())?;
    dict.set_item("movement", movement.to_string())?;
    dict.set_item("moves", heights(&cone)?)?;
    dict.set_item("a", heights(&cone.a())?)?;
    dict.set_item("b", heights(&cone.b())?)?;
    dict.set_item("svg", cone.picture(piece, square).to_svg())?;
    Ok(dict)
}

/// By file and then by rank.
fn names(squares: Bitboard) -> Vec<String> {
    let mut names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    names.sort();
    names
}
