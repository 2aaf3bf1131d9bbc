//! Learning in memory: the plain way, the oracle of [`learn`](crate::learn), and small trees.
//!
//! Positions that no feature tells apart are one *cell*, with the counts of its outcomes. A class of
//! two pieces has a few hundred cells, so that trees can be grown by the thousand. [`grow`] is C4.5 as
//! the textbook has it, recursive, over lists of cells, and shares no code with the streaming learner.
//! [`smallest`] looks for a small tree: it leaves out one feature after the other, under both criteria,
//! as long as the tree does not get worse, and keeps the smallest it meets.

use std::collections::BTreeMap;

use crate::data::Data;
use crate::feature::Feature;
use crate::population::{Counts, minority, plus, total};
use crate::split::Criterion;
use crate::tree::{Question, Tree};

/// All positions, those with the same values taken together.
#[derive(Clone, Debug)]
pub struct Cells {
    features: Vec<Feature>,
    cells: Vec<(Vec<u8>, Counts)>,
}

impl Cells {
    /// Gathers the cells. Memory grows with their number, so this is for small classes.
    pub fn new(data: &Data) -> Cells {
        let features = data.features();
        let cells = data.fold(
            BTreeMap::new,
            |cells: &mut BTreeMap<Vec<u8>, Counts>, case| {
                let mut values = Vec::new();
                case.values(features, &mut values);
                cells.entry(values).or_default()[case.outcome] += case.weight;
            },
            |mut one, other| {
                for (values, counts) in other {
                    let sum = one.entry(values).or_default();
                    *sum = plus(*sum, counts);
                }
                one
            },
        );
        Cells { features: features.to_vec(), cells: cells.into_iter().collect() }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many positions a tree must get wrong with these features, however large it is.
    pub fn inseparable(&self) -> u64 {
        self.cells.iter().map(|(_, counts)| minority(counts)).sum()
    }

    /// The same with only some of the features.
    fn inseparable_with(&self, allowed: &[bool]) -> u64 {
        let mut merged: BTreeMap<Vec<u8>, Counts> = BTreeMap::new();
        for (values, counts) in &self.cells {
            let kept = values.iter().zip(allowed).filter(|(_, allowed)| **allowed);
            let sum = merged.entry(kept.map(|(value, _)| *value).collect()).or_default();
            *sum = plus(*sum, *counts);
        }
        merged.values().map(minority).sum()
    }
}

/// A tree over the allowed features without limits.
pub fn grow(cells: &Cells, allowed: &[bool], criterion: Criterion) -> Tree {
    let rows: Vec<&(Vec<u8>, Counts)> = cells.cells.iter().collect();
    let mut tree = Tree::leaf(&cells.features, sum(&rows));
    descend(cells, allowed, criterion, &rows, &mut tree, 0);
    tree.pruned(|_| true)
}

fn sum(rows: &[&(Vec<u8>, Counts)]) -> Counts {
    rows.iter().fold(Counts::default(), |sum, row| plus(sum, row.1))
}

fn descend(
    cells: &Cells,
    allowed: &[bool],
    criterion: Criterion,
    rows: &[&(Vec<u8>, Counts)],
    tree: &mut Tree,
    node: usize,
) {
    let Some(question) = pick(cells, allowed, criterion, rows) else { return };
    let parts = divide(tree, question, rows);
    let counts: Vec<Counts> = parts.iter().map(|part| sum(part)).collect();
    tree.split(node, question, &counts);
    for (child, part) in tree.children(node).zip(parts) {
        descend(cells, allowed, criterion, &part, tree, child);
    }
}

fn divide<'a>(
    tree: &Tree,
    question: Question,
    rows: &[&'a (Vec<u8>, Counts)],
) -> Vec<Vec<&'a (Vec<u8>, Counts)>> {
    let mut parts = vec![Vec::new(); tree.arity(question)];
    for row in rows {
        parts[question.answer(row.0[question.feature()])].push(*row);
    }
    parts
}

/// The information in shares of a whole, by the definition: the sum of −p log₂ p.
fn information(sizes: &[u64]) -> f64 {
    let whole: u64 = sizes.iter().sum();
    let share = |size: &u64| *size as f64 / whole as f64;
    sizes.iter().filter(|size| **size > 0).map(|size| -share(size) * share(size).log2()).sum()
}

fn pick(
    cells: &Cells,
    allowed: &[bool],
    criterion: Criterion,
    rows: &[&(Vec<u8>, Counts)],
) -> Option<Question> {
    let whole = sum(rows);
    if minority(&whole) == 0 {
        return None;
    }
    let arity = Tree::leaf(&cells.features, whole);
    let rounded = |bits: f64| (bits * 1e9).round() as i64;
    let judge = |question: Question| {
        let parts = divide(&arity, question, rows);
        let filled = parts.iter().filter(|part| !part.is_empty()).count();
        let sizes: Vec<u64> = parts.iter().map(|part| total(&sum(part))).collect();
        let rest: f64 = parts
            .iter()
            .zip(&sizes)
            .filter(|(_, size)| **size > 0)
            .map(|(part, size)| *size as f64 / total(&whole) as f64 * information(&sum(part)))
            .sum();
        (filled >= 2).then(|| (information(&whole) - rest, information(&sizes)))
    };
    let mut candidates: Vec<(Question, f64, f64)> = Vec::new();
    for (feature, described) in cells.features.iter().enumerate() {
        if !allowed[feature] {
            continue;
        }
        if described.is_nominal() {
            let question = Question::Which { feature };
            candidates.extend(judge(question).map(|(gain, info)| (question, gain, info)));
            continue;
        }
        let mut best: Option<(Question, f64, f64)> = None;
        for bound in 0..described.scale.len() as u8 {
            let question = Question::AtMost { feature, bound };
            if let Some((gain, info)) = judge(question)
                && best.is_none_or(|(_, most, _)| rounded(gain) > rounded(most))
            {
                best = Some((question, gain, info));
            }
        }
        candidates.extend(best);
    }
    let average = candidates.iter().map(|c| c.1).sum::<f64>() / candidates.len().max(1) as f64;
    let nothing = candidates.iter().all(|c| rounded(c.1) <= 0);
    let mut best: Option<(Question, (i64, i64))> = None;
    for (question, gain, info) in candidates {
        let worth = match criterion {
            _ if nothing => (rounded(info), 0),
            _ if rounded(gain) <= 0 => continue,
            Criterion::Gain => (rounded(gain), rounded(info)),
            Criterion::GainRatio if rounded(gain) < rounded(average) => continue,
            Criterion::GainRatio => (rounded(gain / info), rounded(gain)),
        };
        if best.is_none_or(|(_, most)| worth > most) {
            best = Some((question, worth));
        }
    }
    best.map(|(question, _)| question)
}

/// A small tree that is wrong only where the features leave no choice.
pub fn smallest(cells: &Cells) -> Tree {
    let least = cells.inseparable();
    let all = vec![true; cells.features.len()];
    let mut best: Option<Tree> = None;
    for criterion in [Criterion::GainRatio, Criterion::Gain] {
        let mut allowed = all.clone();
        let mut tree = grow(cells, &allowed, criterion);
        loop {
            // The one whose absence makes the tree smallest goes; of equals, the last.
            let mut without: Option<(usize, Tree)> = None;
            for feature in (0..allowed.len()).rev().filter(|&feature| allowed[feature]) {
                let mut fewer = allowed.clone();
                fewer[feature] = false;
                if cells.inseparable_with(&fewer) > least {
                    continue;
                }
                let found = grow(cells, &fewer, criterion);
                if without.as_ref().is_none_or(|(_, t)| found.nodes.len() < t.nodes.len()) {
                    without = Some((feature, found));
                }
            }
            let keep_best = |best: &mut Option<Tree>, tree: &Tree| {
                if best.as_ref().is_none_or(|t| tree.nodes.len() < t.nodes.len()) {
                    *best = Some(tree.clone());
                }
            };
            keep_best(&mut best, &tree);
            let Some((feature, found)) = without else { break };
            allowed[feature] = false;
            tree = found;
            keep_best(&mut best, &tree);
        }
    }
    best.expect("there is a tree for every criterion")
}
