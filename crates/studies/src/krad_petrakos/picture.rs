//! A search as a picture: the tree that grew, from left to right, and the budget curve below it.
//!
//! The wider a line, the more was spent behind it; circles are filled where the player to move at the root
//! has moved, rings where the other has. The best line is drawn dark. Under each move stands its value for
//! the player who made it, and the share of all that was spent.

use std::fmt::Write;

use charts::{Frame, Line, Lines};
use jungle::Move;
use search::escape::{Diary, EscapeAnswer, Grown, Settings};

const COLUMN: f64 = 150.0;
const ROW: f64 = 34.0;
const MARGIN: f64 = 30.0;
const TOP: f64 = 78.0;
const CHART: (u32, u32) = (720, 380);

/// How much of a tree is drawn, and of what budget it was a part.
#[derive(Clone, Copy, Debug)]
pub struct TreePicture {
    /// How many plies.
    pub plies: usize,
    /// How many children of a node, those that took most.
    pub children: usize,
    /// The nodes that were left for the game.
    pub left: u64,
}

/// A node with its place.
struct Placed {
    x: f64,
    y: f64,
    parent: Option<usize>,
    label: String,
    below: String,
    share: f64,
    best: bool,
    solved: bool,
    ply: usize,
}

impl TreePicture {
    /// Draws the tree that a search grew and its budget curve, as SVG.
    pub fn draw(
        &self,
        settings: &Settings,
        answer: &EscapeAnswer<Move>,
        root: Grown<'_, Move>,
        diary: &Diary<Move>,
    ) -> String {
        let nodes = self.place(settings, answer, root);
        let rows = nodes.iter().map(|node| node.y).fold(0.0, f64::max);
        let columns = nodes.iter().map(|node| node.x).fold(0.0, f64::max);
        let width = (columns + COLUMN + MARGIN).max(f64::from(CHART.0) + 2.0 * MARGIN);
        let tree_height = rows + 50.0;
        let height = tree_height + f64::from(CHART.1) + MARGIN;
        let best = answer.best.map_or("none".to_owned(), |mv| mv.to_string());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\" \
         aria-label=\"The tree that a complexity-driven search grew; it chose {best}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"30\" font-size=\"17\" font-weight=\"700\">{best}, {:+.3} after {} nodes: \
         {}</text>\n\
         <text x=\"{MARGIN}\" y=\"50\" fill=\"#555\">local {}, global {}, {} left for the game; {} nodes \
         visited, {} expanded, {} plies deep</text>\n",
            answer.value,
            answer.spent,
            answer.ended.as_str(),
            settings.local,
            settings.global,
            self.left,
            answer.visits,
            answer.expansions,
            answer.deepest,
        );
        // Writing to a string never fails.
        for node in &nodes {
            let Some(parent) = node.parent.map(|parent| &nodes[parent]) else { continue };
            let middle = (parent.x + node.x) / 2.0;
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {:.1}C{middle:.1} {:.1} {middle:.1} {:.1} {:.1} {:.1}\" fill=\"none\" \
             stroke=\"{}\" stroke-width=\"{:.2}\"/>",
                parent.x,
                parent.y,
                parent.y,
                node.y,
                node.x,
                node.y,
                if node.best { "#1f4f8a" } else { "#b9c4cf" },
                1.0 + 9.0 * node.share.sqrt()
            );
        }
        for node in &nodes {
            let own = node.ply % 2 == 1;
            let stroke = if node.best { "#1f4f8a" } else { "#6d7c8a" };
            let fill = if node.solved {
                "#d95f02"
            } else if own {
                stroke
            } else {
                "#ffffff"
            };
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"{fill}\" stroke=\"{stroke}\" \
             stroke-width=\"2\"/>",
                node.x, node.y
            );
            // A white edge keeps letters readable on lines.
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-weight=\"600\" stroke=\"#ffffff\" stroke-width=\"3\" \
             paint-order=\"stroke\">{}<tspan dx=\"5\" font-weight=\"400\" fill=\"#444\">{}</tspan></text>",
                node.x + 9.0,
                node.y - 6.0,
                node.label,
                node.below
            );
        }
        let _ = writeln!(
            svg,
            "<g transform=\"translate({MARGIN} {tree_height:.0})\">{}</g>\n</svg>",
            curve(settings, answer, diary)
        );
        svg
    }

    /// The nodes to show, each below its parent's line, leaves in rows of their own.
    fn place(
        &self,
        settings: &Settings,
        answer: &EscapeAnswer<Move>,
        root: Grown<'_, Move>,
    ) -> Vec<Placed> {
        let mut nodes: Vec<Placed> = Vec::new();
        let mut left = vec![(root, None, 0, true)];
        let mut row = 0.0;
        while let Some((node, parent, ply, best)) = left.pop() {
            let index = nodes.len();
            let value = settings.scale.unit(match node.mv() {
                Some(_) => node.score().deeper(),
                None => node.score(),
            });
            let share = match parent {
                None => 1.0,
                Some(_) => node.complexity() as f64 / answer.spent.max(1) as f64,
            };
            let children = match ply < self.plies {
                true => node.dearest(self.children),
                false => Vec::new(),
            };
            nodes.push(Placed {
                x: MARGIN + COLUMN * ply as f64,
                y: TOP + ROW * row,
                parent,
                label: node.mv().map_or("root".to_owned(), |mv| mv.to_string()),
                below: format!("{value:+.3} · {:.0} %", 100.0 * share),
                share,
                best,
                solved: node.is_solved(),
                ply,
            });
            if children.is_empty() {
                row += 1.0;
            }
            for (at, child) in children.into_iter().enumerate().rev() {
                left.push((child, Some(index), ply + 1, best && at == 0));
            }
        }
        nodes
    }
}

/// The root's value and the global function over what was spent.
fn curve(settings: &Settings, answer: &EscapeAnswer<Move>, diary: &Diary<Move>) -> String {
    let frame = Frame::new("The budget curve")
        .subtitle("the move is made when the root's value exceeds the global escape function")
        .x("share of what is left for the game")
        .y("between −1 and 1")
        .size(CHART.0, CHART.1);
    let weighings: Vec<(f64, f64)> =
        diary.budget(24).map(|weighing| (weighing.share, weighing.value)).collect();
    let last = weighings.last().map_or(1.0, |(share, _)| *share).max(1e-9);
    // A little beyond where it ended, so that the meeting of the two can be seen.
    let shares = (0..=46).map(|step| (last * f64::from(step) / 40.0).min(1.0));
    let global = shares.map(|share| (share, settings.global.at(share)));
    let mut chart = Lines::new(frame).level(0.0);
    chart = chart.line(Line::new(format!("g = {}", settings.global)).points(global));
    chart = chart.line(Line::new("value of the root").points(steps(&weighings)));
    chart.line(Line::new("move").dots().point(last, answer.value)).svg()
}

/// A value holds until it changes.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut all: Vec<(f64, f64)> = Vec::new();
    for &(x, y) in points {
        if let Some(&(_, before)) = all.last().filter(|(_, before)| *before != y) {
            all.push((x, before));
        }
        all.push((x, y));
    }
    all
}
