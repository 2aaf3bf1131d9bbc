//! Statements: association rules with confidence 1, that is, without exception.
//!
//! A statement says that all positions with one or two properties have the same outcome: "if White's
//! rat and Black's cat are an even number of steps apart and White's margin … is at least 1, White
//! wins". All statements of this form are looked at, not only those a tree happens to contain: one
//! pass over the table counts outcomes for every pair of values of every pair of features, and sums
//! over rectangles of those counts say which conjunctions of two conditions have no exception.
//! Conditions are a value, a value excluded, at most, and at least.
//!
//! Where the race rule decides, the winner is obvious, and statements about such positions are
//! redundant. So if `race` is among the features, its two verdicts are the first two statements, and all
//! others are about the positions where no race decides.
//!
//! Of the many statements found, a few are selected: repeatedly the one that covers the
//! most positions not covered so far.

use jungle::Position;

use crate::data::Dataset;
use crate::feature::Feature;
use crate::population::{Counts, OUTCOMES, plus};

/// A condition on one feature. Values are places in its scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It is in this range, ends included.
    Within {
        /// The feature's place in the list.
        feature: usize,
        /// The lowest value.
        from: u8,
        /// The highest.
        to: u8,
    },
    /// It is not this value.
    Not {
        /// The feature's place in the list.
        feature: usize,
        /// The value.
        value: u8,
    },
}

impl Condition {
    /// Whether it holds for these values of all features.
    #[inline]
    pub fn holds(self, values: &[u8]) -> bool {
        let (Condition::Within { feature, .. } | Condition::Not { feature, .. }) = self;
        self.covers(values[feature])
    }

    /// Whether it holds for a value of its feature.
    #[inline]
    fn covers(self, found: u8) -> bool {
        match self {
            Condition::Within { from, to, .. } => (from..=to).contains(&found),
            Condition::Not { value, .. } => found != value,
        }
    }

    /// What it says in words; of an exclusion, what is excluded.
    pub fn sentence(self, features: &[Feature]) -> String {
        match self {
            Condition::Within { feature, from, to } => features[feature].sentence(from, to),
            Condition::Not { feature, value } => features[feature].sentence(value, value),
        }
    }
}

/// A statement: a rule without exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it takes.
    pub conditions: Vec<Condition>,
    /// Who wins then, as an index into [`OUTCOMES`].
    pub outcome: usize,
    /// How many positions it is about; all were checked.
    pub positions: u64,
    /// How many of them no earlier statement is about.
    pub new: u64,
}

impl Statement {
    /// A sentence that a player could use.
    pub fn sentence(&self, features: &[Feature]) -> String {
        let words = |exclusions: bool| -> Vec<String> {
            let same = |c: &&Condition| matches!(c, Condition::Not { .. }) == exclusions;
            self.conditions.iter().filter(same).map(|c| c.sentence(features)).collect()
        };
        let (conditions, exclusions) = (words(false), words(true));
        let verdict = ["Red, to move, wins", "it is a draw", "Blue wins"][self.outcome];
        let mut sentence = match conditions[..] {
            [] => format!("Always {verdict}"),
            _ => format!("If {}, {verdict}", conditions.join(", and ")),
        };
        if !exclusions.is_empty() {
            sentence.push_str(&format!(", unless {}", exclusions.join(" or ")));
        }
        sentence + "."
    }

    /// The outcome's name.
    pub fn outcome_name(&self) -> &'static str {
        OUTCOMES[self.outcome]
    }

    #[inline]
    fn holds(&self, values: &[u8]) -> bool {
        self.conditions.iter().all(|condition| condition.holds(values))
    }
}

/// The statements found.
#[derive(Clone, Debug)]
pub struct StatementSet {
    /// The statements, in the order in which they were chosen.
    pub statements: Vec<Statement>,
    /// All positions of the class.
    pub positions: u64,
    /// Those that some statement is about.
    pub covered: u64,
}

/// The most candidates that are compared by what they add, for each outcome.
const CANDIDATES: usize = 250;

/// Finds statements and selects the `most` that cover the most.
pub fn find(data: &Dataset, most: usize) -> StatementSet {
    let features = data.features();
    let race = features.iter().position(|feature| feature.name == "race");
    let open = race.map(|feature| Condition::Within { feature, from: 1, to: 1 });
    let (whole, pairs) = count(data, open);
    let mut candidates = Vec::new();
    if let Some(feature) = race {
        for (value, outcome) in [(0, 0), (2, 2)] {
            let conditions = vec![Condition::Within { feature, from: value, to: value }];
            candidates.push(Statement { conditions, outcome, positions: 0, new: 0 });
        }
    }
    let mut found: Vec<Statement> = Vec::new();
    for (at, table) in &pairs {
        found.extend(exact(features, *at, table, open));
    }
    for outcome in 0..3 {
        let mut of: Vec<Statement> =
            found.iter().filter(|s| s.outcome == outcome).cloned().collect();
        // Fewer conditions first where the support is the same.
        of.sort_by_key(|s| (std::cmp::Reverse(s.positions), s.conditions.len()));
        of.truncate(CANDIDATES);
        candidates.extend(of);
    }
    let mut chosen: Vec<Statement> = Vec::new();
    let mut covered = 0;
    while chosen.len() < most {
        let news = news(data, &chosen, &candidates);
        // The verdicts of the race rule come first.
        let dull = chosen.len() < 2 && race.is_some();
        let pool = if dull { chosen.len()..chosen.len() + 1 } else { 0..candidates.len() };
        let best = pool.max_by_key(|&at| (news[at].1, std::cmp::Reverse(at)));
        let Some(best) = best.filter(|&at| news[at].1 > 0 || dull) else { break };
        let mut statement = candidates[best].clone();
        (statement.positions, statement.new) = news[best];
        covered += statement.new;
        chosen.push(statement);
    }
    chosen.retain(|statement| statement.positions > 0);
    StatementSet { statements: chosen, positions: whole, covered }
}

/// For each statement a position that it is about, sampled as the examples of trees are; where there is one, of those that no earlier
/// statement is about.
pub fn examples(data: &Dataset, statements: &[Statement]) -> Vec<Option<Position>> {
    /// The least sampling key so far, after what earlier statements are about, and its position.
    type Drawn = Option<((bool, u64), Position)>;
    let features = data.features();
    let (drawn, _) = data.fold(
        || (vec![None; statements.len()], Vec::new()),
        |(drawn, values): &mut (Vec<Drawn>, Vec<u8>), case| {
            case.values(features, values);
            let mut known = false;
            for (statement, drawn) in statements.iter().zip(drawn) {
                if !statement.holds(values) {
                    continue;
                }
                let key = (known, case.sampling_key());
                if drawn.as_ref().is_none_or(|(least, _)| key < *least) {
                    *drawn = case.position().map(|position| (key, position));
                }
                known = true;
            }
        },
        |(one, values), (other, _)| {
            let lesser = |pair| match pair {
                (Some(a), Some(b)) => Some(if key_of(&b) < key_of(&a) { b } else { a }),
                (a, b) => a.or(b),
            };
            (one.into_iter().zip(other).map(lesser).collect(), values)
        },
    );
    drawn.into_iter().map(|drawn| drawn.map(|(_, position)| position)).collect()
}

fn key_of<T>(drawn: &((bool, u64), T)) -> (bool, u64) {
    drawn.0
}

/// A table of outcomes for each pair of values of two features (or of one, with itself).
type Pairs = Vec<((usize, usize), Vec<Counts>)>;

/// The number of positions, and the counts of those for which `only` holds.
fn count(data: &Dataset, only: Option<Condition>) -> (u64, Pairs) {
    let features = data.features();
    let lens: Vec<usize> = features.iter().map(|feature| feature.scale.len()).collect();
    let mut starts = Vec::new();
    let mut size = 0;
    for one in 0..lens.len() {
        for other in one..lens.len() {
            starts.push(((one, other), size));
            size += lens[one] * lens[other];
        }
    }
    let (whole, counts, _) = data.fold(
        || (0, Vec::new(), Vec::new()),
        |(whole, counts, values): &mut (u64, Vec<Counts>, Vec<u8>), case| {
            *whole += case.weight;
            case.values(features, values);
            if only.is_some_and(|condition| !condition.holds(values)) {
                return;
            }
            if counts.is_empty() {
                counts.resize(size, Counts::default());
            }
            for &((one, other), start) in &starts {
                let place = usize::from(values[one]) * lens[other] + usize::from(values[other]);
                counts[start + place][case.outcome] += case.weight;
            }
        },
        |mut one, mut other| {
            one.0 += other.0;
            if one.1.is_empty() {
                std::mem::swap(&mut one.1, &mut other.1);
            }
            for (sum, counts) in one.1.iter_mut().zip(&other.1) {
                *sum = plus(*sum, *counts);
            }
            one
        },
    );
    if counts.is_empty() {
        return (whole, Vec::new());
    }
    let table = |&((one, other), start): &((usize, usize), usize)| {
        ((one, other), counts[start..start + lens[one] * lens[other]].to_vec())
    };
    (whole, starts.iter().map(table).collect())
}

/// The conditions on a feature: ranges of values, the excluded ones last.
fn conditions(features: &[Feature], feature: usize) -> Vec<Condition> {
    let last = (features[feature].scale.len() - 1) as u8;
    let within = |from: u8, to: u8| Condition::Within { feature, from, to };
    if features[feature].is_nominal() {
        let values = (0..=last).map(|value| within(value, value));
        let others =
            (0..=last).filter(|_| last >= 2).map(|value| Condition::Not { feature, value });
        values.chain(others).collect()
    } else {
        let low = (0..last).map(|to| within(0, to));
        low.chain((1..=last).map(|from| within(from, last))).collect()
    }
}

/// All conjunctions of two conditions on these features without an exception, of those that say the
/// same about fewer positions only one.
fn exact(
    features: &[Feature],
    (one, other): (usize, usize),
    table: &[Counts],
    only: Option<Condition>,
) -> Vec<Statement> {
    let width = features[other].scale.len();
    let sum = |counts: &mut dyn Iterator<Item = Counts>| counts.fold(Counts::default(), plus);
    let mut found = Vec::new();
    let mut keep = |conditions: Vec<Condition>, sum: Counts| {
        let outcomes: Vec<usize> = (0..3).filter(|&outcome| sum[outcome] > 0).collect();
        if let [outcome] = outcomes[..] {
            let conditions = only.into_iter().chain(conditions).collect();
            let positions = sum[outcome];
            found.push(Statement { conditions, outcome, positions, new: 0 });
        }
    };
    for condition in conditions(features, one) {
        let rows = || table.chunks(width).enumerate().filter(|(v, _)| condition.covers(*v as u8));
        let columns: Vec<Counts> =
            (0..width).map(|value| sum(&mut rows().map(|(_, row)| row[value]))).collect();
        if one == other {
            keep(vec![condition], sum(&mut columns.iter().copied()));
            continue;
        }
        for second in conditions(features, other) {
            let kept = columns.iter().enumerate().filter(|(v, _)| second.covers(*v as u8));
            keep(vec![condition, second], sum(&mut kept.map(|(_, counts)| *counts)));
        }
    }
    // The best of each outcome and of each direction of the two conditions.
    let kind = |condition: &Condition| match condition {
        Condition::Within { from: 0, .. } => 0,
        Condition::Within { .. } => 1,
        Condition::Not { .. } => 2,
    };
    let mut best: Vec<Statement> = Vec::new();
    for statement in found {
        let same = |s: &&mut Statement| {
            s.outcome == statement.outcome
                && s.conditions.iter().map(kind).eq(statement.conditions.iter().map(kind))
        };
        match best.iter_mut().find(same) {
            Some(other) if other.positions < statement.positions => *other = statement,
            Some(_) => (),
            None => best.push(statement),
        }
    }
    best
}

/// For each candidate, how many positions it is about, and how many that none of the chosen is.
fn news(data: &Dataset, chosen: &[Statement], candidates: &[Statement]) -> Vec<(u64, u64)> {
    let features = data.features();
    let (news, _) = data.fold(
        || (vec![(0, 0); candidates.len()], Vec::new()),
        |(news, values): &mut (Vec<(u64, u64)>, Vec<u8>), case| {
            case.values(features, values);
            let known = chosen.iter().any(|statement| statement.holds(values));
            for (statement, (all, new)) in candidates.iter().zip(news) {
                if statement.holds(values) {
                    *all += case.weight;
                    *new += if known { 0 } else { case.weight };
                }
            }
        },
        |(one, values), (other, _)| {
            let sum = one.into_iter().zip(other).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect();
            (sum, values)
        },
    );
    news
}
