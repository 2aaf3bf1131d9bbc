//! Analysis of a position of Amazons: the champion, plain alpha-beta, alpha-beta over regions with the values that
//! it adds up, and the exact solver of endgames.
//!
//! The exact solver counts steps and has no clock; it is given steps in growing portions, and between two of
//! them the clock and the stop flag are checked. It keeps what it has learned, so at most about half of the
//! work is done twice.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use amazons::champion::{Champion, Settings};
use amazons::divide::{Divide, SubBoard};
use amazons::evaluate::{Parts, Weights};
use amazons::exact::{Solver, TooHard};
use amazons::region;
use amazons::{Amazons, Move, Position};
use game::limits::{Limits, Meter, StopFlag};
use game::score::Score;
use game::truth::Truth;
use game::{Game, Side};
use search::{Report, Schedule, deepen};
use serde::{Deserialize, Serialize};

use super::{Region, winner};
use crate::refusal::Refusal;
use crate::request::time;

/// The default and the largest budget of a search.
const USUAL_NODES: u64 = 200_000;
const MOST_NODES: u64 = 10_000_000;
/// The exact solver remembers every step, so it has fewer.
const MOST_STEPS: u64 = 1_000_000;
const USUAL_TIME: Duration = Duration::from_secs(3);
const LONGEST: Duration = Duration::from_secs(15);
/// The deepest search that can be asked for.
const DEEPEST: u32 = 200;
/// The first portion of the exact solver's steps.
const FIRST_STEPS: u64 = 4_000;
/// What the exact value of one region may cost.
const VALUE_STEPS: u64 = 20_000;
/// A longer exact value is left out.
const LONGEST_VALUE: usize = 40;

/// How to search.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct SearchRequest {
    /// `champion` (the strongest), `plain` (alpha-beta), `regions` (alpha-beta over regions) or `exact` (who wins, for
    /// endgames); `regions` if left out.
    #[cfg_attr(feature = "openapi", param(example = "regions"))]
    pub algorithm: Option<String>,
    /// At most this many positions, or steps of the exact solver; 200,000 if left out. Ten million, or a million
    /// steps, is the most.
    #[cfg_attr(feature = "openapi", param(minimum = 1))]
    pub nodes: Option<u64>,
    /// At most this many seconds; 3 if left out, 15 at most.
    pub seconds: Option<f64>,
    /// At most this many plies.
    #[cfg_attr(feature = "openapi", param(minimum = 1))]
    pub depth: Option<u32>,
}

impl SearchRequest {
    /// What to find out about a position in which the game goes on.
    ///
    /// # Errors
    ///
    /// If something is not understood, or the game is over.
    pub fn question(&self, position: &Position) -> Result<Question, Refusal> {
        let algorithm: Algorithm = self.algorithm.as_deref().unwrap_or("regions").parse()?;
        let nodes = self.nodes.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES);
        let limits = Limits::nodes(nodes)
            .with_time(time(self.seconds, USUAL_TIME, LONGEST)?)
            .with_depth(self.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST));
        if let Some(winner) = winner(position) {
            let message = format!("the game is over: {} wins", amazons::player_name(winner));
            return Err(Refusal::bad("game-over", message));
        }
        let steps = nodes.min(MOST_STEPS);
        let solving = Solving {
            steps,
            steps_each: steps,
            value_steps: VALUE_STEPS,
            portion: FIRST_STEPS,
            longest_value: LONGEST_VALUE,
        };
        let solving = (algorithm == Algorithm::Exact).then_some(solving);
        Ok(Question { algorithm, limits, solving })
    }
}

/// Which search answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = AmazonsAlgorithm))]
pub enum Algorithm {
    /// The strong player. The plies of a win that it reports are the most that it can take.
    Champion,
    /// Alpha-beta.
    Plain,
    /// Alpha-beta over regions.
    Regions,
    /// The solver of endgames.
    Exact,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 4] =
        [Algorithm::Champion, Algorithm::Plain, Algorithm::Regions, Algorithm::Exact];
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Algorithm::Champion => "champion",
            Algorithm::Plain => "plain",
            Algorithm::Regions => "regions",
            Algorithm::Exact => "exact",
        })
    }
}

impl FromStr for Algorithm {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Algorithm, Refusal> {
        let found = Algorithm::ALL.into_iter().find(|known| known.to_string() == text);
        found.ok_or_else(|| {
            let message =
                format!("'{text}' is not an algorithm: use champion, plain, regions or exact");
            Refusal::bad("algorithm", message)
        })
    }
}

/// The question: what to find out about a position.
#[derive(Clone, Debug)]
pub struct Question {
    /// The search; `exact` searches nothing and only solves.
    pub algorithm: Algorithm,
    /// The limits of the search, and the clock and stop flag of the solver.
    pub limits: Limits,
    /// The limits of the endgame solver, if it is to be used.
    pub solving: Option<Solving>,
}

/// The limits of the endgame solver.
#[derive(Clone, Copy, Debug)]
pub struct Solving {
    /// Steps in all.
    pub steps: u64,
    /// Steps for one position.
    pub steps_each: u64,
    /// Steps for the value of one region.
    pub value_steps: u64,
    /// The first portion of steps, after which the clock is checked.
    pub portion: u64,
    /// Values that take more letters than this are left out.
    pub longest_value: usize,
}

/// The analysis of a position of Amazons.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = AmazonsAnalysis))]
pub struct Analysis {
    /// Which search.
    pub algorithm: Algorithm,
    /// The position.
    pub fen: String,
    /// Who is to move.
    pub turn: Side,
    /// How many legal moves there are.
    pub count: u64,
    /// The static evaluation, for the side to move.
    pub evaluation: i32,
    /// Its terms, for White: squares that queens' moves reach first, …
    pub queen_territory: i32,
    /// … that kings' moves reach first, …
    pub king_territory: i32,
    /// … and mobility.
    pub mobility: i32,
    /// The regions in which a player can move.
    pub regions: Vec<AnalysedRegion>,
    /// How many plies were searched throughout.
    pub depth: u32,
    /// The value of the position by the search, for the side to move; estimates are in hundredths of a square
    /// of territory. Null for `exact`.
    pub score: Option<Score>,
    /// The best move: the search's, or for `exact` one that wins.
    pub best: Option<String>,
    /// The positions visited by the search.
    pub nodes: u64,
    /// The time taken, in seconds.
    pub time: f64,
    /// Who wins with best play, if known.
    pub winner: Option<Side>,
    /// A move that wins, if the solver found one.
    pub winning_move: Option<String>,
    /// The steps of the solver.
    pub solver_steps: u64,
}

/// A region and what it is worth. The value of the board by regions is the sum of `pass` over all of them and the
/// largest difference of `move` and `pass`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = AmazonsAnalysedRegion))]
pub struct AnalysedRegion {
    /// The region.
    #[serde(flatten)]
    pub region: Region,
    /// Its static evaluation, for the side to move.
    pub evaluation: i32,
    /// By `regions`: its value for the side to move, moving in it; null if that is impossible.
    #[serde(rename = "move")]
    pub mv: Option<i32>,
    /// By `regions`: its value for the side to move, moving elsewhere.
    pub pass: Option<i32>,
    /// By `regions`: the best move in it.
    pub best: Option<String>,
    /// By the solver: its value as a combinatorial game, White's moves positive, if that is short enough to print.
    pub value: Option<String>,
}

impl Analysis {
    /// Answers the question about a position.
    pub fn new(position: &Position, question: &Question) -> Analysis {
        let begun = Instant::now();
        let mut found = Analysis::at_once(position, question.algorithm);
        match question.algorithm {
            Algorithm::Champion => {
                let mut champion = Champion::new(Settings::default());
                found.searched(position, &champion.think(position, &question.limits, |_| ()));
            }
            Algorithm::Plain => {
                found.search(&mut Divide::plain(Weights::default()), position, &question.limits);
            }
            Algorithm::Regions => {
                let mut search = Divide::new(Weights::default());
                found.search(&mut search, position, &question.limits);
                found.add_parts(&mut search, position, &question.limits);
            }
            Algorithm::Exact => {}
        }
        if let Some(solving) = question.solving {
            found.solve(position, Patient::new(solving, &question.limits, begun));
        }
        found.time = begun.elapsed().as_secs_f64();
        found
    }

    /// The analysis without a search.
    fn at_once(position: &Position, algorithm: Algorithm) -> Analysis {
        let (weights, terms) = (Weights::default(), Parts::of(position));
        let regions = region::regions(position);
        let regions = regions.iter().filter(|region| region.kind.is_executing());
        let region = |region: &region::Region| AnalysedRegion {
            region: Region::new(position, region),
            evaluation: weights.value(&position.restricted(region.squares)),
            mv: None,
            pass: None,
            best: None,
            value: None,
        };
        Analysis {
            algorithm,
            fen: position.to_string(),
            turn: position.turn(),
            count: Amazons.count_moves(position),
            evaluation: weights.value(position),
            queen_territory: terms.queen_territory,
            king_territory: terms.king_territory,
            mobility: terms.mobility,
            regions: regions.map(region).collect(),
            depth: 0,
            score: None,
            best: None,
            nodes: 0,
            time: 0.0,
            winner: winner(position),
            winning_move: None,
            solver_steps: 0,
        }
    }

    fn search(&mut self, search: &mut Divide, position: &Position, limits: &Limits) {
        // A player who cannot move in a region waits there, so filling it takes two plies a square.
        let last = limits.last_depth().min(2 * position.empty().len());
        let limits = limits.clone().with_depth(last);
        self.searched(position, &deepen(search, position, Schedule::EVERY_PLY, &limits, |_| ()));
    }

    fn searched(&mut self, position: &Position, report: &Report<Move>) {
        let wins = match report.score.truth() {
            Some(Truth::Win(_)) => Some(position.turn()),
            Some(Truth::Loss(_)) => Some(!position.turn()),
            Some(Truth::Draw) | None => None,
        };
        self.score = Some(report.score);
        self.best = report.best().map(|mv| mv.to_string());
        self.winner = self.winner.or(wins);
        self.depth = report.depth;
        self.nodes = report.nodes;
    }

    /// The values that the search has added up; it remembers them, so that this costs next to nothing.
    fn add_parts(&mut self, search: &mut Divide, position: &Position, limits: &Limits) {
        let mut meter = Meter::new(limits);
        let found = search.sub_boards(position, self.depth, &mut meter).unwrap_or_default();
        for SubBoard { region, moving, non_move, .. } in found {
            let first = region.squares.into_iter().next().map(|square| square.to_string());
            let known = self.regions.iter_mut();
            let Some(known) =
                known.into_iter().find(|known| known.region.squares.first() == first.as_ref())
            else {
                continue;
            };
            known.mv = moving.map(|found| found.value);
            known.pass = Some(non_move);
            known.best = moving.and_then(|found| found.best).map(|mv| mv.to_string());
        }
    }

    fn solve(&mut self, position: &Position, mut solver: Patient<'_>) {
        let regions = region::regions(position);
        let regions = regions.iter().filter(|region| region.kind.is_executing());
        if self.count > 0 {
            let solved = solver.winner(position);
            self.winner = solved;
            if solved == Some(position.turn()) {
                self.winning_move = solver.winning_move(position).map(|mv| mv.to_string());
            }
        }
        for (known, region) in self.regions.iter_mut().zip(regions) {
            known.value = solver.value(&position.restricted(region.squares));
        }
        if self.algorithm == Algorithm::Exact {
            self.best = self.winning_move.clone();
        }
        self.solver_steps = solver.solver.steps();
    }
}

/// The exact solver within its limits.
struct Patient<'a> {
    solver: Solver,
    solving: Solving,
    limits: &'a Limits,
    begun: Instant,
}

impl<'a> Patient<'a> {
    fn new(solving: Solving, limits: &'a Limits, begun: Instant) -> Patient<'a> {
        Patient { solver: Solver::new(), solving, limits, begun }
    }

    /// The steps left for a question that may cost this many.
    fn left(&self, most: u64) -> u64 {
        let stopped = self.limits.stop.as_ref().is_some_and(StopFlag::is_raised);
        if stopped || self.limits.time.is_some_and(|time| self.begun.elapsed() >= time) {
            return 0;
        }
        self.solving.steps.saturating_sub(self.solver.steps()).min(most)
    }

    /// Who wins, if there are steps and time enough.
    fn winner(&mut self, position: &Position) -> Option<Side> {
        let mut portion = self.solving.portion;
        loop {
            let limit = self.left(portion.min(self.solving.steps_each));
            if limit == 0 {
                return None;
            }
            match self.solver.winner(position, limit) {
                Ok(player) => return Some(player),
                Err(TooHard { .. }) if portion >= self.solving.steps_each => return None,
                Err(TooHard { .. }) => portion *= 2,
            }
        }
    }

    fn winning_move(&mut self, position: &Position) -> Option<Move> {
        let wins = |mv: &Move| {
            self.winner(&Amazons.after(position, *mv)).is_some_and(|who| who == position.turn())
        };
        Amazons.moves(position).into_iter().find(wins)
    }

    fn value(&mut self, part: &Position) -> Option<String> {
        let value = self.solver.describe(part, self.left(self.solving.value_steps))?;
        Some(value).filter(|text| text.len() <= self.solving.longest_value)
    }
}
