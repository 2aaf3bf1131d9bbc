//! Trees as SVG: questions from left to right, leaves in a column of rows.
//!
//! Width and height follow from the texts alone, by an estimate of how wide a letter is, so that the
//! same tree gives the same bytes everywhere. Each node has a bar that shows how its positions divide
//! into won, drawn and lost.

use std::fmt::Write;

use super::{COLORS, TreeReport, answer_label, escape, leaf_label, question_label};
use crate::population::total;
use crate::tree::Tree;

const ROW: f64 = 30.0;
const LETTER: f64 = 7.4;
const MARGIN: f64 = 16.0;
const TITLE: f64 = 44.0;
const BOX: f64 = 22.0;

struct Place {
    x: f64,
    y: f64,
    width: f64,
}

/// The drawing.
pub fn svg(report: &TreeReport) -> String {
    let tree = &report.tree;
    let places = layout(tree);
    let heading = format!(
        "{} ({}), Red to move: {} leaves, {} of {} positions wrong",
        report.title,
        report.rules,
        tree.leaves().count(),
        tree.errors(),
        tree.positions()
    );
    let right = places.iter().map(|place| place.x + place.width).fold(0.0, f64::max);
    let width = right.max(heading.chars().count() as f64 * 8.2) + 2.0 * MARGIN;
    let height = places.iter().map(|place| place.y).fold(0.0, f64::max) + ROW + MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\">\n\
         <title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{MARGIN}\" y=\"26\" font-size=\"14\" font-weight=\"bold\">{0}</text>\n",
        escape(&heading)
    );
    for at in 0..tree.nodes.len() {
        edges(tree, &places, at, &mut out);
    }
    for at in 0..tree.nodes.len() {
        node(tree, &places, at, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

/// A column for each depth, as wide as its widest text; a row for each leaf, in order.
fn layout(tree: &Tree) -> Vec<Place> {
    let text_width = |text: &str| text.chars().count() as f64 * LETTER + 16.0;
    let mut places: Vec<Place> = tree
        .nodes
        .iter()
        .map(|node| {
            let width = match node.split {
                None => text_width(&leaf_label(node)) + 8.0,
                Some((question, _)) => text_width(question_label(tree, question)),
            };
            Place { x: 0.0, y: 0.0, width }
        })
        .collect();
    let depths = tree.depth() as usize + 1;
    let mut columns = vec![0.0_f64; depths];
    let mut answers = vec![0.0_f64; depths + 1];
    for (at, node) in tree.nodes.iter().enumerate() {
        let depth = node.depth as usize;
        if let Some((question, first)) = node.split {
            columns[depth] = columns[depth].max(places[at].width);
            for child in tree.children(at) {
                let wide = text_width(&answer_label(tree, question, child - first)) + 14.0;
                answers[depth + 1] = answers[depth + 1].max(wide);
            }
        }
    }
    let mut starts = vec![MARGIN; depths];
    for depth in 1..depths {
        starts[depth] = starts[depth - 1] + columns[depth - 1] + answers[depth];
    }
    for (place, node) in places.iter_mut().zip(&tree.nodes) {
        place.x = starts[node.depth as usize];
    }
    let mut row = 0.0;
    rows(tree, 0, &mut row, &mut places);
    places
}

fn rows(tree: &Tree, at: usize, row: &mut f64, places: &mut [Place]) {
    let children = tree.children(at);
    if children.is_empty() {
        places[at].y = TITLE + *row * ROW;
        *row += 1.0;
        return;
    }
    let (first, last) = (children.start, children.end - 1);
    for child in children {
        rows(tree, child, row, places);
    }
    places[at].y = f64::midpoint(places[first].y, places[last].y);
}

fn edges(tree: &Tree, places: &[Place], at: usize, out: &mut String) {
    let Some((question, first)) = tree.nodes[at].split else { return };
    let from = &places[at];
    for child in tree.children(at) {
        let to = &places[child];
        let answer = answer_label(tree, question, child - first);
        let wide = answer.chars().count() as f64 * LETTER + 6.0;
        let (x, y) = (from.x + from.width, from.y + BOX / 2.0);
        let end = to.y + BOX / 2.0;
        let bend = (to.x - wide - 4.0).max(x + 4.0);
        let _ = writeln!(
            out,
            "<path d=\"M{x:.1} {y:.1} C{0:.1} {y:.1} {0:.1} {end:.1} {bend:.1} {end:.1} H{1:.1}\" \
             fill=\"none\" stroke=\"#bbb\"/>",
            f64::midpoint(x, bend),
            to.x
        );
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\" fill=\"#333\" \
             paint-order=\"stroke\" stroke=\"#fff\" stroke-width=\"4\">{}</text>",
            to.x - 5.0,
            end + 4.0,
            escape(&answer)
        );
    }
}

fn node(tree: &Tree, places: &[Place], at: usize, out: &mut String) {
    let (node, place) = (&tree.nodes[at], &places[at]);
    let Place { x, y, width } = *place;
    let label = match node.split {
        None => leaf_label(node),
        Some((question, _)) => question_label(tree, question).to_owned(),
    };
    let (fill, stroke) =
        if node.split.is_some() { ("#f4f1e8", "#777") } else { ("#fff", COLORS[node.outcome]) };
    let _ = writeln!(
        out,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BOX}\" rx=\"4\" \
         fill=\"{fill}\" stroke=\"{stroke}\"/>"
    );
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{}\">{}</text>",
        x + 8.0,
        y + 15.0,
        if node.split.is_some() { "#222" } else { COLORS[node.outcome] },
        escape(&label)
    );
    // The bar below: how the positions divide.
    let size = total(&node.counts);
    let mut from = x + 1.0;
    for (count, color) in node.counts.iter().zip(COLORS) {
        if *count > 0 {
            let wide = (width - 2.0) * *count as f64 / size as f64;
            let _ = writeln!(
                out,
                "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"3\" fill=\"{color}\"/>",
                y + BOX - 4.0
            );
            from += wide;
        }
    }
}
