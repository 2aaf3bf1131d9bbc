//! Trees as HTML, a self-contained page: branches fold, and every node shows its counts and a
//! board.
//!
//! Boards are drawn by the page itself from the squares, by a few lines of script, so that a tree of
//! thousands of nodes is still a small file. Without script the positions are there as text.

use std::fmt::Write;

use super::{COLORS, TreeReport, answer_label, counts_label, escape, leaf_label, question_label};
use crate::population::{OUTCOMES, total};
use crate::tree::Tree;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub fn html(report: &TreeReport) -> String {
    let tree = &report.tree;
    let title = format!("{} ({})", report.title, report.rules);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}: a decision tree</title>\n<style>\n{STYLE}</style>\n<h1>{0}</h1>\n\
         <p>Red to move: who wins? {1} positions ({2}). The tree has {3} questions and {4} leaves, \
         and is wrong about {5} positions ({6:.3}% right).</p>\n",
        escape(&title),
        tree.positions(),
        counts_label(&tree.nodes[0].counts),
        tree.questions(),
        tree.leaves().count(),
        tree.errors(),
        report.accuracy()
    );
    out.push_str(
        "<p class=\"legend\"><span class=\"o0\">■ Red wins</span> <span class=\"o1\">■ draw</span> \
         <span class=\"o2\">■ Blue wins</span>. A node shows how its positions divide; point at it or \
         open it to see one of them.</p>\n<p class=\"tools\"><button id=\"open\">open all</button> \
         <button id=\"close\">close all</button></p>\n<main>\n<div id=\"tree\">\n",
    );
    branch(report, tree, 0, None, &mut out);
    out.push_str("</div>\n<figure id=\"board\" aria-live=\"polite\"><div></div><figcaption></figcaption></figure>\n</main>\n");
    if !report.examples.wrong.is_empty() {
        out.push_str("<h2>Positions the tree is wrong about</h2>\n<ul class=\"wrong\">\n");
        for wrong in &report.examples.wrong {
            let _ = writeln!(
                out,
                "<li data-fen=\"{0}\" tabindex=\"0\"><code>{0}</code>: the tree says {1}, the truth is {2}</li>",
                escape(&wrong.position.to_string()),
                OUTCOMES[wrong.claimed],
                OUTCOMES[wrong.truth]
            );
        }
        out.push_str("</ul>\n");
    }
    out.push_str("<h2>What the questions mean</h2>\n<dl>\n");
    for feature in tree.used() {
        let feature = &tree.features[feature];
        let _ =
            writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(&feature.name), escape(&feature.about));
    }
    let _ = write!(out, "</dl>\n<script>\n{SCRIPT}</script>\n</html>\n");
    out
}

fn branch(report: &TreeReport, tree: &Tree, at: usize, answer: Option<&str>, out: &mut String) {
    let node = &tree.nodes[at];
    let example = report.examples.nodes.get(at).and_then(Option::as_ref);
    let fen = example.map_or_else(String::new, |position| {
        format!(" data-fen=\"{}\"", escape(&position.to_string()))
    });
    let answer = answer.map_or_else(String::new, |a| format!("<b>{}</b> ", escape(a)));
    let Some((question, first)) = node.split else {
        let _ = writeln!(
            out,
            "<div class=\"leaf o{}\" tabindex=\"0\"{fen}>{answer}{} {}</div>",
            node.outcome,
            escape(&leaf_label(node)),
            bar(&node.counts)
        );
        return;
    };
    // The first few levels are unfolded at first.
    let open = if node.depth < 3 { " open" } else { "" };
    let feature = &tree.features[question.feature()];
    let _ = writeln!(
        out,
        "<details{open}><summary{fen} title=\"{}\">{answer}<i>{}?</i> <small>{}</small> {}</summary>",
        escape(&feature.about),
        escape(question_label(tree, question)),
        total(&node.counts),
        bar(&node.counts)
    );
    for child in tree.children(at) {
        let answer = answer_label(tree, question, child - first);
        branch(report, tree, child, Some(&answer), out);
    }
    out.push_str("</details>\n");
}

/// How the positions divide, as a bar with the numbers in its title.
fn bar(counts: &[u64; 3]) -> String {
    let size = total(counts).max(1);
    let mut out = format!("<span class=\"bar\" title=\"{}\">", counts_label(counts));
    for (count, color) in counts.iter().zip(COLORS) {
        if *count > 0 {
            let share = 100.0 * *count as f64 / size as f64;
            let _ = write!(out, "<span style=\"width:{share:.1}%;background:{color}\"></span>");
        }
    }
    out.push_str("</span>");
    out
}
