//! Figure 21: how often the board is cut, and the sizes of parts, in the games of the splitting players.
//!
//! The published numbers are read off charts. Burnett counted more games than forty of each configuration
//! (its bars add up to 186), so shares are compared and not counts.

use std::fmt::Write;

use charts::{Frame, Histogram, count};
use jungle::Rules;
use players::SplitStatistics;
use serde::Serialize;

use super::configuration::CONFIGURATIONS;
use super::figure19::Params;
use super::{BURNETT, PlayerMeasures, games, published};
use crate::statistics::number;
use crate::study::line;
use crate::{Context, Draft, Study, StudyError, Table};

/// Figure 21.
pub struct Figure21;

/// The results; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    #[serde(skip)]
    configurations: Vec<String>,
    #[serde(skip)]
    limit: String,
    games: usize,
    choices: u64,
    splits: u64,
    mean_frequency: f64,
    greatest_frequency: f64,
    published_mean_frequency: f64,
    /// Games by frequency, in bins of a thirtieth; per cent of the games.
    frequency: Compared,
    /// By number of parts: how many cuts, and parts by size in per cent.
    ways: Vec<Ways>,
}

#[derive(Clone, Debug, Serialize)]
struct Ways {
    parts: usize,
    cuts: u64,
    share_of_cuts: f64,
    published_cuts: f64,
    published_share_of_cuts: f64,
    sizes: Compared,
}

#[derive(Clone, Debug, Serialize)]
struct Compared {
    ours: Vec<f64>,
    published: Vec<f64>,
}

impl Compared {
    /// Counts as per cent of their sums, both of the same length.
    fn of(ours: &[f64], published: &[f64]) -> Compared {
        let length = ours.len().max(published.len());
        let percent = |counts: &[f64]| {
            let sum: f64 = counts.iter().sum();
            let share = |at| 100.0 * counts.get(at).copied().unwrap_or(0.0) / sum.max(1.0);
            (0..length).map(share).collect()
        };
        Compared { ours: percent(ours), published: percent(published) }
    }
}

impl Study for Figure21 {
    const NAME: &'static str = "figure21";
    const TITLE: &'static str =
        "Burnett (2010), Figure 21: how often boards are cut, and the sizes of parts";
    const ABOUT: &'static str =
        "Burnett (2010), Figure 21: how often boards are cut, and the sizes of parts";
    const SOURCE: Option<&'static str> = Some(BURNETT);
    const TAKES: &'static str = "a second besides the games of figure19";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        let effort = params.effort.effort()?;
        let splitting = CONFIGURATIONS.into_iter().filter(|one| one.first.threshold().is_some());
        let matches: Vec<_> = splitting.map(|configuration| (configuration, effort)).collect();
        let Some(played) = games::play(&params.games, &matches, context)? else { return Ok(None) };
        let mut all = PlayerMeasures::default();
        played.iter().for_each(|one| all.merge(&one.measures.players[0]));
        Ok(Some(Results {
            configurations: played.iter().map(|one| one.configuration.to_string()).collect(),
            limit: effort.to_string(),
            ..results(&all.splits, &all.split_frequencies)
        }))
    }

    fn render(_: &Params, results: &Results) -> String {
        let mut text = format!(
            "{}\ntufts, threshold 4, {}; {}\n\n",
            Self::TITLE,
            results.limit,
            results.configurations.join(", ")
        );
        render(results, &mut text);
        text
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        line(results)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        let mut draft = draft
            .rules(Rules::TUFTS)
            .seed(params.games.seed)
            .parameter("games", params.games.games)
            .parameter("limit", results.limit.clone())
            .parameter("threshold", 4)
            .results(results)
            .note("The published numbers are read off charts, to about three per cent of an axis.")
            .note("Burnett counted the games of all time controls; we count those of Figure 19.")
            .table(
                "frequency",
                "Games by share of moves with a cut, per cent",
                frequencies(results),
            )
            .table("sizes", "Parts by size, per cent", sizes(results))
            .chart("frequency", "Split frequency", frequency_chart(results));
        for (ways, letter) in results.ways.iter().zip('b'..) {
            let name = format!("sizes-{}", ways.parts);
            let title = format!("Sizes of parts, {} parts", ways.parts);
            draft = draft.chart(&name, title, ways.chart(letter, &results.limit));
        }
        draft
    }
}

fn frequency_chart(results: &Results) -> String {
    let frame = Frame::new("Figure 21 (a): split frequency of a player in a game")
        .subtitle(format!(
            "{} games at {}; published: read off the chart",
            results.games, results.limit
        ))
        .x("share of the player's moves that were searched in parts")
        .y("per cent of the games");
    Histogram::new(frame, 0.0, published::FREQUENCY_BIN)
        .series("ours", results.frequency.ours.clone())
        .series("published", results.frequency.published.clone())
        .svg()
}

impl Ways {
    fn chart(&self, letter: char, limit: &str) -> String {
        let frame =
            Frame::new(format!("Figure 21 ({letter}): sizes of parts, {} parts", self.parts))
                .subtitle(format!(
                    "{} cuts at {limit}; published: about {:.0}",
                    self.cuts, self.published_cuts
                ))
                .x("pieces in a part")
                .y("per cent of the parts");
        Histogram::new(frame, 0.5, 1.0)
            .series("ours", self.sizes.ours.clone())
            .series("published", self.sizes.published.clone())
            .svg()
    }
}

fn results(splits: &SplitStatistics, by_game: &[f64]) -> Results {
    let published = published::SPLIT_FREQUENCY.map(|games| games as f64);
    let bins = by_game.iter().fold(published.len(), |bins, share| {
        bins.max((share / published::FREQUENCY_BIN) as usize + 1)
    });
    let ours = count(by_game.iter().copied(), 0.0, published::FREQUENCY_BIN, bins);
    let all_published: f64 = published::PART_SIZES.iter().map(|(ways, n)| cuts(*ways, n)).sum();
    // The bins' middles stand for the games in them.
    let weighted = published.iter().enumerate().map(|(at, games)| games * (at as f64 + 0.5));
    let published_mean =
        weighted.sum::<f64>() * published::FREQUENCY_BIN / published.iter().sum::<f64>();
    Results {
        configurations: Vec::new(),
        limit: String::new(),
        games: by_game.len(),
        choices: splits.choices,
        splits: splits.splits,
        mean_frequency: by_game.iter().sum::<f64>() / by_game.len().max(1) as f64,
        greatest_frequency: by_game.iter().copied().fold(0.0, f64::max),
        published_mean_frequency: published_mean,
        frequency: Compared::of(&ours, &published),
        ways: published::PART_SIZES
            .iter()
            .map(|(parts, theirs)| {
                let sizes = splits.sizes.get(parts).cloned().unwrap_or_default();
                let largest = sizes.keys().max().copied().unwrap_or(0);
                let ours: Vec<f64> = (1..=largest)
                    .map(|size| sizes.get(&size).copied().unwrap_or(0) as f64)
                    .collect();
                let count = sizes.values().sum::<u64>() / *parts as u64;
                Ways {
                    parts: *parts,
                    cuts: count,
                    share_of_cuts: count as f64 / splits.splits.max(1) as f64,
                    published_cuts: cuts(*parts, theirs),
                    published_share_of_cuts: cuts(*parts, theirs) / all_published,
                    sizes: Compared::of(
                        &ours,
                        &theirs.iter().map(|n| *n as f64).collect::<Vec<_>>(),
                    ),
                }
            })
            .collect(),
    }
}

/// How many cuts made these parts.
fn cuts(ways: usize, parts: &[u64]) -> f64 {
    parts.iter().sum::<u64>() as f64 / ways as f64
}

fn render(results: &Results, text: &mut String) {
    let percent = |share: f64| format!("{} %", number(100.0 * share, 1));
    let _ = writeln!(
        text,
        "{} cuts in {} moves of {} games; a game's share of moves with a cut: mean {} (published \
         about {}), greatest {} (published: no more than a third)",
        results.splits,
        results.choices,
        results.games,
        percent(results.mean_frequency),
        percent(results.published_mean_frequency),
        percent(results.greatest_frequency),
    );
    let _ = writeln!(text, "\ngames by that share, per cent");
    let _ = writeln!(text, "{:>15} {:>8} {:>10}", "share", "ours", "published");
    let bins = results.frequency.ours.iter().zip(&results.frequency.published).enumerate();
    for (at, (ours, theirs)) in bins {
        let (from, to) = bin(at);
        let _ = writeln!(text, "{from:>6.3} - {to:>6.3} {ours:>8.1} {theirs:>10.1}");
    }
    for ways in &results.ways {
        let _ = writeln!(
            text,
            "\n{} parts: {} cuts, {} of all (published about {:.0}, {}); parts by size, per cent",
            ways.parts,
            ways.cuts,
            percent(ways.share_of_cuts),
            ways.published_cuts,
            percent(ways.published_share_of_cuts)
        );
        let line = |shares: &[f64]| -> String {
            shares.iter().map(|share| format!("{share:>5.1}")).collect::<Vec<_>>().join(" ")
        };
        let numbers: Vec<f64> = (1..=ways.sizes.ours.len()).map(|size| size as f64).collect();
        let heads: Vec<String> = numbers.iter().map(|size| format!("{size:>5}")).collect();
        let _ = writeln!(text, "  pieces    {}", heads.join(" "));
        let _ = writeln!(text, "  ours      {}", line(&ways.sizes.ours));
        let _ = writeln!(text, "  published {}", line(&ways.sizes.published));
    }
}

fn bin(at: usize) -> (f64, f64) {
    (at as f64 * published::FREQUENCY_BIN, (at + 1) as f64 * published::FREQUENCY_BIN)
}

fn frequencies(results: &Results) -> Table {
    let mut table = Table::new(["from", "to", "ours %", "published %"]);
    for (at, (ours, theirs)) in
        results.frequency.ours.iter().zip(&results.frequency.published).enumerate()
    {
        let (from, to) = bin(at);
        table.row([number(from, 4), number(to, 4), number(*ours, 2), number(*theirs, 2)]);
    }
    table
}

fn sizes(results: &Results) -> Table {
    let mut table = Table::new(["parts", "pieces in a part", "ours %", "published %"]);
    for ways in &results.ways {
        for (at, (ours, theirs)) in ways.sizes.ours.iter().zip(&ways.sizes.published).enumerate() {
            table.row([
                ways.parts.to_string(),
                (at + 1).to_string(),
                number(*ours, 2),
                number(*theirs, 2),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_compared_not_counts() {
        let mut splits = SplitStatistics::default();
        for parts in [&[5, 1][..], &[6], &[1, 4], &[2, 2, 1]] {
            splits.record(parts);
        }
        let found = results(&splits, &[0.0, 0.5]);
        assert_eq!((found.games, found.choices, found.splits), (2, 4, 3));
        assert_eq!(found.frequency.ours.len(), 16, "beyond the published bins too");
        assert_eq!((found.frequency.ours[0], found.frequency.ours[15]), (50.0, 50.0));
        let two = &found.ways[0];
        assert_eq!((two.parts, two.cuts), (2, 2));
        assert_eq!(two.sizes.ours[..5], [50.0, 0.0, 0.0, 25.0, 25.0]);
        for compared in found.ways.iter().map(|ways| &ways.sizes).chain([&found.frequency]) {
            assert!((compared.published.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        }
    }
}
