//! The champion's clock: a stopping rule fitted to regret.
//!
//! Positions of games, each searched far longer than in a game, tell after every depth what stopping there would
//! have given away ([`sample`]). A model of what going on saves, with the signs that a search gives, is a rule to stop by
//! ([`engine::StoppingRule`], [`fit`]). Rules are compared on games that had no part in fitting them, at
//! equal nodes a move on average ([`replay`]): the usual ones; some that see only a part of the signs, among them the
//! score alone, which is what an escape function sees; and one that knows the regret, which no rule can beat.

pub mod fit;
pub mod replay;
pub mod sample;

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

use charts::{Frame, Line, Lines};
use clap::Args;
use engine::{Signs, StoppingRule};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::fit::{LAST_PART, LEAST_NODES};
use self::replay::Policy;
use self::sample::{Collecting, Game, Sample};
use crate::journal::{Damage, Journal};
use crate::statistics::INTERVAL;
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

/// The champion's clock.
pub struct Clock;

/// Which positions are searched, and for how long.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many games to take positions from
    #[arg(long, value_name = "N", default_value_t = 90,
          value_parser = clap::value_parser!(u64).range(2..))]
    pub games: u64,
    /// The nodes of the search that judges moves
    #[arg(long, value_name = "N", default_value_t = 200_000,
          value_parser = clap::value_parser!(u64).range(10_000..))]
    pub nodes: u64,
    /// The nodes of a move of the games
    #[arg(long, value_name = "N", default_value_t = 2000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub game_nodes: u64,
    /// Every how many plies to take a position
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u16).range(1..))]
    pub every: u16,
    /// The seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many games to play at a time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
}

impl Default for Params {
    fn default() -> Params {
        Params { games: 90, nodes: 200_000, game_nodes: 2000, every: 10, seed: 1, concurrency: 1 }
    }
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    positions: usize,
    depths: usize,
    /// The rules that were fitted, the one in use last.
    rules: Vec<Fitted>,
    /// What every rule gave away at every share.
    rows: Vec<Row>,
    /// The factor of the rule in use on a clock, where it spends what the usual rule does.
    clock_factor: f64,
    /// Regret by the nodes spent, for best moves that are new, a little steady, and steady.
    #[serde(skip)]
    curves: Vec<Curve>,
}

/// A class of best moves, and points of it: nodes, regret, half its 95 % interval.
type Curve = (&'static str, Vec<(f64, f64, f64)>);

/// A rule.
#[derive(Clone, Debug, Serialize)]
pub struct Fitted {
    name: &'static str,
    weights: [f64; Signs::FEATURES],
    decay: f64,
    centre: f64,
    /// The factor with which moves take their share on average.
    factor: f64,
}

/// What a rule gave away; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    rule: &'static str,
    /// A move's share.
    share: f64,
    /// The nodes that it took on average.
    nodes: f64,
    /// What a move gave away on average, in hundredths of a point.
    regret: f64,
    /// How much less that is than under the fixed share, with half the 95 % interval.
    saved: f64,
    error: f64,
}

/// What each fitted rule sees.
const RULES: [(&str, &[usize]); 6] = [
    ("nothing", &[0]),
    ("score", &[0, 8]),
    ("instability", &[0, 1, 2, 3]),
    ("instability and trend", &[0, 1, 2, 3, 4, 5]),
    ("gap and effort", &[0, 6, 7]),
    ("all signs", &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
];

/// The shares at which rules are compared, as parts of the judging search.
const SHARES: [u64; 3] = [128, 48, 16];
/// Where the usual rule stops on a clock, as a multiple of the share.
const USUAL: f64 = 0.7;

impl Study for Clock {
    const NAME: &'static str = "bench-clock";
    const TITLE: &'static str = "The champion's clock: a stopping rule fitted to regret";
    const ABOUT: &'static str = "The champion's clock: a stopping rule fitted to regret";
    const TAKES: &'static str = "a quarter of an hour";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        let games = collect(params, context)?;
        let samples: Vec<(u64, &Sample)> = games
            .iter()
            .flat_map(|game| game.samples.iter().map(|sample| (game.number, sample)))
            .collect();
        Ok(Some(Results::of(&samples, params.nodes)))
    }

    fn render(params: &Params, results: &Results) -> String {
        let mut text = format!(
            "{} positions of {} games, {} depths; judged with {} nodes\n\nweights of the rules\n{:<24}",
            results.positions, params.games, results.depths, params.nodes, ""
        );
        let list = &results.rules;
        // Writing to a string never fails.
        for rule in list {
            let _ = write!(text, "{:>23}", rule.name);
        }
        for (at, name) in Signs::NAMES.iter().enumerate() {
            let _ = write!(text, "\n  {name:<22}");
            for rule in list {
                let _ = write!(text, "{:>23.4}", rule.weights[at]);
            }
        }
        let _ = write!(text, "\n  {:<22}", "decay");
        for rule in list {
            let _ = write!(text, "{:>23.4}", rule.decay);
        }
        let _ = write!(text, "\n  {:<22}", "centre");
        for rule in list {
            let _ = write!(text, "{:>23.4}", rule.centre);
        }
        let _ = write!(text, "\n  {:<22}", "factor");
        for rule in list {
            let _ = write!(text, "{:>23.4}", rule.factor);
        }
        let _ = writeln!(text, "\n  {:<22}{:.4}", "on a clock, times", results.clock_factor);
        let _ = writeln!(
            text,
            "\nregret in hundredths of a point, at equal nodes a move\n  {:<24}{:>9}{:>9}{:>9}{:>18}",
            "rule", "share", "nodes", "regret", "saved"
        );
        for Row { rule, share, nodes, regret, saved, error } in &results.rows {
            let _ = writeln!(
                text,
                "  {rule:<24}{share:>9.0}{nodes:>9.0}{regret:>9.3}{saved:>+10.3} ± {error:.3}"
            );
        }
        text
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        each(&results.rows)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        draft
            .seed(params.seed)
            .rules("standard")
            .parameter("games", params.games)
            .parameter("nodes", params.nodes)
            .parameter("game-nodes", params.game_nodes)
            .parameter("every", params.every)
            .note("a rule's nodes are equal on average on the games its factor was found on, and nearly so on the others, where it is tested")
            .note("a depth that is broken off counts for nothing here; in play its best move so far counts, which favours the fixed share")
            .results(results)
            .table("rules", "Weights of the rules", results.weights())
            .table("replay", "What every rule gave away", results.replay())
            .chart("regret", "Regret by the nodes spent", results.regret_chart())
            .chart("rules", "What rules gave away at equal nodes", results.rules_chart())
    }
}

/// The games that are not on file, and those that are.
fn collect(params: &Params, context: &mut Context<'_>) -> Result<Vec<Game>, StudyError> {
    let Params { games, nodes, game_nodes, every, seed, concurrency } = *params;
    let collecting = Collecting { nodes, game_nodes, every: every.into(), seed };
    let (mut journal, mut known) = (None, Vec::new());
    if let Some(folder) = &context.folder {
        let path = folder.join("positions.jsonl");
        let (opened, found) = Journal::open::<Game>(&path, Damage::PassedOver)?;
        journal = Some(opened);
        known = found;
        known.retain(|game| collecting.made(game) && game.number < games);
    }
    known.sort_by_key(|game| game.number);
    known.dedup_by_key(|game| game.number);
    let has = |number: &u64| known.binary_search_by_key(number, |game| game.number).is_ok();
    let missing: Vec<u64> = (0..games).filter(|number| !has(number)).collect();
    context.progress.begin("games", Some(missing.len() as u64));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(concurrency.into())
        .build()
        .map_err(|error| StudyError::resources("starting threads", error))?;
    let stop = context.stop.clone();
    let shared = Mutex::new((journal, &mut *context));
    let one = |number: u64| -> Result<Game, StudyError> {
        if stop.load(Relaxed) {
            return Err(StudyError::Stopped);
        }
        let game = collecting
            .game(number)
            .map_err(|error| StudyError::resources("making an engine", error))?;
        let mut shared = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (journal, context) = &mut *shared;
        if let Some(journal) = journal {
            journal.append(&game)?;
        }
        context.advance()?;
        Ok(game)
    };
    let new: Result<Vec<Game>, StudyError> =
        pool.install(|| missing.into_par_iter().map(one).collect());
    known.extend(new?);
    known.sort_by_key(|game| game.number);
    context.progress.end();
    Ok(known)
}

impl Results {
    /// Fits and compares; samples with the numbers of their games.
    fn of(samples: &[(u64, &Sample)], nodes: u64) -> Results {
        let all: Vec<&Sample> = samples.iter().map(|(_, sample)| *sample).collect();
        let half = |parity: u64| -> Vec<&Sample> {
            let own = samples.iter().filter(|(game, _)| game % 2 == parity);
            own.map(|(_, sample)| *sample).collect()
        };
        let halves = [half(0), half(1)];
        let shares = SHARES.map(|part| nodes as f64 / part as f64);
        let mut rows = Vec::new();
        for share in shares {
            let mut compare = |name: &'static str, policy: &dyn Fn(&[&Sample]) -> Policy| {
                let (mut regrets, mut spent) = (Vec::new(), 0.0);
                for (train, test) in [(0, 1), (1, 0)] {
                    let policy = policy(&halves[train]);
                    let factor = match policy {
                        // It has no factor: it spends what it must.
                        Policy::Oracle => 1.0,
                        _ => policy.factor(&halves[train], share, share),
                    };
                    spent +=
                        policy.mean(&halves[test], share, factor).nodes * halves[test].len() as f64;
                    regrets.extend(policy.regrets(&halves[test], share, factor));
                }
                rows.push((name, share, spent / all.len().max(1) as f64, regrets));
            };
            compare("fixed share", &|_| Policy::Fixed);
            compare("usual", &|_| Policy::Usual);
            for (name, features) in RULES {
                compare(name, &|train| Policy::Fitted(fit::fit(train, nodes, features)));
            }
            compare("oracle", &|_| Policy::Oracle);
        }
        let mut rules: Vec<Fitted> = Vec::new();
        let mut clock_factor = 1.0;
        for (name, features) in RULES {
            let rule = fit::fit(&all, nodes, features);
            let policy = Policy::Fitted(rule);
            let mean = |of: &dyn Fn(f64) -> f64| {
                (shares.iter().map(|&share| of(share).ln()).sum::<f64>() / shares.len() as f64)
                    .exp()
            };
            let factor = mean(&|share| policy.factor(&all, share, share));
            clock_factor = mean(&|share| {
                let usual = Policy::Usual.mean(&all, share, USUAL).nodes;
                policy.factor(&all, share, usual)
            }) / factor;
            let StoppingRule { weights, decay, centre, .. } = rule;
            rules.push(Fitted { name, weights, decay, centre, factor });
        }
        Results {
            positions: all.len(),
            depths: all.iter().map(|sample| sample.depths.len()).sum(),
            rules,
            rows: compared(rows),
            clock_factor,
            curves: curves(&all, nodes),
        }
    }

    fn weights(&self) -> Table {
        let mut columns = vec!["rule"];
        columns.extend(Signs::NAMES);
        columns.extend(["decay", "centre", "factor"]);
        let mut table = Table::new(columns);
        for Fitted { name, weights, decay, centre, factor } in &self.rules {
            let mut row = vec![(*name).to_owned()];
            row.extend(
                weights.iter().chain([decay, centre, factor]).map(|number| format!("{number:.4}")),
            );
            table.row(row);
        }
        table
    }

    fn replay(&self) -> Table {
        let mut table = Table::new(["rule", "share", "nodes", "regret", "saved", "error"]);
        for Row { rule, share, nodes, regret, saved, error } in &self.rows {
            table.row([
                (*rule).to_owned(),
                format!("{share:.0}"),
                format!("{nodes:.0}"),
                format!("{regret:.4}"),
                format!("{saved:.4}"),
                format!("{error:.4}"),
            ]);
        }
        table
    }

    fn regret_chart(&self) -> String {
        let frame = Frame::new("What stopping after so many nodes gave away")
            .subtitle("mean regret of the best move by then, with 95 % intervals")
            .x("nodes")
            .y("hundredths of a point");
        let mut chart = Lines::new(frame).log_x().y_from_zero();
        for (name, points) in &self.curves {
            let mut line = Line::new(*name);
            for (nodes, regret, error) in points {
                line = line.point_between(*nodes, *regret, regret - error, regret + error);
            }
            chart = chart.line(line);
        }
        chart.svg()
    }

    fn rules_chart(&self) -> String {
        let frame = Frame::new("What rules gave away, at equal nodes a move on average")
            .subtitle("mean regret on games that had no part in fitting the rule")
            .x("nodes a move")
            .y("hundredths of a point");
        let mut chart = Lines::new(frame).log_x().y_from_zero();
        let names = self.rows.iter().map(|row| row.rule);
        let mut shown: Vec<&str> = Vec::new();
        for name in names {
            if shown.contains(&name) {
                continue;
            }
            shown.push(name);
            let own = self.rows.iter().filter(|row| row.rule == name);
            chart = chart.line(Line::new(name).points(own.map(|row| (row.share, row.regret))));
        }
        chart.svg()
    }
}

/// Rows from regrets, each compared with the fixed share's at the same share, position by position.
fn compared(found: Vec<(&'static str, f64, f64, Vec<f64>)>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut fixed: &[f64] = &[];
    for (rule, share, nodes, regrets) in &found {
        if *rule == "fixed share" {
            fixed = regrets;
        }
        let saved: Vec<f64> =
            fixed.iter().zip(regrets).map(|(fixed, own)| 100.0 * (fixed - own)).collect();
        let (saved, error) = mean(&saved);
        let regret = 100.0 * mean(regrets).0;
        rows.push(Row { rule, share: *share, nodes: *nodes, regret, saved, error });
    }
    rows
}

/// The mean and half its 95 % interval.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count;
    (mean, INTERVAL * (variance / count).sqrt())
}

/// Regret by nodes, in bins that double, for best moves by how long they have been the best.
fn curves(samples: &[&Sample], nodes: u64) -> Vec<Curve> {
    let classes: [(&str, std::ops::RangeInclusive<u32>); 4] = [
        ("a new best move", 0..=0),
        ("the same for one or two depths", 1..=2),
        ("for three to five", 3..=5),
        ("for six or more", 6..=u32::MAX),
    ];
    let of = |steady: &std::ops::RangeInclusive<u32>| {
        let mut points = Vec::new();
        let mut low = LEAST_NODES;
        while low <= nodes / LAST_PART {
            let regrets: Vec<f64> = samples
                .iter()
                .flat_map(|sample| &sample.depths)
                .filter(|depth| {
                    (low..2 * low).contains(&depth.nodes) && steady.contains(&depth.steady)
                })
                .map(|depth| 100.0 * depth.regret)
                .collect();
            // A mean over few says little.
            if regrets.len() >= 20 {
                let (regret, error) = mean(&regrets);
                points.push((1.4 * low as f64, regret, error));
            }
            low *= 2;
        }
        points
    };
    classes.iter().map(|(name, steady)| (*name, of(steady))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_run_fits_rules_that_spend_their_share() {
        let params = Params { games: 4, nodes: 20_000, game_nodes: 200, ..Params::default() };
        let folder = tempfile::tempdir().unwrap();
        let mut context = Context { folder: Some(folder.path().to_owned()), ..Context::default() };
        let results = Clock::run(&params, &mut context).unwrap().unwrap();
        assert_eq!(results.rows.len(), SHARES.len() * (RULES.len() + 3));
        assert!(results.positions > 20 && results.depths > 5 * results.positions);
        // Equal nodes, but for the difference between the halves; a rule that knows the regret gives away least.
        for row in results.rows.iter().filter(|row| row.rule != "oracle") {
            assert!((0.4..2.5).contains(&(row.nodes / row.share)), "{row:?}");
            let oracle = |other: &&Row| other.rule == "oracle" && other.share == row.share;
            assert!(results.rows.iter().find(oracle).unwrap().regret <= row.regret + 1e-9);
        }
        let text = Clock::render(&params, &results);
        assert!(text.contains("all signs") && text.contains("effort on others"));
        // What is on file is not played again.
        let lines = || std::fs::read_to_string(folder.path().join("positions.jsonl")).unwrap();
        let before = lines();
        assert_eq!(before.lines().count(), 4);
        let again = Clock::run(&params, &mut context).unwrap().unwrap();
        assert_eq!((lines(), again.positions), (before, results.positions));
    }
}
