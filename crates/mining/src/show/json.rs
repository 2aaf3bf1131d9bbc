//! Trees as JSON.

use serde::Serialize;
use serde_json::{Value, json};

use super::{TreeReport, answer_label, percent};
use crate::population::{Counts, OUTCOMES};
use crate::tree::{Question, Tree};

/// By outcome; the names are a contract with other programs.
#[derive(Serialize)]
struct ByOutcome {
    white: u64,
    draw: u64,
    black: u64,
}

fn by_outcome(counts: &Counts) -> ByOutcome {
    ByOutcome { white: counts[0], draw: counts[1], black: counts[2] }
}

/// The report as one JSON object; the names are a contract with other programs.
pub fn json(report: &TreeReport) -> Value {
    let tree = &report.tree;
    let levels: Vec<Value> = report
        .levels
        .iter()
        .map(|l| json!({ "depth": l.depth, "leaves": l.leaves, "errors": l.errors }))
        .collect();
    let wrong: Vec<Value> = report
        .examples
        .wrong
        .iter()
        .map(|wrong| {
            json!({
                "fen": wrong.position.to_string(),
                "claimed": OUTCOMES[wrong.claimed],
                "truth": OUTCOMES[wrong.truth],
            })
        })
        .collect();
    let features: Vec<Value> = tree
        .features
        .iter()
        .map(|feature| json!({ "name": feature.name, "about": feature.about }))
        .collect();
    json!({
        "class": report.title,
        "rules": report.rules,
        "positions": tree.positions(),
        "counts": by_outcome(&tree.nodes[0].counts),
        "questions": tree.questions(),
        "leaves": tree.leaves().count(),
        "depth": tree.depth(),
        "errors": tree.errors(),
        "accuracy": percent(tree.positions() - tree.errors(), tree.positions()) / 100.0,
        "tree_bits": report.bits.tree,
        "exception_bits": report.bits.exceptions,
        "table_bytes": report.table_bytes,
        "levels": levels,
        "features": features,
        "wrong": wrong,
        "tree": node(report, tree, 0),
    })
}

fn node(report: &TreeReport, tree: &Tree, at: usize) -> Value {
    let node_ = &tree.nodes[at];
    let example = report.examples.nodes.get(at).and_then(Option::as_ref).map(ToString::to_string);
    let counts = by_outcome(&node_.counts);
    let Some((question, first)) = node_.split else {
        return json!({ "outcome": OUTCOMES[node_.outcome], "counts": counts, "example": example });
    };
    let children: Vec<Value> = tree
        .children(at)
        .map(|child| {
            json!({
                "when": answer_label(tree, question, child - first),
                "then": node(report, tree, child),
            })
        })
        .collect();
    let feature = &tree.features[question.feature()];
    let bound = match question {
        Question::Which { .. } => None,
        Question::AtMost { bound, .. } => feature.write(bound).parse::<i64>().ok(),
    };
    json!({
        "feature": feature.name,
        "at_most": bound,
        "counts": counts,
        "example": example,
        "children": children,
    })
}
