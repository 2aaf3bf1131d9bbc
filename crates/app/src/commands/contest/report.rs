//! The result of a contest as text: score, Elo, LOS, SPRT, as fastchess prints them.

use std::io::Write;
use std::path::Path;

use lab::contest::ContestResult;
use lab::schedule::Shard;
use lab::stats::SprtDecision;
use lab::summary::{ScoreSummary, SprtSummary, Summary};
use studies::number;

use crate::failure::Failure;
use crate::output::Output;

/// How many faults are listed one by one.
const LISTED_FAULTS: usize = 10;

pub fn write(shown: &Summary, output: &mut Output) -> Result<(), Failure> {
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
fn write_figures(figures: &ScoreSummary, output: &mut Output) -> Result<(), Failure> {
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

fn write_test(test: &SprtSummary, output: &mut Output) -> Result<(), Failure> {
    write!(
        output,
        "LLR: {:.2} ({:.1}%) ({:.2}, {:.2}) [{:.2}, {:.2}]",
        test.llr,
        100.0 * test.progress(),
        test.lower,
        test.upper,
        test.elo0,
        test.elo1
    )?;
    let decision = match test.decision {
        Some(SprtDecision::H0) => "H0 was accepted",
        Some(SprtDecision::H1) => "H1 was accepted",
        None => "undecided",
    };
    Ok(writeln!(output, ", {decision}")?)
}

fn write_table(shown: &Summary, output: &mut Output) -> Result<(), Failure> {
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
            number(100.0 * figures.drawn(), 1),
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
    report: &ContestResult,
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
