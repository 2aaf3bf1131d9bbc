//! Engine analysis: the best lines of a search, while it runs and when it is done.

use std::time::{Duration, Instant};

use engine::{Chances, Control, Engine};
use game::limits::Limits;
use game::score::{Bound, Verdict};
use game::truth::Truth;
use jungle::{Color, Ending, Play};
use serde::{Deserialize, Serialize};

use crate::notation::Notated;
use crate::refusal::Refusal;
use crate::request::time;

/// The longest that one request may search.
pub(crate) const LONGEST: Duration = Duration::from_secs(120);
/// The most nodes that one request may search.
const MOST_NODES: u64 = 4_000_000_000;
/// The most lines.
const MOST_LINES: usize = 5;
/// The least time between two reports.
const PAUSE: Duration = Duration::from_millis(100);

/// How long to search.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct SearchRequest {
    /// How many lines, 1 to 5; 1 if left out.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 5))]
    pub lines: Option<usize>,
    /// At most this many plies.
    pub depth: Option<u32>,
    /// At most this many nodes.
    pub nodes: Option<u64>,
    /// At most this many seconds; 120 is the most.
    pub seconds: Option<f64>,
}

impl SearchRequest {
    /// The limits of the search, within what one request may ask for.
    ///
    /// # Errors
    ///
    /// If the seconds are not a time.
    pub fn limits(&self) -> Result<Limits, Refusal> {
        Ok(Limits {
            depth: self.depth.map(|depth| depth.clamp(1, 200)),
            nodes: Some(self.nodes.unwrap_or(MOST_NODES).clamp(1, MOST_NODES)),
            time: Some(time(self.seconds, LONGEST, LONGEST)?),
            ..Limits::default()
        })
    }

    /// How many lines.
    ///
    /// # Errors
    ///
    /// If there are none or too many.
    pub fn lines(&self) -> Result<usize, Refusal> {
        let lines = self.lines.unwrap_or(1);
        if (1..=MOST_LINES).contains(&lines) {
            Ok(lines)
        } else {
            Err(Refusal::bad("lines", format!("{lines} lines: use 1 to {MOST_LINES}")))
        }
    }
}

/// Analyses the position of a game, and tells what is known so far now and then.
pub fn analyse(
    engine: &mut Engine,
    play: &Play,
    limits: Limits,
    control: &Control,
    mut tell: impl FnMut(Analysis),
) -> Analysis {
    let mut news = News::new(engine.options().lines);
    let answer = engine.think(play, limits, control, &mut |line| {
        if let Some(lines) = news.take(line) {
            tell(Analysis::so_far(play, lines));
        }
    });
    Analysis::new(play, &answer)
}

/// The latest lines of a search, reported now and then.
struct News {
    wanted: usize,
    lines: Vec<engine::Line>,
    last_told: Instant,
}

impl News {
    fn new(wanted: usize) -> News {
        News { wanted, lines: Vec::new(), last_told: Instant::now() }
    }

    /// Adds a line; returns all lines, if it is time to report them.
    fn take(&mut self, line: engine::Line) -> Option<&[engine::Line]> {
        if line.pv.is_empty() {
            return None;
        }
        let index = line.index.max(1) - 1;
        match self.lines.get_mut(index) {
            Some(known) => *known = line,
            None => self.lines.push(line),
        }
        let is_time = index + 1 >= self.wanted && self.last_told.elapsed() >= PAUSE;
        if is_time {
            self.last_told = Instant::now();
        }
        is_time.then_some(&self.lines)
    }
}

/// The result of a search: the best move and the best lines.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Analysis {
    /// The position, with its counters.
    pub fen: String,
    /// Who is to move.
    pub turn: Color,
    /// How many plies the best line was searched throughout.
    pub depth: u32,
    /// The most plies searched anywhere.
    pub seldepth: u32,
    /// The score for the side to move, or for the side that would be.
    pub score: Verdict,
    /// How the game may end; null if it is over.
    pub chances: Option<Chances>,
    /// The nodes searched, on all threads.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// The time so far, in seconds.
    pub time: f64,
    /// Positions found in the endgame tables.
    pub tbhits: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The best move; null only if the game is over.
    pub bestmove: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
    /// The best line, as coordinates.
    pub pv: Vec<String>,
    /// The best line in the papers' form.
    pub san: Vec<String>,
    /// The best lines, best first; none if the game is over.
    pub lines: Vec<AnalysisLine>,
    /// How the game ended, if it is over.
    pub ending: Option<Ending>,
    /// Whether the search is over.
    pub done: bool,
}

/// A line of play and its score.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysisLine {
    /// 1 for the best line, 2 for the second best, and so on.
    pub index: usize,
    /// How many plies were searched throughout.
    pub depth: u32,
    /// The most plies searched anywhere.
    pub seldepth: u32,
    /// The score for the side to move.
    pub score: Verdict,
    /// Whether the score is exact, or a lower or an upper bound.
    pub bound: Bound,
    /// How the game may end.
    pub chances: Chances,
    /// The nodes so far, on all threads.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// The time so far, in seconds.
    pub time: f64,
    /// Positions found in the endgame tables.
    pub tbhits: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The moves as coordinates.
    pub pv: Vec<String>,
    /// The same in the papers' form.
    pub san: Vec<String>,
}

impl AnalysisLine {
    /// A line of a search of this game's position.
    pub fn new(play: &Play, line: &engine::Line) -> AnalysisLine {
        let Notated { coordinates, algebraic } =
            Notated::new(play.jungle(), play.position(), &line.pv);
        AnalysisLine {
            index: line.index,
            depth: line.depth,
            seldepth: line.seldepth,
            score: line.verdict(),
            bound: line.bound,
            chances: line.chances,
            nodes: line.nodes,
            nps: line.nps(),
            time: seconds(line.time),
            tbhits: line.tbhits,
            hashfull: line.hashfull,
            pv: coordinates,
            san: algebraic,
        }
    }
}

impl Analysis {
    /// The result of a finished search.
    pub fn new(play: &Play, answer: &engine::Answer) -> Analysis {
        let analysis = Analysis::of_lines(play, &answer.lines);
        Analysis {
            nodes: answer.nodes,
            nps: answer.nps(),
            time: seconds(answer.time),
            bestmove: answer.best.map(|mv| mv.to_string()),
            ponder: answer.ponder.map(|mv| mv.to_string()),
            ending: answer.ending,
            done: true,
            ..analysis
        }
    }

    /// The result of a running search so far, best line first.
    pub fn so_far(play: &Play, lines: &[engine::Line]) -> Analysis {
        Analysis::of_lines(play, lines)
    }

    fn of_lines(play: &Play, found: &[engine::Line]) -> Analysis {
        let lines: Vec<AnalysisLine> =
            found.iter().map(|line| AnalysisLine::new(play, line)).collect();
        let best = lines.first();
        let latest = lines.iter().max_by_key(|line| line.nodes);
        let latest = |number: fn(&AnalysisLine) -> u64| latest.map_or(0, number);
        Analysis {
            fen: play.setup().to_string(),
            turn: play.position().turn(),
            depth: best.map_or(0, |line| line.depth),
            seldepth: best.map_or(0, |line| line.seldepth),
            // Without a line the game is over.
            score: best
                .map_or_else(|| play.truth().unwrap_or(Truth::Draw).into(), |line| line.score),
            chances: best.map(|line| line.chances),
            nodes: latest(|line| line.nodes),
            nps: latest(|line| line.nps),
            time: lines.iter().map(|line| line.time).fold(0.0, f64::max),
            tbhits: latest(|line| line.tbhits),
            hashfull: lines.iter().map(|line| line.hashfull).max().unwrap_or(0),
            bestmove: best.and_then(|line| line.pv.first().cloned()),
            ponder: best.and_then(|line| line.pv.get(1).cloned()),
            pv: best.map_or_else(Vec::new, |line| line.pv.clone()),
            san: best.map_or_else(Vec::new, |line| line.san.clone()),
            lines,
            ending: None,
            done: false,
        }
    }
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}
