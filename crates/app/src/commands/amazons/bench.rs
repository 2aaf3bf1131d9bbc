//! `mousetrap amazons bench`: move generation and search beside their plain versions, in turns.
//!
//! Where both have to come to the same answer, that is checked.

use std::io::Write;
use std::time::Instant;

use amazons::divide::Divide;
use amazons::evaluate::Weights;
use amazons::exact::{Solver, brute_force};
use amazons::naive::{Board, Naive};
use amazons::{Amazons, Move, Position, Size};
use game::perft::perft;
use game::rng::Rng;
use game::{Game, Side};
use search::{AlphaBeta, Limits, Minimax, Report, fixed};
use serde::Serialize;

use super::args::BenchArgs;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Row {
    what: &'static str,
    plain: &'static str,
    fast: &'static str,
    plain_nodes: u64,
    fast_nodes: u64,
    plain_seconds: f64,
    fast_seconds: f64,
    /// How many times faster.
    ratio: f64,
    /// Whether both came to the same answer, where they have to; nothing where they need not.
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

/// How many endgames of each size `--reach` tries, and when the solvers give up.
const ENDGAMES: usize = 20;
const MOST_POSITIONS: u64 = 1_000_000;
const MOST_STEPS: u64 = 1_000_000;

#[derive(Serialize)]
struct Reach {
    squares: u32,
    endgames: usize,
    brute_force_solved: usize,
    brute_force_seconds: f64,
    exact_solved: usize,
    exact_seconds: f64,
}

fn reach(args: &BenchArgs, output: &mut Output) -> Result<(), Failure> {
    if !args.json {
        writeln!(
            output,
            "{ENDGAMES} endgames on 8x8: solved, and seconds, by brute force and exactly"
        )?;
    }
    let size = Size::new(8, 8).expect("eight is a size");
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
        let row = Reach {
            squares,
            endgames: endgames.len(),
            brute_force_solved,
            brute_force_seconds,
            exact_solved,
            exact_seconds,
        };
        if args.json {
            output.json(&row)?;
        } else {
            writeln!(
                output,
                "{squares:>3} squares: {brute_force_solved:>3} {brute_force_seconds:>8.2} s   \
                 {exact_solved:>3} {exact_seconds:>8.2} s"
            )?;
        }
        output.flush()?;
    }
    Ok(())
}

pub fn run(args: &BenchArgs, output: &mut Output) -> Result<(), Failure> {
    if args.reach {
        return reach(args, output);
    }
    let start = super::start(Size::USUAL);
    let board = Board::from(&start);
    let small = super::start(Size::new(5, 5).expect("five is a size"));
    let weights = Weights::default();
    let endgames = endgames(Size::new(6, 6).expect("six is a size"), 11, ENDGAMES);
    let small_board = Board::from(&small);
    let perft_two = |count: u64| Work::answered(count, count);
    let rows: [(&'static str, Version<'_>, Version<'_>); 5] = [
        (
            "perft 2 on 10x10",
            ("naive, listed", &|| perft_two(perft(&Naive, &board, 2))),
            ("bitboards, last ply in bulk", &|| perft_two(perft(&Amazons, &start, 2))),
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
    for (what, (plain, slow), (fast, quick)) in rows {
        let (mut plain_seconds, mut fast_seconds) = (f64::INFINITY, f64::INFINITY);
        let (mut plain_work, mut fast_work) = (Work::default(), Work::default());
        for _ in 0..args.rounds {
            let clock = Instant::now();
            plain_work = slow();
            plain_seconds = plain_seconds.min(clock.elapsed().as_secs_f64());
            let clock = Instant::now();
            fast_work = quick();
            fast_seconds = fast_seconds.min(clock.elapsed().as_secs_f64());
        }
        let ratio = plain_seconds / fast_seconds;
        let (plain_nodes, fast_nodes) = (plain_work.nodes, fast_work.nodes);
        let same_answer = match (&plain_work.answer, &fast_work.answer) {
            (Some(one), Some(other)) if one != other => {
                return Err(Failure::Outside(format!(
                    "{what}: {plain} finds {one}, but {fast} finds {other}: \
                     the program is wrong, please report it"
                )));
            }
            (one, _) => one.is_some().then_some(true),
        };
        if args.json {
            output.json(&Row {
                what,
                plain,
                fast,
                plain_nodes,
                fast_nodes,
                plain_seconds,
                fast_seconds,
                ratio,
                same_answer,
            })?;
        } else {
            writeln!(
                output,
                "{what}: {fast} {ratio:.1} times as fast as {plain} ({fast_nodes} and {plain_nodes})"
            )?;
        }
        output.flush()?;
    }
    Ok(())
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

/// Positions with so many empty squares in which greedy play with a little noise has come.
fn endgames(size: Size, squares: u32, count: usize) -> Vec<Position> {
    let weights = Weights::default();
    let mut rng = Rng::new(1);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = super::start(size);
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
