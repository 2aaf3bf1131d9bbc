//! In-memory induction: textbook C4.5, the oracle of [`learn`](crate::learn), and small trees.
//!
//! Positions with equal features are one *cell*, with the counts of its outcomes. A class of
//! two pieces has a few hundred cells, so that trees can be grown by the thousand. [`grow`] is textbook C4.5,
//! recursive, over lists of cells, and shares no code with the streaming learner.
//! [`smallest`] looks for a small tree: it leaves out one feature after the other, under both
//! criteria, as long as the tree does not get worse, and keeps the smallest it meets.

use std::collections::BTreeMap;

use crate::data::Dataset;
use crate::feature::Feature;
use crate::population::{Counts, minority, plus, total};
use crate::split::{self, Criterion};
use crate::tree::{Question, Tree};

/// All positions, those with the same values taken together.
#[derive(Clone, Debug)]
pub struct Cells {
    features: Vec<Feature>,
    cells: Vec<(Vec<u8>, Counts)>,
}

impl Cells {
    /// Gathers the cells. Memory grows with their number, so this is for small classes.
    pub fn new(data: &Dataset) -> Cells {
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

    /// The same cells seen by some of the features only; those that become equal are merged.
    fn restricted(&self, allowed: &[bool]) -> Cells {
        let keep = |at: &usize| allowed[*at];
        let places: Vec<usize> = (0..self.features.len()).filter(keep).collect();
        let mut merged: BTreeMap<Vec<u8>, Counts> = BTreeMap::new();
        for (values, counts) in &self.cells {
            let sum = merged.entry(places.iter().map(|&at| values[at]).collect()).or_default();
            *sum = plus(*sum, *counts);
        }
        let features = places.iter().map(|&at| self.features[at].clone()).collect();
        Cells { features, cells: merged.into_iter().collect() }
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

/// A small tree that is wrong only where the features leave no choice. Its list of features is that of
/// those it was allowed to use in the end.
pub fn smallest(cells: &Cells) -> Tree {
    let least = cells.inseparable();
    let size = |tree: &Tree| tree.nodes.len();
    let mut best: Option<Tree> = None;
    for criterion in [Criterion::GainRatio, Criterion::Gain] {
        let mut kept = cells.clone();
        let mut tree = quick(&kept, criterion);
        loop {
            if best.as_ref().is_none_or(|best| size(&tree) < size(best)) {
                best = Some(tree.clone());
            }
            // Unused features can go; then the one whose absence makes the tree smallest,
            // of equals the last.
            let used = tree.used();
            let mut without: Option<(Cells, Tree)> = None;
            for &gone in used.iter().rev() {
                let allowed: Vec<bool> =
                    (0..kept.features.len()).map(|at| at != gone && used.contains(&at)).collect();
                let fewer = kept.restricted(&allowed);
                if fewer.inseparable() > least {
                    continue;
                }
                let found = quick(&fewer, criterion);
                if without.as_ref().is_none_or(|(_, tree)| size(&found) < size(tree)) {
                    without = Some((fewer, found));
                }
            }
            let Some((fewer, found)) = without else { break };
            (kept, tree) = (fewer, found);
        }
    }
    best.expect("there is a tree for every criterion")
}

/// The tree of [`grow`] with all features, by counts instead of lists.
fn quick(cells: &Cells, criterion: Criterion) -> Tree {
    let rows: Vec<&(Vec<u8>, Counts)> = cells.cells.iter().collect();
    let mut tree = Tree::leaf(&cells.features, sum(&rows));
    let mut open = vec![(0, rows)];
    while let Some((node, rows)) = open.pop() {
        let mut tables: Vec<Vec<Counts>> = cells
            .features
            .iter()
            .map(|feature| vec![Counts::default(); feature.scale.len()])
            .collect();
        for (values, counts) in &rows {
            for (table, value) in tables.iter_mut().zip(values) {
                let sum = &mut table[usize::from(*value)];
                *sum = plus(*sum, *counts);
            }
        }
        let tables: Vec<&[Counts]> = tables.iter().map(Vec::as_slice).collect();
        if let Some(choice) = split::best(&cells.features, &tables, criterion, 1) {
            let parts = divide(&tree, choice.question, &rows);
            tree.split(node, choice.question, &choice.counts);
            open.extend(tree.children(node).zip(parts));
        }
    }
    tree.pruned(|_| true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::{available, select};
    use tablebase::Material;

    /// Made-up cells, so that no table is needed.
    #[test]
    fn by_counts_and_by_lists_is_the_same() {
        let all = available(&"C-W".parse::<Material>().unwrap().in_order(), false);
        let names: Vec<String> =
            ["closest", "sector_w", "distance_p", "den(C)"].map(str::to_owned).into();
        let features = select(&all, &names).unwrap();
        let mut rng = game::rng::Rng::new(7);
        for size in [1, 2, 5, 20, 100] {
            let mut cells: BTreeMap<Vec<u8>, Counts> = BTreeMap::new();
            for _ in 0..size {
                let values = features.iter().map(|f| rng.below(f.scale.len()) as u8).collect();
                cells.entry(values).or_default()[rng.below(3)] += 1;
            }
            let cells = Cells { features: features.clone(), cells: cells.into_iter().collect() };
            for criterion in [Criterion::GainRatio, Criterion::Gain] {
                let plain = grow(&cells, &[true; 4], criterion);
                assert_eq!(quick(&cells, criterion).nodes, plain.nodes, "{size}");
            }
            assert_eq!(smallest(&cells).errors(), cells.inseparable());
        }
    }
}
