//! The result of a contest, in words and as data.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use lab::Budget;
use lab::contest::Report;
use lab::schedule::Shard;
use lab::standing::{Standing, Tally, Test};
use lab::stats::Verdict;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;

/// A result; the names are a contract with other programs. A number that is infinite or unknown is
/// null.
#[derive(Clone, Serialize)]
pub struct Shown {
    players: Vec<String>,
    rules: String,
    limit: String,
    games: u64,
    scheduled: u64,
    uncounted: u64,
    plies: u64,
    /// Between each two players.
    pairings: Vec<Pairing>,
    /// The players, best first.
    table: Vec<Ranked>,
    sprt: Option<ShownTest>,
    /// How games ended.
    ends: BTreeMap<String, u64>,
    faults: Vec<ShownFault>,
    digest: String,
}

#[derive(Clone, Serialize)]
struct Pairing {
    a: String,
    b: String,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Clone, Serialize)]
struct Ranked {
    rank: usize,
    player: String,
    #[serde(flatten)]
    figures: Figures,
    /// Points against each player of the table, in its order; null against oneself.
    against: Vec<Option<f64>>,
}

#[derive(Clone, Serialize)]
struct Figures {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    score: f64,
    pairs: u64,
    pentanomial: [u64; 5],
    elo: f64,
    elo_error: f64,
    nelo: f64,
    nelo_error: f64,
    los: f64,
    draw_ratio: f64,
    pairs_ratio: f64,
}

#[derive(Clone, Serialize)]
struct ShownTest {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: lab::stats::Model,
    llr: f64,
    lower: f64,
    upper: f64,
    verdict: Option<Verdict>,
}

#[derive(Clone, Serialize)]
struct ShownFault {
    game: u64,
    reason: String,
}

impl Figures {
    fn new(tally: &Tally) -> Figures {
        let pairs = &tally.pairs;
        let (elo, nelo) = (pairs.elo(), pairs.normalised_elo());
        Figures {
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            points: tally.points(),
            score: tally.score(),
            pairs: pairs.pairs(),
            pentanomial: pairs.0,
            elo: elo.value,
            elo_error: elo.error,
            nelo: nelo.value,
            nelo_error: nelo.error,
            los: pairs.superiority(),
            draw_ratio: pairs.draw_ratio(),
            pairs_ratio: pairs.pairs_ratio(),
        }
    }
}

impl ShownTest {
    fn new(test: &Test) -> ShownTest {
        let sprt = test.sprt;
        ShownTest {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
            model: sprt.model,
            llr: test.llr,
            lower: sprt.lower(),
            upper: sprt.upper(),
            verdict: test.verdict,
        }
    }
}

impl Shown {
    pub fn new(standing: &Standing, budget: &Budget, rules: &str) -> Shown {
        let name = |player: usize| standing.names[player].clone();
        let places = standing.places();
        Shown {
            players: standing.names.clone(),
            rules: rules.to_owned(),
            limit: budget.to_string(),
            games: standing.games(),
            scheduled: standing.scheduled,
            uncounted: standing.uncounted,
            plies: standing.plies,
            pairings: standing
                .pairings
                .iter()
                .map(|&(a, b, tally)| Pairing {
                    a: name(a),
                    b: name(b),
                    figures: Figures::new(&tally),
                })
                .collect(),
            table: places
                .iter()
                .enumerate()
                .map(|(at, place)| Ranked {
                    rank: at + 1,
                    player: name(place.player),
                    figures: Figures::new(&place.tally),
                    against: places
                        .iter()
                        .map(|other| Some(standing.between(place.player, other.player)?.points()))
                        .collect(),
                })
                .collect(),
            sprt: standing.test.as_ref().map(ShownTest::new),
            ends: standing.ends.iter().map(|(end, &n)| (end.as_str().to_owned(), n)).collect(),
            faults: standing
                .faults
                .iter()
                .map(|(game, reason)| ShownFault { game: game + 1, reason: reason.clone() })
                .collect(),
            digest: standing.digest.clone(),
        }
    }
}

/// A number for people: `inf` and `?` where there is none.
pub fn number(value: f64, digits: usize) -> String {
    if value.is_nan() {
        "?".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "inf".to_owned() } else { "-inf".to_owned() }
    } else {
        // Nothing is not less than nothing: minus zero is zero.
        format!("{:.digits$}", value + 0.0)
    }
}

/// How many faults are listed one by one.
const LISTED_FAULTS: usize = 10;

pub fn write(shown: &Shown, output: &mut Output) -> Result<(), Failure> {
    let bold = anstyle::Style::new().bold();
    match shown.pairings.as_slice() {
        [pairing] => {
            writeln!(
                output,
                "{bold}Results of {} vs {}{bold:#} ({}, {}):",
                pairing.a, pairing.b, shown.limit, shown.rules
            )?;
            write_figures(&pairing.figures, output)?;
        }
        _ => write_table(shown, output)?,
    }
    if let Some(test) = &shown.sprt {
        write_test(test, output)?;
    }
    let ends: Vec<String> = shown.ends.iter().map(|(end, n)| format!("{end} {n}")).collect();
    writeln!(output, "Ends: {}", ends.join(", "))?;
    for fault in shown.faults.iter().take(LISTED_FAULTS) {
        writeln!(output, "  game {}: {}", fault.game, fault.reason)?;
    }
    if shown.faults.len() > LISTED_FAULTS {
        writeln!(output, "  and {} more", shown.faults.len() - LISTED_FAULTS)?;
    }
    Ok(())
}

/// What fastchess prints, as it prints it.
fn write_figures(figures: &Figures, output: &mut Output) -> Result<(), Failure> {
    let two = |value| number(value, 2);
    let percent = |value: f64| number(100.0 * value, 2);
    writeln!(
        output,
        "Elo: {} +/- {}, nElo: {} +/- {}",
        two(figures.elo),
        two(figures.elo_error),
        two(figures.nelo),
        two(figures.nelo_error)
    )?;
    writeln!(
        output,
        "LOS: {} %, DrawRatio: {} %, PairsRatio: {}",
        percent(figures.los),
        percent(figures.draw_ratio),
        two(figures.pairs_ratio)
    )?;
    writeln!(
        output,
        "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({} %)",
        figures.games,
        figures.wins,
        figures.losses,
        figures.draws,
        figures.points,
        percent(figures.score)
    )?;
    let pairs: Vec<String> = figures.pentanomial.iter().map(u64::to_string).collect();
    Ok(writeln!(output, "Ptnml(0-2): [{}]", pairs.join(", "))?)
}

fn write_test(test: &ShownTest, output: &mut Output) -> Result<(), Failure> {
    // How far the test has come, of the bound it is heading for.
    let bound = if test.llr < 0.0 { test.lower } else { test.upper };
    write!(
        output,
        "LLR: {:.2} ({:.1}%) ({:.2}, {:.2}) [{:.2}, {:.2}]",
        test.llr,
        100.0 * (test.llr / bound).clamp(0.0, 1.0) * test.llr.signum(),
        test.lower,
        test.upper,
        test.elo0,
        test.elo1
    )?;
    let verdict = match test.verdict {
        Some(Verdict::H0) => "H0 was accepted",
        Some(Verdict::H1) => "H1 was accepted",
        None => "undecided",
    };
    Ok(writeln!(output, ", {verdict}")?)
}

fn write_table(shown: &Shown, output: &mut Output) -> Result<(), Failure> {
    let bold = anstyle::Style::new().bold();
    let width = shown.players.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    writeln!(output, "{bold}Tournament{bold:#} ({}, {}):", shown.limit, shown.rules)?;
    write!(
        output,
        "{:>4} {:<width$} {:>9} {:>8} {:>6} {:>9} {:>8} {:>7}",
        "Rank", "Player", "Elo", "+/-", "Games", "Points", "Score", "Draws"
    )?;
    for rank in 1..=shown.table.len() {
        write!(output, " {rank:>6}")?;
    }
    writeln!(output)?;
    for row in &shown.table {
        let figures = &row.figures;
        write!(
            output,
            "{:>4} {:<width$} {:>9} {:>8} {:>6} {:>9.1} {:>7}% {:>6}%",
            row.rank,
            row.player,
            number(figures.elo, 1),
            number(figures.elo_error, 1),
            figures.games,
            figures.points,
            number(100.0 * figures.score, 1),
            number(100.0 * figures.draws as f64 / figures.games as f64, 1),
        )?;
        for points in &row.against {
            let text = points.map_or_else(|| "-".to_owned(), |points| format!("{points:.1}"));
            write!(output, " {text:>6}")?;
        }
        writeln!(output)?;
    }
    Ok(writeln!(
        output,
        "Elo is against the field; the last columns are points against each rank."
    )?)
}

pub fn write_work(
    report: &Report,
    seconds: f64,
    folder: Option<&Path>,
    shard: Option<Shard>,
    output: &mut Output,
) -> Result<(), Failure> {
    let standing = &report.standing;
    write!(output, "{} games played in {seconds:.1} s", report.played)?;
    if report.found > 0 {
        write!(output, ", {} before", report.found)?;
    }
    if standing.uncounted > 0 {
        write!(output, ", {} not counted: they ended after the test", standing.uncounted)?;
    }
    writeln!(output, "; digest {}", standing.digest)?;
    if let Some(folder) = folder {
        let folder = folder.display();
        match shard {
            None => writeln!(output, "Everything is in {folder}")?,
            Some(shard) => writeln!(
                output,
                "This was part {shard}; when all are done: mousetrap lab merge {folder}"
            )?,
        }
    }
    Ok(())
}
