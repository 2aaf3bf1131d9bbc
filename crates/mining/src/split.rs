//! The split criterion: Quinlan's gain ratio, or gain alone.
//!
//! From C4.5 (Quinlan 1993). The *gain* of a question is how many bits of the outcome's entropy it
//! takes away; its *split information* is the entropy of the answers themselves, which is large for
//! questions with many answers; the *gain ratio* divides one by the other. Because a lopsided question
//! has next to no split information, only questions whose gain is at least the average gain of all
//! that were looked at compete. Of equal ratios the larger gain wins, then the earlier feature.
//!
//! A numeric feature enters with one bound, that of the largest gain; of equals, the lowest.
//!
//! Two things are not as in C4.5. Bounds pay no penalty for being chosen among many (its release 8):
//! tables are whole populations, not samples. And if no question gains anything while the node is
//! mixed, the one with the most split information is asked anyway, so that a tree without limits
//! is wrong only where the features cannot distinguish positions.

use crate::feature::Feature;
use crate::population::{Counts, plus, total};
use crate::tree::Question;

/// How questions are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Criterion {
    /// C4.5's.
    #[default]
    GainRatio,
    /// ID3's: the gain alone.
    Gain,
}

/// Bits are compared in units of this size, so that equals are equal however they were added up.
const UNIT: f64 = 1e-9;

fn units(bits: f64) -> i64 {
    (bits / UNIT).round() as i64
}

/// A question with what it is worth.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The question.
    pub question: Question,
    /// The children's counts.
    pub counts: Vec<Counts>,
}

/// A question that competes, with what it is worth in bits a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The question.
    pub question: Question,
    /// How much of the outcome's entropy it takes away.
    pub gain: f64,
    /// The entropy of its answers.
    pub information: f64,
}

/// Bits needed to name an outcome, times the number of positions.
pub fn entropy(counts: &[u64]) -> f64 {
    let sum: u64 = counts.iter().sum();
    let term = |&count: &u64| if count == 0 { 0.0 } else { count as f64 * (count as f64).log2() };
    let terms: f64 = counts.iter().map(term).sum();
    if sum == 0 { 0.0 } else { sum as f64 * (sum as f64).log2() - terms }
}

/// One question for each feature that can ask any: the one that gains most. `table` holds for each
/// feature the counts of each value; `min_leaf` is how many positions at least two of the children
/// must have. None if the node is pure.
pub fn candidates(features: &[Feature], table: &[&[Counts]], min_leaf: u64) -> Vec<Candidate> {
    let Some(first) = table.first() else { return Vec::new() };
    let whole = first.iter().fold(Counts::default(), |sum, &c| plus(sum, c));
    if whole.iter().filter(|&&count| count > 0).count() < 2 {
        return Vec::new();
    }
    let size = total(&whole) as f64;
    let before = entropy(&whole);
    let mut candidates = Vec::new();
    for (feature, values) in table.iter().enumerate() {
        let judge = |question: Question, children: &[Counts]| {
            let sizes: Vec<u64> = children.iter().map(total).collect();
            let enough = sizes.iter().filter(|&&size| size > 0 && size >= min_leaf).count() >= 2;
            let after: f64 = children.iter().map(|child| entropy(child)).sum();
            enough.then(|| Candidate {
                question,
                gain: (before - after) / size,
                information: entropy(&sizes) / size,
            })
        };
        if features[feature].is_nominal() {
            candidates.extend(judge(Question::Which { feature }, values));
            continue;
        }
        let mut low = Counts::default();
        let mut best: Option<Candidate> = None;
        for (bound, counts) in values.iter().enumerate() {
            low = plus(low, *counts);
            if total(counts) == 0 {
                continue;
            }
            let high = [whole[0] - low[0], whole[1] - low[1], whole[2] - low[2]];
            let question = Question::AtMost { feature, bound: bound as u8 };
            let found = judge(question, &[low, high]);
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| units(found.gain) > units(best.gain))
            {
                best = Some(found);
            }
        }
        candidates.extend(best);
    }
    candidates
}

/// The best question at a node, among the [`candidates`]. `None` if the node is pure or no feature
/// distinguishes its positions.
pub fn best(
    features: &[Feature],
    table: &[&[Counts]],
    criterion: Criterion,
    min_leaf: u64,
) -> Option<Choice> {
    let candidates = candidates(features, table, min_leaf);
    let chosen = choose(&candidates, criterion)?;
    let values = table[chosen.feature()];
    let counts = match chosen {
        Question::Which { .. } => values.to_vec(),
        Question::AtMost { bound, .. } => {
            let sum = |part: &[Counts]| part.iter().fold(Counts::default(), |s, &c| plus(s, c));
            let (low, high) = values.split_at(usize::from(bound) + 1);
            vec![sum(low), sum(high)]
        }
    };
    Some(Choice { question: chosen, counts })
}

fn choose(candidates: &[Candidate], criterion: Criterion) -> Option<Question> {
    let useful = || candidates.iter().filter(|candidate| units(candidate.gain) > 0);
    let pick = |pool: &mut dyn Iterator<Item = &Candidate>, key: fn(&Candidate) -> (f64, f64)| {
        let mut best: Option<(Question, (i64, i64))> = None;
        for candidate in pool {
            let (first, second) = key(candidate);
            let worth = (units(first), units(second));
            if best.is_none_or(|(_, most)| worth > most) {
                best = Some((candidate.question, worth));
            }
        }
        best.map(|(question, _)| question)
    };
    if useful().next().is_none() {
        return pick(&mut candidates.iter(), |c| (c.information, 0.0));
    }
    match criterion {
        Criterion::Gain => pick(&mut useful(), |c| (c.gain, c.information)),
        Criterion::GainRatio => {
            let average =
                candidates.iter().map(|c| c.gain).sum::<f64>() / candidates.len().max(1) as f64;
            let mut fair = useful().filter(|c| units(c.gain) >= units(average));
            pick(&mut fair, |c| (c.gain / c.information, c.gain))
        }
    }
}
