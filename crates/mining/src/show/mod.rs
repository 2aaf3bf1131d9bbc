//! Renderings of trees: text, SVG, DOT, HTML and JSON.
//!
//! Everything here is a function of a [`TreeReport`], which holds only what was learned: the
//! same report gives the same bytes.

mod dot;
mod html;
mod json;
mod svg;
mod text;

use jungle::Rules;

use crate::cost::Bits;
use crate::examples::Examples;
use crate::learn::Level;
use crate::population::{Counts, OUTCOMES, total};
use crate::tree::{Node, Question, Tree};

pub use self::dot::dot;
pub use self::html::html;
pub use self::json::json;
pub use self::svg::svg;
pub use self::text::text;

/// A tree with its learning curve, examples and description length.
#[derive(Clone, Debug)]
pub struct TreeReport {
    /// The class, or what the tree is for.
    pub title: String,
    /// The rules, by name.
    pub rules: String,
    /// The tree.
    pub tree: Tree,
    /// How it grew.
    pub levels: Vec<Level>,
    /// Positions to look at.
    pub examples: Examples,
    /// What the tree and its exceptions cost.
    pub bits: Bits,
    /// How many bytes the outcomes take as a table file, if that is known.
    pub table_bytes: Option<u64>,
}

impl TreeReport {
    /// How many positions the tree is right about, in percent.
    pub fn accuracy(&self) -> f64 {
        percent(self.tree.positions() - self.tree.errors(), self.tree.positions())
    }
}

/// A share in percent.
pub fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// How rules are named in reports.
pub fn rules_label(rules: &Rules) -> String {
    tablebase::rules_name(rules)
}

/// The question at a node: the feature's name.
fn question_label(tree: &Tree, question: Question) -> &str {
    &tree.features[question.feature()].name
}

/// The answer that leads to a child.
fn answer_label(tree: &Tree, question: Question, child: usize) -> String {
    let feature = &tree.features[question.feature()];
    match question {
        Question::Which { .. } => feature.write(child as u8),
        Question::AtMost { bound, .. } if child == 0 => format!("≤ {}", feature.write(bound)),
        Question::AtMost { bound, .. } => format!("> {}", feature.write(bound)),
    }
}

/// A leaf in words: `white 412`, `draw 30, 2 wrong`.
fn leaf_label(node: &Node) -> String {
    let size = total(&node.counts);
    let wrong = size - node.counts[node.outcome];
    match (size, wrong) {
        (0, _) => format!("{} (no position)", OUTCOMES[node.outcome]),
        (_, 0) => format!("{} {size}", OUTCOMES[node.outcome]),
        _ => format!("{} {size}, {wrong} wrong", OUTCOMES[node.outcome]),
    }
}

/// `779 white, 97 draw, 1476 black`.
fn counts_label(counts: &Counts) -> String {
    let parts: Vec<String> =
        counts.iter().zip(OUTCOMES).map(|(count, name)| format!("{count} {name}")).collect();
    parts.join(", ")
}

/// Text for SVG and HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The colours of the outcomes, distinguishable without colour vision: red, grey, blue by lightness.
const COLORS: [&str; 3] = ["#c0392b", "#8a8a8a", "#1f4e9c"];
