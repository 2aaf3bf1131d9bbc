//! Trees in the DOT language of Graphviz.

use std::fmt::Write;

use super::{COLORS, TreeReport, answer_label, leaf_label, question_label};

/// The tree in the DOT language: `dot -Tsvg` draws it.
pub fn dot(report: &TreeReport) -> String {
    let tree = &report.tree;
    let mut out = String::new();
    let _ = writeln!(out, "digraph {} {{", quoted(&report.title));
    out.push_str("  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n");
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
    for (at, node) in tree.nodes.iter().enumerate() {
        match node.split {
            None => {
                let color = COLORS[node.outcome];
                let label = quoted(&leaf_label(node));
                let _ =
                    writeln!(out, "  n{at} [label={label}, shape=plain, fontcolor=\"{color}\"];");
            }
            Some((question, first)) => {
                let label = quoted(question_label(tree, question));
                let _ = writeln!(out, "  n{at} [label={label}];");
                for child in tree.children(at) {
                    let answer = quoted(&answer_label(tree, question, child - first));
                    let _ = writeln!(out, "  n{at} -> n{child} [label={answer}];");
                }
            }
        }
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
