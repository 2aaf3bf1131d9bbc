//! Trees as text for the terminal.

use std::fmt::Write;

use jungle::picture::Terminal;

use super::{TreeReport, answer_label, counts_label, leaf_label, question_label};
use crate::population::OUTCOMES;
use crate::tree::Tree;

/// The tree as an outline, its figures, and boards for its errors.
pub fn text(report: &TreeReport) -> String {
    let tree = &report.tree;
    let mut out = String::new();
    let _ = writeln!(out, "{} ({}), Red to move: who wins", report.title, report.rules);
    let _ =
        writeln!(out, "{} positions: {}", tree.positions(), counts_label(&tree.nodes[0].counts));
    out.push('\n');
    match tree.nodes[0].split {
        None => {
            let _ = writeln!(out, "{}", leaf_label(&tree.nodes[0]));
        }
        Some((question, _)) => {
            let _ = writeln!(out, "{}", question_label(tree, question));
            outline(tree, 0, "", &mut out);
        }
    }
    out.push('\n');
    let _ = writeln!(
        out,
        "{} questions, {} leaves, depth {}; {} of {} positions wrong ({:.3}% right)",
        tree.questions(),
        tree.leaves().count(),
        tree.depth(),
        tree.errors(),
        tree.positions(),
        report.accuracy()
    );
    let _ = writeln!(
        out,
        "tree {:.0} bytes, exceptions {:.0} bytes{}",
        (report.bits.tree / 8.0).ceil(),
        (report.bits.exceptions / 8.0).ceil(),
        report.table_bytes.map_or_else(String::new, |bytes| format!(
            "; as a table of outcomes, for both sides to move, {bytes} bytes: the tree with \
             exceptions is {:.2} times that",
            report.bits.total() / 8.0 / bytes as f64
        ))
    );
    for wrong in &report.examples.wrong {
        let _ = writeln!(
            out,
            "\nwrong: {}\nthe tree says {}, the truth is {}\n{}",
            wrong.position,
            OUTCOMES[wrong.claimed],
            OUTCOMES[wrong.truth],
            Terminal::of(&wrong.position).colored(false)
        );
    }
    out
}

fn outline(tree: &Tree, node: usize, indent: &str, out: &mut String) {
    let Some((question, first)) = tree.nodes[node].split else { return };
    let children = tree.children(node);
    let last = children.end - 1;
    for child in children {
        let (branch, below) = if child == last { ("└ ", "  ") } else { ("├ ", "│ ") };
        let answer = answer_label(tree, question, child - first);
        match tree.nodes[child].split {
            None => {
                let _ =
                    writeln!(out, "{indent}{branch}{answer}: {}", leaf_label(&tree.nodes[child]));
            }
            Some((next, _)) => {
                let _ = writeln!(out, "{indent}{branch}{answer}: {}", question_label(tree, next));
                outline(tree, child, &format!("{indent}{below}"), out);
            }
        }
    }
}
