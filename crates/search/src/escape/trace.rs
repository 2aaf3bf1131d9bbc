//! A search as a log, line by line.

use std::fmt::Write;

use super::{Event, Judgement, Watch};
use crate::escape::Scale;

/// Writes a log, one line an event; `name` names the nodes.
#[derive(Debug)]
pub struct Trace<F> {
    name: F,
    scale: Scale,
    text: String,
    lines: usize,
    most: usize,
}

impl<F> Trace<F> {
    /// A trace of at most this many lines; `name` names a path from the root, the empty one too.
    pub fn new(scale: Scale, most: usize, name: F) -> Trace<F> {
        Trace { name, scale, text: String::new(), lines: 0, most }
    }

    /// The log.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many events there were, written or not.
    pub fn events(&self) -> usize {
        self.lines
    }
}

impl<M: Copy, F: Fn(&[M]) -> String> Watch<M> for Trace<F> {
    fn see(&mut self, path: &[M], event: Event<M>) {
        self.lines += 1;
        if self.lines > self.most {
            return;
        }
        let node = (self.name)(path);
        let child = |mv: M| (self.name)(&[path, &[mv]].concat());
        let unit = |score| self.scale.unit(score);
        let text = &mut self.text;
        // Writing to a string never fails.
        let _ = match event {
            Event::Expanded { children } => {
                writeln!(text, "expand  {node}: {children} children")
            }
            Event::Visited { mv, score, solved } => {
                let solved = if solved { ", solved" } else { "" };
                writeln!(text, "visit   {}: score {:+.3}{solved}", child(mv), unit(score))
            }
            Event::Tested(test) => {
                let (sign, so) = match test.escaped {
                    true if test.value < test.threshold => ("<", "it escapes: no other is left"),
                    true => ("≥", "it escapes"),
                    false => ("<", "visit another"),
                };
                writeln!(
                    text,
                    "test    {}: {:+.3} {sign} l({:.3}) = {:+.3}, {} of {} visited: {so}",
                    child(test.best),
                    test.value,
                    test.share,
                    test.threshold,
                    test.visited,
                    test.children
                )
            }
            Event::Updated { score, complexity, solved } => {
                let solved = if solved { ", solved" } else { "" };
                writeln!(
                    text,
                    "update  {node}: score {:+.3}, complexity {complexity}{solved}",
                    unit(score)
                )
            }
            Event::Weighed(weighing) => {
                let (sign, so) = match weighing.moves {
                    true => (">", "move"),
                    false => ("≤", "go on"),
                };
                writeln!(
                    text,
                    "weigh   {:+.3} {sign} g({:.4}) = {:+.3}, {} spent: {so}",
                    weighing.value, weighing.share, weighing.threshold, weighing.spent
                )
            }
            Event::Judged(judgement) => writeln!(
                text,
                "judge   {node}: {}",
                match judgement {
                    Judgement::Confirmed => "confirmed",
                    Judgement::Solved => "refuted: solved, nothing more to find",
                    Judgement::Outdone => "refuted: another child of the root is better",
                    Judgement::OutdoneBySibling => "refuted: a sibling is better",
                    Judgement::TimeToMove => "refuted: time to move",
                    Judgement::Spent => "refuted: nothing left to spend",
                }
            ),
            Event::Pruned(pruned) => writeln!(
                text,
                "prune   {} nodes forgotten, {} kept; back to the root",
                pruned.freed, pruned.kept
            ),
        };
    }
}
