//! Search reports: lines of the principal variation while it runs, and the final answer.

use std::time::Duration;

use game::limits::nps;
use game::score::{Bound, Score, Verdict};
use game::truth::Truth;
use jungle::{Ending, Move};
use serde::Serialize;

use crate::pacing::Signs;

/// An event of a search.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line was searched to a new depth, or a bound on its score was found.
    Line(Line),
    /// The search is over; always the last event, and always sent.
    Finished(Answer),
}

/// A line of play and its score.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// How many plies were searched throughout.
    pub depth: u32,
    /// The most plies searched anywhere.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second best, and so on.
    pub index: usize,
    /// The score for the player to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Whether a draw is certain, and not just the estimate.
    pub drawn: bool,
    /// How the game may end.
    pub chances: Chances,
    /// The nodes so far, on all threads.
    pub nodes: u64,
    /// The time so far.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// How many positions were found in the endgame tables.
    pub tbhits: u64,
    /// The moves.
    pub pv: Vec<Move>,
    /// How settled the search is, after a depth that was searched for one line.
    pub signs: Option<Signs>,
}

impl Line {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        nps(self.nodes, self.time)
    }

    /// What is known or estimated of the line.
    pub fn verdict(&self) -> Verdict {
        if self.drawn { Verdict::Known(Truth::Draw) } else { self.score.verdict() }
    }
}

/// Estimated chances of the player to move (win, draw, loss), in thousandths; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Chances {
    /// Of winning.
    pub win: u16,
    /// Of drawing.
    pub draw: u16,
    /// Of losing.
    pub loss: u16,
}

impl Chances {
    /// The chances that go with a score.
    ///
    /// The curve is a pair of logistic functions whose two constants are a guess: they show a tendency, and
    /// have not been fitted to games.
    pub fn of(score: Score) -> Chances {
        const MIDDLE: f64 = 350.0;
        const WIDTH: f64 = 160.0;
        let chance = |x: f64| (1000.0 / (1.0 + ((MIDDLE - x) / WIDTH).exp())).round() as u16;
        match score.verdict() {
            Verdict::Known(Truth::Win(_)) => Chances { win: 1000, draw: 0, loss: 0 },
            Verdict::Known(Truth::Draw) => Chances { win: 0, draw: 1000, loss: 0 },
            Verdict::Known(Truth::Loss(_)) => Chances { win: 0, draw: 0, loss: 1000 },
            Verdict::Estimate(value) => {
                let (win, loss) = (chance(f64::from(value)), chance(-f64::from(value)));
                Chances { win, draw: 1000 - win - loss, loss }
            }
        }
    }
}

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The best move found; `None` only if the game is over.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// How the game ended, if it is over.
    pub ending: Option<Ending>,
    /// The best lines, best first; at least one unless the game is over.
    pub lines: Vec<Line>,
    /// The nodes searched, on all threads.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Answer {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        nps(self.nodes, self.time)
    }

    /// The score of the best move for the player who makes it. Of a finished game: a draw or a loss,
    /// unless the player who would be to move has won.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::DRAW, |line| line.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_rise_with_the_score() {
        let mut last = 0;
        for value in (-30_000..=30_000).step_by(37) {
            let chances = Chances::of(Score::estimate(value));
            assert_eq!(chances.win + chances.draw + chances.loss, 1000);
            assert!(chances.win >= last);
            last = chances.win;
        }
        assert_eq!(Chances::of(Score::win_in(7)).win, 1000);
        assert_eq!(Chances::of(Score::loss_in(7)).loss, 1000);
    }
}
