//! Section 4.1: the predicted and the measured gain of cutting the board.
//!
//! Burnett counts the nodes of game trees: a board cut into equal halves has two trees of half the branching
//! factor, so that a search to depth `d` takes `62/15 / 2^(d+1)` of the time, or in the same time sees
//! `(d+1)/4 - C` plies deeper, about a quarter. (For C Burnett prints .198; his equation gives log₁₆(62/15), .512.)
//! He then found 4 % (Figure 20). Three things are measured here on positions of games that do fall into parts,
//! searched whole and in parts:
//!
//! - the nodes that both take to the same depth, with alpha-beta, and beside them the formula for equal halves
//!   and for the parts as they are (a piece having two moves, as Burnett has 32 for 16 pieces);
//! - the depth that both reach with the same nodes;
//! - how often positions fall into parts at all, which dilutes that over a game.

use std::collections::BTreeMap;
use std::fmt::Write;

use charts::{Bars, Frame, Group, Line, Lines};
use clap::Args;
use game::decompose::Decompose;
use game::limits::Limits;
use jungle::decompose::{Cut, PartedJungle, Threshold};
use jungle::{BurnettEval, Position, Rules};
use lab::contest::{Contest, Observer};
use lab::record::RecordedGame;
use lab::standing::Scoreboard;
use players::{Algorithm, BurnettPlayer};
use search::{AlphaBeta, Schedule, Subproblems, fixed};
use serde::{Deserialize, Serialize};

use super::configuration::{BURNETT_GAMES, CONFIGURATIONS, Effort};
use super::figure20::positions;
use super::{BURNETT, published};
use crate::parameter::within;
use crate::statistics::{mean, number, spread};
use crate::study::line;
use crate::{Context, Draft, Study, StudyError, Table};

/// The games that positions are taken from: their depth, and the most moves of each side.
const GAMES_DEPTH: u32 = 4;
const GAMES_MOVES: u32 = 80;
/// A cut is even if no part has more of the pieces than this.
const EVEN: f64 = 0.6;

/// The gain of section 4.1.
pub struct PredictedGain;

/// The parameters of the gain.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many positions to search
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub positions: u32,
    /// How deep to compare
    #[arg(long, value_name = "D", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=30))]
    pub depth: u32,
    /// How many nodes a search may cost
    #[arg(long, value_name = "N", default_value_t = 300_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The seed of the games that positions are taken from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many of these games to play at a time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
}

impl Default for Params {
    fn default() -> Params {
        Params { positions: 100, depth: 6, nodes: 300_000, seed: 1, concurrency: 1 }
    }
}

/// The results; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    positions: usize,
    even_positions: usize,
    /// The share of all positions of the games that fall into parts.
    split_share: f64,
    depths: Vec<AtDepth>,
    gains: Vec<Gain>,
}

/// Nodes in parts over nodes of the whole, to the same depth.
#[derive(Clone, Debug, Serialize)]
struct AtDepth {
    depth: u32,
    /// Section 4.1, for equal halves.
    predicted: f64,
    /// The same formula with the parts as they are; the geometric mean over positions.
    predicted_for_parts: f64,
    /// All nodes in parts over all nodes of the whole.
    measured: f64,
    /// The same for even cuts only.
    measured_even: f64,
}

/// The depth reached with the same nodes.
#[derive(Clone, Debug, Serialize)]
struct Gain {
    comparison: &'static str,
    whole: f64,
    in_parts: f64,
    /// Per cent, where the board falls into parts.
    gain: f64,
    /// Per cent, over all positions of a game.
    diluted: f64,
    /// The prediction of section 4.1 for equal halves at the depth of the whole, in per cent.
    predicted: f64,
    /// The value of Figure 20, in per cent.
    published: f64,
}

impl Study for PredictedGain {
    const NAME: &'static str = "gain";
    const TITLE: &'static str =
        "Burnett (2010), section 4.1: the predicted gain of cutting, and the measured one";
    const ABOUT: &'static str = "Burnett (2010), section 4.1: the predicted gain of cutting the board, and the measured one";
    const SOURCE: Option<&'static str> = Some(BURNETT);
    const TAKES: &'static str = "minutes";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        within("positions", params.positions, 1..=100_000)?;
        within("depth", params.depth, 1..=30)?;
        within("nodes", params.nodes, 1..=u64::MAX)?;
        let game = PartedJungle::new(Rules::TUFTS, Cut::Threshold(Threshold::default()));
        let (all, cut) = split_positions(params, &game, context)?;
        if cut.is_empty() {
            return Err(StudyError::Nothing(
                "no position of the games falls into parts".to_owned(),
            ));
        }
        let chosen: Vec<&Position> = spread(&cut, params.positions as usize).collect();
        context.progress.begin("positions", Some(chosen.len() as u64));
        let mut sizes = Sizes::default();
        let mut reached: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for position in &chosen {
            sizes.measure(&game, position, params.depth);
            for algorithm in Algorithm::ALL {
                let player = BurnettPlayer::new(algorithm, Rules::TUFTS);
                let depth = player.choose(position, &Limits::nodes(params.nodes)).report.depth;
                reached.entry(algorithm.name()).or_default().push(depth);
            }
            context.advance()?;
        }
        context.progress.end();
        let split_share = cut.len() as f64 / all as f64;
        Ok(Some(Results {
            positions: chosen.len(),
            even_positions: sizes.even,
            split_share,
            depths: sizes.rows(),
            gains: gains(&reached, split_share),
        }))
    }

    fn render(params: &Params, results: &Results) -> String {
        let mut text = format!("{}\ntufts, threshold 4\n\n", Self::TITLE);
        let _ = writeln!(
            text,
            "{} positions that fall into parts, {} of them evenly; {} % of all positions of the games do\n",
            results.positions,
            results.even_positions,
            number(100.0 * results.split_share, 1)
        );
        let _ = writeln!(text, "nodes in parts over nodes of the whole, to the same depth");
        let _ = writeln!(
            text,
            "{:>5} {:>12} {:>16} {:>10} {:>12}",
            "depth", "equal halves", "parts as they are", "measured", "even cuts"
        );
        for row in &results.depths {
            let _ = writeln!(
                text,
                "{:>5} {:>12} {:>17} {:>10} {:>12}",
                row.depth,
                number(row.predicted, 3),
                number(row.predicted_for_parts, 3),
                number(row.measured, 3),
                number(row.measured_even, 3)
            );
        }
        let _ = writeln!(
            text,
            "\nmean depth with {} nodes, where the board falls into parts",
            params.nodes
        );
        for gain in &results.gains {
            let _ = writeln!(
                text,
                "{:<16} {} to {} plies: {:+.1} % (section 4.1: {:+.1} %); over a whole game {:+.1} %, \
             published {:+.1} %",
                gain.comparison,
                number(gain.whole, 2),
                number(gain.in_parts, 2),
                gain.gain,
                gain.predicted,
                gain.diluted,
                gain.published
            );
        }
        text
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        line(results)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        draft
            .rules(Rules::TUFTS)
            .seed(params.seed)
            .parameter("positions", results.positions)
            .parameter("depth", params.depth)
            .parameter("nodes", params.nodes)
            .parameter(
                "games",
                format!(
                    "split v plain, {BURNETT_GAMES} games at depth {GAMES_DEPTH}, at most {GAMES_MOVES} moves"
                ),
            )
            .parameter("even_means_at_most", EVEN)
            .parameter("threshold", 4)
            .results(results)
            .note("Of the gain in plies, (d+1)/4 - C, Burnett prints C = .198; his equation gives .512, used here.")
            .note("The formula counts whole game trees; alpha-beta, which visits far less, is what is measured.")
            .table(
                "nodes",
                "Nodes in parts over nodes of the whole, to the same depth",
                by_depth(results),
            )
            .table("gain", "Depth reached with the same nodes", by_player(results))
            .chart("nodes", "Nodes in parts over nodes of the whole", chart(results))
            .chart("gain", "Gain in depth", gain_chart(results, params.nodes))
    }
}

/// How many positions games between Burnett's players have, and those of them that fall into parts.
fn split_positions(
    params: &Params,
    game: &PartedJungle,
    context: &Context<'_>,
) -> Result<(usize, Vec<Position>), StudyError> {
    let settings =
        CONFIGURATIONS[1].settings(Effort::Depth(GAMES_DEPTH), BURNETT_GAMES, params.seed)?;
    let settings = lab::Settings { move_limit: GAMES_MOVES, ..settings };
    let mut collected = Collected::default();
    Contest::new(settings)?
        .concurrency(params.concurrency.into())
        .stopped_by(context.stop.clone())
        .run(&mut collected)?;
    let (mut all, mut cut) = (0, Vec::new());
    for row in collected.0.values() {
        for position in positions(row)? {
            all += 1;
            if game.parts(&position, 1).len() > 1 {
                cut.push(position);
            }
        }
    }
    Ok((all, cut))
}

/// The games of a contest, by number.
#[derive(Default)]
struct Collected(BTreeMap<u64, RecordedGame>);

impl Observer for Collected {
    fn finished(&mut self, row: &RecordedGame, _: &Scoreboard) {
        self.0.insert(row.game, row.clone());
    }
}

/// Nodes by depth.
#[derive(Default)]
struct Sizes {
    even: usize,
    by_depth: BTreeMap<u32, Sums>,
}

#[derive(Clone, Copy, Default)]
struct Sums {
    whole: u64,
    parts: u64,
    even_whole: u64,
    even_parts: u64,
    /// The sum of the logarithms of the formula, and how many.
    formula: f64,
    positions: f64,
}

impl Sizes {
    fn measure(&mut self, game: &PartedJungle, position: &Position, most: u32) {
        let sizes: Vec<f64> =
            game.parts(position, 1).iter().map(|part| game.part_size(part) as f64).collect();
        let pieces: f64 = sizes.iter().sum();
        let even = sizes.iter().all(|size| *size <= EVEN * pieces);
        self.even += usize::from(even);
        for depth in 1..=most {
            let mut search = AlphaBeta::new(game, &BurnettEval);
            let Some(whole) = fixed(&mut search, position, depth, &Limits::none()) else {
                continue;
            };
            let at_once = Schedule { first: depth, step: depth };
            let parts = Subproblems::new(game, &BurnettEval)
                .schedule(at_once)
                .search(position, &Limits::depth(depth))
                .report;
            let sums = self.by_depth.entry(depth).or_default();
            sums.whole += whole.nodes;
            sums.parts += parts.nodes;
            if even {
                sums.even_whole += whole.nodes;
                sums.even_parts += parts.nodes;
            }
            let predicted = sizes.iter().map(|size| tree(2.0 * size, depth)).sum::<f64>()
                / tree(2.0 * pieces, depth);
            sums.formula += predicted.ln();
            sums.positions += 1.0;
        }
    }

    fn rows(&self) -> Vec<AtDepth> {
        let row = |(&depth, sums): (&u32, &Sums)| AtDepth {
            depth,
            predicted: predicted_ratio(depth),
            predicted_for_parts: (sums.formula / sums.positions).exp(),
            measured: sums.parts as f64 / sums.whole as f64,
            measured_even: sums.even_parts as f64 / sums.even_whole as f64,
        };
        self.by_depth.iter().map(row).collect()
    }
}

/// The nodes of a game tree with this many moves everywhere.
fn tree(moves: f64, depth: u32) -> f64 {
    (0..=depth).map(|ply| moves.powi(ply as i32)).sum()
}

/// The last formula of section 4.1.
fn predicted_ratio(depth: u32) -> f64 {
    62.0 / 15.0 / 2f64.powi(depth as i32 + 1)
}

/// The gain in plies that section 4.1 derives from it, for a search of this depth without cutting.
fn predicted_plies(depth: f64) -> f64 {
    (depth + 1.0) / 4.0 - (62.0 / 15.0_f64).log(16.0)
}

fn gains(reached: &BTreeMap<&str, Vec<u32>>, split_share: f64) -> Vec<Gain> {
    let compare = |comparison, whole: Algorithm, parts: Algorithm| {
        let depth = |player: Algorithm| mean(reached[player.name()].iter().copied()).0;
        let (before, after) = (depth(whole), depth(parts));
        let gain = 100.0 * (after / before - 1.0);
        let [theirs_before, theirs_after] = [whole, parts].map(published::mean_depth);
        Gain {
            comparison,
            whole: before,
            in_parts: after,
            gain,
            diluted: gain * split_share,
            predicted: 100.0 * predicted_plies(before) / before,
            published: 100.0 * (theirs_after / theirs_before - 1.0),
        }
    };
    let [plain, ordering, split, both] = Algorithm::ALL;
    vec![compare("split v plain", plain, split), compare("both v ordering", ordering, both)]
}

fn by_depth(results: &Results) -> Table {
    let mut table = Table::new([
        "depth",
        "section 4.1, equal halves",
        "section 4.1, parts as they are",
        "measured",
        "measured, even cuts",
    ]);
    for row in &results.depths {
        let ratios = [row.predicted, row.predicted_for_parts, row.measured, row.measured_even];
        let cells = ratios.map(|ratio| number(ratio, 4));
        table.row(std::iter::once(row.depth.to_string()).chain(cells));
    }
    table
}

fn by_player(results: &Results) -> Table {
    let mut table = Table::new([
        "comparison",
        "depth whole",
        "depth in parts",
        "gain %",
        "over a whole game %",
        "section 4.1 %",
        "published %",
    ]);
    for gain in &results.gains {
        let cells = [
            number(gain.whole, 2),
            number(gain.in_parts, 2),
            number(gain.gain, 1),
            number(gain.diluted, 1),
            number(gain.predicted, 1),
            number(gain.published, 1),
        ];
        table.row(std::iter::once(gain.comparison.to_owned()).chain(cells));
    }
    table
}

fn chart(results: &Results) -> String {
    let frame = Frame::new("Section 4.1: nodes in parts over nodes of the whole")
        .subtitle(format!(
            "{} positions that fall into parts, searched to the same depth",
            results.positions
        ))
        .x("depth, plies")
        .y("nodes in parts / whole");
    let line = |name: &str, of: fn(&AtDepth) -> f64| {
        Line::new(name).points(results.depths.iter().map(|row| (f64::from(row.depth), of(row))))
    };
    Lines::new(frame)
        .log_y()
        .whole_x()
        .level(1.0)
        .line(line("measured", |row| row.measured))
        .line(line("measured, even cuts", |row| row.measured_even))
        .line(line("formula, parts as they are", |row| row.predicted_for_parts).dashed())
        .line(line("formula, equal halves", |row| row.predicted).dashed())
        .svg()
}

fn gain_chart(results: &Results, nodes: u64) -> String {
    let frame = Frame::new("Section 4.1: how much deeper a search in parts sees")
        .subtitle(format!("ours with {nodes} nodes a position; published with 30 s a move"))
        .y("per cent");
    let series = [
        "section 4.1",
        "ours, where the board is cut",
        "ours, over a game",
        "published, over a game",
    ];
    let bars = Bars::new(frame, series).numbers();
    let round = |value: f64| (10.0 * value).round() / 10.0;
    results
        .gains
        .iter()
        .fold(bars, |bars, gain| {
            let values = [gain.predicted, gain.gain, gain.diluted, gain.published].map(round);
            bars.group(values.iter().fold(Group::new(gain.comparison), |group, &v| group.bar(v)))
        })
        .svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_are_those_of_burnett() {
        // 2 (16^(d+1) / 15) over 32^(d+1) / 31, which section 4.1 simplifies.
        for depth in 2..10 {
            let power = |base: f64| base.powi(depth as i32 + 1);
            let ratio = 2.0 * power(16.0) / 15.0 / (power(32.0) / 31.0);
            assert!((predicted_ratio(depth) / ratio - 1.0).abs() < 1e-12);
            // The trees of both halves, deeper by that gain, are as large as the whole one.
            let deeper = f64::from(depth) + predicted_plies(f64::from(depth));
            let halves = 2.0 * 16f64.powf(deeper + 1.0) / 15.0;
            assert!((halves / (power(32.0) / 31.0) - 1.0).abs() < 1e-9);
        }
        assert_eq!(tree(2.0, 3), 15.0);
    }
}
