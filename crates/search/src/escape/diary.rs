//! Notes on a search, to explain it: candidates, and the root against the global function.

use std::collections::HashMap;
use std::hash::Hash;

use super::{Event, Test, Watch, Weighing};

/// Notes taken during a search.
#[derive(Clone, Debug)]
pub struct Diary<M> {
    /// Paths longer than this are not noted.
    plies: usize,
    spent: u64,
    candidates: Vec<(u64, Test<M>)>,
    escapes: HashMap<Vec<M>, Test<M>>,
    weighings: Vec<Weighing>,
    /// Every how many comparisons one is noted; it doubles when there are too many.
    every: usize,
    seen: usize,
    last: Option<Weighing>,
}

/// More comparisons than this are thinned out.
const MOST_WEIGHINGS: usize = 4096;

impl<M: Copy + Eq + Hash> Diary<M> {
    /// An empty diary, for what happens within this many plies of the root.
    pub fn new(plies: usize) -> Diary<M> {
        Diary {
            plies,
            spent: 0,
            candidates: Vec::new(),
            escapes: HashMap::new(),
            weighings: Vec::new(),
            every: 1,
            seen: 0,
            last: None,
        }
    }

    /// The tests at the root in which another candidate escaped than before, with the budget spent by then.
    pub fn candidates(&self) -> &[(u64, Test<M>)] {
        &self.candidates
    }

    /// The last escape at a node near the root.
    pub fn escape_at(&self, path: &[M]) -> Option<&Test<M>> {
        self.escapes.get(path)
    }

    /// About this many comparisons of the root, evenly spread, the last included.
    pub fn budget(&self, about: usize) -> impl Iterator<Item = &Weighing> {
        let step = self.weighings.len().div_ceil(about.max(1)).max(1);
        self.weighings.iter().step_by(step).chain(&self.last)
    }
}

impl<M: Copy + Eq + Hash> Watch<M> for Diary<M> {
    fn see(&mut self, path: &[M], event: Event<M>) {
        match event {
            Event::Tested(test) if test.escaped && path.len() < self.plies => {
                let is_new = self.candidates.last().is_none_or(|(_, last)| last.best != test.best);
                if path.is_empty() && is_new {
                    self.candidates.push((self.spent, test));
                }
                self.escapes.insert(path.to_vec(), test);
            }
            Event::Visited { .. } => self.spent += 1,
            Event::Weighed(weighing) => {
                self.spent = weighing.spent;
                if self.seen.is_multiple_of(self.every) {
                    self.weighings.push(weighing);
                }
                self.seen += 1;
                self.last = Some(weighing);
                if self.weighings.len() > MOST_WEIGHINGS {
                    let mut at = 0;
                    self.weighings.retain(|_| {
                        at += 1;
                        at % 2 == 1
                    });
                    self.every *= 2;
                }
            }
            _ => {}
        }
    }
}
