//! Which way of filling in what Burnett's thesis leaves open fits its figures best, with a likelihood for each.
//!
//! A [`Combination`] of switches is played in the matches of Figure 19 and of Figures 22 and 23, at nodes in the ratio
//! of the published times, and the published counts are given the probability that they have after ours
//! (`predict.rs`): games won, drawn and lost (Figures 19 and 22), games by the share of *all* positions that were cut
//! (Figure 21 a), and cuts by the number of parts (21 b to f). Cuts come in runs, about eighteen a
//! game, so their counts are weighted as if each game had one. Depths (Figures 20 and 23) depend on the machine, so only their
//! differences from the mean of all are compared, with a deviation of a quarter of a ply; they are shown, but
//! not added up with the rest.
//!
//! Figures 13 and 14 (b) need no games: a cut either gives the published parts or does not.

mod combination;
mod predict;
mod show;

use clap::Args;
use jungle::causality::Causality;
use jungle::decompose::{Edges, Threshold};
use jungle::{Color, Position, Rules};
use serde::{Deserialize, Serialize};

use self::predict::{log_normal, log_probability};
use super::configuration::{CONFIGURATIONS, Configuration, Effort};
use super::games::{self, GamesParams, Match};
use super::published::{self, MatchResult};
use super::{BURNETT, PlayerMeasures};
use crate::study::each;
use crate::{Context, Draft, Study, StudyError};

pub use combination::{Combination, ParseCombinationError};

/// The study of what the thesis leaves open.
pub struct Likelihood;

/// Its parameters.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// A combination of switches, as in cut=at-least,interrupted=root; may be given several times; `all` for all 144;
    /// ours, the best one known and its neighbours if left out
    #[arg(long, value_name = "SWITCHES")]
    pub combinations: Vec<String>,
    /// How many nodes stand for thirty seconds; five and two are in proportion
    #[arg(long, value_name = "N", default_value_t = 60_000,
          value_parser = clap::value_parser!(u64).range(15..))]
    pub nodes: u64,
    /// After how many moves of each side a game is drawn
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub move_limit: u32,
    /// Leave out the games of Figures 22 and 23
    #[arg(long)]
    pub figure19_only: bool,
    /// Which games.
    #[command(flatten)]
    #[serde(flatten)]
    pub games: GamesParams,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            combinations: Vec::new(),
            nodes: 60_000,
            move_limit: 100,
            figure19_only: false,
            games: GamesParams::default(),
        }
    }
}

/// The results; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The combination.
    pub combination: String,
    /// The logarithms of likelihoods, figure by figure.
    pub log_likelihood: Logs,
    /// Its posterior probability among the combinations compared, all taken to be equally likely before.
    pub posterior: f64,
    /// The games, in the order of Figure 19, then of 22 at 5 s and 2 s.
    pub matches: Vec<MatchRow>,
    /// Whether Figures 13 and 14 (b) come out, for A White and A Black.
    pub drawings: [Drawings; 2],
}

/// Natural logarithms of likelihoods.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Logs {
    /// Figures 19 and 22: games.
    pub games: f64,
    /// Figure 21 (a): games by how often they were cut.
    pub frequency: f64,
    /// Figure 21 (b) to (f): cuts by number of parts, a game counting once.
    pub ways: f64,
    /// Figures 20 and 23: differences of depths; not in the total.
    pub depths: f64,
    /// Games, frequency and ways.
    pub total: f64,
}

/// A match of a combination beside the published one.
#[derive(Clone, Debug, Serialize)]
pub struct MatchRow {
    /// Who played.
    pub configuration: String,
    /// Nodes a move.
    pub nodes: u64,
    /// Won, drawn and lost by the first player.
    pub ours: [u64; 3],
    /// The same, published.
    pub published: [u64; 3],
    /// Mean depths of both.
    pub depths: [f64; 2],
    /// Mean plies of a game.
    pub plies: f64,
}

/// Whether drawings come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Drawings {
    /// The parts of Figure 13 at thresholds 3 and 4.
    pub figure_13: bool,
    /// The parts of Figure 14 (b) at threshold 2.
    pub figure_14b: bool,
}

impl Study for Likelihood {
    const NAME: &'static str = "likelihood";
    const TITLE: &'static str =
        "Burnett (2010): how the thesis was played, by the likelihood of its figures";
    const ABOUT: &'static str =
        "Burnett (2010), Figures 13, 14 (b) and 19 to 23: how the thesis was played";
    const SOURCE: Option<&'static str> = Some(BURNETT);
    const TAKES: &'static str = "an hour a combination at 60000 nodes and 40 games a match";

    type Params = Params;
    type Results = Vec<Row>;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Vec<Row>>, StudyError> {
        let mut rows = Vec::new();
        let mut all = true;
        for combination in combinations(params)? {
            context.progress.note(&format!("{combination}"));
            let matches = matches(params, combination);
            let played: Vec<(Configuration, Effort)> = matches
                .iter()
                .map(|(configuration, effort, ..)| (*configuration, *effort))
                .collect();
            match games::play(&params.games, &played, context)? {
                Some(played) => rows.push(row(combination, &played, &matches)),
                None => all = false,
            }
        }
        posteriors(&mut rows);
        Ok(all.then_some(rows))
    }

    fn render(params: &Params, rows: &Vec<Row>) -> String {
        show::text(params, rows)
    }

    fn lines(rows: &Vec<Row>) -> serde_json::Result<Vec<String>> {
        each(rows)
    }

    fn record(params: &Params, rows: &Vec<Row>, draft: Draft) -> Draft {
        show::record(params, rows, draft)
    }
}

fn combinations(params: &Params) -> Result<Vec<Combination>, StudyError> {
    match params.combinations.as_slice() {
        [] => Ok(Combination::usual()),
        [all] if all == "all" => Ok(Combination::all()),
        some => some
            .iter()
            .map(|text| {
                text.parse().map_err(|error: ParseCombinationError| {
                    StudyError::parameter("combinations", error.to_string())
                })
            })
            .collect(),
    }
}

type Asked = (Configuration, Effort, MatchResult, u64);

/// The matches of a combination with their published results.
fn matches(params: &Params, combination: Combination) -> Vec<Asked> {
    let of = |configuration: Configuration| combination.of(configuration, params.move_limit);
    let mut matches: Vec<Asked> = CONFIGURATIONS
        .into_iter()
        .zip(published::FIGURE_19)
        .map(|(one, theirs)| (of(one), Effort::Nodes(params.nodes), theirs, params.nodes))
        .collect();
    if !params.figure19_only {
        let (full, ..) = published::FIGURES_22_23[0];
        for (seconds, theirs, _) in published::FIGURES_22_23.into_iter().skip(1) {
            let nodes = params.nodes * u64::from(seconds) / u64::from(full);
            matches.push((of(CONFIGURATIONS[3]), Effort::Nodes(nodes), theirs, nodes));
        }
    }
    matches
}

fn row(combination: Combination, played: &[Match], asked: &[Asked]) -> Row {
    let matches: Vec<MatchRow> = played
        .iter()
        .zip(asked)
        .map(|(one, (configuration, _, theirs, nodes))| {
            let tally = &one.measures.tally;
            MatchRow {
                configuration: format!(
                    "{} v {}",
                    configuration.first.name(),
                    configuration.second.name()
                ),
                nodes: *nodes,
                ours: [tally.wins, tally.draws, tally.losses],
                published: [theirs.wins, theirs.draws, theirs.losses],
                depths: [0, 1].map(|at| one.measures.players[at].mean_depth()),
                plies: one.measures.plies as f64 / tally.games().max(1) as f64,
            }
        })
        .collect();
    let mut splitter = PlayerMeasures::default();
    let splitting = played.iter().filter(|one| one.configuration.first.threshold().is_some());
    splitting.for_each(|one| splitter.merge(&one.measures.players[0]));
    let counts = |counts: [u64; 3]| counts.map(|count| count as f64);
    let games =
        matches.iter().map(|one| log_probability(&counts(one.ours), &counts(one.published)));
    let mut logs = Logs {
        games: games.sum(),
        frequency: frequency(&splitter),
        ways: ways(&splitter),
        depths: depths(&matches),
        total: 0.0,
    };
    logs.total = logs.games + logs.frequency + logs.ways;
    Row {
        combination: combination.to_string(),
        log_likelihood: logs,
        posterior: 0.0,
        matches,
        drawings: [Color::White, Color::Black].map(|first| drawings(combination.cut, first)),
    }
}

/// Games by the share of all positions that were cut: half of the player's own moves.
fn frequency(splitter: &PlayerMeasures) -> f64 {
    let mut ours = vec![0.0; published::SPLIT_FREQUENCY.len()];
    for share in &splitter.split_frequencies {
        let bin = (share / 2.0 / published::FREQUENCY_BIN) as usize;
        let bin = bin.min(ours.len() - 1);
        ours[bin] += 1.0;
    }
    log_probability(&ours, &published::SPLIT_FREQUENCY.map(|games| games as f64))
}

/// Cuts by number of parts, all cuts of a game counting as one.
fn ways(splitter: &PlayerMeasures) -> f64 {
    let published: Vec<f64> = published::PART_SIZES
        .iter()
        .map(|(parts, sizes)| sizes.iter().sum::<u64>() as f64 / *parts as f64)
        .collect();
    let ours: Vec<f64> = published::PART_SIZES
        .iter()
        .map(|(parts, _)| {
            let sizes = splitter.splits.sizes.get(parts);
            sizes.map_or(0.0, |sizes| sizes.values().sum::<u64>() as f64 / *parts as f64)
        })
        .collect();
    let published_games: u64 = published::SPLIT_FREQUENCY.iter().sum();
    let weighted = |counts: Vec<f64>, games: f64| {
        let cuts: f64 = counts.iter().sum::<f64>().max(1.0);
        counts.into_iter().map(|count| count * (games / cuts).min(1.0)).collect::<Vec<f64>>()
    };
    let games = splitter.split_frequencies.len() as f64;
    log_probability(&weighted(ours, games), &weighted(published, published_games as f64))
}

/// How exactly depths can be compared, in plies.
const DEPTH_DEVIATION: f64 = 0.25;

/// Differences of depths from their mean, ours against the published ones.
fn depths(matches: &[MatchRow]) -> f64 {
    // As printed: without heuristics, ordering, split, both.
    let [first, second, _, fourth, ..] = matches else { return f64::NAN };
    let ours = [first.depths[1], first.depths[0], second.depths[0], fourth.depths[0]];
    let theirs = players::Algorithm::ALL.map(published::mean_depth);
    let mean = |depths: [f64; 4]| depths.iter().sum::<f64>() / 4.0;
    let (our_mean, their_mean) = (mean(ours), mean(theirs));
    let residuals = ours.iter().zip(theirs).map(|(own, other)| own - our_mean - other + their_mean);
    residuals.map(|residual| log_normal(residual, DEPTH_DEVIATION)).sum()
}

fn posteriors(rows: &mut [Row]) {
    let best = rows.iter().map(|row| row.log_likelihood.total).fold(f64::NEG_INFINITY, f64::max);
    let weight = |row: &Row| (row.log_likelihood.total - best).exp();
    let sum: f64 = rows.iter().map(weight).sum();
    for row in rows {
        row.posterior = weight(row) / sum;
    }
}

const FIGURE_13: &str = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w";
const FIGURE_14B: &str = "5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w";

/// Whether a cut gives the published parts.
fn drawings(cut: Edges, first: Color) -> Drawings {
    let causality = Causality::new(&Rules::TUFTS);
    let parts = |fen: &str, threshold: u8| -> Vec<String> {
        let position: Position = fen.parse().expect("the figures are positions");
        let position = position.with_turn(first);
        let split = Threshold::Plies(threshold).split_at(cut, &causality, &position, 2);
        let squares = |part: &jungle::causality::PartSquares| -> String {
            let mut names: Vec<String> =
                part.pieces.into_iter().map(|square| square.to_string()).collect();
            names.sort();
            names.join(" ")
        };
        split.parts().iter().map(squares).collect()
    };
    let figure_13 = ["a2 b3 c2", "b7 c7 e6 e7"];
    Drawings {
        figure_13: [3, 4].iter().all(|threshold| parts(FIGURE_13, *threshold) == figure_13),
        figure_14b: parts(FIGURE_14B, 2) == ["b3 c2", "b7 b8 d7 e8 f9", "e2 f2 f3"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_come_out_by_one_reading_only() {
        let of = |cut, first| drawings(cut, first);
        let both = Drawings { figure_13: true, figure_14b: true };
        assert_eq!(of(Edges::AtLeast, Color::Black), both);
        assert!(!of(Edges::Above, Color::White).figure_14b);
        assert!(of(Edges::Above, Color::White).figure_13);
    }

    #[test]
    fn posteriors_add_up() {
        let row = |total| Row {
            combination: String::new(),
            log_likelihood: Logs { total, ..Logs::default() },
            posterior: 0.0,
            matches: Vec::new(),
            drawings: [drawings(Edges::Above, Color::White); 2],
        };
        let mut rows = vec![row(-100.0), row(-100.0), row(-900.0)];
        posteriors(&mut rows);
        assert!((rows[0].posterior - 0.5).abs() < 1e-9 && rows[2].posterior < 1e-9);
    }

    #[test]
    fn nodes_are_in_the_ratio_of_the_published_times() {
        let params = Params { nodes: 60_000, ..Params::default() };
        let nodes: Vec<u64> =
            matches(&params, Combination::default()).iter().map(|one| one.3).collect();
        assert_eq!(nodes, [60_000, 60_000, 60_000, 60_000, 10_000, 4_000]);
        let first = Params { figure19_only: true, ..params };
        assert_eq!(matches(&first, Combination::default()).len(), 4);
    }
}
