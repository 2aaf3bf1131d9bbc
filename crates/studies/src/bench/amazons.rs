//! Amazons: move generation and search compared with their plain versions, in turns. Where both have to give the
//! same answer, that is checked.

use std::fmt::Write;
use std::time::Instant;

use amazons::divide::Divide;
use amazons::evaluate::Weights;
use amazons::exact::{Solver, brute_force};
use amazons::naive::{Board, Naive};
use amazons::{Amazons, Move, Position, Size};
use clap::Args;
use game::limits::Limits;
use game::perft::perft;
use game::rng::Rng;
use game::{Game, Side};
use search::{AlphaBeta, Minimax, Report, fixed};
use serde::{Deserialize, Serialize};

use crate::parameter::within;
use crate::study::each;
use crate::xu_xing_zuo::start;
use crate::{Context, Draft, Study, StudyError};

/// The speed of Amazons.
pub struct AmazonsSpeed;

/// What is compared.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// Compare how far the two solvers get instead
    #[arg(long)]
    pub reach: bool,
    /// How many times each is measured; the best counts
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
}

impl Default for Params {
    fn default() -> Params {
        Params { reach: false, rounds: 3 }
    }
}

/// What came out.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Results {
    /// Two versions of the same work.
    Speed(Vec<Pairing>),
    /// How far the two solvers get.
    Reach(Vec<Reach>),
}

/// Two versions of the same work; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Pairing {
    what: &'static str,
    plain: &'static str,
    fast: &'static str,
    plain_nodes: u64,
    fast_nodes: u64,
    plain_seconds: f64,
    fast_seconds: f64,
    /// How many times faster.
    ratio: f64,
    /// Whether both gave the same answer, where they have to; null where they need not.
    same_answer: Option<bool>,
}

/// What one version did, and what it found if the other has to find the same.
#[derive(Default)]
struct Work {
    nodes: u64,
    answer: Option<String>,
}

impl Work {
    fn answered(nodes: u64, answer: impl ToString) -> Work {
        Work { nodes, answer: Some(answer.to_string()) }
    }

    fn of_search(report: Option<Report<Move>>) -> Work {
        let (nodes, score) = report.map_or((0, None), |found| (found.nodes, Some(found.score)));
        Work::answered(nodes, format!("{score:?}"))
    }
}

type Version<'a> = (&'static str, &'a dyn Fn() -> Work);

/// How many endgames of each size [`Reach`] tries, and when the solvers give up.
const ENDGAMES: usize = 20;
const MOST_POSITIONS: u64 = 1_000_000;
const MOST_STEPS: u64 = 1_000_000;

/// How many endgames of a size each solver solves; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Reach {
    squares: u32,
    endgames: usize,
    brute_force_solved: usize,
    brute_force_seconds: f64,
    exact_solved: usize,
    exact_seconds: f64,
}

impl Study for AmazonsSpeed {
    const NAME: &'static str = "amazons-bench";
    const TITLE: &'static str = "Amazons: move generation and search beside their plain versions";
    const ABOUT: &'static str =
        "Amazons: move generation and search beside their plain versions, in turns";
    const TAKES: &'static str = "a minute";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        within("rounds", params.rounds, 1..=1000)?;
        let results = if params.reach {
            Results::Reach(reach(context)?)
        } else {
            Results::Speed(speed(params.rounds, context)?)
        };
        Ok(Some(results))
    }

    fn render(_: &Params, results: &Results) -> String {
        let mut text = String::new();
        match results {
            Results::Speed(rows) => {
                for Pairing { what, plain, fast, plain_nodes, fast_nodes, ratio, .. } in rows {
                    let _ = writeln!(
                        text,
                        "{what}: {fast} {ratio:.1} times as fast as {plain} ({fast_nodes} and {plain_nodes})"
                    );
                }
            }
            Results::Reach(rows) => {
                let _ = writeln!(
                    text,
                    "{ENDGAMES} endgames on 8x8: solved, and seconds, by brute force and exactly"
                );
                for row in rows {
                    let _ = writeln!(
                        text,
                        "{:>3} squares: {:>3} {:>8.2} s   {:>3} {:>8.2} s",
                        row.squares,
                        row.brute_force_solved,
                        row.brute_force_seconds,
                        row.exact_solved,
                        row.exact_seconds
                    );
                }
            }
        }
        text
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        match results {
            Results::Speed(rows) => each(rows),
            Results::Reach(rows) => each(rows),
        }
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        draft.parameter("rounds", params.rounds).results(results)
    }
}

fn reach(context: &mut Context<'_>) -> Result<Vec<Reach>, StudyError> {
    let size = Size::new(8, 8).expect("eight is a size");
    let mut rows = Vec::new();
    context.progress.begin("sizes", Some(11));
    for squares in (10..=30).step_by(2) {
        let endgames = endgames(size, squares, ENDGAMES);
        let clock = Instant::now();
        let brute_force_solved =
            endgames.iter().filter(|at| brute_force(at, MOST_POSITIONS).is_ok()).count();
        let brute_force_seconds = clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        let solves = |at: &&Position| Solver::new().winner(at, MOST_STEPS).is_ok();
        let exact_solved = endgames.iter().filter(solves).count();
        let exact_seconds = clock.elapsed().as_secs_f64();
        rows.push(Reach {
            squares,
            endgames: endgames.len(),
            brute_force_solved,
            brute_force_seconds,
            exact_solved,
            exact_seconds,
        });
        context.advance()?;
    }
    context.progress.end();
    Ok(rows)
}

fn speed(rounds: u32, context: &mut Context<'_>) -> Result<Vec<Pairing>, StudyError> {
    let usual = start(Size::USUAL);
    let board = Board::from(&usual);
    let small = start(Size::new(5, 5).expect("five is a size"));
    let weights = Weights::default();
    let endgames = endgames(Size::new(6, 6).expect("six is a size"), 11, ENDGAMES);
    let small_board = Board::from(&small);
    let perft_two = |count: u64| Work::answered(count, count);
    let rows: [(&'static str, Version<'_>, Version<'_>); 5] = [
        (
            "perft 2 on 10x10",
            ("naive, listed", &|| perft_two(perft(&Naive, &board, 2))),
            ("bitboards, last ply in bulk", &|| perft_two(perft(&Amazons, &usual, 2))),
        ),
        (
            "alpha-beta to depth 2 on 5x5",
            ("the same on the naive board", &|| {
                let mut search = AlphaBeta::new(&Naive, &weights).order(by_squares);
                in_full(fixed(&mut search, &small_board, 2, &Limits::none()))
            }),
            ("on bitboards", &|| {
                let mut search = AlphaBeta::new(&Amazons, &weights).order(by_squares);
                in_full(fixed(&mut search, &small, 2, &Limits::none()))
            }),
        ),
        (
            "search to depth 2 on 5x5",
            ("minimax", &|| {
                let mut search = Minimax::new(&Amazons, &weights);
                Work::of_search(fixed(&mut search, &small, 2, &Limits::none()))
            }),
            ("alpha-beta", &|| {
                let mut search = Divide::plain(weights);
                Work::of_search(fixed(&mut search, &small, 2, &Limits::none()))
            }),
        ),
        (
            "endgames solved",
            ("brute force, positions", &|| {
                let solved = endgames.iter().filter_map(|at| brute_force(at, u64::MAX).ok());
                let (winners, nodes): (Vec<Side>, Vec<u64>) = solved.unzip();
                Work::answered(nodes.iter().sum(), format!("{winners:?}"))
            }),
            ("sums of regions, steps", &|| {
                let (mut steps, mut winners) = (0, Vec::new());
                for at in &endgames {
                    let mut solver = Solver::new();
                    winners.extend(solver.winner(at, u64::MAX));
                    steps += solver.steps();
                }
                Work::answered(steps, format!("{winners:?}"))
            }),
        ),
        (
            "search of endgames to depth 4",
            ("plain alpha-beta", &|| search_all(&endgames, || Divide::plain(weights))),
            ("by regions", &|| search_all(&endgames, || Divide::new(weights))),
        ),
    ];
    context.progress.begin("comparisons", Some(rows.len() as u64));
    let mut found = Vec::new();
    for (what, plain, fast) in rows {
        found.push(in_turns(what, plain, fast, rounds)?);
        context.advance()?;
    }
    context.progress.end();
    Ok(found)
}

/// Measures two versions in turns; the best of each counts.
fn in_turns(
    what: &'static str,
    (plain, slow): Version<'_>,
    (fast, quick): Version<'_>,
    rounds: u32,
) -> Result<Pairing, StudyError> {
    let (mut plain_seconds, mut fast_seconds) = (f64::INFINITY, f64::INFINITY);
    let (mut plain_work, mut fast_work) = (Work::default(), Work::default());
    for _ in 0..rounds {
        let clock = Instant::now();
        plain_work = slow();
        plain_seconds = plain_seconds.min(clock.elapsed().as_secs_f64());
        let clock = Instant::now();
        fast_work = quick();
        fast_seconds = fast_seconds.min(clock.elapsed().as_secs_f64());
    }
    let same_answer = match (&plain_work.answer, &fast_work.answer) {
        (Some(one), Some(other)) if one != other => {
            return Err(StudyError::Contradiction(format!(
                "{what}: {plain} finds {one}, but {fast} finds {other}: the program is wrong"
            )));
        }
        (one, _) => one.is_some().then_some(true),
    };
    Ok(Pairing {
        what,
        plain,
        fast,
        plain_nodes: plain_work.nodes,
        fast_nodes: fast_work.nodes,
        plain_seconds,
        fast_seconds,
        ratio: plain_seconds / fast_seconds,
        same_answer,
    })
}

/// An order of moves that does not depend on how a generator lists them, so that both search the same
/// tree.
fn by_squares<G: Game<Move = Move>>(_: &G, _: &G::Position, mv: Move) -> i32 {
    [mv.from, mv.to, mv.arrow].iter().fold(0, |rank, square| rank << 7 | square.index() as i32)
}

/// Of one tree everything is to be the same.
fn in_full(report: Option<Report<Move>>) -> Work {
    let nodes = report.as_ref().map_or(0, |found| found.nodes);
    let answer = report.map(|found| format!("{:?} {:?} {}", found.score, found.pv, found.nodes));
    Work { nodes, answer: Some(answer.unwrap_or_default()) }
}

fn search_all(positions: &[Position], search: impl Fn() -> Divide) -> Work {
    let nodes = positions
        .iter()
        .filter_map(|position| Some(fixed(&mut search(), position, 4, &Limits::none())?.nodes));
    Work { nodes: nodes.sum(), answer: None }
}

/// Positions with this many empty squares, from greedy play with some noise.
fn endgames(size: Size, squares: u32, count: usize) -> Vec<Position> {
    let weights = Weights::default();
    let mut rng = Rng::new(1);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = start(size);
        while position.empty().len() > squares && Amazons.outcome(&position).is_none() {
            let moves = Amazons.moves(&position);
            let noisy = |mv: &Move| weights.value(&Amazons.after(&position, *mv));
            let best = moves
                .iter()
                .map(|mv| (noisy(mv) + rng.below(150) as i32, *mv))
                .min_by_key(|(value, _)| *value);
            if let Some((_, mv)) = best {
                Amazons.make(&mut position, mv);
            }
        }
        if Amazons.outcome(&position).is_none() {
            found.push(position);
        }
    }
    found
}
