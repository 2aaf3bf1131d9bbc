//! The race rule (wins and losses by distance alone) checked against every position of a layer of tables.
//!
//! With a file every class is recorded when it is done, a line each, and not checked again by a later run
//! with the same file.

use std::collections::BTreeMap;
use std::path::Path;

use game::truth::Truth;
use jungle::Position;
use jungle::causality::Races;
use serde::{Deserialize, Serialize};
use tablebase::class::Loader;
use tablebase::verify::{self, RaceReport};
use tablebase::{Material, Set};

use crate::StudyError;
use crate::journal::{self, Damage, Journal};
use crate::statistics::percent;

/// The findings; the names are a contract with other programs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RaceRow {
    /// The class, or `all`.
    pub class: String,
    /// Its positions, both sides to move together.
    pub positions: u64,
    /// Those that are won.
    pub wins: u64,
    /// Those that are lost.
    pub losses: u64,
    /// Claims of the rule.
    pub fired: u64,
    /// Claims that are true.
    pub correct: u64,
    /// Wins that are claimed.
    pub claimed_wins: u64,
    /// Losses that are claimed.
    pub claimed_losses: u64,
    /// Claims with the true distance.
    pub exact: u64,
    /// Claims with a larger one.
    pub upper_bounds: u64,
    /// The longest claim, in plies.
    pub longest: u32,
    /// Claims that are false.
    pub false_claims: u64,
}

impl RaceRow {
    fn new(class: String, report: &RaceReport) -> RaceRow {
        RaceRow {
            class,
            positions: report.positions,
            wins: report.wins,
            losses: report.losses,
            fired: report.claimed() + report.false_claims,
            correct: report.claimed(),
            claimed_wins: report.claimed_wins,
            claimed_losses: report.claimed_losses,
            exact: report.exact,
            upper_bounds: report.claimed() - report.exact,
            longest: report.longest,
            false_claims: report.false_claims,
        }
    }

    /// Both together, under the name of the first.
    fn plus(self, other: &RaceRow) -> RaceRow {
        RaceRow {
            class: self.class,
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            fired: self.fired + other.fired,
            correct: self.correct + other.correct,
            claimed_wins: self.claimed_wins + other.claimed_wins,
            claimed_losses: self.claimed_losses + other.claimed_losses,
            exact: self.exact + other.exact,
            upper_bounds: self.upper_bounds + other.upper_bounds,
            longest: self.longest.max(other.longest),
            false_claims: self.false_claims + other.false_claims,
        }
    }
}

impl RaceRow {
    /// Claims in per cent of positions.
    pub fn share(&self) -> f64 {
        percent(self.fired, self.positions)
    }

    /// Claimed wins in per cent of all, and claimed losses.
    pub fn claimed(&self) -> [f64; 2] {
        [percent(self.claimed_wins, self.wins), percent(self.claimed_losses, self.losses)]
    }
}

/// A false claim: where, what was claimed, and what is true.
pub type FalseClaim = (Position, Truth, Truth);

/// Events on the way.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A class is about to be checked, this one in a number of those that are left.
    Begun {
        /// Its name.
        class: &'a str,
        /// How many have been checked in this run.
        done: usize,
        /// How many are to be.
        of: usize,
    },
    /// A class is done, or was found in the file.
    Done(&'a RaceRow),
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Kept {
    rules: String,
    #[serde(flatten)]
    row: RaceRow,
}

/// The classes that were checked before, and where to record the next ones.
struct Checked {
    journal: Option<Journal>,
    rules: String,
    known: BTreeMap<String, RaceRow>,
}

impl Checked {
    fn open(path: Option<&Path>, rules: String) -> Result<Checked, StudyError> {
        let Some(path) = path else {
            return Ok(Checked { journal: None, rules, known: BTreeMap::new() });
        };
        let kept = journal::read::<Kept>(path, Damage::Refused)?.found;
        if let Some(other) = kept.iter().find(|kept| kept.rules != rules) {
            let what = format!("is about {}, not {rules}", other.rules);
            return Err(StudyError::OtherRun { path: path.to_owned(), what });
        }
        let known = kept.into_iter().map(|kept| (kept.row.class.clone(), kept.row)).collect();
        let (journal, _) = Journal::open::<Kept>(path, Damage::Refused)?;
        Ok(Checked { journal: Some(journal), rules, known })
    }

    fn keep(&mut self, row: &RaceRow) -> Result<(), StudyError> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        journal.append(&Kept { rules: self.rules.clone(), row: row.clone() })
    }
}

/// Checks all classes of this many pieces, on the threads of the current pool; returns the sum of all, and
/// a false claim if one was found now. `watch` says whether to go on.
///
/// # Errors
///
/// If there are no such tables, they cannot be read, or the file cannot be written.
pub fn check_layer(
    set: &Set,
    pieces: u32,
    out: Option<&Path>,
    watch: &mut (dyn FnMut(Event<'_>) -> bool + Send),
) -> Result<(RaceRow, Option<FalseClaim>), StudyError> {
    let mut loader = Loader::new(set.tablebase());
    let rule = Races::new(set.rules());
    let of_size = |class: &Material| class.pieces() == pieces;
    let wanted: Vec<Material> = set.tablebase().classes().filter(of_size).collect();
    if wanted.is_empty() {
        return Err(set.empty(Some(pieces)).into());
    }
    let mut checked = Checked::open(out, set.tablebase().table_rules().to_string())?;
    let is_known = |class: &&Material| checked.known.contains_key(&class.to_string());
    let of = wanted.len() - wanted.iter().filter(is_known).count();
    let mut total = RaceRow { class: "all".to_owned(), ..RaceRow::default() };
    let (mut done, mut example) = (0, None);
    for class in wanted {
        let name = class.to_string();
        if let Some(row) = checked.known.get(&name) {
            go_on(watch(Event::Done(row)))?;
            total = total.plus(row);
            continue;
        }
        go_on(watch(Event::Begun { class: &name, done, of }))?;
        loader.forget_below(pieces - 1);
        let values = loader.load(class).map_err(|error| set.failed(error))?;
        let report = verify::races(&values, &rule);
        drop(values);
        // The class itself will not be needed again.
        loader.forget(class);
        let row = RaceRow::new(name, &report);
        checked.keep(&row)?;
        go_on(watch(Event::Done(&row)))?;
        total = total.plus(&row);
        example = example.or(report.example);
        done += 1;
    }
    Ok((total, example))
}

fn go_on(wanted: bool) -> Result<(), StudyError> {
    if wanted { Ok(()) } else { Err(StudyError::Stopped) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_add_up_under_the_first_name() {
        let row = |class: &str, fired, longest| RaceRow {
            class: class.to_owned(),
            positions: 10,
            fired,
            longest,
            ..RaceRow::default()
        };
        let sum = row("all", 3, 7).plus(&row("E-R", 1, 5));
        assert_eq!((sum.class.as_str(), sum.positions, sum.fired, sum.longest), ("all", 20, 4, 7));
        assert_eq!(sum.share(), 20.0);
    }
}
