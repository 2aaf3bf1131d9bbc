//! Lines as the user sees them: a table that is redrawn on a terminal, a line a depth elsewhere.

use std::io::Write;

use answers::{Analysis, AnalysisLine};
use game::score::{Bound, Verdict};
use game::truth::{Plies, Truth};

use crate::failure::Failure;
use crate::output::Output;

/// How many moves of a line fit a row.
const MOVES_SHOWN: usize = 10;

/// The state of the screen.
pub struct Screen {
    shows: bool,
    live: bool,
    rows: Vec<AnalysisLine>,
    drawn: usize,
}

impl Screen {
    /// A screen that shows nothing unless `shows`, and redraws itself if `live`.
    pub fn new(shows: bool, live: bool) -> Screen {
        Screen { shows, live, rows: Vec::new(), drawn: 0 }
    }

    /// A new line was found.
    pub fn line(&mut self, line: &AnalysisLine, output: &mut Output) -> Result<(), Failure> {
        if !self.shows {
            return Ok(());
        }
        if !self.live {
            if self.drawn == 0 {
                writeln!(output, "{HEAD}")?;
                self.drawn = 1;
            }
            writeln!(output, "{}", row(line))?;
            return output.flush();
        }
        self.rows.retain(|row| row.index != line.index);
        self.rows.push(line.clone());
        self.rows.sort_by_key(|row| row.index);
        // Back to the top of the table, and clear what is below.
        if self.drawn > 0 {
            write!(output, "\x1b[{}A\x1b[J", self.drawn)?;
        }
        writeln!(output, "{HEAD}")?;
        for row in &self.rows {
            writeln!(output, "{}", self::row(row))?;
        }
        self.drawn = self.rows.len() + 1;
        output.flush()
    }

    /// The search is over.
    pub fn finished(&self, analysis: &Analysis, output: &mut Output) -> Result<(), Failure> {
        if let Some(ending) = &analysis.ending {
            writeln!(output, "The game is over: {ending}")?;
            return Ok(());
        }
        let Some(best) = &analysis.bestmove else {
            writeln!(output, "No move was found in the time allowed.")?;
            return Ok(());
        };
        let verdict = match analysis.lines.first() {
            Some(line) => in_words(line.score),
            None => "unknown".to_owned(),
        };
        let bold = anstyle::Style::new().bold();
        let (turn, san) = (analysis.turn, analysis.san.first().map_or("", String::as_str));
        writeln!(output, "{bold}{turn} plays {best} ({san}){bold:#}: {verdict}")?;
        Ok(())
    }
}

const HEAD: &str = "  # depth/sel       score        nodes  Mnps  seconds  line";

fn row(line: &AnalysisLine) -> String {
    let shown = line.san.len().min(MOVES_SHOWN);
    let rest = if line.san.len() > shown { " …" } else { "" };
    format!(
        "{:>3} {:>5}/{:<3} {:>11} {:>12} {:>6.1} {:>8.2}  {}{rest}",
        line.index,
        line.depth,
        line.seldepth,
        score(line),
        line.nodes,
        line.nps as f64 / 1e6,
        line.time,
        line.san[..shown].join(" ")
    )
}

fn score(line: &AnalysisLine) -> String {
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => "≥",
        Bound::Upper => "≤",
    };
    match line.score {
        Verdict::Estimate(value) => format!("{bound}{:+.2}", f64::from(value) / 100.0),
        Verdict::Known(Truth::Win(plies)) => format!("{bound}win {plies}"),
        Verdict::Known(Truth::Draw) => "draw".to_owned(),
        Verdict::Known(Truth::Loss(plies)) => format!("{bound}loss {plies}"),
    }
}

fn in_words(verdict: Verdict) -> String {
    match verdict {
        Verdict::Estimate(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Verdict::Known(Truth::Win(plies)) => format!("wins in {}", Plies(plies)),
        Verdict::Known(Truth::Draw) => "a draw, by the tables".to_owned(),
        Verdict::Known(Truth::Loss(plies)) => format!("loses in {} at the latest", Plies(plies)),
    }
}
