//! Notes on a search, to explain it: candidates, the root against the global function, and how the tree grew.

use std::collections::HashMap;
use std::hash::Hash;

use game::score::Score;

use super::{Event, Test, Watch, Weighing};

/// Notes taken during a search.
#[derive(Clone, Debug)]
pub struct Diary<M> {
    /// Paths longer than this are not noted.
    plies: usize,
    spent: u64,
    candidates: Vec<(u64, Test<M>)>,
    escapes: HashMap<Vec<M>, (u64, Test<M>)>,
    lives: HashMap<Vec<M>, Life>,
    /// How many nodes have their lives noted at most.
    most_lives: usize,
    weighings: Vec<Weighing>,
    /// Every how many comparisons one is noted; it doubles when there are too many.
    every: usize,
    seen: usize,
    last: Option<Weighing>,
}

/// What became of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Life {
    /// What had been spent when it was visited.
    pub born: u64,
    /// What had been spent when its children were generated last, if they were.
    pub expanded: Option<u64>,
    /// Its scores, for the player to move there, and what had been spent when it got them.
    pub scores: Vec<(u64, Score)>,
}

/// More scores of a node than this are thinned out.
const MOST_SCORES: usize = 64;

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
            lives: HashMap::new(),
            most_lives: 0,
            weighings: Vec::new(),
            every: 1,
            seen: 0,
            last: None,
        }
    }

    /// The same, noting also how the tree grows, up to this many nodes.
    #[must_use]
    pub fn with_lives(self, most: usize) -> Diary<M> {
        Diary { most_lives: most, ..self }
    }

    /// The tests at the root in which another candidate escaped than before, with the budget spent by then.
    pub fn candidates(&self) -> &[(u64, Test<M>)] {
        &self.candidates
    }

    /// The last escape at a node near the root, with the budget spent by then.
    pub fn escape_at(&self, path: &[M]) -> Option<&(u64, Test<M>)> {
        self.escapes.get(path)
    }

    /// What became of a node near the root, if that was to be noted.
    pub fn life_of(&self, path: &[M]) -> Option<&Life> {
        self.lives.get(path)
    }

    /// The life of a node, if there is room for it.
    fn life(&mut self, path: Vec<M>) -> Option<&mut Life> {
        let is_full = self.lives.len() >= self.most_lives;
        if path.len() > self.plies || is_full && !self.lives.contains_key(&path) {
            return None;
        }
        let born = self.spent;
        Some(self.lives.entry(path).or_insert_with(|| Life { born, ..Life::default() }))
    }

    /// About this many comparisons of the root, evenly spread, the last included.
    pub fn budget(&self, about: usize) -> impl Iterator<Item = &Weighing> {
        let step = self.weighings.len().div_ceil(about.max(1)).max(1);
        self.weighings.iter().step_by(step).chain(&self.last)
    }
}

impl Life {
    fn scored(&mut self, spent: u64, score: Score) {
        if self.scores.last().is_some_and(|&(_, last)| last == score) {
            return;
        }
        self.scores.push((spent, score));
        if self.scores.len() > MOST_SCORES {
            let mut at = 0;
            // The first and the last are kept.
            self.scores.retain(|_| {
                at += 1;
                at % 2 == 1
            });
        }
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
                self.escapes.insert(path.to_vec(), (self.spent, test));
            }
            Event::Expanded { .. } => {
                let spent = self.spent;
                if let Some(life) = self.life(path.to_vec()) {
                    life.expanded = Some(spent);
                }
            }
            Event::Updated { score, .. } => {
                let spent = self.spent;
                if let Some(life) = self.life(path.to_vec()) {
                    life.scored(spent, score);
                }
            }
            Event::Visited { mv, score, .. } => {
                self.spent += 1;
                let spent = self.spent;
                if let Some(life) = self.life([path, &[mv]].concat()) {
                    life.scored(spent, score);
                }
            }
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
