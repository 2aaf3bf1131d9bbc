//! Lines as the user sees them: a table that is redrawn on a terminal, a line a depth elsewhere.

use std::io::Write;

use engine::{Answer, Bound, Line};
use game::score::{Score, Verdict};
use jungle::{Move, Notation, Play};

use crate::failure::Failure;
use crate::output::Output;

const ALGEBRAIC: Notation = Notation::Algebraic { marks: true };

/// How many moves of a line fit a row.
const MOVES_SHOWN: usize = 10;

/// What is on the screen.
pub struct Screen<'a> {
    play: &'a Play,
    shows: bool,
    live: bool,
    rows: Vec<Line>,
    drawn: usize,
}

impl<'a> Screen<'a> {
    /// A screen that shows nothing unless `shows`, and redraws itself if `live`.
    pub fn new(play: &'a Play, shows: bool, live: bool) -> Screen<'a> {
        Screen { play, shows, live, rows: Vec::new(), drawn: 0 }
    }

    /// A new line was found.
    pub fn line(&mut self, line: &Line, output: &mut Output) -> Result<(), Failure> {
        if !self.shows {
            return Ok(());
        }
        if !self.live {
            if self.drawn == 0 {
                writeln!(output, "{HEAD}")?;
                self.drawn = 1;
            }
            writeln!(output, "{}", self.row(line))?;
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
            writeln!(output, "{}", self.row(row))?;
        }
        self.drawn = self.rows.len() + 1;
        output.flush()
    }

    fn row(&self, line: &Line) -> String {
        let shown = line.pv.len().min(MOVES_SHOWN);
        let rest = if line.pv.len() > shown { " …" } else { "" };
        format!(
            "{:>3} {:>5}/{:<3} {:>11} {:>12} {:>6.1} {:>8.2}  {}{rest}",
            line.index,
            line.depth,
            line.seldepth,
            score(line),
            line.nodes,
            line.nps() as f64 / 1e6,
            line.time.as_secs_f64(),
            self.words(&line.pv[..shown])
        )
    }

    /// The moves in the papers' notation.
    fn words(&self, pv: &[Move]) -> String {
        let mut position = self.play.position().clone();
        let words: Vec<String> = pv
            .iter()
            .map(|&mv| {
                let text = ALGEBRAIC.write(self.play.jungle(), &position, mv);
                position.make(mv);
                text
            })
            .collect();
        words.join(" ")
    }

    /// The search is over.
    pub fn finished(&self, answer: &Answer, output: &mut Output) -> Result<(), Failure> {
        if let Some(ending) = answer.ending {
            writeln!(output, "The game is over: {ending}")?;
            return Ok(());
        }
        let Some(best) = answer.best else {
            writeln!(output, "Nothing was found in so little time.")?;
            return Ok(());
        };
        let turn = self.play.position().turn();
        let verdict = match answer.lines.first() {
            Some(line) if line.drawn => "a draw, by the tables".to_owned(),
            Some(line) => in_words(line.score),
            None => "unknown".to_owned(),
        };
        let bold = anstyle::Style::new().bold();
        let words = self.words(&[best]);
        writeln!(output, "{bold}{turn} plays {best} ({words}){bold:#}: {verdict}")?;
        Ok(())
    }
}

const HEAD: &str = "  # depth/sel       score        nodes  Mnps  seconds  line";

fn score(line: &Line) -> String {
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => "≥",
        Bound::Upper => "≤",
    };
    match line.score.verdict() {
        _ if line.drawn => "draw".to_owned(),
        Verdict::Estimate(value) => format!("{bound}{:+.2}", f64::from(value) / 100.0),
        Verdict::Win(plies) => format!("{bound}win {plies}"),
        Verdict::Loss(plies) => format!("{bound}loss {plies}"),
    }
}

fn in_words(score: Score) -> String {
    let count = |plies| if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
    match score.verdict() {
        Verdict::Win(plies) => format!("wins in {}", count(plies)),
        Verdict::Loss(plies) => format!("loses in {} at the latest", count(plies)),
        Verdict::Estimate(value) => format!("{:+.2}", f64::from(value) / 100.0),
    }
}
